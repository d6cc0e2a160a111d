package jsonl

import (
	"bytes"
	"unicode/utf8"
)

// stringEnd returns the index of the quote that ends the string whose interior starts at b[i], or -1 when there is none
// or the interior is not valid (a raw control character, a bad escape).
func stringEnd(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			return i
		case c == '\\':
			if i = escapeEnd(b, i); i < 0 {
				return -1
			}
		case c < 0x20:
			return -1
		default:
			i++
		}
	}
	return -1
}

// escapeEnd returns the index after the escape whose backslash is b[i], or -1 when it is not a valid one.
func escapeEnd(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	if class[b[i+1]]&afterEscape != 0 {
		return i + 2
	}
	if b[i+1] == 'u' && i+6 <= len(b) &&
		class[b[i+2]]&class[b[i+3]]&class[b[i+4]]&class[b[i+5]]&isHex != 0 {
		return i + 6
	}
	return -1
}

// HasEscape reports whether the raw interior of a string differs from its text by escapes.
func HasEscape(raw []byte) bool { return bytes.IndexByte(raw, '\\') >= 0 }

// Unescape appends to dst the text that the raw interior of a string stands for: escapes decoded, lone surrogates and
// invalid UTF-8 as U+FFFD (one for each surrogate and each bad byte), so the text appended is always valid UTF-8. A bad
// escape, which Pull never lets through, is U+FFFD too.
func Unescape(dst, raw []byte) []byte {
	for len(raw) > 0 {
		switch c := raw[0]; {
		case c == '\\':
			var r rune
			var n int
			r, n = unescapeRune(raw)
			dst = utf8.AppendRune(dst, r)
			raw = raw[n:]
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			raw = raw[1:]
		default:
			r, n := utf8.DecodeRune(raw)
			dst = utf8.AppendRune(dst, r)
			raw = raw[n:]
		}
	}
	return dst
}

// unescapeRune decodes the escape that raw starts with and gives its length (of both halves of a surrogate pair).
func unescapeRune(raw []byte) (rune, int) {
	if len(raw) < 2 {
		return utf8.RuneError, 1
	}
	switch c := raw[1]; c {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case '"', '\\', '/':
		return rune(c), 2
	case 'u':
		r := hex4(raw)
		if r < 0 {
			return utf8.RuneError, 2
		}
		if r < 0xD800 || r > 0xDFFF {
			return r, 6
		}
		if r < 0xDC00 && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			if low := hex4(raw[6:]); low >= 0xDC00 && low <= 0xDFFF {
				return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), 12
			}
		}
		return utf8.RuneError, 6
	}
	return utf8.RuneError, 2
}

// hex4 is the value of \uXXXX at the start of raw, or -1.
func hex4(raw []byte) rune {
	if len(raw) < 6 {
		return -1
	}
	var v rune
	for _, c := range raw[2:6] {
		switch {
		case class[c]&isDigit != 0:
			c -= '0'
		case class[c]&isHex != 0:
			c = (c | 0x20) - 'a' + 10
		default:
			return -1
		}
		v = v<<4 | rune(c)
	}
	return v
}
