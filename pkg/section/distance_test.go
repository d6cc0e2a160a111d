package section

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("ab", 3000)
	for _, tc := range []struct {
		from, to string
		want     change
		percent  int
	}{
		{"", "", change{0, true, 0}, -1},
		{"same", "same", change{0, true, 4}, 0},
		{"fix the parser", "fix the lexer", change{7, true, 13}, 54},
		{"", "all new", change{7, true, 7}, 100},
		{"all gone", "", change{8, true, 0}, -1},
		{"日本語", "日本", change{1, true, 2}, 50},
		{"kitten", "sitting", change{5, true, 7}, 71},
		{"xay", "xby", change{2, true, 3}, 67},
		{long, strings.Repeat("cd", 3000), change{mostEdits + 2, false, 6000}, 17},
		{long + "x", "yz", change{5999, false, 2}, 299950},
	} {
		got := distance([]byte(tc.from), []rune(tc.to))
		if d := cmp.Diff(tc.want, got, cmp.AllowUnexported(change{})); d != "" {
			t.Errorf("%.20q to %.20q (-want +got):\n%s", tc.from, tc.to, d)
		}
		if p := got.percent(); (p == nil) != (tc.percent < 0) || p != nil && *p != tc.percent {
			t.Errorf("%.20q to %.20q: %v percent", tc.from, tc.to, p)
		}
	}
}

// The distance is that of the longest common subsequence, and an inexact one is no more than it.
func TestDistanceAgainstTable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		a, b := letters(r), letters(r)
		want := len(a) + len(b) - 2*common(a, b)
		if got := distance([]byte(a), []rune(b)); got.chars != want || !got.exact {
			t.Fatalf("%q to %q: %+v, want %d", a, b, got, want)
		}
		most := r.IntN(12)
		if got := edits([]rune(a), []rune(b), most); (got < 0) != (want > most) || got >= 0 && got != want {
			t.Fatalf("%q to %q within %d: %d, want %d", a, b, most, got, want)
		}
	}
}

func letters(r *rand.Rand) string {
	b := make([]byte, r.IntN(14))
	for i := range b {
		b[i] = "abc"[r.IntN(3)]
	}
	return string(b)
}

// common is the length of the longest common subsequence.
func common(a, b string) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if a[i] == b[j] {
				t[i+1][j+1] = t[i][j] + 1
			} else {
				t[i+1][j+1] = max(t[i][j+1], t[i+1][j])
			}
		}
	}
	return t[len(a)][len(b)]
}

func BenchmarkDistanceFar(b *testing.B) {
	from, to := []byte(strings.Repeat("abcde ", 2000)), []rune(strings.Repeat("vwxyz.", 2000))
	for b.Loop() {
		distance(from, to)
	}
}
