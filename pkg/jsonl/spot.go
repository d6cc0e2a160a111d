package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// Spots are places of a run of lines that tell lines apart without parsing them, 64 bytes at a time: newlines, the u of an
// escape that may spell a letter, and quotes. In sound JSON a quote without a backslash before it starts a string or ends
// one, so what stands beside it tells which.

// step is how many bytes are looked at at a time.
const step = 64

// letters are two letters of each of some words: the nearest to a quote, and the next. A word has a class, which several
// may share; a letter at its place has the classes of all words that have it there.
type letters struct {
	tables letterTables
	one    [256]uint8
	two    [256]uint8
}

// letterTables are the classes by nibble: a letter has those that both its halves have.
type letterTables struct{ low1, high1, low2, high2 [16]uint8 }

func (l *letters) add(word int, one, two byte) {
	bit := uint8(1) << (word % 8)
	l.one[one] |= bit
	l.two[two] |= bit
	l.tables.low1[one&15] |= bit
	l.tables.high1[one>>4] |= bit
	l.tables.low2[two&15] |= bit
	l.tables.high2[two>>4] |= bit
}

// Values finds the strings of a few words where they are values: the quote has a colon or a blank before it.
type Values struct{ letters }

// NewValues makes a Values of words of two ASCII letters and more.
func NewValues(words ...string) *Values {
	v := &Values{}
	for i, s := range words {
		v.add(i, s[0], s[1])
	}
	return v
}

// Next gives the first step from at on that has spots: it starts at i, and mask has a bit for each of its bytes that is a
// newline, the u of an escape or the first quote of a value that may be one of the words. The next step is at i+64 or
// anywhere. Without any spot i is behind the end of b.
func (v *Values) Next(b []byte, at int) (i int, mask uint64) {
	for at < 1 && at < len(b) && !lineSpot(b, at) {
		at++ // what comes first has nothing before it
	}
	for at < len(b) {
		if at, mask = v.nextFast(b, at); mask != 0 {
			return at, mask
		}
		for k := range stopsIn(b, at) {
			if v.spot(b, k) {
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
func (v *Values) spot(b []byte, i int) bool {
	if b[i] != '"' {
		return lineSpot(b, i)
	}
	if i == 0 || !besideKey(b[i-1]) {
		return false
	}
	classes := uint8(0xff)
	if i+1 < len(b) {
		classes &= v.one[b[i+1]]
	}
	if i+2 < len(b) {
		classes &= v.two[b[i+2]]
	}
	return classes != 0
}

// Keys finds a few keys by the quotes that end them: no backslash stands before it, and a colon or a blank behind.
type Keys struct{ letters }

// NewKeys makes a Keys of keys of two ASCII letters and more.
func NewKeys(keys ...string) *Keys {
	k := &Keys{}
	for i, s := range keys {
		k.add(i, s[len(s)-1], s[len(s)-2])
	}
	return k
}

// Next is that of Values for the last quotes of what may be one of the keys.
func (k *Keys) Next(b []byte, at int) (i int, mask uint64) {
	for at < 2 && at < len(b) && !lineSpot(b, at) {
		at++
	}
	for at < len(b) {
		if at, mask = k.nextFast(b, at); mask != 0 {
			return at, mask
		}
		for j := range stopsIn(b, at) {
			if k.spot(b, j) {
				mask |= 1 << (j - at)
			}
		}
		if mask != 0 {
			return at, mask
		}
		at += step
	}
	return at, 0
}

func (k *Keys) spot(b []byte, i int) bool {
	if b[i] != '"' {
		return lineSpot(b, i)
	}
	return i > 1 && b[i-1] != '\\' && i+1 < len(b) && besideKey(b[i+1]) && k.one[b[i-1]]&k.two[b[i-2]] != 0
}

// lineSpot reports whether b[i] is a newline or the u of an escape like \u0041.
func lineSpot(b []byte, i int) bool {
	switch b[i] {
	case '\n':
		return true
	case 'u':
		return i > 0 && b[i-1] == '\\' && i+3 < len(b) && b[i+1] == '0' && b[i+3] > '1' && b[i+3] < 0x80
	}
	return false
}

// besideKey reports whether c may stand between a key and its value.
func besideKey(c byte) bool { return c == ':' || c == ' ' || c == '\t' || c == '\r' }

// stopsIn gives the newlines, quotes and u's of the step at at.
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
			if c := b[at]; (c == '\n' || c == '"' || c == 'u') && !yield(at) {
				return
			}
		}
	}
}

// anyStops has the high bit of each of eight bytes that is a newline, a quote or a u.
func anyStops(x uint64) uint64 {
	const ones, lows = 0x0101010101010101, 0x7f7f7f7f7f7f7f7f
	n, q, s := x^ones*'\n', x^ones*'"', x^ones*'u'
	return ^(((n&lows+lows)|n)&((q&lows+lows)|q)&((s&lows+lows)|s) | lows)
}
