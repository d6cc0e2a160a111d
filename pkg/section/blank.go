package section

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// blank reports whether the decoded text is nothing but white space, which most texts deny with their first byte.
func blank(s record.Str) bool {
	for len(s) > 0 {
		switch c := s[0]; {
		case c == '\\':
			n := 2
			if len(s) > 1 && s[1] == 'u' {
				n = 6
			}
			if n > len(s) || strings.TrimSpace(string(jsonl.Unescape(nil, s[:n]))) != "" {
				return false
			}
			s = s[n:]
		case c < utf8.RuneSelf:
			if c != ' ' {
				return false
			}
			s = s[1:]
		default:
			r, n := utf8.DecodeRune(s)
			if !unicode.IsSpace(r) {
				return false
			}
			s = s[n:]
		}
	}
	return true
}
