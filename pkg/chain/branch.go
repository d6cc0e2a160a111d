package chain

import (
	"cmp"
	"slices"
)

// BranchPoint is a record after which the conversation went more than one way.
type BranchPoint struct {
	Node     int32
	Children []int32 // in file order, at least two
	Live     int32   // the one live child; None when there is none or more than one
	Gap      int64   // ms between the first and the last child by time; NoTime when fewer than two are dated
}

// BranchPoints gives the records with more than one way on, the widest gap first, undated ones last. A way on is a
// record of the conversation that is no result, no isMeta record and no summary; or any other record, results and
// boundaries left out, below which such a record or the end of the conversation hangs. Ways count from the record that is
// named as parent in the file, whatever a compaction linked anew.
func (r *Result) BranchPoints() []BranchPoint {
	b := brancher{Result: r, leads: make([]bool, len(r.nodes))}
	for i := range b.nodes {
		if b.says(int32(i)) {
			b.lead(b.parent[i])
		}
	}
	if r.Leaf != None {
		b.lead(r.Leaf)
	}
	count := make([]int32, len(b.nodes))
	for i, p := range b.parent {
		if p != None && p != int32(i) && b.isWay(int32(i)) {
			count[p]++
		}
	}
	var out []BranchPoint
	at := map[int32]int{}
	for i, n := range count {
		if n > 1 {
			at[int32(i)] = len(out)
			out = append(out, BranchPoint{Node: int32(i), Children: make([]int32, 0, n)})
		}
	}
	if out == nil {
		return nil
	}
	for i, p := range b.parent {
		if p != None && p != int32(i) && count[p] > 1 && b.isWay(int32(i)) {
			f := &out[at[p]]
			f.Children = append(f.Children, int32(i))
		}
	}
	for k := range out {
		b.measure(&out[k])
	}
	slices.SortStableFunc(out, func(x, y BranchPoint) int { return cmp.Compare(y.Gap, x.Gap) })
	return out
}

type brancher struct {
	*Result
	leads []bool // a way on although it is no conversation: the conversation hangs below it
}

// says reports whether a record is a way on by itself.
func (b *brancher) says(i int32) bool {
	n := &b.nodes[i]
	return n.conversation() && n.Flags&(Carrier|Meta|Summary) == 0 && b.survivor(i) == i
}

func (b *brancher) isWay(i int32) bool {
	return b.says(i) || b.leads[i] && b.nodes[i].Flags&Boundary == 0 && b.survivor(i) == i
}

// lead marks what stands between a record and the one it answers or follows.
func (b *brancher) lead(at int32) {
	for at != None && !b.leads[at] && !b.says(at) && b.nodes[at].Flags&Carrier == 0 {
		b.leads[at] = true
		at = b.parent[at]
	}
}

func (b *brancher) measure(f *BranchPoint) {
	f.Live, f.Gap = None, NoTime
	live, dated := 0, 0
	var lo, hi int64
	for _, c := range f.Children {
		if b.State[c] == Live {
			f.Live = c
			live++
		}
		if t := b.nodes[c].Time; t != NoTime {
			if dated == 0 {
				lo, hi = t, t
			}
			lo, hi = min(lo, t), max(hi, t)
			dated++
		}
	}
	if live != 1 {
		f.Live = None
	}
	if dated > 1 {
		f.Gap = hi - lo
	}
}
