package jsonl

import (
	"bytes"
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Chunk is a run of whole lines of a file, about 1 MB of them.
type Chunk struct {
	File  int    // File.Index
	Seq   int    // its place in the file; numbers may be missing where a line spans several chunks
	Off   int64  // offset of B in the file
	B     []byte // every line ends with a newline, but for the last of the file; valid only during the call
	First bool   // B starts the file (a byte order mark may lead it)
	Last  bool   // B ends the file
}

// NumChunks is how many values Chunk.Seq can take: 0 to NumChunks-1.
func (f *File) NumChunks() int { return int((f.size + f.chunk - 1) / f.chunk) }

// Chunks calls fn once for every chunk of the file, in any order, from up to workers goroutines (in the calling one when
// one is enough); worker, below workers, says which, so that fn can keep state for each. Each line belongs to the chunk in
// which it starts, so a line longer than a chunk makes its chunk longer. An empty file has no chunks.
//
// The first error of fn, or of reading, stops the scan and is returned, naming the file when it is about reading. A file
// that shrinks meanwhile is ErrShrank, and chunks that fn has seen by then may have held NULs. fn must not pass B to
// another goroutine or to a system call: B may be mapped memory, which only the calling goroutine is guarded to read.
func (f *File) Chunks(ctx context.Context, workers int, fn func(worker int, c Chunk) error) error {
	s := scan{f: f, ctx: ctx, fn: fn}
	if !f.slow && f.size >= f.mapFrom && f.size > 0 {
		// What cannot be mapped (a network file system may refuse) is read.
		if m, unmap, err := f.h.mapFile(f.size); err == nil {
			s.m = m
			defer unmap()
		}
	}
	if workers = min(workers, f.NumChunks()); workers <= 1 || f.slow {
		s.work(0)
	} else {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() { s.work(w) })
		}
		wg.Wait()
	}
	if s.m != nil && s.err == nil {
		// A cut within the last page of the map does not fault: the bytes behind it read as NULs.
		if st, err := f.h.stat(); err == nil && st.size < f.size {
			return f.failed(ErrShrank)
		}
	}
	return s.err
}

// scan is one run of Chunks.
type scan struct {
	f    *File
	ctx  context.Context
	fn   func(worker int, c Chunk) error
	m    []byte // the file as a map; nil: it is read
	next atomic.Int64

	mu    sync.Mutex
	err   error // of the first chunk, in file order, that failed
	errAt int64
}

func (s *scan) work(worker int) {
	if s.m == nil {
		buf := getBuffer()
		defer putBuffer(buf)
		s.chunks(worker, func(k int64) (Chunk, error) { return s.f.readChunk(k, buf) })
		return
	}
	at := int64(-1)
	err := s.f.guard(s.m, func() {
		s.chunks(worker, func(k int64) (Chunk, error) {
			at = k
			return s.f.mapChunk(k, s.m), nil
		})
	})
	if err != nil {
		s.fail(at, err)
	}
}

// chunks takes chunks from the common counter until none is left.
func (s *scan) chunks(worker int, load func(k int64) (Chunk, error)) {
	n := int64(s.f.NumChunks())
	for {
		k := s.next.Add(1) - 1
		if k >= n {
			return
		}
		if err := s.ctx.Err(); err != nil {
			s.fail(k, err)
			return
		}
		c, err := load(k)
		if err == nil && len(c.B) > 0 {
			c.File, c.Seq = s.f.Index, int(k)
			c.First, c.Last = c.Off == 0, c.Off+int64(len(c.B)) == s.f.size
			err = s.fn(worker, c)
		}
		if err != nil {
			s.fail(k, err)
			return
		}
	}
}

func (s *scan) fail(at int64, err error) {
	s.next.Store(int64(s.f.NumChunks())) // nobody starts another chunk
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil || at < s.errAt {
		s.err, s.errAt = err, at
	}
}

// guard runs fn, which reads the map m, and turns the memory fault that reading behind a cut end raises into an error.
// It holds for the calling goroutine only. Any other panic goes on.
func (f *File) guard(m []byte, fn func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		fault, ok := r.(interface{ Addr() uintptr })
		if !ok || !within(m, fault.Addr()) {
			panic(r)
		}
		err = f.failed(ErrShrank)
		if st, e := f.h.stat(); e == nil && st.size >= f.size {
			err = f.failed(errFault)
		}
	}()
	fn()
	return nil
}

// mapChunk finds the lines that start in chunk k. Its search for the first one stays inside the chunk: the bytes of a
// very long line are looked at once by the chunk that owns it and once by those it spans.
func (f *File) mapChunk(k int64, m []byte) Chunk {
	start := k * f.chunk
	end := min(start+f.chunk, f.size)
	if start > 0 {
		nl := bytes.IndexByte(m[start-1:end-1], '\n')
		if nl < 0 {
			return Chunk{}
		}
		start += int64(nl)
	}
	if nl := bytes.IndexByte(m[end-1:f.size], '\n'); nl >= 0 {
		end += int64(nl)
	} else {
		end = f.size
	}
	return Chunk{Off: start, B: m[start:end:end]}
}

// slack is how far behind a chunk a read looks for the end of its last line at once.
const slack = 16 << 10

// readChunk is mapChunk by plain reads into *buf, which grows as needed.
func (f *File) readChunk(k int64, buf *[]byte) (Chunk, error) {
	from := k * f.chunk
	end := min(from+f.chunk, f.size)
	base := max(0, from-pageSize) // the byte before the chunk tells whether a line starts with it
	have, err := f.fill(buf, 0, base, min(end+slack, f.size))
	if err != nil {
		return Chunk{}, err
	}
	start := from
	if from > 0 {
		nl := bytes.IndexByte((*buf)[from-1-base:end-1-base], '\n')
		if nl < 0 {
			return Chunk{}, nil
		}
		start += int64(nl)
	}
	for look := end - 1; ; {
		if nl := bytes.IndexByte((*buf)[look-base:have-base], '\n'); nl >= 0 {
			end = look + int64(nl) + 1
			break
		}
		if have == f.size {
			end = f.size
			break
		}
		look = have
		if have, err = f.fill(buf, have-base, base, min(have+max(slack, have-start), f.size)); err != nil {
			return Chunk{}, err
		}
	}
	return Chunk{Off: start, B: (*buf)[start-base : end-base : end-base]}, nil
}

// fill reads the file from base+have to end behind the have bytes of *buf that are there already. It returns end.
func (f *File) fill(buf *[]byte, have, base, end int64) (int64, error) {
	*buf = grow((*buf)[:have], int(end-base))
	if _, err := f.ReadAt((*buf)[have:], base+have); err != nil {
		return 0, err
	}
	return end, nil
}
