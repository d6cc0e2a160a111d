package jsonl

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrShrank says that a file became shorter than it was when it was opened, so that bytes already counted on are gone:
// its writer cut it or wrote it anew. It comes wrapped in an *fs.PathError that names the file.
var ErrShrank = errors.New("file shrank while it was being read")

// errNotRegular is given for directories, pipes and devices: opening one could block for ever.
var errNotRegular = errors.New("not a regular file")

const (
	// BigFile is the size in bytes from which Chunks maps a file instead of reading it. Below it Whole is the cheapest way.
	BigFile = 4 << 20

	wholeMap = 128 << 10 // bytes: from there on mapping a file costs less than copying it

	chunkSize = 1 << 20 // bytes: small enough to stay in a core's second-level cache while several passes go over it
	pageSize  = 4 << 10 // a read that does not start on a page boundary of the file copies up to three times slower
)

// Options chooses how files are read. The zero value is right for all but the oracle of the fast paths.
type Options struct {
	Slow bool // plain reads and one goroutine, chunks in file order
}

// File is an open transcript with the size it had when it was opened; what is appended later is not seen. Its methods may
// be called from several goroutines at once. It must be closed.
type File struct {
	Index int // the caller's own number for the file, copied into Chunk.File

	h       handle
	path    string
	size    int64
	written time.Time
	slow    bool
	chunk   int64 // bytes a chunk: chunkSize but in tests
	mapFrom int64 // size from which Chunks maps it: BigFile but in tests

	wholeFrom int64 // size from which Whole maps it: wholeMap but in tests
}

// stat is what a file is asked when it is opened.
type stat struct {
	size    int64
	written time.Time
}

// Open opens a regular file for reading. Errors are *fs.PathError.
func Open(path string) (*File, error) { return Options{}.Open(path) }

// Open is the function Open under these options.
func (o Options) Open(path string) (*File, error) {
	h, st, err := openHandle(path)
	if err != nil {
		return nil, err
	}
	return &File{h: h, path: path, size: st.size, written: st.written, slow: o.Slow, chunk: chunkSize, mapFrom: BigFile, wholeFrom: wholeMap}, nil
}

// Close closes the file. No other call may be running.
func (f *File) Close() error { return f.h.close() }

// Path is the path the file was opened by.
func (f *File) Path() string { return f.path }

// Size is how many bytes the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Written is when the file had last been written when it was opened.
func (f *File) Written() time.Time { return f.written }

// ReadAt fills p from offset off, as io.ReaderAt, within the size at open: io.EOF there, ErrShrank before it.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	var end error
	if off < 0 {
		return 0, f.failed(fs.ErrInvalid)
	}
	if left := max(0, f.size-off); int64(len(p)) > left {
		p, end = p[:left], io.EOF
	}
	n := 0
	for n < len(p) {
		k, err := f.h.readAt(p[n:], off+int64(n))
		n += max(0, k)
		if n == len(p) {
			break
		}
		if err == io.EOF || err == nil && k <= 0 {
			err = ErrShrank
		}
		if err != nil {
			return n, f.failed(err)
		}
	}
	return n, end
}

// ReadLine returns the line that starts at off, without its newline, in buf if it fits there. At the end of the file it
// returns io.EOF.
func (f *File) ReadLine(off int64, buf []byte) ([]byte, error) {
	if off >= f.size {
		return nil, io.EOF
	}
	for have, block := 0, int64(firstBlock); ; block *= 2 {
		n := int(min(int64(have)+block, f.size-off))
		buf = grow(buf[:have], n)
		if _, err := f.ReadAt(buf[have:], off+int64(have)); err != nil {
			return nil, err
		}
		if nl := bytes.IndexByte(buf[have:], '\n'); nl >= 0 {
			return buf[:have+nl], nil
		}
		if off+int64(n) == f.size {
			return buf, nil
		}
		have = n
	}
}

// Whole calls fn with the whole file as it was at open, read into buf, which grows, or mapped: it is valid during the call
// and only in the calling goroutine. It is meant for files below BigFile that are scanned one a worker. A file that shrinks
// meanwhile is ErrShrank, whatever fn gave.
func (f *File) Whole(buf *[]byte, fn func(b []byte) error) error {
	if !f.slow && f.size >= f.wholeFrom && f.size > 0 {
		if m, unmap, err := f.h.mapFile(f.size); err == nil {
			defer unmap()
			var failed error
			if err := f.guard(m, func() { failed = fn(m) }); err != nil {
				return err
			}
			if st, err := f.h.stat(); err == nil && st.size < f.size {
				return f.failed(ErrShrank)
			}
			return failed
		}
	}
	b, err := ReadAll(f, *buf)
	if *buf = b; err != nil {
		return err
	}
	return fn(b)
}

// ReadAll reads the whole file as it was at open, into buf if that is large enough.
func ReadAll(f *File, buf []byte) ([]byte, error) {
	if int64(cap(buf)) < f.size {
		// Some slack, so that a run over many files settles on one buffer.
		buf = make([]byte, f.size+f.size/4)
	}
	n, err := f.ReadAt(buf[:f.size], 0)
	return buf[:n], err
}

// failed names the file in an error of reading it.
func (f *File) failed(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return err
	}
	return &os.PathError{Op: "read", Path: f.path, Err: err}
}
