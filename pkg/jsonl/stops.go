package jsonl

import "math/bits"

// stringEnd returns the index of the quote that ends the string whose interior starts at b[i], or -1 when there is none
// or the interior is not valid (a raw control character, a bad escape).
func (p *Pull) stringEnd(i int) int {
	if m := p.quotes >> uint(i-p.at); m != 0 {
		return i + bits.TrailingZeros64(m)
	}
	return p.longEnd(i)
}

// longEnd is stringEnd for a string that leaves the 64 bytes, or holds an escape that is not plain.
func (p *Pull) longEnd(i int) int {
	b := p.b
	if !kernel {
		return plainStringEnd(b, i)
	}
	if k := uint(i - p.at); k < 64 && p.rest == 0 {
		i = p.behind(i)
	}
	for i < len(b) {
		at, quotes, bad := stopsFrom(b, i)
		if quotes|bad == 0 {
			return plainStringEnd(b, at)
		}
		rest := -(bad & -bad)
		p.at, p.quotes, p.rest = at, quotes&^rest, rest
		if p.quotes != 0 {
			return at + bits.TrailingZeros64(p.quotes)
		}
		end := at + bits.TrailingZeros64(bad)
		if b[end] != 'u' {
			return -1
		}
		if i = escapeEnd(b, end-1); i < 0 {
			return -1
		}
	}
	return -1
}

// behind gives where a string that has no stop from i on goes on behind the 64 bytes: at the backslash in front of them
// if the next byte is escaped.
func (p *Pull) behind(i int) int {
	b, next := p.b, p.at+64
	if next > len(b) {
		return len(b)
	}
	k := next
	for k > i && b[k-1] == '\\' {
		k--
	}
	return next - (next-k)&1
}
