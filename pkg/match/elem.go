package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// An elem is what a pattern demands of one place of the text, said of the raw
// bytes of a JSON string that may spell it, and of the text itself: one byte,
// or the first byte (left: the last one) of something longer.
//
// Characters fall in three kinds by how a record may spell them. Plain ones are
// printable ASCII: a byte of their own, unless written \uXXXX, which the
// alphabet catches. Those of U+0080 and up are their UTF-8 bytes, or again
// \uXXXX. The rest is loose: blanks (whitespace may be folded, or stand between
// two strings of the record), what JSON escapes or may escape, and the
// punctuation of JSON itself, since a text may be re-serialised JSON. A loose
// character may show as any byte that is not plain.
type elem struct {
	right, left [256]verdict
	fixed       bool // always one byte
	loose       bool // admits a loose character: nothing is known of what is left of it
	one         bool // fixed, and the byte|mask == c
	c, mask     byte
	high        [][2]rune // the characters of U+0080 and up that decode looks for
	bits        float64   // how much is known if it is met
	name        string
}

type verdict uint8

const (
	refused  verdict = iota
	met              // and the neighbour is the next byte
	accepted         // and nothing is known of the neighbour
	decode           // met if the character of U+0080 and up is one of high
)

// loose reports whether an ASCII character may be spelt in many ways.
func loose(c byte) bool {
	return c <= ' ' || c == 0x7f || strings.IndexByte("\"\\/{}[],:", c) >= 0
}

// looseByte reports whether a byte may begin the spelling of a loose character:
// itself, or whatever stands between two strings whose texts are joined by
// blanks, tags included.
func looseByte(c byte) bool { return loose(c) || c == '<' || c >= utf8.RuneSelf }

// An alphabet is the set of characters that \uXXXX may hide from a window.
type alphabet struct {
	ascii [128]bool
	high  [][2]rune // ranges of U+0080 and up, as long as they are few
	all   bool      // every character of U+0080 and up
}

const fewRanges = 32

func (a *alphabet) add(lo, hi rune) {
	for c := lo; c <= min(hi, 0x7f); c++ {
		a.ascii[c] = true
	}
	if hi >= 0x80 {
		a.high = append(a.high[:len(a.high):len(a.high)], [2]rune{lo, hi})
		a.all = a.all || len(a.high) > fewRanges
	}
}

// has reports whether the code unit may belong to a character of the alphabet.
func (a *alphabet) has(unit rune) bool {
	if unit < 0x80 {
		return a.ascii[unit]
	}
	if a.all {
		return true
	}
	for _, r := range a.high {
		// A surrogate is half of a high character, or it counts as U+FFFD.
		if r[0] <= unit && unit <= r[1] || unit>>11 == 0xd800>>11 && r[1] >= utf8.RuneError {
			return true
		}
	}
	return false
}

// byteElem is an element of exactly one byte.
func byteElem(set func(c byte) bool, name string) *elem {
	e := &elem{fixed: true, bits: rarity(set), name: name}
	var members []byte
	for c := range 256 {
		if set(byte(c)) {
			e.right[c], e.left[c] = met, met
			members = append(members, byte(c))
		}
	}
	switch {
	case len(members) == 1:
		e.one, e.c = true, members[0]
	case len(members) == 2 && members[0]|0x20 == members[1] && isLetter(members[1]):
		e.one, e.c, e.mask = true, members[1], 0x20
	}
	return e
}

func isLetter(c byte) bool { return c|0x20-'a' < 26 }

// classElems appends the elements of a character class, given as sorted
// inclusive ranges. A nil element is a gap: nothing is known there.
func classElems(out []*elem, ranges [][2]rune, a *alphabet) []*elem {
	if len(ranges) == 0 {
		return append(out, nil)
	}
	name := className(ranges)
	plain, high, free := false, false, false
	size := utf8.RuneLen(ranges[0][0]) // the width in bytes of every member, else 0
	var ascii [128]bool
	for _, r := range ranges {
		for c := r[0]; c <= min(r[1], 0x7f); c++ {
			ascii[c] = true
			if loose(byte(c)) {
				free = true
			} else {
				plain = true
				a.add(c, c)
			}
		}
		if r[1] >= 0x80 {
			high = true
			a.add(max(r[0], 0x80), r[1])
		}
		if utf8.RuneLen(r[0]) != size || utf8.RuneLen(r[1]) != size || r[0] <= utf8.RuneError && utf8.RuneError <= r[1] {
			size = 0
		}
	}
	switch {
	case !free && !high && plain:
		return append(out, byteElem(func(c byte) bool { return c < 0x80 && ascii[c] }, name))
	case !free && !plain && size > 1:
		return append(out, encodedElems(ranges, size, name)...)
	}
	e := &elem{loose: free, name: name}
	for c, in := range ascii {
		if in && !loose(byte(c)) {
			e.right[c], e.left[c] = met, met
		}
	}
	for _, r := range ranges {
		if r[1] >= 0x80 {
			edges(e, max(r[0], 0x80), r[1])
			e.high = append(e.high, r)
		}
	}
	if free {
		for c := range 256 {
			if looseByte(byte(c)) {
				e.right[c] = accepted
			}
		}
	}
	e.bits = rarity(func(c byte) bool { return e.right[c] != refused })
	return append(out, e)
}

// hasHigh reports whether r, which stands for what is not UTF-8 too, is among
// the characters to decode.
func (e *elem) hasHigh(r rune) bool {
	_, found := slices.BinarySearchFunc(e.high, r, func(in [2]rune, r rune) int {
		switch {
		case in[1] < r:
			return -1
		case in[0] > r:
			return 1
		}
		return 0
	})
	return found
}

// edges marks the first and the last bytes of the encodings of lo to hi.
func edges(e *elem, lo, hi rune) {
	if lo <= utf8.RuneError && utf8.RuneError <= hi {
		for c := 0x80; c < 0x100; c++ {
			e.right[c], e.left[c] = decode, decode
		}
		return
	}
	for c, last := int(firstByte(lo)), int(firstByte(hi)); c <= last; c++ {
		e.right[c] = decode
	}
	for r := lo; r <= min(hi, lo+63); r++ {
		e.left[0x80|r&0x3f] = decode
	}
}

func firstByte(r rune) byte {
	var b [utf8.UTFMax]byte
	utf8.EncodeRune(b[:], r)
	return b[0]
}

// encodedElems gives one element a byte for characters that all take size
// bytes.
func encodedElems(ranges [][2]rune, size int, name string) []*elem {
	has := make([][256]bool, size)
	add := func(r rune) {
		var b [utf8.UTFMax]byte
		utf8.EncodeRune(b[:], r)
		for i := range has {
			has[i][b[i]] = true
		}
	}
	for _, r := range ranges {
		if r[1]-r[0] < 4096 {
			for c := r[0]; c <= r[1]; c++ {
				add(c)
			}
			continue
		}
		for c := firstByte(r[0]); c <= firstByte(r[1]); c++ {
			has[0][c] = true
		}
		for i := 1; i < size; i++ {
			for c := 0x80; c < 0xc0; c++ {
				has[i][c] = true
			}
		}
	}
	out := make([]*elem, size)
	for i := range out {
		out[i] = byteElem(func(c byte) bool { return has[i][c] }, fmt.Sprintf("%s/%d", name, i+1))
	}
	return out
}

func className(ranges [][2]rune) string {
	if len(ranges) == 1 && ranges[0][0] == ranges[0][1] {
		return string(ranges[0][0])
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, r := range ranges {
		if i == 4 {
			b.WriteString("…")
			break
		}
		if r[0] == r[1] {
			fmt.Fprintf(&b, "%c", r[0])
		} else {
			fmt.Fprintf(&b, "%c-%c", r[0], r[1])
		}
	}
	b.WriteByte(']')
	return b.String()
}
