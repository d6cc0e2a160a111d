package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// Spots are places of a run of lines that tell lines apart without parsing them, 64 bytes at a time: newlines, the
// backslashes of \u, and quotes. In sound JSON a quote without a backslash before it starts a string or ends one, so what
// stands beside it tells which.

// step is how many bytes are looked at at a time.
const step = 64

// Words finds the strings of a few words where they are values: the quote has a colon or a blank before it.
type Words struct {
	tables wordTables
	second [256]uint8 // which classes of first letters a second one may follow
	first  [256]uint8
}

// wordTables are the classes of first and second letters by nibble: a letter has those that both its halves have.
type wordTables struct{ low1, high1, low2, high2 [16]uint8 }

// NewWords makes a Words of words of two ASCII letters and more.
func NewWords(words ...string) *Words {
	w := &Words{}
	for i, s := range words {
		bit := uint8(1) << (i % 8)
		w.first[s[0]] |= bit
		w.second[s[1]] |= bit
		w.tables.low1[s[0]&15] |= bit
		w.tables.high1[s[0]>>4] |= bit
		w.tables.low2[s[1]&15] |= bit
		w.tables.high2[s[1]>>4] |= bit
	}
	return w
}

// Next gives the first step from at on that has spots: it starts at i, and mask has a bit for each of its bytes that is a
// newline, the backslash of a \u or the quote of a value that may be one of the words. The next step is at i+64 or
// anywhere. Without any spot i is behind the end of b.
func (w *Words) Next(b []byte, at int) (i int, mask uint64) {
	for at < len(b) {
		if at, mask = w.nextFast(b, at); mask != 0 {
			return at, mask
		}
		for k := range stopsIn(b, at) {
			if w.spot(b, k) {
				mask |= 1 << (k - at)
			}
		}
		if mask != 0 {
			return at, mask
		}
		at += step
	}
	return at, 0
}

// spot reports whether b[i] is one. Where b ends any letter may follow.
func (w *Words) spot(b []byte, i int) bool {
	if b[i] != '"' {
		return lineSpot(b, i)
	}
	if i == 0 || !besideKey(b[i-1]) {
		return false
	}
	classes := uint8(0xff)
	if i+1 < len(b) {
		classes &= w.first[b[i+1]]
	}
	if i+2 < len(b) {
		classes &= w.second[b[i+2]]
	}
	return classes != 0
}

// NextKey is Next for the quotes that end a key: no backslash stands before them, and a colon or a blank behind.
func NextKey(b []byte, at int) (i int, mask uint64) {
	for at < len(b) {
		if at, mask = nextKeyFast(b, at); mask != 0 {
			return at, mask
		}
		for k := range stopsIn(b, at) {
			if keySpot(b, k) {
				mask |= 1 << (k - at)
			}
		}
		if mask != 0 {
			return at, mask
		}
		at += step
	}
	return at, 0
}

func keySpot(b []byte, i int) bool {
	if b[i] != '"' {
		return lineSpot(b, i)
	}
	return (i == 0 || b[i-1] != '\\') && i+1 < len(b) && besideKey(b[i+1])
}

func lineSpot(b []byte, i int) bool {
	return b[i] == '\n' || b[i] == '\\' && i+1 < len(b) && b[i+1] == 'u'
}

// besideKey reports whether c may stand between a key and its value.
func besideKey(c byte) bool { return c == ':' || c == ' ' || c == '\t' || c == '\r' }

// stopsIn gives the newlines, quotes and backslashes of the step at at.
func stopsIn(b []byte, at int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		end := min(at+step, len(b))
		for ; at+8 <= end; at += 8 {
			for m := anyStops(binary.LittleEndian.Uint64(b[at:])); m != 0; m &= m - 1 {
				if !yield(at + bits.TrailingZeros64(m)/8) {
					return
				}
			}
		}
		for ; at < end; at++ {
			if c := b[at]; (c == '\n' || c == '"' || c == '\\') && !yield(at) {
				return
			}
		}
	}
}

// anyStops has the high bit of each of eight bytes that is a newline, a quote or a backslash.
func anyStops(x uint64) uint64 {
	const ones, lows = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	n, q, s := x^ones*'\n', x^ones*'"', x^ones*'\\'
	return ^(((n&lows+lows)|n)&((q&lows+lows)|q)&((s&lows+lows)|s) | lows)
}
