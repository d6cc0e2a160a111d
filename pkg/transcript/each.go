package transcript

import (
	"context"
	"sort"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Workers is how many goroutines a walk of the file may use.
func (f *File) Workers() int { return max(1, f.opt.Workers) }

// EachRecord calls fn with every whole record of the file and its place, in any order, from up to Options.Workers
// goroutines; worker says which. The record is valid during the call.
func (f *File) EachRecord(ctx context.Context, fn func(worker int, r *record.Record, loc Loc)) error {
	ix, err := f.Index(ctx)
	if err != nil {
		return err
	}
	walkers := make([]Walker, f.Workers())
	return f.Chunks(ctx, f.Workers(), func(worker int, c jsonl.Chunk) error {
		w := &walkers[worker]
		above := ix.above(c.Off)
		w.InLane = f.opt.InLane
		w.Record = func(r *record.Record, loc Loc) {
			loc.Line += above
			fn(worker, r, loc)
		}
		w.Chunk(c, &Part{})
		return nil
	})
}

// above gives how many lines stand before a chunk.
func (ix *LineIndex) above(off int64) int32 {
	i := sort.Search(len(ix.marks), func(i int) bool { return ix.marks[i].off >= off })
	return int32(ix.marks[i].line - 1)
}
