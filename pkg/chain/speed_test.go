package chain

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"csift/pkg/record"
)

// uid is the uuid of the n-th record of a large transcript.
func uid(n int) record.ID {
	return record.ID{Hi: uint64(n+1) * 0x9e3779b97f4a7c15, Lo: uint64(n+1) * 0xd6e8feb86659fd93}
}

// session makes a transcript of n records: turns of twelve records, now and then a rewind, parallel calls with results
// off the chain, and every so often a compaction.
func session(n, compactEvery int) *Rows {
	rows := &Rows{Nodes: make([]Node, 0, n)}
	r := rand.New(rand.NewPCG(1, 2))
	last, turnStart := -1, -1
	add := func(k Kind, f Flags, opens bool, parent int) {
		i := len(rows.Nodes)
		x := Node{ID: uid(i), Line: int32(i + 1), Time: int64(i) * 700, Kind: k, Flags: f, Opens: opens}
		if parent >= 0 {
			x.Parent = uid(parent)
		}
		if k == Assistant {
			x.Message = uint64(1 + i/4)
		}
		rows.Nodes = append(rows.Nodes, x)
		last = i
	}
	for len(rows.Nodes) < n {
		if compactEvery > 0 && len(rows.Nodes)%compactEvery > compactEvery-13 {
			from := last
			add(System, Boundary, false, -1)
			rows.Compactions = append(rows.Compactions, Compaction{Node: int32(last), Logical: uid(from)})
			add(User, Summary, false, last)
		}
		parent := last
		if turnStart >= 0 && r.IntN(10) == 0 {
			parent = turnStart // rewound: the turn before was for nothing
		}
		turnStart = parent
		add(User, 0, true, parent)
		add(Attachment, 0, false, last)
		add(Assistant, 0, false, last)
		add(Assistant, 0, false, last)
		call := last
		add(User, Carrier, false, call-1)
		add(User, Carrier, false, call)
		add(Attachment, 0, false, last)
		add(Assistant, 0, false, last)
		add(User, Carrier, false, last)
		add(Assistant, 0, false, last)
		add(System, 0, false, last)
	}
	rows.Leaves = append(rows.Leaves, LeafMark{At: int32(len(rows.Nodes)), Leaf: uid(last)})
	return rows
}

func BenchmarkResolve(b *testing.B) {
	for _, bc := range []struct {
		name string
		rows *Rows
	}{
		{"80k", session(80_000, 0)}, {"80k-compacted", session(80_000, 4000)}, {"80k-backward", backward(80_000)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Resolve(bc.rows, Options{Crossings: AllCrossings})
			}
		})
	}
	b.Run("assign-80k", func(b *testing.B) {
		rows := session(80_000, 0)
		for b.Loop() {
			Assign(rows.Nodes)
		}
	})
	b.Run("branches-80k", func(b *testing.B) {
		rows := session(80_000, 0)
		r := Resolve(rows, Options{Crossings: AllCrossings})
		for b.Loop() {
			r.BranchPoints()
		}
	})
}

// backward is a chain whose every child stands before its parent.
func backward(n int) *Rows {
	rows := &Rows{Nodes: make([]Node, n)}
	for i := range n {
		rows.Nodes[i] = Node{ID: uid(i), Parent: uid(i + 1), Kind: User + Kind(i%2), Time: int64(n - i), Line: int32(i + 1), Opens: i%10 == 9}
	}
	rows.Nodes[n-1].Parent = record.ID{}
	return rows
}

// hostile gives transcripts of n records made to cost the most.
func hostile(n int) map[string]*Rows {
	out := map[string]*Rows{"backward": backward(n)}
	build := func(name string, f func(i int, x *Node, rows *Rows)) {
		rows := &Rows{Nodes: make([]Node, n)}
		for i := range n {
			rows.Nodes[i] = Node{ID: uid(i), Kind: User, Time: int64(i), Line: int32(i + 1)}
			f(i, &rows.Nodes[i], rows)
		}
		out[name] = rows
	}
	build("every parent lost", func(i int, x *Node, _ *Rows) { x.Parent, x.Time = uid(n+i), int64(i)*1000 })
	build("every parent lost, one instant", func(i int, x *Node, _ *Rows) { x.Parent, x.Time, x.Opens = uid(n+i), 5, true })
	build("one ring", func(i int, x *Node, _ *Rows) { x.Parent, x.Kind = uid((i+1)%n), Assistant; x.Message = uint64(i) })
	build("one uuid", func(i int, x *Node, _ *Rows) { x.ID, x.Parent, x.Opens = uid(1), uid(1), true })
	build("one parent", func(i int, x *Node, _ *Rows) { x.Parent, x.Opens, x.Kind = uid(0), i%3 == 0, User+Kind(i%2) })
	build("boundaries", func(i int, x *Node, rows *Rows) {
		x.Kind, x.Flags = System, Boundary
		rows.Compactions = append(rows.Compactions, Compaction{Node: int32(i), Logical: uid(max(0, i-1))})
		rows.Leaves = append(rows.Leaves, LeafMark{At: int32(i), Leaf: uid(i), Explicit: true})
	})
	build("riders", func(i int, x *Node, _ *Rows) { // a long line of attachments, each with one of its own
		x.Kind, x.Parent = Attachment, uid(max(0, i-1-i%2))
		if i < n/2 {
			x.Kind, x.Parent, x.Message = Assistant, uid(max(0, i-2)), uint64(i)
		}
	})
	build("all preserved", func(i int, x *Node, rows *Rows) {
		x.Parent = uid(max(0, i-1))
		if i == n-1 {
			x.Kind, x.Flags, x.Parent = System, Boundary, record.ID{}
			rows.Compactions = append(rows.Compactions, Compaction{Node: int32(i), Segment: true, Anchor: uid(i), Head: uid(1), Tail: uid(n - 2)})
		}
	})
	build("links", func(i int, x *Node, _ *Rows) {
		if x.Parent = uid(max(0, i-1)); i%2 == 0 {
			x.Kind = Other
		}
	})
	build("crowded uuids", func(i int, x *Node, _ *Rows) { // alike where a poor hash looks
		x.ID = record.ID{Hi: uint64(i) << 8, Lo: 1}
		x.Parent = record.ID{Hi: uint64(i-1) << 8, Lo: 1}
	})
	return out
}

// No made-up file may hang the walk, whatever its links. The bound is no measure of speed: what grows with the square of
// the file is far above it, and a busy machine is far below.
func TestHostile(t *testing.T) {
	n := 60_000
	if testing.Short() {
		n = 5_000
	}
	if os.Getenv("CSIFT_ROUNDS") != "" {
		n = 1_000_000
	}
	for name, rows := range hostile(n) {
		start := time.Now()
		r := Resolve(rows, Options{Crossings: AllCrossings})
		r.BranchPoints()
		took := time.Since(start)
		if took > time.Minute {
			t.Errorf("%s: %d records took %v", name, n, took)
		}
		t.Logf("%-32s %8v", name, took.Round(time.Millisecond))
	}
}
