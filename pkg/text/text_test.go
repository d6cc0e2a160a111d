package text

import (
	"testing"

	"csift/pkg/section"
)

func TestSurvivalTags(t *testing.T) {
	p := func(n int) *int { return &n }
	word := func(s string) *string { return &s }
	yes, no := true, false
	for _, tc := range []struct {
		name           string
		u              section.Unit
		tags, distance string
	}{
		{"live", section.Unit{Survival: word("live")}, "", ""},
		{"pre-cut", section.Unit{Survival: word("pre-cut"), ReplayCopyOf: p(9)}, " [pre-cut] [replay copy of L9]", ""},
		{"abandoned", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3)}, " [abandoned]", ""},
		{"rewound", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), Rewound: true}, " [rewound]", ""},
		{"a draft", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4), DiffChars: p(7), DiffPct: p(54), DiffExact: &yes}, " [abandoned]",
			"  differs from the sent message in 7 chars (54% of the final)\n"},
		{"a draft sent as it was", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4), DiffChars: p(0), DiffPct: p(0), DiffExact: &yes}, " [abandoned]",
			"  identical to the sent message\n"},
		{"a long way", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4), DiffChars: p(2001), DiffExact: &no}, " [abandoned]",
			"  differs from the sent message in at least 2001 chars\n"},
		{"one character", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4), DiffChars: p(1), DiffPct: p(2), DiffExact: &yes, Rewound: true}, " [rewound]",
			"  rewound: the conversation continued from L4 instead · differs from the sent message in 1 char (2% of the final)\n"},
		{"a rewound notification", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4), Rewound: true}, " [rewound]",
			"  rewound: the conversation continued from L4 instead\n"},
		{"a notification without an answer", section.Unit{Survival: word("abandoned"), AbandonedRootLine: p(3), SupersedingLine: p(4)}, " [abandoned]", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := string(appendTags(nil, &tc.u)); got != tc.tags {
				t.Errorf("tags %q, want %q", got, tc.tags)
			}
			if got := string(AppendDistanceLine([]byte("x"), "  ", &tc.u)); got != "x"+tc.distance {
				t.Errorf("distance %q, want %q", got, tc.distance)
			}
		})
	}
}
