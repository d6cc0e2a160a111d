package row

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"csift/pkg/addr"
)

var cmpItems = cmp.Options{
	cmp.Comparer(func(a, b addr.Range) bool { return a == b }),
	cmpopts.IgnoreFields(Item{}, "Token"),
}

const (
	sid   = "5d0c1f3e-0000-4000-8000-00000000a001"
	agent = "a1b2c3d4e5f60718"
)

var (
	refS = Ref{SessionID: sid, ParentSessionID: sid, Transcript: "/p/s.jsonl", Path: "/p/s.jsonl"}
	refA = Ref{SessionID: agent, IsSubagent: true, ParentSessionID: sid, Transcript: "/p/a.jsonl", Path: "/p/a.jsonl"}
)

func trio(r Ref) string {
	return fmt.Sprintf(`"session_id":%q,"is_subagent":%v,"parent_session_id":%q,"transcript":%q,"path":%q`,
		r.SessionID, r.IsSubagent, r.ParentSessionID, r.Transcript, r.Path)
}

func lineRange(n int) addr.Range { return addr.LineAt(n) }

func parsed(s string) addr.Token {
	t, err := addr.Parse(s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestEmptyAnswers reads what text answers without rows say, at column 0 and indented.
func TestEmptyAnswers(t *testing.T) {
	for _, words := range []string{
		NoExchanges, NoSessions, NoRecords, NoForks, NoAgents, NoHistory, NoBackups, NoChanges, NoTranscripts, NoFiles, NoPlans, NoBinders, NoPlanEdits,
		NoCaller, UntoldCaller,
	} {
		for _, indent := range []string{"", "  "} {
			if src, err := Read(strings.NewReader(indent + words + "\n")); err != nil || src.Form != TextForm || len(src.Items)+len(src.Notes) > 0 {
				t.Errorf("%q: %+v, %v", indent+words, src, err)
			}
		}
		if src, err := Read(strings.NewReader(words + " at all\n")); err == nil {
			t.Errorf("more than %q: %+v", words, src)
		}
	}
	for _, line := range []string{"SESSION notes", "SESSION my notes  runs 1 · agents 2", "SESSION x  runs 1"} {
		if _, err := Read(strings.NewReader(line + "\n")); err == nil {
			t.Errorf("%q is taken for an answer", line)
		}
	}
}

func TestRead(t *testing.T) {
	header := `{"kind":"header","command":"search","sessions_in_scope":2}` + "\n"
	summary := `{"kind":"summary","matched":0}` + "\n"
	session := `{"kind":"session",` + trio(refS) + `,"cwd":"/x"}` + "\n"
	record := `{"kind":"record",` + trio(refA) + `,"line":7,"uuid":"u7","label":null}` + "\n"
	hitS := `{` + trio(refS) + `,"line":90,"uuid":"u90"}`
	hitA := `{` + trio(refA) + `,"line":3,"uuid":null}`
	exchange := `{"kind":"exchange",` + trio(refS) + `,"turn_index":4,"hits":[` + hitS + `,` + hitA + `]}` + "\n"

	itemS := Item{Ref: refS, Kind: "session", ID: sid}
	itemA7 := Item{Ref: refA, Kind: "record", ID: agent, Line: 7, UUID: "u7"}
	hit90 := Item{Ref: refS, Kind: HitKind, ID: sid, Line: 90, UUID: "u90"}
	hit3 := Item{Ref: refA, Kind: HitKind, ID: agent, Line: 3}

	tests := []struct {
		name, in string
		want     Source
		notes    int
	}{
		{"rows", header + session + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{itemS}}, 0},
		{"an exchange is its hits", header + exchange + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{hit90, hit3}}, 0},
		{"an exchange without hits is its turn", `{"kind":"exchange",` + trio(refS) + `,"turn_index":4,"hits":[]}` + "\n",
			Source{Form: RowForm, Rows: 1, Items: []Item{{Ref: refS, Kind: "exchange", ID: sid, Range: addr.TurnAt(4)}}}, 1},
		{"what the conversation went on without is no transcript", `{"kind":"exchange",` + trio(refS) + `,"turn_index":null}` + "\n" + exchange,
			Source{Form: RowForm, Rows: 2, Skipped: 1, Items: []Item{hit90, hit3}}, 2},
		{"a hit takes what it lacks from its exchange", `{"kind":"exchange",` + trio(refS) + `,"hits":[{"line":90,"uuid":"u90"}]}` + "\n",
			Source{Form: RowForm, Rows: 1, Items: []Item{hit90}}, 1},
		{"a hit without line and uuid is no transcript", `{"kind":"exchange",` + trio(refS) + `,"hits":[{"line":null,"uuid":null},` + hitS + `]}` + "\n",
			Source{Form: RowForm, Rows: 1, Skipped: 1, Items: []Item{hit90}}, 2},
		{"an empty answer", header + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true}, 0},
		{"a count", header + `{"kind":"summary","matched":4}` + "\n",
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Unnamed: 4}, 1},
		{"a header alone", header,
			Source{Form: RowForm, Command: "search", Header: true}, 1},
		{"head -2", header + record,
			Source{Form: RowForm, Command: "search", Header: true, Rows: 1, Items: []Item{itemA7}}, 1},
		{"grep", record,
			Source{Form: RowForm, Rows: 1, Items: []Item{itemA7}}, 1},
		{"no line end at the end", strings.TrimSuffix(header+record, "\n"),
			Source{Form: RowForm, Command: "search", Header: true, Rows: 1, Items: []Item{itemA7}}, 1},
		{"torn", header + record + session[:20],
			Source{Form: RowForm, Command: "search", Header: true, Rows: 1, Torn: true, Items: []Item{itemA7}}, 1},
		{"torn in the first line", header[:25],
			Source{Form: RowForm, Torn: true}, 1},
		{"damage within", header + record + "oops\n" + session + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 2, Bad: 1, Items: []Item{itemA7, itemS}}, 1},
		{"a cut line that ends", header + session[:20] + "\n" + session + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Bad: 1, Items: []Item{itemS}}, 1},
		{"two rows on one line", header + strings.TrimSpace(record) + session + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 2, Items: []Item{itemA7, itemS}}, 0},
		{"unknown kinds", header + `{"kind":"census","axis":"label","key":"x","records":3}` + "\n" + `{"kind":"new",` + trio(refS) + "}\n" + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 2, Skipped: 1, Items: []Item{{Ref: refS, Kind: "new", ID: sid}}}, 1},
		{"a row about another file", `{"kind":"file","session_id":"` + sid + `","is_subagent":false,"parent_session_id":"` + sid + `","transcript":"/p/s.jsonl","path":"/home/u/a.go"}` + "\n",
			Source{Form: RowForm, Rows: 1, Items: []Item{{Ref: Ref{SessionID: sid, ParentSessionID: sid, Transcript: "/p/s.jsonl", Path: "/home/u/a.go"}, Kind: "file", ID: sid}}}, 1},
		{"a line of a merged history", `{"kind":"boundary",` + trio(refS) + `,"line":40,"source_session_id":"` + sid + `","source_line":7}` + "\n",
			Source{Form: RowForm, Rows: 1, Items: []Item{{Ref: refS, Kind: "boundary", ID: sid, Line: 7}}}, 1},
		{"a line of another transcript's", `{"kind":"snapshot",` + trio(refS) + `,"line":40,"source_session_id":"` + agent + `","source_line":7}` + "\n",
			Source{Form: RowForm, Rows: 1, Items: []Item{{Ref: refS, Kind: "snapshot", ID: sid}}}, 1},
		{"what the upstream dropped", header + session + `{"kind":"summary","dropped_by_cap":5}` + "\n",
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, DroppedByCap: 5, Items: []Item{itemS}}, 1},
		{"two answers one after the other", header + session + summary + header + record + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 2, Items: []Item{itemS, itemA7}}, 0},
		{"wrong types cost their key", header + `{"kind":"record",` + trio(refA) + `,"line":"7","uuid":7,"turn_index":"x","hits":{}}` + "\n" + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{{Ref: refA, Kind: "record", ID: agent}}}, 0},
		{"keys in another case are other keys", header + `{"kind":"record",` + trio(refA) + `,"LINE":9,"line":7,"UUID":"x","uuid":"u7"}` + "\n" + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{itemA7}}, 0},
		{"a record among others on its line", "@5d0c1f3e:3 --uuid u3  ◂ user.message  x\n@5d0c1f3e:3..4 --uuid u4\n@5d0c1f3e:5 --uuids\n",
			Source{Form: TextForm, Rows: 3, Items: []Item{
				{Token: parsed("@5d0c1f3e:3"), ID: "5d0c1f3e", Range: lineRange(3), Line: 3, UUID: "u3"},
				{Token: parsed("@5d0c1f3e:3..4"), ID: "5d0c1f3e", Range: parsed("@5d0c1f3e:3..4").Range},
				{Token: parsed("@5d0c1f3e:5"), ID: "5d0c1f3e", Range: lineRange(5)},
			}}, 0},
		{"a saved answer of agents", AgentsHeading(sid, 0, 1) + "  (its transcript is missing)\n@5d0c1f3e:3 AGENT x\n  task  y\n" + AgentsHeading("", 2, 0) + "\n",
			Source{Form: TextForm, Rows: 1, Items: []Item{{Token: parsed("@5d0c1f3e:3"), ID: "5d0c1f3e", Range: lineRange(3)}}}, 0},
		{"files without a history", "  no-history  /a\n@5d0c1f3e  complete  /b  10 lines\n  ambiguous  /c\n",
			Source{Form: TextForm, Rows: 1, Items: []Item{{Token: parsed("@5d0c1f3e"), ID: "5d0c1f3e"}}}, 0},
		{"jq '.hits[]'", hitS + "\n" + hitA + "\n",
			Source{Form: RowForm, Rows: 2, Items: []Item{{Ref: refS, ID: sid, Line: 90, UUID: "u90"}, {Ref: refA, ID: agent, Line: 3}}}, 1},
		{"jq without -c", "{\n  \"kind\": \"record\",\n  " + strings.ReplaceAll(trio(refA), ",", ",\n  ") + ",\n  \"line\": 7,\n  \"uuid\": \"u7\"\n}\n{\n  \"kind\": \"summary\"\n}\n",
			Source{Form: RowForm, Summary: true, Rows: 1, Items: []Item{itemA7}}, 1},
		{"BOM and CRLF", "\xEF\xBB\xBF" + strings.ReplaceAll(header+record+summary, "\n", "\r\n"),
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{itemA7}}, 0},
		{"blank lines", "\n \n" + header + "\n" + record + "\n\n" + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Items: []Item{itemA7}}, 0},
		{"deep nesting costs its line", header + `{"kind":"x","deep":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}\n" + session + summary,
			Source{Form: RowForm, Command: "search", Header: true, Summary: true, Rows: 1, Bad: 1, Items: []Item{itemS}}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range readers(tt.in) {
				got, err := Read(r)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if len(got.Notes) != tt.notes {
					t.Errorf("%s: %d notes, want %d: %q", name, len(got.Notes), tt.notes, got.Notes)
				}
				if diff := cmp.Diff(tt.want, got, cmpItems, cmpopts.IgnoreUnexported(Source{}), cmpopts.IgnoreFields(Source{}, "Notes")); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
		})
	}
}

// readers gives the same bytes in several portions.
func readers(s string) map[string]io.Reader {
	return map[string]io.Reader{
		"whole":        strings.NewReader(s),
		"byte by byte": iotest.OneByteReader(strings.NewReader(s)),
		"with EOF":     iotest.DataErrReader(strings.NewReader(s)),
	}
}

func TestReadPayload(t *testing.T) {
	one := `{"session_id":"` + sid + `","transcript_path":"/p/s.jsonl","cwd":"/home/u","hook_event_name":"SubagentStop","agent_id":"` + agent + `","agent_transcript_path":"/p/a.jsonl","stop_hook_active":false}`
	spread := strings.NewReplacer("{", "{\n  ", ",", ",\n  ", "}", "\n}").Replace(one)
	want := Source{Form: PayloadForm,
		Items:   []Item{{Ref: refS, Kind: "hook", ID: sid}},
		Payload: &Payload{Event: "SubagentStop", SessionID: sid, Transcript: "/p/s.jsonl", Cwd: "/home/u", AgentID: agent, AgentTranscript: "/p/a.jsonl"}}
	for _, in := range []string{one, one + "\n", spread, "\n" + spread + "\n\n"} {
		got, err := Read(strings.NewReader(in))
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if diff := cmp.Diff(want, got, cmpItems, cmpopts.IgnoreUnexported(Source{})); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}

func TestReadText(t *testing.T) {
	at := func(id string, r addr.Range) Item { return Item{ID: id, Range: r} }
	tests := []struct {
		name, in string
		want     []Item
		passed   int
	}{
		{"sessions", "@5d0c1f3e  SESSION  " + sid + "\n  cwd  /x\n  first ◂  why\n@a1b2c3d4e5f60718  SUBAGENT\n",
			[]Item{at("5d0c1f3e", addr.Range{}), at(agent, addr.Range{})}, 0},
		{"a heading with hits is the hits", "@5d0c1f3e:t4  2026-03-02\n@5d0c1f3e:90  ◂ user.message  why\n@5d0c1f3e:95  ▸ agent\n@5d0c1f3e:t5  2026\n@5d0c1f3e:99 x\n",
			[]Item{at("5d0c1f3e", lineRange(90)), at("5d0c1f3e", lineRange(95)), at("5d0c1f3e", lineRange(99))}, 0},
		{"a heading alone is its turn", "@5d0c1f3e:t4  2026\n    body\n@5d0c1f3e:t5  2026\n@a1b2c3d4e5f60718:7  x\n",
			[]Item{at("5d0c1f3e", addr.TurnAt(4)), at("5d0c1f3e", addr.TurnAt(5)), at(agent, lineRange(7))}, 0},
		{"a record on no line is a hit like others", "@5d0c1f3e:t4  2026\n@5d0c1f3e --uuid u9  ▸ agent.tool.use\n@5d0c1f3e:t5  2026\n@5d0c1f3e:99  x\n@5d0c1f3e --uuid u8  x\n@5d0c1f3e  --uuid  x\n",
			[]Item{{ID: "5d0c1f3e", UUID: "u9"}, at("5d0c1f3e", lineRange(99)), {ID: "5d0c1f3e", UUID: "u8"}, at("5d0c1f3e", addr.Range{})}, 0},
		{"a heading without a turn is its hits", "@5d0c1f3e:3 ·draft  2026-03-02\n@5d0c1f3e:3  ◂ user.unsent  why\n@5d0c1f3e:7 ·rewound turn  2026\n@5d0c1f3e:9  ▸ agent  x\n@5d0c1f3e:7 ·abandoned  —\n@5d0c1f3e:8 x\n",
			[]Item{{ID: "5d0c1f3e", Range: lineRange(3)}, {ID: "5d0c1f3e", Range: lineRange(9)}, {ID: "5d0c1f3e", Range: lineRange(8)}}, 0},
		{"headings without turns alone", "@5d0c1f3e:3 ·draft  2026\n@5d0c1f3e:7 ·rewound turn\n@5d0c1f3e:t4  2026\n@5d0c1f3e:11 ·abandoned x\n@5d0c1f3e:12 ·drafted x\n",
			[]Item{{ID: "5d0c1f3e", Range: lineRange(3)}, {ID: "5d0c1f3e", Range: lineRange(7)}, {ID: "5d0c1f3e", Range: addr.TurnAt(4)}, {ID: "5d0c1f3e", Range: lineRange(12)}}, 0},
		{"what was done to files", "@5d0c1f3e ·files  SESSION\n@5d0c1f3e:118  2026  t7  edit  ·file /a/b c.go\n@5d0c1f3e:120  bash  git:commit\n@a1b2c3d4e5f60718 ·files\n@a1b2c3d4e5f60718  2 ops  ·file d\n",
			[]Item{{ID: "5d0c1f3e", Range: lineRange(118), Ref: Ref{Path: "/a/b c.go"}}, at("5d0c1f3e", lineRange(120)), {ID: agent, Ref: Ref{Path: "d"}}}, 0},
		{"files rolled up", "@5d0c1f3e ·files  SESSION\n  /a  2 ops\n@a1b2c3d4e5f60718 ·files\n  /a  1 op\n",
			[]Item{at("5d0c1f3e", addr.Range{}), at(agent, addr.Range{})}, 0},
		{"typed addresses are no headings", "@5d0c1f3e:t4\n@5d0c1f3e:90\n",
			[]Item{at("5d0c1f3e", addr.TurnAt(4)), at("5d0c1f3e", lineRange(90))}, 0},
		{"bodies are passed over", "@5d0c1f3e:90  ◂ user\n    @5d0c1f3e:91 quoted\n\t{\"kind\":\"x\"}\n\n    more\n",
			[]Item{at("5d0c1f3e", lineRange(90))}, 0},
		{"ids", sid + "\n" + agent + "\n@5d0c1f3e\n",
			[]Item{at(sid, addr.Range{}), at(agent, addr.Range{}), at("5d0c1f3e", addr.Range{})}, 0},
		{"a saved answer", "scope  2 sessions in scope (1 top-level + 1 subagent)\ncopies  2 duplicates merged (1 record) · 1 copy unreadable\nmatches  1 exchange · 1 session · oldest first\n\n@5d0c1f3e:90  x\n\nmatched 1 exchange · 1 session · label=all\n",
			[]Item{at("5d0c1f3e", lineRange(90))}, 0},
		{"other lines at column 0", "@5d0c1f3e:90  x\nhello\n(+3 more)\n",
			[]Item{at("5d0c1f3e", lineRange(90))}, 2},
		{"several on a line", "@5d0c1f3e:7 @" + agent + "\t@5d0c:t4 \n@5d0c1f3e:9  @" + agent + "\n@5d0c1f3e:t4  2026\n@5d0c1f3e:8 @5d0c1f3e:9\n@5d0c1f3e:10 x\n", []Item{
			at("5d0c1f3e", lineRange(7)), at(agent, addr.Range{}), at("5d0c", addr.TurnAt(4)), at("5d0c1f3e", lineRange(9)), at(agent, addr.Range{}),
			at("5d0c1f3e", addr.TurnAt(4)), at("5d0c1f3e", lineRange(8)), at("5d0c1f3e", lineRange(9)), at("5d0c1f3e", lineRange(10))}, 0},
		{"several with paths", "@/a b/x.jsonl:7 @/c @d.jsonl @5d0c1f3e\n", []Item{
			at("/a b/x.jsonl", lineRange(7)), at("/c @d.jsonl", addr.Range{}), at("5d0c1f3e", addr.Range{})}, 0},
		{"an address and words", "@5d0c1f3e:7 @5d0c1f3e:9 of them\n@5d0c1f3e:8 5d0c1f3e:9\n@5d0c1f3e:3 \t\n",
			[]Item{at("5d0c1f3e", lineRange(7)), at("5d0c1f3e", lineRange(8)), at("5d0c1f3e", lineRange(3))}, 0},
		{"no end of line", "@5d0c1f3e:90", []Item{at("5d0c1f3e", lineRange(90))}, 0},
		{"no end of line behind several", "\n@5d0c1f3e:90 @5d0c1f3e:7", []Item{at("5d0c1f3e", lineRange(90)), at("5d0c1f3e", lineRange(7))}, 0},
		{"no end of line behind a record on no line", "@5d0c1f3e --uuid u9", []Item{{ID: "5d0c1f3e", UUID: "u9"}}, 0},
		{"no end of line behind whole ids", sid + "\n" + sid, []Item{at(sid, addr.Range{}), at(sid, addr.Range{})}, 0},
		{"no end of line behind blanks", "@5d0c1f3e:90\n@5d0c1f3e:7\n  ", []Item{at("5d0c1f3e", lineRange(90)), at("5d0c1f3e", lineRange(7))}, 0},
		{"no end of line behind an empty answer", "  " + NoExchanges, nil, 0},
		{"the end of a range", "@5d0c1f3e:t-3..", []Item{at("5d0c1f3e", mustRange("t-3.."))}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got.Form != TextForm || got.passed != tt.passed || (len(got.Notes) > 0) != (tt.passed > 0) {
				t.Errorf("form %d, passed %d, notes %q", got.Form, got.passed, got.Notes)
			}
			if diff := cmp.Diff(tt.want, got.Items, cmpItems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A text answer that was cut gives what came before the cut, and says so: the last address may have lost digits, a heading
// its hits.
func TestReadTornText(t *testing.T) {
	const hit, more = "@5d0c1f3e:90  ◂ user.message  why\n", "@5d0c1f3e:95  ▸ agent.message  so\n"
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"in an address", hit + "@5d0c1f3e:2", []string{"@5d0c1f3e:90"}},
		{"in an id", hit + "@5d0c", []string{"@5d0c1f3e:90"}},
		{"in a list", "@5d0c1f3e:90\n@5d0c1f3e:2", []string{"@5d0c1f3e:90"}},
		{"in several", "@5d0c1f3e:90 @5d0c1f3e:7\n@5d0c1f3e:9 @5d0c1f3e:2", []string{"@5d0c1f3e:90", "@5d0c1f3e:7"}},
		{"in a whole address", hit + "@" + sid, []string{"@5d0c1f3e:90"}},
		{"behind the address", hit + "@5d0c1f3e:95  ▸ ag", []string{"@5d0c1f3e:90"}},
		{"in a body", hit + more + "    some wo", []string{"@5d0c1f3e:90", "@5d0c1f3e:95"}},
		{"in the first row", "@5d0c1f3e:t4  2026-0", nil},
		{"in the first hit", hit + "@5d0c1f3e:t4  2026\n@5d0c1f3e:9", []string{"@5d0c1f3e:90"}},
		{"in the second hit", "@5d0c1f3e:t4  2026\n" + hit + more[:9], []string{"@5d0c1f3e:90"}},
		{"in a body below a heading", "@5d0c1f3e ·files  SESSION\n  /a  2 op", []string{"@5d0c1f3e"}},
		{"in other words", hit + "hel", []string{"@5d0c1f3e:90"}},
	} {
		for name, r := range readers(tt.in) {
			got, err := Read(r)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			var words []string
			for _, it := range got.Items {
				words = append(words, it.Token.String())
			}
			if diff := cmp.Diff(tt.want, words); diff != "" || !got.Torn || len(got.Notes) != 1 {
				t.Errorf("%s, %s: torn %v, notes %q %s", tt.name, name, got.Torn, got.Notes, diff)
			}
		}
	}
	// Wherever a list of addresses is cut: no address that was not there, and none lost but the last.
	all := "@5d0c1f3e:26\n@5d0c1f3e:7 @5d0c1f3e:118..140\n@5d0c1f3e:t4\n"
	is := map[string]bool{"@5d0c1f3e:26": true, "@5d0c1f3e:7": true, "@5d0c1f3e:118..140": true, "@5d0c1f3e:t4": true}
	for n := strings.Index(all, "\n") + 1; n < len(all); n++ {
		got, err := Read(strings.NewReader(all[:n]))
		if err != nil || got.Torn != (all[n-1] != '\n') || got.Rows != strings.Count(all[:n], "\n") {
			t.Errorf("%q: %+v, %v", all[:n], got, err)
		}
		for _, it := range got.Items {
			if !is[it.Token.String()] {
				t.Errorf("%q gives %s", all[:n], it.Token)
			}
		}
	}
}

func mustRange(s string) addr.Range {
	r, err := addr.ParseRange(s)
	if err != nil {
		panic(err)
	}
	return r
}

func TestReadRefuses(t *testing.T) {
	long := strings.Repeat("y", 500)
	tests := []struct {
		name, in, quoted string
	}{
		{"prose", "hello there\n@5d0c1f3e\n", "hello there"},
		{"a transcript", `{"type":"user","uuid":"u","sessionId":"` + sid + `","session_id":"` + sid + `"}` + "\n", `{"type":"user","uuid":"u","sessionId":"5d0c1f3e-0000-4000-8000-00000000a001","se…`},
		{"another program's kind", `{"kind":"Pod","metadata":{}}` + "\n", `{"kind":"Pod","metadata":{}}`},
		{"Claude Code's registry", `{"kind":"interactive","sessionId":"` + sid + `","pid":1}`, `{"kind":"interactive","sessionId":"5d0c1f3e-0000-4000-8000-00000000a001","pid":1…`},
		{"a header of nobody", `{"kind":"header"}`, `{"kind":"header"}`},
		{"an array", "[1]\n", "[1]"},
		{"broken JSON", "{\"kind\":\"header\",}\n", `{"kind":"header",}`},
		{"a lone brace", "{\n", "{"},
		{"a path", "/home/u/x.jsonl\n", "/home/u/x.jsonl"},
		{"a word of four hex digits", "dead\n", "dead"},
		{"an indented line", "  @5d0c1f3e\n", "  @5d0c1f3e"},
		{"a long line", long, long[:80] + "…"},
		{"words like a footer", "matched nothing useful at all\n", "matched nothing useful at all"},
		{"a footer of counts alone", "matched 3 exchanges\n", "matched 3 exchanges"},
		{"words like a banner", "scope  of work\n", "scope  of work"},
		{"a banner and words", "scope  2 sessions in scope (1 top-level + 1 subagent) today\n", "scope  2 sessions in scope (1 top-level + 1 subagent) today"},
		{"words like copies", "copies  3 of them\n", "copies  3 of them"},
		{"words like an empty answer", "no records here\n", "no records here"},
		{"an empty answer on a list", "- no records\n", "- no records"},
		{"an empty answer in a tab", "\tno records\n", "\tno records"},
		{"several ids without their @", "5d0c1f3e:7 5d0c1f3e:9\n", "5d0c1f3e:7 5d0c1f3e:9"},
		{"broken UTF-8", "\xff\xfe\n", "\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.in))
			var s *StrangeError
			if !errors.As(err, &s) {
				t.Fatalf("got %v, want a StrangeError", err)
			}
			if s.Line != tt.quoted {
				t.Errorf("quotes %q, want %q", s.Line, tt.quoted)
			}
		})
	}
	for _, in := range []string{"", "\n", " \n\t\r\n", "\xEF\xBB\xBF\n", "\x00\x00\n"} {
		if _, err := Read(strings.NewReader(in)); err != ErrEmpty {
			t.Errorf("%q: got %v, want ErrEmpty", in, err)
		}
	}
	broken := io.MultiReader(strings.NewReader("@5d0c1f3e\n"), iotest.ErrReader(errBroken))
	if _, err := Read(broken); err != errBroken {
		t.Errorf("got %v, want the error of the stream", err)
	}
	if _, err := Read(stuckReader{}); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

func TestReadLongLine(t *testing.T) {
	in := `{"kind":"record",` + trio(refA) + `,"line":7,"body":"` + strings.Repeat("x", 3<<20) + "\"}\n"
	src, err := Read(strings.NewReader(in + in))
	if err != nil || len(src.Items) != 2 || src.Bad > 0 {
		t.Fatalf("%v %+v", err, src.Items)
	}
}

func TestReadList(t *testing.T) {
	row := `{"kind":"record",` + trio(refA) + `,"line":7,"uuid":"u7"}` + "\n"
	tests := []struct {
		name, in string
		words    []string
	}{
		{"nothing", "", nil},
		{"blank", " \n\n", nil},
		{"ids a line", sid + "\n@" + agent + "\n", []string{"@" + sid, "@" + agent}},
		{"ids between blanks", "  " + sid + " @" + agent + "\t5d0c\r\n", []string{"@" + sid, "@" + agent, "@5d0c"}},
		{"rows", row, []string{"@" + agent}},
		{"a text answer", "@5d0c1f3e:t4  2026\n@5d0c1f3e:90  ◂ user.message  x\n    face\n", []string{"@5d0c1f3e", "@5d0c1f3e"}},
		{"several addresses on a line", "@5d0c1f3e:7 @" + agent + ":t4\n", []string{"@5d0c1f3e", "@" + agent}},
		{"no end of line", sid + "\n@5d0c1f3e", []string{"@" + sid, "@5d0c1f3e"}},
		{"an empty answer", `{"kind":"header","command":"list"}` + "\n" + `{"kind":"summary"}` + "\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, err := ReadList(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, it := range src.Items {
				words = append(words, it.Word())
			}
			if diff := cmp.Diff(tt.words, words); diff != "" {
				t.Error(diff)
			}
		})
	}
	for in, rows := range map[string]int{"@5d0c1f3e:90  ◂ user  x\n@5d0c": 1, "@5d0c1f3e:90  ◂ us": 0, "@5d0c1f3e:90  ◂ user  x\n    fa": 1} {
		if src, err := ReadList(strings.NewReader(in)); err != nil || !src.Torn || len(src.Items) != rows {
			t.Errorf("%q: %+v, %v", in, src, err)
		}
	}
	for _, in := range []string{sid + "\nnonsense\n", "xyz", sid + " zzz\n", "{}"} {
		var s *StrangeError
		if _, err := ReadList(strings.NewReader(in)); !errors.As(err, &s) {
			t.Errorf("%q: got %v, want a StrangeError", in, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "{", "{\n}\n", "@5d0c1f3e:t4 x\n@5d0c1f3e:90 y\n", `{"kind":"header","command":"x"}` + "\n{",
		`{"kind":"exchange",` + trio(refS) + `,"hits":[{}]}`, "scope  1\n", "matched 1 exchange · 1 session · label=all", "@5d0c1f3e:7 @5d0c\n@5d0c1f3e ", "\xEF\xBB\xBF{\"kind\":\"summary\"}\r\n\x00\x00",
		`{"hook_event_name":"Stop","transcript_path":"/x"}`, strings.Repeat("[", 100), `{"kind":"summary"}{"kind":"summary"}x`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, read := range []func(io.Reader) (Source, error){Read, ReadList} {
			src, err := read(bytes.NewReader(b))
			slow, err2 := read(iotest.OneByteReader(bytes.NewReader(b)))
			if (err == nil) != (err2 == nil) || len(src.Items) != len(slow.Items) || src.Bad != slow.Bad || src.Torn != slow.Torn {
				t.Fatalf("portions matter: %v %+v, %v %+v", err, src, err2, slow)
			}
			for _, it := range src.Items {
				if it.Token.Kind == 0 && it.SessionID == "" && it.Transcript == "" {
					t.Fatalf("an item that names nothing: %+v", it)
				}
			}
		}
	})
}

// BenchmarkRead reads exchange rows of one hit with an excerpt each.
func BenchmarkRead(b *testing.B) {
	row := `{"kind":"exchange",` + trio(refS) + `,"turn_index":4,"hits":[{` + trio(refS) + `,"line":90,"uuid":"u90","excerpt":"` + strings.Repeat("some words ", 40) + `"}]}` + "\n"
	in := []byte(strings.Repeat(row, 1000))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if src, err := Read(bytes.NewReader(in)); err != nil || len(src.Items) != 1000 {
			b.Fatal(err)
		}
	}
}

// What a text row says of its file is read back as it is, and stays on its line.
func TestFileText(t *testing.T) {
	for _, path := range []string{
		"/a/b.go", "/a/b  c d.go", "d", `C:\\w\a.go`, `"/quoted"`, `"`, "/new\nline", "/tab\t", " /blank", "/blank ", "", "/bidi\u202e.txt", "/esc\x1b[31m",
		"/a  ·file /b", "/a  ·file \u202e", "/ö→日本語🙂", "/nbsp\u00a0x", "/broken\xff", "/" + strings.Repeat("x", 5000),
	} {
		line := "@5d0c1f3e:118  2026  edit (typed x  ·file y)" + FileText(path)
		if strings.ContainsAny(line, "\n\r\x1b\u202e") {
			t.Errorf("%q stands in the text as it is: %q", path, line)
		}
		s, err := Read(strings.NewReader(line + "\n"))
		if err != nil || len(s.Items) != 1 || s.Items[0].Path != path {
			t.Errorf("%q is read back as %+v, %v", path, s.Items, err)
		}
	}
}
