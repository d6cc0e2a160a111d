package transcript

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"csift/pkg/record"
)

// sharing makes lines on which records stand alone, together and between damage, and gives the uuids of all in order.
func sharing(rnd *rand.Rand, lines int) (out []string, uuids []string) {
	for range lines {
		var b strings.Builder
		for range rnd.IntN(6) * (1 + 4*rnd.IntN(2)) {
			switch id := fmt.Sprintf("a%x", len(uuids)+1); rnd.IntN(5) {
			case 0:
				b.WriteString(`{"type":"mode","mode":"x"}`) // a record without a place in the structure
			case 1:
				b.WriteString(` {"type":"user","message":{"content":"cu`)
			default:
				uuids = append(uuids, id)
				b.WriteString(user(id, "", strings.Repeat("x", rnd.IntN(40))) + strings.Repeat(" ", rnd.IntN(2)))
			}
		}
		out = append(out, b.String())
	}
	return out, uuids
}

// A record is read from the bytes that it alone holds, however many stand on its line: no record's costs more than its own.
func TestSharedLines(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		lines, uuids := sharing(rnd, 1+rnd.IntN(4))
		path := save(t, lines...)
		f, s := open(t, path, Options{})
		var r record.Record
		var buf []byte
		var got []string
		end := int64(0) // of the record before
		for i, loc := range s.locs {
			off, n := loc.Span()
			if off < end {
				t.Errorf("record %d is read from %d on, and the one before it ends at %d", i, off, end)
			}
			end = off + int64(n)
			var err error
			if buf, err = f.Record(loc, &r, buf); err != nil {
				t.Fatal(err)
			}
			got = append(got, r.UUID.String())
			if k := slices.IndexFunc(s.locs, func(l Loc) bool { return l.Line == loc.Line && l.Part == loc.Part }); s.node(loc.Line, loc.Part) != k {
				t.Errorf("the record at line %d, part %d is node %d, want %d", loc.Line, loc.Part, s.node(loc.Line, loc.Part), k)
			}
			if line, err := f.Line(loc, nil); err != nil || string(line) != lines[loc.Line-1] {
				t.Errorf("line %d is %q: %v", loc.Line, line, err)
			}
		}
		for line := range int32(s.Lines + 2) {
			for part := range int32(30) {
				k := slices.IndexFunc(s.locs, func(l Loc) bool { return l.Line == line && l.Part == part })
				if s.node(line, part) != k {
					t.Errorf("line %d, part %d: node %d, want %d", line, part, s.node(line, part), k)
				}
			}
		}
		for i, loc := range s.locs {
			if at, ok := s.FindAt(uuids[i], int(loc.Line)); !ok || at != loc {
				t.Errorf("%s is found at %+v, want %+v", uuids[i], at, loc)
			}
			if at, ok := s.FindAt(uuids[i], int(loc.Line)+1); !ok || at != loc { // it does not stand there
				t.Errorf("%s is found at %+v, want %+v", uuids[i], at, loc)
			}
		}
		if !slices.Equal(got, uuids) {
			b, _ := os.ReadFile(path)
			t.Fatalf("found %q, want %q in\n%s", got, uuids, b)
		}
	}
}
