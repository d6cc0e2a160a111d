package match

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

// tripleKey is what a triple scan looks for: three bytes whose masks have a bit
// in common.
type tripleKey struct {
	low, high [3][32]byte // by nibble, each table twice: a superset of
	masks     [256]uint32 // the exact masks, that of byte j in bits 8j to 8j+7
}

// set gives byte c at offset j the bits of m.
func (k *tripleKey) set(j int, c byte, m uint8) {
	k.masks[c] |= uint32(m) << (8 * j)
	for _, half := range []int{0, 16} {
		k.low[j][half+int(c&15)] |= m
		k.high[j][half+int(c>>4)] |= m
	}
}

// at gives the bits in common at b[i]. Where b ends, all bits are.
func (k *tripleKey) at(b []byte, i int) uint8 {
	m := k.masks[b[i]]
	if i+1 < len(b) {
		m &= k.masks[b[i+1]] >> 8
	}
	if i+2 < len(b) {
		m &= k.masks[b[i+2]] >> 16
	}
	return uint8(m)
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
	} else {
		i = scanTripleBytes(b, i, k)
	}
	for ; i < len(b); i++ {
		if k.at(b, i) != 0 {
			return i
		}
	}
	return len(b)
}
