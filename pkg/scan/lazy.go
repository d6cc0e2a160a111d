package scan

import (
	"context"
	"sync/atomic"
)

// A query that only counts turns needs one hit of each. A walk over a whole chunk knows where turns open, nearly: once one
// has a hit, the lines behind it are skimmed, whether they may match or not, and noted. When the file is known, those that
// stand in a unit without a hit after all (a branch, what an answer opened, a chunk's first turn) are looked into. A turn
// without a hit is looked through as ever, so that a pattern that is seldom where its literals are costs no second reading.

// lazy reports whether a query needs but one hit of each unit.
func (q *Query) lazy() bool {
	return !q.Slow && !q.Exchanges && q.Count == NoAxis && !q.Persisted && !q.unread
}

// remaining looks into the records that were put off, as far as their unit has no hit, and adds one or a few hits for
// each unit that has one.
func (st *settling) remaining(ctx context.Context, hits []found, pieces []*piece, workers []*worker) ([]found, error) {
	done := make([]atomic.Bool, max(1, st.s.Units()))
	for k := range hits {
		done[hits[k].unit].Store(true)
	}
	var open []found
	for _, p := range pieces {
		if p == nil {
			continue
		}
		for _, l := range p.maybe {
			if f := (found{loc: l}); st.selected(&f) && !done[f.unit].Load() {
				open = append(open, f)
			}
		}
		p.maybe = nil
	}
	keep := make([]bool, len(open))
	err := parallel(ctx, len(open), len(workers), func(n, k int) error {
		f := &open[k]
		if done[f.unit].Load() {
			return nil
		}
		ok, err := st.late(workers[n], f)
		if ok {
			keep[k] = true
			done[f.unit].Store(true)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for k := range open {
		if keep[k] {
			hits = append(hits, open[k])
		}
	}
	return hits, nil
}

// late matches a record that was put off, first by itself, as record does, then with its context where that decides.
func (st *settling) late(w *worker, f *found) (bool, error) {
	line, err := st.read(f.loc, &w.line)
	if err != nil || !w.holds(line) && !st.depends(f) {
		return false, err
	}
	if err := w.decode(line, f.loc); err != nil || !w.q.reads(&w.rec) {
		return false, err
	}
	if st.depends(f) {
		return st.matches(w, f), nil
	}
	hit := false
	if hit, f.loose = w.matches(&w.rec, nil, false); !hit || st.firm(f) {
		return hit, nil
	}
	return st.matches(w, f), nil
}
