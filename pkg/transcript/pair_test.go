package transcript

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"testing"
)

// The index finds what a look at every event finds, however often an id is used.
func TestCallIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		s := &Structure{}
		s.names = &names{all: []string{"", "Bash", "Read"}}
		ids := 1 + r.IntN(6)
		line := int32(1)
		for range r.IntN(40) {
			line += int32(r.IntN(3))
			s.locs = append(s.locs, Loc{Line: line})
			s.tools = append(s.tools, toolEvent{
				id: maphash.String(seed, fmt.Sprint(r.IntN(ids))), node: int32(len(s.locs) - 1),
				name: uint16(1 + r.IntN(2)), result: r.IntN(2) == 0, failed: r.IntN(2) == 0,
			})
		}
		for id := range ids + 1 {
			for at := range line + 2 {
				for _, result := range []bool{false, true} {
					got, want := s.Call(fmt.Sprint(id), at, result), plainCall(s, maphash.String(seed, fmt.Sprint(id)), at, result)
					if got != want {
						t.Fatalf("%+v at %d, result %v: %+v, want %+v", s.tools, at, result, got, want)
					}
				}
			}
		}
	}
}

func plainCall(s *Structure, id uint64, line int32, result bool) (p Pair) {
	var use, res *toolEvent
	for i := range s.tools {
		e := &s.tools[i]
		at := s.locs[e.node].Line
		switch {
		case e.id != id:
		case !e.result && (use == nil || result && at <= line):
			use = e
		case e.result && (res == nil || !result && s.locs[res.node].Line < line):
			res = e
		}
	}
	if use != nil {
		p.Name = s.names.all[use.name]
	}
	if res != nil {
		p.Failed = res.failed
	}
	if other := map[bool]*toolEvent{false: res, true: use}[result]; other != nil {
		p.Found, p.Other = true, s.locs[other.node]
	}
	return p
}
