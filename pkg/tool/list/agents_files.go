package list

import (
	"context"
	"slices"
	"sync/atomic"

	"csift/pkg/fileops"
	"csift/pkg/scope"
)

// changedFiles finds which files each subagent changed: the paths, each once, in the
// order of the first change. Of the lanes within a session's own file only what their
// own calls did counts.
func (a *agentsAnswer) changedFiles(ctx context.Context) {
	var srcs []fileops.Source
	at := map[string]int{}
	for _, f := range a.families {
		for _, g := range f.agents {
			if _, known := at[g.script.Path]; !known {
				at[g.script.Path] = len(srcs)
				srcs = append(srcs, fileops.Source{Path: g.script.Path, InLane: g.script.IsSubagent, ID: g.script.ID})
			}
		}
	}
	var done atomic.Int64
	progress := a.env.Progress(func() string { return progressLine(int(done.Load()), len(srcs)) })
	changes, errs := fileops.Survey(ctx, srcs, fileops.Options{
		Slow: a.env.Slow, Crossings: a.env.CrossCompactions, Root: scope.Root(a.env), Done: func() { done.Add(1) },
	})
	progress.Stop()
	if ctx.Err() != nil {
		return
	}
	for i, err := range errs {
		a.env.Unread(srcs[i].Path, err)
	}
	for _, f := range a.families {
		for _, g := range f.agents {
			if c := changes[at[g.script.Path]]; c != nil {
				g.files = g.changed(c.Mutations)
			}
		}
	}
}

// changed gives the paths of the changes that are a subagent's.
func (g *member) changed(all []fileops.Mutation) []string {
	paths := []string{}
	seen := map[string]bool{}
	for i := range all {
		m := &all[i]
		if m.Marker || seen[m.Path] || g.inline != nil && !slices.Contains(g.inline.Calls, m.Call) {
			continue
		}
		seen[m.Path] = true
		paths = append(paths, m.Path)
	}
	return paths
}
