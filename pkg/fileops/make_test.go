package fileops

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// obj is a JSON object of a test.
type obj map[string]any

// story writes a transcript line by line. Each record hangs below the one before.
type story struct {
	t     *testing.T
	lines []string
	last  string // uuid
	n     int
	clock int // seconds
	cwd   string
	used  string // the record of the last call
}

func newStory(t *testing.T) *story { return &story{t: t, cwd: "/w"} }

func (s *story) raw(line string) int {
	s.lines = append(s.lines, line)
	return len(s.lines)
}

func (s *story) add(o obj) int {
	s.n++
	s.clock++
	rec := obj{
		"uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", s.n), "parentUuid": nil, "sessionId": "5d0c1f3e-0000-4000-8000-000000000001",
		"timestamp": fmt.Sprintf("2026-03-02T10:%02d:%02d.000Z", s.clock/60, s.clock%60), "cwd": s.cwd, "version": "2.1.332", "isSidechain": false,
	}
	if s.last != "" {
		rec["parentUuid"] = s.last
	}
	for k, v := range o {
		rec[k] = v
	}
	s.last = rec["uuid"].(string)
	b, err := json.Marshal(rec)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.raw(string(b))
}

func (s *story) says(text string) int {
	return s.add(obj{"type": "user", "message": obj{"role": "user", "content": text}})
}

func (s *story) call(id, tool string, input obj) int {
	line := s.add(obj{"type": "assistant", "message": obj{"role": "assistant", "id": "m" + id, "content": []any{obj{"type": "tool_use", "id": id, "name": tool, "input": input}}}})
	s.used = s.last
	return line
}

// result answers a call. res is toolUseResult, nil for none.
func (s *story) result(id, text string, res any) int { return s.answer(id, text, false, res) }

func (s *story) fails(id, text string) int { return s.answer(id, text, true, "Error: "+text) }

func (s *story) answer(id, text string, failed bool, res any) int {
	block := obj{"type": "tool_result", "tool_use_id": id, "content": text}
	if failed {
		block["is_error"] = true
	}
	o := obj{"type": "user", "message": obj{"role": "user", "content": []any{block}}}
	if res != nil {
		o["toolUseResult"] = res
	}
	return s.add(o)
}

// bash runs a command that says nothing.
func (s *story) bash(id, command string) (call, result int) {
	call = s.call(id, "Bash", obj{"command": command})
	return call, s.result(id, "", quiet())
}

func quiet() obj { return obj{"stdout": "", "stderr": "", "interrupted": false, "isImage": false} }

func (s *story) read(id, path, text string, from, n, total int) int {
	s.call(id, "Read", obj{"file_path": path})
	return s.result(id, "1\t...", readResult(path, text, from, n, total))
}

func readResult(path, text string, from, n, total int) obj {
	return obj{"type": "text", "file": obj{"filePath": path, "content": text, "numLines": n, "startLine": from, "totalLines": total}}
}

func (s *story) write(id, path, text, kind string) (call, result int) {
	call = s.call(id, "Write", obj{"file_path": path, "content": text})
	return call, s.result(id, "File written", obj{"type": kind, "filePath": path, "content": text, "structuredPatch": []any{}})
}

func (s *story) edit(id, path, old, now string) (call, result int) {
	call = s.call(id, "Edit", obj{"file_path": path, "old_string": old, "new_string": now})
	return call, s.result(id, "updated", obj{"filePath": path, "oldString": old, "newString": now, "originalFile": nil, "structuredPatch": []any{}, "replaceAll": false})
}

// tracked writes a file-history snapshot of one file.
func (s *story) tracked(path string, version int, backup any) int {
	s.n++
	return s.raw(fmt.Sprintf(`{"type":"file-history-snapshot","messageId":"m%d","snapshot":{"messageId":"m%d","trackedFileBackups":{%q:{"backupFileName":%s,"version":%d,"backupTime":"2026-03-02T10:00:%02d.000Z"}},"timestamp":"2026-03-02T10:00:00.000Z"},"isSnapshotUpdate":false}`,
		s.n, s.n, path, asJSON(backup), version, s.clock%60))
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

const storyID = "5d0c1f3e-0000-4000-8000-000000000001"

// source saves the transcript in a home of its own.
func (s *story) source() Source {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "projects", "-w")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	path := filepath.Join(dir, storyID+".jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(s.lines, "\n")+"\n"), 0o644); err != nil {
		s.t.Fatal(err)
	}
	return Source{Path: path, ID: storyID}
}

// survey gives what the transcript did, the same whether it is read fast or slowly.
func (s *story) survey() *Changes {
	s.t.Helper()
	var got [2]*Changes
	src := s.source()
	for i, slow := range []bool{false, true} {
		c, errs := Survey(s.t.Context(), []Source{src}, Options{Slow: slow, Crossings: -1})
		if errs[0] != nil {
			s.t.Fatal(errs[0])
		}
		got[i] = c[0]
	}
	if fast, slow := asJSON(got[0]), asJSON(got[1]); fast != slow {
		s.t.Fatalf("fast %s\nslow %s", fast, slow)
	}
	return got[0]
}

// events gives what the transcript says about files, the same whether it is read fast or slowly.
func (s *story) events(targets ...string) *Recall {
	s.t.Helper()
	var list []Target
	for _, t := range targets {
		list = append(list, NewTarget(t))
	}
	var got [2]*Recall
	src := s.source()
	for i, slow := range []bool{false, true} {
		c, errs := Events(s.t.Context(), []Source{src}, list, Options{Slow: slow, Crossings: -1})
		if errs[0] != nil {
			s.t.Fatal(errs[0])
		}
		got[i] = c[0]
	}
	if fast, slow := asJSON(got[0]), asJSON(got[1]); fast != slow {
		s.t.Fatalf("fast %s\nslow %s", fast, slow)
	}
	return got[0]
}
