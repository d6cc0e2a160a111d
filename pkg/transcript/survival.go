package transcript

import (
	"slices"
	"sort"

	"csift/pkg/chain"
)

// resolve settles turns and survival under a budget of crossings, and numbers the abandoned units behind the turns.
func (s *Structure) resolve(budget int) {
	s.res = chain.Resolve(&s.rows, chain.Options{Crossings: budget})
	s.byTurn, s.mixed, s.units = nil, nil, nil
	s.heads = slices.Clone(s.res.Opener)
	if len(s.heads) == 0 {
		s.heads = append(s.heads, chain.None)
	}
	for _, i := range s.res.Left {
		head := s.res.Unit(i)
		if _, seen := s.units[head]; seen {
			continue
		}
		if s.units == nil {
			s.units = map[int32]int32{}
		}
		s.units[head] = int32(len(s.heads))
		s.heads = append(s.heads, head)
	}
}

// Cross resolves the transcript anew with another budget: how many compaction boundaries the walk up the conversation
// may cross, chain.AllCrossings for no end. It must be called before the Structure is asked anything, by one goroutine.
func (s *Structure) Cross(budget int) {
	if c := &s.res.Crossing; c.Budget == chain.AllCrossings && (budget < 0 || c.Crossed < budget) {
		c.Budget = budget // it would end in the same place
		return
	}
	s.resolve(budget)
}

// unit gives the unit of a node.
func (s *Structure) unit(i int32) int {
	if t := s.res.Of[i]; t != chain.None {
		return int(t)
	}
	return int(s.units[s.res.Unit(i)])
}

// openerOf gives the opener that heads a unit, nil when there is none.
func (s *Structure) openerOf(unit int) *opener {
	if unit < 0 || unit >= len(s.heads) || s.heads[unit] == chain.None {
		return nil
	}
	head := s.heads[unit]
	k := sort.Search(len(s.opened), func(k int) bool { return s.opened[k].node >= head })
	if k < len(s.opened) && s.opened[k].node == head {
		return &s.opened[k]
	}
	return nil
}

// IsTurn tells a turn from a unit that the conversation went on without: an abandoned opener, or what hangs below the
// root of an abandoned branch.
func (s *Structure) IsTurn(unit int) bool { return unit >= 0 && unit < max(1, len(s.res.Opener)) }

// Units is how many units there are, the abandoned ones behind the turns.
func (s *Structure) Units() int { return max(s.Turns(), len(s.heads)) }

// Unit gives the unit of the record at a place: its turn, or, from Turns() on, the unit it was abandoned with. Everything
// that is asked of a turn can be asked of a unit.
func (s *Structure) Unit(line, part int32) int {
	if i := s.node(line, part); i >= 0 {
		return s.unit(int32(i))
	}
	return s.Turn(line, part)
}

// OpenerOf gives the place of the opener a record belongs to: that of its turn, or, for an abandoned record, the first one
// at or above it by parent links.
func (s *Structure) OpenerOf(line, part int32) (Loc, bool) {
	i := s.node(line, part)
	if i < 0 {
		loc, _, ok := s.Opener(s.Turn(line, part))
		return loc, ok
	}
	if o := s.res.OpenerOf(int32(i)); o != chain.None {
		return s.locs[o], true
	}
	return Loc{}, false
}

// Head gives the place of the record that heads a unit: its opener, or the root of an abandoned branch.
func (s *Structure) Head(unit int) (Loc, bool) {
	if unit < 0 || unit >= len(s.heads) || s.heads[unit] == chain.None {
		return Loc{}, false
	}
	return s.locs[s.heads[unit]], true
}

// Survival gives what became of the record at a place; a record without a uuid is live, nothing being claimed of it.
func (s *Structure) Survival(line, part int32) chain.State {
	if i := s.node(line, part); i >= 0 {
		return s.res.State[i]
	}
	return chain.Live
}

// Abandoned reports whether the conversation went on without the record at a place.
func (s *Structure) Abandoned(line, part int32) bool {
	return s.Survival(line, part) == chain.Abandoned
}

// Verdict gives Survival in one word more: live, pre-cut, abandoned, draft or rewound.
func (s *Structure) Verdict(line, part int32) string {
	if i := s.node(line, part); i >= 0 {
		return s.res.Verdict(int32(i))
	}
	return chain.Live.String()
}

// Root gives the place of the topmost record of the branch that the record at a place was abandoned with, and whether
// that branch was rewound: its root is a prompt that had been answered. ok is false unless the record is abandoned.
func (s *Structure) Root(line, part int32) (root Loc, rewound, ok bool) {
	i := s.node(line, part)
	if i < 0 || s.res.State[i] != chain.Abandoned {
		return Loc{}, false, false
	}
	return s.locs[s.res.Root[i]], s.res.WasRewound(int32(i)), true
}

// LostOpener is an opener that the conversation went on without.
type LostOpener struct {
	Loc      Loc
	Answered bool // it was rewound; else it is a draft
	By       Loc  // the opener that took its place
	HasBy    bool
}

// Lost gives what is known of the record at a place if it is an abandoned opener.
func (s *Structure) Lost(line, part int32) (l LostOpener, ok bool) {
	i := s.node(line, part)
	if i < 0 {
		return LostOpener{}, false
	}
	if found := s.res.LostAt(int32(i)); found != nil {
		return s.lostOpener(found), true
	}
	return LostOpener{}, false
}

// LostUnit gives what is known of the abandoned opener that heads a unit; ok is false for a turn, and for a branch that
// starts with another record.
func (s *Structure) LostUnit(unit int) (l LostOpener, ok bool) {
	if s.IsTurn(unit) {
		return LostOpener{}, false
	}
	head, ok := s.Head(unit)
	if !ok {
		return LostOpener{}, false
	}
	return s.Lost(head.Line, head.Part)
}

// AllLost gives the abandoned openers, in file order.
func (s *Structure) AllLost() []LostOpener {
	out := make([]LostOpener, 0, len(s.res.Lost))
	for k := range s.res.Lost {
		out = append(out, s.lostOpener(&s.res.Lost[k]))
	}
	return out
}

func (s *Structure) lostOpener(l *chain.LostOpener) LostOpener {
	out := LostOpener{Loc: s.locs[l.Node], Answered: l.Answered}
	if l.By != chain.None {
		out.By, out.HasBy = s.locs[l.By], true
	}
	return out
}

// Chain is what is known of the conversation of a transcript as a whole. Lines are 1-based, 0 where there is none.
type Chain struct {
	Drafts, Rewound  int // abandoned openers without and with an answer
	Abandoned        int // abandoned records
	PreCut           int // records above the floor
	Copies           int // replay copies
	CutLine          int // the boundary where Claude Code's own walk ends
	LeafLine         int
	Leaf             chain.LeafSource
	Budget           int // chain.AllCrossings for no end
	Crossed, Above   int // boundaries crossed, and those that stand above the floor
	Exhausted, Wider bool
	FloorLine        int
	Cause            chain.FloorCause
}

// Chain tells how the conversation was found.
func (s *Structure) Chain() Chain {
	r := s.res
	c := Chain{Drafts: r.Drafts, Rewound: r.Rewound, Abandoned: r.Abandoned, Copies: r.Copies, CutLine: int(r.CutLine), Leaf: r.Source, Budget: r.Crossing.Budget,
		Crossed: r.Crossing.Crossed, Above: r.Crossing.Above, Exhausted: r.Crossing.Exhausted(), Wider: r.Crossing.Wider, Cause: r.Crossing.Cause}
	if r.Leaf != chain.None {
		c.LeafLine = int(s.nodes[r.Leaf].Line)
	}
	if r.Crossing.Floor != chain.None {
		c.FloorLine = int(s.nodes[r.Crossing.Floor].Line)
	}
	for _, state := range r.State {
		if state == chain.PreCut {
			c.PreCut++
		}
	}
	return c
}

// Said counts the records of the person and of the model, replay copies left out.
func (s *Structure) Said() (n int) {
	for i := range s.nodes {
		if k := s.nodes[i].Kind; (k == chain.User || k == chain.Assistant) && (s.res.Copy == nil || s.res.Copy[i] == chain.None) {
			n++
		}
	}
	return n
}

// BranchPoint is a record after which the conversation went more than one way.
type BranchPoint struct {
	Loc      Loc
	Children []Loc // in file order
	Live     Loc   // the one live child
	HasLive  bool
	GapMS    int64 // between the first and the last child by time
	Dated    bool  // GapMS is known
}

// BranchPoints gives the records with more than one way on, the widest gap first, undated ones last.
func (s *Structure) BranchPoints() []BranchPoint {
	points := s.res.BranchPoints()
	out := make([]BranchPoint, 0, len(points))
	for _, p := range points {
		b := BranchPoint{Loc: s.locs[p.Node]}
		for _, c := range p.Children {
			b.Children = append(b.Children, s.locs[c])
		}
		if p.Live != chain.None {
			b.Live, b.HasLive = s.locs[p.Live], true
		}
		if p.Gap != chain.NoTime {
			b.GapMS, b.Dated = p.Gap, true
		}
		out = append(out, b)
	}
	return out
}
