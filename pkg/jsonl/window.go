package jsonl

import (
	"bytes"
	"context"
)

// A window starts with one small block, since most of what is looked for stands in the first or last few lines, and goes
// on in larger ones. No block is shorter than what is already known of the line it continues, so that a long line is
// moved and read in linear time.
const (
	firstBlock = 16 << 10
	largeBlock = 256 << 10
)

// Head calls fn with the lines of the file from its start until fn returns false: the offset, and the bytes without the
// newline, valid during the call. It reads in growing blocks, never more than one behind the last line given. end is the
// offset behind the last line given, its newline included: all before it has been seen. A byte order mark is part of
// the first line, the one at offset 0.
func (f *File) Head(ctx context.Context, fn func(off int64, line []byte) bool) (end int64, err error) {
	return f.LinesFrom(ctx, 0, fn)
}

// LinesFrom is Head from the line that starts at off.
func (f *File) LinesFrom(ctx context.Context, off int64, fn func(off int64, line []byte) bool) (end int64, err error) {
	buf := getBuffer(int(min(f.size, firstBlock)))
	defer putBuffer(buf)
	base, have, block := off, int64(0), int64(firstBlock) // have bytes from base are read and belong to one line
	for base+have < f.size {
		if err := ctx.Err(); err != nil {
			return base, err
		}
		to := min((base+have+max(block, have))&^(pageSize-1), f.size)
		if _, err := f.fill(buf, have, base, to); err != nil {
			return base, err
		}
		block = min(block*4, largeBlock)
		b, look := *buf, have
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
		copy(*buf, b)
	}
	if have > 0 {
		fn(base, (*buf)[:have])
	}
	return base + have, nil
}

// Tail calls fn with the lines of the file from its end backwards until fn returns false, as Head. A last line without
// its newline is a line. start is the offset of the last line given, which is the first in the file: all from there on
// has been seen. Where Head has gone before, its end says which lines were given twice.
func (f *File) Tail(ctx context.Context, fn func(off int64, line []byte) bool) (start int64, err error) {
	buf := getBuffer(int(min(f.size, firstBlock+pageSize)))
	defer putBuffer(buf)
	var few [64]int64
	newlines := few[:0]
	// All from end on is given; [base, end) is read, lies at the start of buf and belongs to one line.
	base, end, block := f.size, f.size, int64(firstBlock)
	for base > 0 {
		if err := ctx.Err(); err != nil {
			return end, err
		}
		part := end - base
		from := max(0, base-max(block, part)) &^ (pageSize - 1)
		n := base - from
		*buf = grow((*buf)[:part], int(n+part))
		copy((*buf)[n:], (*buf)[:part])
		if _, err := f.ReadAt((*buf)[:n], from); err != nil {
			return end, err
		}
		block = min(block*4, largeBlock)
		// Forwards, since a search for the last newline goes byte by byte.
		newlines = newlines[:0]
		for i := int64(0); i < n; i++ {
			nl := bytes.IndexByte((*buf)[i:n], '\n')
			if nl < 0 {
				break
			}
			i += int64(nl)
			newlines = append(newlines, i)
		}
		for i := len(newlines) - 1; i >= 0; i-- {
			if first := newlines[i] + 1; from+first < end {
				line := (*buf)[first : end-from]
				end = from + first
				if !fn(end, bytes.TrimSuffix(line, newline)) {
					return end, nil
				}
			}
		}
		base = from
	}
	if end > 0 {
		fn(0, bytes.TrimSuffix((*buf)[:end], newline))
	}
	return 0, nil
}

var newline = []byte{'\n'}
