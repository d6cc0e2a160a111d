package recover

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"csift/pkg/row"
	"csift/pkg/target"
)

// What an item names is found as by a look at every transcript.
func TestNames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	id := func() string { return fmt.Sprintf("%02x%02x", rnd.IntN(3), rnd.IntN(40))[:1+rnd.IntN(4)] }
	for range 300 {
		set := &target.Set{}
		for k := range rnd.IntN(8) {
			tr := target.Transcript{ID: id() + "00", Path: fmt.Sprintf("/p%d", k)}
			for range rnd.IntN(2) {
				tr.AlsoAt = append(tr.AlsoAt, fmt.Sprintf("/p%d", 4+rnd.IntN(9)))
			}
			set.Transcripts = append(set.Transcripts, tr)
		}
		at := named(set)
		for range 20 {
			it := &row.Item{ID: id()}
			if rnd.IntN(2) == 0 {
				it.Transcript = fmt.Sprintf("/p%d", rnd.IntN(12))
			}
			is := map[string]bool{}
			for _, tr := range set.Transcripts {
				if it.Transcript != "" && (it.Transcript == tr.Path || slices.Contains(tr.AlsoAt, it.Transcript)) || it.Transcript == "" && strings.HasPrefix(tr.ID, it.ID) {
					is[tr.Path] = true
				}
			}
			got := map[string]bool{}
			for _, tr := range at.of(it) {
				got[tr.Path] = true
			}
			if fmt.Sprint(got) != fmt.Sprint(is) {
				t.Fatalf("%q %q: %v, want %v", it.ID, it.Transcript, got, is)
			}
		}
	}
}
