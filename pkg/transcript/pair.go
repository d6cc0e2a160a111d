package transcript

import (
	"hash/maphash"
	"sort"
	"sync"
)

// Pair is how one side of a tool call finds the other.
type Pair struct {
	Name   string // the tool, "" when its call is not in the file
	Found  bool   // the other side is in the file
	Other  Loc
	Failed bool // the result is an error
}

// Call gives the pair of the call or result with that tool use id that stands on a line.
func (s *Structure) Call(id string, line int32, result bool) Pair {
	uses, results := s.calls.of(s.tools, maphash.String(seed, id))
	var use, res *toolEvent
	if n := len(uses); n > 0 {
		at := 0
		if result { // the nearest call before a result
			at = max(0, sort.Search(n, func(i int) bool { return s.toolLine(uses[i]) > line })-1)
		}
		use = &s.tools[uses[at]]
	}
	if n := len(results); n > 0 {
		at := 0
		if !result { // the first result after a call
			at = min(n-1, sort.Search(n, func(i int) bool { return s.toolLine(results[i]) >= line }))
		}
		res = &s.tools[results[at]]
	}
	var p Pair
	if use != nil {
		p.Name = s.names.all[use.name]
	}
	if res != nil {
		p.Failed = res.failed
	}
	switch other := use; {
	case !result:
		if res != nil {
			p.Found, p.Other = true, s.locs[res.node]
		}
	case other != nil:
		p.Found, p.Other = true, s.locs[other.node]
	}
	return p
}

func (s *Structure) toolLine(event int32) int32 { return s.locs[s.tools[event].node].Line }

// callIndex finds the two sides of a call by the hash of its id. An id may be used again any number of times, as in copies
// of a conversation. Searches that never ask for a pair never pay for it; several goroutines may ask at once.
type callIndex struct {
	once   sync.Once
	slots  []int32  // by the low bits of the hash, the next one where that is taken: the number of the id and 1, 0 for none
	ids    []uint64 // by number
	from   []int32  // where the calls of each id start in events, and behind them its results
	events []int32  // in file order
}

// of gives the calls and the results of an id in file order.
func (x *callIndex) of(tools []toolEvent, id uint64) (uses, results []int32) {
	x.once.Do(func() { x.build(tools) })
	n := *x.slot(id) - 1
	if n < 0 {
		return nil, nil
	}
	at := x.from[2*n : 2*n+3]
	return x.events[at[0]:at[1]], x.events[at[1]:at[2]]
}

// slot gives the place of an id: it is there, or the place is free.
func (x *callIndex) slot(id uint64) *int32 {
	for i := id; ; i++ {
		if s := &x.slots[i&uint64(len(x.slots)-1)]; *s == 0 || x.ids[*s-1] == id {
			return s
		}
	}
}

func (x *callIndex) build(tools []toolEvent) {
	size := 2
	for size < 2*len(tools) {
		size *= 2
	}
	x.slots = make([]int32, size)
	in := make([]int32, len(tools)) // which of the parts of from an event belongs to
	var count []int32
	for i := range tools {
		e := &tools[i]
		s := x.slot(e.id)
		if *s == 0 {
			x.ids, count = append(x.ids, e.id), append(count, 0, 0)
			*s = int32(len(x.ids))
		}
		in[i] = 2 * (*s - 1)
		if e.result {
			in[i]++
		}
		count[in[i]]++
	}
	x.from = make([]int32, len(count)+1)
	for i, n := range count {
		x.from[i+1] = x.from[i] + n
	}
	next := count // where the next event of each part goes
	copy(next, x.from)
	x.events = make([]int32, len(tools))
	for i, part := range in {
		x.events[next[part]] = int32(i)
		next[part]++
	}
}
