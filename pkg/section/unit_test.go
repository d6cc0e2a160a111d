package section

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// told is a transcript opened with all its units.
type told struct {
	*transcript.Structure
	units []Unit
	texts []string
}

// tell gives every unit of a transcript of the given lines, each under its first label.
func tell(t *testing.T, inLane bool, lines ...string) *told {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Open(path, transcript.Options{InLane: inLane})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Structure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ix, err := f.Index(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := &told{Structure: st}
	var b Builder
	var r record.Record
	var buf []byte // read over for each line, as callers do
	err = f.EachLine(context.Background(), ix, 1, ix.Lines, func(loc transcript.Loc, line []byte) bool {
		buf = append(buf[:0], line...)
		if !record.Decode(jsonl.Trim(buf, loc.Off == 0), &r) {
			t.Errorf("no record: %s", line)
			return true
		}
		c := ContextOf(st, loc)
		secs := b.Sections(&r, &c)
		for i := range secs {
			leaf := label.None
			if len(secs[i].Labels) > 0 {
				leaf = secs[i].Labels[0]
			}
			var u Unit
			Describe(&u, &r, &secs[i], leaf, st, loc)
			out.units = append(out.units, u)
			out.texts = append(out.texts, string(secs[i].Append(nil)))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fields gives the JSON of a unit without the keys that are null, empty or not asked for.
func fields(t *testing.T, u *Unit, keys ...string) map[string]any {
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
		if v := all[k]; v != nil {
			out[k] = v
		}
	}
	return out
}

// node is a record of a chain: kind, uuid, parent ("" is null) and the rest of it.
func node(kind, id, parent, more string) string {
	p := "null"
	if parent != "" {
		p = quote(parent)
	}
	return `{"type":` + quote(kind) + `,"uuid":` + quote(id) + `,"parentUuid":` + p + `,"timestamp":"2026-03-02T09:00:00.000Z",` + more + `}`
}

func asks(text string) string { return `"message":{"role":"user","content":` + quote(text) + `}` }

func holds(content string) string { return `"message":{"content":[` + content + `]}` }

type object = map[string]any

func TestUnitTools(t *testing.T) {
	use := func(id, name, input string) string {
		return `{"type":"tool_use","id":` + quote(id) + `,"name":` + quote(name) + `,"input":` + input + `}`
	}
	res := func(id, more string) string { return `{"type":"tool_result","tool_use_id":` + quote(id) + more + `}` }
	all := tell(t, false,
		node("user", "a1", "", asks("go")),
		node("assistant", "a2", "a1", holds(use("t1", "Bash", `{}`)+","+use("t2", "Read", `{}`))),
		node("user", "a3", "a2", holds(res("t2", `,"content":"two"`)+","+res("t1", `,"is_error":true,"content":"one"`))),
		node("assistant", "a4", "a3", holds(use("t3", "Edit", `{}`))),
		node("user", "a5", "a4", holds(res("t9", `,"content":"whose?"`))),
		node("assistant", "a6", "a5", holds(use("t4", "Task", `{"subagent_type":"Explore","prompt":"p"}`))),
		node("user", "a7", "a6", holds(res("t4", `,"content":"done"`))[:len(holds(res("t4", `,"content":"done"`)))]+`,"toolUseResult":{"agentId":"a19"}`),
		node("assistant", "a8", "a7", holds(use("t5", "Agent", `{"name":"Scout","subagent_type":"x"}`)+","+use("t6", "Agent", `{}`))),
		node("user", "a9", "a8", holds(res("t5", `,"content":"said Scout"`))),
		node("assistant", "b1", "a9", holds(use("t7", "SendMessage", `{"to":"lead","recipient":"x"}`)+","+use("t8", "SendMessage", `{"recipient":"lead","type":"shutdown_response"}`)+","+use("", "", `{}`))),
	)
	keys := []string{"tool_name", "tool_use_id", "pairing", "is_error", "from", "to"}
	want := []object{
		{},
		{"tool_name": "Bash", "tool_use_id": "t1", "pairing": "paired"},
		{"tool_name": "Read", "tool_use_id": "t2", "pairing": "paired"},
		{"tool_name": "Read", "tool_use_id": "t2", "pairing": "paired", "is_error": false},
		{"tool_name": "Bash", "tool_use_id": "t1", "pairing": "paired", "is_error": true},
		{"tool_name": "Edit", "tool_use_id": "t3", "pairing": "pending"},
		{"tool_use_id": "t9", "pairing": "orphan", "is_error": false},
		{"tool_name": "Task", "tool_use_id": "t4", "pairing": "paired", "from": "self", "to": "a19"},
		{"tool_name": "Task", "tool_use_id": "t4", "pairing": "paired", "is_error": false, "from": "a19", "to": "self"},
		{"tool_name": "Agent", "tool_use_id": "t5", "pairing": "paired", "from": "self", "to": "Scout"},
		{"tool_name": "Agent", "tool_use_id": "t6", "pairing": "pending", "from": "self", "to": "?"},
		{"tool_name": "Agent", "tool_use_id": "t5", "pairing": "paired", "is_error": false, "from": "?", "to": "self"},
		{"tool_name": "SendMessage", "tool_use_id": "t7", "pairing": "pending", "from": "self", "to": "lead"},
		{"tool_name": "SendMessage", "tool_use_id": "t8", "pairing": "pending", "from": "self", "to": "lead"},
		{"tool_use_id": "", "pairing": "pending"},
	}
	var got []object
	for i := range all.units {
		got = append(got, fields(t, &all.units[i], keys...))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestUnitDirections(t *testing.T) {
	keys := []string{"label", "from", "to", "task_ids", "orphan_kind"}
	pulse := "<task-notification><task-id>b1</task-id><task-id>b2</task-id><task-id>__orphan_summary__:agent</task-id><summary>x</summary></task-notification>"
	report := "<task-notification><task-id>a1</task-id><summary>Agent x</summary><result>r</result></task-notification>"
	flow := "<task-notification><task-id>w1</task-id><summary>Workflow x</summary><result>r</result></task-notification>"
	all := tell(t, false,
		node("user", "a1", "", asks(pulse)),
		node("user", "a2", "a1", asks(report)),
		node("user", "a3", "a2", asks(flow)),
		node("user", "a4", "a3", asks(`<teammate-message teammate_id="Scout">hi</teammate-message><teammate-message teammate_id="Scout">{"type":"idle"}</teammate-message>`)),
		node("user", "a5", "a4", asks(`<agent-message from="a19">hi</agent-message>`)),
		node("user", "a6", "a5", asks(`<agent-message>hi</agent-message>`)),
		node("user", "a7", "a6", asks(`<cross-session-message from="uds:/x" from-name="app">hi</cross-session-message>`)),
		node("user", "a8", "a7", asks(`<cross-session-message from="uds:/x">hi</cross-session-message>`)+`,"isMeta":true,"origin":{"kind":"peer","name":"app-22"}`),
		node("user", "a9", "a8", asks(`<cross-session-message from="uds:/x">a</cross-session-message><cross-session-message from="uds:/y">b</cross-session-message>`)+`,"origin":{"name":"app-22","body":"c"}`),
		node("user", "b1", "a9", asks("The coordinator sent a message:\nhi")+`,"isMeta":true,"origin":{"kind":"coordinator"}`),
		node("user", "b2", "", asks("inline")+`,"isSidechain":true`),
		node("user", "b3", "b1", asks("hi")),
	)
	none := []any{}
	inbox := func(from string) object {
		return object{"label": "agent.communication.inbox", "from": from, "to": "self", "task_ids": none}
	}
	want := []object{
		{"label": "harness.notification.task", "task_ids": []any{"b1", "b2"}, "orphan_kind": "agent"},
		{"label": "harness.notification.subagent", "task_ids": []any{"a1"}, "from": "a1", "to": "self"},
		{"label": "harness.notification.workflow", "task_ids": []any{"w1"}, "from": "?", "to": "self"},
		inbox("Scout"),
		{"label": "agent.communication.signal", "from": "Scout", "to": "self", "task_ids": none},
		inbox("a19"), inbox("?"), inbox("app"), inbox("app-22"), inbox("uds:/x"), inbox("uds:/y"), inbox("coordinator"), inbox("parent"),
		{"label": "user.message", "task_ids": none},
	}
	var got []object
	for i := range all.units {
		got = append(got, fields(t, &all.units[i], keys...))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	lane := tell(t, true, node("user", "a1", "", asks("look around")+`,"isSidechain":true`), node("user", "a2", "a1", asks("more")+`,"isSidechain":true`))
	if d := cmp.Diff([]object{inbox("parent"), {"label": "user.message", "task_ids": none}}, []object{fields(t, &lane.units[0], keys...), fields(t, &lane.units[1], keys...)}); d != "" {
		t.Errorf("lane (-want +got):\n%s", d)
	}
	clone := tell(t, true, `{"type":"fork-context-ref"}`, node("user", "a1", "", asks("hello")+`,"isSidechain":true`))
	if got := *clone.units[1].Label; got != "user.message" {
		t.Errorf("the first prompt of a clone is %s", got)
	}
}

func TestForRoot(t *testing.T) {
	all := tell(t, false,
		node("assistant", "l1", "", holds(textBlock("lead"))),
		node("user", "a1", "", asks("one")),
		node("assistant", "a2", "a1", holds(textBlock("x"))),
		node("assistant", "a3", "zz", holds(textBlock("nobody's"))),
		node("user", "a4", "a3", asks("two")),
		`{"type":"custom-title","customTitle":"t"}`,
	)
	at := func(line, hops int, uuid string) object {
		return object{"line": float64(line), "uuid": uuid, "hops": float64(hops), "note": nil}
	}
	grouped := func(line int, uuid string) object {
		return object{"line": float64(line), "uuid": uuid, "hops": nil, "note": noteGrouped}
	}
	want := []any{grouped(2, "a1"), at(2, 0, "a1"), at(2, 1, "a1"), grouped(2, "a1"), at(5, 0, "a4"), grouped(5, "a4")}
	var got []any
	for i := range all.units {
		got = append(got, fields(t, &all.units[i], "for_root")["for_root"])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	none := tell(t, false, node("assistant", "a1", "", holds(textBlock("x"))))
	if d := cmp.Diff(any(object{"line": nil, "uuid": nil, "hops": nil, "note": noteNoOpener}), fields(t, &none.units[0], "for_root")["for_root"]); d != "" {
		t.Errorf("no opener (-want +got):\n%s", d)
	}
}

func TestUnitFacts(t *testing.T) {
	boundary := `"subtype":"compact_boundary","content":"x","compactMetadata":{ "trigger" : "auto" }`
	all := tell(t, false,
		node("user", "a1", "", asks("one")+`,"turnPosition":{"promptIndex":3,"turnIndex":4}`),
		node("user", "a2", "a1", asks("two")+`,"turnPosition":{"turnIndex":"5"},"isVirtual":true`),
		node("system", "a3", "a2", boundary),
		node("user", "a4", "a3", asks("sum")+`,"isCompactSummary":true,"summarizeMetadata":{"direction":"from"}`),
		node("assistant", "a5", "a4", holds(`{"type":"thinking","thinking":"é","signature":"aé"},{"type":"thinking","thinking":"","signature":""},{"type":"thinking"},{"type":"redacted_thinking","data":"x"},`+textBlock("hi"))),
		`{"type":"custom-title","customTitle":"t"}`,
		`{"type":"user","uuid":7,"timestamp":"yesterday",`+asks("three")+`}`,
		node("user", "a1", "", asks("one")),
	)
	keys := []string{"label", "labels", "line", "uuid", "ts_utc", "delivered", "client_turn", "mode", "compact_metadata", "signature_len", "thinking_text_absent", "replay_copy_of", "survival"}
	const ts = "2026-03-02T09:00:00.000Z"
	unit := func(leaf string, line int, uuid string, delivered bool, more object) object {
		o := object{"label": leaf, "labels": []any{leaf}, "line": float64(line), "delivered": delivered}
		if uuid != "" {
			o["uuid"], o["ts_utc"] = uuid, ts
		}
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	want := []object{
		unit("user.message", 1, "a1", true, object{"client_turn": 4.0, "replay_copy_of": 8.0}),
		unit("user.message", 2, "a2", false, nil),
		unit("harness.compaction.boundary", 3, "a3", false, object{"mode": "summarize-from-here", "compact_metadata": object{"trigger": "auto"}}),
		unit("harness.compaction.summary", 4, "a4", true, object{"mode": "summarize-from-here"}),
		unit("agent.thinking.summary", 5, "a5", true, object{"signature_len": 2.0, "thinking_text_absent": false}),
		unit("agent.thinking.omitted", 5, "a5", false, object{"signature_len": 0.0, "thinking_text_absent": true}),
		unit("agent.thinking.omitted", 5, "a5", false, object{"thinking_text_absent": true}),
		unit("agent.thinking.redacted", 5, "a5", false, nil),
		unit("agent.message.plain", 5, "a5", true, nil),
		unit("harness.bookkeeping.name", 6, "", false, nil),
		unit("user.message", 7, "", true, nil),
		unit("user.message", 8, "a1", true, nil),
	}
	var got []object
	for i := range all.units {
		o := fields(t, &all.units[i], keys...)
		delete(o, "survival")
		got = append(got, o)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got := string(must(json.Marshal(all.units[2].CompactMetadata))); got != `{"trigger":"auto"}` {
		t.Errorf("metadata is written as %s", got)
	}
	if local := all.units[0].TSLocal; local == nil || !strings.HasPrefix(*local, "2026-03-0") || all.units[10].TSLocal != nil || all.units[10].TSUTC != nil {
		t.Error("local times")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Every key of a hit is there from the start, null where it does not apply.
func TestUnitKeys(t *testing.T) {
	u := tell(t, false, `{"type":"novel","content":"x"}`).units[0]
	var got object
	if err := json.Unmarshal(must(json.Marshal(u)), &got); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"label", "labels", "delivered", "survival", "abandoned_root_line", "replay_copy_of", "line", "uuid", "ts_utc", "ts_local", "tool_name", "tool_use_id", "pairing", "is_error",
		"from", "to", "queue_operation", "queue_reason", "resume_paired", "scheduled_at", "task_ids", "orphan_kind", "mode", "compact_metadata", "superseding_line", "superseding_uuid", "diff_chars",
		"diff_pct", "diff_exact", "source", "for_root", "image_ids"} {
		v, ok := got[k]
		if !ok {
			t.Errorf("no key %s", k)
		}
		switch k {
		case "labels", "task_ids", "image_ids":
			if d := cmp.Diff(any([]any{}), v); d != "" {
				t.Errorf("%s: %s", k, d)
			}
		case "delivered", "line", "for_root", "survival":
		default:
			if v != nil {
				t.Errorf("%s is %v", k, v)
			}
		}
	}
	for _, k := range []string{"for", "signature_len", "thinking_text_absent", "client_turn"} {
		if _, ok := got[k]; ok {
			t.Errorf("%s where it does not apply", k)
		}
	}
}

func TestImages(t *testing.T) {
	img := `{"type":"image","source":{"type":"base64","data":"iVBOR"}}`
	inResult := func(items string) string { return `{"type":"tool_result","content":[` + items + `]}` }
	for _, tc := range []struct {
		name, line string
		want       []string
	}{
		{"none", said("[Image #1]", `,"imagePasteIds":[1]`), []string{}},
		{"by paste id", blocks(img+","+textBlock("[Image #9]"), `,"imagePasteIds":[265]`), []string{"#265"}},
		{"by marks", blocks(img+","+img+","+textBlock("[Image #7] and [Image #8]"), ""), []string{"#7", "#8"}},
		{"marks that do not count up", blocks(img+","+img+","+textBlock("[Image #7]"), ""), []string{"L12i0", "L12i1"}},
		{"a paste id for the first alone", blocks(img+","+img, `,"imagePasteIds":[3]`), []string{"#3", "L12i1"}},
		{"marks that are none", blocks(img+","+textBlock("[Image #] [Image #x] [Image #12 [Image #5]"), ""), []string{"#5"}},
		{"in a result", blocks(inResult(img+","+textBlock("x")+","+img), ""), []string{"L12i0", "L12i1"}},
		{"a result's text may speak of images", blocks(inResult(textBlock("[Image #1]")), ""), []string{}},
		{"paste ids of the wrong type", blocks(img, `,"imagePasteIds":"1"`), []string{"L12i0"}},
		{"an assistant's", wrote(img, ""), []string{"L12i0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, Images(decode(t, tc.line), 12)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestDelivered(t *testing.T) {
	for line, want := range map[string]bool{
		said("x", ""):                  true,
		said("x", `,"isMeta":true`):    true,
		said("x", `,"isVirtual":true`): false,
		`{"type":"assistant","message":{"model":"<synthetic>","content":"x"},"isApiErrorMessage":true}`:  false,
		`{"type":"assistant","message":{"model":"<synthetic>","content":"x"}}`:                           true,
		`{"type":"assistant","message":{"model":"claude","content":"x"},"isApiErrorMessage":true}`:       true,
		`{"type":"assistant","message":{"model":"<synthetic>","content":"x"},"isApiErrorMessage":false}`: true,
		system("local_command", ""):                              true,
		system("turn_duration", ""):                              false,
		attached(`{"type":"file"}`, ""):                          true,
		attached(`{"type":"structured_output"}`, ""):             false,
		attached(`{"type":"hook_success"}`, ""):                  false,
		attached(`{"type":"hook_success"}`, `,"rendered":["x"]`): true,
		attached(`{"type":"hook_success"}`, `,"rendered":null`):  false,
		`{"type":"mode"}`:                                        false,
	} {
		if got := Delivered(decode(t, line)); got != want {
			t.Errorf("%v: %s", got, line)
		}
	}
}
