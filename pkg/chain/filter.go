package chain

import "math/bits"

// filter tells of a hash that it is not in a set, or that it may be.
type filter struct {
	words []uint64
	shift uint // the upper bits of a hash are its place
}

// newFilter makes a filter for n hashes, with 16 to 32 bits for each.
func newFilter(n int) filter {
	k := max(bits.Len(uint(n))+4, 6)
	return filter{words: make([]uint64, 1<<(k-6)), shift: uint(64 - k)}
}

func (f *filter) has(h uint64) bool {
	at := h >> (f.shift & 63)
	return f.words[at>>6]>>(at&63)&1 != 0
}

// add puts a hash into the set; it reports whether has was true before.
func (f *filter) add(h uint64) bool {
	at := h >> (f.shift & 63)
	w, bit := &f.words[at>>6], uint64(1)<<(at&63)
	was := *w&bit != 0
	*w |= bit
	return was
}
