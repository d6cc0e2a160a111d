package transcript

import (
	"hash/maphash"
	"sort"
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
	i := sort.Search(len(s.tools), func(i int) bool { return s.tools[i].id >= h })
	var use, res *toolEvent
	for ; i < len(s.tools) && s.tools[i].id == h; i++ {
		e := &s.tools[i]
		switch {
		case !e.result && (use == nil || (result && e.loc.Line <= line)):
			use = e // the nearest call before a result
		case e.result && (res == nil || (!result && res.loc.Line < line)):
			res = e // the first result after a call
		}
	}
	var p Pair
	if use != nil {
		p.Name = use.name
	}
	if res != nil {
		p.Failed = res.failed
	}
	switch other := use; {
	case !result:
		if res != nil {
			p.Found, p.Other = true, res.loc
		}
	case other != nil:
		p.Found, p.Other = true, other.loc
	}
	return p
}
