package match

import (
	"math/rand/v2"
	"testing"
)

// The automaton starts near the first window, not at the start of the text: what a match sees in front of it (a word, an
// escape, the start of a line or of the text) must not change.
func TestMatchesFromTheWindow(t *testing.T) {
	patterns := []string{`\bfunc\s+\w+\(`, `^func\b`, `\Bfunc`, `\Afunc[a-z]`, `x?func`, `(func|type) \w`, `[xé]func\b`, `\n?func\b`, `.func$`, `func.*end`,
		`\w{3}func`, `(^|;)func`, `é\bfunc`}
	parts := []string{"func", " func f(", "type x", "unction ", "x", "é", "\n", "\t", ";", `\`, `"`, "漢字", "\xff", "end", " plain text that goes on for a while, ", "(", "𝔘", "0"}
	for _, p := range patterns {
		for _, o := range []Options{{}, {Multiline: true}, {IgnoreCase: true}} {
			fast, slow, err := both(p, o)
			if err != nil {
				t.Fatal(err)
			}
			rounds(t, 120, func(r *rand.Rand) {
				var text []byte
				for range r.IntN(60) {
					text = append(text, parts[r.IntN(len(parts))]...)
				}
				agree(t, r, p, o, fast, slow, nil, text)
			})
		}
	}
	for p, headed := range map[string]bool{`\bfunc\s+\w+\(`: true, `\w{3}function`: true, `.func`: false, `.*func`: false, `(func|type) \w`: true, `a+function`: false} {
		m, err := Compile(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (m.lead > 0) != headed {
			t.Errorf("%s: %d elements", p, m.lead)
		}
	}
}
