package chain

import (
	"cmp"
	"slices"
	"sort"
)

// repairWindow is how far back in time Claude Code looks for a lost parent, in ms (2.1.332).
const repairWindow = 5000

// lostParents finds the newest record at or before an instant that the walk has not reached.
type lostParents struct {
	at   []int32 // nodes by time, then file order
	free []int32 // per place: a place at or before it that may be free; -1 when there is none
}

func (s *solver) newLostParents(lane uint16) *lostParents {
	l := &lostParents{}
	for i := range s.nodes {
		if s.mark[i]&(gone|sidechain) == lane && s.nodes[i].Time != NoTime {
			l.at = append(l.at, int32(i))
		}
	}
	slices.SortFunc(l.at, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.nodes[a].Time, s.nodes[b].Time), cmp.Compare(a, b))
	})
	l.free = make([]int32, len(l.at))
	for k := range l.free {
		l.free[k] = int32(k)
	}
	return l
}

// repair stands in for a parent that is on no line: the newest unreached record of the same lane, not younger than this
// one and within the window. Of records with the same instant only those that stand before this one in the file qualify,
// since the others are rather its children.
func (s *solver) repair(at int32) int32 {
	n := &s.nodes[at]
	if n.Time == NoTime {
		return None
	}
	lane := s.mark[at] & sidechain
	if s.lost[lane] == nil {
		s.lost[lane] = s.newLostParents(lane)
	}
	l := s.lost[lane]
	k := sort.Search(len(l.at), func(k int) bool {
		t := s.nodes[l.at[k]].Time
		return t > n.Time || t == n.Time && l.at[k] >= at
	})
	k = int(l.last(int32(k)-1, func(i int32) bool { return s.mark[i]&walked == 0 }))
	if k < 0 || n.Time-s.nodes[l.at[k]].Time > repairWindow {
		return None
	}
	return l.at[k]
}

// last gives the last free place at or before k, -1 when there is none. Places never become free again, so the way over
// taken ones is walked once.
func (l *lostParents) last(k int32, isFree func(i int32) bool) int32 {
	top := k
	for top >= 0 {
		if l.free[top] != top {
			top = l.free[top]
			continue
		}
		if isFree(l.at[top]) {
			break
		}
		l.free[top] = top - 1
		top--
	}
	for k > top {
		k, l.free[k] = l.free[k], top
	}
	return top
}
