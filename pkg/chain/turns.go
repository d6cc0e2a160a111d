package chain

// Turns is the placement of all nodes.
type Turns struct {
	Opener []int32 // per turn: index of the opening node
	Of     []int32 // per node: its turn; None for an abandoned record
	Hops   []int32 // per node: parent hops to its opener, see Result.OpenerOf; None when no links lead there
	Copy   []int32 // per node: index of the later node that carries the same uuid; None unless the node is a replay copy; nil without copies
	Moved  bool    // some node stands before its parent in the file
}

// Assign numbers the turns over all openers, whether or not the conversation still reaches them. Resolve leaves the
// abandoned ones out.
func Assign(nodes []Node) Turns { return newGraph(nodes, sweep{}).place(nil) }

// place numbers the turns over the openers in file order, from 0, and gives every node its turn:
//   - an abandoned opener opens no turn, an abandoned record belongs to none (states nil: nothing is abandoned);
//   - of two lines with one uuid only the later one opens a turn;
//   - what stands before the first opener belongs to turn 0, and a file without an opener is one turn 0;
//   - a node whose parents lead to a later opener, with no opener between, belongs to that opener.
func (g *graph) place(states []State) Turns {
	n := len(g.nodes)
	t := Turns{Of: make([]int32, n), Hops: make([]int32, n), Copy: g.copies, Moved: g.moved}
	c := climber{parent: g.parent, top: g.short, hops: t.Hops}
	for i := range c.top {
		c.top[i] = unseen
	}
	for _, i := range g.openers {
		if !g.isCopy(i) && (states == nil || states[i] != Abandoned) {
			c.top[i] = int32(len(t.Opener))
			t.Opener = append(t.Opener, i)
		}
	}
	cur, next := int32(0), 0 // the turn by position, and the one that opens next
	top, hops, parent := c.top, c.hops[:n], c.parent[:n]
	for i, at := range top {
		switch p := parent[i]; {
		case at != unseen:
			if next < len(t.Opener) && int(t.Opener[next]) == i {
				cur, next = int32(next), next+1
			}
		case p == None:
			at = None
		case top[p] != unseen: // nearly always
			at, hops[i] = top[p], hops[p]+1
		default:
			c.climb(int32(i))
			at = top[i]
		}
		top[i] = at
		if t.Of[i] = cur; at > cur && !g.isCopy(int32(i)) {
			t.Of[i] = at
		}
	}
	if states != nil {
		for i, state := range states {
			if state == Abandoned {
				t.Of[i] = None
			}
		}
	}
	for i, of := range t.Of {
		if of == None || c.top[i] != of {
			t.Hops[i] = None
		}
	}
	return t
}

const unseen = int32(-2)

type climber struct {
	parent []int32
	top    []int32 // per node: the turn of the first opener at or above it, None, or unseen
	hops   []int32 // per node with an opener above: the way to it
	path   []int32
}

// settle fills top and hops for node i and all that stands between it and its opener.
func (c *climber) settle(i int32) {
	if c.top[i] != unseen {
		return
	}
	if p := c.parent[i]; p == None {
		c.top[i] = None
	} else if top := c.top[p]; top != unseen {
		c.top[i], c.hops[i] = top, c.hops[p]+1
	} else {
		c.climb(i)
	}
}

// climb is settle for a node whose parent is not settled.
func (c *climber) climb(i int32) {
	c.path = c.path[:0]
	at := i
	for at != None && c.top[at] == unseen {
		c.top[at] = None // a ring that comes back here ends here
		c.path = append(c.path, at)
		at = c.parent[at]
	}
	if at == None || c.top[at] == None {
		return
	}
	top, n := c.top[at], c.hops[at]
	for k := len(c.path) - 1; k >= 0; k-- {
		n++
		c.top[c.path[k]], c.hops[c.path[k]] = top, n
	}
}
