package scan

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/label"
	"csift/pkg/record"
)

// Which lines a query reads: the ones of people, the model and compactions always, the others where a -t reaches them.
func TestGates(t *testing.T) {
	attached := func(payload string) string { return `{"type":"attachment","attachment":` + payload + `}` }
	records := map[string]string{
		"user":       `{"type":"user"}`,
		"reply":      `{"type":"assistant"}`,
		"boundary":   `{"type":"system","subtype":"compact_boundary"}`,
		"duration":   `{"type":"system","subtype":"turn_duration"}`,
		"command":    `{"type":"system","subtype":"local_command"}`,
		"novel":      `{"type":"system","subtype":"novel"}`,
		"title":      `{"type":"custom-title"}`,
		"queue":      `{"type":"queue-operation","content":"x"}`,
		"progress":   `{"type":"progress"}`,
		"no type":    `{}`,
		"queued":     attached(`{"type":"queued_command","origin":{"kind":"human"}}`),
		"task":       attached(`{"type":"queued_command"}`),
		"form":       attached(`{"type":"structured_output"}`),
		"channel":    attached(`{"type":"hook_additional_context","content":["[csift-channel v1 from=x]"]}`),
		"hook":       attached(`{"type":"hook_additional_context","content":["x"]}`),
		"outcome":    attached(`{"type":"hook_success"}`),
		"skill":      attached(`{"type":"invoked_skills"}`),
		"brand new":  attached(`{"type":"brand_new"}`),
		"no payload": `{"type":"attachment"}`,
	}
	always := []string{"user", "reply", "boundary", "queued", "form", "channel"}
	all := append([]string{"task", "hook", "outcome", "skill"}, always...)
	for _, tc := range []struct {
		include, exclude []string
		attachments      bool
		count            Axis
		want             []string
	}{
		{want: always},
		{exclude: []string{"agent.thinking"}, want: always},
		{attachments: true, want: all},
		{count: ByAttachment, want: append([]string{"brand new", "no payload"}, all...)},
		{count: ByLabel, want: always},
		{include: []string{"user"}, want: []string{"user", "reply", "queued"}},
		{include: []string{"user.*"}, want: []string{"user", "reply", "queued", "queue"}},
		{include: []string{"user.queued"}, want: []string{"user", "reply", "queue"}},
		{include: []string{"harness.turn.*"}, want: []string{"user", "reply", "duration"}},
		{include: []string{"harness.turn"}, want: []string{"user", "reply"}},
		{include: []string{"harness.system"}, want: []string{"user", "reply", "command"}},
		{include: []string{"harness"}, want: []string{"user", "reply", "command", "task", "hook", "channel", "skill"}},
		{include: []string{"harness.bookkeeping"}, want: []string{"user", "reply"}},
		{include: []string{"harness.bookkeeping.*"}, want: []string{"user", "reply", "title", "queue"}},
		{include: []string{"harness.bookkeeping.name"}, want: []string{"user", "reply", "title"}},
		{include: []string{"harness.*"}, exclude: []string{"harness.bookkeeping.*"}, want: []string{"user", "reply", "boundary", "duration", "command", "task", "hook", "channel", "outcome", "skill"}},
		{include: []string{"agent.communication.channel"}, want: []string{"user", "reply", "channel"}},
		{include: []string{"harness.hook.context"}, want: []string{"user", "reply", "channel", "hook"}},
		{include: []string{"harness.context.skill"}, want: []string{"user", "reply", "skill"}},
		{include: []string{"agent.message"}, count: ByAttachment, want: []string{"user", "reply", "form"}},
	} {
		f, err := label.ParseFilter(tc.include, tc.exclude)
		if err != nil {
			t.Fatal(err)
		}
		q := &Query{Filter: f, Attachments: tc.attachments, Count: tc.count}
		want, got := map[string]bool{}, map[string]bool{}
		for _, name := range tc.want {
			want[name] = true
		}
		for name, line := range records {
			var r record.Record
			if !record.Decode([]byte(line), &r) {
				t.Fatal(line)
			}
			if q.reads(&r) {
				got[name] = true
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("-t %v -T %v attachments %v by %q (-want +got):\n%s", tc.include, tc.exclude, tc.attachments, tc.count, d)
		}
	}
}

// lost is a transcript with a rewound turn, a draft, an abandoned reply and lines that are not read; each says "word".
func lost(t *testing.T) File {
	t.Helper()
	w := &writer{}
	for _, line := range []string{
		`{"type":"user","uuid":"u1","message":{"role":"user","content":"word one"}}`,
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"role":"assistant","content":[{"type":"text","text":"word"}]}}`,
		`{"type":"user","uuid":"u2","parentUuid":"a1","message":{"role":"user","content":"word two"}}`,
		`{"type":"assistant","uuid":"a2","parentUuid":"u2","message":{"role":"assistant","content":[{"type":"text","text":"word"}]}}`,
		`{"type":"user","uuid":"u3","parentUuid":"a1","message":{"role":"user","content":"word draft"}}`,
		`{"type":"user","uuid":"u4","parentUuid":"a1","message":{"role":"user","content":"word four"}}`,
		`{"type":"system","subtype":"api_error","uuid":"s4","parentUuid":"u4","content":"word unread"}`,
		`{"type":"assistant","uuid":"a4","parentUuid":"u4","message":{"role":"assistant","content":[{"type":"text","text":"word dead"}]}}`,
		`{"type":"user","uuid":"m4","parentUuid":"s4","isMeta":true,"message":{"role":"user","content":"residue"}}`,
		`{"type":"user","uuid":"u5","parentUuid":"m4","message":{"role":"user","content":"word five"}}`,
		`{"type":"mode","content":"unread residue"}`,
	} {
		w.out.WriteString(line + "\n")
	}
	return w.save(t, "lost", false)
}

// What the conversation went on without is grouped by what heads it, behind the turns, and is in no window over turns.
func TestAbandonedUnits(t *testing.T) {
	for _, tc := range []struct {
		ask  ask
		want []string // unit and lines of each exchange
	}{
		{ask{pattern: "word", crossings: -1}, []string{"0: 1 2", "1: 6", "2: 10", "3: 3 4", "4: 5", "5: 8"}},
		{ask{pattern: "word", turn: ".."}, []string{"0: 1 2", "1: 6", "2: 10"}},
		{ask{pattern: "word", turn: "-1"}, []string{"2: 10"}},
		{ask{pattern: "word", labels: []string{"user"}}, []string{"0: 1", "1: 6", "2: 10"}},
		{ask{pattern: "word", labels: []string{"user.*"}}, []string{"0: 1", "1: 6", "2: 10", "3: 3", "4: 5"}},
		{ask{pattern: "word", labels: []string{"user.unsent"}}, []string{"4: 5"}},
		{ask{pattern: "word", labels: []string{"user.rewound"}}, []string{"3: 3"}},
		{ask{pattern: "word", labels: []string{"agent"}}, []string{"0: 2"}},
		{ask{pattern: "word", labels: []string{"agent.message.plain"}}, []string{"0: 2", "3: 4", "5: 8"}},
		{ask{pattern: "word", nots: []string{"agent"}}, []string{"0: 1", "1: 6", "2: 10", "3: 3 4", "4: 5", "5: 8"}},
		{ask{pattern: "word", nots: []string{"user"}}, []string{"0: 2", "3: 3 4", "4: 5", "5: 8"}},
	} {
		for _, slow := range []bool{true, false} {
			f := lost(t)
			q, err := tc.ask.query(slow, 2)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Run(t.Context(), []File{f}, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range res.Exchanges {
				s := fmt.Sprintf("%d:", x.Unit)
				for _, h := range x.Hits {
					s += fmt.Sprintf(" %d", h.Loc.Line)
				}
				got = append(got, s)
			}
			slices.Sort(got)
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%v (-want +got):\n%s", tc.ask, d)
			}
		}
	}
}

// A census of turns has no abandoned ones.
func TestTurnCensus(t *testing.T) {
	q, err := ask{pattern: "word", count: ByTurn}.query(false, 1)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), []File{lost(t)}, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := answerOf(res, q)
	if d := cmp.Diff([]string{"t0 2", "t1 1", "t2 1"}, got.Counts); d != "" || got.Records != 8 || got.Excluded != 4 {
		t.Errorf("%d records, %d outside: %s", got.Records, got.Excluded, d)
	}
}

func TestUnread(t *testing.T) {
	for _, tc := range []struct {
		ask  ask
		want []UnreadLines
	}{
		{ask{pattern: "unread"}, []UnreadLines{{Leaf: label.HarnessSystemApiError, Records: 1, Line: 7}, {Leaf: label.HarnessBookkeepingMode, Records: 1, Line: 11}}},
		{ask{pattern: "residue"}, []UnreadLines{{Leaf: label.HarnessBookkeepingMode, Records: 1, Line: 11}, {Records: 1, Line: 9}}},
		{ask{pattern: "residue", turn: "0"}, nil},
		{ask{pattern: "residue", turn: "1"}, []UnreadLines{{Records: 1, Line: 9}}},
		{ask{pattern: "nowhere"}, nil},
		{ask{pattern: "unread", since: 1}, nil},
	} {
		for _, slow := range []bool{true, false} {
			q, err := tc.ask.query(slow, 1)
			if err != nil {
				t.Fatal(err)
			}
			files := []File{lost(t)}
			res, err := Run(t.Context(), files, q, nil)
			if err != nil || res.Records != 0 {
				t.Fatal(err, res)
			}
			got, err := Unread(t.Context(), files, q, res)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%v (-want +got):\n%s", tc.ask, d)
			}
		}
	}
}
