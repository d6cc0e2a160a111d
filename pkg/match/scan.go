package match

import (
	"encoding/binary"
	"math/bits"
)

// The scans look for the keys of the kernels from a position on. They give the
// first position from i up that may be what is sought, or len(b).

// pairKey is what a pair scan looks for: byte c1 and, off bytes on, c2 (case
// folded by the masks), or else e1 followed by e2.
type pairKey struct {
	off            int
	c1, m1, c2, m2 byte
	e1, e2         byte
}

// noEscape stands for e1 and e2 when only the pair is sought: it occurs in no
// valid UTF-8.
const noEscape = 0xff

// at reports whether what is sought is at b[i].
func (k *pairKey) at(b []byte, i int) bool {
	return b[i]|k.m1 == k.c1 && b[i+k.off]|k.m2 == k.c2 || b[i] == k.e1 && b[i+1] == k.e2
}

func scanPairs(b []byte, i int, k *pairKey) int {
	last := len(b) - max(k.off, 1) // positions from here on lack a byte to look at
	if vectors {
		if n := (last - i) &^ 31; n > 0 {
			j := scanPair(&b[i], n, k)
			i += j
			if j < n {
				return i
			}
		}
		if last >= 32 && last-i > 4 {
			// The rest again as the end of a full vector.
			j := scanPair(&b[last-32], 32, k)
			if last-32+j >= i {
				i = last - 32 + j
			}
		}
	} else {
		i = scanPairWords(b, i, last, k)
	}
	for ; i < last; i++ {
		if k.at(b, i) {
			return i
		}
	}
	for ; i+1 < len(b); i++ {
		if b[i] == k.e1 && b[i+1] == k.e2 {
			return i
		}
	}
	return len(b)
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// scanPairWords is scanPair eight positions at a time, from i to last less what
// does not fill a word.
func scanPairWords(b []byte, i, last int, k *pairKey) int {
	c1, m1 := uint64(k.c1)*lowBits, uint64(k.m1)*lowBits
	c2, m2 := uint64(k.c2)*lowBits, uint64(k.m2)*lowBits
	e1, e2 := uint64(k.e1)*lowBits, uint64(k.e2)*lowBits
	for ; i+8 <= last; i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		x := (w | m1) ^ c1 | (binary.LittleEndian.Uint64(b[i+k.off:]) | m2) ^ c2
		y := w ^ e1 | binary.LittleEndian.Uint64(b[i+1:]) ^ e2
		// The lowest marked byte is 0; a byte above one that is may be marked too.
		if z := (x-lowBits)&^x&highBits | (y-lowBits)&^y&highBits; z != 0 {
			return i + bits.TrailingZeros64(z)>>3
		}
	}
	return i
}

// tripleKey is what a triple scan looks for: three bytes whose masks have a bit
// in common.
type tripleKey struct {
	low, high [3][32]byte   // by nibble, each table twice; a superset of
	masks     [3][256]uint8 // the exact masks
}

// set gives byte c at offset j the bits of m.
func (k *tripleKey) set(j int, c byte, m uint8) {
	k.masks[j][c] |= m
	for _, half := range []int{0, 16} {
		k.low[j][half+int(c&15)] |= m
		k.high[j][half+int(c>>4)] |= m
	}
}

// at gives the bits in common at b[i]. Where b ends, all bits are.
func (k *tripleKey) at(b []byte, i int) uint8 {
	m := k.masks[0][b[i]]
	if i+1 < len(b) {
		m &= k.masks[1][b[i+1]]
	}
	if i+2 < len(b) {
		m &= k.masks[2][b[i+2]]
	}
	return m
}

func scanTriples(b []byte, i int, k *tripleKey) int {
	last := len(b) - 2
	if vectors {
		if n := (last - i) &^ 31; n > 0 {
			j := scanTriple(&b[i], n, k)
			i += j
			if j < n {
				return i
			}
		}
		if last >= 32 && last-i > 4 {
			j := scanTriple(&b[last-32], 32, k)
			if last-32+j >= i {
				i = last - 32 + j
			}
		}
	}
	for ; i < last; i++ {
		if k.masks[0][b[i]]&k.masks[1][b[i+1]]&k.masks[2][b[i+2]] != 0 {
			return i
		}
	}
	for ; i < len(b); i++ {
		if k.at(b, i) != 0 {
			return i
		}
	}
	return len(b)
}
