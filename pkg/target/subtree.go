package target

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"csift/pkg/lane"
)

// below asks for the subagents that an agent started, and those that these started, when a target names it.
func (r *resolver) below(l loc) {
	if r.req.Subagents && !r.req.One {
		r.trees = append(r.trees, l)
	}
}

// gatherTrees adds what lies below the agents that targets named. Who started whom is read from the meta files, and
// where those do not say from the transcripts of the session: once for all of its agents that were named.
func (r *resolver) gatherTrees() {
	at := map[family]int{}
	var all []family
	var named [][]loc
	for _, l := range r.trees {
		f, ok := r.familyOf(l)
		if !ok {
			continue
		}
		i, known := at[f]
		if !known {
			i = len(all)
			at[f], all, named = i, append(all, f), append(named, nil)
		}
		named[i] = append(named[i], l)
	}
	for i, f := range all {
		r.gatherFamily(f, named[i])
	}
}

func (r *resolver) gatherFamily(f family, named []loc) {
	transcript, files := r.siblings(f)
	if len(files) < 2 {
		return
	}
	tree := r.readTree(transcript, files)
	node := make(map[string]int, len(tree.Nodes))
	for i := range tree.Nodes {
		node[tree.Nodes[i].Path] = i
	}
	var roots []int
	is := map[int]bool{}
	for _, l := range named {
		if i, ok := node[l.Path]; ok && !is[i] {
			roots, is[i] = append(roots, i), true
		}
	}
	if len(roots) == 0 {
		return
	}
	shadow := r.byPath[named[0].Path].shadow // they lie in one place
	for k, in := range tree.Below(roots...) {
		if in && !is[k] {
			r.add(loc{tree.Nodes[k].File, f.project}).shadow = shadow
		}
	}
}

// unlinked keeps the transcripts and meta files without which it is not known who started whom. What is in scope is told by
// whoever reads it.
func (r *resolver) unlinked(failed []error) {
	for _, err := range failed {
		var f FileError
		if errors.As(err, &f) && r.byPath[f.Path] == nil {
			r.failed = append(r.failed, f)
			r.spanned[f.Path] = true
		}
	}
}

func (r *resolver) readTree(transcript string, files []lane.File) *lane.Tree {
	r.treesRead++
	tree := lane.ReadTree(context.Background(), transcript, files, lane.Want{})
	r.unlinked(tree.Failed)
	return tree
}

// family is the subagents of one session in one place: a directory of the home, or one elsewhere.
type family struct {
	project *lane.Project
	session string
	dir     string // of the session, outside of the home
}

// familyOf gives the family that an agent belongs to. It has none where its session is not known.
func (r *resolver) familyOf(l loc) (family, bool) {
	p := l.project
	if p == nil {
		if l.Flat {
			return family{}, false
		}
		dir := filepath.Dir(l.Path)
		for filepath.Base(dir) != l.Parent && filepath.Dir(dir) != dir {
			dir = filepath.Dir(dir)
		}
		return family{dir: dir}, true
	}
	session := l.Parent
	if l.Flat {
		if owner, ok := r.flatOwner(l.Path, p); ok {
			session = owner
		}
	}
	return family{project: p, session: session}, session != ""
}

// siblings gives the subagents of a family, and the session's own transcript, "" when it is not there.
func (r *resolver) siblings(f family) (transcript string, files []lane.File) {
	p := f.project
	if p == nil {
		files, failed := lane.SessionAgents(f.dir)
		r.failed = append(r.failed, failed...)
		r.spanned[f.dir] = true
		return present(f.dir + ".jsonl"), files
	}
	for _, g := range r.groupsOf(f.session, p) {
		files = append(files, g.Agents...)
	}
	for _, i := range r.flatsOf(f.session, p) {
		file := p.Flat[i]
		file.Parent = f.session
		files = append(files, file)
	}
	return present(filepath.Join(p.Dir, f.session+".jsonl")), files
}

// present gives the path of a transcript that is there.
func present(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}
