package scan

import (
	"context"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"csift/pkg/jsonl"
	"csift/pkg/match"
	"csift/pkg/transcript"
)

// runner is one run over many files.
type runner struct {
	q       *Query
	files   []File
	res     []FileResult
	workers []*worker
	done    atomic.Int64 // bytes read, for the progress line
	seen    atomic.Bool  // some record matched
	blind   bool         // see Query.blind
}

// Run searches the files. An error of one file stands in its FileResult and the others are answered; the error that Run
// returns is that of a cancelled context.
func Run(ctx context.Context, files []File, q *Query, progress *atomic.Int64) (*Result, error) {
	if q.Workers <= 0 {
		q.Workers = runtime.GOMAXPROCS(0)
	}
	r := &runner{q: q, files: files, res: make([]FileResult, len(files))}
	var pre *match.Prefilter
	if q.Slow {
		q.Workers = 1
	} else {
		pre = q.Match.Prefilter(q.marks())
	}
	for range q.Workers {
		r.workers = append(r.workers, newWorker(q, pre, &r.seen))
	}
	r.blind = pre != nil && q.blind()
	if err := r.all(ctx, progress); err != nil {
		return nil, err
	}
	return r.result(), nil
}

// all reads the files: the big ones one after the other, each with all workers, then the small ones one a worker.
func (r *runner) all(ctx context.Context, progress *atomic.Int64) error {
	big, small := r.bySize()
	for _, i := range big {
		r.res[i].Err = r.big(ctx, i)
		note(progress, 1)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var fell jsonl.Fall
	for _, w := range r.workers {
		wg.Go(func() {
			defer fell.Catch()
			for ctx.Err() == nil {
				k := int(next.Add(1) - 1)
				if k >= len(small) {
					return
				}
				i := small[k]
				r.res[i].Err = r.small(ctx, w, i)
				note(progress, 1)
			}
		})
	}
	wg.Wait()
	fell.Again()
	return ctx.Err()
}

func note(progress *atomic.Int64, n int64) {
	if progress != nil {
		progress.Add(n)
	}
}

// bySize splits the files at the size from which one file is worth all workers. A file that cannot be looked at is small:
// opening it gives the error.
func (r *runner) bySize() (big, small []int) {
	if r.q.Slow {
		for i := range r.files {
			small = append(small, i)
		}
		return nil, small
	}
	for i := range r.files {
		if info, err := os.Stat(r.files[i].Transcript); err == nil && info.Size() >= jsonl.BigFile {
			big = append(big, i)
		} else {
			small = append(small, i)
		}
	}
	return big, small
}

// open opens one file for the workers that will search it. What lies beside it is read before it, so that a dialog that is
// answered in between is not missed.
func (r *runner) open(ctx context.Context, i int, workers ...*worker) (*jsonl.File, error) {
	r.sidecar(ctx, i)
	f, err := jsonl.Options{Slow: r.q.Slow}.Open(r.files[i].Transcript)
	if err != nil {
		return nil, err
	}
	if err := r.res[i].side.DropNative(ctx, f); err != nil {
		f.Close()
		return nil, err
	}
	r.outputs(i, workers...)
	return f, nil
}

// small searches one file in one goroutine.
func (r *runner) small(ctx context.Context, w *worker, i int) error {
	f, err := r.open(ctx, i, w)
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Size() >= jsonl.BigFile {
		return r.search(ctx, f, i, []*worker{w})
	}
	return f.Whole(&w.buf, func(b []byte) error { return r.whole(ctx, w, i, b) })
}

// whole searches one file, given all of it.
func (r *runner) whole(ctx context.Context, w *worker, i int, b []byte) error {
	c := jsonl.Chunk{B: b, First: true, Last: true}
	p := w.chunk(c, r.files[i].IsSubagent, new(atomic.Int64))
	return r.settle(ctx, i, []*piece{p}, []*worker{w}, func() (*transcript.Structure, error) {
		if !p.whole {
			p.part = transcript.Part{}
			walk := transcript.Walker{InLane: r.files[i].IsSubagent}
			walk.Chunk(c, &p.part)
		}
		return transcript.Join([]*transcript.Part{&p.part}, r.files[i].IsSubagent), nil
	}, func(l transcript.Loc, _ *[]byte) ([]byte, error) {
		off, n := l.Span()
		return b[off : off+int64(n)], nil
	})
}

// big searches one file with all workers.
func (r *runner) big(ctx context.Context, i int) error {
	f, err := r.open(ctx, i, r.workers...)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.search(ctx, f, i, r.workers)
}

func (r *runner) search(ctx context.Context, f *jsonl.File, i int, workers []*worker) error {
	inLane := r.files[i].IsSubagent
	pieces := make([]*piece, f.NumChunks())
	var hits atomic.Int64
	err := f.EachChunk(ctx, len(workers), func(n int, c jsonl.Chunk) {
		pieces[c.Seq] = workers[n].chunk(c, inLane, &hits)
	})
	if err != nil {
		return err
	}
	structure := func() (*transcript.Structure, error) {
		walks := make([]transcript.Walker, len(workers))
		err := f.EachChunk(ctx, len(workers), func(n int, c jsonl.Chunk) {
			if p := pieces[c.Seq]; !p.whole {
				p.part = transcript.Part{}
				walks[n].InLane = inLane
				walks[n].Chunk(c, &p.part)
			}
		})
		if err != nil {
			return nil, err
		}
		var parts []*transcript.Part
		for _, p := range pieces {
			if p != nil {
				parts = append(parts, &p.part)
			}
		}
		return transcript.Join(parts, inLane), nil
	}
	read := func(l transcript.Loc, buf *[]byte) ([]byte, error) { return lineAt(f, l, buf) }
	return r.settle(ctx, i, pieces, workers, structure, read)
}

func lineAt(f *jsonl.File, l transcript.Loc, buf *[]byte) ([]byte, error) {
	off, size := l.Span()
	if cap(*buf) < size {
		*buf = make([]byte, size+size/4)
	}
	line := (*buf)[:size]
	if len(line) == 0 {
		return line, nil
	}
	if n, err := f.ReadAt(line, off); n < len(line) {
		return nil, err
	}
	return line, nil
}

// result puts the files' answers together.
func (r *runner) result() *Result {
	out := &Result{Files: r.res, matched: r.seen.Load() || r.blind}
	for i := range r.res {
		f := &r.res[i]
		out.Matched += f.Exchanges
		out.Records += f.Records
		out.Excluded += f.excluded
		if r.q.Exchanges {
			out.Exchanges = append(out.Exchanges, exchanges(i, f)...)
		}
	}
	if r.q.Count != NoAxis {
		out.Counts = census(r.q.Count, r.files, r.res)
	}
	slices.SortStableFunc(out.Exchanges, compareExchanges)
	return out
}
