package list

import (
	"cmp"
	"context"
	"hash/fnv"

	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
	"csift/pkg/when"
)

// trace is what a transcript's lines tell when it is compared with one that has records
// of the same uuids.
type trace struct {
	id    string
	marks []mark
	first map[key]int // of each record the place of its first mark
}

// key stands for a uuid, zero for none.
type key [16]byte

// mark is one record with a uuid or a timestamp.
type mark struct {
	key   key
	at    int64  // its timestamp in ms, 0 for none
	line  int    // 1-based
	names string // its sessionId where that is not the file's own
}

func keyOf(uuid string) (k key) {
	if uuid == "" {
		return k
	}
	h := fnv.New128a()
	h.Write([]byte(uuid))
	h.Sum(k[:0])
	return k
}

func readTrace(ctx context.Context, path, id string, slow bool) (*trace, error) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
	defer f.Close()
	t := &trace{id: id, first: map[key]int{}}
	var rec record.Record
	n := 0
	_, err = f.Head(ctx, func(off int64, line []byte) bool {
		n++
		records(jsonl.Trim(line, off == 0), false, &rec, func(rec *record.Record) {
			m := mark{line: n, key: keyOf(rec.UUID.String())}
			if at, ok := when.Stamp(rec.Timestamp.String()); ok {
				m.at = at.UnixMilli()
			}
			if m.key == (key{}) && m.at == 0 {
				return
			}
			if len(rec.SessionID) > 0 && !rec.SessionID.Is(id) {
				m.names = rec.SessionID.String()
			}
			if _, twice := t.first[m.key]; !twice && m.key != (key{}) {
				t.first[m.key] = len(t.marks)
			}
			t.marks = append(t.marks, m)
		})
		return true
	})
	if err != nil {
		return nil, lane.FileError{Path: path, Err: err}
	}
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
	for i := range f.marks {
		a := &f.marks[i]
		k, ok := g.first[a.key]
		if !ok || a.key == (key{}) || f.first[a.key] != i {
			continue
		}
		b := &g.marks[k]
		shared++
		last = max(last, a.at, b.at)
		if a.names == g.id {
			named++
		}
		if b.names == f.id {
			named--
		}
		if a.at != 0 && b.at != 0 && stamped == 0 {
			stamped = cmp.Compare(a.at, b.at)
		}
	}
	if shared == 0 {
		return 0, 0
	}
	for _, tells := range [...]int{
		named, stamped, amid(g, f, last) - amid(f, g, last), block(f, g) - block(g, f),
	} {
		if tells != 0 {
			return shared, cmp.Compare(tells, 0)
		}
	}
	return shared, 0
}

// amid is 1 when f has a line of its own from before the last record that it shares
// with g.
func amid(f, g *trace, last int64) int {
	for i := range f.marks {
		m := &f.marks[i]
		if _, shared := g.first[m.key]; m.at != 0 && m.at < last && (m.key == (key{}) || !shared) {
			return 1
		}
	}
	return 0
}

// block is 1 when the records that f shares with g stand on lines without a gap.
func block(f, g *trace) int {
	first, last, lines := 0, 0, 0
	for i := range f.marks {
		m := &f.marks[i]
		if _, shared := g.first[m.key]; !shared || m.key == (key{}) {
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
