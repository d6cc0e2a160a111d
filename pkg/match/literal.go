package match

import (
	"bytes"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// A literal is a pattern that is nothing but text, found by byte search.
type literal struct {
	text  []byte
	runes []literalRune
	exact bool // no character folds
	// key looks for two rare bytes of a folding literal; rune is the one at its
	// offset 0.
	key  *pairKey
	rune int
}

type literalRune struct {
	r     rune
	fold  bool
	width int // in bytes, of every character it stands for, or 0 if they differ
}

// matches reports whether the literal's character stands for r.
func (l *literalRune) matches(r rune) bool {
	if r == l.r {
		return true
	}
	if !l.fold {
		return false
	}
	for f := unicode.SimpleFold(l.r); f != l.r; f = unicode.SimpleFold(f) {
		if f == r {
			return true
		}
	}
	return false
}

// newLiteral gives the literal that re is, or nil.
func newLiteral(re *syntax.Regexp) *literal {
	l := &literal{exact: true}
	if !l.add(re) || len(l.runes) == 0 {
		return nil
	}
	if l.exact {
		return l
	}
	// The two rarest bytes with characters of a known width between them.
	best := -1
	for i := range l.runes {
		if l.runes[i].width != 1 {
			continue
		}
		off := 1
		for j := i + 1; j < len(l.runes) && l.runes[j].width > 0 && off < 256; j++ {
			if l.runes[j].width == 1 {
				if f := l.weight(i) + l.weight(j); best < 0 || f < best {
					best = f
					l.rune = i
					l.key = &pairKey{off: off, e1: noEscape, e2: noEscape}
					l.key.c1, l.key.m1 = l.byte(i)
					l.key.c2, l.key.m2 = l.byte(j)
				}
			}
			off += l.runes[j].width
		}
	}
	if l.key == nil {
		return nil
	}
	return l
}

func (l *literal) byte(i int) (c, mask byte) {
	c = byte(l.runes[i].r)
	if l.runes[i].fold {
		return c | 0x20, 0x20
	}
	return c, 0
}

func (l *literal) weight(i int) int {
	c, mask := l.byte(i)
	if mask == 0 {
		return int(frequency[c])
	}
	return int(frequency[c]) + int(frequency[c&^mask])
}

// add appends what re spells and reports whether that is all it matches.
func (l *literal) add(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return true
	case syntax.OpCapture:
		return l.add(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !l.add(sub) {
				return false
			}
		}
		return true
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r == utf8.RuneError {
				return false // also matches what is not UTF-8
			}
			c := literalRune{r: r, width: utf8.RuneLen(r)}
			if re.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					c.fold = true
					l.exact = false
					if utf8.RuneLen(f) != c.width {
						c.width = 0
					}
				}
			}
			l.text = utf8.AppendRune(l.text, r)
			l.runes = append(l.runes, c)
		}
		return true
	}
	return false
}

// find gives the span of the first occurrence in a decoded text, or -1, -1.
func (l *literal) find(b []byte) (start, end int) {
	if l.exact {
		i := bytes.Index(b, l.text)
		if i < 0 {
			return -1, -1
		}
		return i, i + len(l.text)
	}
	for i := 0; ; i++ {
		if i = scanPairs(b, i, l.key); i >= len(b) {
			return -1, -1
		}
		if start, end, ok := l.at(b, i); ok {
			return start, end
		}
	}
}

// at checks for an occurrence whose anchor is at b[i].
func (l *literal) at(b []byte, i int) (start, end int, ok bool) {
	end = i
	for k := l.rune; k < len(l.runes); k++ {
		if end >= len(b) {
			return 0, 0, false
		}
		r, n := rune(b[end]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[end:])
		}
		if !l.runes[k].matches(r) {
			return 0, 0, false
		}
		end += n
	}
	start = i
	for k := l.rune - 1; k >= 0; k-- {
		r, n := utf8.DecodeLastRune(b[:start])
		if n == 0 || !l.runes[k].matches(r) {
			return 0, 0, false
		}
		start -= n
	}
	return start, end, true
}

// plainly reports whether an occurrence in the raw interior of a JSON string,
// near b[i] where a prefilter stopped, is plain to see: no escape reaches into
// it.
func (l *literal) plainly(b []byte, i int) bool {
	const escape = 6 // bytes of the longest
	lo := max(0, i-len(l.text)-escape)
	hi := min(len(b), i+2*len(l.text)+escape)
	start, end := l.find(b[lo:hi])
	if start < 0 || start < escape && lo > 0 {
		return false
	}
	return bytes.IndexByte(b[lo+max(0, start-escape):lo+end], '\\') < 0
}
