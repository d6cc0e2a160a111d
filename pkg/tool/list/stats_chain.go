package list

import (
	"fmt"
	"strings"

	"csift/pkg/chain"
	"csift/pkg/transcript"
)

// lost is what a transcript holds beside its one conversation.
type lost struct {
	abandoned int // openers the conversation went on without
	rewound   int // those of them that had been answered
	copies    int // records that a later line repeats
	crossing
}

// crossing is how the walk up the conversation went over compactions.
type crossing struct {
	budget    int // chain.AllCrossings for no end; 0 is Claude Code's own reading, of which nothing is told
	crossed   int
	above     int // boundaries above the floor, which the walk did not reach
	exhausted bool
	floor     int // the line where it ended; 0 where there is none, or more than one
	cause     chain.FloorCause
}

func lostOf(c transcript.Chain) lost {
	return lost{
		abandoned: c.Drafts + c.Rewound, rewound: c.Rewound, copies: c.Copies,
		crossing: crossing{budget: c.Budget, crossed: c.Crossed, above: c.Above, exhausted: c.Exhausted, floor: c.FloorLine, cause: c.Cause},
	}
}

// add adds what another transcript holds; then there is no one floor any more.
func (l *lost) add(o lost) {
	l.abandoned += o.abandoned
	l.rewound += o.rewound
	l.copies += o.copies
	l.budget = o.budget
	l.crossed += o.crossed
	l.above += o.above
	l.exhausted = l.exhausted || o.exhausted
	l.floor, l.cause = 0, chain.NoFloor
}

// crossingKeys are the keys of a crossing. They are absent without a budget.
type crossingKeys struct {
	Budget    any     `json:"crossing_budget"` // a number, or "all"
	Crossed   int     `json:"boundaries_crossed"`
	Exhausted bool    `json:"budget_exhausted"`
	Above     int     `json:"boundaries_above_floor"`
	FloorLine *int    `json:"floor_line"`
	Cause     *string `json:"floor_cause"`
}

func (c *crossing) keys() *crossingKeys {
	if c.budget == 0 {
		return nil
	}
	k := &crossingKeys{Budget: c.budget, Crossed: c.crossed, Exhausted: c.exhausted, Above: c.above, Cause: orNull(c.cause.String())}
	if c.budget == chain.AllCrossings {
		k.Budget = "all"
	}
	if c.floor > 0 {
		k.FloorLine = &c.floor
	}
	return k
}

// text spells what is worth telling, "" when that is nothing.
func (l *lost) text() string {
	var out []string
	if s := numbers("abandoned turns", l.abandoned, "rewound", l.rewound, "replay copies", l.copies); s != "" {
		out = append(out, s)
	}
	if l.budget != 0 && l.crossed+l.above > 0 {
		s := fmt.Sprintf("compactions crossed %d of %d", l.crossed, l.crossed+l.above)
		if l.above > 0 && l.floor > 0 {
			s += fmt.Sprintf(", the walk ends at L%d (%s)", l.floor, l.cause)
		}
		out = append(out, s)
	}
	return strings.Join(out, " · ")
}
