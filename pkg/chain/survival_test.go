package chain

import "testing"

// Every rule of the axis has a transcript here with the right answer written beside each record.
func TestSurvival(t *testing.T) {
	for _, tc := range []struct {
		name, story string
		budget      int
		summary     string
	}{
		{"one chain", `
p1 P -        => live t0
a1 A p1       => live t0
p2 P a1       => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p1 head; crossed 0"},

		{"a draft has no answer", `
p1 P -        => live t0
a1 A p1       => live t0
d P a1        => draft ^d
p2 P a1       => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p1 head; crossed 0; d lost to p2"},

		{"a rewound turn has one, and takes its records along", `
p1 P -        => live t0
a1 A p1       => live t0
w P a1        => rewound ^w
x T w         => rewound ^w
b A x         => rewound ^w
v P b         => draft ^w
p2 P a1       => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p1 head; crossed 0; w lost to p2; v lost to -"},

		{"three tries: the last one stays", `
p1 P -        => live t0
a1 A p1       => live t0
d1 P a1       => draft ^d1
d2 P a1       => draft ^d2
p2 P a1       => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p1 head; crossed 0; d1 lost to p2; d2 lost to p2"},

		{"a rewind to the start of the session", `
p1 P -        => rewound ^p1
a1 A p1       => rewound ^p1
leaf - explicit
p2 P -        => live t0
a2 A p2       => live t0
leaf a2`, 8, "leaf a2 by last-prompt; floor p2 head; crossed 0; p1 lost to p2"},

		{"nothing says so: two conversations", `
p1 P -        => pre-cut t0
a1 A p1       => pre-cut t0
p2 P -        => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p2 head; crossed 0"},

		{"no links at all", `
p1 P -        => pre-cut t0
a1 A -        => pre-cut t0
p2 P -        => pre-cut t1
a2 A -        => live t1`, 8, "leaf a2 by tail; floor a2 head; crossed 0"},

		{"a second session in the file is no rewind", `
p1 P - s=1    => pre-cut t0
a1 A p1       => pre-cut t0
leaf - explicit
p2 P - s=2    => live t1
a2 A p2       => live t1
leaf a2`, 8, "leaf a2 by last-prompt; floor p2 head; crossed 0"},

		{"a reply nobody went on from", `
p1 P -        => live t0
y Y p1        => live t0
a1 A p1       => abandoned ^a1
z Y y         => live t0
p2 P z        => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p1 head; crossed 0"},

		{"what a lane or an unknown type writes is not judged", `
p1 P -        => live t0
s1 U p1 side  => live t0
s2 A s1 side  => live t0
x X p1        => live t0
a1 A p1       => live t0`, 8, "leaf a1 by tail; floor p1 head; crossed 0"},

		{"an unknown type and a progress record link", `
p1 P -        => live t0
a1 A p1       => live t0
x X a1        => live t0
g G x         => live t0
r R g         => live t0
a2 A r        => live t0`, 8, "leaf a2 by tail; floor p1 head; crossed 0"},

		{"a whole lane makes no claim", `
p1 P - side   => live t0
a1 A p1 side  => live t0
p2 P p1 side  => live t1`, 8, "leaf - by tail; floor - ; crossed 0"},
		{"no conversation at all", `
y Y -         => live t0
z T y         => live t0`, 8, "leaf z by tail; floor y head; crossed 0"},

		{"records of a message, and results of its calls", `
p1 P -        => live t0
a1 A p1 m=7   => live t0
a2 A a1 m=7   => live t0
r2 R a2       => live t0
a3 A p1 m=7   => live t0
r1 R a1       => live t0
r3 R a3       => live t0
h T r1        => abandoned ^h
a4 A r2       => live t0`, 8, "leaf a4 by tail; floor p1 head; crossed 0"},

		{"what hangs below the leaf, up to the next record of the conversation", `
p1 P -        => live t0
a1 A p1       => live t0
y Y a1        => live t0
z T y         => live t0
u U z         => abandoned ^u
w T u         => abandoned ^u
leaf a1 explicit`, 8, "leaf a1 by explicit; floor p1 head; crossed 0"},

		{"the earlier line of a uuid is a copy of the last", `
p1 P -        => live t0
a1 A p1       => live t0
d P a1        => draft ^d
p1 P -        => live t0
a1 A p1       => live t0
d P a1        => draft ^d
p2 P a1       => live t1`, 8, "leaf p2 by tail; floor p1 head; crossed 0; d lost to p2"},

		{"a ring ends", `
p1 P a1       => pre-cut t0
a1 A p1       => pre-cut t0
p2 P p2       => live t1
a2 A p2       => live t1`, 8, "leaf a2 by tail; floor p2 dangling-parent; crossed 0"},

		{"an abandoned ring hangs below its first record", `
p1 P -        => live t0
x T z         => abandoned ^x
y T x         => abandoned ^x
z T y         => abandoned ^x
w T z         => abandoned ^x
a1 A p1       => live t0`, 8, "leaf a1 by tail; floor p1 head; crossed 0"},

		{"a reply that stands before its prompt", `
a1 A t1       => live t0
a2 A a1       => live t0
p1 P -        => live t0
t1 T p1       => live t0`, 8, "leaf a2 by tail; floor p1 head; crossed 0"},
	} {
		t.Run(tc.name, func(t *testing.T) { run(t, tc.story, tc.budget, tc.summary) })
	}
}

func TestLeaf(t *testing.T) {
	for _, tc := range []struct{ name, story, summary string }{
		{"the newest last-prompt line, whatever was written after it", `
p1 P -        => live t0
a1 A p1       => live t0
w P a1        => rewound ^w
b A w         => rewound ^w
p2 P a1       => live t1
a2 A p2       => live t1
x Y b         => rewound ^w
leaf a1
leaf a2`, "leaf a2 by last-prompt; floor p1 head; crossed 0; w lost to p2"},

		{"a leaf above the last record yields to it", `
p1 P -        => live t0
a1 A p1       => live t0
leaf p1
p2 P a1       => live t1`, "leaf p2 by last-prompt; floor p1 head; crossed 0"},

		{"an explicit leaf does not", `
p1 P -        => live t0
a1 A p1       => live t0
p2 P a1       => draft ^p2
leaf a1 explicit`, "leaf a1 by explicit; floor p1 head; crossed 0; p2 lost to -"},

		{"explicit stays while the leaf does", `
p1 P -        => live t0
a1 A p1       => live t0
p2 P a1       => draft ^p2
leaf a1 explicit
leaf a1`, "leaf a1 by explicit; floor p1 head; crossed 0; p2 lost to -"},

		{"and goes with it", `
p1 P -        => live t0
a1 A p1       => live t0
p2 P a1       => live t1
leaf a1 explicit
leaf p1`, "leaf p2 by last-prompt; floor p1 head; crossed 0"},

		{"a leaf that is no record of the conversation is climbed from", `
p1 P -        => live t0
a1 A p1       => live t0
y Y a1        => live t0
z T y         => live t0
leaf z`, "leaf a1 by last-prompt; floor p1 head; crossed 0"},

		{"a leaf that is in another file falls back to the last record, never to an older leaf", `
p1 P -        => live t0
a1 A p1       => live t0
leaf a1
p2 P a1       => live t1
a2 A p2       => live t1
leaf elsewhere`, "leaf a2 by tail (last-prompt leaf absent); floor p1 head; crossed 0"},

		{"a boundary wipes it", `
p1 P -        => live t0
a1 A p1       => live t0
leaf p1 explicit
b B - log=a1  => live t0
s S b         => live t0
p2 P s        => live t1`, "leaf p2 by tail; floor p1 head; crossed 1; cut L3"},

		{"an explicit line without a leaf clears it: the newest record by time", `
p1 P - t=1    => live t0
a1 A p1 t=9   => live t0
p2 P a1 t=5   => draft ^p2
leaf p2
leaf - explicit`, "leaf a1 by newest (leaf set cleared); floor p1 head; crossed 0; p2 lost to -"},

		{"until the next leaf", `
p1 P - t=1    => rewound ^p1
a1 A p1 t=9   => rewound ^p1
leaf a1
leaf - explicit
p2 P - t=8    => live t0
leaf p2`, "leaf p2 by last-prompt; floor p2 head; crossed 0; p1 lost to p2"},

		{"a line without a leaf that nobody chose says nothing", `
p1 P -        => live t0
a1 A p1       => live t0
p2 P a1       => draft ^p2
leaf a1 explicit
leaf -`, "leaf a1 by explicit; floor p1 head; crossed 0; p2 lost to -"},

		{"cleared, and no record has a time", `
p1 P - t=no   => live t0
a1 A p1 t=no  => live t0
leaf - explicit`, "leaf a1 by newest (leaf set cleared); floor p1 head; crossed 0"},
	} {
		t.Run(tc.name, func(t *testing.T) { run(t, tc.story, AllCrossings, tc.summary) })
	}
}

func TestRepair(t *testing.T) {
	for _, tc := range []struct{ name, story, summary string }{
		{"the newest record within five seconds", `
p1 P - t=1        => live t0
a1 A p1 t=2       => live t0
p2 P lost t=7     => live t1
a2 A p2 t=8       => live t1`, "leaf a2 by tail; floor p1 head; crossed 0"},
		{"not an older one", `
p1 P - t=1        => pre-cut t0
a1 A p1 t=1.999   => pre-cut t0
p2 P lost t=7     => live t1
a2 A p2 t=8       => live t1`, "leaf a2 by tail; floor p2 dangling-parent; crossed 0"},
		{"not a younger one", `
p1 P - t=1        => pre-cut t0
a1 A p1 t=7.001   => pre-cut t0
p2 P lost t=7     => live t1
a2 A p2 t=8       => live t1`, "leaf a2 by tail; floor p2 dangling-parent; crossed 0"},
		{"not one of another lane", `
p1 P - t=1        => pre-cut t0
s1 A p1 t=6 side  => live t0
p2 P lost t=7     => live t1
a2 A p2 t=8       => live t1`, "leaf a2 by tail; floor p2 dangling-parent; crossed 0"},
		{"not one that was reached already, nor a child of the same instant", `
p1 P - t=6        => live t0
p2 P lost t=7     => live t1
x T p2 t=7        => abandoned ^x
a2 A p2 t=8       => live t1
leaf a2`, "leaf a2 by last-prompt; floor p1 head; crossed 0"},
		{"not without a time", `
p1 P - t=6        => pre-cut t0
p2 P lost t=no    => live t1
a2 A p2 t=8       => live t1`, "leaf a2 by tail; floor p2 dangling-parent; crossed 0"},
		{"a record without a parent lost none", `
p1 P - t=6 s=1    => pre-cut t0
p2 P - t=7 s=2    => live t1`, "leaf p2 by tail; floor p2 head; crossed 0"},
		{"several times on one way", `
p1 P - t=1        => live t0
a1 A l1 t=2       => live t0
r R l2 t=3        => live t0
a2 A l3 t=4       => live t0`, "leaf a2 by tail; floor p1 head; crossed 0"},
	} {
		t.Run(tc.name, func(t *testing.T) { run(t, tc.story, AllCrossings, tc.summary) })
	}
}
