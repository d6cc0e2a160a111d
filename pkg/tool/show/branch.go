package show

import (
	"cmp"
	"fmt"
	"time"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/record"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/section"
	"csift/pkg/stdio"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// fork is the row of one record after which the conversation went more than one way.
type fork struct {
	Kind string `json:"kind"`
	row.Ref
	UUID             *string  `json:"uuid"`
	Line             int      `json:"line"`
	ParentLine       int      `json:"parent_line"` // the same: it is the parent of the ways on
	ParentType       string   `json:"parent_type"`
	LiveChildLine    *int     `json:"live_child_line"` // null unless exactly one is live
	Children         []way    `json:"children"`
	WidestGapSeconds *float64 `json:"widest_gap_seconds"` // null where fewer than two are dated
}

// way is one way on.
type way struct {
	Line       int     `json:"line"`
	UUID       *string `json:"uuid"`
	RecordType string  `json:"record_type"`
	Survival   string  `json:"survival"`
	Verdict    string  `json:"verdict"`
	TSUTC      *string `json:"ts_utc"`
	TSLocal    *string `json:"ts_local"`
	Excerpt    string  `json:"excerpt"`
}

// forkSummary is the last row.
type forkSummary struct {
	Kind                string `json:"kind"`
	BranchPoints        int    `json:"branch_points"`
	DroppedByCap        int    `json:"dropped_by_cap"`
	ConversationRecords int    `json:"conversation_records"`
	SkippedLines        int    `json:"skipped_lines"`

	*scope.Crossing
}

// wayChars is how much of its text the head of a way shows.
const wayChars = 80

// checkForks reads the flags that go with --branch-points: none that address a record, in a target neither.
func (j *job) checkForks() error {
	o := j.opt
	if len(o.Line) > 0 || len(o.UUID) > 0 || o.Turn != "" || o.Raw {
		return cli.Usagef("--branch-points looks at whole transcripts and goes with none of --line, --uuid, --turn and --raw")
	}
	for _, w := range j.env.Args {
		if t, err := addr.Parse(w); err == nil && t.Range.Kind != addr.NoRange {
			return cli.Usagef("--branch-points looks at whole transcripts, and %s is a part of one", w)
		}
	}
	return nil
}

// printForks prints the branch points of all transcripts, the widest gap of each first.
func (j *job) printForks() error {
	narrowed := false
	for i := range j.set.Transcripts {
		narrowed = narrowed || len(j.set.Transcripts[i].Narrow) > 0
	}
	if narrowed {
		j.env.Note("--branch-points looks at whole transcripts: the lines and turns on stdin name theirs, and no more")
	}
	rows := row.NewWriter(j.env.Out)
	json := j.env.Format == stdio.JSON
	if json {
		if err := rows.Write(j.head()); err != nil {
			return err
		}
	}
	for _, x := range j.files {
		err := j.forks(x, func(f *fork) error {
			if json {
				return rows.Write(f)
			}
			_, err := j.env.Out.Write(j.paintFork(nil, x, f))
			return err
		})
		if err != nil {
			return err
		}
	}
	chain := j.chain()
	if json {
		s := forkSummary{Kind: row.SummaryKind, BranchPoints: j.shown, DroppedByCap: j.dropped, Crossing: chain.Crossing()}
		for _, x := range j.files {
			s.ConversationRecords += x.s.Said()
			s.SkippedLines += x.s.Unframed + x.s.Damaged
		}
		return rows.Write(s)
	}
	return j.forksFooter(&chain)
}

func (j *job) forksFooter(chain *scope.Chain) error {
	w := j.env.Banner
	if j.shown == 0 && j.dropped == 0 {
		if err := j.env.Nothing(row.NoForks); err != nil {
			return err
		}
	}
	if j.dropped > 0 {
		fmt.Fprintf(w, "+%d more branch %s beyond the cap of %d · all: %s\n", j.dropped, word(j.dropped, "point", "points"), j.opt.MaxCount, j.env.Again("--max-count", "0"))
	}
	skipped := 0
	for _, x := range j.files {
		skipped += x.s.Unframed + x.s.Damaged
	}
	if skipped > 0 {
		fmt.Fprintf(w, "%d malformed %s skipped\n", skipped, word(skipped, "line", "lines"))
	}
	for _, s := range chain.Crossings() {
		fmt.Fprintln(w, s)
	}
	return nil
}

// forks gives the branch points of one transcript until the cap.
func (j *job) forks(x *fetched, give func(*fork) error) error {
	points := x.s.BranchPoints()
	if len(points) == 0 {
		return nil
	}
	if err := j.reopen(x); err != nil {
		return err
	}
	defer x.close()
	r := &forkReader{x: x}
	for i := range points {
		if j.left == 0 {
			j.dropped++
			continue
		}
		j.left--
		j.shown++
		f, err := r.fork(&points[i])
		if err == nil {
			err = give(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forkReader reads the records of forks.
type forkReader struct {
	x    *fetched
	rec  record.Record
	sec  section.Builder
	line []byte
}

func (r *forkReader) fork(p *transcript.BranchPoint) (*fork, error) {
	parent, err := r.way(p.Loc)
	if err != nil {
		return nil, err
	}
	f := &fork{Kind: "branch-point", Ref: r.x.t.Ref(), UUID: parent.UUID, Line: parent.Line, ParentLine: parent.Line, ParentType: parent.RecordType, Children: []way{}}
	if p.HasLive {
		n := int(p.Live.Line)
		f.LiveChildLine = &n
	}
	if p.Dated {
		s := float64(p.GapMS) / 1000
		f.WidestGapSeconds = &s
	}
	for _, c := range p.Children {
		w, err := r.way(c)
		if err != nil {
			return nil, err
		}
		f.Children = append(f.Children, w)
	}
	return f, nil
}

// way reads the record at a place as the head of a way.
func (r *forkReader) way(loc transcript.Loc) (w way, err error) {
	if r.line, err = r.x.f.Record(loc, &r.rec, r.line); err != nil {
		return w, cannotRead(r.x, err)
	}
	s := r.x.s
	w = way{Line: int(loc.Line), RecordType: r.rec.Type.String(), Survival: s.Survival(loc.Line, loc.Part).String(), Verdict: s.Verdict(loc.Line, loc.Part)}
	if id := r.rec.UUID.String(); id != "" {
		w.UUID = &id
	}
	w.TSUTC, w.TSLocal = when.Pair(r.rec.Timestamp.String())
	ctx := scan.ContextFor(s, loc)
	for _, sec := range r.sec.Sections(&r.rec, &ctx) {
		if w.Excerpt = excerpt.Match(string(sec.Append(nil)), wayChars, -1, -1).Text; w.Excerpt != "" {
			break
		}
	}
	return w, nil
}

// paintFork lays out a branch point: its address at column 0, its ways below.
func (j *job) paintFork(dst []byte, x *fetched, f *fork) []byte {
	id := j.short(x)
	dst = append(dst, addr.Line(id, f.Line)...)
	dst = append(dst, "  branch point · after "...)
	dst = excerpt.AppendSafeLine(dst, []byte(f.ParentType))
	dst = append(dst, fmt.Sprintf(" · %d ways", len(f.Children))...)
	if f.WidestGapSeconds != nil {
		dst = append(dst, " · "+(time.Duration(*f.WidestGapSeconds*1000+0.5)*time.Millisecond).String()+" apart"...)
	}
	dst = append(dst, '\n')
	last := &f.Children[0]
	for i := range f.Children {
		w := &f.Children[i]
		if later(w, last) {
			last = w
		}
		dst = append(dst, fmt.Sprintf("    L%-5d %-9s ", w.Line, w.Verdict)...)
		dst = excerpt.AppendSafeLine(dst, []byte(w.RecordType))
		dst = append(dst, ' ', ' ')
		if t, ok := when.Stamp(value(w.TSUTC)); ok {
			dst = when.AppendText(dst, t, true)
		} else {
			dst = append(dst, when.Absent...)
		}
		dst = append(dst, ' ', ' ')
		dst = append(excerpt.AppendSafeLine(dst, []byte(w.Excerpt)), '\n')
	}
	live := "none"
	if f.LiveChildLine != nil {
		live = fmt.Sprintf("L%d", *f.LiveChildLine)
	}
	return append(dst, "    live child: "+live+" · the latest: "+j.env.Command("show", j.id(x), "--line", fmt.Sprint(last.Line))+"\n"...)
}

// later tells which of two ways was gone last: by time where both have one, else by their place.
func later(a, b *way) bool {
	if a.TSUTC == nil || b.TSUTC == nil {
		return a.Line > b.Line
	}
	x, _ := when.Stamp(*a.TSUTC)
	y, _ := when.Stamp(*b.TSUTC)
	return cmp.Or(x.Compare(y), cmp.Compare(a.Line, b.Line)) > 0
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
