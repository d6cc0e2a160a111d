package transcript

import (
	"hash/maphash"
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
	h := maphash.String(seed, id)
	var use, res *toolEvent
	for i := s.calls.first(s.tools, h); i >= 0; i = s.calls.next[i] {
		e := &s.tools[i]
		if e.id != h {
			continue
		}
		switch {
		case !e.result && (use == nil || (result && s.locs[e.node].Line <= line)):
			use = e // the nearest call before a result
		case e.result && (res == nil || (!result && s.locs[res.node].Line < line)):
			res = e // the first result after a call
		}
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

// callIndex finds the two sides of a call by the hash of its id: chains of events in file order. Searches that never ask
// for a pair never pay for it; several goroutines may ask at once.
type callIndex struct {
	once sync.Once
	head []int32 // by the low bits of the hash
	next []int32 // per event: the next one in its chain, -1 at the end
}

// first gives the first event of the chain that holds a hash, -1 when it is empty.
func (x *callIndex) first(tools []toolEvent, hash uint64) int32 {
	x.once.Do(func() {
		size := 1
		for size < len(tools) {
			size *= 2
		}
		x.head, x.next = make([]int32, size), make([]int32, len(tools))
		for i := range x.head {
			x.head[i] = -1
		}
		for i := len(tools) - 1; i >= 0; i-- {
			slot := &x.head[tools[i].id&uint64(size-1)]
			x.next[i], *slot = *slot, int32(i)
		}
	})
	return x.head[hash&uint64(len(x.head)-1)]
}
