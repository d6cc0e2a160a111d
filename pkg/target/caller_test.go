package target

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const marker = "FunnyRustyLantern4827"

// shell is a call of a shell as it stands in a transcript.
func shell(tool, command string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":%q,"input":{"command":%q}}]}}`+"\n", tool, command)
}

func impatient(t *testing.T) {
	every, long := trapEvery, trapFor
	trapEvery, trapFor = 20*time.Millisecond, 300*time.Millisecond
	t.Cleanup(func() { trapEvery, trapFor = every, long })
}

// TestTrap finds the calling lane by a marker in a shell's command.
func TestTrap(t *testing.T) {
	impatient(t)
	call := "csift search x @trap:" + marker
	dir := "-home-dev-app/" + idA
	tests := []struct {
		name    string
		files   map[string]string
		env     string
		want    []string
		wantErr string
	}{
		{"a subagent", map[string]string{dir + "/subagents/agent-" + agent + ".jsonl": shell("Bash", call)}, idA, []string{dir + "/subagents/agent-" + agent + ".jsonl"}, ""},
		{"PowerShell", map[string]string{dir + "/subagents/agent-" + agent + ".jsonl": shell("PowerShell", call)}, idA, []string{dir + "/subagents/agent-" + agent + ".jsonl"}, ""},
		{"a subagent although the session has it too", map[string]string{dir + ".jsonl": shell("Bash", call), dir + "/subagents/agent-" + agent + ".jsonl": shell("Bash", call)},
			idA, []string{dir + "/subagents/agent-" + agent + ".jsonl"}, ""},
		{"the session itself", map[string]string{dir + ".jsonl": at("/home/dev/app", idA) + shell("Bash", call)}, idA, []string{dir + ".jsonl", dir + "/subagents/agent-" + mate + ".jsonl"}, ""},
		{"without the word csift", map[string]string{dir + ".jsonl": shell("Bash", "echo "+marker)}, idA, nil, "the main thread is @main"},
		{"in another tool", map[string]string{dir + ".jsonl": shell("Write", call)}, idA, nil, "literally"},
		{"in a text", map[string]string{dir + ".jsonl": at("/home/dev/app", idA, call)}, idA, nil, "once more, with the same marker"},
		{"two subagents", map[string]string{dir + "/subagents/agent-" + agent + ".jsonl": shell("Bash", call), dir + "/subagents/agent-b1b2c3d4e5f607189.jsonl": shell("Bash", call)},
			idA, nil, "in 2 lanes"},
		{"no session in the environment", map[string]string{dir + "/subagents/agent-" + agent + ".jsonl": shell("Bash", call)}, "", []string{dir + "/subagents/agent-" + agent + ".jsonl"}, ""},
		{"of another session", map[string]string{"-home-dev-app/" + idB + ".jsonl": shell("Bash", call)}, idA, nil, "of session " + idA},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{dir + ".jsonl": at("/home/dev/app", idA), dir + "/subagents/agent-" + mate + ".jsonl": at("/home/dev/app", idA)}
			for name, text := range tt.files {
				files[name] = text
			}
			root := homeOf(t, files)
			set, err := ask(root, false, func(r *Request) {
				r.Getenv = func(name string) string {
					if name == "CLAUDE_CODE_SESSION_ID" {
						return tt.env
					}
					return ""
				}
			}, "@trap:"+marker)
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
					t.Fatalf("error %v, want %q", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, names(root, set)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTrapIgnoresOldFiles leaves transcripts out that did not change lately, where the environment names no session.
func TestTrapIgnoresOldFiles(t *testing.T) {
	impatient(t)
	root := homeOf(t, map[string]string{"-home-dev-app/" + idA + ".jsonl": shell("Bash", "csift "+marker)})
	path := filepath.Join(root, "projects", "-home-dev-app", idA+".jsonl")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(root, false, nil, "@trap:"+marker); err == nil || !strings.Contains(err.Error(), "0 transcripts that changed") {
		t.Error(err)
	}
}

// TestTrapWaits finds a record that is written, in parts, while it is looked for, in a file that was not there.
func TestTrapWaits(t *testing.T) {
	impatient(t)
	trapFor = 20 * time.Second
	root := homeOf(t, map[string]string{"-home-dev-app/" + idA + ".jsonl": at("/home/dev/app", idA)})
	dir := filepath.Join(root, "projects", "-home-dev-app", idA, "subagents")
	line := shell("Bash", "csift whoami @trap:"+marker)
	go func() {
		for _, part := range []string{"", at("/home/dev/app", idA), line[:90], line[90:]} {
			time.Sleep(60 * time.Millisecond)
			os.MkdirAll(dir, 0o755)
			f, err := os.OpenFile(filepath.Join(dir, "agent-"+agent+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
			if err == nil {
				f.WriteString(part)
				f.Close()
			}
		}
	}()
	set, err := ask(root, false, func(r *Request) { r.Getenv = func(string) string { return idA } }, "@trap:"+marker)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Transcripts) != 1 || set.Transcripts[0].ID != agent {
		t.Error(names(root, set))
	}
}

// TestTeammate finds a teammate by the address that SendMessage takes.
func TestTeammate(t *testing.T) {
	dir := "-home-dev-app/" + idA
	meta := `{"taskKind":"in_process_teammate","name":"Scout","teamName":"crew"}`
	files := map[string]string{
		dir + ".jsonl": at("/home/dev/app", idA),
		dir + "/subagents/agent-" + mate + ".jsonl": at("/home/dev/app", idA), dir + "/subagents/agent-" + mate + ".meta.json": meta,
		dir + "/subagents/agent-" + agent + ".jsonl":     at("/home/dev/app", idA),
		dir + "/subagents/agent-" + agent + ".meta.json": `{"parentAgentId":"` + mate + `","spawnDepth":1,"name":"Scout","teamName":"crew"}`,
	}
	root := homeOf(t, files)
	set, err := ask(root, false, nil, "@Scout@crew")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{dir + "/subagents/agent-" + agent + ".jsonl", dir + "/subagents/agent-" + mate + ".jsonl"}, names(root, set)); diff != "" {
		t.Error(diff)
	}
	if set, err = ask(root, false, func(r *Request) { r.Subagents = false }, "@Scout@crew"); err != nil || len(set.Transcripts) != 1 {
		t.Error(set, err)
	}
	for _, word := range []string{"@scout@crew", "@Scout@Crew"} {
		if _, err := ask(root, false, nil, word); err == nil {
			t.Error(word + " found something")
		}
	}
	second := dir + "/subagents/agent-aScout-00000000000000ff"
	files[second+".jsonl"], files[second+".meta.json"] = at("/home/dev/app", idA), meta
	if _, err := ask(homeOf(t, files), false, nil, "@Scout@crew"); err == nil || !strings.Contains(err.Error(), "address of 2 teammates") {
		t.Error(err)
	}
}
