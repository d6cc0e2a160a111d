package lane

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const session = "5d0c1f3e-0000-4000-8000-00000000a001"

// write makes files below a directory and gives the directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func call(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"assistant","id":"m%s","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`+"\n", id, id, tool, input)
}

func result(id, text, more string) string {
	return fmt.Sprintf(`{"type":"user","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}%s}`+"\n", id, text, more)
}

func user(text string) string {
	return fmt.Sprintf(`{"type":"user","timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":%q}}`+"\n", text)
}

// TestTreeLinks links agents by what the client states, then by calls, results, names and prompts.
func TestTreeLinks(t *testing.T) {
	at := session + "/subagents/agent-"
	dir := write(t, map[string]string{
		session + ".jsonl": user("go") + call("c1", "Agent", `{"prompt":"one"}`) + call("c2", "Task", `{"prompt":"two"}`) +
			result("c2", "done", `,"toolUseResult":{"agentId":"a200"}`) + call("c3", "Agent", `{"prompt":"three","name":"Scout"}`) +
			`{"type":"user","message":{"role":"user","content":"\"name\":\"Agent\" \"tool_use\""}}` + "\n",
		at + "a100.jsonl":                        user("one") + call("c4", "Agent", `{"prompt":"four"}`) + call("c6", "Agent", `{"prompt":"six"}`) + result("c6", "x\nagentId: a600 (internal)", ""),
		at + "a100.meta.json":                    `{"toolUseId":"c1"}`,
		at + "a200.jsonl":                        user("two"),
		at + "aScout-00000000000000aa.jsonl":     user("other words"),
		at + "aScout-00000000000000aa.meta.json": `{"taskKind":"in_process_teammate","name":"Scout"}`,
		at + "a400.jsonl":                        user("four"),
		at + "a500.jsonl":                        user("five") + call("c1", "Agent", `{"prompt":"one"}`), // a copy of the session's call
		at + "a500.meta.json":                    `{"parentAgentId":"a400","spawnDepth":3}`,
		at + "a600.jsonl":                        user("6"),
		at + "a700.jsonl":                        user("nobody's"),
		at + "a700.meta.json":                    `{"parentAgentId":"gone","spawnDepth":2}`,
		at + "a800.jsonl":                        "",
		at + "a800.meta.json":                    `not json`,
	})
	files := agentsIn(t, dir)
	for _, want := range []Want{{}, {Spawns: true}, {Spawns: true, Ends: true}, {Slow: true, Ends: true}} {
		tree := ReadTree(context.Background(), filepath.Join(dir, session+".jsonl"), files, want)
		got := map[string]string{}
		for _, n := range tree.Nodes {
			spawn := ""
			if n.Spawn != nil {
				spawn = n.Spawn.ID
			}
			got[n.ID] = fmt.Sprintf("%s<%s %d %s", spawn, n.ParentAgent, n.Depth, n.Shape)
		}
		if diff := cmp.Diff(map[string]string{
			"a100": "c1< 0 builtin-task", "a200": "c2< 0 builtin-task", "aScout-00000000000000aa": "c3< 0 teammate",
			"a400": "c4<a100 1 builtin-task", "a500": "<a400 2 builtin-task", "a600": "c6<a100 1 builtin-task",
			"a700": "<gone 1 builtin-task", "a800": "< 0 builtin-task",
		}, got); diff != "" {
			t.Errorf("%+v: %s", want, diff)
		}
	}
}

// TestTreeCircle gives agents that name each other as parents an end.
func TestTreeCircle(t *testing.T) {
	at := session + "/subagents/agent-"
	dir := write(t, map[string]string{
		at + "a1.jsonl": user("1"), at + "a1.meta.json": `{"parentAgentId":"a2"}`,
		at + "a2.jsonl": user("2"), at + "a2.meta.json": `{"parentAgentId":"a1"}`,
		at + "a3.jsonl": user("3"), at + "a3.meta.json": `{"parentAgentId":"a3"}`,
	})
	tree := ReadTree(context.Background(), "", agentsIn(t, dir), Want{})
	if n := tree.Nodes[2]; n.ParentAgent != "" || n.Depth != 0 {
		t.Errorf("its own parent: %+v", n)
	}
	if got := tree.Below(0); !cmp.Equal(got, []bool{true, true, false}) {
		t.Error(got)
	}
	if n := tree.Nodes[0]; n.Depth > maxDepth+1 {
		t.Error(n.Depth)
	}
}

// TestBelow compares with looking at every node again until no more are found.
func TestBelow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 60; n++ {
		tree := Tree{Nodes: make([]Node, n)}
		for i := range tree.Nodes {
			tree.Nodes[i].ParentNode = rnd.IntN(n+1) - 1 // circles too
		}
		roots := []int{rnd.IntN(n), rnd.IntN(n)}
		want := make([]bool, n)
		want[roots[0]], want[roots[1]] = true, true
		for range n {
			for i := range tree.Nodes {
				if p := tree.Nodes[i].ParentNode; p >= 0 && want[p] {
					want[i] = true
				}
			}
		}
		if got := tree.Below(roots...); !cmp.Equal(got, want) {
			t.Fatalf("%v below %v: %v, want %v", tree.Nodes, roots, got, want)
		}
	}
}

// TestTreeReadsNoMore leaves transcripts unread where the client states who started whom.
func TestTreeReadsNoMore(t *testing.T) {
	at := session + "/subagents/agent-"
	dir := write(t, map[string]string{
		at + "a1.jsonl": call("c1", "Agent", `{}`), at + "a1.meta.json": `{"spawnDepth":1,"toolUseId":"c0"}`,
		at + "a2.jsonl": user("2"), at + "a2.meta.json": `{"parentAgentId":"a1","spawnDepth":2,"toolUseId":"c1"}`,
	})
	tree := ReadTree(context.Background(), filepath.Join(dir, "missing.jsonl"), agentsIn(t, dir), Want{})
	if len(tree.Failed) > 0 || len(tree.Spawns) > 0 {
		t.Errorf("it read transcripts: %v %v", tree.Failed, tree.Spawns)
	}
	tree = ReadTree(context.Background(), "", agentsIn(t, dir), Want{Spawns: true})
	if s := tree.Nodes[1].Spawn; s == nil || s.ID != "c1" || s.Issuer != "a1" {
		t.Errorf("%+v", s)
	}
}

// TestEnds tells what lanes stand at.
func TestEnds(t *testing.T) {
	text := func(s string) string {
		return fmt.Sprintf(`{"type":"assistant","timestamp":"2026-03-02T09:00:05.000Z","message":{"role":"assistant","id":"mt","content":[{"type":"text","text":%q}]}}`+"\n", s)
	}
	both := `{"type":"assistant","timestamp":"2026-03-02T09:00:05.000Z","message":{"role":"assistant","id":"mb","content":[{"type":"text","text":"both"},{"type":"tool_use","id":"b1","name":"Bash","input":{}}]}}` + "\n"
	meta := `{"type":"user","isMeta":true,"message":{"role":"user","content":"a note"}}` + "\n"
	split := strings.ReplaceAll(call("s1", "Bash", `{}`)+call("s2", "Read", `{}`), `"ms2"`, `"ms1"`)
	tests := []struct {
		name, in string
		pending  string
		settled  bool
		text     string
	}{
		{"nothing", "", "", false, ""},
		{"a prompt", user("go"), "", false, ""},
		{"text ends it", user("go") + text("done"), "", true, "done"},
		{"a note behind the text", user("go") + text("done") + meta, "", true, "done"},
		{"a call after text", user("go") + text("older") + call("c1", "Bash", `{}`), "c1", false, "older"},
		{"text and call in one record", user("go") + both, "b1", false, "both"},
		{"an answered call", user("go") + text("older") + call("c1", "Bash", `{}`) + result("c1", "x", ""), "", false, "older"},
		{"one of two calls", user("go") + split + result("s2", "x", ""), "s1", false, ""},
		{"both of two calls", user("go") + split + result("s1", "x", "") + result("s2", "x", ""), "", false, ""},
		{"an old call without a result", call("c0", "Bash", `{}`) + call("c1", "Bash", `{}`) + result("c1", "x", ""), "", false, ""},
		{"a new prompt", user("go") + call("c1", "Bash", `{}`) + user("stop"), "", false, ""},
		{"damage", "{\"type\":\n" + user("go") + text("done") + "{\"ty", "", true, "done"},
	}
	for _, tt := range tests {
		dir := write(t, map[string]string{"a.jsonl": tt.in})
		for _, slow := range []bool{false, true} {
			e, err := ReadEnds(context.Background(), filepath.Join(dir, "a.jsonl"), true, slow)
			if err != nil {
				t.Fatal(err)
			}
			pending := ""
			if e.Pending != nil {
				pending = e.Pending.ID
			}
			if pending != tt.pending || e.Settled != tt.settled || e.Text != tt.text {
				t.Errorf("%s: pending %q settled %v text %q", tt.name, pending, e.Settled, e.Text)
			}
			if want := strings.Count(tt.name, "damage") * 2; e.Skipped != want {
				t.Errorf("%s: skipped %d, want %d", tt.name, e.Skipped, want)
			}
		}
	}
}

// A result is of the call above it: one that stands above its call, in a file whose lines were moved, answers nothing.
func TestResultAboveItsCall(t *testing.T) {
	above := strings.TrimSuffix(result("c1", "above", ""), "\n")
	dir := write(t, map[string]string{
		"lines.jsonl": above + "\n" + call("c1", "Agent", `{}`),
		"line.jsonl":  above + call("c1", "Agent", `{}`),
		"both.jsonl":  above + call("c1", "Agent", `{}`) + result("c1", "below", ""),
		"same.jsonl":  strings.TrimSuffix(call("c1", "Agent", `{}`), "\n") + result("c1", "below", ""),
	})
	for name, want := range map[string]string{"lines.jsonl": "", "line.jsonl": "", "both.jsonl": "below", "same.jsonl": "below"} {
		for _, slow := range []bool{false, true} {
			l, err := ReadLaunches(context.Background(), filepath.Join(dir, name), "", Seek{Results: true, Slow: slow})
			if err != nil || len(l.Spawns) != 1 || l.Spawns[0].Text != want || l.Spawns[0].Answered != (want != "") {
				t.Errorf("%s slow %v: %+v %v, want %q", name, slow, l, err, want)
			}
		}
	}
}

// FuzzLaunches: the fast way finds what reading every line finds.
func FuzzLaunches(f *testing.F) {
	f.Add([]byte(user("go") + call("c1", "Agent", `{"prompt":"one"}`) + result("c1", "x\nagentId: a600 (internal)", "")))
	f.Add([]byte("\xEF\xBB\xBF" + call("c1", "Task", `{}`) + "\x00\r\n" + call("c1", "Task", `{}`) + call("c2", "Workflow", `{}`)))
	f.Add([]byte(strings.TrimSuffix(call("c1", "Agent", `{}`), "\n") + result("c1", "one line", "")))
	f.Add([]byte(result("c1", "above its call", "") + call("c1", "Agent", `{}`)))
	f.Add([]byte(strings.TrimSuffix(result("c1", "above its call", ""), "\n") + call("c1", "Agent", `{}`) + result("c1", "below it", "")))
	f.Fuzz(func(t *testing.T, b []byte) {
		if strings.Contains(string(b), `\u`) {
			t.Skip("a name that is spelled with escapes is seen by the slow way alone")
		}
		path := filepath.Join(t.TempDir(), "a.jsonl")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		fast, err := ReadLaunches(context.Background(), path, "", Seek{Results: true})
		if err != nil {
			t.Fatal(err)
		}
		slow, err := ReadLaunches(context.Background(), path, "", Seek{Results: true, Slow: true})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slow.Spawns, fast.Spawns, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Spawn{})); diff != "" {
			t.Error(diff)
		}
	})
}

func agentsIn(t *testing.T, dir string) []File {
	t.Helper()
	files, failed := SessionAgents(filepath.Join(dir, session))
	if failed != nil {
		t.Fatal(failed)
	}
	return files
}
