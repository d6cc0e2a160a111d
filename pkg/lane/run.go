package lane

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Run is one run of a workflow in a session: its manifest <session>/workflows/wf_<run>.json, written when it ends, and
// its journal beside the transcripts of its agents (2.1.332).
type Run struct {
	ID                    string
	TaskID, Name, Model   string
	Status                string // of the journal, else of the manifest, as it stands: an open set
	Agents, Tokens, Calls *int
	Duration              *int // milliseconds
	Started               time.Time
	Results               map[string]record.Raw // by agent: what each gave back
	Manifest              bool
}

// ReadRuns reads the runs of a session directory, by id: those with a manifest, and those that agents' transcripts
// belong to.
func ReadRuns(ctx context.Context, sessionDir string, ids []string, slow bool) []Run {
	entries, _ := os.ReadDir(filepath.Join(sessionDir, "workflows"))
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && strings.HasPrefix(id, "wf_") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	var runs []Run
	for _, id := range slices.Compact(ids) {
		r := Run{ID: id, Results: map[string]record.Raw{}}
		r.manifest(filepath.Join(sessionDir, "workflows", id+".json"))
		r.journal(ctx, filepath.Join(sessionDir, subagents, "workflows", id, "journal.jsonl"), slow)
		runs = append(runs, r)
	}
	return runs
}

// maxManifest is how much of a manifest is read; it holds the script and what its agents gave back.
const maxManifest = 64 << 20

func (r *Run) manifest(path string) {
	b, err := readBeside(path, maxManifest)
	if err != nil {
		return
	}
	raw := record.Raw(bytes.TrimSpace(b))
	r.Manifest = raw.IsObject()
	number := func(v record.Raw) *int {
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			n := int(f)
			return &n
		}
		return nil
	}
	raw.Each(func(key string, v record.Raw) {
		switch key {
		case "taskId":
			r.TaskID = v.Str().String()
		case "workflowName":
			r.Name = v.Str().String()
		case "status":
			r.Status = v.Str().String()
		case "defaultModel":
			r.Model = v.Str().String()
		case "agentCount":
			r.Agents = number(v)
		case "durationMs":
			r.Duration = number(v)
		case "totalTokens":
			r.Tokens = number(v)
		case "totalToolCalls":
			r.Calls = number(v)
		case "startTime":
			if n := number(v); n != nil {
				r.Started = time.UnixMilli(int64(*n))
			}
		}
	})
}

// journal takes the results of agents; the last line with a status says how the run stands.
func (r *Run) journal(ctx context.Context, path string, slow bool) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Head(ctx, func(off int64, line []byte) bool {
		raw := record.Raw(jsonl.Trim(line, off == 0))
		if !raw.IsObject() {
			return true
		}
		if s := raw.Get("status").Str(); len(s) > 0 {
			r.Status = s.String()
		}
		if agent := raw.Get("agentId").Str().String(); agent != "" && raw.Get("type").Str().Is("result") {
			if v := raw.Get("result"); v != nil {
				r.Results[agent] = slices.Clone(v)
			} else {
				r.Results[agent] = record.Raw("null")
			}
		}
		return true
	})
}

// Returned gives what an agent of the run gave back: its text, or the JSON it is; ok is false when the journal has no
// result of it.
func (r *Run) Returned(agent string) (text string, ok bool) {
	v, ok := r.Results[agent]
	if s := v.Str(); s != nil {
		return s.String(), ok
	}
	return string(v), ok
}

// FirstVersion gives the Claude Code version that the first records of a transcript state, "" when they state none.
func FirstVersion(ctx context.Context, path string, slow bool) string {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	version, lines := "", 0
	_, _ = f.Head(ctx, func(off int64, line []byte) bool {
		lines++
		version = record.Raw(jsonl.Trim(line, off == 0)).Get("version").Str().String()
		return version == "" && lines < headLines
	})
	return version
}

// SessionAgents lists the subagents' transcripts in a session's own directory.
func SessionAgents(sessionDir string) []File {
	g := Group{ID: filepath.Base(sessionDir)}
	g.walk(filepath.Join(sessionDir, subagents), 0, nil)
	return g.Agents
}
