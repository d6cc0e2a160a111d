// Package chain places the records of one transcript: which turn each belongs to and how far it stands from the turn's
// opener. It works on small structs only; it opens no file and reads no text.
//
// The invariant: nodes are in file order, and every answer is decided over the whole file, because a child may be
// written before its parent (Claude Code 2.1.258), uuids repeat and parent links may form cycles.
package chain

import "csift/pkg/record"

// Node is one record of a transcript: enough of it to place it.
type Node struct {
	ID, Parent record.ID // zero: the record has none
	Line       int32     // 1-based physical line
	Opens      bool      // the record opens a turn by its own content
}

// None marks an absent index, turn or hop count.
const None = int32(-1)

// Turns is the placement of all nodes.
type Turns struct {
	Opener []int32 // per turn: index of the opening node
	Of     []int32 // per node: its turn
	Hops   []int32 // per node: parent hops to the turn's opener; None when parent links do not lead to it
	Copy   []int32 // per node: index of the later node that carries the same uuid; None unless the node is a replay copy
	Moved  bool    // some node stands before its parent in the file
}

// Assign numbers the turns over the openers in file order, from 0, and gives every node its turn:
//   - of two lines with one uuid only the later one opens a turn;
//   - what stands before the first opener belongs to turn 0, and a file without an opener is one turn 0;
//   - a node whose parents lead to a later opener, with no opener between, belongs to that opener.
func Assign(nodes []Node) Turns {
	t := Turns{Of: make([]int32, len(nodes)), Hops: make([]int32, len(nodes))}
	ix := newIndex(nodes)
	t.Copy = ix.copies
	turnOf := make([]int32, len(nodes)) // the turn a node itself opens
	for i := range nodes {
		turnOf[i] = None
		if nodes[i].Opens && !t.isCopy(int32(i)) {
			turnOf[i] = int32(len(t.Opener))
			t.Opener = append(t.Opener, int32(i))
		}
	}
	t.climb(nodes, ix, turnOf)
	return t
}

func (t *Turns) isCopy(i int32) bool { return t.Copy != nil && t.Copy[i] != None }

// climb finds for every node the first opener above it, visiting each node once, and settles its turn by it.
func (t *Turns) climb(nodes []Node, ix *index, turnOf []int32) {
	c := climber{nodes: nodes, ix: ix, turnOf: turnOf, up: make([]int32, len(nodes)), hops: make([]int32, len(nodes))}
	for i := range c.up {
		c.up[i] = unseen
	}
	cur := int32(0) // the turn by position
	for i := range nodes {
		c.settle(int32(i))
		if turnOf[i] != None {
			cur = turnOf[i]
		}
		t.Of[i], t.Hops[i] = cur, None
		o := c.up[i]
		if o == None {
			continue
		}
		if turnOf[o] > cur && !t.isCopy(int32(i)) {
			t.Of[i] = turnOf[o]
		}
		if turnOf[o] == t.Of[i] {
			t.Hops[i] = c.hops[i]
		}
	}
	t.Moved = c.moved
}

const unseen = int32(-2)

type climber struct {
	nodes  []Node
	ix     *index
	turnOf []int32
	up     []int32 // per node: the first opener at or above it, None, or unseen
	hops   []int32 // per node with an opener above: the way to it
	path   []int32
	moved  bool
}

// settle fills up and hops for node i and all that stands between it and its opener.
func (c *climber) settle(i int32) {
	c.path = c.path[:0]
	at := i
	for at != None && c.up[at] == unseen {
		if c.turnOf[at] != None {
			c.up[at] = at
			break
		}
		c.up[at] = None // a cycle that comes back here ends here
		c.path = append(c.path, at)
		parent := c.ix.find(c.nodes[at].Parent)
		c.moved = c.moved || parent > at
		at = parent
	}
	if at == None || c.up[at] == None {
		return
	}
	top, n := c.up[at], c.hops[at]
	for k := len(c.path) - 1; k >= 0; k-- {
		n++
		c.up[c.path[k]], c.hops[c.path[k]] = top, n
	}
}

// index finds nodes by uuid: the last line that carries one.
type index struct {
	nodes  []Node
	table  []int32
	mask   uint32
	copies []int32
}

func newIndex(nodes []Node) *index {
	size := 16
	for size < 2*len(nodes) {
		size *= 2
	}
	ix := &index{nodes: nodes, table: make([]int32, size), mask: uint32(size - 1)}
	for i := range ix.table {
		ix.table[i] = None
	}
	for i := range nodes {
		if nodes[i].ID.IsZero() {
			continue
		}
		slot := ix.slot(nodes[i].ID)
		if old := ix.table[slot]; old != None {
			ix.setCopy(old, int32(i))
		}
		ix.table[slot] = int32(i)
	}
	for i, c := range ix.copies { // every earlier line is a copy of the final one
		if c != None {
			ix.copies[i] = ix.find(nodes[i].ID)
		}
	}
	return ix
}

func (ix *index) setCopy(old, by int32) {
	if ix.copies == nil {
		ix.copies = make([]int32, len(ix.nodes))
		for i := range ix.copies {
			ix.copies[i] = None
		}
	}
	ix.copies[old] = by
}

// slot gives the place of an ID in the table: its own, or the free one where it would go.
func (ix *index) slot(id record.ID) uint32 {
	h := uint64(id[0]) | uint64(id[1])<<8 | uint64(id[2])<<16 | uint64(id[3])<<24 | uint64(id[12])<<32 | uint64(id[13])<<40 |
		uint64(id[14])<<48 | uint64(id[15])<<56
	h *= 0x9e3779b97f4a7c15
	s := uint32(h>>32) & ix.mask
	for {
		n := ix.table[s]
		if n == None || ix.nodes[n].ID == id {
			return s
		}
		s = (s + 1) & ix.mask
	}
}

func (ix *index) find(id record.ID) int32 {
	if id.IsZero() {
		return None
	}
	return ix.table[ix.slot(id)]
}
