package jsonl

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pullValid is the verdict of Pull on a text that holds one value.
func pullValid(b []byte) bool {
	p := NewPull(b)
	p.Skip()
	return !p.Err() && p.Done()
}

// walkValid is the same by stepping into every container.
func walkValid(b []byte) bool {
	p := NewPull(b)
	walkValue(&p)
	return !p.Err() && p.Done()
}

func walkValue(p *Pull) {
	switch p.Kind() {
	case '{':
		if !p.Object() {
			return
		}
		for {
			if _, ok := p.Key(); !ok {
				return
			}
			walkValue(p)
		}
	case '[':
		if !p.Array() {
			return
		}
		for p.Elem() {
			walkValue(p)
		}
	case '"':
		p.Str()
	case 't', 'f':
		p.Bool()
	case '0', '1', '2', '3':
		p.Int()
	default:
		p.Skip()
	}
}

// validity holds texts whose verdict is easy to get wrong.
var validity = []string{
	``, ` `, `{}`, `[]`, ` {} `, `{} {}`, `{}x`, `{`, `}`, `[`, `]`, `{]`, `[}`, `{}}`, `[]]`, `,`, `:`, `"`, `""`,
	`{"a":1}`, `{"a" : 1 , "b":[ 1 , 2 ] }`, `{"a":1,}`, `{,"a":1}`, `{"a":1,,"b":2}`, `{"a"}`, `{"a":}`, `{"a":1 "b":2}`,
	`{"a":1;"b":2}`, `{a:1}`, `{1:2}`, `{"a":{"b":{"c":[]}}}`, `[1,]`, `[,1]`, `[1 2]`, `[1,,2]`, `[[],[[]],{}]`, `[[1,2]`, `{"a":[1}`,
	`[{"a":1]}`, `{"a":1]`, `[1}`,
	`0`, `-0`, `01`, `-`, `-a`, `1.`, `.1`, `1.5`, `1.5e`, `1e5`, `1E+5`, `1e-05`, `1e+`, `00`, `-01`, `+1`, `1e5.5`, `0x1`, `1_0`, `[01]`, `[1.]`,
	`true`, `false`, `null`, `tru`, `truee`, `nul`, `fals`, `True`, `[true,false,null]`, `[nulll]`, `NaN`, `Infinity`, `'a'`,
	`"a`, `"\"`, `"\\"`, `"\\\"`, `"\n"`, `"\x"`, `"\u"`, `"\u12"`, `"\u123"`, `"\u1234"`, `"\u123g"`, `"\uD800"`, `"\uABCd"`, `"\U1234"`,
	"\"\x00\"", "\"\n\"", "\"\t\"", "\"\x1f\"", "\"\x20\"", "\"\x7f\"", "\"\xff\xfe\"", "\"\xc3\"", "\"é\"", "\"\u2028\"", "\xef\xbb\xbf{}", "{}\x00", "\x00{}",
	"\v{}", "\f{}", "\u00a0{}", "{}\r", "\r\n\t {}", "{\"a\"\t:\r1\n}",
	`"` + strings.Repeat("x", 31) + `"`, `"` + strings.Repeat("x", 200) + `\n` + strings.Repeat("y", 200) + `"`,
	`"` + strings.Repeat("x", 200) + "\x01" + strings.Repeat("y", 200) + `"`, `"` + strings.Repeat(`\"`, 100) + `"`, `"` + strings.Repeat(`\\`, 100) + `"`,
	`"` + strings.Repeat(`\\`, 100) + `\"`, `"` + strings.Repeat("x", 63) + `\`, `"` + strings.Repeat("x", 62) + `\u123`, `"` + strings.Repeat("x", 62) + `\u12345"`,
	strings.Repeat("[", 9999) + strings.Repeat("]", 9999), strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
	strings.Repeat(`{"a":[`, 5000) + strings.Repeat("]}", 5000), strings.Repeat(`{"a":[`, 5001) + strings.Repeat("]}", 5001),
	strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat("[", 130) + strings.Repeat("]", 129) + "}",
	strings.Repeat(`[{"a":`, 70) + "1" + strings.Repeat("}]", 70), strings.Repeat("[", 70) + "1,2" + strings.Repeat("]", 70),
}

func TestPullValid(t *testing.T) {
	for _, s := range validity {
		want := json.Valid([]byte(s))
		if got := pullValid([]byte(s)); got != want {
			t.Errorf("Skip over %.80q: valid = %v, want %v", s, got, want)
		}
		if got := walkValid([]byte(s)); got != want {
			t.Errorf("walk over %.80q: valid = %v, want %v", s, got, want)
		}
	}
}

// TestPullAgreesEverywhere changes each byte of a text that holds every token.
func TestPullAgreesEverywhere(t *testing.T) {
	text := `{"type":"user","n":[-1.5e+3,0,12],"t":true,"f":false,"z":null,"s":"a\n\u00e9\\ ` + strings.Repeat("long text ", 12) + `\"","o":{"k":{}}}`
	for i := range len(text) {
		for c := range 256 {
			b := []byte(text)
			b[i] = byte(c)
			want := json.Valid(b)
			if got := pullValid(b); got != want {
				t.Fatalf("byte %d = %#x: Skip says %v, want %v: %q", i, c, got, want, b)
			}
			if got := walkValid(b); got != want {
				t.Fatalf("byte %d = %#x: walk says %v, want %v: %q", i, c, got, want, b)
			}
		}
		if pullValid([]byte(text[:i])) || walkValid([]byte(text[:i])) {
			t.Fatalf("cut at %d is valid", i)
		}
	}
}

func FuzzPull(f *testing.F) {
	for _, s := range validity {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want := json.Valid(b)
		if got := pullValid(b); got != want {
			t.Fatalf("Skip says %v, encoding/json %v: %q", got, want, b)
		}
		if got := walkValid(b); got != want {
			t.Fatalf("walk says %v, encoding/json %v: %q", got, want, b)
		}
		if !want {
			return
		}
		var s string
		p := NewPull(b)
		if raw, ok := p.Str(); ok && json.Unmarshal(b, &s) == nil {
			if got := Unescape(nil, raw); string(got) != s {
				t.Fatalf("text %q, want %q", got, s)
			}
		}
	})
}

func TestPullSteps(t *testing.T) {
	p := NewPull([]byte(` { "a" : "x\ny" , "b":[1, {"c":[]} ,"z"],"d":true,"e":{"f":null},"g":12345678901,"h":1.5 } {"next":1}`))
	var got []string
	if p.Array() {
		t.Fatal("an object is no array")
	}
	if !p.Object() {
		t.Fatal("no object")
	}
	for {
		key, ok := p.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "a":
			raw, ok := p.Str()
			got = append(got, string(raw), yes(ok))
		case "b":
			for n := p.Array(); n && p.Elem(); {
				got = append(got, string(p.Kind()), string(p.Skip()))
			}
		case "d":
			v, ok := p.Bool()
			got = append(got, yes(v), yes(ok))
		case "e":
			raw, ok := p.Str()
			got = append(got, string(raw), yes(ok))
		case "g", "h":
			v, ok := p.Int()
			got = append(got, yes(v == 12345678901), yes(ok))
		}
	}
	want := []string{`x\ny`, "yes", "1", "1", "{", `{"c":[]}`, `"`, `"z"`, "yes", "yes", "", "no", "yes", "yes", "no", "no"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if p.Err() || p.Done() || p.Kind() != '{' {
		t.Fatal("the second value is not seen")
	}
	if raw := p.Skip(); string(raw) != `{"next":1}` || !p.Done() || p.Kind() != 0 || p.Err() {
		t.Fatalf("second value %q", raw)
	}
}

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

// TestPullAfterError: nothing comes after an error, and Pos stays at the value at fault.
func TestPullAfterError(t *testing.T) {
	p := NewPull([]byte(`{"a":1,"b":"x` + "\n" + `"}{"c":1}`))
	p.Object()
	p.Key()
	p.Skip()
	p.Key()
	if raw, ok := p.Str(); ok || raw != nil || !p.Err() || p.Pos() != 11 {
		t.Fatalf("%q %v err %v pos %d", raw, ok, p.Err(), p.Pos())
	}
	_, key := p.Key()
	if key || p.Elem() || p.Object() || p.Array() || p.Kind() != 0 || p.Skip() != nil || p.Done() {
		t.Error("something was read after an error")
	}
}

func TestPullInt(t *testing.T) {
	for s, want := range map[string]bool{"0": true, "-9223372036854775808": true, "9223372036854775807": true, "9223372036854775808": false, "1e3": false, `"1"`: false, "null": false} {
		p := NewPull([]byte(s))
		if v, ok := p.Int(); ok != want || !p.Done() {
			t.Errorf("%s: %d %v", s, v, ok)
		}
	}
}

func TestUnescape(t *testing.T) {
	for raw, want := range map[string]string{
		``: "", `plain`: "plain", `\n\t\r\b\f\"\\\/`: "\n\t\r\b\f\"\\/", `\u00e9\u20ac`: "é€", `\ud83d\ude00!`: "😀!",
		`\ud83d`: "\ufffd", `\ud83dx`: "\ufffdx", `\ude00\ud83d`: "\ufffd\ufffd", `\ud83d\ud83d\ude00`: "\ufffd😀", `\ud83d\n`: "\ufffd\n",
		`\uD83D\u0041`: "\ufffdA", "a\xffb": "a\ufffdb", "\xe2\x82": "\ufffd\ufffd", "\xed\xa0\x80": "\ufffd\ufffd\ufffd", `é\u0000`: "é\x00",
		`\`: "\ufffd", `\x`: "\ufffd", `\u12`: "\ufffd12", `\u12g4`: "\ufffd12g4",
		strings.Repeat("long ", 50) + `\n` + strings.Repeat("é", 50) + "\xff" + strings.Repeat("y", 40): strings.Repeat("long ", 50) + "\n" + strings.Repeat("é", 50) + "\ufffd" + strings.Repeat("y", 40),
	} {
		if got := Unescape([]byte("."), []byte(raw)); string(got) != "."+want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
		if HasEscape([]byte(raw)) != strings.Contains(raw, `\`) {
			t.Errorf("HasEscape(%q)", raw)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add(`a\n\u00e9\ud83d\ude00\ud83d` + "\xff")
	f.Fuzz(func(t *testing.T, raw string) {
		var want string
		if json.Unmarshal([]byte(`"`+raw+`"`), &want) != nil {
			Unescape(nil, []byte(raw))
			return
		}
		if got := Unescape(nil, []byte(raw)); string(got) != want {
			t.Fatalf("%q: %q, want %q", raw, got, want)
		}
	})
}

func TestPullDoesNotAllocate(t *testing.T) {
	line := []byte(`{"a":[{"b":"x\n` + strings.Repeat("text ", 100) + `"}],"c":-12.5,"d":true,"e":1234}`)
	if n := testing.AllocsPerRun(100, func() {
		if !pullValid(line) || !walkValid(line) {
			panic("not valid")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !bytes.HasPrefix(line, []byte("{")) {
		t.Fatal("the input was changed")
	}
}

// Words of eight bytes are looked at whole: no length and no place of a backslash is another than the others.
func TestHasEscapeEverywhere(t *testing.T) {
	for n := range 80 {
		b := bytes.Repeat([]byte("]"), n)
		if HasEscape(b) {
			t.Errorf("%d bytes without one", n)
		}
		for i := range b {
			b[i] = '\\'
			if !HasEscape(b) {
				t.Errorf("none in %q", b)
			}
			b[i] = "[\xdc\x00"[i%3]
		}
		if HasEscape(b) {
			t.Errorf("%q", b)
		}
	}
}
