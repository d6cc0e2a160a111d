package match

import "testing"

func TestTouches(t *testing.T) {
	for _, tt := range []struct {
		pattern, word string
		want          bool
	}{
		{"background", "background-command", true},
		{"background-command b12", "background-command", true},
		{"Background", "background-command", false},
		{"BACKGROUND", "background-command", false},
		{"(?i)BACKGROUND", "background-command", true},
		{"xbackground", "background-command", false},
		{"commands", "background-command", false},
		{"error", "background-command", false},
		{"ask", "task", true},
		{"preTokens=100", "preTokens=*", true},
		{"kens=1", "preTokens=*", true},
		{"preTokens", "preTokens=*", true},
		{"postTokens", "preTokens=*", false},
		{"=100", "preTokens=*", true},
		{"!ls", "!*", true},
		{"a!ls", "!*", false},
		{"A1: Variable", "A#", false}, // found by its second word
		{"A1: V", "A#", true},
		{"A12", "A#", true},
		{"An", "A#", false},
		{`[A-Z]{3}-\d{4}`, "#", false},
		{"2026", "#", true},
		{`\(State`, "(*", true},
		{`State\)`, "*)", true},
		{`State\)x`, "*)", false},
		{"error.*timeout", "completed", false},
		{"error|completed", "completed", true},
		{"8c2e42d0 ", "%%%%%%%%", true},
		{"8C2E42D0[^-]", "%%%%%%%%", true},
		{"anchor 8c2e42d0", "%%%%%%%%", true},
		{"8c2e42d0-", "%%%%%%%%", false},
		{"8c2e42dx", "%%%%%%%%", false},
		{"decade", "%%%%%%%%", true},
		{"abcdefabcd", "%%%%%%%%", false},
		{"=8c2e", "segment=%%%%%%%%..%%%%%%%%", true},
		{"d0[.][.]f1", "segment=%%%%%%%%..%%%%%%%%", true},
		{"·", "·", true},
		{"é", "·", false},
		{"ZZ[q·]XY", "*ZZ·XY*", true},
		{".", "completed", true},
		{"", "completed", true},
	} {
		m, err := Compile(tt.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Touches(tt.word); got != tt.want {
			t.Errorf("%q touches %q: %v (windows %v)", tt.pattern, tt.word, got, m.windows)
		}
	}
}

// Compact JSON writes \u000a as \n, so an n of the pattern may stand in no line.
func TestRespelt(t *testing.T) {
	for _, tt := range []struct {
		pattern, line string
		want          bool
	}{
		{`a\\nansw`, `{"x":"a\u000aanswer"}`, true},
		{`a\\tansw`, `{"x":"a\u0009answer"}`, true},
		{"answ", `{"x":"a\u000aanswer"}`, true},
		{"u001b", `{"x":"\u001B"}`, true},
		{"u001b", `{"x":"\u001b"}`, true},
		{"xyz", `{"x":"\u000a\u001b"}`, false},
		{"nothing", `{"x":"\u0009"}`, true},
		{"other", `{"x":"\u000a"}`, false},
	} {
		m, err := Compile(tt.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Prefilter(nil).Index([]byte(tt.line)) >= 0; got != tt.want {
			t.Errorf("%q in %s: %v, want %v (%v)", tt.pattern, tt.line, got, tt.want, m.windows)
		}
	}
}
