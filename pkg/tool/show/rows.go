package show

import (
	"strings"

	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/transcript"
)

// header is the first row where one transcript is shown; where there are several, the header of a scope takes its place.
type header struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
	row.Ref
}

// summary is the last row. RefetchRemainder is a command, null when nothing was dropped, and a list of commands where
// several transcripts are shown.
type summary struct {
	Kind                   string `json:"kind"`
	Records                int    `json:"records"`
	DroppedByCap           int    `json:"dropped_by_cap"`
	RefetchRemainder       any    `json:"refetch_remainder"`
	NonRecordLines         int    `json:"non_record_lines"`
	SkippedLines           int    `json:"skipped_lines"`
	WithElicitationSidecar bool   `json:"with_elicitation_sidecar"`

	*scope.Crossing
}

// chain is what the conversations of the transcripts come to.
func (j *job) chain() scope.Chain {
	c := scope.NewChain(j.env.CrossCompactions)
	for _, x := range j.files {
		if x.s != nil {
			c.Add(x.s.Chain())
		}
	}
	return c
}

// head is the header: of the one transcript, or of the scope where there are several.
func (j *job) head() any {
	if len(j.files) == 1 {
		return header{Kind: row.HeaderKind, Command: "show", Ref: j.files[0].t.Ref()}
	}
	return scope.HeaderOf("show", j.set)
}

func (j *job) printJSON() error {
	w := row.NewWriter(j.env.Out)
	if err := w.Write(j.head()); err != nil {
		return err
	}
	if err := j.tell(func(_ *fetched, u *unit) error { return w.Write(u) }); err != nil {
		return err
	}
	nonRecords, damaged := j.counts()
	chain := j.chain()
	s := summary{Kind: row.SummaryKind, Records: j.shown, DroppedByCap: j.dropped, NonRecordLines: nonRecords, SkippedLines: damaged,
		WithElicitationSidecar: j.merged > 0, Crossing: chain.Crossing()}
	switch rest := j.remainder(); {
	case j.multi():
		if rest == nil {
			rest = []string{}
		}
		s.RefetchRemainder = rest
	case len(rest) > 0:
		s.RefetchRemainder = rest[0]
	}
	return w.Write(s)
}

// printRaw prints lines byte for byte, each once.
func (j *job) printRaw() error {
	for _, x := range j.files {
		if err := j.reopen(x); err != nil {
			return err
		}
		done := map[int32]bool{}
		for _, w := range x.merged() {
			if w.one {
				if done[w.rec.Line] {
					continue // with the others on its line
				}
				w.lo, w.hi = int(w.rec.Line), int(w.rec.Line)
			}
			var failed error
			err := x.f.EachLine(j.ctx, x.ix, w.lo, w.hi, func(loc transcript.Loc, line []byte) bool {
				if done[loc.Line] {
					return true
				}
				done[loc.Line] = true
				failed = j.rawLine(x, loc, line)
				return failed == nil
			})
			if err != nil {
				return cannotRead(x, err)
			}
			if failed != nil {
				return failed
			}
		}
		x.close()
	}
	return nil
}

func (j *job) rawLine(x *fetched, loc transcript.Loc, line []byte) error {
	if j.left == 0 {
		j.dropped++
		x.drop(loc.Line)
		return nil
	}
	j.left--
	j.shown++
	j.env.Out.Write(line)
	return j.env.Out.WriteByte('\n')
}

// after tells what a bare payload cannot say of itself.
func (j *job) after() {
	if j.leftOut > 0 {
		j.env.Note("%d pending %s of an elicitation sidecar left out: --raw prints lines of transcripts", j.leftOut, word(j.leftOut, "dialog", "dialogs"))
	}
	if j.opt.Raw {
		chain := j.chain()
		for _, s := range chain.Crossings() {
			j.env.Note("%s", s)
		}
	}
	if j.opt.Raw && j.dropped > 0 {
		j.env.Note("+%d more %s beyond the %d-line cap; continue: %s; all: --max-count 0", j.dropped, word(j.dropped, "line", "lines"), j.opt.MaxCount, strings.Join(j.remainder(), " ; "))
	}
}
