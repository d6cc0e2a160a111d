package section

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"csift/pkg/jsonl"
)

// appendCompact appends valid JSON in its one rendered form: no white space between tokens, the writer's key order, and
// in strings only what must be escaped. So a file that another tool wrote again, with spaces or with \u escapes, renders
// as the original does.
func appendCompact(dst, v []byte) []byte {
	if compact(v) {
		return append(dst, v...)
	}
	for i := 0; i < len(v); {
		switch c := v[i]; {
		case c == '"':
			end := i + stringLen(v[i:])
			dst = appendString(dst, v[i:end])
			i = end
		case c <= ' ':
			i++
		default:
			n := i + 1
			for n < len(v) && v[n] > ' ' && v[n] != '"' {
				n++
			}
			dst = append(dst, v[i:n]...)
			i = n
		}
	}
	return dst
}

// compact reports whether v is in that form already, as Claude Code writes it. It may say no where it is.
func compact(v []byte) bool {
	p := jsonl.NewPull(v)
	p.Skip()
	if p.Err() || p.Spaced() || p.Pos() != len(v) {
		return false
	}
	// Escapes that are spelled another way start with \u or \/; without them, only bytes that are not UTF-8 change. All
	// eight places of a word are looked at without a branch, since escapes are many where the text is code.
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	var marks, seen uint64
	i := 0
	for ; i+9 <= len(v); i += 8 {
		w, next := binary.LittleEndian.Uint64(v[i:]), binary.LittleEndian.Uint64(v[i+1:])
		back, u, slash := w^ones*'\\', next^ones*'u', next^ones*'/'
		marks |= (back - ones) &^ back & ((u-ones)&^u | (slash-ones)&^slash)
		seen |= w
	}
	for ; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) && (v[i+1] == 'u' || v[i+1] == '/') {
			return false
		}
		seen |= uint64(v[i])
	}
	return marks&highs == 0 && (seen&highs == 0 || utf8.Valid(v))
}

// stringLen gives the length of the JSON string at the start of v, quotes included.
func stringLen(v []byte) int {
	for i := 1; ; {
		k := bytes.IndexByte(v[i:], '"')
		if k < 0 {
			return len(v)
		}
		back := i + k
		for v[back-1] == '\\' {
			back--
		}
		if i += k + 1; (i-1-back)%2 == 0 {
			return i
		}
	}
}

// appendString appends a quoted string with needless escapes resolved.
func appendString(dst, s []byte) []byte {
	for len(s) > 0 {
		k := bytes.IndexByte(s, '\\')
		if k < 0 {
			k = len(s)
		}
		dst = appendValid(dst, s[:k])
		if s = s[k:]; len(s) < 2 {
			break
		}
		switch s[1] {
		case '/':
			dst = append(dst, '/')
			s = s[2:]
		case 'u':
			n := escapeLen(s)
			dst = appendEscape(dst, s[:n])
			s = s[n:]
		default:
			dst = append(dst, s[0], s[1])
			s = s[2:]
		}
	}
	return dst
}

// appendValid appends text with each bad byte as U+FFFD.
func appendValid(dst, text []byte) []byte {
	if utf8.Valid(text) {
		return append(dst, text...)
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, r)
		text = text[n:]
	}
	return dst
}

// escapeLen gives the length of the \uXXXX that s starts with, of both halves of a surrogate pair.
func escapeLen(s []byte) int {
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' && s[2]|0x20 == 'd' && s[8]|0x20 == 'd' &&
		strings.IndexByte("89abAB", s[3]) >= 0 && strings.IndexByte("cdefCDEF", s[9]) >= 0 {
		return 12
	}
	return min(len(s), 6)
}

// appendEscape appends what an \u escape stands for as JSON has to write it.
func appendEscape(dst, escape []byte) []byte {
	n := len(dst)
	dst = jsonl.Unescape(dst, escape)
	if len(dst)-n != 1 || dst[n] >= 0x20 && dst[n] != '"' && dst[n] != '\\' {
		return dst
	}
	c := dst[n]
	dst = dst[:n]
	if k := strings.IndexByte("\"\\\n\t\r\b\f", c); k >= 0 {
		return append(dst, '\\', `"\ntrbf`[k])
	}
	return append(dst, bytes.ToLower(escape)...)
}
