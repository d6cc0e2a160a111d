package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Options chooses how a transcript is read. Slow is the oracle: one goroutine and plain reads.
type Options struct {
	InLane  bool // the file is a subagent's own transcript
	Slow    bool
	Workers int // 0: as many as the machine has
}

// File is an open transcript. Its Structure is learned once, when first needed.
type File struct {
	*jsonl.File
	opt Options
	s   *Structure
}

// Open opens a transcript; nothing is read yet.
func Open(path string, opt Options) (*File, error) {
	f, err := jsonl.Options{Slow: opt.Slow}.Open(path)
	if err != nil {
		return nil, err
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	return &File{File: f, opt: opt}, nil
}

// Structure walks the file once, with as many goroutines as the options allow, and keeps what it learned.
func (f *File) Structure(ctx context.Context) (*Structure, error) {
	if f.s != nil {
		return f.s, nil
	}
	j := NewJoiner(f.Size(), f.opt.InLane)
	walkers := make([]Walker, max(1, f.opt.Workers))
	err := f.Chunks(ctx, f.opt.Workers, func(worker int, c jsonl.Chunk) error {
		w := &walkers[worker]
		w.InLane = f.opt.InLane
		p := j.Part()
		w.Chunk(c, p)
		j.Add(p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.s = j.Structure()
	return f.s, nil
}

// ErrMoved says that a record is no longer where it was: the file was written anew.
var ErrMoved = errors.New("the file changed while it was being read")

// Line reads the line at a place into buf, without its newline. It is an error that wraps ErrMoved when no line stands
// there any more from end to end.
func (f *File) Line(loc Loc, buf []byte) ([]byte, error) {
	from, to := max(loc.Off-1, 0), min(loc.Off+int64(loc.Len)+1, f.Size())
	if loc.Off > f.Size() || to-loc.Off < int64(loc.Len) {
		return buf, f.moved(loc)
	}
	n := int(to - from)
	if cap(buf) < n {
		buf = make([]byte, n+n/4)
	}
	buf = buf[:n]
	if n > 0 {
		if _, err := f.ReadAt(buf, from); err != nil {
			return buf, err
		}
	}
	before, line := buf[:loc.Off-from], buf[loc.Off-from:]
	after := line[loc.Len:]
	if line = line[:loc.Len]; len(before) > 0 && before[0] != '\n' || len(after) > 0 && after[0] != '\n' || bytes.IndexByte(line, '\n') >= 0 {
		return buf, f.moved(loc)
	}
	return line, nil
}

func (f *File) moved(loc Loc) error {
	return fmt.Errorf("%s: line %d: %w", f.Path(), loc.Line, ErrMoved)
}

// Record reads the record at a place. The record points into the returned buffer, which may be passed in again.
func (f *File) Record(loc Loc, r *record.Record, buf []byte) ([]byte, error) {
	buf, err := f.bytes(loc, buf)
	if err != nil {
		return buf, err
	}
	if !loc.Decode(buf, r) {
		return buf, f.moved(loc)
	}
	return buf, nil
}

// bytes reads what holds the record at a place: its line, or its part of a line that it shares.
func (f *File) bytes(loc Loc, buf []byte) ([]byte, error) {
	if loc.Size == 0 {
		return f.Line(loc, buf)
	}
	off, n := loc.Span()
	if off+int64(n) > f.Size() {
		return buf, f.moved(loc)
	}
	if cap(buf) < n {
		buf = make([]byte, n+n/4)
	}
	buf = buf[:n]
	if _, err := f.ReadAt(buf, off); err != nil {
		return buf, err
	}
	if bytes.IndexByte(buf, '\n') >= 0 {
		return buf, f.moved(loc)
	}
	return buf, nil
}
