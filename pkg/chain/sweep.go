package chain

import (
	"math/bits"
	"math/rand/v2"

	"csift/pkg/record"
)

// sweep is what a single look at each node tells, one after the other: what is needed of all of them, so that nodes need
// hardly be touched again.
type sweep struct {
	mark    []uint16 // per node: what it is; see the marks of a solver
	short   []int32  // per node: half of the hash of its ID; afterwards memory for other steps
	parent  []int32  // per node: the node before it where that is its parent; None
	message []uint16 // per node: some bits of its Message
	openers []int32  // the nodes that open turns by their own content
	far     []int32  // the nodes whose parent, if there is one, stands elsewhere; parent says nothing of them

	last         record.ID // of the last node, when that is judged
	seed0, seed1 uint64    // they keep a file with made-up uuids from turning a table into a list
}

// extend looks at the nodes that are new since the last time.
func (w *sweep) extend(nodes []Node) {
	if w.seed0 == 0 {
		w.seed0, w.seed1 = rand.Uint64()|1, rand.Uint64()
	}
	from := len(w.mark)
	w.mark, w.short = longer(w.mark, nodes), longer(w.short, nodes)
	w.parent, w.message = longer(w.parent, nodes), longer(w.message, nodes)
	for i := from; i < len(nodes); i++ {
		n := &nodes[i]
		w.mark[i], w.short[i], w.message[i] = n.marks(), half(w.hash(n.ID)), messageBits(n.Message)
		p := None
		if !n.Parent.IsZero() {
			if p = int32(i) - 1; n.Parent != w.last {
				p = None
				w.far = append(w.far, int32(i))
			}
		}
		w.parent[i] = p
		if w.last = n.ID; n.Kind == Other {
			w.last = record.ID{}
		}
		if n.Opens {
			w.openers = append(w.openers, int32(i))
		}
	}
}

func (w *sweep) hash(id record.ID) uint64 {
	hi, lo := bits.Mul64(id.Hi^w.seed0, id.Lo^w.seed1)
	return hi ^ lo
}

// longer makes s as long as nodes, with room for as many as they have. slices.Grow would write to that room.
func longer[T any](s []T, nodes []Node) []T {
	if len(nodes) > cap(s) {
		t := make([]T, len(nodes), cap(nodes))
		copy(t, s)
		return t
	}
	return s[:len(nodes)]
}

// messageBits are bits of a Message that tell most of them apart.
func messageBits(m uint64) uint16 { return uint16(m >> 32) }

func half(h uint64) int32 { return int32(uint32(h)) }

// upper and lower make of half a hash one for a filter, which takes its bits from the top.
func upper(h int32) uint64 { return uint64(uint32(h)) << 32 }

func lower(h int32) uint64 { return uint64(bits.RotateLeft32(uint32(h), 16)) << 32 }
