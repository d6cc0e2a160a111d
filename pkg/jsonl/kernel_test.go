package jsonl

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// naiveStringEnd is stringEnd a byte at a time.
func naiveStringEnd(b []byte, i int) int {
	for i < len(b) {
		switch {
		case b[i] == '"':
			return i
		case b[i] < 0x20:
			return -1
		case b[i] != '\\':
			i++
		default:
			if i = escapeEnd(b, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

func naiveUnescape(dst, raw []byte) []byte {
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		if r == '\\' {
			r, n = unescapeRune(raw)
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[n:]
	}
	return dst
}

// checkString compares the ways to the end of the string that starts at b[0], and to its text.
func checkString(t *testing.T, b []byte) {
	t.Helper()
	want := naiveStringEnd(b, 0)
	if got := plainStringEnd(b, 0); got != want {
		t.Fatalf("plainStringEnd(%q) = %d, want %d", b, got, want)
	}
	// The reader may have looked at some of the string before, from anywhere outside a string.
	for _, before := range []string{``, `[`, `["text",12,`, `["a","\\\"","bc",-0.5e+7,true,   ` + strings.Repeat(`"x\n",`, 9)} {
		p := NewPull(append([]byte(before+`"`), b...))
		if before != "" {
			for p.Array(); p.i < len(before) && p.Elem() && p.i < len(before); {
				p.Skip()
			}
		}
		got := -1
		if raw, ok := p.Str(); ok {
			got = len(raw)
		}
		if got != want {
			t.Fatalf("Str of %q behind %q has %d bytes, want %d", b, before, got, want)
		}
	}
	for _, prefix := range []string{"", "before"} {
		dst := slices.Clip([]byte(prefix))
		if got, want := Unescape(dst, b), naiveUnescape([]byte(prefix), b); string(got) != string(want) {
			t.Fatalf("Unescape(%q) = %q, want %q", b, got, want)
		}
	}
}

// TestStrings goes through runs of backslashes and every escaped byte at every place in a kernel's step.
func TestStrings(t *testing.T) {
	for at := range 140 {
		text := []byte(strings.Repeat("x", at))
		for n := range 8 {
			run := append(slices.Clone(text), strings.Repeat(`\`, n)...)
			for _, rest := range []string{"", `"`, `n"`, `u00e9 and more"`, `ux"`, `""`, "\x1f\"", strings.Repeat("y", 100) + `"`} {
				checkString(t, append(slices.Clone(run), rest...))
			}
		}
		for c := range 256 {
			checkString(t, append(slices.Clone(text), '\\', byte(c), '"'))
			checkString(t, append(append(slices.Clone(text), byte(c)), strings.Repeat("z", 64)+`"`...))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{`"`, `\`, `\\`, `\"`, `\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "plain text", "é", "漢字", "\xff", "\x00", "\x1f", "\x7f", strings.Repeat("long ", 20)}
	for range 20_000 {
		var b []byte
		for range r.IntN(40) {
			n := len(parts)
			if r.IntN(2) == 0 {
				n -= 4 // few bad bytes, so that long strings are often good
			}
			b = append(b, parts[r.IntN(n)]...)
		}
		checkString(t, b)
	}
}

func FuzzString(f *testing.F) {
	f.Add([]byte(strings.Repeat("x", 62)+`\"\\\u00e9"`), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, repeat uint8) {
		checkString(t, b)
		long := slices.Repeat(b, int(repeat%16))
		checkString(t, long)
		checkString(t, append(long, '"'))
	})
}

func TestKey(t *testing.T) {
	tests := []struct {
		line, key, want string
		ok              bool
	}{
		{`{"type":"user","a":1}`, "type", `"user"`, true},
		{`{"type":"user","a":1}`, "a", `1`, true},
		{`{"type":"user","a":1}`, "b", ``, false},
		{` { "type" : "user" } `, "type", `"user"`, true},
		{`{"ty\u0070e":"user"}`, "type", `"user"`, true},
		{`{"type":1,"ty\u0070e":2}`, "type", `2`, true},
		{`{"type":1,"type":{"type":3}}`, "type", `{"type":3}`, true},
		{`{"message":{"type":"x"},"a":["type"]}`, "type", ``, false},
		{`{"a":"\"type\":1"}`, "type", ``, false},
		{`{"type":null}`, "type", `null`, true},
		{`{"":true}`, "", `true`, true},
		{`{"Type":1}`, "type", ``, false},
		{`{"type":1`, "type", ``, false},
		{`{"type":1}x`, "type", ``, false},
		{`["type"]`, "type", ``, false},
		{``, "type", ``, false},
	}
	for _, c := range tests {
		raw, ok := Key([]byte(c.line), c.key)
		if string(raw) != c.want || ok != c.ok {
			t.Errorf("%s in %s: %q %v, want %q %v", c.key, c.line, raw, ok, c.want, c.ok)
		}
	}
}

func FuzzKey(f *testing.F) {
	f.Add(`{"a":{"type":1},"ty\u0070e":[2],"type": 3 }`)
	f.Fuzz(func(t *testing.T, line string) {
		var m map[string]json.RawMessage
		object := json.Unmarshal([]byte(line), &m) == nil && m != nil
		for _, key := range []string{"type", "a"} {
			raw, ok := Key([]byte(line), key)
			want, has := m[key]
			if ok != (object && has) || ok && string(raw) != string(want) {
				t.Fatalf("%s in %q: %q %v, want %q %v", key, line, raw, ok, want, object && has)
			}
		}
	})
}
