package recover

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"csift/pkg/fileops"
	"csift/pkg/replay"
)

// story is one file in one group: what happened to it, and what it came to.
type story struct {
	wish   *wish
	order  int // of the wish in its list
	group  *group
	file   string
	parts  []*part        // that have something to say about it
	events []replay.Event // of all of them
	merged bool           // of several transcripts: lines are counted in the merged history
	res    *replay.Result
	loose  []command // shell commands that count against the answer
	opaque int       // of them: commands that may rewrite files that they do not name
	power  int       // of them: calls of PowerShell
}

// command is a shell command whose effect on the file is not known.
type command struct {
	at          replay.Place
	class, text string
}

// stories gives what the groups know of the files, by group, then in the order of the list, then by path.
func (j *recoverJob) stories(list []wish) []*story {
	named := map[string][]int{} // wishes by the name of their file
	for i := range list {
		name := nameKey(list[i].text)
		named[name] = append(named[name], i)
	}
	var out []*story
	for _, g := range j.groups {
		out = append(out, g.stories(list, named)...)
	}
	return out
}

// stories gives the files of a group that are wished for.
func (g *group) stories(list []wish, named map[string][]int) []*story {
	type key struct {
		wish int
		file string
	}
	var out []*story
	at := map[key]*story{}
	lists := map[*story][][]replay.Event{}
	for _, p := range g.parts {
		for k := 0; p.recall != nil && k < len(p.recall.Files); k++ {
			h := &p.recall.Files[k]
			if len(h.Events) == 0 {
				continue
			}
			wishes := named[nameKey(h.Path)]
			if !slices.Contains(wishes, h.Target) { // it is named as a record spells it
				wishes = append(slices.Clone(wishes), h.Target)
			}
			for _, i := range wishes {
				w := &list[i]
				if w.from != nil && !w.from[p.Path] || i != h.Target && !w.target.Matches(h.Path) {
					continue
				}
				id := key{i, fileops.PathKey(h.Path)}
				s := at[id]
				if s == nil {
					s = &story{wish: w, order: i, group: g, file: h.Path}
					at[id] = s
					out = append(out, s)
				}
				s.parts = append(s.parts, p)
				lists[s] = append(lists[s], h.Events)
			}
		}
	}
	for _, s := range out {
		s.events, s.merged = replay.Merge(lists[s]...), len(s.parts) > 1
	}
	slices.SortStableFunc(out, func(a, b *story) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.file, b.file)) })
	return out
}

// nameKey is the last component of a path of any system, in one spelling.
func nameKey(p string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// replay finds out what the file came to.
func (j *recoverJob) replay(s *story) {
	opt := replay.Options{Cutoff: j.cutoff(s), Segments: j.ask.mode == modePatches}
	windows := map[string]*fileops.Window{}
	for _, p := range s.group.parts {
		windows[p.ID] = &p.window
	}
	if j.ask.Narrow() {
		opt.Keep = func(e *replay.Event) bool { return windows[e.At.Session].Has(&e.At) }
	}
	s.res = replay.Run(s.events, opt)
	s.account(&opt.Cutoff, windows)
}

// lastTouch is when the story's file was changed last, or at least seen.
func (s *story) lastTouch() (wrote bool, at time.Time) {
	if w := s.res.LastWrite; w != nil {
		return true, w.Time
	}
	for i := range s.events {
		if t := s.events[i].At.Time; t.After(at) {
			at = t
		}
	}
	return false, at
}

// freshest gives the story whose file was written last; one that only saw the file comes behind one that wrote it.
func freshest(all []*story) *story {
	best := all[0]
	for _, s := range all[1:] {
		w, t := s.lastTouch()
		if bw, bt := best.lastTouch(); w && !bw || w == bw && t.After(bt) {
			best = s
		}
	}
	return best
}

// token names the story's session, or the transcript that is in scope alone; n cuts the id, see target.Set.PrefixLen.
func (s *story) token(n int) string { return s.about().Token(n) }

// about is the transcript that rows about the story name: the only one that has something to say, else the session's own.
func (s *story) about() *part {
	if len(s.parts) == 1 {
		return s.parts[0]
	}
	return s.group.parts[0]
}

// part gives the transcript of an id.
func (s *story) part(id string) *part {
	for _, p := range s.parts {
		if p.ID == id {
			return p
		}
	}
	return s.about()
}
