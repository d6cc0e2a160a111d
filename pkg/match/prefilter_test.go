package match

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A text may be made of a record in more ways than by decoding one string.
func TestPrefilterSeesThroughRendering(t *testing.T) {
	for _, c := range []struct{ pattern, text, line string }{
		{`foo bar`, "foo bar", `{"a":"foo\n\t bar"}`},
		{`foo bar`, "foo bar", "{\"a\":\"foo\u00a0bar\"}"},
		{`foo bar`, "foo bar", "{\"a\":\"foo\u3000\u2028bar\"}"},
		{`foo bar`, "foo bar", `{"a":"foo\u00a0bar"}`},
		{`foo\sb`, "foo\nbar", `{"content":["foo","bar"]}`},
		{`foo\sb`, "foo bar", `{"a":"<n>foo</n><m>bar</m>"}`},
		{`Bash \{`, `Bash {"command":"ls"}`, `{"name": "Bash", "input": {"command": "ls"}}`},
		{`"command":"ls`, `Bash {"command":"ls"}`, `{"name": "Bash", "input": {"command" : "ls"}}`},
		{`zq9"\}`, `T {"ab":[112,13],"c":"zq9"}`, `{"input":{"ab":[112 , 13], "c":"zq9"}}`},
		{`98765,`, `T {"ab":[98765,13]}`, `{"input":{"ab":[98765 , 13]}}`},
		{`usr/bin`, "/usr/bin", `{"a":"\/usr\/bin"}`},
		{`usr.bin/ls`, "/usr/bin/ls", `{"a":"\/usr\/bin\/ls"}`},
		{`a <tag>`, "a <tag>", `{"a":"a \u003ctag\u003e"}`},
		{`don't`, "don't", `{"a":"don\u0027t"}`},
		{`timeout`, "timeout", `{"a":"time\u006Fut"}`},
		{`ошибка`, "Ошибка", `{"a":"\u041e\u0448\u0438\u0431\u043a\u0430"}`},
		{`tasks`, "tas\u212as", `{"a":"ta\u017f\u212as"}`},
		{`tasks`, "tas\u212as", "{\"a\":\"taſ\u212as\"}"},
		{`\w+Error`, "éError", "{\"a\":\"éError\"}"},
		{`\w+Error`, "éError", `{"a":"\u00e9Error"}`},
		{`x[a-z😀]!!!`, "x😀!!!", `{"a":"x\ud83d\ude00!!!"}`},
	} {
		m, err := Compile(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !m.Match([]byte(c.text)) {
			t.Errorf("%q does not match %q", c.pattern, c.text)
		}
		if p := m.Prefilter(nil); p != nil && p.Index([]byte(c.line)) < 0 {
			t.Errorf("%q: %v loses %s", c.pattern, p, c.line)
		}
	}
}

// What a line must not be kept for, or the filter filters nothing.
func TestPrefilterRefuses(t *testing.T) {
	for _, c := range []struct{ pattern, line string }{
		{"timeout", `{"a":"timed out, \u001b[0m \u003c \u4e2d \ud83d\ude00 \\u0074imeout"}`},
		{"tasks", `{"a":"ask \u001b[0m tax \u4e2d\u6587"}`},
		{"超时", `{"a":"超市 \u001b[0m \u0041"}`},
		{"Timeout", `{"a":"timeout"}`},
		{`\bfunc\s+\w+\(`, `{"a":"function(x) func(y)"}`},
		{`[A-Z]{3}-\d{4}`, `{"a":"5d0c1f3e-aaaa-4222-8333-444455556666 ABC-123x"}`},
		{"foobar|foobaz|quux", `{"a":"foo bar baz quu"}`},
		{`error.*timeout`, `{"a":"error timed"}`},
		{`\p{Han}{4,}`, `{"a":"plain — é \u001b 超时了"}`},
		{`tests\w`, `{"a":"tests. tests— tests"}`},
	} {
		m, err := Compile(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Prefilter(nil)
		if p == nil {
			t.Errorf("%q: none", c.pattern)
		} else if i := p.Index([]byte(c.line)); i >= 0 {
			t.Errorf("%q: %v stops at %q", c.pattern, p, c.line[i:])
		}
		p = m.Prefilter([]string{"turn_duration", `"kind"`, "y1q", "a1q", "b2q", "c3q", "d4q", "e5q", "f6q"})
		if i := p.Index([]byte(strings.Repeat(c.line, 3) + `{"kind":1}`)); i < 3*len(c.line) {
			t.Errorf("%q: %v stops at %d", c.pattern, p, i)
		}
	}
}

func TestPrefilterExtra(t *testing.T) {
	m, err := Compile("Zanzibar", Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Prefilter([]string{"turn_duration", `"AskUserQuestion"`, "q", "é"})
	for line, want := range map[string]bool{
		`{"subtype":"turn_duration"}`:         true,
		`{"subtype":"tur\u006e_duration"}`:    true,
		`{"name" : "AskUserQuestion"}`:        true,
		`{"a":"Zanzibar"}`:                    true,
		`{"a":"zanzibar"}`:                    false,
		`{"a":"q"}`:                           true,
		`{"a":"é"}`:                           true,
		`{"a":"\u00e9"}`:                      true,
		`{"a":"turnDuration AskUser"}`:        false,
		`{"a":"AskUserQuestion\" Zanziba\""}`: false,
	} {
		if got := p.Index([]byte(line)) >= 0; got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	for _, pattern := range []string{"", "a", "x.?y", "a|b", ".*", `\w+`, "(foo)?", "foo|x?"} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := m.Prefilter([]string{"marker"}); p != nil {
			t.Errorf("%q: %v", pattern, p)
		}
	}
}

func TestPrefilterPlan(t *testing.T) {
	for pattern, want := range map[string]string{
		"Zanzibar":                `pair 'Z' 'z' of "Zanzibar"`,
		"src/main.go":             `pair 'r' 'c' of "[Ssſ][Rr][Cc]/"`,
		"task":                    `triples of "[Tt][Aa][Ssſ][Kk` + "\u212a" + `]"`,
		"assistant":               `triples of "[Aa][Ssſ][Ssſ][Ii][Ssſ][Tt][Aa][Nn][Tt]", weak`,
		"the":                     `triples of "[Tt][Hh][Ee]", weak`,
		"Foobar|Foobaz":           `pair 'F' 'b' of "Fooba[rz]"`,
		"(Get|Set|Del)(Foo|Bar)":  `triples of "GetFoo" "GetBar" "SetFoo" "SetBar" "DelFoo" "DelBar"`,
		"Fail|Fatal|Panic|Pander": `triples of "Fail" "Fatal" "Panic" "Pander"`,
		"Error.*not Found":        `pair 'F' 'u' of "Found"`,
		"Colou?r":                 `triples of "Colour" "Color"`,
		"(Foo)+X":                 `pair 'F' 'X' of "FooX"`,
		"^Foo$":                   `pair 'F' 'o' of "Foo"`,
		"Zz(aa|bb|cc|dd|ee|ff|gg|hh|ii|jj|kk|ll|mm|nn|oo|pp|qq)Quux": `pair 'Q' 'x' of "Quux"`,
	} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Prefilter(nil).String(); got != want {
			t.Errorf("%s: %s", pattern, cmp.Diff(want, got))
		}
	}
}
