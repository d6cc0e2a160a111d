package text

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// units gives the units of one line of a transcript.
func units(t *testing.T, line int, lines ...string) (out []section.Unit) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := transcript.Open(path, transcript.Options{})
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
	err = f.EachLine(context.Background(), ix, line, line, func(loc transcript.Loc, b []byte) bool {
		var r record.Record
		if !record.Decode(jsonl.Trim(b, loc.Off == 0), &r) {
			t.Fatalf("no record: %s", b)
		}
		var sec section.Builder
		c := section.ContextOf(st, loc)
		secs := sec.Sections(&r, &c)
		if len(secs) == 0 {
			secs = []section.Section{{Block: -1}}
		}
		for i := range secs {
			leaf := label.None
			if len(secs[i].Labels) > 0 {
				leaf = secs[i].Labels[0]
			}
			var u section.Unit
			section.Describe(&u, &r, &secs[i], leaf, st, loc)
			out = append(out, u)
		}
		return true
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("line %d: %d units, %v", line, len(out), err)
	}
	return out
}

// u gives a uuid that ends in two digits.
func u(n int) string { return fmt.Sprintf("0000%04d-0000-4000-8000-%012d", n, n) }

// rec is a record with a uuid and a parent (0: null).
func rec(kind string, id, parent int, more string) string {
	p := "null"
	if parent > 0 {
		p = `"` + u(parent) + `"`
	}
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-03-02T09:00:%02d.000Z","sessionId":"s"%s}`, kind, u(id), p, id, more)
}

func prompt(id, parent int, text, more string) string {
	return rec("user", id, parent, strings.TrimSuffix(fmt.Sprintf(`"message":{"role":"user","content":%q},%s`, text, more), ","))
}

func reply(id, parent int, block string) string {
	return rec("assistant", id, parent, `"message":{"id":"msg_`+fmt.Sprint(id)+`","role":"assistant","content":[`+block+`]}`)
}

const said = `{"type":"text","text":"yes"}`

func use(id int) string {
	return fmt.Sprintf(`{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{}}`, id)
}

func result(id, parent, use int, more string) string {
	return rec("user", id, parent, strings.TrimSuffix(fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"ok"}]},%s`, use, more), ","))
}

// at is an edge to a record of the file as its row spells it.
func at(kind, basis string, line, id int) string {
	return fmt.Sprintf(`{"kind":%q,"basis":%q,"line":%d,"uuid":%q}`, kind, basis, line, u(id))
}

func compact(s string) string { return `"subtype":"compact_boundary","content":"x",` + s }

func kept(anchor int, ids ...int) string {
	var uuids []string
	for _, id := range ids {
		uuids = append(uuids, `"`+u(id)+`"`)
	}
	return fmt.Sprintf(`"compactMetadata":{"preservedSegment":{"headUuid":%q,"anchorUuid":%q,"tailUuid":%q},"preservedMessages":{"anchorUuid":%q,"uuids":[%s]}}`,
		u(ids[0]), u(anchor), u(ids[len(ids)-1]), u(anchor), strings.Join(uuids, ","))
}

const pulse = `<task-notification>\n<task-id>b12345678</task-id>\n%s<status>completed</status>\n<summary>Background command \"x\" completed</summary>\n</task-notification>`

// edgeSpecimens has a transcript for each relation and each way it is told: the unit of a line, its edges in a row, and
// the tags in text.
var edgeSpecimens = []struct {
	kind  section.EdgeKind
	name  string
	lines []string
	line  int
	want  string
	tags  string
}{
	{"parent", "of a reply", []string{prompt(1, 0, "go", ""), reply(2, 1, said)}, 2, at("parent", "position", 1, 1), ""},
	{"parent", "on no line", []string{prompt(1, 0, "go", ""), reply(2, 9, said)}, 2, `{"kind":"parent","basis":"position","line":null,"uuid":"` + u(9) + `"}`, ""},
	{"parent", "later in the file", []string{reply(2, 3, said), prompt(3, 0, "go", "")}, 1, at("parent", "position", 2, 3), ""},
	{"parent", "itself", []string{prompt(1, 1, "go", "")}, 1, at("parent", "position", 1, 1), ""},

	{"result_of", "the call above", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), result(3, 2, 1, "")}, 3, at("result_of", "key", 2, 2), ""},
	{"result_of", "parallel calls", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), reply(3, 2, use(2)), result(4, 3, 1, "")}, 4,
		at("result_of", "key", 2, 2) + "," + at("parent", "position", 3, 3), ""},
	{"result_of", "a call elsewhere", []string{prompt(1, 0, "go", ""), result(2, 1, 9, "")}, 2,
		`{"kind":"result_of","basis":"key","line":null,"uuid":null,"id":"toolu_9"},` + at("parent", "position", 1, 1), ""},

	{"supersedes", "an unsent draft", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(3, 2, "drfat", ""), prompt(4, 2, "draft", ""), reply(5, 4, said)}, 3,
		at("supersedes", "position", 4, 4) + "," + at("parent", "position", 2, 2), ""},
	{"continues", "a rewound prompt", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(3, 2, "left", ""), reply(4, 3, said), prompt(5, 2, "right", ""), reply(6, 5, said)}, 3,
		at("continues", "position", 5, 5) + "," + at("parent", "position", 2, 2), ""},
	{"branches", "the reply to a rewound prompt", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(3, 2, "left", ""), reply(4, 3, said), reply(5, 4, said), prompt(6, 2, "right", ""), reply(7, 6, said)}, 5,
		at("branches", "position", 3, 3) + "," + at("parent", "position", 4, 4), ""},
	{"replays", "a line written again", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(1, 0, "go", ""), reply(2, 1, said)}, 2,
		at("replays", "key", 4, 2) + "," + at("parent", "position", 3, 1), ""},

	{"pairs", "a boundary that names its summary", []string{prompt(1, 0, "go", ""), rec("system", 2, 0, compact(kept(3, 1))), prompt(3, 2, "sum", `"isCompactSummary":true`)}, 2,
		at("pairs", "key", 3, 3) + "," + at("preserves", "key", 1, 1), " [for: pairs L3] [for: preserves L1]"},
	{"pairs", "the summary, named", []string{prompt(1, 0, "go", ""), rec("system", 2, 0, compact(kept(3, 1))), prompt(3, 2, "sum", `"isCompactSummary":true`)}, 3,
		at("pairs", "key", 2, 2), " [for: pairs L2]"},
	{"pairs", "a boundary that names itself", []string{rec("system", 2, 0, compact(kept(2, 3))), prompt(3, 2, "kept", ""), prompt(4, 3, "sum", `"isCompactSummary":true`)}, 1,
		at("pairs", "position", 3, 4) + "," + at("preserves", "key", 2, 3), " [for: pairs L3] [for: preserves L2]"},
	{"pairs", "the summary behind it", []string{rec("system", 2, 0, compact(kept(2, 3))), prompt(3, 2, "kept", ""), prompt(4, 3, "sum", `"isCompactSummary":true`)}, 3,
		at("pairs", "position", 1, 2) + "," + at("parent", "position", 2, 3), " [for: pairs L1]"},
	{"pairs", "a boundary of 2.0.77", []string{rec("system", 2, 0, compact(`"compactMetadata":{"trigger":"manual"}`)), prompt(3, 2, "sum", `"isCompactSummary":true`)}, 1,
		at("pairs", "position", 2, 3), " [for: pairs L2]"},
	{"pairs", "a boundary without a summary", []string{prompt(1, 0, "go", ""), rec("system", 2, 1, compact(`"compactMetadata":{}`))}, 2, at("parent", "position", 1, 1), ""},

	{"precedes", "where the conversation stood", []string{prompt(1, 0, "go", ""), rec("system", 2, 0, compact(`"logicalParentUuid":"`+u(1)+`"`))}, 2, at("precedes", "key", 1, 1), " [for: precedes L1]"},
	{"precedes", "on no line", []string{rec("system", 2, 0, compact(`"logicalParentUuid":"`+u(9)+`"`))}, 1,
		`{"kind":"precedes","basis":"key","line":null,"uuid":"` + u(9) + `"}`, " [for: precedes 00000009 (not in this file)]"},

	{"preserves", "several", []string{prompt(1, 0, "go", ""), reply(2, 1, said), reply(3, 2, said), rec("system", 4, 0, compact(kept(4, 1, 2, 3)))}, 4,
		at("preserves", "key", 1, 1) + "," + at("preserves", "key", 2, 2) + "," + at("preserves", "key", 3, 3), " [for: preserves L1..L3 (3 records)]"},
	{"preserves", "two", []string{prompt(1, 0, "go", ""), reply(2, 1, said), rec("system", 4, 0, compact(kept(4, 1, 2)))}, 3,
		at("preserves", "key", 1, 1) + "," + at("preserves", "key", 2, 2), " [for: preserves L1] [for: preserves L2]"},
	{"preserves", "a segment alone", []string{prompt(1, 0, "go", ""), reply(2, 1, said), reply(3, 2, said),
		rec("system", 4, 0, compact(`"compactMetadata":{"preservedSegment":{"headUuid":"`+u(1)+`","anchorUuid":"`+u(4)+`","tailUuid":"`+u(3)+`"}}`))}, 4,
		at("preserves", "key", 1, 1) + "," + at("preserves", "key", 2, 2) + "," + at("preserves", "key", 3, 3), " [for: preserves L1..L3 (3 records)]"},
	{"preserves", "a segment whose ends do not join", []string{prompt(1, 0, "go", ""),
		rec("system", 4, 0, compact(`"compactMetadata":{"preservedSegment":{"headUuid":"`+u(1)+`","anchorUuid":"`+u(4)+`","tailUuid":"`+u(9)+`"}}`))}, 2,
		at("preserves", "key", 1, 1) + `,{"kind":"preserves","basis":"key","line":null,"uuid":"` + u(9) + `"}`, " [for: preserves L1] [for: preserves 00000009 (not in this file)]"},

	{"repairs", "a paired placeholder", []string{prompt(1, 0, "go", ""), prompt(2, 1, "Continue from where you left off.", `"isMeta":true`),
		rec("assistant", 3, 2, `"message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`)}, 3, at("repairs", "position", 2, 2), " [for: repairs L2]"},
	{"repairs", "an unpaired one", []string{prompt(1, 0, "go", ""),
		rec("assistant", 3, 1, `"message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`)}, 2, at("parent", "position", 1, 1), ""},

	{"reports", "by the call's id", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), result(3, 2, 1, ""), rec("user", 4, 3, `"message":{"role":"user","content":"`+fmt.Sprintf(pulse, `<tool-use-id>toolu_1</tool-use-id>`)+`"}`)}, 4,
		at("reports", "key", 2, 2) + "," + at("parent", "position", 3, 3), " [for: reports L2]"},
	{"reports", "by the task's id", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), result(3, 2, 1, `"toolUseResult":{"stdout":"","backgroundTaskId":"b12345678"}`), rec("user", 4, 3, `"message":{"role":"user","content":"`+fmt.Sprintf(pulse, "")+`"}`)}, 4,
		at("reports", "key", 2, 2) + "," + at("parent", "position", 3, 3), " [for: reports L2]"},
	{"reports", "an unknown call", []string{rec("user", 4, 0, `"message":{"role":"user","content":"`+fmt.Sprintf(pulse, `<tool-use-id>toolu_1</tool-use-id>`)+`"}`)}, 1,
		`{"kind":"reports","basis":"key","line":null,"uuid":null,"id":"toolu_1"}`, " [for: reports toolu_1 (not in this file)]"},
	{"reports", "an unknown task", []string{rec("user", 4, 0, `"message":{"role":"user","content":"`+fmt.Sprintf(pulse, "")+`"}`)}, 1,
		`{"kind":"reports","basis":"key","line":null,"uuid":null,"id":"b12345678"}`, " [for: reports b12345678 (not in this file)]"},
	{"reports", "in a frame", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), rec("user", 4, 2, `"isMeta":true,"message":{"role":"user","content":"[SYSTEM NOTIFICATION - NOT USER INPUT]\n`+fmt.Sprintf(pulse, `<tool-use-id>toolu_1</tool-use-id>`)+`"}`)}, 3,
		at("reports", "key", 2, 2), " [for: reports L2]"},
	{"reports", "in the queue", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), `{"type":"queue-operation","operation":"enqueue","content":"` + fmt.Sprintf(pulse, `<tool-use-id>toolu_1</tool-use-id>`) + `"}`}, 3,
		at("reports", "key", 2, 2), " [for: reports L2]"},

	{"leaf", "where the conversation ends", []string{prompt(1, 0, "go", ""), `{"type":"last-prompt","lastPrompt":"go","leafUuid":"` + u(1) + `"}`}, 2, at("leaf", "key", 1, 1), " [for: leaf L1]"},
	{"leaf", "of a summary line", []string{`{"type":"summary","summary":"s","leafUuid":"` + u(9) + `"}`}, 1,
		`{"kind":"leaf","basis":"key","line":null,"uuid":"` + u(9) + `"}`, " [for: leaf 00000009 (not in this file)]"},
	{"leaf", "cleared", []string{prompt(1, 0, "go", ""), `{"type":"last-prompt","lastPrompt":"go","explicit":true,"leafUuid":"00000000-0000-0000-0000-000000000000"}`}, 2, "", ""},

	{"versions", "the prompt that follows", []string{`{"type":"file-history-snapshot","messageId":"` + u(1) + `","snapshot":{}}`, prompt(1, 0, "go", "")}, 1, at("versions", "key", 2, 1), " [for: versions L2]"},
	{"forked_from", "a record of another session", []string{`{"type":"fork-context-ref","agentId":"a1","parentSessionId":"` + u(8) + `","parentLastUuid":"` + u(9) + `"}`}, 1,
		`{"kind":"forked_from","basis":"key","line":null,"uuid":"` + u(9) + `","session_id":"` + u(8) + `"}`, " [for: forked_from 00000009 (not in this file)]"},
	{"continued_in", "a session", []string{`{"type":"continued-in","continuedInSessionId":"` + u(8) + `","sessionId":"s"}`}, 1,
		`{"kind":"continued_in","basis":"key","line":null,"uuid":null,"session_id":"` + u(8) + `"}`, " [for: continued_in @00000008]"},

	{"refused", "the prompt", []string{prompt(1, 0, "go", ""), reply(2, 1, said), rec("system", 3, 2, `"subtype":"model_refusal_fallback","content":"x","refusedUserMessageUuid":"`+u(1)+`"`)}, 3,
		at("refused", "key", 1, 1) + "," + at("parent", "position", 2, 2), " [for: refused L1]"},
	{"wraps", "the wrapper above", []string{prompt(1, 0, "<command-name>/x</command-name>", ""), rec("system", 2, 1, `"subtype":"local_command","content":"<local-command-stdout>x</local-command-stdout>"`)}, 2,
		at("wraps", "position", 1, 1), " [for: wraps L1]"},
	{"armed_by", "a fire", []string{rec("system", 2, 0, `"subtype":"scheduled_task_fire","content":"Running scheduled task (noon)","taskId":"9c"`)}, 1,
		`{"kind":"armed_by","basis":null,"line":null,"uuid":null,"reason":"its taskId stands in a tool result, under no uuid"}`, " [for: armed_by unknown (its taskId stands in a tool result, under no uuid)]"},
	{"banner", "a fallback reply", []string{prompt(1, 0, "go", ""), reply(2, 1, `{"type":"fallback","from":{"model":"big"},"to":{"model":"small"}},`+said)}, 2,
		`{"kind":"banner","basis":null,"line":null,"uuid":null,"reason":"the banner hangs below the reply and is named nowhere"},` + at("parent", "position", 1, 1), " [for: banner unknown (the banner hangs below the reply and is named nowhere)]"},

	{"redoes", "a malformed call", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(3, 2, "Your tool call was malformed and could not be parsed. Please retry.", `"isMeta":true`)}, 3,
		at("redoes", "position", 2, 2), " [for: redoes L2]"},
	{"blocked", "a stop hook's feedback", []string{prompt(1, 0, "go", ""), reply(2, 1, said), prompt(3, 2, "Stop hook feedback:\nmore", `"isMeta":true`)}, 3, at("blocked", "position", 2, 2), " [for: blocked L2]"},
	{"fires", "by its key", []string{rec("system", 1, 0, `"subtype":"scheduled_task_fire","content":"x (noon)"`), prompt(2, 1, "check", `"isMeta":true,"scheduledFireId":"`+u(1)+`"`)}, 2,
		at("fires", "key", 1, 1), " [for: fires L1]"},
	{"fires", "by its place", []string{rec("system", 1, 0, `"subtype":"scheduled_task_fire","content":"x (noon)"`), prompt(2, 1, "check", `"isMeta":true`)}, 2,
		at("fires", "position", 1, 1), " [for: fires L1]"},

	{"attached_to", "a caveat", []string{prompt(1, 0, "go", ""), prompt(2, 1, "<local-command-caveat>x</local-command-caveat>", `"isMeta":true`)}, 2, at("attached_to", "position", 1, 1), " [for: attached_to L1]"},
	{"attached_to", "an attachment that no leaf names", []string{prompt(1, 0, "go", ""), rec("attachment", 2, 1, `"attachment":{"type":"brand_new"}`)}, 2, at("attached_to", "position", 1, 1), " [for: attached_to L1]"},
	{"attached_to", "not a wakeup", []string{prompt(1, 0, "go", ""), prompt(2, 1, "# Autonomous loop check", `"isMeta":true`)}, 2, at("parent", "position", 1, 1), ""},
	{"for_tool_use", "an attachment of a hook", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), rec("attachment", 3, 2, `"attachment":{"type":"hook_success","hookEvent":"PreToolUse","toolUseID":"toolu_1","stdout":"x"}`)}, 3,
		at("attached_to", "position", 2, 2) + "," + at("for_tool_use", "key", 2, 2), " [for: attached_to L2] [for: for_tool_use L2]"},
	{"for_tool_use", "a skill's text", []string{prompt(1, 0, "go", ""), reply(2, 1, use(1)), result(3, 2, 1, ""), prompt(4, 3, "Base directory for this skill: /x", `"isMeta":true,"sourceToolUseID":"toolu_1"`)}, 4,
		at("attached_to", "position", 3, 3) + "," + at("for_tool_use", "key", 2, 2), " [for: attached_to L3] [for: for_tool_use L2]"},
	{"for_tool_use", "not of an event's name", []string{prompt(1, 0, "go", ""), rec("attachment", 3, 1, `"attachment":{"type":"hook_additional_context","hookEvent":"SessionStart","toolUseID":"SessionStart","content":["x"]}`)}, 2,
		at("attached_to", "position", 1, 1), " [for: attached_to L1]"},
	{"replies_to", "the coordinator", []string{prompt(1, 0, "The coordinator sent a message:\nhi", `"isMeta":true,"origin":{"kind":"coordinator"}`)}, 1,
		`{"kind":"replies_to","basis":null,"line":null,"uuid":null,"reason":"its origin names the coordinator and no message"}`, " [for: replies_to unknown (its origin names the coordinator and no message)]"},
	{"replies_to", "a peer", []string{prompt(1, 0, `<cross-session-message from="uds:/x">hi</cross-session-message>`, `"isMeta":true,"origin":{"kind":"peer","from":"uds:/x","senderTaskId":"a9"}`)}, 1,
		`{"kind":"replies_to","basis":null,"line":null,"uuid":null,"reason":"its origin names the sender and no message"}`, " [for: replies_to unknown (its origin names the sender and no message)]"},

	{"interrupted", "a reply of two records", []string{prompt(1, 0, "go", ""), reply(2, 1, said), strings.Replace(reply(3, 2, said), "msg_3", "msg_2", 1), prompt(4, 1, "[Request interrupted by user]", `"interruptedMessageId":"msg_2"`)}, 4,
		at("interrupted", "key", 3, 3) + "," + at("parent", "position", 1, 1), " [for: interrupted L3]"},
	{"interrupted", "a reply that was not written", []string{prompt(1, 0, "go", ""), prompt(4, 1, "[Request interrupted by user]", `"interruptedMessageId":"msg_9"`)}, 2,
		`{"kind":"interrupted","basis":"key","line":null,"uuid":null,"id":"msg_9"},` + at("parent", "position", 1, 1), " [for: interrupted msg_9 (not in this file)]"},
	{"hook_run", "a stop-hook summary", []string{prompt(1, 0, "go", ""), rec("system", 2, 1, `"subtype":"stop_hook_summary","toolUseID":"`+u(7)+`"`)}, 2,
		`{"kind":"hook_run","basis":"key","line":null,"uuid":null,"id":"` + u(7) + `"},` + at("parent", "position", 1, 1), " [for: hook_run 00000007 (not in this file)]"},
	{"hook_run", "what a stop hook left", []string{prompt(1, 0, "go", ""), rec("attachment", 2, 1, `"attachment":{"type":"hook_success","hookEvent":"Stop","toolUseID":"hook-bb000000","stdout":"x"}`)}, 2,
		at("attached_to", "position", 1, 1) + `,{"kind":"hook_run","basis":"key","line":null,"uuid":null,"id":"hook-bb000000"}`, " [for: attached_to L1] [for: hook_run hook-bb000000 (not in this file)]"},
}

func TestEdges(t *testing.T) {
	seen := map[section.EdgeKind]bool{}
	for _, tc := range edgeSpecimens {
		t.Run(string(tc.kind)+" "+tc.name, func(t *testing.T) {
			seen[tc.kind] = true
			unit := units(t, tc.line, tc.lines...)[0]
			b, err := json.Marshal(&unit)
			if err != nil {
				t.Fatal(err)
			}
			var row struct {
				For json.RawMessage `json:"for"`
			}
			if err := json.Unmarshal(b, &row); err != nil {
				t.Fatal(err)
			}
			want := "[" + tc.want + "]"
			if tc.want == "" {
				want = ""
			}
			if d := cmp.Diff(want, string(row.For)); d != "" {
				t.Errorf("row (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.tags, string(appendEdges(nil, unit.For))); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
		})
	}
	for _, k := range section.EdgeKinds() {
		if !seen[k.Kind] {
			t.Errorf("%s has no specimen", k.Kind)
		}
	}
}

// The table is closed: 27 words, six of which only rows carry, three of which never lead to a record.
func TestEdgeTable(t *testing.T) {
	names := map[section.EdgeKind]bool{}
	rows, unknown := 0, 0
	for _, k := range section.EdgeKinds() {
		names[k.Kind] = true
		if !k.Text {
			rows++
		}
		if k.Text != k.Kind.Told() || k.From == "" || (k.To == "") != (k.Basis == nil) {
			t.Errorf("%+v", k)
		}
		if k.Basis == nil {
			unknown++
		}
	}
	if len(names) != 27 || rows != 6 || unknown != 3 {
		t.Errorf("%d words, %d in rows alone, %d unknown", len(names), rows, unknown)
	}
}

func TestFactTags(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lines []string
		line  int
		want  string
	}{
		{"a refused call", []string{result(1, 0, 1, `"toolDenialKind":"user-rejected"`)}, 1, ""},
		{"paired", []string{prompt(2, 0, "Continue from where you left off.", `"isMeta":true`),
			rec("assistant", 3, 2, `"message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`)}, 2, " [paired]"},
		{"unpaired", []string{prompt(2, 0, "go", ""),
			rec("assistant", 3, 2, `"message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`)}, 2, " [unpaired]"},
		{"fired", []string{rec("system", 1, 0, `"subtype":"scheduled_task_fire","content":"Running (a) task (Nov 30 4:45pm) "`), prompt(2, 1, "check", `"isMeta":true`)}, 2, " [scheduled fire Nov 30 4:45pm]"},
		{"fired at no known time", []string{rec("system", 1, 0, `"subtype":"scheduled_task_fire","content":"Running"`), prompt(2, 1, "check", `"isMeta":true`)}, 2, ""},
		{"relayed", []string{prompt(1, 0, "hello", `"isMeta":true,"origin":{"kind":"human"}`)}, 1, " [relayed]"},
		{"typed", []string{prompt(1, 0, "hello", `"origin":{"kind":"human"}`)}, 1, ""},
		{"a peer's lane", []string{prompt(1, 0, `<agent-message from="a9">hi</agent-message>`, `"isMeta":true,"origin":{"kind":"peer","from":"a9","senderTaskId":"a9\u001b[31m"}`)}, 1, " [peer lane a9␛[31m]"},
		{"a fallback", []string{reply(1, 0, said+`,{"type":"fallback","from":{"model":"big"},"to":{"model":"small"}}`)}, 1, " [served by small, fell back from big]"},
		{"a fallback of odd shape", []string{reply(1, 0, said+`,{"type":"fallback","from":7,"to":"small"}`)}, 1, " [served by small, fell back from ?]"},
		{"salvaged thinking", []string{rec("assistant", 1, 0, `"message":{"model":"<synthetic>","content":[{"type":"thinking","thinking":"so far","signature":""}]}`)}, 1, " [cancelled stream salvage]"},
		{"thinking of a model", []string{rec("assistant", 1, 0, `"message":{"model":"m","content":[{"type":"thinking","thinking":"so far","signature":""}]}`)}, 1, ""},
		{"signed thinking", []string{rec("assistant", 1, 0, `"message":{"model":"<synthetic>","content":[{"type":"thinking","thinking":"so far","signature":"x"}]}`)}, 1, ""},
		{"removed thinking", []string{reply(1, 0, `{"type":"text","text":"[Thinking removed]"}`)}, 1, " [thinking removed by the client]"},
		{"removed thinking as a string", []string{rec("assistant", 1, 0, `"message":{"content":"[Thinking removed]"}`)}, 1, " [thinking removed by the client]"},
		{"words about it", []string{reply(1, 0, `{"type":"text","text":"It says [Thinking removed]"}`)}, 1, ""},
		{"a conversion", []string{rec("attachment", 1, 0, `"attachment":{"type":"date_change","newDate":"x"},"rendered":["<d>"]`)}, 1, " [rendered]"},
		{"a payload's own text", []string{rec("attachment", 1, 0, `"attachment":{"type":"hook_success","stdout":"x"}`)}, 1, ""},
		{"a payload", []string{rec("attachment", 1, 0, `"attachment":{"type":"brand_new","n":1}`)}, 1, " [payload]"},
		{"pages", []string{result(1, 0, 1, `"toolUseResult":{"type":"parts","file":{"filePath":"/a/doc.pdf","count":2},"firstPage":2}`)}, 1, " [pdf pages 2-3 of doc.pdf]"},
		{"pages on Windows", []string{result(1, 0, 1, `"toolUseResult":{"type":"parts","file":{"filePath":"C:\\a\\doc.pdf","count":1},"firstPage":1}`)}, 1, " [pdf pages 1-1 of doc.pdf]"},
		{"parts that are no pages", []string{result(1, 0, 1, `"toolUseResult":{"type":"parts","file":{"filePath":"/a/doc.pdf"}}`)}, 1, ""},
		{"an answer that ends the turn", []string{result(1, 0, 1, `"toolEndsTurn":true`)}, 1, " [ends the turn]"},
		{"a failed call", []string{rec("assistant", 1, 0, `"isApiErrorMessage":true,"error":"rate_limit","apiErrorStatus":429,"quotaLimits":{"resetsAt":1790316000,"rateLimitType":"five_hour"},"truncatedAfterOutput":true,"message":{"content":[{"type":"text","text":"limit"}]}`)}, 1,
			" [api error rate_limit 429] [quota five_hour] [truncated after output]"},
		{"no failed call", []string{rec("assistant", 1, 0, `"error":"rate_limit","apiErrorStatus":429,"message":{"content":[{"type":"text","text":"limit"}]}`)}, 1, ""},
		{"aborted", []string{rec("assistant", 1, 0, `"isAbortedMidStream":true,"message":{"content":[{"type":"text","text":"lim"}]}`)}, 1, " [aborted mid-stream]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			unit := units(t, tc.line, tc.lines...)[0]
			if d := cmp.Diff(tc.want, string(appendFacts(nil, &unit))); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	queued := func(operation, reason string) (u section.Unit) {
		u.QueueOperation = &operation
		if reason != "" {
			u.QueueReason = &reason
		}
		return u
	}
	for _, tc := range []struct {
		unit section.Unit
		want string
	}{{queued("enqueue", ""), " [enqueue]"}, {queued("popAll", ""), " [popAll]"}, {queued("remove", "absorbed_mid_turn"), " [remove · absorbed_mid_turn]"}} {
		if got := string(appendFacts(nil, &tc.unit)); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	errored := strings.Replace(result(1, 0, 1, `"toolDenialKind":"user-rejected"`), `"content":"ok"`, `"is_error":true,"content":"no"`, 1)
	unit := units(t, 1, errored)[0]
	if got := string(appendTags(nil, &unit)); got != " [error] [denied: user-rejected]" {
		t.Errorf("a refused call: %q", got)
	}
}
