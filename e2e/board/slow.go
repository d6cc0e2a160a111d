package board

import (
	"bytes"
	"encoding/json"
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
// as the fast one, in rows and in text, and compares the bytes. What sessions did
// to files, and some of the files, are compared the same way.
func Slow(t Tools, patterns []string, homes ...string) (*Report, error) {
	r := &Report{Name: "slow"}
	slow := t
	slow.Env = append(append([]string{}, t.Env...), "CSIFT_SLOW=1")
	for _, home := range homes {
		twice := func(found bool, tool string, args ...string) {
			for _, format := range []string{"json", "text"} {
				args := append([]string{"--format", format}, args...)
				if tool == "csift-recover" {
					args = append(args[2:], args[:2]...) // the verb comes first
				}
				want, got := slow.Run(home, tool, args...), t.Run(home, tool, args...)
				same := bytes.Equal(want.Out, got.Out) && bytes.Equal(want.Err, got.Err) && want.Code == got.Code
				r.check(same && (want.Code == 0 || !found), "%s %s %q: slow %v (%d bytes), fast %v (%d bytes)%s", short(home), tool, args, want, len(want.Out), got, len(got.Out), firstDiff(want.Out, got.Out))
			}
		}
		for _, p := range patterns {
			twice(true, "csift-search", "--", p, "@all")
		}
		for _, by := range []string{"summary", "timeline"} {
			twice(true, "csift-recover", "files", "@all", "--by", by)
		}
		for _, path := range someFiles(t, home) {
			for _, mode := range []string{"--salvage", "--coverage", "--patches"} {
				twice(true, "csift-recover", "recover", "@all", "--file", path, mode)
			}
			twice(false, "csift-recover", "recover", "@all", "--file", path)
		}
	}
	return r, nil
}

// someFiles gives the first few files that the sessions of a home changed.
func someFiles(t Tools, home string) (paths []string) {
	const most = 4
	seen := map[string]bool{}
	for _, line := range bytes.Split(t.Run(home, "csift-recover", "files", "@all", "--by", "file", "--format", "json").Out, []byte("\n")) {
		var row struct {
			Kind, Path string
			Edit       int
			Write      int
		}
		if json.Unmarshal(line, &row) == nil && row.Kind == "file" && row.Edit+row.Write > 0 && !seen[row.Path] && len(paths) < most {
			seen[row.Path] = true
			paths = append(paths, row.Path)
		}
	}
	return paths
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
