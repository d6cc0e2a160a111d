package recover

import (
	"bytes"
	"fmt"
	"strings"

	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// patches calls seg for every stretch of a story and cut for every boundary, in order. A stretch in which nothing is known
// to have changed has an empty diff.
func (j *recoverJob) patches(s *story, seg func(x *replay.Segment, diff string) error, cut func(b *replay.Boundary) error) error {
	at := 0
	for i := range s.res.Segments {
		x := &s.res.Segments[i]
		for ; at < len(s.res.Boundaries) && s.res.Boundaries[at].At.Line < x.First.Line; at++ {
			if err := cut(&s.res.Boundaries[at]); err != nil {
				return err
			}
		}
		if err := seg(x, j.diff(s, x)); err != nil {
			return err
		}
	}
	for ; at < len(s.res.Boundaries); at++ {
		if err := cut(&s.res.Boundaries[at]); err != nil {
			return err
		}
	}
	return nil
}

// diff gives the unified diff of a stretch, within --file-lines.
func (j *recoverJob) diff(s *story, x *replay.Segment) string {
	name := strings.TrimPrefix(strings.ReplaceAll(s.file, `\`, "/"), "/")
	before := "a/" + name
	if !x.PreKnown {
		before += "\t(what was there is not known)"
	}
	d := replay.Diff(before, "b/"+name, x.Before, x.After)
	if j.ask.lines == nil {
		return d
	}
	v := viewOf(x.After, j.ask.lines)
	return clipDiff(d, v.lo, v.hi)
}

func (j *recoverJob) patchRows(w *row.Writer, s *story) error {
	return j.patches(s, func(x *replay.Segment, diff string) error {
		r := &segmentRow{Kind: "segment", Ref: s.ref(s.part(x.First.Session)), Index: x.Index, Line: x.First.Line, source: sourceOf(&x.First),
			First: x.First.Line, Last: x.Last.Line, TurnFirst: x.First.Turn, TurnLast: x.Last.Turn, stamp: stampOf(x.First.Stamp),
			PreKnown: x.PreKnown, Anchor: scope.OrNull(x.Anchor), Diff: diff}
		return w.Write(r)
	}, func(b *replay.Boundary) error {
		return w.Write(&breakRow{Kind: "boundary", Ref: s.ref(s.part(b.At.Session)), boundaryObject: objectOf(b)})
	})
}

// patchText appends the stretches with their diffs, and the boundaries between them. Each is a row of its own with the
// address of its first record.
func (j *recoverJob) patchText(b []byte, s *story, done *wrote) []byte {
	_ = j.patches(s, func(x *replay.Segment, diff string) error {
		b = j.rowLine(b, s, j.address(s, &x.First), segmentWords(x))
		switch {
		case done != nil:
		case diff == "":
			b = append(b, "    (no change to a known line)\n"...)
		default:
			b = appendDiff(b, diff)
		}
		return nil
	}, func(x *replay.Boundary) error {
		b = j.rowLine(b, s, j.address(s, &x.At), fmt.Sprintf("%s %s  %s  %s", sign(x), turnSlot(&x.At), when.Text(x.At.Time, false), s.causeWords(x)))
		return nil
	})
	if len(s.res.Segments) == 0 {
		b = append(b, "  no content in the window\n"...)
	}
	if l := j.lane(s); l != "" {
		b = append(b, " "+l+"\n"...)
	}
	b = wroteText(b, done)
	b = s.openText(b, "  ")
	return j.accountText(b, s, "  ")
}

// segmentWords says what a stretch is.
func segmentWords(x *replay.Segment) string {
	w := fmt.Sprintf("─ SEGMENT %d  L%d..L%d  %s  %s", x.Index, x.First.Line, x.Last.Line, turnsOf(x), when.Text(x.First.Time, false))
	if x.Last.Time.After(x.First.Time) {
		w += " -> " + when.Text(x.Last.Time, false)
	}
	if !x.PreKnown {
		w += "  ·  what was there before is not known"
	}
	if x.Anchor != "" {
		w += "  ·  anchor " + x.Anchor
	}
	return w
}

func turnsOf(x *replay.Segment) string {
	a, b := turnSlot(&x.First), turnSlot(&x.Last)
	if a == b {
		return a
	}
	return a + ".." + b
}

// appendDiff appends a diff as a body: indented, long lines cut.
func appendDiff(b []byte, diff string) []byte {
	for _, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n") {
		b = append(b, "    "...)
		b = append(appendExcerpt(b, trimCR(line)), '\n')
	}
	return b
}

// patchArtifact gives what --patches writes with --out: the diffs as they are, each under a line that says which it is.
func (j *recoverJob) patchArtifact(s *story) []byte {
	var b bytes.Buffer
	_ = j.patches(s, func(x *replay.Segment, diff string) error {
		b.WriteString("# " + segmentWords(x) + "\n" + diff)
		return nil
	}, func(x *replay.Boundary) error {
		b.WriteString("# " + sign(x) + " L" + fmt.Sprint(x.At.Line) + "  " + x.Cause + "\n")
		return nil
	})
	return b.Bytes()
}
