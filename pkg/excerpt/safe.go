package excerpt

import (
	"fmt"
	"unicode/utf8"
)

// Valid returns s with every byte that is not part of valid UTF-8 made U+FFFD.
func Valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string(appendValid(nil, []byte(s)))
}

func appendValid(dst, s []byte) []byte {
	for len(s) > 0 {
		n := 0
		for n < len(s) {
			r, size := rune(s[n]), 1
			if r >= utf8.RuneSelf {
				if r, size = utf8.DecodeRune(s[n:]); r == utf8.RuneError && size == 1 {
					break
				}
			}
			n += size
		}
		dst = append(dst, s[:n]...)
		if n == len(s) {
			break
		}
		dst = utf8.AppendRune(dst, utf8.RuneError)
		s = s[n+1:]
	}
	return dst
}

// Safe returns s fit for a terminal and for text output: newlines and tabs stay,
// CR before a newline goes, and every other control character (ESC, C0, DEL, C1) and
// bidirectional control becomes a visible stand-in, so that text from a transcript
// cannot move the cursor, recolour the screen or reorder a line. Invalid bytes
// become U+FFFD. It is for text alone: JSON and raw output keep what was said.
func Safe(s string) string { return safe(s, false) }

// SafeLine is Safe for what must stay on one line, such as a path, a title or the
// name of a tool: newlines and tabs become visible too.
func SafeLine(s string) string { return safe(s, true) }

func safe(s string, oneLine bool) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && (oneLine || c != '\n' && c != '\t') || c == 0x7f {
			return string(appendSafe(make([]byte, 0, len(s)+16), []byte(s), oneLine))
		}
	}
	return s
}

// AppendSafe appends Safe(s) to dst.
func AppendSafe(dst, s []byte) []byte { return appendSafe(dst, s, false) }

// AppendSafeLine appends SafeLine(s) to dst.
func AppendSafeLine(dst, s []byte) []byte { return appendSafe(dst, s, true) }

func appendSafe(dst, s []byte, oneLine bool) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if isHidden(r) {
				dst = fmt.Appendf(dst, "<U+%04X>", r)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			i += size
			continue
		}
		i++
		switch {
		case c >= ' ' && c != 0x7f, !oneLine && (c == '\n' || c == '\t'):
			dst = append(dst, c)
		case c == '\r' && !oneLine && i < len(s) && s[i] == '\n':
		case c == 0x7f:
			dst = append(dst, "␡"...)
		default:
			dst = utf8.AppendRune(dst, '␀'+rune(c))
		}
	}
	return dst
}

// isHidden reports whether r is a C1 control or has the Unicode property
// Bidi_Control.
func isHidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
