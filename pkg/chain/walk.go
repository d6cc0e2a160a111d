package chain

import (
	"sort"

	"csift/pkg/record"
)

// AllCrossings is the budget without an end.
const AllCrossings = -1

// FloorCause says why the walk up the conversation ended where it did.
type FloorCause uint8

// The causes. The first four are those of a walk that ends on a compaction boundary.
const (
	NoFloor         FloorCause = iota // there was nothing to walk
	BudgetExhausted                   // the budget of crossings ran out on a boundary
	Unresolvable                      // the boundary names a record that is on no line
	RelinkRemoved                     // the boundary names a record that the cut took out
	BoundaryLoop                      // the boundary names a record the walk has already reached: it preserved the end of the conversation
	Head                              // a record without a parent
	DanglingParent                    // the parent is on no line, was taken out, or closes a ring
)

var floorCauses = [...]string{"", "budget-exhausted", "unresolvable-boundary", "relink-removed", "boundary-loop", "head", "dangling-parent"}

// String gives the wire word, "" for NoFloor.
func (c FloorCause) String() string { return floorCauses[c] }

// Crossing is how far the walk went up over compactions.
type Crossing struct {
	Budget  int // AllCrossings for no end; 0 is Claude Code's own reading
	Crossed int
	Above   int   // boundaries above the floor that the walk has not reached
	Floor   int32 // index of the last record reached; None when there was nothing to walk
	Cause   FloorCause
	Wider   bool // the walk ended for want of budget, and a bigger one would move the floor
}

// Exhausted reports whether the budget ran out.
func (c *Crossing) Exhausted() bool { return c.Cause == BudgetExhausted }

// walk marks the conversation from its leaf to its head.
func (s *solver) walk(leaf int32) {
	c := &s.crossing
	c.Floor = leaf
	for at := leaf; at != None; {
		s.mark[at] |= walked
		c.Floor = at
		p := s.parentOf(at)
		switch {
		case p != None && s.mark[p]&walked == 0:
			at = p
		case s.nodes[at].Flags&Boundary != 0:
			at = s.cross(at)
		case p != None:
			c.Cause, at = DanglingParent, None
		case s.nodes[at].Parent.IsZero():
			c.Cause, at = Head, None
		default:
			if at = s.repair(at); at == None {
				c.Cause = DanglingParent
			}
		}
	}
}

// cross gives the record a boundary says the conversation came from, if the walk may go there.
func (s *solver) cross(at int32) int32 {
	c := &s.crossing
	if s.loaderEnd == None {
		s.loaderEnd = at
	}
	to, door := s.judged(s.logical(at)), NoFloor
	switch {
	case to == None:
		door = Unresolvable
	case s.mark[to]&removed != 0:
		door = RelinkRemoved
	case s.mark[to]&walked != 0:
		door = BoundaryLoop
	}
	if c.Budget >= 0 && c.Crossed >= c.Budget {
		c.Cause, c.Wider = BudgetExhausted, door == NoFloor
		return None
	}
	if door != NoFloor {
		c.Cause = door
		return None
	}
	c.Crossed++
	return to
}

// logical gives the logicalParentUuid of a boundary.
func (s *solver) logical(at int32) (id record.ID) {
	c := s.rows.Compactions
	k := sort.Search(len(c), func(k int) bool { return c[k].Node >= at })
	if k < len(c) && c[k].Node == at {
		id = c[k].Logical
	}
	return id
}
