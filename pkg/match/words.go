package match

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
)

// The Perl classes are Unicode-aware: \d is a decimal digit of any script, \s
// any White_Space, \w what UTS 18 calls a word character (alphabetic, mark,
// decimal digit, connector punctuation or join control). Package regexp/syntax
// reads all three as ASCII, so the pattern is rewritten with these before it
// sees them.

// The interiors of a bracket class for each Perl class and its complement.
const (
	digitSet    = `\p{Nd}`
	notDigitSet = `\P{Nd}`
)

// wordTables are the general categories wholly inside \w.
var wordTables = []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc}

// perlSets holds the bracket interiors that have to be computed.
type perlSets struct{ word, notWord, space, notSpace string }

var perl = sync.OnceValue(func() perlSets {
	var p perlSets
	// Alphabetic characters outside the categories of wordTables (circled
	// letters), and the two join controls.
	var rest strings.Builder
	for _, r := range wordRanges() {
		for lo := r[0]; lo <= r[1]; lo++ {
			if unicode.In(lo, wordTables...) {
				continue
			}
			hi := lo
			for hi < r[1] && !unicode.In(hi+1, wordTables...) {
				hi++
			}
			writeRange(&rest, lo, hi)
			lo = hi
		}
	}
	p.word = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}` + rest.String()
	p.notWord = bracket(complement(wordRanges()))
	space := tableRanges(unicode.White_Space)
	p.space = bracket(space)
	p.notSpace = bracket(complement(space))
	return p
})

// wordRanges lists the characters of \w as sorted, disjoint, inclusive ranges.
var wordRanges = sync.OnceValue(func() [][2]rune {
	tables := append([]*unicode.RangeTable{unicode.Other_Alphabetic, unicode.Join_Control}, wordTables...)
	return tableRanges(tables...)
})

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
	var b strings.Builder
	for _, r := range ranges {
		writeRange(&b, r[0], r[1])
	}
	return b.String()
}

func writeRange(b *strings.Builder, lo, hi rune) {
	fmt.Fprintf(b, `\x{%x}`, lo)
	if hi > lo {
		fmt.Fprintf(b, `-\x{%x}`, hi)
	}
}
