package show

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/section"
	"csift/pkg/stdio"
	"csift/pkg/text"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// unit is the row of one piece of a record.
type unit struct {
	Kind string `json:"kind"`
	row.Ref
	TurnIndex       *int `json:"turn_index"` // null for what the conversation went on without
	SupersededDraft bool `json:"superseded_draft"`
	section.Unit
	Unmodeled *string `json:"unmodeled,omitempty"`
	Text      string  `json:"text"`
	Body      *string `json:"body"`

	opens bool
	among bool // it shares its line
}

// whole gives the unit all of its text: as it is, and for rows on one line.
func (u *unit) whole(body string, f stdio.Format) {
	u.Body = &body
	if f == stdio.JSON {
		u.Text = excerpt.Fold(body)
	}
}

// excerptChars is how much of a text the records of a turn show.
const excerptChars = 400

// teller makes the units of records, one after the other.
type teller struct {
	job  *job
	x    *fetched
	sec  section.Builder
	rec  record.Record
	line []byte
	seen map[transcript.Loc]bool
	told map[*transcript.Pending]bool
	full *wholes
	give func(u *unit) error

	rival section.Rival
	space section.Space // of the record under way
}

// tell gives every unit that was asked for, in order, until the cap.
func (j *job) tell(give func(x *fetched, u *unit) error) error {
	for _, x := range j.files {
		if err := j.reopen(x); err != nil {
			return err
		}
		t := &teller{job: j, x: x, seen: map[transcript.Loc]bool{}, told: map[*transcript.Pending]bool{}, full: x.wholes(),
			give: func(u *unit) error { return give(x, u) }}
		for _, w := range x.merged() {
			if err := t.want(w); err != nil {
				return err
			}
		}
		x.damaged += x.ix.Damaged
		x.close()
	}
	return nil
}

func (t *teller) want(w want) (err error) {
	if w.pending != nil {
		return t.dialog(w.pending)
	}
	if !w.one {
		return t.lines(w)
	}
	if t.line, err = t.x.f.Record(w.rec, &t.rec, t.line); err != nil {
		return cannotRead(t.x, err)
	}
	return t.record(w.rec, w.excerpt)
}

func (t *teller) lines(w want) (err error) {
	failed := t.x.f.EachLine(t.job.ctx, t.x.ix, w.lo, w.hi, func(loc transcript.Loc, line []byte) bool {
		err = t.physical(loc, line, w)
		return err == nil
	})
	if failed != nil {
		return cannotRead(t.x, failed)
	}
	return err
}

// physical tells the records on one line.
func (t *teller) physical(loc transcript.Loc, line []byte, w want) error {
	trimmed := jsonl.Trim(line, loc.Off == 0)
	if record.Decode(trimmed, &t.rec) {
		return t.record(loc, false)
	}
	shape := jsonl.ShapeOf(trimmed)
	parts, damaged := record.Split(trimmed)
	if shape == jsonl.Blank {
		parts, damaged = nil, false
	}
	if len(parts) == 0 {
		t.x.nonRecords++
		if t.job.dropped > 0 {
			t.x.drop(loc.Line) // it stands between lines that are shown later
		}
	}
	if damaged && shape == jsonl.Framed {
		t.x.damaged++
	}
	for i, b := range parts {
		if record.Decode(b, &t.rec) {
			if err := t.record(loc.In(line, i, b), false); err != nil {
				return err
			}
		}
	}
	return nil
}

// record gives the units of the record just decoded, once: whole where that was asked for anywhere, though a turn that
// holds it comes first.
func (t *teller) record(loc transcript.Loc, short bool) error {
	if t.seen[loc] {
		return nil
	}
	t.seen[loc] = true
	short = short && !t.full.has(loc)
	t.space.Reset()
	s := t.x.s
	c := scan.ContextFor(s, loc)
	secs := t.sec.Sections(&t.rec, &c)
	named := slices.ContainsFunc(secs, func(s section.Section) bool { return len(s.Labels) > 0 })
	if !named && !short {
		return t.unit(loc, &section.Section{Text: unmodeled(&t.rec, secs), Block: -1}, short)
	}
	for i := range secs {
		if short && len(secs[i].Labels) == 0 {
			continue // by turn there is what has a label
		}
		if err := t.unit(loc, &secs[i], short); err != nil {
			return err
		}
	}
	if short {
		return nil
	}
	for _, v := range section.Unmodeled(&t.rec) {
		if err := t.unit(loc, &section.Section{Text: leftOver(v), Block: -1}, short); err != nil {
			return err
		}
	}
	return nil
}

// unit gives one unit, or counts it where the cap is reached.
func (t *teller) unit(loc transcript.Loc, sec *section.Section, short bool) error {
	j := t.job
	if j.left == 0 {
		j.dropped++
		t.x.drop(loc.Line)
		return nil
	}
	j.left--
	j.shown++
	u := &unit{Kind: "record", Ref: t.x.t.Ref(), opens: t.x.s.Opens(loc.Line, loc.Part), among: loc.Size > 0}
	if n := t.x.s.Unit(loc.Line, loc.Part); t.x.s.IsTurn(n) {
		u.TurnIndex = &n
	} else if l, ok := t.x.s.LostUnit(n); ok {
		u.SupersededDraft = !l.Answered
	}
	leaf := label.None
	if len(sec.Labels) > 0 {
		leaf = sec.Labels[0]
	} else {
		name := shape(&t.rec)
		u.Unmodeled = &name
	}
	t.space.Describe(&u.Unit, &t.rec, sec, leaf, t.x.s, loc)
	plain := sec.Append(nil)
	if err := t.rival.Compare(&u.Unit, plain, t.x.f, t.x.s, loc); err != nil {
		return cannotRead(t.x, err)
	}
	body := excerpt.Valid(string(plain))
	if short {
		u.Text = excerpt.Match(body, excerptChars, -1, -1).Text
	} else {
		u.whole(body, j.env.Format)
	}
	return t.give(u)
}

func (j *job) printText() error {
	err := j.tell(func(x *fetched, u *unit) error {
		_, err := j.env.Out.Write(j.paint(nil, x, u))
		return err
	})
	if err != nil {
		return err
	}
	if j.shown == 0 {
		if j.env.TextInFIFO {
			_, err = fmt.Fprintln(j.env.Out, "  "+row.NoRecords)
		} else {
			_, err = fmt.Fprintln(j.env.Banner, row.NoRecords)
		}
	}
	j.footer()
	return err
}

// paint lays out a unit: its address and label zone at column 0, its text below, indented.
func (j *job) paint(dst []byte, x *fetched, u *unit) []byte {
	dst = j.appendPlace(dst, x, u)
	dst = append(dst, "  "+text.Glyph(u.Leaf)+" "...)
	if u.Unmodeled != nil {
		dst = append(dst, "unmodeled: "...)
		dst = excerpt.AppendSafeLine(dst, []byte(*u.Unmodeled))
		dst = text.AppendFacts(dst, &u.Unit)
	} else {
		dst = text.AppendZone(dst, &u.Unit)
	}
	if u.opens {
		dst = append(dst, "  t"+strconv.Itoa(*u.TurnIndex)...)
	}
	dst = append(dst, ' ', ' ')
	if u.TSUTC != nil {
		t, _ := when.Stamp(*u.TSUTC)
		dst = when.AppendText(dst, t, true)
	} else {
		dst = append(dst, when.Absent...)
	}
	dst = append(text.AppendImages(dst, u.ImageIDs), '\n')
	body := u.Text
	if u.Body != nil {
		body = *u.Body
	}
	if body != "" {
		dst = append(text.AppendBody(dst, body), '\n')
	}
	return text.AppendDistanceLine(dst, "  ", &u.Unit)
}

func (j *job) footer() {
	w := j.env.Banner
	nonRecords, damaged := j.counts()
	if j.dropped > 0 {
		fmt.Fprintf(w, "+%d more record %s beyond the %d-unit cap · continue: %s · all: --max-count 0\n",
			j.dropped, word(j.dropped, "unit", "units"), j.opt.MaxCount, strings.Join(j.remainder(), " ; "))
	}
	if nonRecords > 0 {
		fmt.Fprintf(w, "%d %s in the range %s no record\n", nonRecords, word(nonRecords, "line", "lines"), word(nonRecords, "is", "are"))
	}
	if damaged > 0 {
		fmt.Fprintf(w, "%d malformed %s skipped\n", damaged, word(damaged, "line", "lines"))
	}
	chain := j.chain()
	for _, s := range chain.Crossings() {
		fmt.Fprintln(w, s)
	}
	if j.merged > 0 {
		fmt.Fprintln(w, transcript.SidecarNote)
	}
}

func word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (j *job) counts() (nonRecords, damaged int) {
	for _, x := range j.files {
		nonRecords += x.nonRecords
		damaged += x.damaged
	}
	return nonRecords, damaged
}
