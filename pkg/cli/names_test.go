package cli

import (
	"os/exec"
	"testing"
)

// A quoted word is one word to the shell and no byte of it moves a terminal's cursor.
func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":              "''",
		"@5d0c1f3e:t-3": "@5d0c1f3e:t-3",
		"a b":           "'a b'",
		"it's":          `'it'\''s'`,
		`a\nb`:          `'a\nb'`,
		"größe":         "'größe'",
		"a\n7b":         `$'a\0127b'`,
		"\x1b[31m'\\é":  `$'\033[31m\'\\é'`,
		"x\u202ey":      `$'x\342\200\256y'`,
		"x\xffy":        `$'x\377y'`,
		"x\ufffdy\t":    "$'x\ufffdy\\011'",
	} {
		if got := Quote(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		bash, err := exec.LookPath("bash")
		if err != nil {
			continue
		}
		if back, err := exec.Command(bash, "-c", "printf %s "+Quote(s)).Output(); err != nil || string(back) != s {
			t.Errorf("%q: the shell reads %q, %v", s, back, err)
		}
	}
}
