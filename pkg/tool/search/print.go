package search

import (
	"strings"
	"sync/atomic"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/stdio"
)

// summary is the last row.
type summary struct {
	Kind                   string   `json:"kind"`
	Matched                int      `json:"matched"`
	Sessions               int      `json:"sessions"`
	SessionIDs             *ids     `json:"session_ids,omitempty"` // with -l
	TranscriptIDs          []string `json:"transcript_ids"`
	TranscriptIDsTruncated bool     `json:"transcript_ids_truncated"`
	DroppedByCap           int      `json:"dropped_by_cap"`
	UpstreamDroppedByCap   int      `json:"upstream_dropped_by_cap"`
	SkippedLines           int      `json:"skipped_lines"`
	DamagedMatches         int      `json:"damaged_matches"`
	DamagedRefetch         []string `json:"damaged_refetch,omitempty"`
	UnreadableFiles        int      `json:"unreadable_files"`
	WithElicitationSidecar bool     `json:"with_elicitation_sidecar"`
	ExcerptsTruncated      bool     `json:"excerpts_truncated"`

	scope.Fates // of the transcripts with hits, as are the crossings
	*scope.Crossing

	*persistedCounts
	*absence
	EmptyVisibleFace []string `json:"empty_visible_face,omitempty"`
}

type ids []string

// absence is what the summary adds when nothing matched. It is embedded as a pointer, where the encoder cannot do
// omitempty.
type absence struct {
	DefinitiveAbsence    bool      `json:"definitive_absence"`
	NotRead              []string  `json:"not_read"`
	ActiveFilters        string    `json:"active_filters"`
	ExcludedByLabel      *excluded `json:"excluded_by_label"`
	GatedLeavesUnreached *bool     `json:"gated_leaves_unreached"`
}

type excluded struct {
	Records int            `json:"records"`
	ByLabel map[string]int `json:"by_label"`
}

// totals are the sums over the searched files.
type totals struct {
	skipped, damaged, unreadable int
	missing                      int      // records and turns that were named and are not there
	hurt                         []string // commands that print the damaged lines with a match, one a transcript
}

func (j *job) totals() (t totals) {
	for i := range j.res.Files {
		f := &j.res.Files[i]
		t.skipped += f.Skipped
		t.damaged += f.Damaged
		t.missing += len(f.Missing)
		if f.Err != nil {
			t.unreadable++
		}
		if f.SidecarErr != nil {
			t.unreadable++
		}
		if f.Damaged > 0 {
			t.hurt = append(t.hurt, j.hurt(i, f.Hurt))
		}
	}
	t.unreadable += len(j.set.Failed) + len(j.lost.files)
	return t
}

// hurt gives the command that prints damaged lines of the i-th file.
func (j *job) hurt(i int, lines []int) string {
	if len(lines) == 1 {
		return j.env.Command("show", j.address(i, lines[0]), "--raw")
	}
	words := make([]string, len(lines))
	for k, l := range lines {
		words[k] = itoa(l)
	}
	return j.env.Command("show", j.short(i), "--line", strings.Join(words, ","), "--raw")
}

// hurtWhere says where the pattern stands in damage: the commands of the first few transcripts.
func (t *totals) hurtWhere() string {
	const most = 5
	out := strings.Join(t.hurt[:min(len(t.hurt), most)], "; ")
	if n := len(t.hurt) - most; n > 0 {
		out += "; and in " + scope.Plural(n, "more transcript", "more transcripts") + ": damaged_refetch of --format json names all"
	}
	return out
}

// tellFailures names every file that could not be read, and every asked-for record that is not there.
func (j *job) tellFailures() {
	for i := range j.res.Files {
		f := &j.res.Files[i]
		if f.Err != nil {
			j.env.Fail(cli.CannotRead(j.files[i].Transcript, f.Err))
		}
		if err := f.SidecarErr; err != nil {
			j.env.Fail(cli.CannotRead(home.Elicitations(j.files[i].Transcript), err))
		}
		for _, p := range f.Missing {
			what := "record"
			if p.Range.Kind == addr.TurnRange {
				what = "turn"
			}
			j.env.Fail(cli.Errorf("no such %s: %s", what, missing(j.files[i].SessionID, p)))
		}
	}
}

func missing(id string, p scan.Part) string {
	switch {
	case p.Range.Kind != 0:
		return "@" + id + ":" + p.Range.String()
	case p.UUID != "":
		return "@" + id + " uuid " + p.UUID
	}
	return "@" + id + ":" + itoa(p.Line)
}

func (j *job) progress() *atomic.Int64 {
	var n atomic.Int64
	j.env.Progress(func() string { return itoa(int(n.Load())) + " of " + itoa(len(j.files)) + " transcripts" })
	return &n
}

// print answers in the form that was asked for.
func (j *job) print() error {
	xs, dropped := j.capped()
	j.sidecar = j.shows(xs)
	var err error
	switch {
	case j.opt.Raw:
		err = j.printRaw(xs, dropped)
	case j.opt.CountBy != "":
		err = j.printCensus()
	case j.opt.Count && j.env.Format != stdio.JSON:
		_, err = j.env.Out.WriteString(itoa(j.res.Matched) + "\n")
	case j.opt.Sessions && j.env.Format != stdio.JSON:
		for _, id := range j.owners() {
			j.env.Out.WriteString(id + "\n")
		}
	case j.env.Format == stdio.JSON:
		err = j.printJSON(xs, dropped)
	default:
		err = j.printText(xs, dropped)
	}
	if err != nil {
		return err
	}
	if err := j.env.Out.Flush(); err != nil {
		return err
	}
	return j.after(dropped)
}

// capped applies --max-count: the earliest N exchanges, or the latest.
func (j *job) capped() (xs []scan.Exchange, dropped int) {
	xs = j.res.Exchanges
	n := j.opt.MaxCount
	matched := j.res.Matched
	switch {
	case n > 0 && matched > n:
		dropped = matched - n
	case n < 0 && n > -matched:
		dropped = matched + n
	}
	if dropped == 0 || len(xs) == 0 {
		return xs, dropped
	}
	if n > 0 {
		return xs[:n], dropped
	}
	return xs[dropped:], dropped
}

func (j *job) printJSON(xs []scan.Exchange, dropped int) error {
	w := row.NewWriter(j.env.Out)
	if err := w.Write(scope.HeaderOf("search", j.set)); err != nil {
		return err
	}
	cut := false
	if j.query.Exchanges {
		var err error
		cut, err = j.each(j.ctx, xs, func(p *painter, x *scan.Exchange, buf []byte) ([]byte, error) {
			e, err := p.exchange(x)
			if err != nil {
				return buf, err
			}
			return append(p.encode(buf, x, e), '\n'), nil
		})
		if err != nil {
			return err
		}
	}
	s := j.summary(dropped)
	s.ExcerptsTruncated = cut
	return w.Write(s)
}

func (j *job) summary(dropped int) *summary {
	t := j.totals()
	s := &summary{
		Kind: row.SummaryKind, Matched: j.res.Matched, Sessions: len(j.transcripts()), TranscriptIDs: []string{},
		DroppedByCap: dropped, UpstreamDroppedByCap: j.notRead, SkippedLines: t.skipped, DamagedMatches: t.damaged, DamagedRefetch: t.hurt, UnreadableFiles: t.unreadable,
		EmptyVisibleFace: j.query.Filter.EmptyFaces(), WithElicitationSidecar: j.sidecar, persistedCounts: j.persisted(),
		Fates: j.chain.Fates(), Crossing: j.chain.Crossing(),
	}
	if j.opt.Count {
		s.DroppedByCap = 0 // the number is of all
	}
	s.Matched -= s.DroppedByCap + j.lost.exchanges
	if j.opt.Sessions {
		list := append(ids{}, j.owners()...)
		s.SessionIDs = &list
	}
	for _, id := range j.transcripts() {
		if len(s.TranscriptIDs) == 100 {
			s.TranscriptIDsTruncated = true
			break
		}
		s.TranscriptIDs = append(s.TranscriptIDs, id)
	}
	if j.res.Matched == 0 {
		s.absence = j.absence()
	}
	return s
}

// filters spells the filters of the search, or "none".
func (j *job) filters() string {
	var out []string
	if n := j.addresses(); n > 0 {
		out = append(out, "limited to "+scope.Plural(n, "address", "addresses"))
	}
	for _, f := range []struct {
		flag  string
		words []string
	}{{"-t", j.opt.Label}, {"-T", j.opt.LabelNot}, {"--since", one(j.opt.Since)}, {"--until", one(j.opt.Until)}, {"--turn", one(j.opt.Turn)}, {"--for", one(j.opt.For)}} {
		for _, w := range f.words {
			out = append(out, f.flag+" "+cli.Quote(w))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, " ")
}

// addresses counts the lines, turns and records that targets and rows name of their transcripts; a search looks at these
// alone.
func (j *job) addresses() (n int) {
	for i := range j.set.Transcripts {
		n += len(j.set.Transcripts[i].Narrow)
	}
	return n
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
