package fileops

import (
	"bytes"
	"context"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"csift/pkg/jsonl"
	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/shell"
	"csift/pkg/transcript"
)

// pass is one run over many transcripts: what is looked for, and the gates before it.
type pass struct {
	opt  Options
	gate *match.Prefilter // finds the bytes of a transcript that is worth reading at all; nil: each is
	want *match.Prefilter // finds the lines that are parsed; nil: each is
	// see is called for every record that is parsed, and gives what is worth keeping of it.
	see func(w *worker, r *record.Record, loc transcript.Loc) []find
	// tell makes the answer of one transcript of what was found in it, in file order.
	tell func(t *telling) error
}

// find is something about files that a record says, as far as the record tells by itself.
type find struct {
	loc   transcript.Loc
	kind  findKind
	stamp string // timestamp of the record
	tool  string // of a call
	id    string // of a call or a result: tool use id
	path  string // of a call of a file tool: as it is stated
	cwd   string
	ops   []shell.Op // of a call of Bash
	vers  []version  // of a file-history line
	diff  *bashDiff  // of a result
	weak  bool       // it counts only beside others, see pass.tell
	in    span       // of a call: its input
}

// span is a run of bytes of a file; n is 0 for none.
type span struct {
	off int64
	n   int
}

// spanOf gives where a value of the record under way stands in the file. A record may hold thousands of calls: what one of
// them says is read again from there, and not from the whole of it.
func (w *worker) spanOf(v record.Raw) span {
	if len(v) == 0 || len(w.bytes) == 0 {
		return span{}
	}
	return span{w.base + int64(jsonl.Within(w.bytes, v)), len(v)}
}

func strong(f find) bool { return !f.weak }

type findKind uint8

const (
	aCall findKind = iota + 1
	aResult
	aVersion
	anAttachment
)

// worker is the state of one goroutine.
type worker struct {
	*pass
	walk transcript.Walker
	buf  []byte // a small transcript
	cur  *piece
	rec  record.Record

	bytes []byte // the chunk that is walked, which starts at base in its file
	base  int64
	next  int64 // where want finds something next; -1: not looked for yet
}

// piece is what one chunk of a transcript gave.
type piece struct {
	part  transcript.Part
	finds []find
}

func (p *pass) worker() *worker {
	w := &worker{pass: p}
	w.walk.Record = func(r *record.Record, loc transcript.Loc) {
		w.cur.finds = append(w.cur.finds, w.see(w, r, loc)...)
	}
	w.walk.Want = w.wanted
	return w
}

// wanted reports whether a line may say something about files. Lines are asked for in the order of the chunk.
func (w *worker) wanted(l transcript.Loc) bool {
	if w.want == nil {
		return true
	}
	if w.next < l.Off {
		w.next = math.MaxInt64
		if k := w.want.Index(w.bytes[l.Off-w.base:]); k >= 0 {
			w.next = l.Off + int64(k)
		}
	}
	return w.next <= l.Off+int64(l.Len)
}

func (w *worker) chunk(c jsonl.Chunk, inLane bool) *piece {
	p := &piece{}
	w.cur, w.walk.InLane = p, inLane
	w.bytes, w.base, w.next = c.B, c.Off, -1
	w.walk.Chunk(c, &p.part)
	w.cur, w.bytes = nil, nil
	return p
}

// probe reports whether a line that the gate finds tells something by itself: most that mention a name do not.
func (w *worker) probe(c jsonl.Chunk) bool {
	for at := 0; at < len(c.B); {
		k := w.gate.Index(c.B[at:])
		if k < 0 {
			return false
		}
		k += at
		from := bytes.LastIndexByte(c.B[at:k], '\n') + 1 + at
		end := len(c.B)
		if n := bytes.IndexByte(c.B[k:], '\n'); n >= 0 {
			end = k + n
		}
		line := jsonl.Trim(c.B[from:end], c.First && from == 0)
		parts := [][]byte{line}
		if !record.Decode(line, &w.rec) {
			parts, _ = record.Split(line)
		}
		for _, part := range parts {
			if record.Decode(part, &w.rec) && slices.ContainsFunc(w.see(w, &w.rec, transcript.Loc{}), strong) {
				return true
			}
		}
		at = end + 1
	}
	return false
}

// all reads the transcripts: the big ones one after the other, each with all workers, the small ones one a worker.
func (p *pass) all(ctx context.Context, srcs []Source) []error {
	errs := make([]error, len(srcs))
	workers := make([]*worker, 1)
	if !p.opt.Slow {
		workers = make([]*worker, max(1, runtime.GOMAXPROCS(0)))
	}
	for i := range workers {
		workers[i] = p.worker()
	}
	big, small := p.bySize(srcs)
	for _, i := range big {
		if errs[i] = ctx.Err(); errs[i] == nil {
			errs[i] = p.one(ctx, i, srcs[i], workers)
		}
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var fell jsonl.Fall
	for _, w := range workers {
		wg.Go(func() {
			defer fell.Catch()
			for k := int(next.Add(1)) - 1; k < len(small); k = int(next.Add(1)) - 1 {
				i := small[k]
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = p.one(ctx, i, srcs[i], []*worker{w})
				}
			}
		})
	}
	wg.Wait()
	fell.Again()
	return errs
}

// bySize splits the transcripts at the size from which one is worth all workers.
func (p *pass) bySize(srcs []Source) (big, small []int) {
	for i := range srcs {
		if info, err := os.Stat(srcs[i].Path); !p.opt.Slow && err == nil && info.Size() >= jsonl.BigFile {
			big = append(big, i)
		} else {
			small = append(small, i)
		}
	}
	return big, small
}

// one reads one transcript.
func (p *pass) one(ctx context.Context, i int, src Source, workers []*worker) error {
	if p.opt.Done != nil {
		defer p.opt.Done()
	}
	f, err := jsonl.Options{Slow: p.opt.Slow}.Open(src.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	t := &telling{pass: p, index: i, src: src, file: f}
	if w := workers[0]; len(workers) == 1 && f.Size() < jsonl.BigFile {
		return f.Whole(&w.buf, func(b []byte) error {
			t.bytes = b
			return t.read(ctx, 1, src.InLane, func(fn func(w *worker, c jsonl.Chunk)) error {
				if len(b) > 0 {
					fn(w, jsonl.Chunk{B: b, First: true, Last: true})
				}
				return nil
			})
		})
	}
	return t.read(ctx, f.NumChunks(), src.InLane, func(fn func(w *worker, c jsonl.Chunk)) error {
		return f.EachChunk(ctx, len(workers), func(n int, c jsonl.Chunk) { fn(workers[n], c) })
	})
}

// asks reports whether the structure of the transcript is needed whatever is found in it.
func (s *Source) asks() bool { return s.Turned || len(s.Wanted) > 0 }

// telling is one transcript while it is read.
type telling struct {
	*pass
	index int
	src   Source
	file  *jsonl.File
	bytes []byte // all of a small transcript
	line  []byte // one line of a big one

	first   string // see start
	started bool

	s       *transcript.Structure
	finds   []find
	lines   int
	skipped int
	rec     record.Record
	stamps  map[transcript.Loc]string // see stampAt
}

// read walks the transcript where it is worth it, and tells what it found.
func (t *telling) read(ctx context.Context, n int, inLane bool, each func(fn func(w *worker, c jsonl.Chunk)) error) error {
	var lines, unframed, hit atomic.Int64
	if t.gate == nil || t.src.asks() {
		hit.Add(1)
	} else if err := each(func(w *worker, c jsonl.Chunk) {
		n, _, bad := jsonl.Census(c.B, c.First)
		lines.Add(int64(n))
		unframed.Add(int64(bad))
		if hit.Load() == 0 && w.probe(c) {
			hit.Add(1)
		}
	}); err != nil {
		return err
	}
	pieces := make([]*piece, n)
	if hit.Load() > 0 {
		if err := each(func(w *worker, c jsonl.Chunk) { pieces[c.Seq] = w.chunk(c, inLane) }); err != nil {
			return err
		}
		lines.Store(0)
		unframed.Store(0)
	}
	var parts []*transcript.Part
	line := int32(0)
	for _, p := range pieces {
		if p == nil {
			continue
		}
		for k := range p.finds {
			p.finds[k].loc.Line += line
		}
		t.finds = append(t.finds, p.finds...)
		line += int32(p.part.Lines)
		lines.Add(int64(p.part.Lines))
		unframed.Add(int64(p.part.Unframed))
		parts = append(parts, &p.part)
	}
	t.lines, t.skipped = int(lines.Load()), int(unframed.Load())
	if t.src.asks() || slices.ContainsFunc(t.finds, strong) {
		t.s = transcript.Join(parts, inLane)
		t.s.Cross(t.opt.Crossings)
		t.skipped += t.s.Damaged
	}
	return t.tell(t)
}

// at reads some bytes of the file. They are valid until the next call.
func (t *telling) at(off int64, size int) ([]byte, error) {
	if t.bytes != nil {
		return t.bytes[off : off+int64(size)], nil
	}
	if cap(t.line) < size {
		t.line = make([]byte, size+size/4)
	}
	line := t.line[:size]
	if len(line) > 0 {
		if n, err := t.file.ReadAt(line, off); n < len(line) {
			return nil, err
		}
	}
	return line, nil
}

// record reads the record at a place again. It is valid until the next call.
func (t *telling) record(l transcript.Loc) (*record.Record, error) {
	line, err := t.at(l.Span())
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(line, '\n') >= 0 || !l.Decode(line, &t.rec) {
		return nil, transcript.ErrMoved
	}
	return &t.rec, nil
}
