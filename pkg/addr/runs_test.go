package addr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A number is within joined runs when one of the runs has it, and joined runs lie apart in order.
func TestRuns(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		all := make([]Run, rnd.IntN(12))
		for i := range all {
			lo := rnd.IntN(60)
			all[i] = Run{lo, lo + rnd.IntN(5)}
		}
		joined := Join(slices.Clone(all))
		for n := -1; n < 70; n++ {
			if got := Within(joined, n); got != slices.ContainsFunc(all, func(r Run) bool { return n >= r.Lo && n <= r.Hi }) {
				t.Fatalf("%d within %v as %v: %v", n, all, joined, got)
			}
		}
		for i := 1; i < len(joined); i++ {
			if joined[i].Lo <= joined[i-1].Hi+1 {
				t.Fatalf("%v joined is %v", all, joined)
			}
		}
	}
}
