package scope

import (
	"fmt"

	"csift/pkg/chain"
	"csift/pkg/transcript"
)

// Chain is what the conversations of one or several transcripts come to: counts add up, and what only one transcript can
// have (the lines, the cause, how its end was found) is told of one alone.
type Chain struct {
	transcript.Chain
	Transcripts int

	wide int // transcripts whose walk a bigger budget would lead further
}

// NewChain is the sum of none, under the budget of --cross-compactions.
func NewChain(budget int) Chain { return Chain{Chain: transcript.Chain{Budget: budget}} }

// Add adds the conversation of one transcript.
func (c *Chain) Add(t transcript.Chain) {
	if c.Transcripts++; t.Wider {
		c.wide++
	}
	if c.Transcripts == 1 {
		c.Chain = t
		return
	}
	c.Drafts += t.Drafts
	c.Rewound += t.Rewound
	c.Abandoned += t.Abandoned
	c.PreCut += t.PreCut
	c.Copies += t.Copies
	c.Crossed += t.Crossed
	c.Above += t.Above
	c.Exhausted = c.Exhausted || t.Exhausted
	c.Wider = c.Wider || t.Wider
	c.CutLine, c.LeafLine, c.FloorLine, c.Cause = 0, 0, 0, chain.NoFloor
}

// Crossing is how the walk up the conversation went over compactions. With a budget of 0, Claude Code's own reading, there
// is nothing to tell: the keys are absent.
type Crossing struct {
	Budget    any     `json:"crossing_budget"` // a number, or "all"
	Crossed   int     `json:"boundaries_crossed"`
	Exhausted bool    `json:"budget_exhausted"`
	Above     int     `json:"boundaries_above_floor"`
	FloorLine *int    `json:"floor_line"` // null with several transcripts, as is the cause
	Cause     *string `json:"floor_cause"`
}

// Crossing gives the keys, nil where there are none.
func (c *Chain) Crossing() *Crossing {
	if c.Budget == 0 {
		return nil
	}
	k := &Crossing{Budget: c.Budget, Crossed: c.Crossed, Exhausted: c.Exhausted, Above: c.Above, FloorLine: OrNull(c.FloorLine), Cause: OrNull(c.Cause.String())}
	if c.Budget == chain.AllCrossings {
		k.Budget = "all"
	}
	return k
}

// Fates counts what the conversations went on without.
type Fates struct {
	SupersededDrafts int     `json:"superseded_drafts"`
	AbandonedRecords int     `json:"abandoned_records"`
	RewoundTurns     int     `json:"rewound_turns"`
	ReplayCopies     int     `json:"replay_copies"`
	BoundaryCutLine  *int    `json:"boundary_cut_line"` // where Claude Code's own walk ends; null without, and with several transcripts
	LeafSource       *string `json:"leaf_source"`       // null with several transcripts, and with none
}

// Fates gives the counts.
func (c *Chain) Fates() Fates {
	f := Fates{SupersededDrafts: c.Drafts, AbandonedRecords: c.Abandoned, RewoundTurns: c.Rewound, ReplayCopies: c.Copies, BoundaryCutLine: OrNull(c.CutLine)}
	if c.Transcripts == 1 && c.LeafLine > 0 {
		s := c.Leaf.String()
		f.LeafSource = &s
	}
	return f
}

// Lost spells what the conversations went on without, a line each, none where that is nothing.
func (c *Chain) Lost() (lines []string) {
	if c.Drafts > 0 {
		lines = append(lines, fmt.Sprintf("%s superseded before an answer came · -t user.unsent finds them", Count(c.Drafts, "draft")))
	}
	if c.Abandoned+c.Copies == 0 {
		return lines
	}
	s := fmt.Sprintf("abandoned records %d · rewound turns %d · replay copies %d", c.Abandoned, c.Rewound, c.Copies)
	if c.Transcripts == 1 {
		if c.CutLine > 0 {
			s += fmt.Sprintf(" · Claude Code reads from the boundary at L%d", c.CutLine)
		}
		if c.LeafLine > 0 {
			s += fmt.Sprintf(" · the conversation ends at L%d (%s)", c.LeafLine, c.Leaf.Detail())
		}
	}
	return append(lines, s)
}

// Crossings spells how the walk went over compactions where that says something: up to two lines.
func (c *Chain) Crossings() (lines []string) {
	if c.Budget == 0 {
		return nil
	}
	if c.Above > 0 || c.Crossed > 0 && (c.Budget > 0 || c.PreCut > 0) {
		s := fmt.Sprintf("(compactions crossed %d of %d", c.Crossed, c.Crossed+c.Above)
		if c.Budget > 0 {
			s += fmt.Sprintf(" · --cross-compactions %d", c.Budget)
			if c.Exhausted {
				s += ", exhausted"
			}
		}
		lines = append(lines, s+")")
	}
	if c.PreCut == 0 {
		return lines
	}
	s := fmt.Sprintf("(%s above the place where the walk up the conversation ends", Count(c.PreCut, "record"))
	if c.FloorLine > 0 {
		s += fmt.Sprintf(", L%d: %s", c.FloorLine, c.Cause)
	}
	if c.Wider {
		s += " · --cross-compactions all goes further"
		if c.Transcripts > 1 {
			s += fmt.Sprintf(" in %s", Count(c.wide, "transcript"))
		}
	}
	return append(lines, s+")")
}
