package match

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestSmartCase(t *testing.T) {
	for _, c := range []struct {
		pattern string
		o       Options
		text    string
		want    bool
	}{
		{"foo", Options{}, "a FOO b", true},
		{"Foo", Options{}, "a foo b", false},
		{"Foo", Options{}, "a Foo b", true},
		{"Foo", Options{IgnoreCase: true}, "a fOO b", true},
		{"foo[A-Z]", Options{}, "fooa", false},
		{"foo[A-Z]", Options{IgnoreCase: true}, "fooa", true},
		{"foo[^A]", Options{}, "FOOb", false},
		{`\x45x`, Options{}, "ex", false},
		{`\x45x`, Options{}, "Ex", true},
		{`\x{45}x`, Options{}, "ex", false},
		{`\u0045x`, Options{}, "ex", false},
		{`\105x`, Options{}, "ex", false},
		{`\x65x`, Options{}, "EX", true},
		{`\Sfoo`, Options{}, "xFOO", true},
		{`\Wfoo\B`, Options{}, " FOOx", true},
		{`\Dfoo`, Options{}, "xFOO", true},
		{`[\S\W\D]foo`, Options{}, "xFOO", true},
		{`\p{Lu}x`, Options{}, "ax", true},
		{`(?-i)\p{Lu}x`, Options{}, "ax", false},
		{`(?-i:foo)`, Options{}, "FOO", false},
		{`(?P<Name>foo)`, Options{}, "FOO", true},
		{`(?<Name>foo)`, Options{}, "FOO", true},
		{`[[:upper:]]x`, Options{}, "ax", true},
		{`\QFoo.\Ebar`, Options{}, "foo.bar", false},
		{`\Qfoo.\Ebar`, Options{}, "FOO.BAR", true},
		{`\Qfoo.\Ebar`, Options{}, "FOOxBAR", false},
		{"Éa", Options{}, "éa", false},
		{"éa", Options{}, "Éa", true},
		{"a.b", Options{Fixed: true}, "A.B", true},
		{"a.b", Options{Fixed: true}, "axb", false},
		{"A.b", Options{Fixed: true}, "a.b", false},
		{"A.b", Options{Fixed: true, IgnoreCase: true}, "a.B", true},
		{`\d`, Options{Fixed: true}, `1`, false},
		{`\d`, Options{Fixed: true}, `x\D`, true},
		{"a\xffb", Options{Fixed: true}, "a\ufffdb", true},
		{"a.b", Options{}, "a\nb", false},
		{"a.b", Options{Multiline: true}, "a\nb", true},
		{"^b$", Options{}, "a\nb", false},
		{"^b$", Options{Multiline: true}, "a\nb\nc", true},
		{"a$", Options{}, "a\n", false},
		{`[]x]`, Options{}, "]", true},
		{`[^]x]`, Options{}, "]", false},
		{`[[:alpha:]&]x`, Options{}, "&x", true},
		{"[\\w-]", Options{}, "-", true},
	} {
		for _, slow := range []bool{false, true} {
			c.o.Slow = slow
			m, err := Compile(c.pattern, c.o)
			if err != nil {
				t.Errorf("%q: %v", c.pattern, err)
				continue
			}
			if got := m.Match([]byte(c.text)); got != c.want {
				t.Errorf("%q %+v on %q: got %v", c.pattern, c.o, c.text, got)
			}
		}
	}
}

func TestUnicodeClasses(t *testing.T) {
	for _, c := range []struct {
		pattern, yes, no string
	}{
		{`\d`, "7٣३", "aé超 ²"},
		{`\D`, "aé超 ²", "7٣३"},
		{`\w`, "aZ_9éß超слово٣ⓐ\u200d\u0301", " -€…—\u00a0"},
		{`\W`, "€…—\u00a0 -", "aZ_9éß超٣ⓐ"},
		{`\s`, " \t\n\v\f\r\u0085\u00a0\u2003\u3000", "a\u200b\u200d超"},
		{`\S`, "a\u200b超", " \t\n\v\f\r\u0085\u00a0\u2003\u3000"},
		{`[\d]`, "7٣", "aé"},
		{`[^\d]`, "aé", "7٣"},
		{`[\D]`, "aé", "7٣"},
		{`[^\D]`, "7٣", "aé"},
		{`[\W]`, "€ -", "aé超"},
		{`[^\W]`, "aé超", "€ -"},
		{`[^\W\d]`, "aé超", "€ -7٣"},
		{`[^\S]`, " \u00a0", "aé"},
		{`[\S\n]`, "aé\n", " \u00a0"},
		{`[^\s-]`, "aé", " -\u00a0"},
	} {
		m, err := Compile("^"+c.pattern+"$", Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range c.yes {
			if !m.Match([]byte(string(r))) {
				t.Errorf("%s: %q (%U) does not match", c.pattern, r, r)
			}
		}
		for _, r := range c.no {
			if m.Match([]byte(string(r))) {
				t.Errorf("%s: %q (%U) matches", c.pattern, r, r)
			}
		}
	}
}

func TestSpaceSet(t *testing.T) {
	m, err := Compile(`^\s$`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := Compile(`^[^\S]$`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s := []byte(string(r))
		if want := unicode.Is(unicode.White_Space, r); m.Match(s) != want || n.Match(s) != want {
			t.Fatalf("%U: \\s %v, [^\\S] %v", r, m.Match(s), n.Match(s))
		}
	}
}

// The pattern spelling of \w, its ranges and isWord are one set.
func TestWordSet(t *testing.T) {
	m, err := Compile(`^[^\W]$`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := Compile(`^\w$`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := map[rune]bool{}
	for _, r := range wordRanges() {
		for c := r[0]; c <= r[1]; c++ {
			in[c] = true
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		s := []byte(string(r))
		if w := isWord(r); w != in[r] || r != unicode.ReplacementChar && string(s) == string(r) && r < 0xd800 && (m.Match(s) != w || n.Match(s) != w) {
			t.Fatalf("%U: isWord %v, range %v, [^\\W] %v, \\w %v", r, w, in[r], m.Match(s), n.Match(s))
		}
	}
}

func TestErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"a(?=b)":                               "look-ahead",
		"a(?!b)":                               "negative look-ahead",
		"(?<=a)b":                              "look-behind",
		"(?<!a)b":                              "negative look-behind",
		"(?>a)":                                "atomic group",
		`(a)\1`:                                "backreference `\\1`",
		`(?P<n>a)(?P=n)`:                       "backreference",
		`(?<n>a)\k<n>`:                         "backreference",
		"a++":                                  "possessive",
		"a?+":                                  "possessive",
		"a{2,3}+":                              "possessive",
		"(?x) a b":                             "flag `x`",
		"(?ix: a b)":                           "flag `x`",
		"[a-z&&[^x]]":                          "class set operation `&&`",
		"[a-z--b]":                             "class set operation `--`",
		"[a~~b]":                               "class set operation `~~`",
		"(":                                    "missing closing )",
		"[a":                                   "missing closing ]: `[a`",
		"a)":                                   "unexpected )",
		"*a":                                   "missing argument to repetition operator: `*`",
		`a\`:                                   "trailing backslash",
		`\w[b`:                                 "missing closing ]: `[b`",
		`\y`:                                   "invalid escape sequence: `\\y`",
		`\p{Klingon}`:                          "invalid character class range: `\\p{Klingon}`",
		"a{2000}":                              "invalid repeat count",
		"(?:abcdefghijklmnopqrstuvwxyz){1000}": "the pattern takes 26",
		"a\xff":                                "invalid UTF-8",
		"\\u12":                                "invalid escape sequence",
	} {
		for _, slow := range []bool{false, true} {
			_, err := Compile(pattern, Options{Slow: slow})
			if err == nil {
				t.Errorf("%q compiles", pattern)
			} else if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "pattern `") {
				t.Errorf("%q: %q does not say %q", pattern, err, want)
			}
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"a", `\w[\W\d]`, `(?i)\Qa.b`, `[[:alpha:]-\]]`, `\x{41}`, `\p`, `\x`, `(?`, "[^", `\u0041`, `(?P<`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Compile(s, Options{Slow: true}) // must not panic
		m, err := Compile(s, Options{Slow: true, Fixed: true})
		if err == nil && !m.Match([]byte(validUTF8(s))) {
			t.Fatalf("literal %q does not match itself", s)
		}
	})
}

func TestUnescape(t *testing.T) {
	for _, s := range []string{
		``, `a`, `\n\t\r\b\f\"\\\/`, `\u0041\u00e9\u8d85`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83dx`, `\ud83d\n`,
		`\ud83d\ud83d\ude00`, `\ud83d\u0041`, "é\xff\xe8\xb6x", `\u0000\u001b`, `\\u0041`, `\uD83D\uDE00`,
	} {
		var want string
		if err := json.Unmarshal([]byte(`"`+s+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(unescape(nil, []byte(s))); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add([]byte(`\ud83d\ude00\n`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := unescape(nil, b)
		var want string
		if json.Unmarshal([]byte(`"`+string(b)+`"`), &want) == nil && string(got) != want {
			t.Fatalf("%q: %q, want %q", b, got, want)
		}
	})
}
