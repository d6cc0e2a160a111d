package lane

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Meta is what Claude Code wrote beside a subagent's transcript, in agent-<id>.meta.json. Builds up to 2.0.77 write
// none; which keys are there has changed often since, so each one may be missing.
type Meta struct {
	There            bool // the file is there and holds an object
	AgentType        string
	Description      string
	Name             string // of a named agent; of a teammate the half of its address before the @
	ToolUseID        string // of the call that spawned it; teammates have none
	ParentAgentID    string // the agent that spawned it, where that was no session (2.1.332)
	TaskKind         string
	TeamName         string
	SpawnedAgentType string // the type that a teammate was spawned with: its AgentType is its name
	SpawnDepth       int    // 1 for an agent of the session itself, 0 for a teammate, -1 when not stated (before 2.1.332)
	Finished         bool
	Fork             bool
	Err              error // why the file, which is there, could not be read
}

// teammateKind is the taskKind of a teammate (2.1.258 to 2.1.332).
const teammateKind = "in_process_teammate"

// Teammate reports whether the meta is that of a teammate.
func (m *Meta) Teammate() bool { return m.TaskKind == teammateKind }

// Routing gives the address that SendMessage knows a teammate by, Name@Team; "" unless both halves are known.
func (m *Meta) Routing() string {
	if !m.Teammate() || m.Name == "" || m.TeamName == "" {
		return ""
	}
	return m.Name + "@" + m.TeamName
}

// maxMeta is how much of a meta file is read; they have a few hundred bytes.
const maxMeta = 4 << 20

// readBeside gives the first limit bytes of a small file that lies beside transcripts. A pipe or a device is refused: to
// open one could wait for ever.
func readBeside(path string, limit int64) ([]byte, error) {
	f, err := jsonl.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.NewSectionReader(f, 0, min(limit, f.Size())))
}

// barred gives the error of a file or directory that is there and could not be read, nil where err is that of one that is
// missing, or of a pipe or device in its place.
func barred(path string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	if info, e := os.Stat(path); e == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil
	}
	return FileError{path, err}
}

// ReadMeta reads what lies beside the transcript at path. A file that is missing or broken gives a Meta that is not
// There; only one that could not be read has an Err.
func ReadMeta(path string) Meta {
	m := Meta{SpawnDepth: -1}
	path = strings.TrimSuffix(path, ext) + ".meta.json"
	b, err := readBeside(path, maxMeta)
	if err != nil {
		m.Err = barred(path, err)
		return m
	}
	raw := record.Raw(b)
	if !raw.IsObject() {
		return m
	}
	m.There = true
	raw.Each(func(key string, val record.Raw) {
		switch key {
		case "agentType":
			m.AgentType = val.Str().String()
		case "description":
			m.Description = val.Str().String()
		case "name":
			m.Name = val.Str().String()
		case "toolUseId":
			m.ToolUseID = val.Str().String()
		case "parentAgentId":
			m.ParentAgentID = val.Str().String()
		case "taskKind":
			m.TaskKind = val.Str().String()
		case "teamName":
			m.TeamName = val.Str().String()
		case "spawnedAgentType":
			m.SpawnedAgentType = val.Str().String()
		case "spawnDepth":
			if n, err := strconv.Atoi(string(val)); err == nil && n >= 0 {
				m.SpawnDepth = n
			}
		case "finished":
			m.Finished = val.True()
		case "isFork":
			m.Fork = val.True()
		}
	})
	return m
}
