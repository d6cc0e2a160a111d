package section

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/label"
	"csift/pkg/transcript"
)

func TestPending(t *testing.T) {
	call := func(name, input string) string {
		return wrote(`{"type":"tool_use","id":"toolu_k","name":"`+name+`","input":`+input+`}`, `,"uuid":"u9"`)
	}
	for _, c := range []struct {
		name, kind, line, text string
		block                  int
	}{
		{"question", "AskUserQuestion", call("AskUserQuestion", `{"questions": [{"question":"which?"}]}`), `AskUserQuestion {"questions":[{"question":"which?"}]}`, 0},
		{"plan", "ExitPlanMode", call("ExitPlanMode", `{"plan":"a\nb"}`), `ExitPlanMode {"plan":"a\nb"}`, 0},
		{"a call that would be a message otherwise", "x", call("Task", `{}`), `Task {}`, 0},
		{"text beside the call", "AskUserQuestion", wrote(textBlock("hm")+`,{"type":"tool_use","id":"k","name":"AskUserQuestion"}`, ""), "AskUserQuestion", 1},
		{"server", "mcp-elicitation", system("mcp_elicitation", `,"content":"MCP elicitation [srv] (form): name?"`), "MCP elicitation [srv] (form): name?", -1},
		{"neither call nor words", "odd", system("mcp_elicitation", `,"content":" \n"`), "odd", -1},
		{"nothing at all", "", `{}`, "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Builder
			got := b.Pending(decode(t, c.line), &transcript.Pending{Kind: c.kind})
			if len(got) != 1 {
				t.Fatalf("%d sections", len(got))
			}
			if text := string(got[0].Append(nil)); text != c.text || got[0].Block != c.block {
				t.Errorf("%q of block %d", text, got[0].Block)
			}
			if diff := cmp.Diff([]label.Leaf{label.AgentToolUse}, got[0].Labels); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDescribePending(t *testing.T) {
	st := tell(t, false, said("first", `,"uuid":"u1","timestamp":"2026-03-02T09:00:00.000Z"`), said("second", `,"uuid":"u2","parentUuid":"u1","timestamp":"2026-03-02T09:01:00.000Z"`))
	var b Builder
	var u Unit
	p := &transcript.Pending{Kind: "AskUserQuestion", Stamp: "2026-03-02T09:00:30.000Z"}
	r := decode(t, wrote(`{"type":"tool_use","id":"toolu_k","name":"AskUserQuestion","input":{}}`, `,"uuid":"u9"`))
	DescribePending(&u, r, &b.Pending(r, p)[0], p, st.Structure, st.TurnOf(p))
	want := map[string]any{
		"line": nil, "uuid": "u9", "source": "elicitation-sidecar", "label": "agent.tool.use", "labels": []any{"agent.tool.use"}, "delivered": true,
		"survival": "live", "tool_name": "AskUserQuestion", "tool_use_id": "toolu_k", "pairing": "pending", "is_error": nil, "ts_utc": "2026-03-02T09:00:30.000Z",
		"for_root": map[string]any{"line": 1.0, "uuid": "u1", "hops": nil, "note": notePending}, "image_ids": []any{}, "task_ids": []any{},
	}
	keys := []string{}
	for k := range want {
		keys = append(keys, k)
	}
	if diff := cmp.Diff(want, members(t, &u, keys...)); diff != "" {
		t.Error(diff)
	}

	p = &transcript.Pending{Kind: "mcp-elicitation"}
	r = decode(t, system("mcp_elicitation", `,"content":"name?"`))
	DescribePending(&u, r, &b.Pending(r, p)[0], p, tell(t, false, wrote(textBlock("hi"), "")).Structure, 0)
	want = map[string]any{"uuid": nil, "tool_name": "mcp-elicitation", "tool_use_id": nil, "ts_utc": nil, "ts_local": nil,
		"for_root": map[string]any{"line": nil, "uuid": nil, "hops": nil, "note": noteNoOpener}}
	if diff := cmp.Diff(want, members(t, &u, "uuid", "tool_name", "tool_use_id", "ts_utc", "ts_local", "for_root")); diff != "" {
		t.Error(diff)
	}
}

// members gives some keys of a unit as JSON has them.
func members(t *testing.T, u *Unit, keys ...string) map[string]any {
	t.Helper()
	b, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, k := range keys {
		v, ok := all[k]
		if !ok {
			t.Errorf("no key %s", k)
		}
		out[k] = v
	}
	return out
}
