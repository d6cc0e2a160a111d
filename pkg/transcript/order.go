package transcript

import (
	"cmp"
	"slices"

	"csift/pkg/chain"
	"csift/pkg/record"
)

// order puts the records of a turn into reading order: the opener first, then as they stand in the file, except that what
// stands before its parent, or before one further up, follows that (Claude Code 2.1.258 writes replies before prompts).
func (s *Structure) order(turn int) {
	m := s.byTurn[turn]
	first := s.heads[turn]
	if first == chain.None || len(m) < 2 {
		return
	}
	if m[0] == first && !s.backward(m) {
		return
	}
	byID := make(map[record.ID]int32, len(m))
	for _, i := range m {
		if !s.nodes[i].ID.IsZero() {
			byID[s.nodes[i].ID] = i
		}
	}
	o := ordering{waiting: map[int32][]int32{}, done: make(map[int32]bool, len(m)), out: make([]int32, 0, len(m))}
	o.emit(first)
	for _, i := range m {
		if p, ok := byID[s.nodes[i].Parent]; ok && p != i && !o.done[i] && !o.done[p] {
			o.waiting[p] = append(o.waiting[p], i)
			continue
		}
		o.emit(i)
	}
	for _, i := range m { // what a cycle left waiting
		o.emit(i)
	}
	s.byTurn[turn] = o.out
	if s.mixed == nil {
		s.mixed = map[int]bool{}
	}
	s.mixed[turn] = true
}

// ordering is a reading order under way.
type ordering struct {
	waiting map[int32][]int32 // per parent that is yet to come: the nodes that follow it
	done    map[int32]bool
	out     []int32
}

// emit puts a node next, and behind it what has waited for it.
func (o *ordering) emit(i int32) {
	for stack := []int32{i}; len(stack) > 0; {
		i, stack = stack[len(stack)-1], stack[:len(stack)-1]
		if o.done[i] {
			continue
		}
		o.done[i] = true
		o.out = append(o.out, i)
		for _, kid := range slices.Backward(o.waiting[i]) {
			stack = append(stack, kid)
		}
		delete(o.waiting, i)
	}
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
	return s.firstAt(line) - 1
}

// backward reports whether some record stands before its parent.
func (s *Structure) backward(m []int32) bool {
	if !s.res.Moved {
		return false
	}
	seen := make(map[record.ID]bool, len(m))
	parents := make(map[record.ID]bool, len(m))
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
