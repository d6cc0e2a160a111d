package section

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// structure joins the lines of a transcript.
func structure(b []byte, lane bool) *transcript.Structure {
	w := transcript.Walker{InLane: lane}
	var part transcript.Part
	w.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, &part)
	return transcript.Join([]*transcript.Part{&part}, lane)
}

// eachUnit calls fn with every record of a transcript and each of its sections, or an empty one where it has none.
func eachUnit(b []byte, lane bool, fn func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc)) {
	st := structure(b, lane)
	var sec Builder
	w := transcript.Walker{InLane: lane, Record: func(r *record.Record, loc transcript.Loc) {
		c := ContextOf(st, loc)
		secs := sec.Sections(r, &c)
		if len(secs) == 0 {
			secs = []Section{{Block: -1}}
		}
		for i := range secs {
			fn(st, r, &secs[i], loc)
		}
	}}
	w.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, &transcript.Part{})
}

// checkEdges holds the edges of a unit against what the table and the type promise.
func checkEdges(t *testing.T, st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) []Edge {
	t.Helper()
	edges := (*Space)(nil).Edges(r, s, st, loc)
	for i, e := range edges {
		k := slices.IndexFunc(edgeKinds[:], func(k EdgeInfo) bool { return k.Kind == e.Kind })
		if k < 0 {
			t.Fatalf("line %d: %q is no relation", loc.Line, e.Kind)
		}
		if info := edgeKinds[k]; (e.Basis == nil) != (info.Basis == nil) || e.Basis != nil && !slices.Contains(info.Basis, *e.Basis) {
			t.Fatalf("line %d: %s rests on %v", loc.Line, e.Kind, e.Basis)
		}
		switch {
		case e.Line != nil:
			if e.ID != nil || e.Session != nil || e.Reason != nil || *e.Line != int(e.At.Line) || *e.Line < 1 || *e.Line > st.Lines {
				t.Fatalf("line %d: %s leads to line %d and more: %+v", loc.Line, e.Kind, *e.Line, e)
			}
			if e.UUID != nil && *e.UUID != st.UUID(e.At.Line, e.At.Part) {
				t.Fatalf("line %d: %s leads to line %d, which is not %s", loc.Line, e.Kind, *e.Line, *e.UUID)
			}
		case (e.Reason != nil) != (e.Basis == nil), e.Reason == nil && e.UUID == nil && e.ID == nil && e.Session == nil:
			t.Fatalf("line %d: %s leads nowhere and does not say why: %+v", loc.Line, e.Kind, e)
		}
		if e.Kind == EdgeParent && i != len(edges)-1 {
			t.Fatalf("line %d: something stands behind the parent", loc.Line)
		}
		if p := edges[len(edges)-1]; p.Kind == EdgeParent && i < len(edges)-1 && e.Line != nil && p.Line != nil && e.At == p.At {
			t.Fatalf("line %d: the parent is told beside %s", loc.Line, e.Kind)
		}
	}
	return edges
}

// Every record of the samples keeps these promises, and a record with a parent states a relation.
func TestEdgesOfSamples(t *testing.T) {
	kinds := map[EdgeKind]int{}
	samples(t, func(path string, b []byte) {
		eachUnit(b, strings.HasPrefix(filepath.Base(path), "agent-"), func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			edges := checkEdges(t, st, r, s, loc)
			if names(r.ParentUUID) && len(edges) == 0 {
				t.Errorf("%s:%d: a parent and no relation", path, loc.Line)
			}
			for _, e := range edges {
				kinds[e.Kind]++
			}
		})
	})
	if len(kinds) < 18 {
		t.Errorf("the samples show %d relations: %v", len(kinds), kinds)
	}
}

func FuzzEdges(f *testing.F) {
	for _, tc := range specimens {
		f.Add([]byte(tc.line), []byte(node("user", "a1", "a1", asks("go"))))
	}
	boundary := node("system", "b1", "", `"subtype":"compact_boundary","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"a1","anchorUuid":"b1","tailUuid":"a2"}}`)
	f.Add([]byte(boundary), []byte(node("user", "a2", "a1", asks("sum")+`,"isCompactSummary":true`)))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		b := bytes.Join([][]byte{one, two, one}, []byte("\n"))
		eachUnit(b, false, func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			checkEdges(t, st, r, s, loc)
			var u Unit
			Describe(&u, r, s, label.None, st, loc)
			if _, err := json.Marshal(&u); err != nil {
				t.Fatal(err)
			}
		})
	})
}

func TestExposed(t *testing.T) {
	keys := []string{"attribution_skill", "attribution_agent", "attribution_plugin", "attribution_mcp_server", "attribution_mcp_tool", "request_id", "api_block_index",
		"tool_ends_turn", "user_feedback", "error", "api_error_status", "quota_limits", "truncated_after_output", "is_aborted_mid_stream",
		"interrupted_message_id", "scheduled_task_id", "scheduled_fire_id", "hook_run_id"}
	failure := `"error":"rate_limit","apiErrorStatus":429,"quotaLimits":{"status":"rejected","resetsAt":1790316000,"rateLimitType":"five_hour"},"truncatedAfterOutput":true`
	for _, tc := range []struct {
		name, line string
		want       object
	}{
		{"none", node("user", "a1", "", asks("go")), object{}},
		{"of a reply", node("assistant", "a1", "", holds(textBlock("x"))+`,"attributionSkill":"greet","attributionAgent":"scout","attributionPlugin":"p","attributionMcpServer":"demo","attributionMcpTool":"echo","requestId":"req_1","apiBlockIndex":0,"isAbortedMidStream":false`),
			object{"attribution_skill": "greet", "attribution_agent": "scout", "attribution_plugin": "p", "attribution_mcp_server": "demo", "attribution_mcp_tool": "echo", "request_id": "req_1", "api_block_index": 0.0, "is_aborted_mid_stream": false}},
		{"of a result", node("user", "a1", "", holds(`{"type":"tool_result","tool_use_id":"t","content":"x"}`)+`,"toolEndsTurn":true,"userFeedback":"smaller"`),
			object{"tool_ends_turn": true, "user_feedback": "smaller"}},
		{"of a failed call", node("assistant", "a1", "", holds(textBlock("x"))+`,"isApiErrorMessage":true,`+failure),
			object{"error": "rate_limit", "api_error_status": 429.0, "quota_limits": object{"resets_at": 1790316000.0, "rate_limit_type": "five_hour"}, "truncated_after_output": true}},
		{"of no failed call", node("assistant", "a1", "", holds(textBlock("x"))+`,`+failure), object{}},
		{"a quota that says less", node("assistant", "a1", "", holds(textBlock("x"))+`,"isApiErrorMessage":true,"quotaLimits":{"resetsAt":"soon"}`),
			object{"quota_limits": object{"resets_at": nil, "rate_limit_type": nil}}},
		{"of another type", node("assistant", "a1", "", holds(textBlock("x"))+`,"isApiErrorMessage":true,"attributionSkill":7,"requestId":null,"apiBlockIndex":-1,"error":{"status":529},"apiErrorStatus":"429","quotaLimits":[],"truncatedAfterOutput":"yes","isAbortedMidStream":1`), object{}},
		{"repeated", node("assistant", "a1", "", holds(textBlock("x"))+`,"attributionSkill":"one","attributionSkill":"two","apiBlockIndex":1,"apiBlockIndex":null`), object{"attribution_skill": "two"}},
		{"of a schedule", node("user", "a1", "", asks("go")+`,"scheduledTaskId":"9c","scheduledFireId":"f1"`), object{"scheduled_task_id": "9c", "scheduled_fire_id": "f1"}},
		{"of an interruption", node("user", "a1", "", asks("[Request interrupted by user]")+`,"interruptedMessageId":"msg_1"`), object{"interrupted_message_id": "msg_1"}},
		{"of the hooks", node("system", "a1", "", `"subtype":"stop_hook_summary","toolUseID":"run-1"`), object{"hook_run_id": "run-1"}},
		{"of another record", node("system", "a1", "", `"subtype":"informational","content":"x","toolUseID":"run-1"`), object{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachUnit([]byte(tc.line), false, func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
				var u Unit
				Describe(&u, r, s, label.None, st, loc)
				if d := cmp.Diff(tc.want, fields(t, &u, keys...)); d != "" {
					t.Errorf("-want +got:\n%s", d)
				}
			})
		})
	}
}

func TestFamilyFacts(t *testing.T) {
	keys := []string{"denial_kind", "resume_paired", "scheduled_at", "queue_operation", "queue_reason", "served_by", "fell_back_from", "relayed", "peer_sender_task_id", "body_source", "rendered_role", "produced_by", "pdf_pages"}
	fails := `{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"no"},{"type":"tool_result","tool_use_id":"s","content":"yes"}`
	all := tell(t, false,
		node("user", "a1", "", holds(fails)+`,"toolDenialKind":"user-rejected"`),
		node("user", "a2", "a1", asks("Continue from where you left off.")+`,"isMeta":true`),
		node("assistant", "a3", "a2", `"message":{"model":"<synthetic>","content":[`+textBlock("No response requested.")+`]}`),
		node("assistant", "a4", "a3", `"message":{"model":"<synthetic>","content":[`+textBlock("No response requested.")+`]}`),
		node("system", "a5", "a4", `"subtype":"scheduled_task_fire","content":"Running scheduled task (Nov 30 4:45pm)"`),
		node("user", "a6", "a5", asks("check")+`,"isMeta":true`),
		node("assistant", "a7", "a6", holds(textBlock("x")+`,{"type":"fallback","from":{"model":"big"},"to":{"model":"small"}},`+textBlock("y"))),
		node("user", "a8", "a7", asks("on my behalf")+`,"isMeta":true,"origin":{"kind":"human"}`),
		node("user", "a9", "a8", asks(`<agent-message from="a19">hi</agent-message>`)+`,"isMeta":true,"origin":{"kind":"peer","senderTaskId":"a19"}`),
		node("attachment", "b1", "a9", `"attachment":{"type":"hook_success","stdout":"out","command":"make lint"},"rendered":["<x>out</x>"],"renderedRole":"system"`),
		node("attachment", "b2", "b1", `"attachment":{"type":"hook_success","stdout":"out","command":"make lint"}`),
		node("attachment", "b3", "b2", `"attachment":{"type":"structured_output","data":{"n":1}}`),
		node("user", "b4", "b3", holds(`{"type":"tool_result","tool_use_id":"t","content":"x"}`)+`,"toolUseResult":{"type":"parts","firstPage":2,"file":{"filePath":"/a/b.pdf","count":3}}`),
	)
	want := []object{
		{"denial_kind": "user-rejected"}, {},
		{}, {"resume_paired": true}, {"resume_paired": false},
		{}, {"scheduled_at": "Nov 30 4:45pm"},
		{"served_by": "small", "fell_back_from": "big"}, {"served_by": "small", "fell_back_from": "big"},
		{"relayed": true}, {"peer_sender_task_id": "a19"},
		{"body_source": "rendered", "rendered_role": "system", "produced_by": "make lint"}, {"body_source": "field", "produced_by": "make lint"}, {"body_source": "payload"},
		{"pdf_pages": object{"first": 2.0, "last": 4.0, "count": 3.0, "path": "/a/b.pdf"}},
	}
	var got []object
	for i := range all.units {
		got = append(got, fields(t, &all.units[i], keys...))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	eachUnit([]byte(`{"type":"queue-operation","operation":"remove","reason":"absorbed_mid_turn","content":"go on"}`), false,
		func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			var u Unit
			s.Labels = []label.Leaf{label.UserQueued}
			Describe(&u, r, s, label.UserQueued, st, loc)
			if d := cmp.Diff(object{"queue_operation": "remove", "queue_reason": "absorbed_mid_turn"}, fields(t, &u, keys...)); d != "" {
				t.Errorf("a queued prompt (-want +got):\n%s", d)
			}
		})
}
