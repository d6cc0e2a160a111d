package show

import (
	"slices"
	"testing"

	"csift/pkg/transcript"
)

// What was asked for whole is known among the records of turns.
func TestWholes(t *testing.T) {
	x := &fetched{}
	at := func(line, off int) transcript.Loc { return transcript.Loc{Line: int32(line), Off: int64(off)} }
	for l := range 9 {
		x.want = append(x.want, want{rec: at(l, 0), one: true, excerpt: true})
	}
	if x.wholes() != nil {
		t.Error("turns alone hold something whole")
	}
	x.want = append(x.want, want{lo: 4, hi: 6}, want{rec: at(2, 0), one: true}, want{lo: 8, hi: 8}, want{lo: 5, hi: 5}, want{pending: &transcript.Pending{}})
	all := x.wholes()
	for l := range 9 {
		if got := all.has(at(l, 0)); got != slices.Contains([]int{2, 4, 5, 6, 8}, l) {
			t.Errorf("line %d: %v", l, got)
		}
	}
	if all.has(at(2, 40)) || !all.has(at(4, 40)) {
		t.Error("a record that shares its line is another, a line is all of its records")
	}
}
