//go:build !purego

package jsonl

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// kernel tells whether the machine has what the kernels of this file need.
var kernel = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// stringEndAVX2 is the index of the quote that ends the string interior at p, within n bytes. When it is negative, its
// complement is where it stopped: n, or the first byte that is neither plain text nor a plain two-byte escape (or, less
// than 64 bytes from the end, any byte). It may read up to 63 bytes behind n inside the same page of memory.
//
//go:noescape
func stringEndAVX2(p *byte, n int) int

// longStringEnd is stringEnd at 14 GB/s, escapes and all.
func longStringEnd(b []byte, i int) int {
	for i < len(b) {
		n := stringEndAVX2((*byte)(unsafe.Pointer(&b[i])), len(b)-i)
		if n >= 0 {
			return i + n
		}
		if i += ^n; i >= len(b) {
			break
		}
		if b[i] != '\\' {
			return plainStringEnd(b, i)
		}
		if i = escapeEnd(b, i); i < 0 {
			break
		}
	}
	return -1
}

// unescapeAVX2 is Unescape from src to dst until less than 66 of the n bytes are left, or up to an escape that table (see
// unescaped) does not know. It tells how many bytes it read and wrote; seen is not 0 if one of them was not ASCII. It may
// write up to 64 bytes more.
//
//go:noescape
func unescapeAVX2(dst, src *byte, n int, table *[256]byte) (read, wrote int, seen uint64)

// longUnescape is unescapeAVX2 for dst, where len(src)+64 bytes fit, and src of at least longText bytes.
func longUnescape(dst, src []byte) (read, wrote int, ascii bool) {
	_ = dst[len(src)+63]
	read, wrote, seen := unescapeAVX2(&dst[0], &src[0], len(src), &unescaped)
	return read, wrote, seen == 0
}
