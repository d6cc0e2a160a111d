package recover

import (
	"path/filepath"
	"strings"

	"csift/pkg/home"
	"csift/pkg/target"
)

// groupsOf puts the transcripts of a session and of its subagents together, sessions first, in path order. Two transcripts
// of one id with other content, in other directories, are two histories: what both hold would be done twice.
func groupsOf(parts []*part) []*group {
	var groups []*group
	at := map[string]*group{}
	add := func(p *part, dir string) {
		g := at[dir]
		if g == nil {
			g = &group{owner: ownerOf(p.Transcript)}
			at[dir] = g
			groups = append(groups, g)
		}
		g.parts = append(g.parts, p)
	}
	mains := map[string][]string{} // per session, the directories of its transcripts
	for _, p := range parts {
		if !p.IsSubagent {
			dir := sessionDir(p.Transcript)
			mains[p.ID] = append(mains[p.ID], dir)
			add(p, dir)
		}
	}
	for _, p := range parts {
		if !p.IsSubagent {
			continue
		}
		dir := sessionDir(p.Transcript)
		if m := mains[p.ParentID]; at[dir] == nil && len(m) == 1 {
			dir = m[0] // the session lies in another directory
		}
		add(p, dir)
	}
	return groups
}

// sessionDir gives the directory that a session and its subagents share.
func sessionDir(t *target.Transcript) string {
	if !t.IsSubagent {
		return home.SessionDir(t.Path)
	}
	const within = string(filepath.Separator) + "subagents" + string(filepath.Separator)
	if i := strings.LastIndex(t.Path, within); i >= 0 {
		return t.Path[:i]
	}
	return filepath.Join(filepath.Dir(t.Path), t.ParentID)
}
