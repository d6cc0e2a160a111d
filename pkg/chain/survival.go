package chain

import (
	"slices"
	"sort"
)

// State is what became of a record.
type State uint8

// The states. A record of a subagent's lane, and one that Claude Code does not take into its map, is live: nothing is
// claimed of it.
const (
	Live      State = iota // the conversation reaches it
	PreCut                 // it stands above the place where the conversation can no longer be followed
	Abandoned              // the conversation went on without it
)

var states = [...]string{"live", "pre-cut", "abandoned"}

// String gives the wire word.
func (s State) String() string { return states[s] }

// Survival is what became of the records of a transcript.
type Survival struct {
	State []State // per node
	Root  []int32 // per node: the topmost abandoned record above it, or itself; None unless abandoned; nil when nothing is

	Leaf     int32 // index of the record the conversation ends with; None without one
	Source   LeafSource
	Crossing Crossing
	// CutLine is the line of the boundary where Claude Code's own walk ends; 0 when it meets none.
	CutLine int32
	Left    []int32      // the abandoned records, in file order
	Lost    []LostOpener // the openers among them, in file order

	Drafts    int // abandoned openers without an answer
	Rewound   int // abandoned openers with one
	Abandoned int // abandoned records, the openers among them
	Copies    int // replay copies
}

// marks of a node: what it is, and what became of it so far. They are all that most steps look at.
const (
	out       uint16 = 1 << iota // a mere link, or a replay copy
	sidechain                    // of a lane: never judged
	talk                         // a record of the person or of the model
	opens                        // opens a turn
	carrier                      // holds results
	removed                      // taken out by the cut before a boundary
	preserved                    // kept by that boundary
	walked                       // on the chain
	widened                      // live without being on the chain
	beside                       // not below the leaf
	joined                       // the conversation goes on below it
	answered                     // an assistant record hangs below it
	gone      = out | removed
)

// solver is the state of one resolution.
type solver struct {
	*graph
	rows     *Rows
	up       []int32 // parent over mere links and after the relink
	relinked bool
	cutAt    int32 // boundary before which everything not preserved was removed; None
	// loaderEnd is the first boundary that the walk could not go on from by parent links.
	loaderEnd int32
	crossing  Crossing
	lost      [sidechain + 1]*lostParents // by lane
	path      []int32
	cleared   []int32 // how many nodes stand before each line that clears the leaf
}

func newSolver(g *graph, rows *Rows, budget int) *solver {
	s := &solver{graph: g, rows: rows, up: g.judgedParents(), cutAt: None, loaderEnd: None}
	s.crossing = Crossing{Budget: budget, Floor: None}
	for _, l := range rows.Leaves {
		if l.Explicit && l.Leaf.IsZero() {
			s.cleared = append(s.cleared, l.At)
		}
	}
	return s
}

// kindMarks are the marks that come with a kind. Kinds come in no order that a processor could foresee, so that marks has
// few branches.
var kindMarks = [8]uint16{Other: out, User: talk, Assistant: talk}

func (n *Node) marks() uint16 {
	m := kindMarks[n.Kind&7]
	if n.ID.IsZero() {
		m |= out
	}
	if n.Opens {
		m |= opens
	}
	f := uint16(n.Flags)
	m |= f & uint16(Sidechain) * sidechain
	if m&talk != 0 && f&uint16(Carrier) != 0 && n.Kind == User {
		m |= carrier
	}
	return m
}

// survive resolves the whole axis.
func (s *solver) survive() (v Survival) {
	s.relink()
	leaf, source := s.findLeaf()
	v = Survival{Leaf: leaf, Source: source}
	if leaf != None {
		s.walk(leaf)
		s.widen(leaf)
	}
	cut, given := s.states(&v)
	if cut {
		s.joinUp(&v)
		if s.blind(&v) || given {
			s.spread(&v)
		}
	}
	for i, c := range s.copies {
		if c != None {
			v.State[i] = v.State[c]
			v.Copies++
		}
	}
	for i, state := range v.State {
		if state == Abandoned {
			v.Left = append(v.Left, int32(i))
		}
	}
	s.roots(&v)
	s.fates(&v)
	v.Crossing, v.CutLine = s.crossing, s.cutLine()
	return v
}

// states judges every node by the chain and by its place above or below the floor. It tells whether any
// are pre-cut, and abandoned.
func (s *solver) states(v *Survival) (cut, given bool) {
	v.State = make([]State, len(s.nodes))
	floor := s.crossing.Floor
	if floor == None {
		floor = int32(len(s.nodes))
	}
	for i, m := range s.mark {
		switch {
		case m&(out|sidechain|walked|widened) != 0:
		case m&removed != 0 || int32(i) < floor:
			v.State[i] = PreCut
			cut = true
		default:
			v.State[i] = Abandoned
			given = true
		}
	}
	for k := range s.rows.Compactions {
		if i := s.rows.Compactions[k].Node; i < s.crossing.Floor && s.mark[i]&(out|walked) == 0 {
			s.crossing.Above++
		}
	}
	return cut, given
}

func (s *solver) cutLine() int32 {
	at := s.loaderEnd
	if at == None {
		at = s.cutAt
	}
	if at == None {
		return 0
	}
	return s.nodes[at].Line
}

// blind finds the openers above the floor that were given up: a later opener took their place below the same parent.
// In 910 such pairs of real transcripts the conversation never went on from the earlier one. Results of parallel calls
// stand side by side and are no such pair.
func (s *solver) blind(v *Survival) bool {
	kin := kinship{}
	found := false
	for _, i := range slices.Backward(s.openers) {
		if s.mark[i]&(out|carrier) != 0 || v.State[i] == Abandoned {
			continue
		}
		f := s.family(i)
		later := kin.of(f)
		if later != None && v.State[i] == PreCut && s.mark[i]&joined == 0 && (!s.nodes[i].Parent.IsZero() || s.clearedBetween(i, later)) {
			v.State[i] = Abandoned
			found = true
			continue
		}
		if later == None {
			kin[f] = i
		}
	}
	return found
}

// clearedBetween reports whether a rewind to the start of the session is recorded between two nodes. Only that tells the
// first of two openers without a parent from the start of a conversation of its own (Claude Code 2.1.332 and later).
func (s *solver) clearedBetween(a, b int32) bool {
	k := sort.Search(len(s.cleared), func(k int) bool { return s.cleared[k] > a })
	return k < len(s.cleared) && s.cleared[k] <= b
}

// joinUp marks what has a live record of the conversation below it by its links as written: a preserved record was linked
// anew, but it is still part of what it was said under.
func (s *solver) joinUp(v *Survival) {
	for i, m := range s.mark {
		if m&talk == 0 || m&(walked|widened) == 0 {
			continue
		}
		for at := s.parent[i]; at != None && s.mark[at]&joined == 0; at = s.parent[at] {
			s.mark[at] |= joined
		}
	}
}

// spread gives up with a record all that hangs below it, also above the floor: who hangs below a record that was given up
// was given up with it, wherever it stands in the file.
func (s *solver) spread(v *Survival) {
	const no, yes = 1, 2
	fate := inherit(s.up, func(i int32) int32 {
		switch {
		case v.State[i] == Abandoned:
			return yes
		case v.State[i] == Live || s.mark[i]&joined != 0:
			return no
		}
		return None
	})
	for i := range s.nodes {
		if v.State[i] == PreCut && fate[i] == yes {
			v.State[i] = Abandoned
		}
	}
}
