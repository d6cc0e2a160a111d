package chain

import (
	"math/rand/v2"
	"testing"

	"csift/pkg/record"
)

// lastOf is what graph.find must give: the last node with an ID that is judged, else the last one.
func lastOf(nodes []Node, id record.ID) int32 {
	last := None
	for i := range nodes {
		if n := &nodes[i]; !id.IsZero() && n.ID == id && (n.admitted() || last == None || !nodes[last].admitted()) {
			last = int32(i)
		}
	}
	return last
}

// checkGraph compares a graph with the plain meaning of its answers. ask are IDs to look for, asked those that the graph was told of.
func checkGraph(t *testing.T, nodes []Node, ask, asked []record.ID) {
	t.Helper()
	var sw sweep
	sw.extend(nodes[:len(nodes)/3])
	sw.extend(nodes[:len(nodes)/2])
	g := newGraph(nodes, sw, asked...)
	moved, linked := false, false
	for i := range nodes {
		n, k := &nodes[i], int32(i)
		final := lastOf(nodes, n.ID)
		want := None
		if final != None && final != k && nodes[final].admitted() == n.admitted() {
			want = final
		}
		got := None
		if g.copies != nil {
			got = g.copies[i]
		}
		if got != want {
			t.Fatalf("node %d: a copy of %d, want %d\n%v", i, got, want, nodes)
		}
		p := lastOf(nodes, n.Parent)
		if g.parent[i] != p {
			t.Fatalf("node %d: parent %d, want %d\n%v", i, g.parent[i], p, nodes)
		}
		moved, linked = moved || p > k, linked || p != None && !nodes[p].admitted()
		if out := g.mark[i]&out != 0; out != (!n.admitted() || want != None) {
			t.Fatalf("node %d: out %v\n%v", i, out, nodes)
		}
	}
	if moved != g.moved || linked != g.linked {
		t.Fatalf("moved %v, linked %v, want %v, %v\n%v", g.moved, g.linked, moved, linked, nodes)
	}
	for _, id := range append(ask, asked...) {
		if got, want := g.find(id), lastOf(nodes, id); got != want {
			t.Fatalf("%v is at %d, want %d\n%v", id, got, want, nodes)
		}
	}
}

func TestGraph(t *testing.T) {
	for k := range 3000 {
		r := rand.New(rand.NewPCG(3, uint64(k)))
		rows := randomRows(r)
		var all []record.ID
		for i := range 20 {
			all = append(all, id(i))
		}
		checkGraph(t, rows.Nodes, all, rows.names())
	}
	for k := range 60 { // longer ones: a chain with as many odd links and repeated uuids as k says
		r := rand.New(rand.NewPCG(4, uint64(k)))
		nodes := make([]Node, 1+r.IntN(400))
		any := func() record.ID { return id(r.IntN(len(nodes) + 4)) }
		for i := range nodes {
			n := Node{ID: id(i + 1), Parent: id(i), Kind: User + Kind(r.IntN(5))}
			if r.IntN(60) < k {
				n.Parent = any()
			}
			if r.IntN(120) < k {
				n.ID = any()
			}
			if r.IntN(200) < k {
				n.Kind = Other
			}
			nodes[i] = n
		}
		checkGraph(t, nodes, []record.ID{any(), any(), any(), any()}, nil)
	}
}

// All that a filter holds it says it may hold, and of what it does not hold little.
func TestFilter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 5000} {
		f, r := newFilter(n), rand.New(rand.NewPCG(5, uint64(n)))
		in := make([]uint64, n)
		again := 0
		for i := range in {
			in[i] = r.Uint64()
			if f.add(in[i]) {
				again++
			}
		}
		for _, h := range in {
			if !f.has(h) || !f.add(h) {
				t.Fatalf("%d: %x is lost", n, h)
			}
		}
		wrong := 0
		for range 1000 {
			if f.has(r.Uint64()) {
				wrong++
			}
		}
		if again > n/16+1 || wrong > 100 {
			t.Errorf("%d: %d hashes said to be there twice, %d of 1000 to be there", n, again, wrong)
		}
	}
}
