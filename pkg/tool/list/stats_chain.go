package list

import (
	"fmt"
	"strings"

	"csift/pkg/scope"
)

// chainText spells what is worth telling of a transcript's conversation, "" when that is nothing.
func chainText(c *scope.Chain) string {
	var out []string
	if s := numbers("abandoned records", c.Abandoned, "abandoned turns", c.Drafts+c.Rewound, "rewound", c.Rewound, "replay copies", c.Copies); s != "" {
		out = append(out, s)
	}
	if c.Budget != 0 && c.Crossed+c.Above > 0 {
		s := fmt.Sprintf("compactions crossed %d of %d", c.Crossed, c.Crossed+c.Above)
		if c.Above > 0 && c.FloorLine > 0 {
			s += fmt.Sprintf(", the walk ends at L%d (%s)", c.FloorLine, c.Cause)
		}
		out = append(out, s)
	}
	return strings.Join(out, " · ")
}
