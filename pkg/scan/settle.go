package scan

import (
	"cmp"
	"context"
	"slices"

	"csift/pkg/addr"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// settling is the second pass over one file: what its lines found is confirmed with all that is known of the file.
type settling struct {
	*runner
	file  *File
	res   *FileResult
	s     *transcript.Structure
	read  readLine
	turns window
	only  *selection // nil: everything

	pending []*transcript.Pending // dialogs of the sidecar that match
}

// readLine gives the bytes that hold the record at a place, see transcript.Loc.Span; it may use buf for them.
type readLine func(l transcript.Loc, buf *[]byte) ([]byte, error)

// window is a range over turns, resolved; lo > hi is empty.
type window struct {
	all    bool
	lo, hi int
}

// settle turns what the pieces of a file found into hits and turns. structure is called only when something was found.
func (r *runner) settle(ctx context.Context, i int, pieces []*piece, workers []*worker, structure func() (*transcript.Structure, error),
	read readLine) error {
	res := &r.res[i]
	line, n := 0, 0
	whole := len(r.files[i].Parts) > 0 || r.files[i].Related != nil // the structure is needed, however little was found
	for _, p := range pieces {
		if p == nil {
			continue
		}
		res.Skipped += p.bad
		for _, l := range p.hurt[:min(len(p.hurt), MostHurt-len(res.Hurt))] {
			res.Hurt = append(res.Hurt, line+int(l))
		}
		res.Damaged += len(p.hurt)
		line += p.part.Lines
		n += len(p.found) + len(p.maybe)
		res.Unresolved += p.unresolved
		res.Partly += p.partly
		whole = whole || p.loose || p.part.HasPlans()
		res.unread += p.unread
	}
	pending := r.pending(workers[0], res)
	n += len(pending)
	if !whole && int64(n) < r.q.enough() {
		res.Records, res.Exchanges, res.Merged = n, min(n, 1), len(pending)
		return nil
	}
	offsets(pieces)
	s, err := structure()
	if err != nil {
		return err
	}
	s.Cross(r.q.Crossings)
	st := &settling{runner: r, file: &r.files[i], res: res, s: s, read: read, turns: window{all: true}, pending: pending}
	if r.q.Turn != nil {
		st.turns = resolveTurns(*r.q.Turn, s)
	}
	if err := st.choose(); err != nil {
		return err
	}
	found, err := st.confirm(ctx, pieces, workers)
	if err != nil {
		return err
	}
	if found, err = st.remaining(ctx, found, pieces, workers); err != nil {
		return err
	}
	return st.group(found, workers[0])
}

// offsets numbers the lines of what was found within the file.
func offsets(pieces []*piece) {
	line := int32(0)
	for _, p := range pieces {
		if p == nil {
			continue
		}
		for k := range p.found {
			p.found[k].loc.Line += line
		}
		for k := range p.maybe {
			p.maybe[k].Line += line
		}
		line += int32(p.part.Lines)
	}
}

func resolveTurns(spec addr.Spec, s *transcript.Structure) window {
	lo, hi, ok := spec.Resolve(s.Turns())
	if !ok {
		return window{lo: 1, hi: 0}
	}
	return window{lo: lo, hi: hi}
}

// has reports whether a unit is in the window. Abandoned units are numbered behind the turns, and so in none but all.
func (w window) has(unit int) bool { return w.all || (unit >= w.lo && unit <= w.hi) }

// confirm gives the records that match with context and pass every filter, in file order.
func (st *settling) confirm(ctx context.Context, pieces []*piece, workers []*worker) ([]found, error) {
	n := 0
	for _, p := range pieces {
		if p != nil {
			n += len(p.found)
		}
	}
	out := make([]found, 0, n)
	for _, p := range pieces {
		if p != nil {
			out = append(out, p.found...)
			p.found = nil
		}
	}
	out = st.withRefusals(out)
	keep := make([]bool, len(out))
	err := parallel(ctx, len(out), len(workers), func(n, k int) error {
		f := &out[k]
		if !st.selected(f) {
			return nil
		}
		if st.firm(f) {
			keep[k] = true
			return nil
		}
		ok, err := st.again(workers[n], f)
		keep[k] = ok
		return err
	})
	if err != nil {
		return nil, err
	}
	kept := out[:0]
	for k := range out {
		if keep[k] {
			kept = append(kept, out[k])
		}
	}
	return kept, nil
}

// firm reports whether a record that matches by itself does so whatever else the file holds.
func (st *settling) firm(f *found) bool { return !st.q.Filter.Any() && !f.loose && !st.depends(f) }

// selected reports whether a record is in the part of the file that was asked for. It fills in the unit.
func (st *settling) selected(f *found) bool {
	unit := st.s.Unit(f.loc.Line, f.loc.Part)
	f.unit = int32(unit)
	return st.turns.has(unit) && st.file.relates(f.loc) && (st.only == nil || st.only.has(f.loc, unit))
}

// load reads a record once more.
func (st *settling) load(w *worker, l transcript.Loc) error {
	line, err := st.read(l, &w.line)
	if err != nil {
		return err
	}
	return w.decode(line, l)
}

func (w *worker) decode(line []byte, l transcript.Loc) error {
	if !l.Decode(line, &w.rec) {
		return transcript.ErrMoved
	}
	return nil
}

// again reads the record once more and matches it with its context.
func (st *settling) again(w *worker, f *found) (bool, error) {
	if err := st.load(w, f.loc); err != nil {
		return false, err
	}
	return st.matches(w, f), nil
}

// matches matches the record that was loaded with its context.
func (st *settling) matches(w *worker, f *found) bool {
	c := w.contexts.Of(st.s, f.loc)
	f.at = instant(&w.rec)
	if !st.q.timely(f.at) {
		return false
	}
	if st.q.unread {
		_, ok := w.overlooked(&w.rec, c)
		return ok
	}
	hit, _ := w.matches(&w.rec, c, st.s.Abandoned(f.loc.Line, f.loc.Part))
	return hit
}

// withRefusals adds the refusals whose plan pointer names a path: it stands on another line, so the refusal's own line
// cannot tell whether it matches.
func (st *settling) withRefusals(in []found) []found {
	if len(st.s.Plans) == 0 || len(st.s.Refused) == 0 {
		return in
	}
	have := map[transcript.Loc]bool{}
	for _, f := range in {
		have[f.loc] = true
	}
	for _, l := range st.s.Refused {
		if !have[l] {
			in = append(in, found{loc: l, at: NoTime})
		}
	}
	slices.SortFunc(in, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.loc.Line, b.loc.Line), cmp.Compare(a.loc.Part, b.loc.Part))
	})
	return in
}

// depends reports whether a record's text depends on another line.
func (st *settling) depends(f *found) bool {
	if len(st.s.Plans) == 0 {
		return false
	}
	_, ok := slices.BinarySearchFunc(st.s.Refused, f.loc, func(a, b transcript.Loc) int { return cmp.Compare(a.Off, b.Off) })
	return ok
}

// group counts the hits, by unit or by axis, and keeps them where they are asked for.
func (st *settling) group(hits []found, w *worker) error {
	dialogs := st.chosen()
	st.res.Records = len(hits) + len(dialogs)
	if st.res.Records > 0 && (st.q.Exchanges || st.q.Count != NoAxis || st.q.Chain) {
		c := st.s.Chain()
		st.res.Chain = &c
	}
	if st.q.Count != NoAxis {
		return st.census(hits, dialogs, w)
	}
	units := map[int32]int64{}
	if st.q.Exchanges {
		st.res.hits = make([]Hit, 0, len(hits)+len(dialogs))
	}
	for k := range hits {
		unit := hits[k].unit
		at, seen := units[unit]
		if !seen || (hits[k].at != NoTime && (at == NoTime || hits[k].at < at)) {
			units[unit] = hits[k].at
		}
		if st.q.Exchanges {
			st.res.hits = append(st.res.hits, Hit{Loc: hits[k].loc, Unit: unit})
		}
	}
	st.addPending(dialogs, units)
	st.res.Exchanges = len(units)
	if !st.q.Exchanges || len(units) == 0 {
		return nil
	}
	for unit := range units {
		if t, ok := when.Stamp(st.s.OpenedAt(int(unit))); ok {
			units[unit] = when.Nanos(t)
		}
	}
	st.res.Structure, st.res.instants, st.res.Dialogs = st.s, units, st.dialogs()
	return nil
}

// exchanges makes the exchanges of one file, in the order of their units.
func exchanges(i int, f *FileResult) []Exchange {
	hits := f.hits
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Unit, b.Unit) })
	out := make([]Exchange, 0, len(f.instants))
	for len(hits) > 0 {
		n, u := 1, hits[0].Unit
		for n < len(hits) && hits[n].Unit == u {
			n++
		}
		x := Exchange{File: i, Unit: int(u), Instant: f.instants[u], Hits: transcript.InOrder(f.Structure, int(u), hits[:n:n], func(h Hit) transcript.Loc { return h.Loc })}
		x.Opener, _, x.Opened = f.Structure.Opener(int(u))
		out = append(out, x)
		hits = hits[n:]
	}
	f.hits, f.instants = nil, nil
	return out
}

// compareExchanges orders by opening instant, undated last, then by file and unit.
func compareExchanges(a, b Exchange) int {
	if (a.Instant == NoTime) != (b.Instant == NoTime) {
		if a.Instant == NoTime {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.Instant, b.Instant), cmp.Compare(a.File, b.File), cmp.Compare(a.Unit, b.Unit))
}
