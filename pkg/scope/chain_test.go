package scope

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/chain"
	"csift/pkg/cli"
	"csift/pkg/transcript"
)

// The budget of the command line and that of the chain are the same word.
func TestBudgets(t *testing.T) {
	if cli.AllCrossings != chain.AllCrossings || chain.DefaultCrossings != chain.AllCrossings {
		t.Error("--cross-compactions all, and without the flag, is not what the chain calls all")
	}
}

func TestChain(t *testing.T) {
	plain := transcript.Chain{Budget: chain.AllCrossings, LeafLine: 9, Leaf: chain.FromTail, FloorLine: 1, Cause: chain.Head}
	lost := transcript.Chain{Drafts: 2, Rewound: 1, Abandoned: 7, Copies: 3, CutLine: 5, LeafLine: 9, Leaf: chain.FromAbsent, Budget: chain.AllCrossings, Crossed: 2, FloorLine: 1, Cause: chain.Head}
	spent := transcript.Chain{PreCut: 4, CutLine: 30, LeafLine: 40, Leaf: chain.FromLastPrompt, Budget: 1, Crossed: 1, Above: 2, Exhausted: true, Wider: true, FloorLine: 20, Cause: chain.BudgetExhausted}
	looped := transcript.Chain{PreCut: 1, CutLine: 30, LeafLine: 40, Leaf: chain.FromLastPrompt, Budget: chain.AllCrossings, Above: 1, FloorLine: 30, Cause: chain.BoundaryLoop}
	blind := transcript.Chain{PreCut: 4, CutLine: 30, LeafLine: 40, Leaf: chain.FromExplicit, FloorLine: 30, Cause: chain.BudgetExhausted, Wider: true}
	n := func(v int) *int { return &v }
	w := func(v string) *string { return &v }
	for _, tc := range []struct {
		name            string
		budget          int
		of              []transcript.Chain
		fates           Fates
		crossing        *Crossing
		lost, crossings []string
	}{
		{"none", chain.AllCrossings, nil, Fates{}, &Crossing{Budget: "all"}, nil, nil},
		{"none, no budget", 0, nil, Fates{}, nil, nil, nil},
		{"nothing to tell", -1, []transcript.Chain{plain}, Fates{LeafSource: w("tail")}, &Crossing{Budget: "all", FloorLine: n(1), Cause: w("head")}, nil, nil},
		{"lost, all crossed", -1, []transcript.Chain{lost}, Fates{2, 7, 1, 3, n(5), w("tail")}, &Crossing{Budget: "all", Crossed: 2, FloorLine: n(1), Cause: w("head")},
			[]string{"2 drafts superseded before an answer came · -t user.unsent finds them",
				"abandoned records 7 · rewound turns 1 · replay copies 3 · Claude Code reads from the boundary at L5 · the conversation ends at L9 (tail (last-prompt leaf absent))"}, nil},
		{"spent", 1, []transcript.Chain{spent}, Fates{BoundaryCutLine: n(30), LeafSource: w("last-prompt")},
			&Crossing{Budget: 1, Crossed: 1, Exhausted: true, Above: 2, FloorLine: n(20), Cause: w("budget-exhausted")}, nil,
			[]string{"(compactions crossed 1 of 3 · --cross-compactions 1, exhausted)",
				"(4 records above the place where the walk up the conversation ends, L20: budget-exhausted · --cross-compactions all goes further)"}},
		{"a boundary that cannot be crossed", -1, []transcript.Chain{looped}, Fates{BoundaryCutLine: n(30), LeafSource: w("last-prompt")},
			&Crossing{Budget: "all", Above: 1, FloorLine: n(30), Cause: w("boundary-loop")}, nil,
			[]string{"(compactions crossed 0 of 1)", "(1 record above the place where the walk up the conversation ends, L30: boundary-loop)"}},
		{"the client's own reading", 0, []transcript.Chain{blind}, Fates{BoundaryCutLine: n(30), LeafSource: w("explicit")}, nil, nil, nil},
		{"several", 1, []transcript.Chain{spent, spent, lost}, Fates{SupersededDrafts: 2, AbandonedRecords: 7, RewoundTurns: 1, ReplayCopies: 3},
			&Crossing{Budget: 1, Crossed: 4, Exhausted: true, Above: 4},
			[]string{"2 drafts superseded before an answer came · -t user.unsent finds them", "abandoned records 7 · rewound turns 1 · replay copies 3"},
			[]string{"(compactions crossed 4 of 8 · --cross-compactions 1, exhausted)",
				"(8 records above the place where the walk up the conversation ends · --cross-compactions all goes further in 2 transcripts)"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := NewChain(tc.budget)
			for _, one := range tc.of {
				c.Add(one)
			}
			if d := cmp.Diff(tc.fates, c.Fates()); d != "" {
				t.Errorf("fates (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.crossing, c.Crossing()); d != "" {
				t.Errorf("crossing (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.lost, c.Lost()); d != "" {
				t.Errorf("lost (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.crossings, c.Crossings()); d != "" {
				t.Errorf("crossings (-want +got):\n%s", d)
			}
		})
	}
}
