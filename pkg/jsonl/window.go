package jsonl

import (
	"bytes"
	"context"
	"slices"
)

// A window starts with one small block, since most of what is looked for stands in the first or last few lines. The
// further it goes the larger they get, as a share of what is read, so that little more is read than is looked at: a copy
// costs more than a call. No block is shorter than what is already known of the line it continues, so that a long line
// is moved and read in linear time.
const (
	firstBlock = 16 << 10
	nextBlock  = 32 << 10
	largeBlock = 256 << 10
)

// blockAfter is how many bytes to read next when read bytes of a window are.
func blockAfter(read int64) int64 {
	if read == 0 {
		return firstBlock
	}
	return min(max(read/4, nextBlock), largeBlock)
}

// Head calls fn with the lines of the file from its start until fn returns false: the offset, and the bytes without the
// newline, valid during the call. It reads in growing blocks, never more than one behind the last line given. end is the
// offset behind the last line given, its newline included: all before it has been seen. A byte order mark is part of
// the first line, the one at offset 0.
func (f *File) Head(ctx context.Context, fn func(off int64, line []byte) bool) (end int64, err error) {
	return f.LinesFrom(ctx, 0, fn)
}

// LinesFrom is Head from the line that starts at off.
func (f *File) LinesFrom(ctx context.Context, off int64, fn func(off int64, line []byte) bool) (end int64, err error) {
	buf := getBuffer()
	defer putBuffer(buf)
	// have bytes from base are read, belong to one line and lie at pad in buf, where they are as far into a page of memory
	// as into a page of the file.
	base, have := off, int64(0)
	for base+have < f.size {
		if err := ctx.Err(); err != nil {
			return base, err
		}
		pad := base % pageSize
		to := min((base+have+max(blockAfter(base+have-off), have))&^(pageSize-1), f.size)
		*buf = grow((*buf)[:pad+have], int(pad+to-base))
		if _, err := f.ReadAt((*buf)[pad+have:], base+have); err != nil {
			return base, err
		}
		b, look := (*buf)[pad:], have
		for {
			nl := bytes.IndexByte(b[look:], '\n')
			if nl < 0 {
				break
			}
			line := b[:look+int64(nl)]
			next := base + int64(len(line)) + 1
			if !fn(base, line) {
				return next, nil
			}
			b, base, look = b[len(line)+1:], next, 0
		}
		have = int64(len(b))
		copy((*buf)[base%pageSize:], b)
	}
	if have > 0 {
		pad := base % pageSize
		fn(base, (*buf)[pad:pad+have])
	}
	return base + have, nil
}

// Tail calls fn with the lines of the file from its end backwards until fn returns false, as Head. A last line without
// its newline is a line. start is the offset of the last line given, which is the first in the file: all from there on
// has been seen. Where Head has gone before, its end says which lines were given twice.
func (f *File) Tail(ctx context.Context, fn func(off int64, line []byte) bool) (start int64, err error) {
	var few [64]int
	ends := few[:0]
	start = f.size
	_, err = f.TailRuns(ctx, func(off int64, run []byte) bool {
		// Forwards, since a search for the last newline goes byte by byte.
		ends = ends[:0]
		for i := 0; i < len(run); i++ {
			nl := bytes.IndexByte(run[i:], '\n')
			if nl < 0 {
				nl = len(run) - i
			}
			i += nl
			ends = append(ends, i)
		}
		for k, end := range slices.Backward(ends) {
			first := 0
			if k > 0 {
				first = ends[k-1] + 1
			}
			start = off + int64(first)
			if !fn(start, run[first:end]) {
				return false
			}
		}
		return true
	})
	return start, err
}

// TailRuns is Tail for runs of whole lines, as many as a block holds: it calls fn with the offset of a run and its bytes,
// newlines included. start is the offset of the last run given.
func (f *File) TailRuns(ctx context.Context, fn func(off int64, run []byte) bool) (start int64, err error) {
	buf := getBuffer()
	defer putBuffer(buf)
	// All from end on is given; [base, end) is read, belongs to one line and lies at low in buf.
	base, end := f.size, f.size
	low := int64(0)
	for base > 0 {
		if err := ctx.Err(); err != nil {
			return end, err
		}
		from := max(0, base-max(blockAfter(f.size-base), end-base)) &^ (pageSize - 1)
		n := base - from
		low = moveUp(buf, low, end-base, n) - n
		if _, err := f.ReadAt((*buf)[low:low+n], from); err != nil {
			return end, err
		}
		b := (*buf)[low : low+end-from]
		first := int64(0) // of the whole lines
		if from > 0 {
			first = int64(bytes.IndexByte(b[:n], '\n')) + 1
		}
		base = from
		if from > 0 && first == 0 || from+first == end {
			continue // there is none
		}
		end = from + first
		if !fn(end, b[first:]) {
			break
		}
	}
	return end, nil
}

// moveUp makes room for n bytes below the part bytes that lie at low in *buf and returns where those lie then. The n
// bytes will start on a page of memory, as they do in the file.
func moveUp(buf *[]byte, low, part, n int64) int64 {
	if low >= n && (low-n)%pageSize == 0 {
		return low
	}
	to := *buf
	if int64(len(to)) < part+n+pageSize {
		to = make([]byte, max(part+n+pageSize, int64(2*len(to))))
	}
	up := (int64(len(to))-part-n)&^(pageSize-1) + n
	copy(to[up:], (*buf)[low:low+part])
	*buf = to
	return up
}
