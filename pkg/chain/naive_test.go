package chain

import (
	"cmp"
	"slices"

	"csift/pkg/record"
)

// naive is the survival axis in plain steps: maps by uuid, every question asked by walking. It is what Resolve must
// equal, however slowly.
type naive struct {
	*Rows
	last    map[record.ID]int // admitted uuid -> its last line
	first   map[record.ID]int
	parent  map[int]record.ID
	removed map[int]bool
	walked  map[int]bool
	live    map[int]bool
	anchor  bool // a relink took place
	cut     int
	cross   Crossing
	loader  int
}

func newNaive(rows *Rows, budget int) *naive {
	n := &naive{Rows: rows, last: map[record.ID]int{}, first: map[record.ID]int{}, parent: map[int]record.ID{}, removed: map[int]bool{},
		walked: map[int]bool{}, live: map[int]bool{}, cut: -1, loader: -1, cross: Crossing{Budget: budget, Floor: None}}
	for i := range n.Nodes {
		x := &n.Nodes[i]
		n.parent[i] = x.Parent
		if x.admitted() {
			n.last[x.ID] = i
			if _, ok := n.first[x.ID]; !ok {
				n.first[x.ID] = i
			}
		}
	}
	return n
}

// counts reports whether a line is the surviving one of an admitted uuid.
func (n *naive) counts(i int) bool {
	return n.Nodes[i].admitted() && n.last[n.Nodes[i].ID] == i
}

func (n *naive) alive(i int) bool { return n.counts(i) && !n.removed[i] }

func (n *naive) main(i int) bool { return n.alive(i) && n.Nodes[i].Flags&Sidechain == 0 }

// up gives the judged parent, passing mere links.
func (n *naive) up(i int) int {
	id := n.parent[i]
	for range len(n.Nodes) + 1 {
		if id.IsZero() {
			return -1
		}
		if k, ok := n.last[id]; ok {
			return k
		}
		link := -1
		for k := range n.Nodes {
			if n.Nodes[k].ID == id {
				link = k
			}
		}
		if link < 0 {
			return -1
		}
		id = n.Nodes[link].Parent
	}
	return -1
}

func (n *naive) upAlive(i int) int {
	if p := n.up(i); p >= 0 && !n.removed[p] {
		return p
	}
	return -1
}

func (n *naive) relink() {
	var newest, keeper *Compaction
	for k := range n.Compactions {
		if c := &n.Compactions[k]; n.counts(int(c.Node)) {
			newest = c
			if c.Messages || c.Segment {
				keeper = c
			}
		}
	}
	if keeper == nil {
		return
	}
	var kept []int
	if keeper == newest {
		var ids []record.ID
		if keeper.Messages {
			ids = keeper.Kept
		} else {
			at, ok := n.last[keeper.Tail]
			head, okHead := n.last[keeper.Head]
			if !ok || !okHead {
				return
			}
			for steps := 0; ; steps++ {
				if at < 0 || steps > len(n.Nodes) {
					return
				}
				ids = slices.Insert(ids, 0, n.Nodes[at].ID)
				if at == head {
					break
				}
				at = n.up(at)
			}
		}
		for _, id := range ids {
			k, ok := n.last[id]
			if !ok {
				return
			}
			if !slices.Contains(kept, k) {
				kept = append(kept, k)
			}
		}
	}
	n.cut = int(newest.Node)
	start := n.first[n.Nodes[n.cut].ID]
	for id, k := range n.last {
		if n.first[id] < start && !slices.Contains(kept, k) {
			n.removed[k] = true
		}
	}
	if kept == nil {
		return
	}
	n.anchor = true
	last := n.Nodes[kept[len(kept)-1]].ID
	before := map[int]int{}
	for i := range n.Nodes {
		before[i] = n.up(i)
	}
	anchor, ok := n.last[keeper.Anchor]
	for i := range n.Nodes {
		p := before[i]
		if !n.alive(i) || slices.Contains(kept, i) || p < 0 {
			continue
		}
		if ok && p == anchor || n.removed[p] && n.Nodes[i].conversation() {
			n.parent[i] = last
		}
	}
	for k, i := range kept {
		if n.parent[i] = keeper.Anchor; k > 0 {
			n.parent[i] = n.Nodes[kept[k-1]].ID
		}
	}
}

func (n *naive) leaf() (int, LeafSource) {
	var leaf record.ID
	explicit, cleared := false, false
	for at := 0; at <= len(n.Nodes); at++ {
		for _, l := range n.Leaves {
			if int(l.At) != at {
				continue
			}
			if !l.Leaf.IsZero() {
				explicit = l.Explicit || explicit && leaf == l.Leaf
				leaf, cleared = l.Leaf, false
			} else if l.Explicit {
				leaf, explicit, cleared = record.ID{}, false, true
			}
		}
		for _, c := range n.Compactions {
			if int(c.Node) == at {
				leaf, explicit = record.ID{}, false
			}
		}
	}
	tail := -1
	for i := range n.Nodes {
		if n.main(i) {
			tail = i
		}
	}
	seen := map[int]bool{}
	for tail >= 0 && !seen[tail] { // replies that stand before the last line
		seen[tail] = true
		for i := len(n.Nodes) - 1; i >= 0; i-- {
			if n.main(i) && n.upAlive(i) == tail {
				tail = i
				break
			}
		}
		if seen[tail] {
			break
		}
	}
	if cleared {
		return n.newest(tail), FromNewest
	}
	source, start := FromTail, -1
	if !leaf.IsZero() {
		source = FromAbsent
		if k, ok := n.last[leaf]; ok && !n.removed[k] {
			source, start = FromLastPrompt, k
			if explicit {
				source = FromExplicit
			}
		}
	}
	if !n.anchor || source == FromExplicit {
		at := start
		if at < 0 || source != FromExplicit && slices.Contains(n.lineage(n.upAlive, n.safeUp(tail)), at) {
			at = tail
		}
		if k := n.climb(at); k >= 0 {
			return k, source
		}
	}
	return n.tips(n.climb(start), tail), source
}

func (n *naive) safeUp(i int) int {
	if i < 0 {
		return -1
	}
	return n.upAlive(i)
}

// lineage gives i and all above it.
func (n *naive) lineage(up func(int) int, i int) (out []int) {
	for i >= 0 && !slices.Contains(out, i) {
		out = append(out, i)
		i = up(i)
	}
	return out
}

func (n *naive) climb(i int) int {
	for _, k := range n.lineage(n.upAlive, i) {
		if n.Nodes[k].conversation() {
			return k
		}
	}
	return -1
}

func (n *naive) newest(tail int) int {
	best := -1
	for i := range n.Nodes {
		if n.main(i) && n.Nodes[i].Time != NoTime && (best < 0 || n.Nodes[i].Time >= n.Nodes[best].Time) {
			best = i
		}
	}
	if best < 0 {
		best = tail
	}
	if k := n.climb(best); k >= 0 {
		return k
	}
	return best
}

func (n *naive) tips(leaf, tail int) int {
	var tips []int
	for i := range n.Nodes {
		pointed := false
		for k := range n.Nodes {
			pointed = pointed || n.alive(k) && n.upAlive(k) == i
		}
		t := n.climb(i)
		if pointed || !n.main(i) || t < 0 {
			continue
		}
		hasChild := false
		for k := range n.Nodes {
			hasChild = hasChild || n.alive(k) && n.Nodes[k].conversation() && n.climb(n.upAlive(k)) == t
		}
		if !hasChild && !slices.Contains(tips, t) {
			tips = append(tips, t)
		}
	}
	switch {
	case len(tips) == 0:
		return n.newest(tail)
	case len(tips) == 1:
		return tips[0]
	case slices.Contains(tips, leaf):
		return leaf
	case n.climb(tail) >= 0:
		return n.climb(tail)
	}
	return tips[0]
}

func (n *naive) walk(at int) {
	for at >= 0 {
		n.walked[at] = true
		n.cross.Floor = int32(at)
		x := &n.Nodes[at]
		p := n.upAlive(at)
		switch {
		case p >= 0 && !n.walked[p]:
			at = p
		case x.Flags&Boundary != 0:
			at = n.over(at)
		case p >= 0:
			n.cross.Cause, at = DanglingParent, -1
		case x.Parent.IsZero():
			n.cross.Cause, at = Head, -1
		default:
			if at = n.repair(at); at < 0 {
				n.cross.Cause = DanglingParent
			}
		}
	}
}

func (n *naive) over(at int) int {
	if n.loader < 0 {
		n.loader = at
	}
	to, door := -1, NoFloor
	for _, c := range n.Compactions {
		if int(c.Node) == at {
			k, ok := n.last[c.Logical]
			switch {
			case !ok:
				door = Unresolvable
			case n.removed[k]:
				door = RelinkRemoved
			case n.walked[k]:
				door = BoundaryLoop
			default:
				to = k
			}
		}
	}
	if n.cross.Budget >= 0 && n.cross.Crossed == n.cross.Budget {
		n.cross.Cause, n.cross.Wider = BudgetExhausted, door == NoFloor
		return -1
	}
	if n.cross.Cause = door; door == NoFloor {
		n.cross.Crossed++
	}
	return to
}

func (n *naive) repair(at int) int {
	x, best := &n.Nodes[at], -1
	if x.Time == NoTime {
		return -1
	}
	for i := range n.Nodes {
		y := &n.Nodes[i]
		if !n.alive(i) || n.walked[i] || (x.Flags^y.Flags)&Sidechain != 0 || y.Time == NoTime {
			continue
		}
		if y.Time < x.Time-repairWindow || y.Time > x.Time || y.Time == x.Time && i > at {
			continue
		}
		if best < 0 || cmp.Or(cmp.Compare(y.Time, n.Nodes[best].Time), cmp.Compare(i, best)) > 0 {
			best = i
		}
	}
	return best
}

func (n *naive) widen(leaf int) {
	talks := func(i int) bool { return n.Nodes[i].Kind == Assistant && (n.walked[i] || n.live[i]) }
	for i := range n.Nodes {
		for k := range n.Nodes {
			if n.alive(i) && n.alive(k) && n.walked[k] && n.Nodes[i].Kind == Assistant && n.Nodes[k].Kind == Assistant &&
				n.Nodes[i].Message != 0 && n.Nodes[i].Message == n.Nodes[k].Message {
				n.live[i] = true
			}
		}
	}
	for i := range n.Nodes {
		if p := n.upAlive(i); n.alive(i) && n.Nodes[i].Kind == User && n.Nodes[i].Flags&Carrier != 0 && p >= 0 && talks(p) {
			n.live[i] = true
		}
	}
	for i := range n.Nodes {
		if !n.alive(i) || n.Nodes[i].conversation() {
			continue
		}
		for _, k := range n.lineage(n.upAlive, i) {
			if k == leaf {
				n.live[i] = true
			}
			if k == leaf || n.Nodes[k].conversation() {
				break
			}
		}
	}
}

// family tells which openers hang below the same parent.
func (n *naive) family(a, b int) bool {
	ka, kb := n.raw(a), n.raw(b)
	if ka >= 0 || kb >= 0 {
		return ka == kb
	}
	return n.Nodes[a].Parent == n.Nodes[b].Parent && (!n.Nodes[a].Parent.IsZero() || n.session(a) == n.session(b))
}

func (n *naive) session(i int) uint64 {
	for _, r := range n.Roots {
		if int(r.Node) == i {
			return r.Session
		}
	}
	return 0
}

// raw gives the parent as written, a mere link too.
func (n *naive) raw(i int) int {
	id := n.Nodes[i].Parent
	if k, ok := n.last[id]; ok {
		return k
	}
	for k := len(n.Nodes) - 1; k >= 0; k-- {
		if n.Nodes[k].ID == id && !id.IsZero() {
			return k
		}
	}
	return -1
}

func (n *naive) resolve() (states []State, roots []int32, lost []LostOpener, leaf int, source LeafSource) {
	n.relink()
	leaf, source = n.leaf()
	n.walk(leaf)
	if leaf >= 0 {
		n.widen(leaf)
	}
	floor := int(n.cross.Floor)
	for _, c := range n.Compactions {
		if k := int(c.Node); k < floor && n.counts(k) && !n.walked[k] {
			n.cross.Above++
		}
	}
	if floor < 0 {
		floor = len(n.Nodes)
	}
	states = make([]State, len(n.Nodes))
	for i := range n.Nodes {
		switch {
		case !n.counts(i) || n.walked[i] || n.live[i] || n.Nodes[i].Flags&Sidechain != 0:
		case n.removed[i] || i < floor:
			states[i] = PreCut
		default:
			states[i] = Abandoned
		}
	}
	n.blind(states)
	roots = n.roots(states)
	lost = n.lost(states)
	for i := range n.Nodes {
		if n.Nodes[i].admitted() && !n.counts(i) {
			k := n.last[n.Nodes[i].ID]
			states[i], roots[i] = states[k], roots[k]
		}
	}
	return states, roots, lost, leaf, source
}

func (n *naive) blind(states []State) {
	openers := func(i int) bool {
		return n.counts(i) && n.Nodes[i].Opens && n.Nodes[i].Flags&Carrier == 0
	}
	goesOn := func(i int) bool { // something of the conversation hangs below i by its links as written
		for k := range n.Nodes {
			if (n.walked[k] || n.live[k]) && n.Nodes[k].conversation() && k != i && slices.Contains(n.lineage(n.raw, k), i) {
				return true
			}
		}
		return false
	}
	before := slices.Clone(states)
	for i := range n.Nodes {
		if before[i] != PreCut || !openers(i) || goesOn(i) {
			continue
		}
		for k := i + 1; k < len(n.Nodes); k++ {
			// A later one that is itself given up has a still later one, so it may stand for it.
			if openers(k) && before[k] != Abandoned && n.family(i, k) && (!n.Nodes[i].Parent.IsZero() || n.clearedBetween(i, k)) {
				states[i] = Abandoned
			}
		}
	}
	given := slices.Clone(states)
	for i := range n.Nodes {
		if given[i] != PreCut {
			continue
		}
		for _, k := range n.lineage(n.up, i) {
			if given[k] == Abandoned {
				states[i] = Abandoned
			}
			if given[k] != PreCut || goesOn(k) {
				break
			}
		}
	}
}

func (n *naive) clearedBetween(a, b int) bool {
	for _, l := range n.Leaves {
		if l.Explicit && l.Leaf.IsZero() && int(l.At) > a && int(l.At) <= b {
			return true
		}
	}
	return false
}

func (n *naive) roots(states []State) []int32 {
	out := make([]int32, len(states))
	for i := range states {
		out[i] = None
		if states[i] != Abandoned || !n.counts(i) {
			continue
		}
		line := n.lineage(func(k int) int {
			if p := n.up(k); p >= 0 && states[p] == Abandoned {
				return p
			}
			return -1
		}, i)
		top := line[len(line)-1]
		if p := n.up(top); p >= 0 && states[p] == Abandoned { // a ring: its first member
			top = slices.Min(line[slices.Index(line, p):])
		}
		out[i] = int32(top)
	}
	return out
}

func (n *naive) lost(states []State) (out []LostOpener) {
	for i := range states {
		if states[i] != Abandoned || !n.counts(i) || !n.Nodes[i].Opens {
			continue
		}
		l := LostOpener{Node: int32(i), By: None}
		for k := range states {
			if states[k] == Abandoned && n.Nodes[k].Kind == Assistant && n.counts(k) {
				for _, a := range n.lineage(n.up, k) {
					if states[a] != Abandoned {
						break
					}
					l.Answered = l.Answered || a == i
				}
			}
			if n.counts(k) && n.Nodes[k].Opens && states[k] != Abandoned && n.family(i, k) {
				l.By = int32(k)
			}
		}
		for k := range states {
			if n.walked[k] && n.Nodes[k].Opens && n.family(i, k) {
				l.By = int32(k)
			}
		}
		out = append(out, l)
	}
	return out
}

// turns places every node by position and by the first opener above it.
func (n *naive) turns(states []State) (openers, of []int32) {
	at := map[int]int{}
	for i := range n.Nodes {
		if n.Nodes[i].Opens && states[i] != Abandoned && !n.isCopy(i) {
			at[i] = len(openers)
			openers = append(openers, int32(i))
		}
	}
	cur := 0
	for i := range n.Nodes {
		if t, ok := at[i]; ok {
			cur = t
		}
		if states[i] == Abandoned {
			of = append(of, None)
			continue
		}
		turn := cur
		for _, k := range n.lineage(n.raw, i) {
			if t, ok := at[k]; ok {
				if t > cur && !n.isCopy(i) {
					turn = t
				}
				break
			}
		}
		of = append(of, int32(turn))
	}
	return openers, of
}

func (n *naive) isCopy(i int) bool {
	if n.Nodes[i].Kind == Other {
		if _, ok := n.last[n.Nodes[i].ID]; ok {
			return false // a mere link has no place beside a judged record of its uuid
		}
	}
	for k := i + 1; k < len(n.Nodes); k++ {
		if x, y := &n.Nodes[i], &n.Nodes[k]; x.ID == y.ID && !x.ID.IsZero() && x.admitted() == y.admitted() {
			return true
		}
	}
	return false
}

// branchPoints lists the records with more than one way on, in file order.
func (n *naive) branchPoints(leaf int) (out []BranchPoint) {
	says := func(i int) bool {
		return !n.isCopy(i) && n.Nodes[i].conversation() && n.Nodes[i].Flags&(Carrier|Meta|Summary) == 0
	}
	for p := range n.Nodes {
		b := BranchPoint{Node: int32(p)}
		for c := range n.Nodes {
			if n.raw(c) != p || c == p || n.isCopy(c) {
				continue
			}
			way := says(c)
			for k := range n.Nodes {
				if way || n.Nodes[c].Flags&(Carrier|Boundary) != 0 || k != leaf && !says(k) {
					continue
				}
				for step, a := range n.lineage(n.raw, k) { // c above k with nothing but riders between
					if a == c {
						way = true
					}
					if step > 0 && says(a) || n.Nodes[a].Flags&Carrier != 0 {
						break
					}
				}
			}
			if way {
				b.Children = append(b.Children, int32(c))
			}
		}
		if len(b.Children) > 1 {
			out = append(out, b)
		}
	}
	return out
}
