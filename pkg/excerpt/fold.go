// Package excerpt makes text fit for a line of output: whitespace folded to single
// blanks, long text cut to a window around a match with an exact count of what was
// left out, and characters that would drive a terminal made visible. It knows
// nothing of records, labels or where the text came from.
//
// The one invariant: everything it returns is valid UTF-8, and every count is in
// code points of the folded text, an invalid byte counting as one (it is printed
// as U+FFFD).
package excerpt

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Fold returns s with every run of whitespace (Unicode White_Space) made one blank
// and none at either end.
func Fold(s string) string {
	if folded(s) {
		return s
	}
	return string(AppendFold(make([]byte, 0, len(s)), []byte(s)))
}

// folded reports whether s is what Fold would return, for the common short text
// that needs no work. It answers false for anything but ASCII.
func folded(s string) bool {
	blank := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || c <= ' ' && (c != ' ' && isSpace(rune(c)) || c == ' ' && blank) {
			return false
		}
		blank = c == ' '
	}
	return !blank || s == ""
}

// AppendFold appends the folded form of s to dst.
func AppendFold(dst, s []byte) []byte {
	s, _ = trim(s)
	dst, _ = appendFolded(dst, s, len(s))
	return dst
}

// appendFolded appends at most n folded code points of s and returns how many
// bytes of s they came from. A run that is not followed by anything is folded like
// any other: the caller trims.
func appendFolded(dst, s []byte, n int) (out []byte, used int) {
	for i := 0; i < len(s); {
		if n == 0 {
			return dst, i
		}
		if j := plain(s[i:min(len(s), i+n)]); j > 0 {
			dst = append(dst, s[i:i+j]...)
			n -= j
			i += j
			// A blank that ended the stretch stands for its whole run.
			if s[i-1] == ' ' {
				i += spaceAt(s[i:])
			}
			continue
		}
		n--
		r, size := utf8.DecodeRune(s[i:])
		if !isSpace(r) {
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		dst = append(dst, ' ')
		i += size
		i += spaceAt(s[i:])
	}
	return dst, len(s)
}

// plain returns the length of the stretch s starts with that is ASCII and folded as
// it stands: no control characters and no whitespace but single blanks.
func plain(s []byte) int {
	i, blank := 0, uint64(0) // blank: the highest bit is set where the byte before is one
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		wide := x & highs
		control := (x - ' '*ones) &^ x & highs // exact up to the first
		blanks := ^((x^' '*ones)&^highs + 0x7f*ones) & highs &^ wide
		if stop := wide | control | blanks&(blanks<<8|blank); stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		blank = blanks >> 56
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && blank != 0 {
			return i
		}
		blank = 0
		if c == ' ' {
			blank = 0x80
		}
	}
	return len(s)
}

// trim returns s without the whitespace at its ends, and how many bytes went from
// its front.
func trim(s []byte) (trimmed []byte, front int) {
	front = spaceAt(s)
	s = s[front:]
	for len(s) > 0 {
		r, size := utf8.DecodeLastRune(s)
		if !isSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s, front
}

// spaceAt returns the length in bytes of the whitespace s starts with.
func spaceAt(s []byte) int {
	i := 0
	for i < len(s) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		if !isSpace(r) {
			break
		}
		i += size
	}
	return i
}

// counter counts the code points of folded text while its source goes by in
// pieces. The whole of the pieces must be trimmed.
type counter struct {
	n     int
	space bool // the source so far ends in whitespace
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// lows marks the bytes of eight ASCII ones that are blanks or control characters.
func lows(x uint64) uint64 { return ^(x + (0x80-' '-1)*ones) & highs }

// spaces marks those that are whitespace.
func spaces(x uint64) uint64 {
	notBlank := (x ^ ' '*ones) + 0x7f*ones
	from9, from14 := x+(0x80-'\t')*ones, x+(0x80-'\r'-1)*ones
	return (^notBlank | from9&^from14) & highs
}

// add counts one more piece. Eight bytes of ASCII at a time: a byte is left out
// exactly when it and the byte before it are whitespace.
func (c *counter) add(s []byte) {
	for len(s) > 0 {
		prev := uint64('a') << 56
		if c.space {
			prev = ' ' << 56
		}
		for before := lows(prev); len(s) >= 8; s = s[8:] {
			x := binary.LittleEndian.Uint64(s)
			if x&highs != 0 {
				break
			}
			c.n += 8
			low := lows(x)
			if low&(low<<8|before>>56) != 0 { // two in a row, which are seldom anything but whitespace
				space := spaces(x)
				c.n -= bits.OnesCount64(space & (space<<8 | spaces(prev)>>56))
			}
			prev, before = x, low
		}
		c.space = spaces(prev)>>56 != 0
		for i := 0; i < 8 && len(s) > 0; i++ {
			r, size := rune(s[0]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(s)
			}
			s = s[size:]
			space := isSpace(r)
			if !space || !c.space {
				c.n++
			}
			c.space = space
		}
	}
}

// isSpace is unicode.IsSpace without its table search.
func isSpace(r rune) bool {
	if r < 0x1680 {
		return r == ' ' || r >= '\t' && r <= '\r' || r == 0x85 || r == 0xa0
	}
	return r <= 0x3000 && (r == 0x1680 || r >= 0x2000 && r <= 0x200a || r == 0x2028 || r == 0x2029 ||
		r == 0x202f || r == 0x205f || r == 0x3000)
}
