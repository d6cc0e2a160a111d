package jsonl

import "sync"

// maxPooled is the largest buffer kept for the next scan: one very long line must not stay in memory.
const maxPooled = chunkSize + chunkSize/4

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// getBuffer returns an empty buffer of at least that capacity; give it back with putBuffer.
func getBuffer(size int) *[]byte {
	buf := buffers.Get().(*[]byte)
	if cap(*buf) < size {
		*buf = make([]byte, 0, size)
	}
	*buf = (*buf)[:0]
	return buf
}

func putBuffer(buf *[]byte) {
	if cap(*buf) <= maxPooled {
		buffers.Put(buf)
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
