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
		fmt.Fprintf(&b, "%2d id %d parent %d kind %d flags %05b opens %v time %d msg %d -> %s turn %d\n", i, n.ID[15], n.Parent[15], n.Kind, n.Flags, n.Opens, n.Time, n.Message,
			r.Verdict(int32(i)), r.Of[i])
	}
	for _, c := range rows.Compactions {
		fmt.Fprintf(&b, "compaction at %d: logical %d", c.Node, c.Logical[15])
		if c.Messages {
			fmt.Fprintf(&b, " messages anchor %d", c.Anchor[15])
			for _, k := range c.Kept {
				fmt.Fprintf(&b, " %d", k[15])
			}
		}
		if c.Segment {
			fmt.Fprintf(&b, " segment anchor %d %d..%d", c.Anchor[15], c.Head[15], c.Tail[15])
		}
		b.WriteByte('\n')
	}
	for _, l := range rows.Leaves {
		fmt.Fprintf(&b, "leaf before %d: %d explicit %v\n", l.At, l.Leaf[15], l.Explicit)
	}
	for _, l := range rows.Roots {
		fmt.Fprintf(&b, "root %d session %d\n", l.Node, l.Session)
	}
	return b.String()
}
