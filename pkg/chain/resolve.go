package chain

import "csift/pkg/record"

// DefaultCrossings is how many compaction boundaries the walk crosses unless it is told otherwise.
const DefaultCrossings = AllCrossings

// Options chooses how a transcript is resolved.
type Options struct {
	Crossings int // how many boundaries the walk may cross: AllCrossings, or from 0 up
}

// Result is where all records of a transcript stand and what became of them.
type Result struct {
	Turns
	Survival
	*graph
	above []int32 // per abandoned node: the first opener at or above it; nil when nothing is abandoned
}

// Resolve places all records. Turns are numbered over the openers that are not abandoned.
func Resolve(rows *Rows, opt Options) *Result {
	r := &Result{graph: newGraph(rows.Nodes, rows.swept, rows.names()...)}
	rows.swept = sweep{} // the marks are changed from now on
	r.Survival = newSolver(r.graph, rows, opt.Crossings).survive()
	r.Turns = r.place(r.State)
	if r.Root != nil {
		r.placeAbandoned()
	}
	return r
}

// names gives the IDs that a resolution looks up, parents left out.
func (rows *Rows) names() []record.ID {
	ids := []record.ID{rows.recorded().leaf}
	for k := range rows.Compactions {
		c := &rows.Compactions[k]
		ids = append(ids, c.Logical, c.Anchor, c.Head, c.Tail)
		ids = append(ids, c.Kept...)
	}
	return ids
}

// placeAbandoned finds the openers of the abandoned records, which belong to no turn.
func (r *Result) placeAbandoned() {
	n := len(r.nodes)
	c := climber{parent: r.parent, top: r.short, hops: make([]int32, n)}
	for i := range c.top {
		c.top[i] = unseen
	}
	for _, i := range r.openers {
		if !r.isCopy(i) {
			c.top[i] = i
		}
	}
	for _, i := range r.Left {
		k := r.survivor(i)
		c.settle(k)
		if c.top[i] = c.top[k]; c.top[i] != None {
			r.Hops[i] = c.hops[k]
		}
	}
	r.above = c.top
}

// OpenerOf gives the opener a record belongs to: that of its turn, or, for an abandoned record, the first one at or above
// it by parent links; None when there is none.
func (r *Result) OpenerOf(i int32) int32 {
	if r.State[i] == Abandoned {
		return r.above[i]
	}
	if t := r.Of[i]; int(t) < len(r.Opener) {
		return r.Opener[t]
	}
	return None
}

// Find gives the last record that carries a uuid; None when there is none.
func (r *Result) Find(id record.ID) int32 { return r.find(id) }

// Unit gives the record that heads the unit of an abandoned record: itself for an opener, else the root of its branch;
// None for any other record, whose unit is its turn. A replay copy belongs where the record does that it is a copy of.
func (r *Result) Unit(i int32) int32 {
	if r.State[i] != Abandoned {
		return None
	}
	i = r.survivor(i)
	if r.LostAt(i) != nil {
		return i
	}
	return r.Root[i]
}

func (r *Result) survivor(i int32) int32 {
	if r.Copy != nil && r.Copy[i] != None {
		return r.Copy[i]
	}
	return i
}

// LostAt gives what is known of an abandoned opener, nil for any other record.
func (r *Result) LostAt(i int32) *LostOpener {
	lo, hi := 0, len(r.Lost)
	for lo < hi {
		if m := (lo + hi) / 2; r.Lost[m].Node < i {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(r.Lost) && r.Lost[lo].Node == i {
		return &r.Lost[lo]
	}
	return nil
}

// Verdict is the word for what became of a record: live, pre-cut, abandoned, draft or rewound. An abandoned opener is a
// draft or was rewound; any other record of a branch whose root was rewound was rewound with it.
func (r *Result) Verdict(i int32) string {
	if r.State[i] != Abandoned {
		return r.State[i].String()
	}
	switch l := r.LostAt(r.survivor(i)); {
	case l != nil && !l.Answered:
		return "draft"
	case l != nil || r.WasRewound(i):
		return "rewound"
	}
	return Abandoned.String()
}

// WasRewound reports whether a record belongs to a branch whose root is a rewound opener.
func (r *Result) WasRewound(i int32) bool {
	if r.State[i] != Abandoned {
		return false
	}
	l := r.LostAt(r.Root[i])
	return l != nil && l.Answered
}
