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
// belong to. failed are the FileErrors of what is there and could not be read.
func ReadRuns(ctx context.Context, sessionDir string, ids []string, slow bool) (runs []Run, failed []error) {
	note := func(path string, err error) {
		if err = barred(path, err); err != nil {
			failed = append(failed, err)
		}
	}
	manifests := filepath.Join(sessionDir, "workflows")
	entries, err := os.ReadDir(manifests)
	note(manifests, err)
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), ".json"); ok && strings.HasPrefix(id, "wf_") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		r := Run{ID: id, Results: map[string]record.Raw{}}
		manifest, journal := filepath.Join(manifests, id+".json"), filepath.Join(sessionDir, subagents, "workflows", id, "journal.jsonl")
		note(manifest, r.manifest(manifest))
		note(journal, r.journal(ctx, journal, slow))
		runs = append(runs, r)
	}
	return runs, failed
}

// maxManifest is how much of a manifest is read; it holds the script and what its agents gave back.
const maxManifest = 64 << 20

func (r *Run) manifest(path string) error {
	b, err := readBeside(path, maxManifest)
	if err != nil {
		return err
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
	return nil
}

// journal takes the results of agents; the last line with a status says how the run stands.
func (r *Run) journal(ctx context.Context, path string, slow bool) error {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Head(ctx, func(off int64, line []byte) bool {
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
	return err
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
func FirstVersion(ctx context.Context, path string, slow bool) (string, error) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return "", FileError{path, err}
	}
	defer f.Close()
	version, lines := "", 0
	_, err = f.Head(ctx, func(off int64, line []byte) bool {
		lines++
		version = record.Raw(jsonl.Trim(line, off == 0)).Get("version").Str().String()
		return version == "" && lines < headLines
	})
	if err != nil {
		return version, FileError{path, err}
	}
	return version, nil
}

// SessionAgents lists the subagents' transcripts in a session's own directory, and the directories below it that could
// not be read.
func SessionAgents(sessionDir string) ([]File, []FileError) {
	g := Group{ID: filepath.Base(sessionDir)}
	failed := g.walk(filepath.Join(sessionDir, subagents), 0, nil)
	return g.Agents, failed
}
