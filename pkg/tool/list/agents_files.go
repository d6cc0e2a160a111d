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
	calls := make([]map[string][]int, len(srcs)) // per source and call its changes; of sources with lanes within
	for _, f := range a.families {
		for _, g := range f.agents {
			k := at[g.script.Path]
			c := changes[k]
			switch {
			case c == nil:
			case g.inline == nil:
				g.files = changed(c.Mutations, nil)
			default:
				if calls[k] == nil {
					calls[k] = map[string][]int{}
					for i := range c.Mutations {
						id := c.Mutations[i].Call
						calls[k][id] = append(calls[k][id], i)
					}
				}
				mine := []int{}
				for _, id := range g.inline.Calls {
					mine = append(mine, calls[k][id]...)
				}
				slices.Sort(mine)
				g.files = changed(c.Mutations, mine)
			}
		}
	}
}

// changed gives the paths of changes, of those at some indexes unless that is nil.
func changed(all []fileops.Mutation, at []int) []string {
	paths := []string{}
	seen := map[string]bool{}
	add := func(m *fileops.Mutation) {
		if !m.Marker && !seen[m.Path] {
			seen[m.Path] = true
			paths = append(paths, m.Path)
		}
	}
	for _, i := range at {
		add(&all[i])
	}
	for i := 0; i < len(all) && at == nil; i++ {
		add(&all[i])
	}
	return paths
}
