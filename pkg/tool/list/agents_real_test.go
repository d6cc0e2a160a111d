package list

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAgentsOfRealSessions holds agents against what real builds left on disk: every
// subagent's file is a row of its own, under the parent that the client states, with what
// the parent received; and every id that is printed is a target.
func TestAgentsOfRealSessions(t *testing.T) {
	versions, err := filepath.Abs("../../../testdata/versions")
	if err != nil {
		t.Fatal(err)
	}
	homes, err := filepath.Glob(filepath.Join(versions, "*", "*"))
	if err != nil || len(homes) == 0 {
		t.Fatal("no transcripts", err)
	}
	all := 0
	for _, home := range homes {
		files, results := subagentsOf(t, home)
		rows, _, _ := rows(t, home, "agents", "@all", "--returned-message")
		var got []string
		for _, r := range rows {
			if r["kind"] != "agent" {
				continue
			}
			all++
			path := r["path"].(string)
			got = append(got, path)
			for _, key := range []string{"agent_id", "parent_agent_id", "routing_id", "parent_session_id"} {
				id, ok := r[key].(string)
				if !ok {
					continue
				}
				if _, stderr, code := csift(t, home, "list", "@"+id); code != 0 {
					t.Errorf("%s: @%s: %s", home, id, stderr)
				}
			}
			checkMeta(t, path, r)
			spawn, _ := r["spawn_tool_use_id"].(string)
			if r["returned_message_source"] == fromResult && r["returned_message"] != results[spawn] {
				t.Errorf("%s: returned %q, the parent received %q", path, r["returned_message"], results[spawn])
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(files, got); diff != "" {
			t.Errorf("%s: files and rows: %s", home, diff)
		}
	}
	if all == 0 {
		t.Error("no subagents at all")
	}
}

// subagentsOf gives the subagents' files of a home, and the results of all calls by id.
func subagentsOf(t *testing.T, home string) (files []string, results map[string]string) {
	results = map[string]string{}
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" || d.Name() == "journal.jsonl" {
			return err
		}
		if strings.HasPrefix(d.Name(), "agent-") {
			files = append(files, path)
		}
		b, err := os.ReadFile(path)
		for l := range strings.Lines(string(b)) {
			var rec struct {
				Message struct{ Content []blockOfResult }
			}
			if json.Unmarshal([]byte(l), &rec) != nil {
				continue
			}
			for _, c := range rec.Message.Content {
				if _, twice := results[c.ID]; c.Type == "tool_result" && !twice {
					results[c.ID] = c.text()
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files, results
}

type blockOfResult struct {
	Type    string
	ID      string `json:"tool_use_id"`
	Content json.RawMessage
}

func (r blockOfResult) text() string {
	var s string
	if json.Unmarshal(r.Content, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	json.Unmarshal(r.Content, &parts)
	var out []string
	for _, p := range parts {
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n")
}

// checkMeta compares a row with the meta file beside the transcript, where there is one.
func checkMeta(t *testing.T, path string, r map[string]any) {
	b, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".meta.json")
	if err != nil {
		return
	}
	var meta struct {
		ParentAgentID, ToolUseID string
		SpawnDepth               *int
	}
	if err := json.Unmarshal(b, &meta); err != nil {
		t.Fatal(path, err)
	}
	parent, _ := r["parent_agent_id"].(string)
	if parent != meta.ParentAgentID {
		t.Errorf("%s: parent %q, stated is %q", path, parent, meta.ParentAgentID)
	}
	if meta.ToolUseID != "" && r["spawn_tool_use_id"] != meta.ToolUseID {
		t.Errorf("%s: spawned by %v, stated is %q", path, r["spawn_tool_use_id"], meta.ToolUseID)
	}
	if meta.SpawnDepth != nil && *meta.SpawnDepth > 0 && r["depth"] != float64(*meta.SpawnDepth-1) {
		t.Errorf("%s: depth %v, stated is %d", path, r["depth"], *meta.SpawnDepth)
	}
}
