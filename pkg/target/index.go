package target

import (
	"cmp"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/lane"
)

// loc is a transcript and the project it was found in.
type loc struct {
	lane.File
	project *lane.Project // nil for a file that was named by its path
}

// known is one id of the home and where it is.
type known struct {
	key string // the id without dashes, in lower case: what prefixes are compared by
	id  string
	// at are its files; empty for a session of which only subagents are left.
	at []loc
	// groups are the subagents of a session, one for each project that has some.
	groups []groupAt
}

type groupAt struct {
	*lane.Group
	project *lane.Project
}

// index is every id of a home, by key.
type index []known

func keyOf(id string) string {
	if lane.IsSessionID(id) {
		b := make([]byte, 0, 32)
		for i := range len(id) {
			if c := id[i]; c != '-' {
				b = append(b, c|0x20) // digits and letters
			}
		}
		return string(b)
	}
	return strings.ToLower(id)
}

// newIndex sorts the ids of a listing.
func newIndex(projects []lane.Project) index {
	n := 0
	for i := range projects {
		n += len(projects[i].Sessions) + len(projects[i].Flat)
		for j := range projects[i].Groups {
			n += 1 + len(projects[i].Groups[j].Agents)
		}
	}
	all, locs := make(index, 0, n), make([]loc, 0, n)
	add := func(f lane.File, p *lane.Project) {
		locs = append(locs, loc{f, p})
		i := len(locs)
		all = append(all, known{key: keyOf(f.ID), id: f.ID, at: locs[i-1 : i : i]})
	}
	for i := range projects {
		p := &projects[i]
		for _, f := range p.Sessions {
			add(f, p)
		}
		for _, f := range p.Flat {
			add(f, p)
		}
		for j := range p.Groups {
			g := &p.Groups[j]
			all = append(all, known{key: keyOf(g.ID), id: g.ID, groups: []groupAt{{g, p}}})
			for _, f := range g.Agents {
				add(f, p)
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &all[i], &all[j]
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(i, j))
	})
	out := make(index, 0, len(all))
	for _, i := range order {
		k := &all[i]
		if last := len(out) - 1; last >= 0 && out[last].id == k.id {
			out[last].at = append(out[last].at, k.at...)
			out[last].groups = append(out[last].groups, k.groups...)
			continue
		}
		out = append(out, *k)
	}
	return out
}

// named gives the ids that a Session, Prefix or Agent token can mean: the exact one
// alone, else all that begin with it.
func (x index) named(t addr.Token) []*known {
	key := keyOf(t.ID)
	if t.Kind == addr.Prefix {
		key = strings.ToLower(strings.ReplaceAll(t.ID, "-", ""))
	}
	from, _ := slices.BinarySearchFunc(x, key, func(k known, key string) int { return strings.Compare(k.key, key) })
	var exact, begin []*known
	for i := from; i < len(x) && strings.HasPrefix(x[i].key, key); i++ {
		switch k := &x[i]; {
		case t.Is(k.id):
			exact = append(exact, k)
		case t.Kind != addr.Session && t.Begins(k.id):
			begin = append(begin, k)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return begin
}

// byID gives the entry of an id, nil when the home has none.
func (x index) byID(id string) *known {
	key := keyOf(id)
	i, _ := slices.BinarySearchFunc(x, key, func(k known, key string) int { return strings.Compare(k.key, key) })
	for ; i < len(x) && x[i].key == key; i++ {
		if x[i].id == id {
			return &x[i]
		}
	}
	return nil
}

// session gives the entry of an id when a top-level transcript has it.
func (x index) session(id string) *known {
	if k := x.byID(id); k != nil && len(k.at) > 0 && !k.at[0].Subagent {
		return k
	}
	return nil
}

// prefixLen gives the shortest useful length at which the hex ids of the home are
// told apart by their beginnings. Lengths end where a uuid has a dash, so that a cut
// id looks like one. A named agent id is always printed whole and does not count.
func (x index) prefixLen() int {
	need := 8
	last := ""
	for i := range x {
		if !lane.IsSessionID(x[i].id) && !isHex(x[i].key) {
			continue
		}
		if k := x[i].key; last != "" {
			n := 0
			for n < len(last) && n < len(k) && last[n] == k[n] {
				n++
			}
			need = max(need, n+1)
		}
		last = x[i].key
	}
	switch {
	case need <= 8:
		return 8
	case need <= 12:
		return 13
	case need <= 16:
		return 18
	case need <= 20:
		return 23
	}
	return 36
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}
