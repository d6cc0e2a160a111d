package transcript

import (
	"cmp"
	"slices"
	"sort"
)

// order puts the records of a turn into reading order: the opener first, then as they stand in the file, except that a
// record whose parent stands after it (Claude Code 2.1.258 writes replies before prompts) follows that parent.
func (s *Structure) order(turn int) {
	m := s.byTurn[turn]
	if turn >= len(s.turns.Opener) || len(m) < 2 {
		return
	}
	first := s.turns.Opener[turn]
	if m[0] == first && !s.backward(m) {
		return
	}
	at := make(map[int32]int32, len(m)) // position in m of the node
	byID := make(map[[16]byte]int32, len(m))
	for k, i := range m {
		at[i] = int32(k)
		if !s.nodes[i].ID.IsZero() {
			byID[s.nodes[i].ID] = i
		}
	}
	waiting := map[int32][]int32{}
	done := make(map[int32]bool, len(m))
	out := make([]int32, 0, len(m))
	var emit func(i int32)
	emit = func(i int32) {
		stack := []int32{i}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if done[n] {
				continue
			}
			done[n] = true
			out = append(out, n)
			kids := waiting[n]
			delete(waiting, n)
			for k := len(kids) - 1; k >= 0; k-- {
				stack = append(stack, kids[k])
			}
		}
	}
	emit(first)
	for _, i := range m {
		p, ok := byID[s.nodes[i].Parent]
		if ok && !done[i] && !done[p] && p > i {
			waiting[p] = append(waiting[p], i)
			continue
		}
		emit(i)
	}
	for _, i := range m { // what a cycle left waiting
		emit(i)
	}
	s.byTurn[turn] = out
	if s.mixed == nil {
		s.mixed = map[int]bool{}
	}
	s.mixed[turn] = true
}

// InOrder puts things that stand at places of one turn, given in file order, into the turn's reading order.
func InOrder[T any](s *Structure, turn int, things []T, at func(T) Loc) []T {
	members := s.members(turn)
	if !s.mixed[turn] {
		return things
	}
	rank := make(map[int32]int, len(members))
	for k, i := range members {
		rank[i] = k
	}
	rankOf := func(t T) int {
		l := at(t)
		i := s.node(l.Line, l.Part)
		if i < 0 { // a line without a uuid goes with the record before it
			i = s.before(l.Line)
		}
		if k, ok := rank[int32(i)]; ok {
			return k
		}
		return len(members)
	}
	slices.SortStableFunc(things, func(a, b T) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	return things
}

// before gives the index of the last record above a line, or -1.
func (s *Structure) before(line int32) int {
	return sort.Search(len(s.locs), func(i int) bool { return s.locs[i].Line >= line }) - 1
}

// backward reports whether some record stands before its parent.
func (s *Structure) backward(m []int32) bool {
	if !s.turns.Moved {
		return false
	}
	seen := make(map[[16]byte]bool, len(m))
	parents := make(map[[16]byte]bool, len(m))
	for _, i := range m {
		n := &s.nodes[i]
		if !n.ID.IsZero() && parents[n.ID] && !seen[n.ID] {
			return true
		}
		seen[n.ID] = true
		parents[n.Parent] = true
	}
	return false
}
