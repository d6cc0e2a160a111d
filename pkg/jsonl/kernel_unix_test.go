//go:build linux || darwin

package jsonl

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestStringsAtTheEdge puts strings right before memory that must not be read.
func TestStringsAtTheEdge(t *testing.T) {
	page := os.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(m)
	if err := syscall.Mprotect(m[page:], syscall.PROT_NONE); err != nil {
		t.Skip(err)
	}
	for n := range 200 {
		for _, end := range []string{"", `"`, `\`, `\"`, `\n"`, `\u12`, `\u1234"`, "\x01"} {
			text := strings.Repeat("x", n) + end
			b := m[page-len(text) : page : page]
			copy(b, text)
			checkString(t, b)
		}
	}
}
