package chain

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"csift/pkg/record"

	"github.com/google/go-cmp/cmp"
)

func id(n int) record.ID {
	if n == 0 {
		return record.ID{}
	}
	return record.ID{Hi: 0xa0 << 56, Lo: uint64(n)}
}

// randomRows makes a small transcript with everything that can go wrong in it.
func randomRows(r *rand.Rand) *Rows {
	rows := &Rows{}
	n := 1 + r.IntN(14)
	pool := 1 + n + r.IntN(3)
	any := func() record.ID { return id(r.IntN(pool + 1)) }
	plain := r.IntN(2) == 0 // mostly a chain
	for i := range n {
		if r.IntN(6) == 0 {
			rows.Leaves = append(rows.Leaves, LeafMark{At: int32(i), Leaf: any(), Explicit: r.IntN(3) == 0})
		}
		x := Node{ID: id(i + 1), Parent: id(i), Line: int32(i + 1), Time: int64(i) * 1000, Kind: Kind(r.IntN(6))}
		if plain && r.IntN(4) > 0 {
			x.Kind = User + Kind(r.IntN(2))
		}
		if !plain || r.IntN(5) == 0 {
			x.Parent = any()
		}
		if r.IntN(8) == 0 {
			x.ID = any()
		}
		if r.IntN(5) == 0 {
			x.Time = int64(r.IntN(12)) * 1000
		}
		if r.IntN(12) == 0 {
			x.Time = NoTime
		}
		if r.IntN(12) == 0 {
			x.Flags |= Sidechain
		}
		switch x.Kind {
		case Assistant:
			x.Message = uint64(r.IntN(5))
		case User:
			if r.IntN(6) == 0 {
				x.Flags |= []Flags{Meta, Summary}[r.IntN(2)]
			}
			if x.Opens = r.IntN(2) == 0; r.IntN(4) == 0 {
				x.Flags |= Carrier
			}
			if x.Opens && x.Parent.IsZero() {
				rows.Roots = append(rows.Roots, Root{Node: int32(i), Session: uint64(1 + r.IntN(2))})
			}
		case System:
			if r.IntN(2) == 0 {
				x.Flags |= Boundary
				if r.IntN(3) > 0 {
					x.Parent = record.ID{}
				}
				c := Compaction{Node: int32(i), Logical: any()}
				if r.IntN(3) > 0 {
					c.Logical = id(i)
				}
				switch r.IntN(4) {
				case 0:
					c.Messages, c.Anchor = true, id(i+2)
					for k := range r.IntN(4) {
						c.Kept = append(c.Kept, id(max(0, i-k)))
					}
					slices.Reverse(c.Kept)
				case 1:
					c.Segment, c.Anchor, c.Head, c.Tail = true, any(), id(max(1, i-2)), id(i)
				}
				rows.Compactions = append(rows.Compactions, c)
			}
		}
		rows.Nodes = append(rows.Nodes, x)
	}
	if r.IntN(2) == 0 {
		rows.Leaves = append(rows.Leaves, LeafMark{At: int32(n), Leaf: any(), Explicit: r.IntN(4) == 0})
	}
	return rows
}

func TestEqualsNaive(t *testing.T) {
	rounds := 5_000
	if n, err := strconv.Atoi(os.Getenv("CSIFT_ROUNDS")); err == nil {
		rounds = n
	}
	seen := map[string]int{}
	for k := range rounds {
		r := rand.New(rand.NewPCG(7, uint64(k)))
		rows := randomRows(r)
		budget := r.IntN(4) - 1
		got := Resolve(rows, Options{Crossings: budget})
		n := newNaive(rows, budget)
		states, roots, lost, leaf, source := n.resolve()
		openers, of := n.turns(states)
		points := n.branchPoints(leaf)
		forks := got.BranchPoints()
		slices.SortFunc(forks, func(a, b BranchPoint) int { return int(a.Node - b.Node) })
		for i := range forks {
			forks[i].Live, forks[i].Gap = 0, 0
		}
		if got.Root == nil {
			got.Root = slices.Repeat([]int32{None}, len(rows.Nodes))
		}
		for _, d := range []string{
			cmp.Diff(leaf, int(got.Leaf)), cmp.Diff(source, got.Source), cmp.Diff(n.cross, got.Crossing),
			cmp.Diff(states, got.State), cmp.Diff(roots, got.Root), cmp.Diff(lost, got.Lost),
			cmp.Diff(openers, got.Opener), cmp.Diff(of, got.Of), cmp.Diff(points, forks),
		} {
			if d != "" {
				t.Fatalf("round %d, budget %d (-naive +got):\n%s\n%s", k, budget, d, dump(rows, got))
			}
		}
		for i := range rows.Nodes {
			seen[got.Verdict(int32(i))]++
		}
		seen[got.Crossing.Cause.String()]++
		seen[got.Source.Detail()]++
		if got.Crossing.Crossed > 0 {
			seen["crossed"]++
		}
	}
	for _, want := range []string{"live", "pre-cut", "abandoned", "draft", "rewound", "crossed", "budget-exhausted", "unresolvable-boundary",
		"relink-removed", "boundary-loop", "head", "dangling-parent", "tail", "last-prompt", "explicit", "tail (last-prompt leaf absent)", "newest (leaf set cleared)"} {
		if seen[want] < 10 {
			t.Errorf("the random transcripts hardly ever reach %q: %d", want, seen[want])
		}
	}
}

// forked makes a transcript of one head, with branches that were given up: every later record hangs below an earlier one.
func forked(r *rand.Rand, n int) *Rows {
	rows := &Rows{Nodes: make([]Node, n)}
	for i := range n {
		x := Node{ID: id(i + 1), Parent: id(i), Time: int64(i) * 1000, Kind: User + Kind(r.IntN(4)), Message: 0}
		if i == 0 {
			x.Kind = User
		}
		if i > 1 && r.IntN(5) == 0 {
			x.Parent = id(1 + r.IntN(i))
		}
		if x.Kind == User {
			x.Opens = r.IntN(2) == 0
		}
		if x.Kind == Assistant {
			x.Message = uint64(1 + i/3)
		}
		rows.Nodes[i] = x
	}
	return rows
}

func byID(rows *Rows, r *Result) map[record.ID]string {
	out := map[record.ID]string{}
	for i := range rows.Nodes {
		word := r.State[i].String()
		if r.State[i] == Abandoned {
			word = r.Verdict(int32(i)) + " below " + rows.Nodes[r.Root[i]].ID.String()
		}
		out[rows.Nodes[i].ID] = word
	}
	return out
}

// few is n, and much less under -short, which the race detector runs with.
func few(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// Where the leaf is known and nothing stands above the head, the order of the lines says nothing.
func TestOrderOfLinesDoesNotMatter(t *testing.T) {
	for k := range few(5000) {
		r := rand.New(rand.NewPCG(11, uint64(k)))
		n := 2 + r.IntN(20)
		rows := forked(r, n)
		rows.Leaves = []LeafMark{{At: int32(n), Leaf: id(1 + r.IntN(n)), Explicit: true}}
		want := byID(rows, Resolve(rows, Options{}))
		rest := rows.Nodes[1:]
		r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		got := byID(rows, Resolve(rows, Options{}))
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("round %d (-in order +shuffled):\n%s", k, d)
		}
	}
}

// A reply written before its prompt (2.1.258) is found as the end of the conversation, though the prompt is the last line.
func TestReplyBeforePromptAtTheEnd(t *testing.T) {
	for k := range few(5000) {
		r := rand.New(rand.NewPCG(13, uint64(k)))
		n := 4 + r.IntN(20)
		rows := forked(r, n)
		at := 1 + r.IntN(n-2)
		for i := at; i < n; i++ { // the last records are one line of descent
			rows.Nodes[i].Parent, rows.Nodes[i].Kind, rows.Nodes[i].Opens = id(i), User+Kind(i%2), false
		}
		want := byID(rows, Resolve(rows, Options{}))
		slices.Reverse(rows.Nodes[at:])
		got := byID(rows, Resolve(rows, Options{}))
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("round %d, from %d (-in order +reversed):\n%s", k, at, d)
		}
	}
}
