package match

// A byteSet finds the first byte that is in it, or the first e1 followed by e2.
// Add its members, then compile.
type byteSet struct {
	has    [256]bool
	e1, e2 byte
	// The bytes again as two tables of 16 entries, each twice: c is in the set if
	// low[c&15] & high[c>>4] != 0.
	low, high [32]byte
}

func (s *byteSet) add(c byte) { s.has[c] = true }

// compile reports whether the set can be searched for quickly.
func (s *byteSet) compile() bool {
	bit := map[uint16]byte{} // by row: the low nibbles that go with a high one
	for h := range 16 {
		var row uint16
		for l := range 16 {
			if s.has[h<<4|l] {
				row |= 1 << l
			}
		}
		if row == 0 {
			continue
		}
		if bit[row] == 0 {
			if len(bit) == 8 {
				return false
			}
			bit[row] = 1 << len(bit)
		}
		s.high[h] = bit[row]
	}
	for row, b := range bit {
		for l := range 16 {
			if row>>l&1 != 0 {
				s.low[l] |= b
			}
		}
	}
	copy(s.low[16:], s.low[:16])
	copy(s.high[16:], s.high[:16])
	return true
}

// index gives the position of the first member in b, or len(b).
func (s *byteSet) index(b []byte) int {
	i := 0
	// A near member is found sooner without setting the vectors up.
	for ; i < 8 && i < len(b); i++ {
		if s.at(b, i) {
			return i
		}
	}
	if n := (len(b) - 1 - i) &^ 31; n > 0 && vectors {
		k := scanSet(&b[i], n, s)
		i += k
		if k < n {
			return i
		}
	}
	for ; i < len(b); i++ {
		if s.at(b, i) {
			return i
		}
	}
	return len(b)
}

func (s *byteSet) at(b []byte, i int) bool {
	return s.has[b[i]] || b[i] == s.e1 && i+1 < len(b) && b[i+1] == s.e2
}
