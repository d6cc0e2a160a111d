package replay

import (
	"slices"
	"time"
)

// Merge puts the events of several transcripts of one session into one order: by time, an undated event right behind the
// one before it in its own list, ties in the order of the lists. Inside a list nothing changes places. When more than one
// list has events, At.Line is numbered anew, one number for each record; otherwise it is the record's own line.
func Merge(lists ...[]Event) []Event {
	lists = slices.DeleteFunc(slices.Clone(lists), func(l []Event) bool { return len(l) == 0 })
	total := 0
	for _, l := range lists {
		total += len(l)
	}
	out := make([]Event, 0, total)
	next := make([]int, len(lists))
	reached := make([]time.Time, len(lists)) // no event of a list comes before the latest of its predecessors
	for i, l := range lists {
		reached[i] = l[0].At.Time
	}
	for len(out) < total {
		best := -1
		for i, l := range lists {
			if next[i] < len(l) && (best < 0 || reached[i].Before(reached[best])) {
				best = i
			}
		}
		l := lists[best]
		out = append(out, l[next[best]])
		if next[best]++; next[best] < len(l) {
			if t := l[next[best]].At.Time; t.After(reached[best]) {
				reached[best] = t
			}
		}
	}
	line := 0
	for i := range out {
		e := &out[i].At
		if len(lists) < 2 {
			e.Line = e.SourceLine
			continue
		}
		if i == 0 || e.Session != out[i-1].At.Session || e.SourceLine != out[i-1].At.SourceLine {
			line++
		}
		e.Line = line
	}
	return out
}
