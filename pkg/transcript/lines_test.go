package transcript

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// Lines are those of the file however they are asked for, and one behind another is reached from where that ended: a
// thousand addresses must not cost a thousand walks from the start of a chunk.
func TestLinesOneByOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 9))
	const all = 300
	lines := make([]string, all)
	for i := range lines {
		lines[i] = user("a"+strconv.Itoa(i), "", strings.Repeat("x", rnd.IntN(300)))
	}
	path := save(t, lines...)
	for _, known := range []bool{false, true} {
		f, _ := open(t, path, Options{})
		if !known {
			f.s = nil
		}
		ix, err := f.Index(context.Background())
		if err != nil || ix.Lines != all {
			t.Fatalf("%d lines: %v", ix.Lines, err)
		}
		ask := func(lo, hi, most int) {
			n := lo
			err := f.EachLine(context.Background(), ix, lo, hi, func(loc Loc, line []byte) bool {
				if string(line) != lines[n-1] || int(loc.Line) != n {
					t.Fatalf("line %d of %d..%d is %d: %.60q", n, lo, hi, loc.Line, line)
				}
				n++
				return n-lo < most
			})
			if want := min(hi+1, lo+most, all+1); err != nil || n != max(want, lo) {
				t.Fatalf("%d..%d ended at %d, want %d: %v", lo, hi, n, want, err)
			}
		}
		for range 300 {
			lo := 1 + rnd.IntN(all)
			ask(lo, lo+rnd.IntN(20), 1+rnd.IntN(20))
		}
		ask(1, 1, 1)
		for lo := 2; lo <= all; lo += 2 {
			if from := ix.before(lo); from.line < lo-1 {
				t.Fatalf("line %d is looked for from line %d on", lo, from.line)
			}
			ask(lo, lo, 1)
		}
	}
}
