package chain

// roots finds for every abandoned record the top of its branch, and how far it stands below it. The records of a ring
// hang below the first of them in the file.
func (s *solver) roots(v *Survival) (hops []int32) {
	any := false
	for i := 0; i < len(v.State) && !any; i++ {
		any = v.State[i] == Abandoned
	}
	if !any {
		return nil
	}
	r := rooter{up: s.up, state: v.State, root: make([]int32, len(s.nodes)), hops: make([]int32, len(s.nodes))}
	for i := range r.root {
		if r.root[i] = None; v.State[i] == Abandoned && s.mark[i]&out == 0 {
			r.root[i] = unseen
		}
	}
	for i := range r.root {
		r.settle(int32(i))
	}
	for i, c := range s.copies {
		if c != None {
			r.root[i], r.hops[i] = r.root[c], r.hops[c]
		}
	}
	v.Root = r.root
	return r.hops
}

type rooter struct {
	up, root, hops []int32
	state          []State
	path           []int32
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
	k := len(r.path) - 1
	switch {
	case at == None || r.root[at] == None:
		top := r.path[k]
		r.root[top], r.hops[top] = top, 0
		at, k = top, k-1
	case r.root[at] == onPath:
		k = r.ring(at)
		at = r.path[k+1]
	}
	for ; k >= 0; k-- {
		n := r.path[k]
		r.root[n], r.hops[n] = r.root[at], r.hops[at]+1
		at = n
	}
}

// ring settles the members of a ring that was entered at a node of the path, and gives the place on the path before it.
func (r *rooter) ring(entry int32) int {
	from := 0
	for r.path[from] != entry {
		from++
	}
	members := r.path[from:]
	m := 0
	for k, n := range members {
		if n < members[m] {
			m = k
		}
	}
	for k, n := range members {
		r.root[n], r.hops[n] = members[m], int32((m-k+len(members))%len(members))
	}
	return from - 1
}
