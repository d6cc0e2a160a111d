package board

import (
	"bytes"
	"fmt"
)

// Patterns are what Slow searches for: each kind of plan that a fast engine
// may make for a pattern, and each way in which JSON text differs from the
// text that is matched.
var Patterns = []string{
	// words, and how their case is read
	"the", "question", "Question", "ANSWER", "e", "xyzzy-nowhere", "kk", "ſ", "K", "(?-i)the", "(?i)THE",
	// punctuation that JSON escapes or re-serialises
	`"`, `\\`, `/`, `\{`, `\}`, `":`, `\n`, `\t`, `\\n`, `<`, `>`, `&`, `'`, `\x1b`,
	// alternations and repeats
	"first|second|third", "question|frage|pregunta", "(un|re)do", "a(b|c)?d", "colou?r", "(error|warning)s?", "[0-9]{3,}", "(ab)*",
	// classes
	`\d`, `\w+`, `\s`, `\S+@\S+`, `[A-Z]{2,}`, `[^a-z]{5}`, `\p{L}+`, `\p{Han}`, `[[:punct:]]{3}`, `\W\W\W`,
	// places
	"^", "$", "^the", "done$", `\bdo\b`, `\Bing\b`, `(?m)^\s*\d+`,
	// windows and gaps
	"Ask.*question", "error.*timeout", "x.?y", ".", "..........", "a.{3}b", `\w+\(`, `\.go\b`, "file_path.*main",
	// beyond ASCII, and nothing at all
	"é", "请", "…", "→", "\U0001F642", "",
}

// Slow runs every pattern over every home twice, as the simple slow path and
// as the fast one, in rows and in text, and compares the bytes.
func Slow(t Tools, patterns []string, homes ...string) (*Report, error) {
	r := &Report{Name: "slow"}
	slow := t
	slow.Env = append(append([]string{}, t.Env...), "CSIFT_SLOW=1")
	for _, home := range homes {
		for _, p := range patterns {
			for _, format := range []string{"json", "text"} {
				args := []string{"--format", format, "--", p, "@all"}
				want, got := slow.Run(home, "csift-search", args...), t.Run(home, "csift-search", args...)
				same := bytes.Equal(want.Out, got.Out) && bytes.Equal(want.Err, got.Err) && want.Code == got.Code
				r.check(same && want.Code == 0, "%s %q %s: slow %v (%d bytes), fast %v (%d bytes)%s", short(home), p, format, want, len(want.Out), got, len(got.Out), firstDiff(want.Out, got.Out))
			}
		}
	}
	return r, nil
}

// firstDiff shows where two outputs part.
func firstDiff(a, b []byte) string {
	for i := 0; ; i++ {
		if i < len(a) && i < len(b) && a[i] == b[i] {
			continue
		}
		if i == len(a) && i == len(b) {
			return ""
		}
		from := max(0, i-20)
		return fmt.Sprintf(" at byte %d: %q, %q", i, a[from:min(len(a), i+40)], b[from:min(len(b), i+40)])
	}
}
