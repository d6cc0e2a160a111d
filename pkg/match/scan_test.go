package match

import (
	"math/rand/v2"
	"testing"
)

// bothScans runs a test with the vector kernels, if there are any, and without.
func bothScans(t *testing.T, f func(t *testing.T)) {
	t.Run("default", f)
	if vectors {
		setVectors(false)
		defer setVectors(true)
		t.Run("portable", f)
	}
}

func randomBytes(r *rand.Rand, n int, from string) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return b
}

func TestScanPairs(t *testing.T) {
	bothScans(t, func(t *testing.T) {
		rounds(t, 30000, func(r *rand.Rand) {
			b := randomBytes(r, r.IntN(200), "abcABC.\\u\xff")
			k := &pairKey{off: 1 + r.IntN(20), c1: "ab."[r.IntN(3)], c2: "bc."[r.IntN(3)], e1: '\\', e2: 'u'}
			if r.IntN(2) == 0 {
				if isLetter(k.c1) {
					k.m1 = 0x20
				}
				if isLetter(k.c2) {
					k.m2 = 0x20
				}
			}
			if r.IntN(3) == 0 {
				k.e1, k.e2 = noEscape, noEscape
			}
			from := r.IntN(len(b) + 1)
			want := len(b)
			for i := from; i < len(b); i++ {
				pair := i+k.off < len(b) && b[i]|k.m1 == k.c1 && b[i+k.off]|k.m2 == k.c2
				if pair || i+1 < len(b) && b[i] == k.e1 && b[i+1] == k.e2 {
					want = i
					break
				}
			}
			if got := scanPairs(b, from, k); got != want {
				t.Fatalf("%q from %d, %+v: %d, want %d", b, from, k, got, want)
			}
		})
	})
}

func TestScanTriples(t *testing.T) {
	bothScans(t, func(t *testing.T) {
		rounds(t, 20000, func(r *rand.Rand) {
			b := randomBytes(r, r.IntN(200), "abcdefgh\xc3\xa9\x80\xff")
			k := new(tripleKey)
			for bit := range 1 + r.IntN(8) {
				for j := range 3 {
					for range 1 + r.IntN(2) {
						k.set(j, "abcdefgh\xc3\xa9"[r.IntN(10)], 1<<bit)
					}
				}
			}
			from := r.IntN(len(b) + 1)
			// Whatever the nibble tables let through as well, no position is passed over.
			for i := from; i < len(b); i++ {
				got := scanTriples(b, i, k)
				want := i
				for want < len(b) && k.at(b, want) == 0 {
					want++
				}
				if got < i || got > want {
					t.Fatalf("%q from %d: %d, want at most %d", b, i, got, want)
				}
				i = got
			}
		})
	})
}

func TestByteSet(t *testing.T) {
	bothScans(t, func(t *testing.T) {
		rounds(t, 20000, func(r *rand.Rand) {
			s := &byteSet{e1: noEscape, e2: noEscape}
			if r.IntN(2) == 0 {
				s.e1, s.e2 = '\\', 'u'
			}
			for range r.IntN(12) {
				s.add("abcxyz09 \n\x00\x7f\x80\xc3\xe8\xff"[r.IntN(16)])
			}
			if r.IntN(4) == 0 {
				for c := 0x80; c < 0x100; c++ {
					s.add(byte(c))
				}
			}
			if !s.compile() {
				return
			}
			b := randomBytes(r, r.IntN(300), "...................abcxyz\\u\x00\x80\xe8")
			want := 0
			for want < len(b) && !s.at(b, want) {
				want++
			}
			if got := s.index(b); got != want {
				t.Fatalf("%q: %d, want %d", b, got, want)
			}
		})
	})
}
