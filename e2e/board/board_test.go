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

func TestFollowed(t *testing.T) {
	var lines []line
	call := func(id, name, input string) {
		lines = append(lines, parse(t, `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"`+id+`","name":"`+name+`","input":`+input+`}]}}`))
	}
	result := func(id, rest, result string) {
		lines = append(lines, parse(t, `{"type":"user","toolUseResult":`+result+`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`"`+rest+`}]}}`))
	}
	call("1", "Write", `{"file_path":"/w/a","content":"one two two"}`)
	result("1", "", `{}`)
	call("2", "Edit", `{"file_path":"/w/a","old_string":"two","new_string":"2"}`)
	result("2", "", `{}`)
	call("3", "Edit", `{"file_path":"/w/a","old_string":"one","new_string":"1"}`)
	result("3", `,"is_error":true`, `"Error"`)
	call("4", "Read", `{"file_path":"/w/b"}`)
	result("4", "", `{"type":"text","file":{"filePath":"/w/b","content":"x\n","startLine":1,"numLines":2,"totalLines":2}}`)
	call("5", "Read", `{"file_path":"/w/c"}`)
	result("5", "", `{"type":"text","file":{"filePath":"/w/c","content":"x","startLine":1,"numLines":1,"totalLines":2}}`)
	call("6", "Write", `{"file_path":"/w/d","content":"d"}`)
	result("6", "", `{}`)
	call("7", "Bash", `{"command":"rm d"}`)
	result("7", "", `{"stdout":""}`)
	if diff := cmp.Diff(map[string]string{"/w/a": "one 2 two", "/w/b": "x\n"}, followed(lines)); diff != "" {
		t.Error(diff)
	}
}
