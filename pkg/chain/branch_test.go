package chain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBranchPoints(t *testing.T) {
	for _, tc := range []struct{ name, story, want string }{
		{"none", `
p1 P -
a1 A p1
p2 P a1`, ""},

		{"two prompts, the parent may be any record", `
p1 P -
y Y p1
w P y
b A w
p2 P y
a2 A p2`, "y: w rewound, p2 live; live p2; 20s"},

		{"results, isMeta records and summaries are no ways", `
p1 P -
a1 A p1
r R a1
m M a1
s S a1
a2 A a1`, ""},

		{"but the conversation may go on below an isMeta record", `
p1 P -
a1 A p1
d P a1
m M a1
p2 P m`, "a1: d draft, m live; live m; 10s"},

		{"a record of the harness counts when the conversation hangs below it", `
p1 P -
e Y p1
a1 A p1
h Y e
p2 P h
dead T p1`, "p1: e live, a1 abandoned; live e; 10s"},

		{"or ends with it", `
p1 P -
m M p1
a1 A p1
leaf m explicit`, "p1: m live, a1 abandoned; live m; 10s"},

		{"not when it leads to a result: parallel calls", `
p1 P -
a1 A p1 m=1
a2 A a1 m=1
g G a1
r1 R g
r2 R a2
a3 A r2`, ""},

		{"nor when it is a boundary", `
p1 P -
b B p1 seg=b:p1..p1
s S p1
p2 P s`, ""},

		{"two ways that live: none is the one", `
p1 P -
a1 A p1 m=1
a2 A p1 m=1`, "p1: a1 live, a2 live; live -; 10s"},

		{"above a compaction", `
p1 P -
d P p1
p2 P p1
b B - log=p2 keep=s:p2
s S b
p3 P s`, "p1: d draft, p2 live; live p2; 10s"},

		{"copies are no ways of their own", `
p1 P -
a1 A p1
p1 P -
a1 A p1`, ""},

		{"the widest gap first, undated ones last", `
p1 P - t=0
a P p1 t=1
b P p1 t=3
c A b t=no
d P b t=no
e P d t=10
f P d t=100`, "d: e draft, f live; live f; 1m30s\np1: a draft, b live; live b; 2s\nb: c abandoned, d live; live d; undated"},

		{"its own parent", `
p1 P p1
a1 A p1`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, tc.story)
			r := Resolve(&s.rows, Options{Crossings: AllCrossings})
			var got []string
			for _, b := range r.BranchPoints() {
				var ways []string
				for _, c := range b.Children {
					ways = append(ways, s.name(c)+" "+r.Verdict(c))
				}
				gap := "undated"
				if b.Gap != NoTime {
					gap = (time.Duration(b.Gap) * time.Millisecond).String()
				}
				got = append(got, fmt.Sprintf("%s: %s; live %s; %s", s.name(b.Node), strings.Join(ways, ", "), s.name(b.Live), gap))
			}
			if d := cmp.Diff(tc.want, strings.Join(got, "\n")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A unit is an abandoned opener with what hangs below the root of its branch.
func TestUnit(t *testing.T) {
	s := tell(t, `
p1 P -
a1 A p1
w P a1
b A w
w P a1
b A w
c T b
v P c
e A v
p2 P a1
a2 A p2`)
	r := Resolve(&s.rows, Options{Crossings: AllCrossings})
	var got []string
	for i := range s.names {
		got = append(got, fmt.Sprintf("%s:%s %s+%d", s.names[i], s.name(r.Unit(int32(i))), s.name(r.OpenerOf(int32(i))), r.Hops[i]))
	}
	want := "p1:- p1+0, a1:- p1+1, w:w w+0, b:w w+1, w:w w+0, b:w w+1, c:w w+2, v:v v+0, e:w v+1, p2:- p2+0, a2:- p2+1"
	if d := cmp.Diff(want, strings.Join(got, ", ")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if r.Drafts != 0 || r.Rewound != 2 || r.Abandoned != 7 || r.Copies != 2 {
		t.Errorf("drafts %d, rewound %d, abandoned %d, copies %d", r.Drafts, r.Rewound, r.Abandoned, r.Copies)
	}
}
