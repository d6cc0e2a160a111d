package match

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// scanPairWords is scanPair eight positions at a time, from i to last less what
// does not fill a word.
func scanPairWords(b []byte, i, last int, k *pairKey) int {
	if i+8 > last {
		return i
	}
	c1, m1 := uint64(k.c1)*lowBits, uint64(k.m1)*lowBits
	c2, m2 := uint64(k.c2)*lowBits, uint64(k.m2)*lowBits
	e1, e2 := uint64(k.e1)*lowBits, uint64(k.e2)*lowBits
	// Positions below last have their bytes in b; last-8 bounds i.
	p := unsafe.Pointer(unsafe.SliceData(b))
	off := k.off
	for ; i+8 <= last; i += 8 {
		w := word(p, i)
		x := ((w | m1) ^ c1) | ((word(p, i+off) | m2) ^ c2)
		y := (w ^ e1) | (word(p, i+1) ^ e2)
		// The lowest marked byte is 0; a byte above one that is may be marked too.
		if z := (x-lowBits)&^x&highBits | (y-lowBits)&^y&highBits; z != 0 {
			return i + bits.TrailingZeros64(z)>>3
		}
	}
	return i
}

// word loads eight bytes at p+i.
func word(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// scanTripleBytes is scanTriple four positions at a time, from i to the end of b
// less what does not fill them.
func scanTripleBytes(b []byte, i int, k *tripleKey) int {
	if len(b)-i < 6 {
		return i
	}
	t := &k.masks
	v0, v1 := t[b[i]], t[b[i+1]]
	for ; i+6 <= len(b); i += 4 {
		w := b[i : i+6 : i+6]
		v2, v3, v4, v5 := t[w[2]], t[w[3]], t[w[4]], t[w[5]]
		m := v0&(v1>>8)&(v2>>16) | v1&(v2>>8)&(v3>>16) | v2&(v3>>8)&(v4>>16) | v3&(v4>>8)&(v5>>16)
		if m&0xff != 0 {
			return i
		}
		v0, v1 = v4, v5
	}
	return i
}
