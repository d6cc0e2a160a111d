package list

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/cli"
)

const (
	idA   = "5d0c1f3e-0000-4000-8000-00000000a001"
	idB   = "77aa01bc-0000-4000-8000-00000000b002"
	agent = "a1b2c3d4e5f607189"
)

// line makes a record of a type at a second of 09:00 UTC, with more keys.
func line(typ string, second int, more string) string {
	s := fmt.Sprintf(`{"type":%q,"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-03-02T09:00:%02d.000Z","cwd":"/home/u/demo","version":"2.1.258","gitBranch":"main","sessionId":%q`,
		typ, second, second, idA)
	if more != "" {
		s += "," + more
	}
	return s + "}\n"
}

func user(second int, text string) string {
	return line("user", second, fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func says(second int, text string) string {
	return line("assistant", second, fmt.Sprintf(`"message":{"role":"assistant","id":"m","content":[{"type":"text","text":%q}]}`, text))
}

func call(second int, id, name, input string) string {
	return line("assistant", second, fmt.Sprintf(`"message":{"role":"assistant","id":"m","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`, id, name, input))
}

func result(second int, id, text, more string) string {
	return line("user", second, fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":%q%s}]}`, id, text, more))
}

// homeOf makes a claude home with files under projects/.
func homeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		name = filepath.Join(root, "projects", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// csift runs csift-list with standard streams that are files. An argument NAME=VALUE in
// capitals goes into its environment.
func csift(t *testing.T, home string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	env := map[string]string{"CLAUDE_CONFIG_DIR": home, "HOME": home}
	for len(args) > 0 && strings.HasPrefix(args[0], "CSIFT_") {
		k, v, _ := strings.Cut(args[0], "=")
		env[k], args = v, args[1:]
	}
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	sys := cli.OS()
	sys.Stdin, sys.Stdout, sys.Stderr = nil, open("out"), open("err")
	sys.Getenv = func(k string) string { return env[k] }
	sys.Getwd = func() (string, error) { return home, nil }
	sys.Now = func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }
	code = cli.Main(Family, append([]string{"csift-list"}, args...), sys)
	sys.Stdout.Close()
	sys.Stderr.Close()
	out, _ := os.ReadFile(filepath.Join(dir, "out"))
	errs, _ := os.ReadFile(filepath.Join(dir, "err"))
	return string(out), string(errs), code
}

// rows gives the session rows of a JSON answer, and its header and summary.
func rows(t *testing.T, home string, args ...string) (sessions []map[string]any, header, summary map[string]any) {
	t.Helper()
	out, stderr, code := csift(t, home, append(args, "--format", "json")...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for i, l := range lines {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatal(err)
		}
		switch {
		case i == 0:
			header = v
		case i == len(lines)-1:
			summary = v
		default:
			sessions = append(sessions, v)
		}
	}
	if header["kind"] != "header" || summary["kind"] != "summary" {
		t.Fatalf("no envelope: %s", out)
	}
	return sessions, header, summary
}

// one is the row of a home with one session.
func one(t *testing.T, content string, args ...string) map[string]any {
	t.Helper()
	s, _, _ := rows(t, homeOf(t, map[string]string{"-home-u-demo/" + idA + ".jsonl": content}), args...)
	if len(s) != 1 {
		t.Fatalf("%d rows", len(s))
	}
	return s[0]
}

// words gives the excerpt of a message of a row, "-" for null.
func words(row map[string]any, key string) string {
	m, ok := row[key].(map[string]any)
	if !ok {
		return "-"
	}
	return m["excerpt"].(string)
}

func TestFirstAndLastWords(t *testing.T) {
	long := strings.Repeat("x", 30<<10)
	bulk := ""
	for i := range 40 {
		bulk += call(20, fmt.Sprint("t", i), "Read", `{"file_path":"/x"}`) + result(21, fmt.Sprint("t", i), long, "")
	}
	answers := `"toolUseResult":{"questions":[{"question":"Which?","header":"H","options":[{"label":"A"},{"label":"B"}]}],"answers":{"Which?":"A"}}`
	for name, tc := range map[string]struct {
		content, first, last, agent string
	}{
		"plain":                      {user(1, "fix the  parser\n now") + says(2, "Done.") + user(3, "also a test") + says(4, "All green."), "fix the parser now", "also a test", "All green."},
		"nothing":                    {line("mode", 1, ""), "-", "-", "-"},
		"empty file":                 {"", "-", "-", "-"},
		"no line end":                {user(1, "a") + strings.TrimSuffix(says(2, "b"), "\n"), "a", "a", "b"},
		"far apart":                  {user(1, "first") + bulk + says(2, "mid") + bulk + user(3, "last") + bulk + says(4, "end"), "first", "last", "end"},
		"words only at start":        {user(1, "first") + says(2, "only") + bulk, "first", "first", "only"},
		"first words late":           {strings.Repeat(line("file-history-snapshot", 1, `"snapshot":{"x":"`+long+`"}`), 4) + user(1, "late") + says(2, "b"), "late", "late", "b"},
		"slash with args":            {user(1, "<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args>pr 51</command-args>") + says(2, "b"), "/review pr 51", "/review pr 51", "b"},
		"slash alone is the harness": {user(1, "<command-name>/clear</command-name>") + user(2, "hi"), "hi", "hi", "-"},
		"a pulse is not the person":  {user(1, "hi") + user(2, "<task-notification><task-id>b1</task-id><summary>Background command x completed</summary></task-notification>"), "hi", "hi", "-"},
		"meta is not the person":     {line("user", 1, `"isMeta":true,"message":{"role":"user","content":"Caveat"}`) + user(2, "hi"), "hi", "hi", "-"},
		"answer": {user(1, "ask") + call(2, "q", "AskUserQuestion", `{}`) + line("user", 3, `"message":{"role":"user","content":[{"tool_use_id":"q","type":"tool_result","content":"Your questions have been answered: x"}]},`+answers),
			"ask", "[AskUserQuestion · 1 question] Q1 (H): Which? - A - B A1: A", "-"},
		"answer by its sentence alone": {user(1, "ask") + result(3, "q", `User has answered your questions: "Which?"="A".`, ""),
			"ask", `[AskUserQuestion] User has answered your questions: "Which?"="A".`, "-"},
		"typed answer by its sentence": {user(1, "ask") + result(3, "q", `The user answered: "Which?"="C".`, ""),
			"ask", `[AskUserQuestion] The user answered: "Which?"="C".`, "-"},
		"rejection with the plan it points at": {user(1, "plan") + call(2, "p", "ExitPlanMode", `{"plan":"x","planFilePath":"/p/x.md"}`) +
			result(3, "p", "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nsmaller steps", `,"is_error":true`) + says(4, "ok"),
			"plan", "smaller steps [plan: /p/x.md]", "ok"},
		"bare rejection": {user(1, "do") + result(3, "p", "The user doesn't want to proceed with this tool use.", `,"is_error":true`), "do", "do", "-"},
		"inline lane of 1.0.x": {user(1, "main") + line("user", 2, `"isSidechain":true,"message":{"role":"user","content":"brief"}`) +
			line("assistant", 3, `"isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"report"}]}`), "main", "main", "-"},
		"queued while working":    {user(1, "main") + line("attachment", 2, `"attachment":{"type":"queued_command","prompt":"and this","origin":{"kind":"human"}}`), "main", "and this", "-"},
		"type behind the message": {`{"message":{"role":"user","content":"odd order"},"timestamp":"2026-03-02T09:00:01.000Z","type":"user"}` + "\n" + bulk + says(4, "x"), "odd order", "odd order", "x"},
		"long words are cut":      {user(1, strings.Repeat("a", 250)), strings.Repeat("a", 200) + "… (+50 chars)", strings.Repeat("a", 200) + "… (+50 chars)", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			row := one(t, tc.content)
			got := []string{words(row, "first_user"), words(row, "last_user"), words(row, "last_agent")}
			if diff := cmp.Diff([]string{tc.first, tc.last, tc.agent}, got); diff != "" {
				t.Error(diff)
			}
			if row["skipped_lines"] != 0.0 {
				t.Errorf("skipped %v", row["skipped_lines"])
			}
		})
	}
}

func TestDamageIsCountedOnce(t *testing.T) {
	bulk := strings.Repeat(call(2, "t", "Read", `{}`)+result(3, "t", strings.Repeat("x", 4<<10), ""), 20)
	torn := strings.TrimSuffix(says(9, "cut"), "\"}]}}\n")
	for name, tc := range map[string]struct {
		content string
		want    float64
	}{
		"none":                          {user(1, "a") + says(2, "b"), 0},
		"garbage, short file":           {user(1, "a") + "garbage\n\n" + says(2, "b"), 1},
		"torn last line":                {user(1, "a") + bulk + user(4, "b") + says(5, "c") + torn, 1},
		"garbage in the middle, unread": {user(1, "a") + bulk + "garbage\n" + bulk + user(4, "b") + bulk + says(5, "c"), 0},
		"half and a whole one":          {user(1, "a") + torn + says(2, "b"), 1},
		"two whole ones":                {strings.TrimSuffix(user(1, "a"), "\n") + says(2, "b"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := one(t, tc.content)["skipped_lines"]; got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	custom := line("custom-title", 1, `"customTitle":"mine"`)
	ai := line("ai-title", 1, `"aiTitle":"made up"`)
	bulk := strings.Repeat(user(2, "q")+says(3, strings.Repeat("x", 4<<10)), 10)
	for name, tc := range map[string]struct {
		content, title, source, whole string
	}{
		"custom over ai":     {user(1, "p") + custom + ai, "mine", "custom-title", "mine"},
		"the last of a kind": {ai + user(1, "p") + line("ai-title", 1, `"aiTitle":"newer"`), "newer", "ai-title", "newer"},
		"at the far end":     {custom + user(1, "p") + bulk, "mine", "custom-title", "mine"},
		"tail before head":   {custom + user(1, "p") + bulk + line("custom-title", 1, `"customTitle":"renamed"`), "renamed", "custom-title", "renamed"},
		"in the middle":      {user(1, "p") + bulk + custom + bulk, "p", "first-prompt", "mine"},
		"summary":            {line("summary", 1, `"summary":"old  one"`) + user(1, "p"), "old one", "summary", "old one"},
		"taken away again":   {user(1, "p") + custom + line("custom-title", 1, `"customTitle":""`), "p", "first-prompt", "p"},
	} {
		t.Run(name, func(t *testing.T) {
			row := one(t, tc.content)
			if row["title"] != tc.title || row["title_source"] != tc.source || row["title_scope"] != "windows" {
				t.Errorf("%v by %v in %v", row["title"], row["title_source"], row["title_scope"])
			}
			row = one(t, tc.content, "--lineage")
			if row["title"] != tc.whole || row["title_scope"] != "file" {
				t.Errorf("whole file: %v in %v", row["title"], row["title_scope"])
			}
		})
	}
	if row := one(t, line("mode", 1, "")); row["title"] != nil || row["title_source"] != nil {
		t.Errorf("a session without words is called %v", row["title"])
	}
}

func TestFacts(t *testing.T) {
	row := one(t, user(1, "a")+says(2, "b")+
		`{"type":"user","cwd":"/home/u/other","version":"2.1.332","gitBranch":"topic","entrypoint":"cli","sessionKind":"bg","timestamp":"2026-03-02T09:00:09Z","message":{"role":"user","content":"c"}}`+"\n"+
		`{"type":"continued-in","continuedInSessionId":"`+idB+`"}`)
	want := map[string]any{
		"cwd": "/home/u/demo", "version": "2.1.332", "git_branch": "topic", "entrypoint": "cli",
		"version_first": "2.1.258", "version_last": "2.1.332", "git_branch_first": "main", "git_branch_last": "topic",
		"continued_in": idB, "session_kind": []any{"bg"}, "session_kind_span": nil, "minted_elsewhere": nil,
		"is_clone": false, "clone_of": nil, "cleared_from": nil, "cleared_from_candidates": []any{}, "minted_by": nil,
		"sidecar_present": false, "pending_elicitations": []any{}, "also_at": []any{}, "duplicate_relation": nil,
		"session_id": idA, "parent_session_id": idA, "is_subagent": false, "parent_missing": false,
	}
	got := map[string]any{}
	for k := range want {
		got[k] = row[k]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if row["transcript"] == nil || row["transcript"] != row["path"] {
		t.Errorf("%v %v", row["transcript"], row["path"])
	}
}

func TestLineage(t *testing.T) {
	other := strings.ReplaceAll(user(3, "theirs"), idA, idB)
	row := one(t, user(1, "mine")+other+other+line("user", 4, `"sessionKind":"bg","session_id":"`+idB+`"`), "--lineage")
	want := []any{map[string]any{"session_id": idB, "records": 3.0}}
	if diff := cmp.Diff(want, row["minted_elsewhere"]); diff != "" {
		t.Error(diff)
	}
	span := []any{map[string]any{"kind": "bg", "first_line": 4.0, "last_line": 4.0, "records": 1.0}}
	if diff := cmp.Diff(span, row["session_kind_span"]); diff != "" {
		t.Error(diff)
	}
}

func TestSubagents(t *testing.T) {
	side := "-home-u-demo/" + idA + "/subagents/agent-"
	sidechain := func(s string) string { return strings.Replace(s, `"uuid"`, `"isSidechain":true,"uuid"`, 1) }
	home := homeOf(t, map[string]string{
		"-home-u-demo/" + idA + ".jsonl":                                   user(1, "go") + says(2, "gone"),
		side + agent + ".jsonl":                                            sidechain(user(3, "list the files")) + sidechain(says(4, "two files")),
		side + "aScout-bdd061dedd8f0f64.jsonl":                             sidechain(user(3, `<teammate-message teammate_id="lead">scout ahead</teammate-message>`)) + sidechain(user(4, "typed here")),
		"-home-u-demo/" + idB + "/subagents/agent-c19ccccccccccccc1.jsonl": sidechain(user(3, "orphan")),
	})
	s, header, summary := rows(t, home)
	var got []string
	for _, r := range s {
		got = append(got, fmt.Sprint(r["session_id"], " ", r["title"], " ", words(r, "first_user"), " ", words(r, "last_user"), " ", words(r, "last_agent"), " ", r["parent_missing"]))
	}
	want := []string{
		idA + " go go go gone false",
		agent + " list the files - - two files false",
		"aScout-bdd061dedd8f0f64 typed here typed here typed here - false",
		"c19ccccccccccccc1 orphan - - - true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if header["sessions_in_scope"] != 4.0 || header["subagent_sessions"] != 3.0 || summary["orphan_groups"] != 1.0 {
		t.Errorf("%v %v", header, summary)
	}
	if s, _, _ = rows(t, home, "--no-subagents"); len(s) != 1 {
		t.Errorf("%d rows without subagents", len(s))
	}
	if _, _, code := csift(t, home, "--subagents", "--no-subagents"); code != 2 {
		t.Errorf("exit %d", code)
	}
	out, _, _ := csift(t, home)
	for _, w := range []string{
		"scope  4 sessions in scope (1 top-level + 3 subagent)\n",
		"\n@a1b2c3d4 SUBAGENT " + agent + "  ·  parent SESSION " + idA + "\n  prompt   list the files\n",
		"parent SESSION " + idB + " (its transcript is missing)\n",
	} {
		if !strings.Contains(out, w) {
			t.Errorf("no %q in\n%s", w, out)
		}
	}
}

func TestSidecar(t *testing.T) {
	mark := func(phase, kind, key string, second int) string {
		return fmt.Sprintf(`{"csift":"elicitation-marker-v1","csiftPhase":%q,"csiftKind":%q,"csiftKey":%q,"timestamp":"2026-03-02T09:01:%02d.000Z"}`+"\n", phase, kind, key, second)
	}
	home := homeOf(t, map[string]string{
		"-p/" + idA + ".jsonl": user(1, "a") + call(2, "toolu_native", "AskUserQuestion", "{}") + says(3, "b"),
		"-p/" + idA + "/elicitations.jsonl": mark("pending", "AskUserQuestion", "toolu_open", 9) + mark("pending", "AskUserQuestion", "toolu_native", 1) +
			mark("pending", "ExitPlanMode", "toolu_done", 2) + mark("resolved", "ExitPlanMode", "toolu_done", 3) +
			mark("pending", "mcp-elicitation", "srv", 4) + "torn{\n" + `{"other":1}` + "\n" + mark("odd", "x", "y", 5),
	})
	s, _, _ := rows(t, home)
	var keys []string
	for _, e := range s[0]["pending_elicitations"].([]any) {
		keys = append(keys, fmt.Sprint(e.(map[string]any)["kind"], " ", e.(map[string]any)["key"]))
	}
	if diff := cmp.Diff([]string{"mcp-elicitation srv", "AskUserQuestion toolu_open"}, keys); diff != "" {
		t.Error(diff)
	}
	if s[0]["sidecar_present"] != true || s[0]["with_elicitation_sidecar"] != true || s[0]["skipped_lines"] != 2.0 {
		t.Errorf("%v %v %v", s[0]["sidecar_present"], s[0]["with_elicitation_sidecar"], s[0]["skipped_lines"])
	}
	if out, _, _ := csift(t, home); !strings.Contains(out, "with elicitation sidecar") {
		t.Error(out)
	}
}
