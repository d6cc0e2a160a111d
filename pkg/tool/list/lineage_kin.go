package list

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"

	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
	"csift/pkg/when"
)

// trace is what a transcript's lines tell when it is compared with one that has records
// of the same uuids.
type trace struct {
	id    string
	marks []mark // in the order of the file
	// Of each record the place of its first mark, by key.
	firsts []place
}

// key stands for a uuid, zero for none.
type key uint64

// mark is one record with a uuid or a timestamp.
type mark struct {
	key   key
	at    int64  // its timestamp in ms, 0 for none
	line  int    // 1-based
	names string // its sessionId where that is not the file's own
}

type place struct {
	key key
	at  int // in marks
}

func keyOf(uuid string) key {
	if uuid == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(uuid))
	return key(max(h.Sum64(), 1))
}

// index fills firsts.
func (t *trace) index() {
	for i, m := range t.marks {
		if m.key != 0 {
			t.firsts = append(t.firsts, place{m.key, i})
		}
	}
	slices.SortFunc(t.firsts, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	t.firsts = slices.CompactFunc(t.firsts, func(a, b place) bool { return a.key == b.key })
}

func readTrace(ctx context.Context, path, id string, slow bool) (*trace, error) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
	defer f.Close()
	t := &trace{id: id}
	var rec record.Record
	n := 0
	_, err = f.Head(ctx, func(off int64, line []byte) bool {
		n++
		records(jsonl.Trim(line, off == 0), false, &rec, func(rec *record.Record) {
			m := mark{line: n, key: keyOf(rec.UUID.String())}
			if at, ok := when.Stamp(rec.Timestamp.String()); ok {
				m.at = at.UnixMilli()
			}
			if m.key == 0 && m.at == 0 {
				return
			}
			if len(rec.SessionID) > 0 && !rec.SessionID.Is(id) {
				m.names = rec.SessionID.String()
			}
			t.marks = append(t.marks, m)
		})
		return true
	})
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
	t.index()
	return t, nil
}

// kinship compares two traces: how many records they share, and which file had them
// first: -1 the first one, 1 the second, 0 when nothing tells.
//
// What tells is, in this order: copies that still name the other session (the person's
// records of --fork-session at 2.0.77); copies that were stamped anew (all of 1.0.128's);
// a line that was written while the shared records were, which only the file that they
// were written into can have; and that copies stand in one block, which in the file that
// they come from other lines interrupt (2.1.332).
func kinship(f, g *trace) (shared, older int) {
	var last int64
	var named, stamped int
	in, out := make([]bool, len(f.marks)), make([]bool, len(g.marks)) // the first marks of what is shared
	for i, k := 0, 0; i < len(f.firsts) && k < len(g.firsts); {
		switch x, y := f.firsts[i], g.firsts[k]; {
		case x.key < y.key:
			i++
		case x.key > y.key:
			k++
		default:
			i++
			k++
			a, b := &f.marks[x.at], &g.marks[y.at]
			in[x.at], out[y.at] = true, true
			shared++
			last = max(last, a.at, b.at)
			if a.names == g.id {
				named++
			}
			if b.names == f.id {
				named--
			}
			if a.at != 0 && b.at != 0 {
				stamped += cmp.Compare(a.at, b.at)
			}
		}
	}
	if shared == 0 {
		return 0, 0
	}
	for _, tells := range [...]func() int{
		func() int { return named },
		func() int { return stamped },
		func() int { return g.amid(out, last) - f.amid(in, last) },
		func() int { return f.block(in) - g.block(out) },
	} {
		if n := tells(); n != 0 {
			return shared, cmp.Compare(n, 0)
		}
	}
	return shared, 0
}

// amid is 1 when a line that is not shared is from before the last record that is.
func (t *trace) amid(shared []bool, last int64) int {
	for i := range t.marks {
		m := &t.marks[i]
		if m.at != 0 && m.at < last && !shared[i] && !t.again(m.key, shared) {
			return 1
		}
	}
	return 0
}

// again reports whether a record that stands twice in the file is shared.
func (t *trace) again(k key, shared []bool) bool {
	if k == 0 {
		return false
	}
	n, ok := slices.BinarySearchFunc(t.firsts, k, func(p place, k key) int { return cmp.Compare(p.key, k) })
	return ok && shared[t.firsts[n].at]
}

// block is 1 when the records that are shared stand on lines without a gap.
func (t *trace) block(shared []bool) int {
	first, last, lines := 0, 0, 0
	for i := range t.marks {
		m := &t.marks[i]
		if !shared[i] && !t.again(m.key, shared) {
			continue
		}
		if m.line != last {
			lines++
		}
		if first == 0 {
			first = m.line
		}
		last = m.line
	}
	if lines == last-first+1 {
		return 1
	}
	return 0
}

// relative is a file that shares records with another.
type relative struct {
	file   *file
	shared int
	older  int // -1 when it had them first, 1 when the other had, 0 when that is not told
}
