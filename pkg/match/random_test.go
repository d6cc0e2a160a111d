package match

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Random patterns and texts over small alphabets that meet often, and the ways
// a record may spell a text.

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func randomPattern(r *rand.Rand, depth int) string {
	if depth <= 0 {
		if r.IntN(3) > 0 {
			return pick(r, "a", "b", "ab", "foo", "task", "kiss", "é", "É", "ошибка", "超", "超时", "K", " ", "not found", `\.`, `\n`, `\t`,
				"-", "1", "_", "func", `"`, `\\`, "/", "err", "ly", "\U0001F600", `\x{FFFD}`, `\x41`, "{", "key:", "don't", "nfoo", "\u212a", "ſ")
		}
		return pick(r, ".", `\w`, `\d`, `\s`, "[a-c]", "[^a]", `\W`, "[A-Z]", `\S`, `\D`, "(?s:.)", "[é-超]", `["\n]`, `[[:upper:]]`, `\p{Han}`,
			`\p{Lu}`, `\p{Cyrillic}`, `[^\n]`, `[^\W\d]`, `[\s\d]`, `[,:}]`, `[a-f0-9]`, `[kx]`, "[\U0001F600-\U0001F64F]")
	}
	sub := func() string { return randomPattern(r, depth-1) }
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		return sub() + sub()
	case 4:
		return "(" + sub() + "|" + sub() + ")"
	case 5:
		return sub() + "|" + sub() + "|" + sub()
	case 6:
		return "(?:" + sub() + ")" + pick(r, "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{3,}")
	case 7:
		return pick(r, "^", "$", `\b`, `\B`, "(?m:^)", "(?m:$)", `\A`, `\z`) + sub()
	case 8:
		return sub() + pick(r, "^", "$", `\b`, `\B`, "(?m:^)", "(?m:$)", `\A`, `\z`)
	case 9:
		return pick(r, "(?i:", "(?-i:", "(?s:") + sub() + ")"
	}
	return sub()
}

func randomOptions(r *rand.Rand) Options {
	return Options{IgnoreCase: r.IntN(4) == 0, Fixed: r.IntN(12) == 0, Multiline: r.IntN(6) == 0}
}

var textAlphabet = []string{"a", "b", "c", "A", "ab", "foo", "FOO", "task", "TAſK", "tas\u212a", "Kiss", "kiss", "é", "É", "e\u0301", "ошибка", "ОШИБКА",
	"超", "超时", "K", "k", "\u212a", "ſ", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "not found", "not\n found", ".", "-", "1", "٣", "_", "func", "Func", `"`,
	`\`, `\n`, `\u0041`, "/", "err", "ly", "<b>", "&", "\x00", "\x1b[0m", "\x7f", "\ufffd", "\U0001F600", "{", "}", "key:", "key: ", ",", "don't", "\u2028", "x"}

func randomText(r *rand.Rand, invalid bool) []byte {
	var b []byte
	n := r.IntN(16)
	if r.IntN(4) == 0 {
		n = r.IntN(90)
	}
	for range n {
		if invalid && r.IntN(10) == 0 {
			b = append(b, pick(r, "\xff", "\xe8\xb6", "\xc3", "\x80", "\xed\xa0\x80", "\xf0\x9f")...)
			continue
		}
		b = append(b, textAlphabet[r.IntN(len(textAlphabet))]...)
	}
	return b
}

// spellings gives ways to write a text as the interior of a JSON string. Where
// the text is not UTF-8 it is written as such or as a lone surrogate.
func spellings(r *rand.Rand, text []byte) [][]byte {
	compact := func(html bool) []byte {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		if err := e.Encode(string(text)); err != nil {
			panic(err)
		}
		return b.Bytes()[1 : b.Len()-2]
	}
	var python, mixed, raw []byte
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		bad := c == utf8.RuneError && n == 1
		p := spell(c, false)
		if bad {
			p = `\ud83d`
		}
		python = append(python, p...)
		switch {
		case bad && r.IntN(2) == 0:
			mixed = append(mixed, pick(r, `\ude00`, `\uDC00`)...)
		case !bad && r.IntN(3) == 0:
			mixed = append(mixed, spell(c, r.IntN(2) == 0)...)
		case c == '/' && r.IntN(2) == 0:
			mixed = append(mixed, `\/`...)
		default:
			mixed = append(mixed, plain(text[i:i+n])...)
		}
		raw = append(raw, plain(text[i:i+n])...)
		i += n
	}
	return [][]byte{compact(false), compact(true), python, mixed, raw}
}

func plain(c []byte) []byte {
	switch {
	case len(c) > 1 || c[0] >= 0x80:
		return c
	case c[0] < ' ' || c[0] == '"' || c[0] == '\\':
		b, _ := json.Marshal(string(c))
		return b[1 : len(b)-1]
	}
	return c
}

// spell writes a character as Python's ensure_ascii would or, for all, as
// \uXXXX.
func spell(c rune, all bool) string {
	if !all && c < 0x7f {
		return string(plain([]byte{byte(c)}))
	}
	if hi, lo := utf16.EncodeRune(c); hi != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04X`, hi, lo)
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// fold does what a rendering may do to the whitespace of a text.
func fold(text []byte) []byte { return []byte(strings.Join(strings.Fields(string(text)), " ")) }
