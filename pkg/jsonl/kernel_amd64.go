//go:build !purego

package jsonl

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// kernel tells whether the machine has what the kernels of this file need.
var kernel = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// stopsAVX2 looks for stops in the n bytes at p, of which the first is not escaped: unescaped quotes, and what is bad or
// not plain: control characters, and escaped bytes that make no two-byte escape (a u among them). off is the first step of
// 64 bytes that holds any, and the bits of quotes and bad are those it holds. Without a stop both are 0, and off is where
// it gave up: n, or less than 65 bytes before it. It may read up to 63 bytes behind n inside the same page of memory.
//
//go:noescape
func stopsAVX2(p *byte, n int) (off int, quotes, bad uint64)

// stopsFrom is stopsAVX2 from b[i] on, offsets being those of b.
func stopsFrom(b []byte, i int) (off int, quotes, bad uint64) {
	off, quotes, bad = stopsAVX2((*byte)(unsafe.Pointer(&b[i])), len(b)-i)
	return i + off, quotes, bad
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
