// Package home knows where Claude Code keeps things: the configuration root, the
// project directories under it, the name a working directory gets there, and the
// files that lie beside a transcript.
//
// It is about paths only. It reads no transcript and lists no directory; the few
// functions that touch the file system (Realpath) say so.
//
// The invariant to know: a directory name is made from a path and never turned
// back into one. Encoding loses information ("/a/b", "/a-b" and "/a_b" share one
// name), so where several working directories may be meant, compare the cwd that
// the transcript recorded (SamePath).
package home

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
)

// ConfigDirEnv is the variable that moves the configuration root. Claude Code
// hands it down to the programs it starts.
const ConfigDirEnv = "CLAUDE_CONFIG_DIR"

// Root gives the configuration root: the value of --claude-home, else
// CLAUDE_CONFIG_DIR, else .claude in the user's home. An empty value counts as
// unset, a leading "~/" stands for the user's home. The result need not exist.
// It fails only when no source gives a directory.
func Root(flag string, getenv func(string) string) (string, error) {
	return rootFor(runtime.GOOS, flag, getenv)
}

func rootFor(goos, flag string, getenv func(string) string) (string, error) {
	for _, v := range []string{flag, getenv(ConfigDirEnv)} {
		if v != "" {
			return expandFor(goos, v, getenv), nil
		}
	}
	h := userDirFor(goos, getenv)
	if h == "" {
		return "", errors.New("no home directory: set " + userDirVar(goos) + " or " + ConfigDirEnv + ", or pass --claude-home DIR")
	}
	return filepath.Join(h, ".claude"), nil
}

// userDirVar names the variable that holds the user's home directory. On Windows only
// USERPROFILE counts: HOME is often set there by shells that Claude Code does not ask.
func userDirVar(goos string) string {
	if goos == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

func userDirFor(goos string, getenv func(string) string) string { return getenv(userDirVar(goos)) }

// Expand replaces a leading "~" or "~/" by the user's home directory; any other
// path comes back as it is ("~name" is not expanded).
func Expand(path string, getenv func(string) string) string {
	return expandFor(runtime.GOOS, path, getenv)
}

func expandFor(goos, path string, getenv func(string) string) string {
	if path != "~" && !strings.HasPrefix(path, "~/") && !(goos == "windows" && strings.HasPrefix(path, `~\`)) {
		return path
	}
	h := userDirFor(goos, getenv)
	if h == "" {
		return path
	}
	return filepath.Join(h, path[1:])
}

// Projects gives the directory that holds the project directories.
func Projects(root string) string { return filepath.Join(root, "projects") }

// SessionDir gives the directory beside a top-level transcript that carries its
// subagents, tool results and sidecars: the transcript's path less ".jsonl".
func SessionDir(transcript string) string { return strings.TrimSuffix(transcript, ".jsonl") }

// ToolResults gives the directory within a session's own, see SessionDir, of outputs
// that were too long for its transcript (2.1.332).
func ToolResults(sessionDir string) string { return filepath.Join(sessionDir, "tool-results") }

// ElicitationsName is the base name of the elicitation sidecar.
const ElicitationsName = "elicitations.jsonl"

// Elicitations gives the path of a top-level session's elicitation sidecar.
func Elicitations(transcript string) string {
	return filepath.Join(SessionDir(transcript), ElicitationsName)
}
