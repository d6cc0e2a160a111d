package shell

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// What a name stands for is what a walk over all that it is given says, whichever names were looked up before.
func TestLookup(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	plain := func(s *coding, name string, i int) value {
		same, inner, last := true, false, value{}
		for _, a := range s.values[name] {
			same, inner = same && a.value.equal(s.values[name][0].value), inner || a.inner
			if a.at < i {
				last = a.value
			}
		}
		switch {
		case len(s.values[name]) == 0:
			return value{}
		case same:
			return s.values[name][0].value
		case inner || s.defines:
			return value{}
		}
		return last
	}
	for range 500 {
		s := &coding{defines: rnd.IntN(4) == 0, values: map[string][]assigned{}}
		for at := range 30 {
			if name := fmt.Sprint("n", rnd.IntN(6)); rnd.IntN(2) == 0 {
				v := value{}
				if k := rnd.IntN(4); k > 0 {
					v.texts = []string{fmt.Sprint("v", k/2)}
				}
				s.values[name] = append(s.values[name], assigned{at, v, rnd.IntN(12) == 0})
			}
		}
		for range 60 {
			name, i := fmt.Sprint("n", rnd.IntN(7)), rnd.IntN(32)
			if got, want := s.lookup(name, i), plain(s, name, i); !got.equal(want) {
				t.Fatalf("%s at %d is %v, want %v of %v", name, i, got, want, s.values[name])
			}
		}
	}
}
