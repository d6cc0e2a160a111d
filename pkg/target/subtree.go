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
// where those do not say from the transcripts of the session.
func (r *resolver) gatherTrees() {
	for _, l := range r.trees {
		transcript, files := r.siblings(l)
		if len(files) < 2 {
			continue
		}
		tree := lane.ReadTree(context.Background(), transcript, files, lane.Want{})
		r.unlinked(tree.Failed)
		for i := range tree.Nodes {
			if tree.Nodes[i].Path != l.Path {
				continue
			}
			for k, in := range tree.Below(i) {
				if in && k != i {
					f := tree.Nodes[k].File
					r.add(loc{f, l.project}).shadow = r.byPath[l.Path].shadow
				}
			}
			break
		}
	}
}

// unlinked keeps the transcripts and meta files without which it is not known who started whom. What is in scope is told by
// whoever reads it.
func (r *resolver) unlinked(failed []error) {
	for _, err := range failed {
		var f FileError
		if errors.As(err, &f) && r.byPath[f.Path] == nil {
			r.failed, r.spanned = append(r.failed, f), append(r.spanned, f.Path)
		}
	}
}

// siblings gives the subagents of the session that an agent belongs to, itself among them, and the session's own
// transcript, "" when it is not there.
func (r *resolver) siblings(l loc) (transcript string, files []lane.File) {
	p := l.project
	if p == nil {
		if l.Flat {
			return "", nil
		}
		dir := filepath.Dir(l.Path)
		for filepath.Base(dir) != l.Parent && filepath.Dir(dir) != dir {
			dir = filepath.Dir(dir)
		}
		files, failed := lane.SessionAgents(dir)
		r.failed = append(r.failed, failed...)
		r.spanned = append(r.spanned, dir)
		return present(dir + ".jsonl"), files
	}
	parent := l.Parent
	if l.Flat {
		for i, f := range p.Flat {
			if f.Path == l.Path {
				parent = r.flatOwners(p)[i]
			}
		}
	}
	if parent == "" {
		return "", nil
	}
	for i := range p.Groups {
		if p.Groups[i].ID == parent {
			files = append(files, p.Groups[i].Agents...)
		}
	}
	if len(p.Flat) > 0 {
		for i, owner := range r.flatOwners(p) {
			if owner == parent {
				f := p.Flat[i]
				f.Parent = owner
				files = append(files, f)
			}
		}
	}
	return present(filepath.Join(p.Dir, parent+".jsonl")), files
}

// present gives the path of a transcript that is there.
func present(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}
