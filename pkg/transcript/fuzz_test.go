package transcript

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// walkParts walks b in parts of whole lines, cut in front of the first line that starts at or behind each cut.
func walkParts(b []byte, inLane bool, cuts ...int) *Structure {
	w := Walker{InLane: inLane}
	var parts []*Part
	from := 0
	for _, cut := range append(cuts, len(b)) {
		if cut < len(b) {
			k := bytes.IndexByte(b[max(cut, from):], '\n')
			if k < 0 {
				continue
			}
			cut = max(cut, from) + k + 1
		}
		if cut <= from {
			continue
		}
		p := &Part{}
		w.Chunk(jsonl.Chunk{Off: int64(from), B: b[from:cut], First: from == 0, Last: cut == len(b)}, p)
		parts = append(parts, p)
		from = cut
	}
	return Join(parts, inLane)
}

// FuzzStructure: whatever stands in a file, its structure answers, counts every line once, and does not depend on where
// the file was cut into parts.
func FuzzStructure(f *testing.F) {
	for _, s := range []string{
		user("a1", "", "one") + "\n" + call("a2", "a1", "t1", "Bash") + "\n" + result("a3", "a2", "t1") + "\n" + user("a2", "a3", "two"),
		reply("a2", "a1", "x") + "\n" + user("a1", "a2", "one") + "\n\n{\n" + user("a3", "", "t")[:40] + user("a4", "a1", "x"),
		node("system", "b1", "", `"subtype":"compact_boundary","logicalParentUuid":"a1"`) + "\n" + node("user", "b2", "b1", `"isCompactSummary":true,"message":{"content":"x"}`) + "\x00\r\n",
	} {
		f.Add([]byte(s), 10, 90, false)
		f.Add([]byte(s), 0, 1, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, cut, another int, inLane bool) {
		if len(b) == 0 {
			return
		}
		cut, another = abs(cut)%len(b), abs(another)%len(b)
		s := walkParts(b, inLane)
		if d := cmp.Diff(state(s), state(walkParts(b, inLane, min(cut, another), max(cut, another)))); d != "" {
			t.Fatalf("cut at %d and %d (-whole +parts):\n%s", cut, another, d)
		}
		if lines := jsonl.CountLines(b); s.Lines != lines || s.Blank+s.Unframed+s.Damaged > lines {
			t.Fatalf("%d lines, %d blank, %d without a frame, %d damaged; there are %d", s.Lines, s.Blank, s.Unframed, s.Damaged, lines)
		}
		placed := 0
		for unit := range s.Units() {
			records := s.Records(unit)
			placed += len(records)
			if o, why, ok := s.Opener(unit); ok && (why == record.NoOpening || records[0] != o) {
				t.Fatalf("unit %d does not start with its opener %v", unit, o)
			}
		}
		if placed != len(s.locs) {
			t.Fatalf("%d of %d records are in a unit", placed, len(s.locs))
		}
		for _, l := range s.locs {
			if n, ok := s.Hops(l.Line, l.Part); ok && n >= len(s.locs) {
				t.Fatalf("%d hops among %d records", n, len(s.locs))
			}
			if loc, ok := s.FindAt(s.UUID(l.Line, l.Part), int(l.Line)); s.UUID(l.Line, l.Part) != "" && (!ok || loc.Line != l.Line) {
				t.Fatalf("%v is found at %v", l, loc)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
