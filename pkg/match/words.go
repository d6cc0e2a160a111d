package match

import (
	"strconv"
	"sync"
	"unicode"
)

// The Perl classes are Unicode-aware: \d is a decimal digit of any script, \s
// any White_Space, \w what UTS 18 calls a word character (alphabetic, mark,
// decimal digit, connector punctuation or join control). Package regexp/syntax
// reads all three as ASCII, so the pattern is rewritten with these before it
// sees them.

// The interiors of a bracket class for each Perl class. Some are cheaper than a
// table of Unicode at start-up; a test compares them with it.
const (
	digitSet    = `\p{Nd}`
	notDigitSet = `\P{Nd}`
	spaceSet    = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	// The last ranges are alphabetic without being letters: the circled ones.
	// The two join controls precede them.
	wordSet = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}`
)

// Their complements within a bracket class.
var (
	notSpaceSet = sync.OnceValue(func() string { return bracket(complement(spaceRanges())) })
	notWordSet  = sync.OnceValue(func() string { return bracket(complement(wordRanges())) })
)

// wordTables are the general categories wholly inside \w.
var wordTables = []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc}

// wordRanges lists the characters of \w as sorted, disjoint, inclusive ranges.
var wordRanges = sync.OnceValue(func() [][2]rune {
	tables := append([]*unicode.RangeTable{unicode.Other_Alphabetic, unicode.Join_Control}, wordTables...)
	return tableRanges(tables...)
})

// spaceRanges does the same for \s.
var spaceRanges = sync.OnceValue(func() [][2]rune { return tableRanges(unicode.White_Space) })

// wordASCII marks the ASCII characters of \w.
var wordASCII = func() (t [128]bool) {
	for c := range t {
		t[c] = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
	}
	return t
}()

// isWord reports whether r is a word character; -1 (no character) is not.
func isWord(r rune) bool {
	if uint32(r) < 128 {
		return wordASCII[r]
	}
	if r < 0 || r == 0xfffd {
		return false
	}
	return unicode.In(r, wordTables...) || unicode.In(r, unicode.Other_Alphabetic, unicode.Join_Control)
}

// tableRanges merges the tables to sorted, disjoint, inclusive ranges.
func tableRanges(tables ...*unicode.RangeTable) [][2]rune {
	var marks []rune // the characters where membership may change
	for _, t := range tables {
		for _, r := range t.R16 {
			if r.Stride == 1 {
				marks = append(marks, rune(r.Lo), rune(r.Hi)+1)
				continue
			}
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				marks = append(marks, c, c+1)
			}
		}
		for _, r := range t.R32 {
			if r.Stride == 1 {
				marks = append(marks, rune(r.Lo), rune(r.Hi)+1)
				continue
			}
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				marks = append(marks, c, c+1)
			}
		}
	}
	marks = sortedUnique(marks)
	var out [][2]rune
	for i := 0; i+1 < len(marks); i++ {
		if !unicode.In(marks[i], tables...) {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1]+1 == marks[i] {
			out[n-1][1] = marks[i+1] - 1
		} else {
			out = append(out, [2]rune{marks[i], marks[i+1] - 1})
		}
	}
	return out
}

// complement gives the ranges of everything else up to U+10FFFF.
func complement(in [][2]rune) [][2]rune {
	var out [][2]rune
	next := rune(0)
	for _, r := range in {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, [2]rune{next, unicode.MaxRune})
	}
	return out
}

func bracket(ranges [][2]rune) string {
	var b []byte
	for _, r := range ranges {
		b = append(strconv.AppendInt(append(b, `\x{`...), int64(r[0]), 16), '}')
		if r[1] > r[0] {
			b = append(strconv.AppendInt(append(b, `-\x{`...), int64(r[1]), 16), '}')
		}
	}
	return string(b)
}
