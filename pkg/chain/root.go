package chain

import "slices"

// roots finds for every abandoned record the top of its branch. The records of a ring hang below the first of them in
// the file.
func (s *solver) roots(v *Survival) {
	if v.Left == nil {
		return
	}
	r := rooter{up: s.up, root: make([]int32, len(s.nodes))}
	for i := range r.root {
		r.root[i] = None
	}
	for _, i := range v.Left {
		if s.mark[i]&out == 0 {
			r.root[i] = unseen
		}
	}
	for _, i := range v.Left {
		r.settle(i)
	}
	for i, c := range s.copies {
		if c != None {
			r.root[i] = r.root[c]
		}
	}
	v.Root = r.root
}

type rooter struct {
	up, root, path []int32
}

const onPath = int32(-3)

// settle finds the roots of node i and of all that stands between it and its root.
func (r *rooter) settle(i int32) {
	r.path = r.path[:0]
	at := i
	for at != None && r.root[at] == unseen {
		r.root[at] = onPath
		r.path = append(r.path, at)
		at = r.up[at]
	}
	if len(r.path) == 0 {
		return
	}
	top := r.path[len(r.path)-1]
	switch {
	case at == None || r.root[at] == None:
	case r.root[at] == onPath:
		top = slices.Min(r.path[slices.Index(r.path, at):])
	default:
		top = r.root[at]
	}
	for _, n := range r.path {
		r.root[n] = top
	}
}
