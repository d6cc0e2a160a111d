package search

import (
	"fmt"

	"csift/pkg/excerpt"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/transcript"
)

// printRaw prints the matching lines as they stand in the files, each once.
func (j *job) printRaw(xs []scan.Exchange, dropped int) error {
	var files fileCache
	defer files.close()
	var buf []byte
	type place struct{ file, line int }
	done := map[place]bool{}
	for i := range xs {
		for _, h := range xs[i].Hits {
			at := place{xs[i].File, int(h.Loc.Line)}
			if done[at] {
				continue
			}
			done[at] = true
			f, err := files.open(j.files[xs[i].File].Transcript, transcript.Options{Slow: j.query.Slow})
			if err == nil {
				buf, err = f.Line(h.Loc, buf)
			}
			if err != nil {
				j.lost.add(xs[i].File, err)
				continue
			}
			j.env.Out.Write(buf)
			if err := j.env.Out.WriteByte('\n'); err != nil {
				return err
			}
		}
	}
	return nil
}

// censusRow is one key of --count-by.
type censusRow struct {
	Kind    string `json:"kind"`
	Axis    string `json:"axis"`
	Key     string `json:"key"`
	Records int    `json:"records"`
}

// censusSummary is the last row of --count-by.
type censusSummary struct {
	Kind            string `json:"kind"`
	Axis            string `json:"axis"`
	MatchedRecords  int    `json:"matched_records"`
	DistinctKeys    int    `json:"distinct_keys"`
	ExcludedRecords int    `json:"excluded_records"`
	DroppedByCap    int    `json:"dropped_by_cap"`
	SkippedLines    int    `json:"skipped_lines"`
	DamagedMatches  int    `json:"damaged_matches"`
	UnreadableFiles int    `json:"unreadable_files"`
	WithSidecar     bool   `json:"with_elicitation_sidecar"`

	scope.Fates
	*scope.Crossing

	*persistedCounts
	*absence
	EmptyVisibleFace []string `json:"empty_visible_face,omitempty"`
}

func (j *job) printCensus() error {
	t := j.totals()
	if j.env.Format == stdio.JSON {
		w := row.NewWriter(j.env.Out)
		if err := w.Write(scope.HeaderOf("search", j.set)); err != nil {
			return err
		}
		for _, c := range j.res.Counts {
			if err := w.Write(censusRow{"census", j.opt.CountBy, c.Key, c.Records}); err != nil {
				return err
			}
		}
		s := censusSummary{Kind: row.SummaryKind, Axis: j.opt.CountBy, MatchedRecords: j.res.Records, DistinctKeys: len(j.res.Counts),
			ExcludedRecords: j.res.Excluded, SkippedLines: t.skipped, DamagedMatches: t.damaged, UnreadableFiles: t.unreadable,
			EmptyVisibleFace: j.query.Filter.EmptyFaces(), WithSidecar: j.sidecar, persistedCounts: j.persisted(), Fates: j.chain.Fates(), Crossing: j.chain.Crossing()}
		if j.res.Records == 0 {
			s.absence = j.absence()
		}
		return w.Write(s)
	}
	width := 1
	for _, c := range j.res.Counts {
		width = max(width, len(itoa(c.Records)))
	}
	for _, c := range j.res.Counts {
		if _, err := fmt.Fprintf(j.env.Out, "%*d  %s\n", width, c.Records, excerpt.SafeLine(c.Key)); err != nil {
			return err
		}
	}
	return nil
}
