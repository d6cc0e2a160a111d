package target

import (
	"path/filepath"
	"slices"
	"strings"

	"csift/pkg/lane"
)

// gather adds the subagents of the sessions that typed targets named.
func (r *resolver) gather() {
	if !r.req.Subagents {
		return
	}
	for _, s := range r.spans {
		if s.id == "" {
			r.gatherProject(s)
		} else {
			r.gatherSession(s)
		}
	}
}

// gatherProject adds every subagent of a project but those of sessions in drop.
func (r *resolver) gatherProject(s span) {
	for i := range s.project.Groups {
		if g := &s.project.Groups[i]; !s.drop[g.ID] {
			r.addGroup(g, s.project)
		}
	}
	if len(s.project.Flat) == 0 {
		return
	}
	owners := r.flatOwners(s.project)
	for i, f := range s.project.Flat {
		if !s.drop[f.ID] && !s.drop[owners[i]] {
			r.addFlat(f, owners[i], s.project)
		}
	}
}

// gatherSession adds the subagents of one session, from every project directory
// that has some unless the span names one.
func (r *resolver) gatherSession(s span) {
	if s.project != nil {
		for _, g := range r.groupsOf(s.id, s.project) {
			r.addGroup(g, s.project)
		}
		r.addFlatOf(s.id, s.project)
		return
	}
	k := r.index.byID(s.id)
	for _, g := range k.groups {
		r.addGroup(g.Group, g.project)
	}
	for _, l := range k.at {
		r.addFlatOf(s.id, l.project)
	}
}

// groupsOf gives the subagents of a session that lie in a project directory.
func (r *resolver) groupsOf(id string, p *lane.Project) []*lane.Group {
	of, ok := r.groups[p]
	if !ok {
		of = make(map[string][]*lane.Group, len(p.Groups))
		for i := range p.Groups {
			g := &p.Groups[i]
			of[g.ID] = append(of[g.ID], g)
		}
		if r.groups == nil {
			r.groups = map[*lane.Project]map[string][]*lane.Group{}
		}
		r.groups[p] = of
	}
	return of[id]
}

func (r *resolver) addFlatOf(id string, p *lane.Project) {
	for _, i := range r.flatsOf(id, p) {
		r.addFlat(p.Flat[i], id, p)
	}
}

// flatsOf gives the indexes of the flat files of a project that belong to a session.
func (r *resolver) flatsOf(id string, p *lane.Project) []int {
	if p == nil || len(p.Flat) == 0 {
		return nil
	}
	of, ok := r.flats[p]
	if !ok {
		of = map[string][]int{}
		for i, owner := range r.flatOwners(p) {
			of[owner] = append(of[owner], i)
		}
		if r.flats == nil {
			r.flats = map[*lane.Project]map[string][]int{}
		}
		r.flats[p] = of
	}
	return of[id]
}

// flatOwner gives the session of one flat file. They are listed by path.
func (r *resolver) flatOwner(path string, p *lane.Project) (string, bool) {
	i, ok := slices.BinarySearchFunc(p.Flat, path, func(f lane.File, path string) int { return strings.Compare(f.Path, path) })
	if !ok {
		return "", false
	}
	return r.flatOwners(p)[i], true
}

func (r *resolver) addGroup(g *lane.Group, p *lane.Project) {
	shadow := r.lost[filepath.Join(p.Dir, g.ID+".jsonl")]
	for _, f := range g.Agents {
		r.add(loc{f, p}).shadow = shadow
	}
}

func (r *resolver) addFlat(f lane.File, owner string, p *lane.Project) {
	f.Parent = owner
	e := r.add(loc{f, p})
	e.Parent = owner
	e.shadow = r.lost[filepath.Join(p.Dir, owner+".jsonl")]
}

// flatOwners gives the session of each flat file of a project, "" where the file does
// not say.
func (r *resolver) flatOwners(p *lane.Project) []string {
	if o, ok := r.owned[p]; ok {
		return o
	}
	paths := make([]string, len(p.Flat))
	for i, f := range p.Flat {
		paths[i] = f.Path
	}
	origins, _ := lane.ReadOrigins(paths)
	out := make([]string, len(p.Flat))
	for i, o := range origins {
		out[i] = o.SessionID
	}
	r.owned[p] = out
	return out
}
