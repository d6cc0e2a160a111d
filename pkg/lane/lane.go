// Package lane tells which files of a project directory are transcripts, which of
// them are subagents', what their ids are and which session they belong to.
//
// It lists directories (List), reads what a layout forces it to (Origin), and on
// demand the topology of a session's subagents: meta files, the calls that started
// them, the two ends of each transcript (ReadTree). It labels no record, does not
// know targets, and leaves copies of one transcript as they are.
//
// The invariant: what Claude Code keeps beside transcripts (journal.jsonl,
// *.meta.json, elicitations.jsonl, csift-channel) is never listed as one.
package lane

import (
	"path/filepath"
	"strings"

	"csift/pkg/home"
)

const (
	ext         = ".jsonl"
	agentPrefix = "agent-"
	subagents   = "subagents"
	channelDir  = "csift-channel"
)

// File is one transcript as the listing of its directory shows it.
type File struct {
	Path     string
	ID       string // the file's stem, less "agent-" for a subagent
	Subagent bool
	// Parent is the id of the session it belongs to, its own for a session. It is ""
	// for a Flat file until its Origin is read.
	Parent string
	// Flat marks a subagent's file that lies beside the sessions, as Claude Code up
	// to 2.0.77 wrote it.
	Flat bool
	// Alone says that no directory of its own lies beside a session's file: no
	// subagents, no sidecars. List alone tells.
	Alone bool
}

// Of classifies a path by its shape alone: nothing is read. A file whose name
// starts with "agent-" is a subagent's; its parent is the name above "subagents",
// and where there is none the file is Flat.
func Of(path string) File {
	stem := strings.TrimSuffix(filepath.Base(path), ext)
	f := File{Path: path, ID: stem, Parent: stem}
	parent := ownerDir(path)
	if id, ok := strings.CutPrefix(stem, agentPrefix); ok && id != "" {
		f.ID, f.Subagent, f.Parent, f.Flat = id, true, parent, parent == ""
	} else if parent != "" && !IsSessionID(stem) {
		f.Subagent, f.Parent = true, parent
	}
	return f
}

// ownerDir gives the session id above the last "subagents" component of a path, ""
// when the path has none below a session's directory.
func ownerDir(path string) string {
	for dir := filepath.Dir(path); ; {
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		if filepath.Base(dir) == subagents && IsSessionID(filepath.Base(up)) {
			return filepath.Base(up)
		}
		dir = up
	}
}

// Excluded gives the reason why a path that ends in .jsonl is not a transcript,
// "" when nothing speaks against it.
func Excluded(path string) string {
	switch filepath.Base(path) {
	case home.ElicitationsName:
		return "it is the elicitation sidecar of a session"
	case "journal.jsonl":
		return "it is the journal of a workflow run"
	}
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == channelDir {
			return "it belongs to the message channel"
		}
	}
	return ""
}

// IsSessionID reports whether s is a uuid, the stem of a top-level transcript.
func IsSessionID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		}
	}
	return true
}

// agentID gives the id in the name of a subagent's transcript, "" for other names.
func agentID(name string) string {
	if !strings.HasPrefix(name, agentPrefix) || !strings.HasSuffix(name, ext) || len(name) <= len(agentPrefix)+len(ext) {
		return ""
	}
	return name[len(agentPrefix) : len(name)-len(ext)]
}
