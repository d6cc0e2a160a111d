package chain

import "testing"

func TestCrossing(t *testing.T) {
	for _, tc := range []struct {
		name, story string
		budget      int
		summary     string
	}{
		{"no budget: the reading of Claude Code; above the boundary only a later twin tells", `
p1 P -            => pre-cut t0
a1 A p1           => pre-cut t0
w P a1            => rewound ^w
wa A w            => rewound ^w
wp P wa           => draft ^w
p2 P a1           => pre-cut t1
x A a1            => pre-cut t1
b1 B - log=p2     => live t1
s1 S b1           => live t1
d P s1            => draft ^d
p3 P s1           => live t2`, 0, "leaf p3 by tail; floor b1 budget-exhausted; crossed 0; wider helps; cut L8; w lost to p2; wp lost to -; d lost to p3"},

		{"crossed: what the chain does not reach above is abandoned", `
p1 P -            => live t0
a1 A p1           => live t0
w P a1            => rewound ^w
wa A w            => rewound ^w
wp P wa           => draft ^w
p2 P a1           => live t1
x A a1            => abandoned ^x
b1 B - log=p2     => live t1
s1 S b1           => live t1
p3 P s1           => live t2`, 1, "leaf p3 by tail; floor p1 head; crossed 1; cut L8; w lost to p2; wp lost to -"},

		{"the budget runs out on the second boundary", `
p1 P -            => pre-cut t0
b1 B - log=p1     => pre-cut t0
s1 S b1           => pre-cut t0
p2 P s1           => pre-cut t1
b2 B - log=p2     => live t1
s2 S b2           => live t1
p3 P s2           => live t2
b3 B - log=p3     => live t2
p4 P b3           => live t3`, 1, "leaf p4 by tail; floor b2 budget-exhausted; crossed 1; 1 above; wider helps; cut L8"},

		{"all of them", `
p1 P -            => live t0
b1 B - log=p1     => live t0
s1 S b1           => live t0
p2 P s1           => live t1
b2 B - log=p2     => live t1
s2 S b2           => live t1
p3 P s2           => live t2
b3 B - log=p3     => live t2
p4 P b3           => live t3`, AllCrossings, "leaf p4 by tail; floor p1 head; crossed 3; cut L8"},

		{"a boundary that names a record of no line", `
p1 P -            => pre-cut t0
b1 B - log=lost   => live t0
p2 P b1           => live t1`, 8, "leaf p2 by tail; floor b1 unresolvable-boundary; crossed 0; cut L2"},

		{"a boundary that names nothing; no budget would help", `
p1 P -            => pre-cut t0
b1 B -            => live t0
p2 P b1           => live t1`, 0, "leaf p2 by tail; floor b1 budget-exhausted; crossed 0; cut L2"},

		{"a boundary that names what was reached", `
p1 P -            => pre-cut t0
b1 B - log=p2     => live t0
p2 P b1           => live t1`, 8, "leaf p2 by tail; floor b1 boundary-loop; crossed 0; cut L2"},

		{"a boundary with a parent that is there is climbed as any record", `
p1 P -            => live t0
b1 B p1 log=p1    => live t0
p2 P b1           => live t1`, 0, "leaf p2 by tail; floor p1 head; crossed 0"},

		{"a boundary with a lost parent is crossed, not repaired", `
p1 P - t=1        => live t0
x A p1 t=2        => abandoned ^x
b1 B lost log=p1 t=3  => live t0
p2 P b1 t=4       => live t1`, 1, "leaf p2 by tail; floor p1 head; crossed 1; cut L3"},

		{"which no budget buys", `
p1 P - t=1        => pre-cut t0
b1 B lost log=p1 t=3  => live t0
p2 P b1 t=4       => live t1`, 0, "leaf p2 by tail; floor b1 budget-exhausted; crossed 0; wider helps; cut L2"},

		{"results of parallel calls stand side by side above a boundary", `
p1 P -            => pre-cut t0
a1 A p1           => pre-cut t0
q1 Q a1           => pre-cut t1
q2 Q a1           => pre-cut t2
b1 B - log=q2     => live t2
p2 P b1           => live t3`, 0, ""},

		{"a draft whose parent is lost, above a boundary", `
d P lost          => draft ^d
p1 P lost         => pre-cut t0
b1 B - log=p1     => live t0
p2 P b1           => live t1`, 0, "leaf p2 by tail; floor b1 budget-exhausted; crossed 0; wider helps; cut L3; d lost to p1"},

		{"replayed records below a boundary: the whole old part was written again", `
p1 P -            => live t0
a1 A p1           => live t0
b1 B - log=a1     => live t0
p2 P b1           => live t0
p1 P -            => live t1
a1 A p1           => live t1
b2 B - log=p2     => live t1
p3 P b2           => live t2`, 8, ""},
	} {
		t.Run(tc.name, func(t *testing.T) { run(t, tc.story, tc.budget, tc.summary) })
	}
}

func TestRelink(t *testing.T) {
	for _, tc := range []struct{ name, story, summary string }{
		{"preserved messages go behind the summary, the rest before the boundary is cut", `
p1 P -                => pre-cut t0
a1 A p1               => pre-cut t0
p2 P a1               => pre-cut t1
k1 A p2               => live t1
k2 R k1               => live t1
b B - log=k2 keep=s:k1,k2 => live t1
s S b                 => live t1
t T s                 => live t1
a3 A t                => live t1`, "leaf a3 by tail; floor b boundary-loop; crossed 0; cut L6"},

		{"a segment by its two ends", `
p1 P -                => pre-cut t0
k1 P p1               => live t1
k2 A k1               => live t1
b B - log=k2 seg=b:k1..k2 => live t1
s S b                 => live t1
p3 P s                => live t2`, "leaf p3 by tail; floor b boundary-loop; crossed 0; cut L4"},

		{"a rewind before the boundary is told by its twin, and takes its turns along", `
p1 P -                => live t0
w P p1                => rewound ^w
wa A w                => rewound ^w
w2 P wa               => draft ^w
p2 P p1               => live t1
gone P p2             => pre-cut t2
goner A gone          => pre-cut t2
b B - log=p2 seg=b:p1..p2 => live t2
s S b                 => live t2
p3 P s                => live t3`, "leaf p3 by tail; floor b boundary-loop; crossed 0; cut L8; w lost to p2; w2 lost to -"},

		{"the file ends with the compaction", `
p1 P -                => pre-cut t0
k A p1                => live t0
b B - log=k keep=s:k  => live t0
s S b                 => live t0`, "leaf k by tail; floor b boundary-loop; crossed 0; cut L3"},

		{"a set with a member on no line: nothing happens", `
p1 P -                => live t0
k A p1                => live t0
b B - log=k keep=s:lost => live t0
s S b                 => live t0`, "leaf s by tail; floor p1 head; crossed 1; cut L3"},

		{"a segment that does not lead from its tail to its head: nothing happens", `
p1 P -                => live t0
k A p1                => live t0
b B - log=k seg=s:k..p1x => live t0
s S b                 => live t0`, "leaf s by tail; floor p1 head; crossed 1; cut L3"},

		{"an empty set: only the cut", `
p1 P -                => pre-cut t0
k A p1                => pre-cut t0
b B - log=k keep=s:   => live t0
s S b                 => live t0`, "leaf s by tail; floor b relink-removed; crossed 0; cut L3"},

		{"a newer boundary without a set: only the cut, before that one", `
p1 P -                => pre-cut t0
k A p1                => pre-cut t0
b B - log=k keep=s:k  => pre-cut t0
s S b                 => pre-cut t0
c B - log=s           => live t0
p2 P c                => live t1`, "leaf p2 by tail; floor c relink-removed; crossed 0; 1 above; cut L5"},

		{"no set anywhere: nothing is cut", `
p1 P -                => live t0
b B - log=p1          => live t0
p2 P b                => live t1`, "leaf p2 by tail; floor p1 head; crossed 1; cut L2"},

		{"a record that lost its parent to the cut follows the preserved ones; others do not", `
p1 P -                => pre-cut t0
k A p1                => live t0
b B - log=k keep=s:k  => live t0
s S b                 => live t0
u U p1                => live t0
y Y p1                => abandoned ^y
p2 P u                => live t1`, "leaf p2 by tail; floor b boundary-loop; crossed 0; cut L3"},

		{"the line that counts for the cut is the first of a uuid", `
p1 P -                => pre-cut t0
k A p1                => live t0
b B - log=k keep=s:k  => live t0
s S b                 => live t0
p1 P -                => pre-cut t0
p2 P s                => live t1`, "leaf p2 by tail; floor b boundary-loop; crossed 0; cut L3"},

		{"branched: the boundary has got a parent, and closes a ring", `
k1 P -                => live t0
k2 A k1               => live t0
b B k2 log=k2 seg=b:k1..k2 => live t0
k1 P b                => live t0
k2 A k1               => live t0
s S k2                => live t0
p2 P s                => live t1`, "leaf p2 by tail; floor b boundary-loop; crossed 0; cut L3"},

		{"with a relink the recorded leaf is not asked unless it is explicit: several ends, and it is one of them", `
p1 P -                => pre-cut t0
k A p1                => live t0
b B - log=k keep=s:k  => live t0
s S b                 => live t0
p2 P s                => live t1
p3 P s                => draft ^p3
leaf p2`, "leaf p2 by last-prompt; floor b boundary-loop; crossed 0; cut L3; p3 lost to p2"},

		{"an explicit one is taken as it is", `
p1 P -                => pre-cut t0
k A p1                => live t0
b B - log=k keep=s:k  => live t0
s S b                 => live t0
p2 P s                => live t1
a2 A p2               => abandoned ^a2
leaf p2 explicit`, "leaf p2 by explicit; floor b boundary-loop; crossed 0; cut L3"},
	} {
		t.Run(tc.name, func(t *testing.T) { run(t, tc.story, AllCrossings, tc.summary) })
	}
}
