package list

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
)

// clearWindow is how far the checkpoint of the session that /clear ended may stand from
// the wrapper in the session that it began, in milliseconds. Seen: 11 (2.1.258), 266
// (2.1.332).
const clearWindow = 2000

// sibling is what the whole of a transcript says to others of its directory.
type sibling struct {
	id     string
	closes []int64  // the instants at which its cost-state lines close it, in ms
	holds  []string // the uuids of its own compaction boundaries; not of one it begins with
}

// sweeper reads siblings for the transcripts of one directory.
type sweeper struct {
	opts jsonl.Options
	rec  record.Record
}

// The types of the lines that a sweep is for, as they stand on a line.
var (
	costState       = []byte("cost-state")
	compactBoundary = []byte("compact_boundary")
	anEscape        = []byte(`\u00`) // of an ASCII character: it may hide one of them
)

// sweep reads all of one transcript.
func (w *sweeper) sweep(ctx context.Context, path string) (*sibling, error) {
	f, err := w.opts.Open(path)
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
	defer f.Close()
	sib := &sibling{id: lane.Of(path).ID}
	begun := false
	_, err = f.Head(ctx, func(off int64, line []byte) bool {
		if begun && !w.opts.Slow && !bytes.Contains(line, costState) && !bytes.Contains(line, compactBoundary) && !bytes.Contains(line, anEscape) {
			return true
		}
		records(jsonl.Trim(line, off == 0), false, &w.rec, func(rec *record.Record) {
			switch {
			case rec.Type.Is("cost-state"):
				if at, ok := closing(rec); ok {
					sib.closes = append(sib.closes, at)
				}
			case begun && rec.Type.Is("system") && rec.Subtype.Is("compact_boundary") && len(rec.UUID) > 0:
				sib.holds = append(sib.holds, rec.UUID.String())
			}
			begun = begun || len(rec.Timestamp) > 0
		})
		return true
	})
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
	return sib, nil
}

// closing gives the instant at which a cost-state line closes its session: the ledger's
// start and how long it has run, both in milliseconds.
func closing(rec *record.Record) (int64, bool) {
	var sum float64
	for _, key := range [...]string{"startTime", "totalDuration"} {
		v, err := strconv.ParseFloat(string(rec.Raw.Get(key)), 64)
		if err != nil || v < 0 || v > 1e15 {
			return 0, false
		}
		sum += v
	}
	return int64(sum), true
}

// sweep finds which sessions the given ones were cloned from or cleared: siblings of the
// same directory, whose files are read whole.
func (a *answer) sweep(ctx context.Context, sessions []*session) {
	byDir := map[string][]*session{}
	var dirs []string
	for _, s := range sessions {
		if !s.IsSubagent && (s.cloned() || s.minted()) {
			dir := filepath.Dir(s.Path)
			if byDir[dir] == nil {
				dirs = append(dirs, dir)
			}
			byDir[dir] = append(byDir[dir], s)
		}
	}
	for _, dir := range dirs {
		paths := a.transcriptsIn(dir)
		sibs, errs := make([]*sibling, len(paths)), make([]error, len(paths))
		a.each(len(paths), func(i int) {
			w := sweeper{opts: jsonl.Options{Slow: a.env.Slow}}
			sibs[i], errs[i] = w.sweep(ctx, paths[i])
		})
		if ctx.Err() != nil {
			return
		}
		for i, err := range errs {
			a.env.Unread(paths[i], err)
		}
		sibs = slices.DeleteFunc(sibs, func(s *sibling) bool { return s == nil })
		for _, s := range byDir[dir] {
			s.join(sibs)
		}
	}
}

// join finds a session's origin among its siblings.
func (s *session) join(sibs []*sibling) {
	if s.cloned() {
		var from []string
		for _, o := range sibs {
			if o.id != s.ID && slices.Contains(o.holds, s.open.boundary) {
				from = append(from, o.id)
			}
		}
		if len(from) == 1 {
			s.cloneOf = from[0]
		}
	}
	if !s.minted() || s.open.wrapped.IsZero() {
		return
	}
	type near struct {
		id   string
		away int64
	}
	var found []near
	at := s.open.wrapped.UnixMilli()
	for _, o := range sibs {
		if o.id == s.ID {
			continue
		}
		best := near{o.id, clearWindow + 1}
		for _, c := range o.closes {
			if abs(c-at) < abs(best.away) {
				best.away = c - at
			}
		}
		if abs(best.away) <= clearWindow {
			found = append(found, best)
		}
	}
	slices.SortStableFunc(found, func(x, y near) int { return cmp.Compare(abs(x.away), abs(y.away)) })
	switch {
	case len(found) == 0:
	case len(found) > 1 && abs(found[1].away) == abs(found[0].away):
		for _, f := range found {
			if abs(f.away) == abs(found[0].away) {
				s.tied = append(s.tied, f.id)
			}
		}
		slices.Sort(s.tied)
	default:
		s.clearedFrom, s.distance = found[0].id, found[0].away
	}
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
