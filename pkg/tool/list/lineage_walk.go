package list

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"csift/pkg/jsonl"
	"csift/pkg/lane"
)

// trace fills in where the sessions that are kept come from. all is every session in
// scope; only kept ones cost reading.
func (a *answer) trace(ctx context.Context, all, kept []*session, whole bool) []*session {
	heads(all)
	if whole {
		kept = a.walk(ctx, all, kept)
	}
	a.sweep(ctx, kept)
	return kept
}

// transcriptsIn lists the top-level transcripts of a directory.
func (a *answer) transcriptsIn(dir string) (paths []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		a.env.Unread(dir, err)
	}
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && lane.IsSessionID(stem) && (e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// each runs fn for 0 to n-1, several at a time unless the simple way is asked for.
func (a *answer) each(n int, fn func(i int)) {
	if !a.env.Slow {
		lane.Each(n, fn)
		return
	}
	for i := range n {
		fn(i)
	}
}

// file is a transcript that is walked: one that is kept, or one that may share records
// with such a one.
type file struct {
	path, id string
	s        *session  // nil when it is not kept
	met      []string  // the uuids that others begin with or go on from
	began    time.Time // its first timestamp, zero for none
	err      error
}

// walk reads every transcript in scope, and those beside it, whole: the lines of the kept
// ones for what they say themselves, all of them for the records that tie one to another.
func (a *answer) walk(ctx context.Context, all, kept []*session) []*session {
	want := map[string]bool{}
	for _, s := range kept {
		if !s.IsSubagent {
			for _, uuid := range [...]string{s.open.first.uuid, s.open.user.uuid, s.open.first.parent} {
				if uuid != "" {
					want[uuid] = true
				}
			}
		}
	}
	files := a.files(all, kept, want)
	var done atomic.Int64
	progress := a.env.Progress(func() string { return progressLine(int(done.Load()), len(files)) })
	a.each(len(files), func(i int) {
		if ctx.Err() == nil {
			files[i].read(ctx, a.env.Slow, want)
		}
		done.Add(1)
	})
	progress.Stop()
	if ctx.Err() != nil {
		return kept
	}
	for _, f := range files {
		a.env.Unread(f.path, f.err)
	}
	kept = slices.DeleteFunc(slices.Clone(kept), func(s *session) bool { return s.whole == nil })
	a.kin(ctx, files)
	return kept
}

// files gives what walk reads: the kept transcripts, and where any of them could be tied
// to others, the sessions of the scope and of its directories.
func (a *answer) files(all, kept []*session, want map[string]bool) (files []*file) {
	known := map[string]bool{}
	add := func(path, id string, s *session) {
		if !known[path] {
			known[path] = true
			files = append(files, &file{path: path, id: id, s: s})
		}
	}
	for _, s := range kept {
		add(s.Path, s.ID, s)
	}
	if len(want) == 0 {
		return files
	}
	for _, s := range all {
		if !s.IsSubagent {
			add(s.Path, s.ID, nil)
		}
	}
	dirs := map[string]bool{}
	for _, s := range kept {
		if dir := filepath.Dir(s.Path); !s.IsSubagent && !dirs[dir] {
			dirs[dir] = true
			for _, path := range a.transcriptsIn(dir) {
				add(path, lane.Of(path).ID, nil)
			}
		}
	}
	return files
}

func (f *file) read(ctx context.Context, slow bool, want map[string]bool) {
	h, err := jsonl.Options{Slow: slow}.Open(f.path)
	if err == nil {
		defer h.Close()
		w := whole{want: want, own: []string{f.id}}
		if f.s != nil {
			w.own, w.from = append(w.own, f.s.ParentID), f.s.keyed()
		}
		if err = w.walk(ctx, h); err == nil {
			f.met, f.began = w.met, w.began
			if f.s != nil {
				f.s.whole = &w
			}
			return
		}
	}
	f.err = lane.FileError{Path: f.path, Err: err}
}

// others gives the files of other sessions that hold one of some records, each once.
func (f *file) others(holders map[string][]*file, uuids ...string) (out []*file) {
	for _, uuid := range uuids {
		for _, o := range holders[uuid] {
			if uuid != "" && o.id != f.id && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// kin finds the forks among files that have been walked.
func (a *answer) kin(ctx context.Context, files []*file) {
	holders := map[string][]*file{}
	for _, f := range files {
		for _, uuid := range f.met {
			holders[uuid] = append(holders[uuid], f)
		}
	}
	groups := map[*file][]*file{} // of a kept file those that share records with it, or that it goes on from
	var compared []*file
	crowd := false
	for _, f := range files {
		s := f.s
		if s == nil || s.IsSubagent || s.whole == nil {
			continue
		}
		s.forked, s.maybe = nil, nil
		if id := s.keyed(); id != "" {
			s.forked = &forked{SessionID: &id, Basis: basisKey, Records: &s.whole.copied}
			continue
		}
		group := f.others(holders, s.open.first.uuid, s.open.user.uuid)
		if parent := s.open.first.parent; len(group) == 0 && !slices.Contains(holders[parent], f) {
			group = f.others(holders, parent)
		}
		if len(group) > maxKin {
			group = oldestFiles(group)
			crowd = true
		}
		if len(group) > 0 {
			groups[f] = group
			compared = append(compared, f)
			compared = append(compared, group...)
		}
	}
	if crowd {
		a.env.Note("more than %d sessions begin with the same record: forks were compared with the %d that begin earliest", maxKin, maxKin)
	}
	t := a.traces(ctx, compared)
	for _, f := range files {
		if group := groups[f]; len(group) > 0 && ctx.Err() == nil {
			t.judge(f, group)
		}
	}
}

// maxKin is with how many others a file is compared. Where one session was forked more
// often than that, comparing all with all would take longer than reading them.
const maxKin = 64

// oldestFiles gives the maxKin files of a group that begin earliest.
func oldestFiles(group []*file) []*file {
	slices.SortFunc(group, func(x, y *file) int { return cmp.Or(x.began.Compare(y.began), strings.Compare(x.path, y.path)) })
	return group[:maxKin]
}

// traces are the traces of files, and what comparing them gave.
type traces struct {
	of    map[*file]*trace
	older map[[2]*file]relative
}

func (a *answer) traces(ctx context.Context, files []*file) *traces {
	slices.SortFunc(files, func(x, y *file) int { return strings.Compare(x.path, y.path) })
	files = slices.Compact(files)
	got, errs := make([]*trace, len(files)), make([]error, len(files))
	a.each(len(files), func(i int) {
		got[i], errs[i] = readTrace(ctx, files[i].path, files[i].id, a.env.Slow)
	})
	t := &traces{of: map[*file]*trace{}, older: map[[2]*file]relative{}}
	for i, f := range files {
		if errs[i] != nil {
			a.env.Unread(f.path, errs[i])
			got[i] = &trace{id: f.id}
		}
		t.of[f] = got[i]
	}
	return t
}

// compare says how o is related to f.
func (t *traces) compare(o, f *file) relative {
	if r, ok := t.older[[2]*file{o, f}]; ok {
		return r
	}
	r := relative{file: o}
	r.shared, r.older = kinship(t.of[o], t.of[f])
	t.older[[2]*file{o, f}], t.older[[2]*file{f, o}] = r, relative{f, r.shared, -r.older}
	return r
}

// judge says which of a group of files f was forked from.
func (t *traces) judge(f *file, group []*file) {
	s := f.s
	var all []relative
	for _, o := range group {
		if r := t.compare(o, f); r.shared > 0 {
			all = append(all, r)
		}
	}
	if len(all) > 0 {
		s.forked, s.maybe = t.pick(all)
		return
	}
	one := 1
	s.forked = &forked{Basis: basisParent, Records: &one}
	for _, o := range group {
		if o.id == s.open.first.session {
			s.forked.SessionID = &o.id
			return
		}
	}
	if s.forked.SessionID = t.oldest(group); s.forked.SessionID == nil {
		s.maybe = idsOf(group)
	}
}

// pick chooses the session that a file was forked from among those it shares records
// with: the one with the most, of equal ones the oldest. Where none is known to be older
// than the file, the answer names none.
func (t *traces) pick(all []relative) (f *forked, maybe []string) {
	pool := slices.DeleteFunc(slices.Clone(all), func(r relative) bool { return r.older >= 0 })
	sure := len(pool) > 0
	if !sure {
		pool = slices.DeleteFunc(slices.Clone(all), func(r relative) bool { return r.older > 0 })
	}
	if len(pool) == 0 {
		return nil, nil
	}
	most := 0
	for _, r := range pool {
		most = max(most, r.shared)
	}
	var best []*file
	for _, r := range pool {
		if r.shared == most {
			best = append(best, r.file)
		}
	}
	f = &forked{Basis: basisShared, Records: &most}
	if sure {
		f.SessionID = t.oldest(best)
	}
	if f.SessionID == nil {
		maybe = idsOf(best)
	}
	return f, maybe
}

// oldest gives the session whose file is older than all the others, nil when that is not
// told.
func (t *traces) oldest(pool []*file) *string {
next:
	for _, r := range pool {
		for _, o := range pool {
			if o.id != r.id && t.compare(r, o).older >= 0 {
				continue next
			}
		}
		return &r.id
	}
	return nil
}

func idsOf(files []*file) (out []string) {
	for _, f := range files {
		out = append(out, f.id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
