package board

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, raw string) line {
	t.Helper()
	l := line{n: 1, raw: []byte(raw)}
	if err := json.Unmarshal(l.raw, &l.rec); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestWordsOf(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"type":"user","message":{"role":"user","content":"to <tag a=x>find the longest</tag> word"}}`:                                {"longest", "find", "word", "the"},
		`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","input":{"a":"some\nthing","n":3}}]}}`:        {"thing", "some"},
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"inner part"}]}]}}`: {"inner", "part"},
		`{"type":"api-request-blob","message":{"role":"user","content":"repeats a prompt"}}`:                                           nil,
		`{"type":"user","message":{"role":"user","content":[{"type":"image","source":{}}]}}`:                                           nil,
	} {
		if diff := cmp.Diff(want, wordsOf(parse(t, raw).rec)); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}

func TestTurnKinds(t *testing.T) {
	user := func(content string) string {
		return `{"type":"user","message":{"role":"user","content":` + content + `}}`
	}
	for raw, want := range map[string]string{
		user(`"<bash-input>ls</bash-input>"`): "a typed shell command: the client counts its output",
		user(`"<task-notification> x"`):       "a task notification without a position",
		`{"type":"user","toolUseResult":{"answers":{"q":"a"}},"message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}`: "an answer to AskUserQuestion",
		`{"type":"assistant","message":{"role":"assistant","content":"x"}}`:                                                                "",
	} {
		if got := csiftOnly(parse(t, raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	if got := clientOnly(parse(t, user(`"an ordinary prompt"`))); got != "" {
		t.Errorf("an ordinary prompt is accounted for as %q", got)
	}
}

func TestClientTurns(t *testing.T) {
	var lines []line
	for i, raw := range []string{
		`{"turnPosition":{"promptIndex":0,"turnIndex":1}}`,
		`{"type":"assistant"}`,
		`{"turnPosition":{"promptIndex":0,"turnIndex":1}}`,
		`{"turnPosition":{"promptIndex":1,"turnIndex":2}}`,
		`{"turnPosition":{"promptIndex":1,"turnIndex":1}}`,
		`{"turnPosition":"x"}`,
	} {
		l := parse(t, raw)
		l.n = i + 1
		lines = append(lines, l)
	}
	if diff := cmp.Diff(map[int]bool{1: true, 4: true, 5: true}, clientTurns(lines)); diff != "" {
		t.Error(diff)
	}
}
