package list

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fact is a line with the facts given, which stand on no other line of these tests.
func fact(typ string, second int, message, facts string) string {
	if message != "" {
		message = `,"message":` + message
	}
	return fmt.Sprintf(`{"type":%q,"uuid":"u%d","timestamp":"2026-03-02T09:00:%02d.000Z"%s%s}`+"\n", typ, second, second, message, facts)
}

const (
	toolCall   = `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}`
	toolResult = `{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"ok"}]}`
	spoke      = `{"role":"assistant","content":[{"type":"text","text":"ok"}]}`
	asked      = `{"role":"user","content":"go"}`
)

// What a session was and is stands on any record of its ends, also on those that hold no words.
func TestFactsOfRecordsWithoutWords(t *testing.T) {
	far := strings.Repeat(fact("assistant", 9, toolCall, `,"version":"2","gitBranch":"topic"`)+fact("user", 9, strings.Replace(toolResult, "ok", strings.Repeat("x", 4<<10), 1), `,"version":"2","gitBranch":"topic"`), 8)
	for name, tc := range map[string]struct {
		content string
		want    string // keys and values of the row
	}{
		"the last record has no branch": {
			fact("user", 1, asked, `,"version":"2","gitBranch":"main"`) + fact("assistant", 2, spoke, `,"version":"2","gitBranch":"main"`) +
				fact("assistant", 3, toolCall, `,"version":"2","gitBranch":"topic"`) + fact("api-request", 4, "", `,"version":"3"`),
			"git_branch=topic git_branch_last=topic git_branch_first=main version=3",
		},
		"the last record has no branch, and is long": {
			fact("user", 1, asked, `,"version":"2","gitBranch":"main"`) + fact("assistant", 2, spoke, `,"version":"2","gitBranch":"main"`) + far +
				fact("api-request-blob", 4, "", `,"version":"3","body":"`+strings.Repeat("x", 10<<10)+`"`),
			"git_branch=topic version=3",
		},
		"the branch comes later": {
			fact("user", 1, asked, `,"version":"2","cwd":"/w","gitBranch":""`) + fact("user", 2, toolResult, `,"version":"2","gitBranch":"main"`) +
				fact("assistant", 3, spoke, `,"version":"2","gitBranch":"topic"`),
			"git_branch_first=main git_branch_last=topic",
		},
		"entrypoint between": {
			fact("user", 1, asked, `,"version":"2","cwd":"/w"`) + fact("assistant", 2, toolCall, `,"entrypoint":"cli"`) + fact("assistant", 3, spoke, `,"version":"2"`),
			"entrypoint=cli",
		},
		"kinds between": {
			fact("user", 1, asked, `,"version":"2","cwd":"/w"`) + fact("assistant", 2, toolCall, `,"sessionKind":"bg"`) +
				fact("user", 3, toolResult, `,"sessionKind":"daemon"`) + fact("assistant", 4, spoke, `,"version":"2"`),
			"session_kind=[bg daemon]",
		},
	} {
		row := one(t, tc.content)
		for want := range strings.SplitSeq(strings.ReplaceAll(tc.want, "bg daemon", "bg+daemon"), " ") {
			key, v, _ := strings.Cut(want, "=")
			if got := strings.ReplaceAll(fmt.Sprint(row[key]), " ", "+"); got != v {
				t.Errorf("%s: %s is %s, want %s", name, key, got, v)
			}
		}
	}
}

// A text is the agent's words whatever else its record says.
func TestWordsOfTheAgent(t *testing.T) {
	bulk := strings.Repeat(written(5, `"`+strings.Repeat("x", 4<<10)+`"`, ""), 8)
	for name, message := range map[string]string{
		"a string and a call as reason": `{"role":"assistant","content":"words","stop_reason":"tool_use"}`,
		"blocks":                        `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"words"}]}`,
		"a text before a call":          `{"role":"assistant","content":[{"type":"text","text":"words"},{"type":"tool_use","id":"t","name":"Bash","input":{}}]}`,
		"blanks between":                `{"role" : "assistant" , "content" : [ {"type" : "text" , "text" : "words"} ]}`,
	} {
		row := one(t, user(1, "go")+says(2, "before")+line("assistant", 3, `"message":`+message)+bulk)
		if got := words(row, "last_agent"); got != "words" {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, text := range map[string]string{"the word of a block": "tool_use", "of another": "thinking"} {
		row := one(t, user(1, "go")+line("assistant", 3, fmt.Sprintf(`"message":{"role":"assistant","content":%q}`, text))+bulk)
		if got := words(row, "last_agent"); got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A refusal is found behind any number of errors, and none where there is none.
func TestRefusalAmongErrors(t *testing.T) {
	bulk := strings.Repeat(written(5, `"`+strings.Repeat("x", 4<<10)+`"`, ""), 8)
	errors := strings.Repeat(`{"is_error":true},`, 50)
	said := `"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nno","is_error":true`
	more := `,"toolUseResult":{"runs":[` + errors + `{}]}`
	for want, content := range map[string]string{
		"go": written(3, `"failed","is_error":true`, more),
		"no": written(3, said, more),
	} {
		if got := words(one(t, user(1, "go")+says(2, "ok")+content+bulk+says(6, "end")), "last_user"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What the person says to a subagent is found wherever it stands.
func TestPersonAmidASubagent(t *testing.T) {
	bulk := strings.Repeat(written(5, `"`+strings.Repeat("x", 4<<10)+`"`, ""), 8)
	s, _, _ := rows(t, homeOf(t, map[string]string{
		"-p/" + idA + ".jsonl":                          user(1, "go"),
		"-p/" + idA + "/subagents/agent-a0123456.jsonl": user(1, "seed") + bulk + user(2, "typed here") + bulk + user(3, "and here") + bulk + says(4, "final"),
	}))
	if got := []string{words(s[1], "first_user"), words(s[1], "last_user"), words(s[1], "last_agent")}; !slices.Equal(got, []string{"typed here", "and here", "final"}) {
		t.Errorf("%q", got)
	}
}

// Paths of rows hold wherever the next tool runs.
func TestRelativeHome(t *testing.T) {
	home := homeOf(t, map[string]string{"h/projects/-p/" + idA + ".jsonl": user(1, "go")})
	home = filepath.Join(home, "projects") // where homeOf puts files
	s, _, _ := rows(t, home, "--claude-home", "h")
	if len(s) != 1 || s[0]["path"] != filepath.Join(home, "h", "projects", "-p", idA+".jsonl") {
		t.Errorf("%v", s)
	}
}
