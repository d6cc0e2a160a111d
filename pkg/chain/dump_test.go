package chain

import (
	"fmt"
	"strings"
)

// dump prints rows with what became of them.
func dump(rows *Rows, r *Result) string {
	var b strings.Builder
	for i := range rows.Nodes {
		n := &rows.Nodes[i]
		fmt.Fprintf(&b, "%2d id %d parent %d kind %d flags %05b opens %v time %d msg %d -> %s turn %d\n", i, n.ID.Lo, n.Parent.Lo, n.Kind, n.Flags, n.Opens, n.Time, n.Message,
			r.Verdict(int32(i)), r.Of[i])
	}
	for _, c := range rows.Compactions {
		fmt.Fprintf(&b, "compaction at %d: logical %d", c.Node, c.Logical.Lo)
		if c.Messages {
			fmt.Fprintf(&b, " messages anchor %d", c.Anchor.Lo)
			for _, k := range c.Kept {
				fmt.Fprintf(&b, " %d", k.Lo)
			}
		}
		if c.Segment {
			fmt.Fprintf(&b, " segment anchor %d %d..%d", c.Anchor.Lo, c.Head.Lo, c.Tail.Lo)
		}
		b.WriteByte('\n')
	}
	for _, l := range rows.Leaves {
		fmt.Fprintf(&b, "leaf before %d: %d explicit %v\n", l.At, l.Leaf.Lo, l.Explicit)
	}
	for _, l := range rows.Roots {
		fmt.Fprintf(&b, "root %d session %d\n", l.Node, l.Session)
	}
	return b.String()
}
