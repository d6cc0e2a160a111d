package match

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unescape appends the text that raw, the interior of a JSON string, spells.
// What encoding/json would replace by U+FFFD becomes U+FFFD.
func unescape(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\\':
			r, n := escape(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		}
	}
	return dst
}

// short maps the letter of a two-byte escape to what it spells, 0 if it is
// none.
var short = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape decodes the escape at the start of b, which begins with a backslash,
// and gives the bytes it takes: two escapes for a surrogate pair. A malformed
// escape, which JSON forbids, spells its characters.
func escape(b []byte) (r rune, n int) {
	if len(b) < 2 {
		return '\\', 1
	}
	if c := short[b[1]]; c != 0 {
		return rune(c), 2
	}
	if b[1] != 'u' {
		return '\\', 1
	}
	r = hex4(b)
	if r < 0 {
		return '\\', 1
	}
	if utf16.IsSurrogate(r) {
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(b[6:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// hex4 gives the code unit of a \uXXXX at the start of b, or -1.
func hex4(b []byte) rune {
	if len(b) < 6 {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
