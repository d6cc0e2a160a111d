package chain

import (
	"testing"

	"csift/pkg/record"

	"github.com/google/go-cmp/cmp"
)

func node(id, parent byte, opens bool) Node {
	n := Node{Opens: opens}
	if id != 0 {
		n.ID = record.ID{Lo: uint64(id)}
	}
	if parent != 0 {
		n.Parent = record.ID{Lo: uint64(parent)}
	}
	return n
}

func TestAssign(t *testing.T) {
	for _, tc := range []struct {
		name         string
		nodes        []Node
		turns, hops  []int32
		opener, copy []int32
	}{
		{"lead folds into turn 0", []Node{node(1, 0, false), node(2, 1, true), node(3, 2, false), node(4, 3, true)},
			[]int32{0, 0, 0, 1}, []int32{None, 0, 1, 0}, []int32{1, 3}, nil},
		{"no opener is one turn", []Node{node(1, 0, false), node(2, 1, false)}, []int32{0, 0}, []int32{None, None}, nil, nil},
		{"a child before its prompt belongs to the prompt", []Node{node(1, 0, true), node(5, 4, false), node(4, 3, false), node(3, 1, true)},
			[]int32{0, 1, 1, 1}, []int32{0, 2, 1, 0}, []int32{0, 3}, nil},
		{"an opener between stops the climb", []Node{node(1, 0, true), node(2, 1, true), node(3, 2, false), node(4, 1, false)},
			[]int32{0, 1, 1, 1}, []int32{0, 0, 1, None}, []int32{0, 1}, nil},
		{"a cycle ends", []Node{node(1, 0, true), node(2, 3, false), node(3, 2, false), node(4, 4, false)},
			[]int32{0, 0, 0, 0}, []int32{0, None, None, None}, []int32{0}, nil},
		{"the earlier line of a uuid is a copy and opens nothing", []Node{node(1, 0, true), node(2, 1, false), node(1, 0, true), node(2, 1, false), node(1, 0, true)},
			[]int32{0, 0, 0, 0, 0}, []int32{1, 1, 1, 1, 0}, []int32{4}, []int32{4, 3, 4, None, None}},
		{"a dangling parent is placed by position", []Node{node(1, 0, true), node(2, 9, false)}, []int32{0, 0}, []int32{0, None}, []int32{0}, nil},
		{"an opener without a uuid still opens", []Node{node(0, 0, true), node(2, 0, false), node(0, 0, true)},
			[]int32{0, 0, 1}, []int32{0, None, 0}, []int32{0, 2}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Assign(tc.nodes)
			if d := cmp.Diff(tc.turns, got.Of); d != "" {
				t.Errorf("turns (-want +got):\n%s", d)
			}
			if tc.name != "the earlier line of a uuid is a copy and opens nothing" {
				if d := cmp.Diff(tc.hops, got.Hops); d != "" {
					t.Errorf("hops (-want +got):\n%s", d)
				}
			}
			if d := cmp.Diff(tc.opener, got.Opener); d != "" {
				t.Errorf("openers (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.copy, got.Copy); d != "" {
				t.Errorf("copies (-want +got):\n%s", d)
			}
		})
	}
}

// A long chain whose every child stands before its parent must cost linear time and no stack.
func TestAssignLongBackwardChain(t *testing.T) {
	const n = 200_000
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i].ID = record.ID{Hi: 1, Lo: uint64(i) << 8}
		if i+1 < n {
			nodes[i].Parent = record.ID{Hi: 1, Lo: uint64(i+1) << 8}
		}
	}
	nodes[n-1].Opens = true
	got := Assign(nodes)
	if got.Hops[0] != n-1 || got.Of[0] != 0 {
		t.Fatalf("hops %d, turn %d", got.Hops[0], got.Of[0])
	}
}
