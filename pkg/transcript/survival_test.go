package transcript

import (
	"path/filepath"
	"testing"

	"csift/pkg/chain"

	"github.com/google/go-cmp/cmp"
)

func sample(t *testing.T, pattern string) *Structure {
	t.Helper()
	paths, _ := filepath.Glob("../../testdata/" + pattern)
	if len(paths) != 1 {
		t.Fatalf("%s: %v", pattern, paths)
	}
	_, s := open(t, paths[0], Options{Workers: 2})
	return s
}

// A session of Claude Code 2.1.258: a turn edited a file and another asked on, both were rewound, a later one was
// summarized away.
func TestSurvival(t *testing.T) {
	s := sample(t, "versions/2.1.258/clear/projects/*/8416a074*.jsonl")
	if s.Turns() != 5 || s.Units() != 7 {
		t.Errorf("%d turns, %d units", s.Turns(), s.Units())
	}
	type fact struct {
		Turn, Unit, Hops int
		Verdict          string
		Opener, Root     int32
		Rewound          bool
	}
	for line, want := range map[int32]fact{
		18: {0, 0, 9, "live", 8, 0, false},
		20: {0, 5, 0, "rewound", 20, 20, true},
		21: {0, 5, 1, "rewound", 20, 20, true},
		31: {0, 6, 0, "rewound", 31, 20, true},
		34: {0, 5, 2, "rewound", 31, 20, true},
		40: {1, 1, 0, "live", 40, 0, false},
		56: {2, 2, 1, "pre-cut", 55, 0, false},
		68: {2, 2, -1, "live", 55, 0, false},
		70: {3, 3, 0, "live", 70, 0, false},
		63: {2, 2, -1, "live", 55, 0, false}, // a last-prompt line is in no chain
	} {
		got := fact{Turn: s.Turn(line, 0), Unit: s.Unit(line, 0), Hops: -1, Verdict: s.Verdict(line, 0)}
		if n, ok := s.Hops(line, 0); ok {
			got.Hops = n
		}
		if loc, ok := s.OpenerOf(line, 0); ok {
			got.Opener = loc.Line
		}
		if root, rewound, ok := s.Root(line, 0); ok {
			got.Root, got.Rewound = root.Line, rewound
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("line %d (-want +got):\n%s", line, d)
		}
		if abandoned := s.Survival(line, 0) == chain.Abandoned; abandoned == s.IsTurn(got.Unit) {
			t.Errorf("line %d: unit %d, turn %v", line, got.Unit, s.IsTurn(got.Unit))
		}
	}
	if d := cmp.Diff([]int{20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 32, 34, 35, 36, 37, 38, 39}, linesOf(s.Records(5))); d != "" {
		t.Errorf("records of the rewound unit (-want +got):\n%s", d)
	}
	loc, _, ok := s.Opener(5)
	head, _ := s.Head(5)
	if !ok || loc != head || loc.Line != 20 || s.OpenedAt(5) == "" || s.OpenerUUID(5) == "" {
		t.Errorf("unit 5 opens at %v %v", loc, ok)
	}
	want := Chain{Rewound: 2, Abandoned: 18, PreCut: 8, CutLine: 67, LeafLine: 86, Budget: chain.DefaultCrossings, FloorLine: 67, Cause: chain.BoundaryLoop}
	if d := cmp.Diff(want, s.Chain()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	lost := s.AllLost()
	if len(lost) != 2 || lost[0].Loc.Line != 20 || !lost[0].Answered || lost[0].By.Line != 40 || lost[1].HasBy {
		t.Errorf("lost %+v", lost)
	}
	if l, ok := s.Lost(20, 0); !ok || l != lost[0] {
		t.Errorf("line 20: %+v %v", l, ok)
	}
	if _, ok := s.Lost(21, 0); ok {
		t.Error("line 21 opens nothing")
	}
	if l, ok := s.LostUnit(5); !ok || l != lost[0] {
		t.Errorf("unit 5: %+v %v", l, ok)
	}
	if _, ok := s.LostUnit(1); ok {
		t.Error("turn 1 is not lost")
	}
	if n := s.Said(); n != 39 {
		t.Errorf("%d records of the person and the model", n)
	}
	points := s.BranchPoints()
	if len(points) != 1 || points[0].Loc.Line != 18 || points[0].Live.Line != 40 || points[0].GapMS != 12445 || len(points[0].Children) != 2 {
		t.Errorf("branch points %+v", points)
	}
}

func TestCross(t *testing.T) {
	s := sample(t, "cases/29-*/projects/*/*.jsonl")
	cross := func(budget int) Chain {
		s.Cross(budget)
		return s.Chain()
	}
	all := cross(chain.AllCrossings)
	if all.Crossed != 2 || all.Cause != chain.Head || all.Exhausted {
		t.Errorf("all: %+v", all)
	}
	for _, budget := range []int{3, 8} {
		want := all
		want.Budget = budget
		s.Cross(chain.AllCrossings)
		if d := cmp.Diff(want, cross(budget)); d != "" {
			t.Errorf("budget %d (-want +got):\n%s", budget, d)
		}
	}
	one := cross(1)
	if one.Crossed != 1 || one.Cause != chain.BudgetExhausted || !one.Exhausted || !one.Wider || one.FloorLine != 5 {
		t.Errorf("one: %+v", one)
	}
	none := cross(0)
	if none.Crossed != 0 || none.FloorLine != 13 || none.CutLine != 13 {
		t.Errorf("none: %+v", none)
	}
	if s.Turns() != 4 || s.Verdict(7, 0) != "pre-cut" {
		t.Errorf("%d turns, line 7 is %s", s.Turns(), s.Verdict(7, 0))
	}
	if d := cmp.Diff(all, cross(chain.AllCrossings)); d != "" {
		t.Errorf("back again (-want +got):\n%s", d)
	}
}
