package list

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/scope"
	"csift/pkg/target"
	"csift/pkg/transcript"
)

// account is what stats knows of one transcript.
type account struct {
	*target.Transcript
	lines, blank, skipped, joined int
	types                         tally
	turns                         int
	lost                          scope.Chain
	counts
	bill    bill // what its answers cost, each once
	atLeast bool // one of them never stated its final usage
}

// piece is what one chunk of a transcript gave.
type piece struct {
	part             transcript.Part
	types            tally
	records, damaged int
	counts           counts
}

// statsReader reads transcripts whole, in as many goroutines as the machine has.
type statsReader struct {
	slow      bool
	window    scope.Window
	models    *models
	crossings int // the budget of --cross-compactions
}

// windowed reports whether only a part of each transcript is asked for.
func (o *statsReader) windowed() bool { return o.window.Narrow() }

// statsWorker is the state of one goroutine.
type statsWorker struct {
	*statsReader
	counter
	buf []byte // a small transcript

	walk transcript.Walker // the first pass: structure, census and counts
	cur  *piece
	free replies // scratch of the first pass

	again transcript.Walker // the second: counts of what is selected, with the structure known
	only  *selection
	base  int32 // lines before the chunk
	sink  *counts
}

func (o *statsReader) worker() *statsWorker {
	w := &statsWorker{statsReader: o, counter: counter{models: modelReader{all: o.models}}}
	w.walk.Record = func(r *record.Record, _ transcript.Loc) {
		w.cur.records++
		w.cur.types.add(r.Type)
		if !w.twice() {
			w.counter.record(&w.cur.counts, r, false)
		}
	}
	w.walk.Damage = func([]byte, transcript.Loc, bool) { w.cur.damaged++ }
	w.again.Record = func(r *record.Record, loc transcript.Loc) {
		loc.Line += w.base
		turn, ok := w.only.has(r, loc)
		if !ok {
			return
		}
		_, copied := w.only.s.CopyOf(loc.Line, loc.Part)
		if w.counter.record(w.sink, r, copied) && turn >= 0 {
			w.sink.turn(turn)
		}
	}
	return w
}

// twice says that every transcript is read a second time: what is counted depends on its structure. Without a window
// only one with replay copies is.
func (o *statsReader) twice() bool { return o.slow || o.windowed() }

// read reads all transcripts. One that cannot be read has no account and an error.
func (o *statsReader) read(ctx context.Context, ts []target.Transcript, done *atomic.Int64) ([]*account, []error) {
	accounts, errs := make([]*account, len(ts)), make([]error, len(ts))
	workers := make([]*statsWorker, 1)
	if !o.slow {
		workers = make([]*statsWorker, max(1, runtime.GOMAXPROCS(0)))
	}
	for i := range workers {
		workers[i] = o.worker()
	}
	var next atomic.Int64
	var mu sync.Mutex
	var large []int // for all workers, one after the other
	var wg sync.WaitGroup
	for _, w := range workers[:min(len(workers), len(ts))] {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(ts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				var later bool
				accounts[i], later, errs[i] = w.small(ctx, &ts[i])
				if later {
					mu.Lock()
					large = append(large, i)
					mu.Unlock()
					continue
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	for _, i := range large {
		if ctx.Err() != nil {
			break
		}
		accounts[i], errs[i] = o.large(ctx, workers, &ts[i])
		done.Add(1)
	}
	return accounts, errs
}

// small reads a transcript in one goroutine. later says that it is one for all of them.
func (w *statsWorker) small(ctx context.Context, t *target.Transcript) (a *account, later bool, err error) {
	f, err := jsonl.Options{Slow: w.slow}.Open(t.Path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	switch {
	case w.slow:
		a, err = w.account(ctx, t, f.NumChunks(), chunksOf(f, []*statsWorker{w}))
		return a, false, err
	case f.Size() >= jsonl.BigFile:
		return nil, true, nil
	}
	err = f.Whole(&w.buf, func(b []byte) (err error) {
		a, err = w.account(ctx, t, 1, func(_ context.Context, fn func(*statsWorker, jsonl.Chunk)) error {
			if len(b) > 0 {
				fn(w, jsonl.Chunk{B: b, First: true, Last: true})
			}
			return nil
		})
		return err
	})
	return a, false, err
}

// large reads a transcript with all workers.
func (o *statsReader) large(ctx context.Context, workers []*statsWorker, t *target.Transcript) (*account, error) {
	f, err := jsonl.Open(t.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return o.account(ctx, t, f.NumChunks(), chunksOf(f, workers))
}

// chunks calls fn for every chunk of a transcript, from several goroutines, each with a worker of its own.
type chunks func(ctx context.Context, fn func(*statsWorker, jsonl.Chunk)) error

func chunksOf(f *jsonl.File, workers []*statsWorker) chunks {
	return func(ctx context.Context, fn func(*statsWorker, jsonl.Chunk)) error {
		return f.Chunks(ctx, len(workers), func(n int, c jsonl.Chunk) error {
			fn(workers[n], c)
			return nil
		})
	}
}

// account reads a transcript of n chunks: once for its lines, its structure and what all its records come to, and again
// where only some of them count.
func (o *statsReader) account(ctx context.Context, t *target.Transcript, n int, each chunks) (*account, error) {
	pieces := make([]*piece, n)
	err := each(ctx, func(w *statsWorker, c jsonl.Chunk) {
		p := &piece{}
		p.counts.replies = w.free
		w.cur, w.walk.InLane = p, t.IsSubagent
		w.walk.Chunk(c, &p.part)
		w.free = p.counts.replies
		p.counts.replies = w.free.take()
		pieces[c.Seq] = p
	})
	if err != nil {
		return nil, err
	}
	a := &account{Transcript: t}
	bases := make([]int32, n) // lines before each chunk
	var parts []*transcript.Part
	records, damaged := 0, 0
	for seq, p := range pieces {
		bases[seq] = int32(a.lines)
		if p == nil {
			continue
		}
		parts = append(parts, &p.part)
		a.lines += p.part.Lines
		a.blank += p.part.Blank
		records += p.records
		damaged += p.damaged
		a.types.merge(&p.types)
	}
	a.skipped, a.joined = damaged, records+damaged+a.blank-a.lines
	s := transcript.Join(parts, t.IsSubagent)
	s.Cross(o.crossings)
	a.turns = s.Turns()
	a.lost.Add(s.Chain())
	if !o.twice() && a.lost.Copies == 0 {
		for _, p := range pieces {
			if p != nil {
				a.counts.merge(&p.counts)
			}
		}
		a.bill, a.atLeast = a.counts.bill(o.models)
		return a, nil
	}
	some := make([]counts, n)
	sel := o.selection(s)
	err = each(ctx, func(w *statsWorker, c jsonl.Chunk) {
		w.only, w.base, w.sink, w.again.InLane = sel, bases[c.Seq], &some[c.Seq], t.IsSubagent
		w.again.Chunk(c, &transcript.Part{})
	})
	for i := range some {
		a.counts.merge(&some[i])
	}
	if o.windowed() {
		a.turns = len(a.counts.in)
	}
	a.bill, a.atLeast = a.counts.bill(o.models)
	return a, err
}

// selection is what the window leaves of a transcript.
func (o *statsReader) selection(s *transcript.Structure) *selection {
	sel := &selection{Window: &o.window, s: s}
	sel.lo, sel.hi = o.window.Of(s.Turns())
	return sel
}
