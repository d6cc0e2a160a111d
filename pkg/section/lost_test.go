package section

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/label"
	"csift/pkg/transcript"
)

// lostSession holds a rewound prompt, a draft, an abandoned answer of the person, a notification that the conversation
// went on without, and a copy of the draft.
var lostSession = []string{
	1:  `{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"first"}}`,
	2:  `{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"answer"}]}}`,
	3:  `{"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"go left"}}`,
	4:  `{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{}}]}}`,
	5:  `{"type":"user","uuid":"r2","parentUuid":"a2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]},"toolUseResult":{"answers":{"Which?":"Left"}}}`,
	6:  `{"type":"user","uuid":"u3","parentUuid":"a1","message":{"role":"user","content":"go  straight"}}`,
	7:  `{"type":"user","uuid":"n1","parentUuid":"a1","message":{"role":"user","content":"<task-notification><task-id>b1</task-id><summary>Background command</summary></task-notification>"}}`,
	8:  `{"type":"user","uuid":"u3","parentUuid":"a1","message":{"role":"user","content":"go  straight"}}`,
	9:  `{"type":"user","uuid":"u4","parentUuid":"a1","message":{"role":"user","content":"go right"}}`,
	10: `{"type":"assistant","uuid":"a4","parentUuid":"u4","message":{"id":"m4","role":"assistant","content":[{"type":"text","text":"kept"}]}}`,
}

func open(t *testing.T, lines []string) (*transcript.File, *transcript.Structure) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines[1:], "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Open(path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Structure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

func TestLost(t *testing.T) {
	f, s := open(t, lostSession)
	type fact struct {
		Labels, Survival         string
		Root, By, Chars, Percent int
		ByUUID                   string
		Rewound                  bool
		Copy                     int
		Delivered                bool
	}
	by := func(root, chars, percent int, rewound bool, label string) fact {
		return fact{Labels: label, Survival: "abandoned", Root: root, By: 9, ByUUID: "u4", Chars: chars, Percent: percent, Rewound: rewound}
	}
	draft := by(8, 3, 38, false, "user.unsent")
	reply := fact{Labels: "agent.message.plain", Survival: "live", Delivered: true}
	copied := fact{Labels: "user.unsent", Survival: "abandoned", Root: 8, Copy: 8}
	notice := by(7, 0, 0, false, "harness.notification.background-command")
	notice.Delivered = true
	var b Builder
	var v Rival
	var line []byte
	for at, want := range map[int32]fact{
		1:  {Labels: "user.message", Survival: "live", Delivered: true},
		2:  reply,
		3:  by(3, 7, 88, true, "user.rewound"),
		4:  {Labels: "agent.tool.use", Survival: "abandoned", Root: 3, Rewound: true, Delivered: true},
		5:  {Labels: "user.unsent agent.tool.result", Survival: "abandoned", Root: 3, Rewound: true},
		6:  copied,
		7:  notice,
		8:  draft,
		9:  {Labels: "user.message", Survival: "live", Delivered: true},
		10: reply,
	} {
		loc, ok := s.FindAt(idOn(at), int(at))
		if !ok || loc.Line != at {
			t.Fatalf("line %d: %v", at, loc)
		}
		var err error
		if line, err = f.Record(loc, &v.rec, line); err != nil {
			t.Fatal(err)
		}
		ctx := ContextOf(s, loc)
		r := v.rec
		secs := b.Sections(&r, &ctx)
		if len(secs) != 1 {
			t.Fatalf("line %d: %v", at, secs)
		}
		var u Unit
		Describe(&u, &r, &secs[0], secs[0].Labels[0], s, loc)
		if err := v.Compare(&u, secs[0].Append(nil), f, s, loc); err != nil {
			t.Fatal(err)
		}
		got := fact{Labels: strings.Join(u.Labels, " "), Survival: value(u.Survival), Root: value(u.AbandonedRootLine), By: value(u.SupersedingLine),
			Chars: value(u.DiffChars), Percent: value(u.DiffPct), ByUUID: value(u.SupersedingUUID), Rewound: u.Rewound, Copy: value(u.ReplayCopyOf), Delivered: value(u.Delivered)}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("line %d (-want +got):\n%s", at, d)
		}
	}
}

func idOn(line int32) string {
	_, rest, _ := strings.Cut(lostSession[line], `"uuid":"`)
	return rest[:2]
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Only what the person said is renamed, and the first pass knows that it may be.
func TestLostIsLoose(t *testing.T) {
	var b Builder
	for at, loose := range map[int]bool{1: true, 5: true, 7: false, 2: false} {
		secs := b.Sections(decode(t, lostSession[at]), nil)
		if len(secs) != 1 || secs[0].Loose != loose {
			t.Errorf("line %d: %+v", at, secs)
		}
	}
	secs := b.Sections(decode(t, lostSession[5]), &Context{Lost: label.UserRewound})
	if d := cmp.Diff([]part{{"user.rewound agent.tool.result", "[AskUserQuestion] Which?: Left"}}, parts(secs)); d != "" {
		t.Error(d)
	}
	if answerLeaves[0] != label.UserAnswer {
		t.Error("the shared labels were written over")
	}
}

// The opener that took the place of others is read and taken apart once, however many drafts it has behind it.
func TestRivalReadOnce(t *testing.T) {
	f, s := open(t, lostSession)
	var v Rival
	var draft transcript.Loc
	n := 0
	for _, l := range s.AllLost() {
		if !l.HasBy {
			continue
		}
		draft = l.Loc
		u := Unit{Leaf: label.UserUnsent}
		if err := v.Compare(&u, []byte("go up"), f, s, draft); err != nil || u.DiffChars == nil {
			t.Fatalf("line %d: %v", draft.Line, err)
		}
		if n++; n > 1 && *u.DiffChars != 3 {
			t.Errorf("line %d: the opener in its place is read again", draft.Line)
		}
		v.final = []rune("go upxyz") // what was read stands for it from now on
	}
	if n < 2 {
		t.Fatalf("%d drafts with an opener in their place", n)
	}
	var u, want Unit
	u.Leaf, want.Leaf = label.UserUnsent, label.UserUnsent
	var fresh Rival
	v.st = nil // of another transcript
	if err := v.Compare(&u, []byte("go up"), f, s, draft); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Compare(&want, []byte("go up"), f, s, draft); err != nil || *u.DiffChars != *want.DiffChars {
		t.Errorf("%d, want %d: %v", *u.DiffChars, *want.DiffChars, err)
	}
}
