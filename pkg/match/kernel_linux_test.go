//go:build amd64 && !purego

package match

import (
	"os"
	"syscall"
	"testing"
)

// The kernels read nothing past the end of their input: it ends where the next
// page may not be read.
func TestKernelsStayInside(t *testing.T) {
	page := os.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(m)
	if err := syscall.Mprotect(m[page:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	triple := new(tripleKey)
	triple.set(0, 'x', 1)
	set := &byteSet{e1: '\\', e2: 'u'}
	set.add('x')
	set.compile()
	for n := range 200 {
		b := m[page-n : page : page]
		for off := 1; off < 24; off++ {
			if got := scanPairs(b, 0, &pairKey{off: off, c1: 'x', c2: 'x', e1: '\\', e2: 'u'}); got != n {
				t.Fatal(got, n)
			}
		}
		if got := scanTriples(b, 0, triple); got != n {
			t.Fatal(got, n)
		}
		if got := set.index(b); got != n {
			t.Fatal(got, n)
		}
	}
}
