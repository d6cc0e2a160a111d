package transcript

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/record"
)

func TestParent(t *testing.T) {
	_, s := open(t, save(t, user("a1", "", "go"), reply("a2", "a1", "x"), reply("a3", "zz", "y"), reply("a4", "a5", "early"), reply("a5", "a2", "late"), user("a1", "", "go")), Options{})
	for line, want := range map[int32]int32{1: 0, 2: 6, 3: 0, 4: 5, 5: 2, 99: 0} {
		if at, ok := s.Parent(line, 0); at.Line != want || ok != (want != 0) {
			t.Errorf("line %d hangs below %d (%v), want %d", line, at.Line, ok, want)
		}
	}
}

func TestMessage(t *testing.T) {
	part := func(id, parent, message string) string {
		return node("assistant", id, parent, `"message":{"id":"`+message+`","content":[{"type":"text","text":"x"}]}`)
	}
	_, s := open(t, save(t, user("a1", "", "go"), part("a2", "a1", "m1"), part("a3", "a2", "m1"), part("a4", "a3", `m\u0032`), user("a5", "a4", "m3")), Options{})
	for id, want := range map[string]int32{"m1": 3, "m2": 4, "m3": 0, "": 0} {
		if at, ok := s.Message(record.Str(id)); at.Line != want || ok != (want != 0) {
			t.Errorf("%q stands on line %d (%v), want %d", id, at.Line, ok, want)
		}
	}
}

func TestCounterpart(t *testing.T) {
	boundary := func(id, anchor string) string {
		return node("system", id, "", `"subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"a1","anchorUuid":"`+anchor+`","tailUuid":"a1"}}`)
	}
	summary := func(id string) string {
		return node("user", id, "", `"isCompactSummary":true,"message":{"role":"user","content":"x"}`)
	}
	_, s := open(t, save(t,
		user("a1", "", "go"),
		boundary("b1", "s1"), summary("s1"), // 2, 3: named
		boundary("b2", "b2"), user("a2", "b2", "kept"), summary("s2"), summary("s3"), // 4, 6: by place; 7: alone
		boundary("b3", "a1"), boundary("b4", "s5"), summary("s4"), summary("s5"), // 9 names 11; 10 is alone
	), Options{})
	type pair struct {
		Line  int32
		Named bool
	}
	want := map[int32]pair{2: {3, true}, 3: {2, true}, 4: {6, false}, 6: {4, false}, 9: {11, true}, 11: {9, true}}
	got := map[int32]pair{}
	for line := int32(1); line <= 12; line++ {
		if at, named, ok := s.Counterpart(line, 0); ok {
			got[line] = pair{at.Line, named}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestBetween(t *testing.T) {
	_, s := open(t, save(t, user("a1", "", "go"), reply("a2", "a1", "x"), reply("a3", "a2", "y"), reply("c1", "c2", "ring"), reply("c2", "c1", "ring")), Options{})
	for _, tc := range []struct {
		head, tail string
		want       []int
	}{{"a1", "a3", []int{1, 2, 3}}, {"a2", "a2", []int{2}}, {"a3", "a1", nil}, {"zz", "a1", nil}, {"a1", "zz", nil}, {"", "", nil}, {"a1", "c2", nil}, {"c1", "c2", []int{4, 5}}} {
		if d := cmp.Diff(tc.want, linesOf(s.Between(tc.head, tc.tail))); d != "" {
			t.Errorf("%s to %s (-want +got):\n%s", tc.head, tc.tail, d)
		}
	}
}

func TestStarted(t *testing.T) {
	named := func(id, use, what string) string {
		return strings.Replace(result(id, "a1", use), `"message":`, `"toolUseResult":{`+what+`},"message":`, 1)
	}
	fire := func(id, text string) string {
		return node("system", id, "a1", `"subtype":"scheduled_task_fire","content":"`+text+`"`)
	}
	_, s := open(t, save(t,
		user("a1", "", "go"),
		named("a2", "t1", `"backgroundTaskId":"b1"`),
		named("a3", "t2", `"taskId":"b1"`), // asks after it
		named("a4", "t3", `"agentId":"a19","taskId":"b2"`),
		named("a5", "t4", `"agentId":""`),
		fire("f1", "Running scheduled task (Nov 30 4:45pm)"), fire("f2", "Running (the) task"), fire("f3", ")"),
		node("user", "r1", "a1", `"isMeta":true,"message":{"content":"Continue from where you left off."}`),
		user("r2", "a1", "Continue from where you left off."),
	), Options{})
	for task, want := range map[string]string{"b1": "t1", "a19": "t3", "b2": "t3", "": "", "zz": ""} {
		if got := s.TaskCall(task); got != want {
			t.Errorf("task %q was started by %q, want %q", task, got, want)
		}
	}
	for uuid, want := range map[string]string{"f1": "Nov 30 4:45pm", "f2": "", "f3": "", "a1": ""} {
		if got := s.ScheduledAt(uuid); got != want {
			t.Errorf("%s fired at %q, want %q", uuid, got, want)
		}
	}
	if !s.ResumesAt("r1") || s.ResumesAt("r2") || s.ResumesAt("") {
		t.Error("which prompt resumes is wrong")
	}
}
