package section

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"csift/pkg/jsonl"
)

// appendCompact appends valid JSON in its one rendered form: no white space between tokens, the writer's key order, and
// in strings only what must be escaped. So a file that another tool wrote again, with spaces or with \u escapes, renders
// as the original does.
func appendCompact(dst, v []byte) []byte {
	p := jsonl.NewPull(v)
	return compactValue(dst, &p)
}

func compactValue(dst []byte, p *jsonl.Pull) []byte {
	switch p.Kind() {
	case '{':
		p.Object()
		dst = append(dst, '{')
		for n := 0; ; n++ {
			key, ok := p.Key()
			if !ok {
				return append(dst, '}')
			}
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(append(dst, '"'), key), '"', ':')
			dst = compactValue(dst, p)
		}
	case '[':
		p.Array()
		dst = append(dst, '[')
		for n := 0; p.Elem(); n++ {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = compactValue(dst, p)
		}
		return append(dst, ']')
	case '"':
		s, _ := p.Str()
		return append(appendString(append(dst, '"'), s), '"')
	}
	return append(dst, p.Skip()...)
}

// appendString appends the interior of a string with needless escapes resolved.
func appendString(dst, s []byte) []byte {
	if (!jsonl.HasEscape(s) || !bytes.Contains(s, []byte(`\u`)) && !bytes.Contains(s, []byte(`\/`))) && utf8.Valid(s) {
		return append(dst, s...)
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			r, n := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = utf8.AppendRune(dst, utf8.RuneError)
			} else {
				dst = append(dst, s[i:i+n]...)
			}
			i += n
			continue
		}
		if i+1 >= len(s) {
			return append(dst, c)
		}
		switch s[i+1] {
		case '/':
			dst = append(dst, '/')
			i += 2
		case 'u':
			r, n := escapedRune(s[i:])
			dst = appendEscaped(dst, r, s[i:i+n])
			i += n
		default:
			dst = append(dst, s[i], s[i+1])
			i += 2
		}
	}
	return dst
}

// escapedRune reads a \uXXXX escape, or two that make a surrogate pair; a lone surrogate is U+FFFD.
func escapedRune(s []byte) (rune, int) {
	r := hex4(s)
	if r < 0 {
		return utf8.RuneError, min(len(s), 2)
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if d := utf16.DecodeRune(r, hex4(s[6:])); d != utf8.RuneError {
		return d, 12
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range s[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = (c | 0x20) - 'a' + 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// appendEscaped appends a rune as JSON has to write it; written is how it stood.
func appendEscaped(dst []byte, r rune, written []byte) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, '\\', 'n')
	case r == '\t':
		return append(dst, '\\', 't')
	case r == '\r':
		return append(dst, '\\', 'r')
	case r == '\b':
		return append(dst, '\\', 'b')
	case r == '\f':
		return append(dst, '\\', 'f')
	case r < 0x20 || r == 0x7f:
		return append(dst, bytes.ToLower(written)...)
	}
	return utf8.AppendRune(dst, r)
}
