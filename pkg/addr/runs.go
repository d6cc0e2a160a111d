package addr

import (
	"cmp"
	"slices"
)

// Run is some lines or turns one after the other, both ends included.
type Run struct{ Lo, Hi int }

// Join orders runs, in place, and makes one of those that meet.
func Join(all []Run) []Run {
	slices.SortFunc(all, func(a, b Run) int { return cmp.Compare(a.Lo, b.Lo) })
	out := all[:0]
	for _, r := range all {
		if k := len(out) - 1; k >= 0 && r.Lo <= out[k].Hi+1 {
			out[k].Hi = max(out[k].Hi, r.Hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

// Within reports whether n lies in one of joined runs. There may be as many of them as records: a pipe names each.
func Within(joined []Run, n int) bool {
	i, _ := slices.BinarySearchFunc(joined, n, func(r Run, n int) int { return cmp.Compare(r.Hi, n) })
	return i < len(joined) && joined[i].Lo <= n
}
