package chain

import (
	"math/bits"
	"math/rand/v2"

	"csift/pkg/record"
)

// graph is the nodes with their links resolved.
type graph struct {
	nodes        []Node
	table        []uint64 // open addressing: half of the hash of an ID, then one more than the index of the last node that carries it
	mask         uint32
	seed0, seed1 uint64
	copies       []int32 // per node: the last node with its uuid; None unless the node is a copy; nil without copies
	parent       []int32 // per node: the node its parent link leads to; None
	moved        bool    // some node stands before its parent
	linked       bool    // some node is parent to another without being judged itself
}

func newGraph(nodes []Node) *graph {
	size := 16
	for size < 2*len(nodes) {
		size *= 2
	}
	// The seed keeps a file with made-up uuids from turning the table into a list.
	g := &graph{nodes: nodes, table: make([]uint64, size), mask: uint32(size - 1), seed0: rand.Uint64(), seed1: rand.Uint64()}
	for i := range nodes {
		g.enter(int32(i))
	}
	for i, c := range g.copies { // every earlier line is a copy of the final one
		if c == None {
			continue
		}
		if c = g.find(nodes[i].ID); nodes[c].admitted() != nodes[i].admitted() {
			c = None
		}
		g.copies[i] = c
	}
	g.link()
	return g
}

// enter puts a node into the table. A record that is a mere link never stands in the way of one that is judged.
func (g *graph) enter(i int32) {
	n := &g.nodes[i]
	if n.ID.IsZero() {
		return
	}
	slot, tag := g.slot(n.ID)
	if e := g.table[slot]; e != 0 {
		old := int32(uint32(e)) - 1
		switch o := &g.nodes[old]; {
		case o.admitted() == n.admitted():
			g.setCopy(old, i)
		case o.admitted():
			return
		}
	}
	g.table[slot] = tag | uint64(i+1)
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

func (g *graph) isCopy(i int32) bool { return g.copies != nil && g.copies[i] != None }

func (g *graph) link() {
	g.parent = make([]int32, len(g.nodes))
	for i := range g.nodes {
		p := None
		if id := g.nodes[i].Parent; !id.IsZero() {
			if before := int32(i) - 1; before >= 0 && g.nodes[before].ID == id && g.nodes[before].admitted() && !g.isCopy(before) {
				p = before // the usual case
			} else {
				p = g.find(id)
			}
		}
		g.parent[i] = p
		g.moved = g.moved || p > int32(i)
		g.linked = g.linked || p != None && !g.nodes[p].admitted()
	}
}

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

// slot gives the place of an ID in the table, its own or the free one where it would go, and the upper half of its entry.
func (g *graph) slot(id record.ID) (s uint32, tag uint64) {
	hi, lo := bits.Mul64(id.Hi^g.seed0, id.Lo^g.seed1)
	hi ^= lo
	s, tag = uint32(hi)&g.mask, hi&^(1<<32-1)
	for {
		e := g.table[s]
		if e == 0 || e&^(1<<32-1) == tag && g.nodes[int32(uint32(e))-1].ID == id {
			return s, tag
		}
		s = (s + 1) & g.mask
	}
}

// find gives the last node that carries an ID; None when there is none.
func (g *graph) find(id record.ID) int32 {
	if id.IsZero() {
		return None
	}
	s, _ := g.slot(id)
	return int32(uint32(g.table[s])) - 1
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
