package target

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/lane"
)

// verdict is how the copies of one transcript compare.
type verdict struct {
	relation string
	keep     int        // index of the copy that stands for all of them
	records  []int      // of each copy, where it was compared
	failed   []copyFail // copies that could not be read
}

type copyFail struct {
	at  int
	err error
}

// merge looks for copies of one transcript (one base name under several directories)
// among the entries that of accepts and leaves one of each group whose content is
// the same as far as it goes. Times of modification play no part: a copy can have
// any.
func (r *resolver) merge(of func(*entry) bool) {
	first := make(map[string]*entry, len(r.entries)) // most have no copies
	byName := map[string][]*entry{}
	for _, e := range r.entries {
		if !of(e) || !e.Subagent && !lane.IsSessionID(e.ID) {
			continue
		}
		name := filepath.Base(e.Path)
		switch one := first[name]; {
		case one == nil:
			first[name] = e
		case byName[name] == nil:
			byName[name] = []*entry{one, e}
		default:
			byName[name] = append(byName[name], e)
		}
	}
	if len(byName) == 0 {
		return
	}
	names := slices.Collect(maps.Keys(byName))
	slices.Sort(names)
	for _, name := range names {
		slices.SortFunc(byName[name], func(a, b *entry) int { return strings.Compare(a.Path, b.Path) })
	}
	verdicts := make([]verdict, len(names))
	lane.Each(len(names), func(i int) { verdicts[i] = compareCopies(byName[names[i]]) })
	for i, name := range names {
		r.apply(name, byName[name], verdicts[i])
	}
	r.entries = slices.DeleteFunc(r.entries, func(e *entry) bool { return e.dropped })
}

// apply removes the merged copies and discloses what was found.
func (r *resolver) apply(name string, group []*entry, v verdict) {
	win := group[v.keep]
	var out []string // the copies left out, for the note
	for i, e := range group {
		for j, o := range group {
			if j != i {
				e.alsoAt = append(e.alsoAt, o.Path)
			}
		}
		e.relation = v.relation
		if i == v.keep || v.relation == Divergent || v.relation == Unknown {
			continue
		}
		win.whole = win.whole || e.whole
		win.addParts(e.narrow)
		r.drop(e)
		if !e.shadow {
			r.set.Duplicates++
			r.set.DuplicateRecordsDropped += v.records[i]
			out = append(out, fmt.Sprintf("%s (%s)", e.Path, plural(v.records[i], "record")))
		}
	}
	switch v.relation {
	case Divergent:
		r.set.Divergent += len(group)
		r.note("%s lies in %d places with different content, and all of them are read: %s", name, len(group), pathsOf(group))
	case Unknown:
		r.set.UnreadableCopies += len(v.failed)
		f := v.failed[0]
		r.note("%s lies in %d places, and nothing was merged because a copy cannot be read: %s: %s",
			name, len(group), group[f.at].Path, lane.Cause(f.err))
	default:
		if len(out) == 0 {
			return
		}
		same := "with the same content"
		if v.relation == Prefix {
			same = "and the longest holds what the others have"
		}
		r.note("%s lies in %d places %s: reading %s, not %s", name, len(group), same, win.Path, strings.Join(out, ", "))
	}
}

func pathsOf(group []*entry) string {
	var out []string
	for _, e := range group {
		out = append(out, e.Path)
	}
	return strings.Join(out, ", ")
}

// drop takes a merged copy out of the answer.
func (r *resolver) drop(e *entry) {
	r.lost[e.Path] = true
	delete(r.byPath, e.Path)
	e.dropped = true
}

// compareCopies compares the longest copy with each of the others over the other's
// length. One that differs makes the group divergent, one that cannot be read makes
// it unknown.
func compareCopies(group []*entry) verdict {
	v := verdict{relation: Identical, records: make([]int, len(group))}
	sizes := make([]int64, len(group))
	for i, e := range group {
		f, err := jsonl.Open(e.Path)
		if err != nil {
			v.failed = append(v.failed, copyFail{i, err})
			continue
		}
		sizes[i] = f.Size()
		f.Close()
	}
	if len(v.failed) > 0 {
		v.relation = Unknown
		return v
	}
	v.keep = longest(group, sizes)
	for i := range group {
		if i == v.keep {
			continue
		}
		same, records, err := startsWith(group[v.keep].Path, group[i].Path, sizes[i])
		switch {
		case err != nil:
			v.relation, v.failed = Unknown, append(v.failed, copyFail{i, err})
			return v
		case !same:
			v.relation = Divergent
			return v
		case sizes[i] < sizes[v.keep]:
			v.relation = Prefix
		}
		v.records[i] = records
	}
	return v
}

// longest gives the largest copy; among equals the one whose directory is named after
// the first cwd that it records, then the first by path.
func longest(group []*entry, sizes []int64) int {
	most := slices.Max(sizes)
	first := -1
	for i, e := range group {
		if sizes[i] != most {
			continue
		}
		if first < 0 {
			first = i
		}
		if o, err := lane.ReadOrigin(e.Path); err == nil && o.CWD != "" && home.Match(projectName(e), home.Encode(o.CWD), false) {
			return i
		}
	}
	return first
}

func projectName(e *entry) string {
	if e.project != nil {
		return e.project.Name
	}
	return filepath.Base(filepath.Dir(e.Path))
}

// startsWith reports whether the file long begins with the first n bytes of the file
// short, and how many records (lines that are not blank) those are.
func startsWith(long, short string, n int64) (same bool, records int, err error) {
	a, err := jsonl.Open(long)
	if err != nil {
		return false, 0, err
	}
	defer a.Close()
	b, err := jsonl.Open(short)
	if err != nil {
		return false, 0, err
	}
	defer b.Close()
	ra, rb := io.NewSectionReader(a, 0, n), io.NewSectionReader(b, 0, n)
	bufA, bufB := make([]byte, 128<<10), make([]byte, 128<<10)
	blank := true // the line under way has no character yet
	for {
		na, errA := io.ReadFull(ra, bufA)
		nb, errB := io.ReadFull(rb, bufB)
		if !bytes.Equal(bufA[:na], bufB[:nb]) {
			return false, 0, nil
		}
		for rest := bufB[:nb]; len(rest) > 0; {
			line, more := rest, []byte(nil)
			end := bytes.IndexByte(rest, '\n')
			if end >= 0 {
				line, more = rest[:end], rest[end+1:]
			}
			if blank && len(bytes.Trim(line, " \t\r\x00")) > 0 {
				blank = false
			}
			if end >= 0 && !blank {
				records++
				blank = true
			}
			rest = more
		}
		for _, e := range []error{errA, errB} {
			if e != nil && !errors.Is(e, io.EOF) && !errors.Is(e, io.ErrUnexpectedEOF) {
				return false, 0, e
			}
		}
		if errB != nil {
			if !blank {
				records++
			}
			return true, records, nil
		}
	}
}
