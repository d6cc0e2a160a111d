package row

import (
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// The functions of this file write what Append would, without reflection, for the rows
// that come in tens of thousands. A name is that of a member with all that stands
// around it: `,"line":`.

// AppendString appends s to dst as a JSON string; bytes that are no UTF-8 become
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		n := plain(s)
		dst = append(dst, s[:n]...)
		if s = s[n:]; s == "" {
			return append(dst, '"')
		}
		if c := s[0]; c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
			s = s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		case r == '\u2028':
			dst = append(dst, `\u2028`...)
		case r == '\u2029':
			dst = append(dst, `\u2029`...)
		default:
			dst = append(dst, s[:size]...)
		}
		s = s[size:]
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// plain returns the length of the stretch s starts with that is ASCII and needs no
// escape.
func plain(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// What is marked above the first mark may be wrong: a borrow came from below.
		quote, backslash := w^'"'*ones, w^'\\'*ones
		if stop := (w | (quote - ones) | (backslash - ones) | (w - ' '*ones)) & highs; stop != 0 {
			i += bits.TrailingZeros64(stop) / 8
			return i
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// appendEscape appends a quote, a backslash or a control character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// Text appends a string, null for nil.
func Text[T ~string](dst []byte, name string, v *T) []byte {
	dst = append(dst, name...)
	if v == nil {
		return append(dst, "null"...)
	}
	return AppendString(dst, string(*v))
}

// Number appends a number, null for nil.
func Number(dst []byte, name string, v *int) []byte {
	dst = append(dst, name...)
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, int64(*v), 10)
}

// Truth appends true or false, null for nil.
func Truth(dst []byte, name string, v *bool) []byte {
	dst = append(dst, name...)
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendBool(dst, *v)
}

// Texts appends an array of strings, null for nil.
func Texts(dst []byte, name string, v []string) []byte {
	dst = append(dst, name...)
	if v == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, s := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// Members appends the members of r, the first one without a comma before it.
func (r *Ref) Members(dst []byte) []byte {
	dst = AppendString(append(dst, `"session_id":`...), r.SessionID)
	dst = Truth(dst, `,"is_subagent":`, &r.IsSubagent)
	dst = AppendString(append(dst, `,"parent_session_id":`...), r.ParentSessionID)
	dst = AppendString(append(dst, `,"transcript":`...), r.Transcript)
	return AppendString(append(dst, `,"path":`...), r.Path)
}
