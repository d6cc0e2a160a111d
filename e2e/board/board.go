// Package board checks that csift tells the truth about folders of transcripts:
// each check compares what the built binaries say with a fact that can be
// computed from the files without them. It is used by the programs in scripts/
// over whatever folders they are given, and by tests over testdata. It prints
// nothing: a check answers with a Report.
package board

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Tools runs the binaries of one directory.
type Tools struct {
	Dir string
	// Env is added to the environment of every run.
	Env []string
}

// Build compiles the commands of the module in the current directory into a
// temporary directory; remove puts it away.
func Build() (t Tools, remove func(), err error) {
	dir, err := os.MkdirTemp("", "csift-board")
	if err != nil {
		return t, nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	cmd := exec.Command("go", "build", "-o", dir+string(os.PathSeparator), "csift/cmd/...")
	if out, err := cmd.CombinedOutput(); err != nil {
		remove()
		return t, nil, fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(out))
	}
	return Tools{Dir: dir}, remove, nil
}

// A Result is how one run went. Code is -1 for a run that was given up.
type Result struct {
	Out, Err []byte
	Code     int
}

// String says how the run went in a few words.
func (r Result) String() string {
	return fmt.Sprintf("exit %d %.100s", r.Code, bytes.TrimSpace(r.Err))
}

// Limit is after how long a run is given up.
const Limit = 60 * time.Second

// Run runs a tool with home as its Claude home and nothing on stdin.
func (t Tools) Run(home, tool string, args ...string) Result {
	return t.pipe(home, nil, filepath.Join(t.Dir, tool), args...)
}

// Shell runs a shell command line in which the tools are on PATH.
func (t Tools) Shell(home, line string) Result {
	return t.pipe(home, nil, "/bin/sh", "-c", line)
}

func (t Tools) pipe(home string, stdin []byte, path string, args ...string) Result {
	ctx, cancel := context.WithTimeout(context.Background(), Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "CLAUDE") || strings.HasPrefix(kv, "CODEX") || strings.HasPrefix(kv, "CSIFT")
	}), "CLAUDE_CONFIG_DIR="+home, "PATH="+t.Dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, t.Env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	err := cmd.Run()
	r := Result{Out: out.Bytes(), Err: errs.Bytes()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.Code = -1
		r.Err = append(r.Err, "given up"...)
	case errors.As(err, &exit):
		r.Code = exit.ExitCode()
	case err != nil:
		r.Code = -1
		r.Err = []byte(err.Error())
	}
	return r
}

// A Report is what a check found.
type Report struct {
	Name  string
	Good  int
	Bad   []string // one line a failure
	Notes []string // what a reader may want to know beside the count
}

func (r *Report) check(ok bool, format string, a ...any) {
	if ok {
		r.Good++
	} else {
		r.Bad = append(r.Bad, fmt.Sprintf(format, a...))
	}
}

func (r *Report) note(format string, a ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, a...))
}

// OK reports whether there was something to check and nothing fell short.
func (r *Report) OK() bool { return len(r.Bad) == 0 && r.Good > 0 }

// Summary is one line.
func (r *Report) Summary() string {
	state := "ok"
	if !r.OK() {
		state = "SHORT"
	}
	return fmt.Sprintf("%-5s %s  %d of %d", state, r.Name, r.Good, r.Good+len(r.Bad))
}

// Homes lists the Claude homes at or below the directories: folders that hold
// a folder projects.
func Homes(dirs ...string) ([]string, error) {
	var all []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "projects" {
				abs, err := filepath.Abs(filepath.Dir(path))
				if err != nil {
					return err
				}
				all = append(all, abs)
				return fs.SkipDir
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no Claude home below %s", strings.Join(dirs, ", "))
	}
	return all, nil
}

// Transcripts lists the transcripts of a home, sorted, with subagents' if wanted.
func Transcripts(home string, subagents bool) ([]string, error) {
	var all []string
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() || !strings.HasSuffix(name, ".jsonl"), name == "journal.jsonl", name == "elicitations.jsonl":
		case !subagents && (strings.HasPrefix(name, "agent-") || strings.Contains(path, "/subagents/")):
		default:
			all = append(all, path)
		}
		return nil
	})
	return all, err
}

// A line is one parseable line of a transcript.
type line struct {
	n   int
	raw []byte
	rec record
}

// record is what the checks read of a line; a field of another type stays zero.
type record struct {
	Type         string          `json:"type"`
	UUID         string          `json:"uuid"`
	IsMeta       bool            `json:"isMeta"`
	TurnOrigin   string          `json:"turnOrigin"`
	TurnPosition json.RawMessage `json:"turnPosition"`
	ToolResult   json.RawMessage `json:"toolUseResult"`
	Message      struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// block is one block of a message's content.
type block struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Thinking string          `json:"thinking"`
	Input    json.RawMessage `json:"input"`
	Content  json.RawMessage `json:"content"`
	IsError  bool            `json:"is_error"`
}

// readLines gives the lines that hold one JSON object and no more.
func readLines(path string) ([]line, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []line
	for i, raw := range bytes.Split(b, []byte("\n")) {
		l := line{n: i + 1, raw: raw}
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			continue
		}
		_ = json.Unmarshal(raw, &l.rec) // wrong types stay zero
		all = append(all, l)
	}
	return all, nil
}

// blocks gives the content as blocks; a string is one text block.
func blocks(content json.RawMessage) []block {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []block{{Type: "text", Text: s}}
	}
	var raws []json.RawMessage
	if json.Unmarshal(content, &raws) != nil {
		return nil
	}
	var all []block
	for _, raw := range raws {
		var b block
		_ = json.Unmarshal(raw, &b)
		all = append(all, b)
	}
	return all
}

// A row is one row of an answer.
type row struct {
	Kind           string         `json:"kind"`
	SessionID      string         `json:"session_id"`
	Transcript     string         `json:"transcript"`
	Line           int            `json:"line"`
	UUID           string         `json:"uuid"`
	TurnIndex      *int           `json:"turn_index"`
	Label          *string        `json:"label"`
	Unmodeled      string         `json:"unmodeled"`
	Turns          int            `json:"turns"`
	LineTypes      map[string]int `json:"line_types"`
	MatchedRecords int            `json:"matched_records"`
	Hits           []row          `json:"hits"`
	ForRoot        struct {
		Line *int `json:"line"`
		Hops *int `json:"hops"`
	} `json:"for_root"`
}

// rows decodes an answer.
func rows(out []byte) ([]row, error) {
	var all []row
	for l := range bytes.Lines(out) {
		var r row
		if err := json.Unmarshal(l, &r); err != nil {
			return nil, fmt.Errorf("not a row: %.80q: %w", l, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// short cuts a path to its last elements.
func short(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return strings.Join(parts[max(0, len(parts)-6):], "/")
}

// eachTranscript calls fn with the lines of every transcript of the homes, subagents' ones included where sub says so.
func eachTranscript(homes []string, sub bool, fn func(home, file string, lines []line)) error {
	for _, home := range homes {
		files, err := Transcripts(home, sub)
		if err != nil {
			return err
		}
		for _, file := range files {
			lines, err := readLines(file)
			if err != nil {
				return err
			}
			fn(home, file, lines)
		}
	}
	return nil
}
