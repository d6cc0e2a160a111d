package chain

import "csift/pkg/record"

// LeafSource says how the end of the conversation was found.
type LeafSource uint8

// The sources.
const (
	FromTail       LeafSource = iota // nothing recorded: the last record of the file
	FromLastPrompt                   // the newest last-prompt line
	FromExplicit                     // the newest last-prompt line, chosen by the person
	FromAbsent                       // the newest last-prompt line names a record that is not in the file: the last record
	FromNewest                       // the leaf was cleared by a rewind to the start: the newest record by time
)

// String gives the wire word: last-prompt, tail or explicit.
func (l LeafSource) String() string {
	switch l {
	case FromLastPrompt:
		return "last-prompt"
	case FromExplicit:
		return "explicit"
	}
	return "tail"
}

// Detail is String with what it leaves out.
func (l LeafSource) Detail() string {
	switch l {
	case FromAbsent:
		return "tail (last-prompt leaf absent)"
	case FromNewest:
		return "newest (leaf set cleared)"
	}
	return l.String()
}

// recorded is what the last-prompt lines of a file come to.
type recorded struct {
	leaf              record.ID
	explicit, cleared bool
}

// recorded runs over the last-prompt lines and boundaries in file order: a boundary wipes the leaf, an explicit line without
// one clears it.
func (rows *Rows) recorded() (r recorded) {
	c := rows.Compactions
	for _, l := range rows.Leaves {
		for len(c) > 0 && c[0].Node < l.At {
			r.leaf, r.explicit = record.ID{}, false
			c = c[1:]
		}
		switch {
		case !l.Leaf.IsZero():
			r = recorded{leaf: l.Leaf, explicit: l.Explicit || r.explicit && r.leaf == l.Leaf}
		case l.Explicit:
			r = recorded{cleared: true}
		}
	}
	if len(c) > 0 {
		r.leaf, r.explicit = record.ID{}, false
	}
	return r
}

// findLeaf gives the record the walk starts from, and how it was found; None when the file has no conversation.
func (s *solver) findLeaf() (int32, LeafSource) {
	r := s.rows.recorded()
	tail := s.tail()
	if r.cleared {
		return s.newest(tail), FromNewest
	}
	leaf, source := None, FromTail
	if !r.leaf.IsZero() {
		source = FromAbsent
		if k := s.judged(r.leaf); k != None && s.mark[k]&removed == 0 {
			leaf, source = k, FromLastPrompt
			if r.explicit {
				source = FromExplicit
			}
		}
	}
	if !s.relinked || source == FromExplicit {
		start := leaf
		if start == None || source != FromExplicit && s.above(start, tail) {
			start = tail
		}
		if k := s.climb(start); k != None {
			return k, source
		}
	}
	return s.fromTips(s.climb(leaf), tail), source
}

// tail gives the last record of the session in the file, or, where a reply stands before its prompt (2.1.258) and where
// preserved records were put behind a summary, the last record below that.
func (s *solver) tail() int32 {
	t := int32(len(s.nodes)) - 1
	for t >= 0 && s.mark[t]&(gone|sidechain) != 0 {
		t--
	}
	if t < 0 || !s.moved && !s.relinked {
		return t
	}
	below := make([]int32, len(s.nodes)) // the last child
	for i := range below {
		below[i] = None
	}
	for i := range s.nodes {
		if p := s.parentOf(int32(i)); p != None && s.mark[i]&(gone|sidechain) == 0 {
			below[p] = int32(i)
		}
	}
	seen := map[int32]bool{}
	for below[t] != None && !seen[t] {
		seen[t] = true
		t = below[t]
	}
	return t
}

// parentOf gives the parent after the relink; None when it was removed.
func (s *solver) parentOf(i int32) int32 {
	if p := s.up[i]; p != None && s.mark[p]&removed == 0 {
		return p
	}
	return None
}

// above reports whether a is a proper ancestor of i.
func (s *solver) above(a, i int32) bool {
	if i == None {
		return false
	}
	for range s.nodes {
		if i = s.parentOf(i); i == a {
			return true
		}
		if i == None {
			return false
		}
	}
	return false
}

// climb gives the first record of the conversation at or above i.
func (s *solver) climb(i int32) int32 {
	for range s.nodes {
		if i == None || s.mark[i]&talk != 0 {
			return i
		}
		i = s.parentOf(i)
	}
	return None
}

// newest gives the record with the greatest timestamp, climbed to the conversation where it has one above it.
func (s *solver) newest(tail int32) int32 {
	best := None
	for i := range s.nodes {
		n := &s.nodes[i]
		if s.mark[i]&(gone|sidechain) == 0 && n.Time != NoTime && (best == None || n.Time >= s.nodes[best].Time) {
			best = int32(i)
		}
	}
	if best == None {
		best = tail
	}
	if k := s.climb(best); k != None {
		return k
	}
	return best
}

// fromTips looks for the leaf among the ends of all branches: records nobody points at, climbed to the conversation.
func (s *solver) fromTips(leaf, tail int32) int32 {
	n := len(s.nodes)
	up := make([]int32, n)
	const pointed, parental = 1, 2
	seen := make([]uint8, n)
	for i := range s.nodes {
		up[i] = s.parentOf(int32(i))
		if up[i] != None && s.mark[i]&gone == 0 {
			seen[up[i]] |= pointed
		}
	}
	said := inherit(up, func(i int32) int32 {
		if s.mark[i]&talk != 0 {
			return i
		}
		return None
	})
	for i := range s.nodes {
		if s.mark[i]&(talk|gone) == talk && up[i] != None && said[up[i]] != None {
			seen[said[up[i]]] |= parental
		}
	}
	first, several, hasLeaf := None, false, false
	for i := range s.nodes {
		t := said[i]
		if s.mark[i]&(gone|sidechain) != 0 || seen[i]&pointed != 0 || t == None || seen[t]&parental != 0 {
			continue
		}
		if first == None {
			first = t
		}
		several = several || t != first
		hasLeaf = hasLeaf || t == leaf
	}
	switch {
	case first == None:
		return s.newest(tail)
	case !several:
		return first
	case hasLeaf:
		return leaf
	}
	if end := s.climb(tail); end != None {
		return end
	}
	return first
}
