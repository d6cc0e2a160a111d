package section

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
)

// madeWords are the words of Made as patterns over one run of text.
var madeWords = func() (out []madeWord) {
	for i := range made {
		for _, w := range made[i].Words {
			p := regexp.QuoteMeta(w)
			p = strings.NewReplacer(`\*`, `.*`, "#", `\d+`, "%", `[0-9A-Fa-f]`).Replace(p)
			out = append(out, madeWord{w, made[i].Marks, regexp.MustCompile("^(?:" + p + ")$")})
		}
	}
	return out
}()

type madeWord struct {
	word  string
	marks []string
	re    *regexp.Regexp
}

// runs splits a text at blanks and JSON punctuation, which a prefilter looks past.
func runs(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`{}[],:"\/`, r) })
}

// unmade gives the runs of a record's texts that stand neither in its line, as whole runs, nor among the words that csift
// makes of such lines; used notes the words that were needed.
func unmade(line string, secs []Section, used map[string]bool) (bad []string) {
	plain := string(jsonl.Unescape(nil, []byte(line)))
	there := map[string]bool{}
	for _, spelled := range []string{line, plain} {
		for _, run := range runs(spelled) {
			there[run] = true
			for _, between := range strings.FieldsFunc(run, func(r rune) bool { return r == '<' || r == '>' }) {
				there[between] = true // tags are looked past as well
			}
		}
	}
	for i := range secs {
		for _, run := range runs(string(secs[i].Append(nil))) {
			if there[run] || strings.ContainsRune(run, '\ufffd') {
				continue
			}
			ok := false
			for _, w := range madeWords {
				if w.re.MatchString(run) && slices.ContainsFunc(w.marks, func(m string) bool { return strings.Contains(line, m) || strings.Contains(plain, m) }) {
					used[w.word], ok = true, true
				}
			}
			if !ok {
				bad = append(bad, run)
			}
		}
	}
	return bad
}

func TestMadeWords(t *testing.T) {
	used := map[string]bool{}
	var b Builder
	for _, tc := range specimens {
		if bad := unmade(tc.line, b.Sections(decode(t, tc.line), nil), used); len(bad) > 0 {
			t.Errorf("%s: %q stand neither in the line nor among the made words: %s", tc.name, bad, tc.line)
		}
	}
	sampleRecords(t, func(path string, n int, line []byte, r *record.Record) {
		if bad := unmade(string(line), b.Sections(r, nil), used); len(bad) > 0 {
			t.Errorf("%s:%d: %q stand neither in the line nor among the made words", path, n, bad)
		}
	})
	// Some stand in the line for other reasons, and one is part of others.
	rest := []string{"uuids", "allUuids", "workflow", "question", "questions", "response"}
	rest = slices.Concat(rest, spelled(), assigned(headKeys...), assigned(durationKeys...))
	for _, w := range madeWords {
		if !used[w.word] && !slices.Contains(rest, w.word) {
			t.Errorf("no text needs the made word %q", w.word)
		}
	}
}

func everything(label.Leaf) bool { return true }

func TestMarks(t *testing.T) {
	some := func(string) bool { return true }
	for _, m := range Marks(some, func(label.Leaf) bool { return false }) {
		if slices.Contains([]string{"turn_duration", "api_error", `"mode"`}, m) {
			t.Errorf("%s is looked for though nobody reads its lines", m)
		}
	}
	if got := Marks(some, func(l label.Leaf) bool { return l == label.HarnessTurnDuration }); !slices.Contains(got, "turn_duration") || slices.Contains(got, "api_error") {
		t.Errorf("%q", got)
	}
	if got := Marks(func(string) bool { return false }, everything); got != nil {
		t.Errorf("a pattern that touches no word needs %q", got)
	}
	all := Marks(func(string) bool { return true }, everything)
	for i := range made {
		for _, m := range made[i].Marks {
			if !slices.Contains(all, m) {
				t.Errorf("no mark %q", m)
			}
		}
	}
	if got := Marks(func(w string) bool { return w == "reconciliation" }, everything); !slices.Equal(got, []string{"task-notification"}) {
		t.Errorf("%q", got)
	}
}
