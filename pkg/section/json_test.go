package section

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"csift/pkg/jsonl"
)

func TestAppendCompact(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`{}`, `{}`},
		{"{ \"a\" :\t[ 1 , -2.50e+3 ,\r\n true , null ] , \"b\" : { } }", `{"a":[1,-2.50e+3,true,null],"b":{}}`},
		{`{"z":1,"a":2,"z":3}`, `{"z":1,"a":2,"z":3}`},
		{`"a  b"`, `"a  b"`},
		{`"\u0041\u00e9\u4e2d"`, `"Aé中"`},
		{`"\uD83D\uDE00 \ud83d\ude00"`, `"😀 😀"`},
		{`"\ud83d x \ude00 \ud83d\u0041 \ud83d\ud83d\ude00"`, "\"\ufffd x \ufffd \ufffdA \ufffd😀\""},
		{`"a\/b\\/c\\\/d"`, `"a/b\\/c\\/d"`},
		{`"\u0022\u005c\u002f"`, `"\"\\/"`},
		{`"\u000a\u0009\u000d\u0008\u000c"`, `"\n\t\r\b\f"`},
		{`"\n\t\r\b\f"`, `"\n\t\r\b\f"`},
		{`"\u001F\u0000\u001b"`, `"\u001f\u0000\u001b"`},
		{`"\u007f\u0080\u2028"`, "\"\u007f\u0080\u2028\""},
		{`"\\u0041"`, `"\\u0041"`},
		{`"\\"`, `"\\"`},
		{`["\"",{"\"":"\\\""}]`, `["\"",{"\"":"\\\""}]`},
		{"\"a\xffb\"", "\"a\ufffdb\""},
		{`"{ \"a\" : 1 }"`, `"{ \"a\" : 1 }"`},
		{` 7 `, `7`},
	} {
		if got := string(appendCompact([]byte("-"), []byte(tc.in))); got != "-"+tc.want {
			t.Errorf("%s gives %s, want %s", tc.in, got[1:], tc.want)
		}
	}
}

// What is not in the rendered form is noticed wherever it stands, and what only looks like it is left alone.
func TestCompactEverywhere(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`\u0041`, `A`}, {`\/`, `/`}, {"\xff", "\ufffd"}, {"\xe4\xb8", "\ufffd\ufffd"},
		{`\\u0041`, `\\u0041`}, {`\\/`, `\\/`}, {`\n`, `\n`}, {`中`, `中`}, {`]u^/`, `]u^/`}, {" ", " "},
	} {
		for before := range 20 {
			for after := range 20 {
				in := `{"k":"` + strings.Repeat("x", before) + tc.in + strings.Repeat("y", after) + `"}`
				want := `{"k":"` + strings.Repeat("x", before) + tc.want + strings.Repeat("y", after) + `"}`
				if got := string(appendCompact(nil, []byte(in))); got != want {
					t.Fatalf("%q gives %q, want %q", in, got, want)
				}
			}
		}
	}
	for in, want := range map[string]bool{`{"a":"b c\n","d":[1,2]}`: true, `{"a": 1}`: false, `{"a":1 }`: false, ` 1`: false, `1 `: false, `"\u001b"`: false, ``: false} {
		if got := compact([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

// respell writes JSON another way: blanks between tokens, and characters of strings as \u escapes.
func respell(v []byte, every int) []byte {
	var out []byte
	n := 0
	for i := 0; i < len(v); {
		if v[i] != '"' {
			out = append(append(append(out, ' '), v[i]), '\n')
			if c := v[i]; c != '{' && c != '}' && c != '[' && c != ']' && c != ',' && c != ':' {
				// The inside of a number or literal stays in one piece.
				out = append(out[:len(out)-3], c)
			}
			i++
			continue
		}
		end := i + stringLen(v[i:])
		out = append(out, '"')
		for s := v[i+1 : end-1]; len(s) > 0; {
			if s[0] == '\\' {
				k := 2
				if s[1] == 'u' {
					k = escapeLen(s)
				}
				out = append(out, s[:k]...)
				s = s[k:]
				continue
			}
			r, k := utf8.DecodeRune(s)
			if n++; n%every == 0 && r != utf8.RuneError {
				if r >= 0x10000 {
					r -= 0x10000
					out = fmt.Appendf(out, `\u%04X\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
				} else {
					out = fmt.Appendf(out, `\u%04X`, r)
				}
			} else {
				out = append(out, s[:k]...)
			}
			s = s[k:]
		}
		out = append(out, '"')
		i = end
	}
	return out
}

// checkCompact: the same value, written once for all its spellings.
func checkCompact(t *testing.T, v []byte) {
	t.Helper()
	got := appendCompact(nil, v)
	if !json.Valid(got) || !utf8.Valid(got) {
		t.Fatalf("%q gives %q", v, got)
	}
	var a, b any
	if json.Unmarshal(v, &a) == nil && (json.Unmarshal(got, &b) != nil || !reflect.DeepEqual(a, b)) {
		t.Fatalf("%q gives another value, %q", v, got)
	}
	if again := appendCompact(nil, got); !bytes.Equal(again, got) {
		t.Fatalf("%q gives %q, and that %q", v, got, again)
	}
	for every := 1; every < 4; every++ {
		if other := appendCompact(nil, respell(v, every)); !bytes.Equal(other, got) {
			t.Fatalf("%q gives %q, spelled as %q it gives %q", v, got, respell(v, every), other)
		}
	}
}

func FuzzAppendCompact(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x\n\u00e9\/",{"b":null}]}`, `"\ud83d\ude00\ud83d"`, `[-1.5e3,true]`, "\"\xff\\\\\"", `{"":""}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		if !json.Valid(v) {
			return
		}
		p := jsonl.NewPull(v)
		checkCompact(t, p.Skip())
	})
}

func TestBlank(t *testing.T) {
	for s, want := range map[string]bool{
		``: true, ` `: true, `\n\t \r\f`: true, `\u0020\u00a0\u3000`: true, "\u00a0\u2003": true, `\u0085`: true,
		`x`: false, `  x`: false, `\n\nx`: false, `\\`: false, `\"`: false, `\b`: false, `\u0000`: false, "\u00a0x": false, `\u0041`: false, "中": false, "\xff": false, `\ud800`: false, `\/`: false,
	} {
		if got := blank([]byte(s)); got != want {
			t.Errorf("%q is blank: %v", s, got)
		}
	}
}
