package excerpt

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestIsSpace(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if isSpace(r) != unicode.IsSpace(r) {
			t.Errorf("isSpace(%U) = %v", r, isSpace(r))
		}
		if isHidden(r) != (unicode.Is(unicode.Bidi_Control, r) || r >= 0x80 && r <= 0x9f) {
			t.Errorf("isHidden(%U) = %v", r, isHidden(r))
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" ", ""},
		{"a", "a"},
		{"a b", "a b"},
		{"a  b", "a b"},
		{" a b ", "a b"},
		{"a\r\n\tb\u00a0\u3000c\n", "a b c"},
		{"\u2028é\u0085ü\v", "é ü"},
		{"a\u200bb", "a\u200bb"}, // a zero-width space is no White_Space
		{"a\xffb", "a\ufffdb"},
		{"好\n好", "好 好"},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
		if got := string(AppendFold([]byte("x"), []byte(c.in))); got != "x"+c.want {
			t.Errorf("AppendFold(x, %q) = %q", c.in, got)
		}
	}
}

func TestAt(t *testing.T) {
	abc := "abcdefghijklmnopqrstuvwxyz"
	at := func(s string) int { return strings.Index(abc, s) }
	for _, c := range []struct {
		name               string
		text               string
		budget, start, end int
		want               string
		left               int
	}{
		{"short", "abc", 10, 0, 1, "abc", 0},
		{"exactly the budget", "abc", 3, 0, 1, "abc", 0},
		{"budget counts code points", "éüö", 3, 0, 0, "éüö", 0},
		{"no budget", abc, 0, 3, 4, abc, 0},
		{"no match: the head", abc, 10, -1, -1, "abcdefghij… (+16 chars)", 16},
		{"empty match at the front", abc, 10, 0, 0, "abcdefghij… (+16 chars)", 16},
		{"match near the front", abc, 10, at("c"), at("d"), "abcdefghij… (+16 chars)", 16},
		{"match in the middle", abc, 10, at("m"), at("o"), "…ijklmnopqr… (+16 chars)", 16},
		{"match near the end", abc, 10, at("y"), at("z"), "…qrstuvwxyz… (+16 chars)", 16},
		{"match longer than the budget", abc, 4, at("g"), at("r"), "…ghij… (+22 chars)", 22},
		{"match as long as the budget", abc, 4, at("g"), at("k"), "…ghij… (+22 chars)", 22},
		{"wide characters", "ééééXéééé", 3, 8, 9, "…éXé… (+6 chars)", 6},
		{"a span inside characters", "ééééé", 1, 5, 7, "…é… (+4 chars)", 4},
		{"a span out of the text", "abcdef", 2, 90, 99, "…ef… (+4 chars)", 4},
		{"a reversed span", "abcdef", 2, 3, 1, "…cd… (+4 chars)", 4},
		{"invalid bytes", "ab\xff\xffcd", 4, -1, -1, "ab\ufffd\ufffd… (+2 chars)", 2},
	} {
		got := At(c.text, c.budget, c.start, c.end)
		if got.Text != c.want || got.Left != c.left {
			t.Errorf("%s: At = %q, %d; want %q, %d", c.name, got.Text, got.Left, c.want, c.left)
		}
		if got := Match(c.text, c.budget, c.start, c.end); got.Text != c.want || got.Left != c.left {
			t.Errorf("%s: Match = %q, %d; want %q, %d", c.name, got.Text, got.Left, c.want, c.left)
		}
	}
}

func TestMatch(t *testing.T) {
	text := "  one\n\ttwo   three four\r\nfive six  "
	at := func(s string) int { return strings.Index(text, s) }
	for _, c := range []struct {
		budget, start, end int
		want               string
		left               int
	}{
		{100, -1, -1, "one two three four five six", 0},
		{27, -1, -1, "one two three four five six", 0},
		{0, 3, 4, "one two three four five six", 0},
		{9, -1, -1, "one two t… (+18 chars)", 18},
		{9, at("three"), at(" four"), "…o three f… (+18 chars)", 18},
		{9, at("six"), len(text), "… five six… (+18 chars)", 18},
		{9, 0, 1, "one two t… (+18 chars)", 18},
		// A match made of whitespace: the first stands in one run, the second in none.
		{5, at("   th"), at("three"), "…wo th… (+22 chars)", 22},
		{1, at("  th"), at("three"), "…t… (+26 chars)", 26},
		{5, len(text) - 1, len(text), "…e six… (+22 chars)", 22},
	} {
		if got := Match(text, c.budget, c.start, c.end); got.Text != c.want || got.Left != c.left {
			t.Errorf("Match(%d, %d, %d) = %q, %d; want %q, %d", c.budget, c.start, c.end, got.Text, got.Left, c.want, c.left)
		}
	}
}

// The window's front is counted eight bytes at a time where it can be: whatever stands among them, it is that of the folded text.
func TestFrontOfTheWindow(t *testing.T) {
	for _, between := range []string{"b", " ", "  ", "\n\n", " \n ", "\u00a0", "\u00a0 ", " \u00a0", "\u3000 ", "é", "é ", "\x00\x01", "\xff ", "\xa0 "} {
		for n := range 26 {
			text := strings.Repeat("a", 40-n) + between + strings.Repeat("c", n) + " match " + strings.Repeat("d", 60)
			at := strings.Index(text, "match")
			for budget := 6; budget < 60; budget++ {
				front := utf8.RuneCountInString(plainFold(text[:at] + "m"))
				want, left := plainCut([]rune(plainFold(text)), budget, front-1, front+4)
				if got := Match(text, budget, at, at+5); got.Text != want || got.Left != left {
					t.Fatalf("Match(%q, %d) = %q, %d; want %q, %d", text, budget, got.Text, got.Left, want, left)
				}
			}
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	long := bytes.Repeat([]byte("word  "), 100)
	out, left := AppendMatch([]byte("row: "), long, 10, 300, 304)
	if !strings.HasPrefix(string(out), "row: …") || left != 489 {
		t.Errorf("AppendMatch = %q, %d", out, left)
	}
	out, left = AppendAt([]byte("row: "), long, 10, -1, -1)
	if string(out) != "row: word  word… (+590 chars)" || left != 590 {
		t.Errorf("AppendAt = %q, %d", out, left)
	}
}

func TestSafe(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"plain", "plain", "plain"},
		{"好 é", "好 é", "好 é"},
		{"\x1b[31mred\x1b[0m", "␛[31mred␛[0m", "␛[31mred␛[0m"},
		{"a\nb\tc", "a\nb\tc", "a␊b␉c"},
		{"a\r\nb", "a\nb", "a␍␊b"},
		{"over\rwrite\b", "over␍write␈", "over␍write␈"},
		{"\x00\x07\x7f", "␀␇␡", "␀␇␡"},
		{"\u009b2J\u0085", "<U+009B>2J<U+0085>", "<U+009B>2J<U+0085>"},
		{"a\u202eb\u2066c\u200fd\u061c", "a<U+202E>b<U+2066>c<U+200F>d<U+061C>", "a<U+202E>b<U+2066>c<U+200F>d<U+061C>"},
		{"\xff\x9b", "\ufffd\ufffd", "\ufffd\ufffd"},
		{"👩\u200d💻", "👩\u200d💻", "👩\u200d💻"},
	} {
		if got := Safe(c.in); got != c.text {
			t.Errorf("Safe(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := SafeLine(c.in); got != c.line {
			t.Errorf("SafeLine(%q) = %q, want %q", c.in, got, c.line)
		}
		if got := string(AppendSafe(nil, []byte(c.in))); got != c.text {
			t.Errorf("AppendSafe(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := string(AppendSafeLine(nil, []byte(c.in))); got != c.line {
			t.Errorf("AppendSafeLine(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestValid(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"a好", "a好"}, {"a\xffb", "a\ufffdb"}, {"\xe5\xa5", "\ufffd\ufffd"}, {"\ufffd", "\ufffd"},
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
	} {
		if got := Valid(c.in); got != c.want {
			t.Errorf("Valid(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// plainFold is Fold in one obvious line, to hold the fast one against.
func plainFold(s string) string {
	return strings.Join(strings.FieldsFunc(Valid(s), unicode.IsSpace), " ")
}

// plainCut is the excerpt rule on runes.
func plainCut(text []rune, budget, start, end int) (string, int) {
	if budget <= 0 || len(text) <= budget {
		return string(text), 0
	}
	first := start
	if end-start < budget {
		first -= (budget - (end - start)) / 2
	}
	first = max(0, min(first, len(text)-budget))
	out := string(text[first : first+budget])
	if first > 0 {
		out = "…" + out
	}
	left := len(text) - budget
	return out + "… (+" + strconv.Itoa(left) + " chars)", left
}

func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("  one\n\ttwo   three\u00a0four\r\n"), 5, 3, 9)
	f.Add([]byte("好\xff好 \u2028\u3000 é      a"), 2, 4, 5)
	f.Add(bytes.Repeat([]byte("wide  spaces\n"), 9), 20, 50, 60)
	f.Fuzz(func(t *testing.T, text []byte, budget, start, end int) {
		budget %= 2 * (len(text) + 1)
		fold := plainFold(string(text))
		if got := string(AppendFold(nil, text)); got != fold || Fold(string(text)) != fold {
			t.Fatalf("AppendFold(%q) = %q, Fold = %q, want %q", text, got, Fold(string(text)), fold)
		}
		runes := []rune(fold)

		a, b := 0, 0
		if start >= 0 {
			a, b = span(text, start, end)
		}
		// A folded code point belongs to the front when its source starts there.
		points := func(at int) int {
			head := plainFold(string(text[:at]))
			n := utf8.RuneCountInString(head)
			if r, _ := utf8.DecodeLastRune(text[:at]); n > 0 && unicode.IsSpace(r) {
				n++
			}
			return min(n, len(runes))
		}
		want, left := plainCut(runes, budget, points(a), points(b))
		if start < 0 {
			want, left = plainCut(runes, budget, 0, 0)
		}
		got, gotLeft := AppendMatch(nil, text, budget, start, end)
		if string(got) != want || gotLeft != left {
			t.Fatalf("AppendMatch(%q, %d, %d, %d) = %q, %d; want %q, %d", text, budget, start, end, got, gotLeft, want, left)
		}

		at := func(n int) int { return len(string(runes[:n])) }
		if start >= 0 {
			cut := At(fold, budget, at(points(a)), at(points(b)))
			if cut.Text != want || cut.Left != left {
				t.Fatalf("At(%q, %d, %d, %d) = %+v; want %q, %d", fold, budget, at(points(a)), at(points(b)), cut, want, left)
			}
		}
		cut := At(fold, budget, start, end)
		if !utf8.ValidString(cut.Text) || !utf8.Valid(got) {
			t.Fatalf("invalid UTF-8: %q, %q", cut.Text, got)
		}
		shown := utf8.RuneCountInString(cut.Text)
		if cut.Left > 0 {
			shown -= utf8.RuneCountInString("… (+ chars)" + strconv.Itoa(cut.Left))
			if shown > budget+1 {
				t.Fatalf("At(%q, %d) shows %d code points: %q", fold, budget, shown, cut.Text)
			}
		}
		if cut.Left != left {
			t.Fatalf("At(%q, %d).Left = %d, want %d", fold, budget, cut.Left, left)
		}
		if s := Safe(string(text)); !utf8.ValidString(s) || strings.ContainsAny(s, "\x1b\u009b\u202e\r") {
			t.Fatalf("Safe(%q) = %q", text, s)
		}
		if s := SafeLine(string(text)); strings.ContainsAny(s, "\n\t") {
			t.Fatalf("SafeLine(%q) = %q", text, s)
		}
	})
}

func BenchmarkAppendMatch(b *testing.B) {
	text := bytes.Repeat([]byte("why does the carry exist?\n  It is the partial line. "), 60)
	dst := make([]byte, 0, 1024)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = AppendMatch(dst[:0], text, 400, 1500, 1505)
	}
}
