package jsonl

import (
	"runtime"
	"sync"
)

// All reading goes through a few large buffers that are used again: one holds a chunk with what readChunk reads around
// it. One that grew beyond maxKept is given up, so that a very long line does not stay in memory.
const (
	bufferSize = chunkSize + pageSize + slack
	maxKept    = 4 * bufferSize
)

// buffers is a plain list and no sync.Pool, which gives everything up at each collection.
var buffers struct {
	sync.Mutex
	free []*[]byte
}

// getBuffer returns a buffer of bufferSize or more; give it back with putBuffer.
func getBuffer() *[]byte {
	buffers.Lock()
	defer buffers.Unlock()
	if n := len(buffers.free); n > 0 {
		b := buffers.free[n-1]
		buffers.free = buffers.free[:n-1]
		return b
	}
	b := make([]byte, bufferSize)
	return &b
}

func putBuffer(b *[]byte) {
	if cap(*b) > maxKept {
		return
	}
	*b = (*b)[:cap(*b)]
	buffers.Lock()
	defer buffers.Unlock()
	if len(buffers.free) < min(runtime.GOMAXPROCS(0), 8) {
		buffers.free = append(buffers.free, b)
	}
}

// grow returns a buffer of length n that starts with the bytes of buf: buf itself if it is large enough.
func grow(buf []byte, n int) []byte {
	if n <= cap(buf) {
		return buf[:n]
	}
	size := n
	if len(buf) > 0 {
		size += n / 2 // it grows for a long line, which may need more
	}
	grown := make([]byte, n, size)
	copy(grown, buf)
	return grown
}
