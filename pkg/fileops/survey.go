package fileops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/replay"
	"csift/pkg/shell"
	"csift/pkg/transcript"
)

// Survey tells what transcripts did to files. The answers stand in the order of the sources; a transcript that cannot be
// read has none and an error instead. Several transcripts are read at once, and a big one by several goroutines.
func Survey(ctx context.Context, srcs []Source, opt Options) ([]*Changes, []error) {
	out := make([]*Changes, len(srcs))
	p := &pass{opt: opt, see: seeChanges}
	if !opt.Slow {
		p.want = gateOf(fileHistory, `"Edit"`, `"MultiEdit"`, `"Write"`, `"NotebookEdit"`, `"Bash"`, bashDiffKey)
		p.gate = p.want
	}
	p.tell = func(t *telling) error {
		c := &Changes{Facts: t.facts()}
		if c.Found {
			s := survey{telling: t, out: c}
			if err := s.all(); err != nil {
				return err
			}
		}
		out[t.index] = c
		return nil
	}
	return out, p.all(ctx, srcs)
}

// gateOf finds lines with one of a few words that are no pattern. nil is never wrong: every line is looked at then.
func gateOf(word string, raw ...string) *match.Prefilter {
	m, err := match.Compile(word, match.Options{Fixed: true})
	if err != nil {
		return nil
	}
	return m.Prefilter(raw)
}

// seeChanges keeps the calls that change files, and what else names changed files.
func seeChanges(_ *worker, r *record.Record, loc transcript.Loc) (out []find) {
	f := find{loc: loc, stamp: r.Timestamp.String()}
	switch {
	case r.Type.Is("assistant"):
		for i := range r.Blocks {
			b := &r.Blocks[i]
			if !b.Type.Is("tool_use") {
				continue
			}
			f := f
			f.kind, f.id, f.cwd = aCall, b.ID.String(), r.CWD.String()
			if b.Name.Is(bashTool) {
				f.tool, f.ops = bashTool, shell.Ops(b.Input.Get("command").Str().String(), f.cwd)
				if len(f.ops) > 0 {
					out = append(out, f)
				}
				continue
			}
			for name := range tools {
				if b.Name.Is(name) {
					f.tool, f.path = name, calledPath(name, b.Input)
				}
			}
			if f.path != "" {
				out = append(out, f)
			}
		}
	case r.Type.Is("user"):
		if f.diff = readBashDiff(r.Result.Raw); f.diff == nil {
			return nil
		}
		for i := range f.diff.files {
			f.diff.files[i].hunks = nil // bytes of the line
		}
		for i := range r.Blocks {
			if b := &r.Blocks[i]; b.Type.Is("tool_result") {
				f.kind, f.id = aResult, b.ToolUseID.String()
				return append(out, f)
			}
		}
	default:
		if f.vers = versions(r, settingsFile); len(f.vers) > 0 {
			f.kind = aVersion
			return append(out, f)
		}
	}
	return out
}

// survey makes the Changes of one transcript.
type survey struct {
	*telling
	out     *Changes
	copies  map[string][]int            // per uuid that several records carry: the lines of the earlier ones
	diffs   map[callKey]*find           // results that name changed files, by their call
	answers map[transcript.Loc]*results // with more than one
	writes  map[string][]int            // per settings file, with one kind of slash: the lines where a call changed it
}

// callKey is one call: a record may hold several, and several records one id.
type callKey struct {
	loc transcript.Loc
	id  string
}

func (s *survey) all() error {
	s.copies, s.diffs, s.writes, s.answers = map[string][]int{}, map[callKey]*find{}, map[string][]int{}, map[transcript.Loc]*results{}
	if s.s.Copies() > 0 {
		for i := range s.finds {
			if l := s.finds[i].loc; s.copied(l) {
				uuid := s.s.UUID(l.Line, l.Part)
				if n := s.copies[uuid]; len(n) == 0 || n[len(n)-1] != int(l.Line) {
					s.copies[uuid] = append(n, int(l.Line))
				}
			}
		}
	}
	for i := range s.finds {
		if f := &s.finds[i]; f.kind == aResult && !s.copied(f.loc) {
			s.diffs[s.caller(f)] = f
		}
	}
	for i := range s.finds {
		if f := &s.finds[i]; f.kind == aCall && !s.copied(f.loc) {
			if err := s.call(f); err != nil {
				return err
			}
		}
	}
	for i := range s.finds { // of commands whose words name no file
		f := &s.finds[i]
		if f.kind != aResult || s.copied(f.loc) {
			continue
		}
		if k := s.caller(f); s.diffs[k] == f {
			s.changed(k.loc, f, nil)
		}
	}
	s.outside()
	slices.SortStableFunc(s.out.Mutations, func(a, b Mutation) int { return comparePlaces(&a.At, &b.At) })
	slices.SortStableFunc(s.out.Boundaries, func(a, b Boundary) int { return comparePlaces(&a.At, &b.At) })
	return nil
}

func comparePlaces(a, b *replay.Place) int {
	if a.SourceLine != b.SourceLine {
		return a.SourceLine - b.SourceLine
	}
	return a.Part - b.Part
}

// caller gives the call that a result answers: the result itself where it is not in the file.
func (s *survey) caller(f *find) callKey {
	if p := s.s.Call(f.id, f.loc.Line, true); p.Found {
		return callKey{p.Other, f.id}
	}
	return callKey{f.loc, f.id}
}

// copied reports whether the same record stands again later in the file; that one counts.
func (s *survey) copied(l transcript.Loc) bool {
	_, ok := s.s.CopyOf(l.Line, l.Part)
	return ok
}

func (s *survey) call(f *find) error {
	pair := s.s.Call(f.id, f.loc.Line, false)
	at := s.place(f.loc, f.stamp)
	m := Mutation{At: at, Call: f.id, Copies: s.copies[at.UUID]}
	done := int(f.loc.Line)
	if pair.Found {
		l := pair.Other
		m.Done = Record{int(l.Line), s.s.UUID(l.Line, l.Part)}
		done = max(done, m.Done.Line)
	}
	if f.tool == bashTool {
		m.Op, m.Heuristic, m.Errored = Bash, true, pair.Failed
		first := len(s.out.Mutations)
		for _, op := range f.ops {
			m.Path, m.Verb, m.Marker, m.Resolution, m.Verbatim = op.Path, op.Verb, op.Marker, op.Resolution, op.Verbatim
			s.out.Mutations = append(s.out.Mutations, m)
			s.wrote(f, m.Path, done)
		}
		if k := (callKey{f.loc, f.id}); s.diffs[k] != nil {
			s.changed(f.loc, s.diffs[k], s.out.Mutations[first:])
			delete(s.diffs, k)
		}
		return nil
	}
	m.Op, m.Path = tools[f.tool], f.path
	if pair.Found {
		failed, boundary, create, err := s.result(f, pair.Other)
		if err != nil {
			return err
		}
		if boundary != nil {
			s.out.Boundaries = append(s.out.Boundaries, *boundary)
		}
		if failed {
			return nil
		}
		m.Create = create
	}
	s.wrote(f, m.Path, done)
	s.out.Mutations = append(s.out.Mutations, m)
	return nil
}

// wrote notes that a call which was done on a line changed a file.
func (s *survey) wrote(f *find, p string, done int) {
	if settingsFile(p) {
		p = slashes(resolved(p, f.cwd))
		s.writes[p] = append(s.writes[p], int(f.loc.Line), done)
	}
}

// results is what a record with results says of the calls it answers. It is read once, for it may answer thousands.
type results struct {
	n       int
	stamp   string
	create  bool
	refused bool            // the result of the only call, a NotebookEdit, says nowhere else that it failed
	failed  map[string]bool // by the id of the call; true: the file was not as the model had read it
}

// resultsAt reads the record at a place.
func (s *survey) resultsAt(l transcript.Loc) (*results, error) {
	if rs := s.answers[l]; rs != nil {
		return rs, nil
	}
	r, err := s.record(l)
	if err != nil {
		return nil, err
	}
	rs := &results{stamp: r.Timestamp.String(), failed: map[string]bool{}}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.Type.Is("tool_result") {
			continue
		}
		rs.n++
		if id := b.ToolUseID.String(); b.IsError {
			rs.failed[id] = rs.failed[id] || strings.Contains(string(resultText(nil, b)), modifiedSince)
		}
	}
	rs.create, rs.refused = r.Result.Kind.Is("create"), len(r.Result.Raw.Get("error").Str()) > 0
	if rs.n > 1 {
		s.answers[l] = rs
	}
	return rs, nil
}

// result tells what became of a call of a file tool.
func (s *survey) result(f *find, l transcript.Loc) (failed bool, boundary *Boundary, create bool, err error) {
	rs, err := s.resultsAt(l)
	if err != nil {
		return false, nil, false, err
	}
	modified, failed := rs.failed[f.id]
	if modified {
		at := s.place(l, rs.stamp)
		boundary = &Boundary{At: at, Path: f.path, Cause: replay.CauseModifiedSinceRead, Call: f.id,
			Called: Record{int(f.loc.Line), s.s.UUID(f.loc.Line, f.loc.Part)}, Copies: s.copies[at.UUID]}
	}
	if rs.n != 1 {
		return failed, boundary, false, nil
	}
	return failed || f.tool == "NotebookEdit" && rs.refused, boundary, rs.create, nil
}

// named is the Detail of a change by a command that is no guess.
const named = "the result names it"

// changed enters what the result of a command names as changed. rows are what the command's words gave: those that the
// result confirms are no guess any more.
func (s *survey) changed(l transcript.Loc, f *find, rows []Mutation) {
	var more []Mutation
	by := map[string][]int{} // rows per path
	for i := range rows {
		if m := &rows[i]; !m.Marker {
			by[slashes(m.Path)] = append(by[slashes(m.Path)], i)
		}
	}
	stamp := f.stamp // of the call, or of the result where the call is not in the file
	if l != f.loc {
		stamp = s.stampAt(l, stamp)
	}
	for _, d := range f.diff.files {
		these := by[slashes(d.path)]
		for _, i := range these {
			m := &rows[i]
			m.Heuristic, m.Create, m.Detail = false, m.Create || d.created, named
		}
		if len(these) == 0 {
			at := s.place(l, stamp)
			more = append(more, Mutation{At: at, Path: d.path, Op: Bash, Create: d.created, Detail: named, Call: f.id, Copies: s.copies[at.UUID],
				Done: Record{int(f.loc.Line), s.s.UUID(f.loc.Line, f.loc.Part)}})
		}
	}
	s.out.Mutations = append(s.out.Mutations, more...)
}

// outside finds the settings files that were changed by no call: a version rose, and nothing wrote the file since the
// marker before. A number that falls starts a new count, for Claude Code counts anew.
func (s *survey) outside() {
	type mark struct {
		line int
		version
	}
	last := map[string]mark{}
	for _, lines := range s.writes {
		slices.Sort(lines)
	}
	for i := range s.finds {
		f := &s.finds[i]
		for _, v := range f.vers {
			p := v.path(s.start())
			now := mark{int(f.loc.Line), v}
			before, known := last[p]
			last[p] = now
			if !known || v.n <= before.n || s.wroteBetween(p, before.line, now.line) {
				continue
			}
			stamp := v.stamp
			s.out.Mutations = append(s.out.Mutations, Mutation{
				At: s.place(f.loc, stamp), Path: p, Op: External,
				Detail: fmt.Sprintf("snapshot v%d->v%d, no tool record since L%d", before.n, v.n, before.line),
			})
		}
	}
}

func (s *survey) wroteBetween(p string, after, before int) bool {
	lines := s.writes[slashes(p)]
	k, _ := slices.BinarySearch(lines, after+1)
	return k < len(lines) && lines[k] <= before
}
