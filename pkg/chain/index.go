package chain

import (
	"sync"

	"csift/pkg/record"
)

// graph is the nodes with their links resolved.
//
// In nearly every transcript a record's parent stands on the line above and no uuid stands on two lines, so that no uuid
// need be looked up. A table of all of them would be the costliest part of the resolution. What makes it needless is a
// filter of some bits per uuid: only nodes whose bit was set by another one, and those whose uuid some node asks for as
// its parent, go into a table.
type graph struct {
	sweep
	nodes  []Node
	few    table // of all nodes whose ID may be in asked
	asked  filter
	copies []int32 // per node: the last node with its uuid; None unless the node is a copy; nil without copies
	moved  bool    // some node stands before its parent
	linked bool    // some node is parent to another without being judged itself

	all  table // of all nodes; built when first asked for
	once sync.Once
}

// newGraph resolves the links between nodes, of which sw has seen the first ones. ask are IDs that will be looked up.
func newGraph(nodes []Node, sw sweep, ask ...record.ID) *graph {
	g := &graph{nodes: nodes, sweep: sw}
	g.extend(nodes)
	again := g.again()
	g.asked = newFilter(2 * (len(again) + len(g.far) + len(ask)))
	for _, i := range again {
		g.asked.add(lower(g.short[i]))
	}
	for _, i := range g.far {
		g.asked.add(lower(half(g.hash(nodes[i].Parent))))
	}
	for _, id := range ask {
		g.asked.add(lower(half(g.hash(id))))
	}
	var in []int32
	if len(again)+len(g.far)+len(ask) > 0 {
		asked := g.asked // its fields in registers
		for i, h := range g.short {
			if asked.has(lower(h)) && !nodes[i].ID.IsZero() {
				in = append(in, int32(i))
			}
		}
	}
	g.few = newTable(len(in))
	for _, i := range in {
		g.enter(i)
	}
	g.settleCopies(in)
	for _, i := range g.far {
		p := g.find(nodes[i].Parent)
		g.parent[i] = p
		g.moved = g.moved || p > i
		g.linked = g.linked || p != None && !nodes[p].admitted()
	}
	return g
}

// again gives the nodes whose uuid may stand further up as well.
func (g *graph) again() (again []int32) {
	seen := newFilter(len(g.nodes))
	for i, h := range g.short {
		if seen.add(upper(h)) && !g.nodes[i].ID.IsZero() {
			again = append(again, int32(i))
		}
	}
	return again
}

// enter puts a node into the table. A record that is a mere link never stands in the way of one that is judged.
func (g *graph) enter(i int32) {
	n := &g.nodes[i]
	slot, tag := g.few.slot(g, n.ID)
	if e := g.few.entries[slot]; e != 0 {
		old := int32(uint32(e)) - 1
		switch o := &g.nodes[old]; {
		case o.admitted() == n.admitted():
			g.setCopy(old, i)
		case o.admitted():
			return
		}
	}
	g.few.entries[slot] = tag | uint64(i+1)
}

func (g *graph) setCopy(old, by int32) {
	if g.copies == nil {
		g.copies = make([]int32, len(g.nodes))
		for i := range g.copies {
			g.copies[i] = None
		}
	}
	g.copies[old] = by
}

// settleCopies makes every earlier line a copy of the final one. in are all nodes that may be copies.
func (g *graph) settleCopies(in []int32) {
	if g.copies == nil {
		return
	}
	for _, i := range in {
		if g.copies[i] == None {
			continue
		}
		c := g.find(g.nodes[i].ID)
		if g.nodes[c].admitted() != g.nodes[i].admitted() {
			c = None
		}
		if g.copies[i] = c; c == None {
			continue
		}
		g.mark[i] |= out
		// What stands below a copy hangs below the final one.
		if k := i + 1; int(k) < len(g.nodes) && g.nodes[k].Parent == g.nodes[i].ID {
			g.parent[k] = c
			g.moved = g.moved || c > k
		}
	}
}

func (g *graph) isCopy(i int32) bool { return g.copies != nil && g.copies[i] != None }

// judgedParents gives the parents with mere links left out.
func (g *graph) judgedParents() []int32 {
	if !g.linked {
		return g.parent
	}
	at := inherit(g.parent, func(i int32) int32 {
		if g.nodes[i].admitted() {
			return i
		}
		return None
	})
	up := make([]int32, len(g.parent))
	for i, p := range g.parent {
		if up[i] = None; p != None {
			up[i] = at[p]
		}
	}
	return up
}

// find gives the last node that carries an ID; None when there is none.
func (g *graph) find(id record.ID) int32 {
	if id.IsZero() {
		return None
	}
	t := &g.few
	if !g.isAsked(id) {
		g.once.Do(g.index)
		t = &g.all
	}
	s, _ := t.slot(g, id)
	return int32(uint32(t.entries[s])) - 1
}

// isAsked reports whether the table of a few nodes has all those that carry an ID.
func (g *graph) isAsked(id record.ID) bool { return g.asked.has(lower(half(g.hash(id)))) }

// index makes the table of all nodes.
func (g *graph) index() {
	g.all = newTable(len(g.nodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.ID.IsZero() {
			continue
		}
		slot, tag := g.all.slot(g, n.ID)
		if e := g.all.entries[slot]; e == 0 || n.admitted() || !g.nodes[int32(uint32(e))-1].admitted() {
			g.all.entries[slot] = tag | uint64(i+1)
		}
	}
}

// table finds nodes by their IDs.
type table struct {
	entries []uint64 // open addressing: half of the hash of an ID, then one more than the index of the last node that carries it
}

// newTable makes a table for n nodes.
func newTable(n int) table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return table{entries: make([]uint64, size)}
}

// slot gives the place of an ID in the table, its own or the free one where it would go, and the upper half of its entry.
func (t *table) slot(g *graph, id record.ID) (s uint32, tag uint64) {
	h := g.hash(id)
	mask := uint32(len(t.entries) - 1)
	s, tag = uint32(h)&mask, h&^(1<<32-1)
	for {
		e := t.entries[s]
		if e == 0 || e&^(1<<32-1) == tag && g.nodes[int32(uint32(e))-1].ID == id {
			return s, tag
		}
		s = (s + 1) & mask
	}
}

// inherit gives for every node the value of the first node at or above it that has one of its own; None where the way up
// ends or closes to a ring before that. It visits each node once.
func inherit(parent []int32, own func(i int32) int32) []int32 {
	out := make([]int32, len(parent))
	for i := range out {
		out[i] = unseen
	}
	var path []int32
	for i := range out {
		path = path[:0]
		at := int32(i)
		for at != None && out[at] == unseen {
			if out[at] = own(at); out[at] != None {
				break
			}
			path = append(path, at) // None so far: a ring that comes back here ends here
			at = parent[at]
		}
		if at == None || out[at] == None {
			continue
		}
		for _, k := range path {
			out[k] = out[at]
		}
	}
	return out
}
