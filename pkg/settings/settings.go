// Package settings reads what the settings files of Claude Code say: the user's, a project's, and those that an
// organisation manages.
//
// It is the read side only and knows a few keys. What never reaches a file (--settings, the trust dialog, a device
// policy) it cannot see, and it does not pretend to.
//
// The invariant: no file can hide another. A file that is missing says nothing; one that is broken, huge or no regular
// file says why in its Source and the rest counts; a key of the wrong type costs that key alone.
package settings

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"csift/pkg/home"

	"github.com/segmentio/encoding/json"
)

// The scopes, strongest first. Of policy-remote and the managed files only the first that is there counts.
const (
	ScopePolicyRemote  = "policy-remote"    // <root>/remote-settings.json, what a server sent
	ScopePolicyManaged = "policy-managed"   // managed-settings.json of the machine
	ScopePolicyDropIn  = "policy-managed.d" // managed-settings.d/*.json, the last name is the strongest
	ScopeLocal         = "local"            // .claude/settings.local.json of the project
	ScopeProject       = "project"          // .claude/settings.json of the project
	ScopeUser          = "user"             // <root>/settings.json
)

// maxSize is how large a settings file may be. Real ones have a few kilobytes.
const maxSize = 4 << 20

// A Source is one file that was looked for.
type Source struct {
	Scope string // one of the scopes above
	Path  string
	Read  bool   // it is there and holds an object
	Note  string // why it does not count, or which of its keys does not; "" for a file that is missing
}

// A Cascade is the settings of one home, as a session in one project sees them.
type Cascade struct {
	root, project string
	sources       []source // strongest first
}

type source struct {
	Source
	keys map[string]json.RawMessage
}

// Load reads the settings files of the configuration root and of a project, an absolute path: the directory that its
// sessions recorded first. An empty project, or one of another system, has no files. Load never fails: see Sources.
func Load(root, project string) *Cascade { return load(root, project, managedDir(runtime.GOOS)) }

// managedDir is where an organisation's settings lie.
func managedDir(goos string) string {
	switch goos {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

func load(root, project, managed string) *Cascade {
	c := &Cascade{root: root, project: project}
	if !c.read(ScopePolicyRemote, filepath.Join(root, "remote-settings.json")) {
		dropIns := filepath.Join(managed, "managed-settings.d")
		names, _ := os.ReadDir(dropIns) // sorted; a directory that is missing or locked has none
		for _, e := range slices.Backward(names) {
			if n := e.Name(); strings.HasSuffix(n, ".json") && !strings.HasPrefix(n, ".") {
				c.read(ScopePolicyDropIn, filepath.Join(dropIns, n))
			}
		}
		c.read(ScopePolicyManaged, filepath.Join(managed, "managed-settings.json"))
	}
	if filepath.IsAbs(project) {
		c.read(ScopeLocal, filepath.Join(project, ".claude", "settings.local.json"))
		c.read(ScopeProject, filepath.Join(project, ".claude", "settings.json"))
	}
	c.read(ScopeUser, filepath.Join(root, "settings.json"))
	return c
}

func (c *Cascade) read(scope, path string) bool {
	s := source{Source: Source{Scope: scope, Path: path}}
	keys, err := readObject(path)
	switch {
	case os.IsNotExist(err):
	case err != nil:
		s.Note = err.Error()
	default:
		s.keys, s.Read = keys, true
	}
	c.sources = append(c.sources, s)
	return s.Read
}

// readObject gives the keys of a settings file. An empty file is an empty object.
func readObject(path string) (map[string]json.RawMessage, error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	case !info.Mode().IsRegular(): // to open a pipe could wait for ever
		return nil, fmt.Errorf("is no regular file")
	case info.Size() > maxSize:
		return nil, fmt.Errorf("has %d bytes, more than settings ever have", info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", cause(err))
	}
	b = bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\ufeff")))
	if len(b) == 0 {
		return map[string]json.RawMessage{}, nil
	}
	var keys map[string]json.RawMessage // of keys that stand twice the last counts, as in the client
	if err := json.Unmarshal(b, &keys); err != nil || keys == nil {
		return nil, fmt.Errorf("is no JSON object")
	}
	return keys, nil
}

// cause gives an error without the path, which its Source names.
func cause(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// Sources lists the files that were looked for, strongest first.
func (c *Cascade) Sources() []Source {
	all := make([]Source, len(c.sources))
	for i := range c.sources {
		all[i] = c.sources[i].Source
	}
	return all
}

// strongest gives the value of a key in the strongest of the scopes where it has the type of T, and that source. A
// value of another type is noted and the next source counts.
func strongest[T any](c *Cascade, key, kind string, scopes ...string) (T, *source) {
	for i := range c.sources {
		s := &c.sources[i]
		raw, has := s.keys[key]
		if !has || !slices.Contains(scopes, s.Scope) {
			continue
		}
		var v *T
		if err := json.Unmarshal(raw, &v); err == nil && v != nil {
			return *v, s
		}
		s.Note = key + " is no " + kind
	}
	var none T
	return none, nil
}

// PlansDirectory gives the directory of plan files, and whether a settings file names it: the key plansDirectory of the
// project's local settings, else of its shared ones, else of the user's. It is relative to the project and counts only
// if it stays inside; otherwise, as without it, plans lie in <root>/plans. Links are not followed.
func (c *Cascade) PlansDirectory() (string, bool) {
	standard := filepath.Join(c.root, "plans")
	dir, s := strongest[string](c, "plansDirectory", "string", ScopeLocal, ScopeProject, ScopeUser)
	if s == nil || dir == "" {
		return standard, false
	}
	if c.project == "" {
		s.Note = "plansDirectory is relative to a project, and none is known"
		return standard, false
	}
	at, inside := within(c.project, dir)
	if !inside {
		s.Note = fmt.Sprintf("plansDirectory %q leaves the project %s, so it does not count", dir, c.project)
		return standard, false
	}
	return at, true
}

// within resolves dir against root as the system that root is a path of would, and reports whether it stays inside.
func within(root, dir string) (string, bool) {
	if home.IsWindowsPath(root) {
		root = home.CleanWindows(root)
		if !home.IsWindowsPath(dir) {
			dir = root + `\` + dir
		}
		at := home.CleanWindows(dir)
		in := strings.EqualFold(at, root) ||
			len(at) > len(root) && strings.EqualFold(at[:len(root)+1], strings.TrimSuffix(root, `\`)+`\`) ||
			strings.HasSuffix(root, `\`) && len(at) > len(root) && strings.EqualFold(at[:len(root)], root)
		return at, in
	}
	root = filepath.Clean(root)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	at := filepath.Clean(dir)
	rel, err := filepath.Rel(root, at)
	return at, err == nil && filepath.IsLocal(rel)
}

// DefaultCleanupPeriodDays is how long Claude Code keeps a transcript that nothing was written to, unless settings say
// otherwise: at its start it deletes older ones.
const DefaultCleanupPeriodDays = 30

// CleanupPeriodDays gives the days after which a start of Claude Code deletes a transcript (by the file's time of
// modification), the file that says so, and whether one does: the managed settings, else the user's. A project's are
// left out: they hold for starts in that project, while the sweep goes over all of them. Without a word of theirs it is
// DefaultCleanupPeriodDays, "", false.
//
// days is 0 when the setting is no period: 0 or less, or a fraction. Up to 2.1.88 a 0 kept Claude Code from writing
// transcripts at all; from 2.1.89 it refuses such a value, and its sweep does not run while the period is unknown. So
// nothing can be said about what will be deleted. The Source has a note.
func (c *Cascade) CleanupPeriodDays() (days int, from string, set bool) {
	v, s := strongest[float64](c, "cleanupPeriodDays", "number", ScopePolicyRemote, ScopePolicyDropIn, ScopePolicyManaged, ScopeUser)
	switch {
	case s == nil:
		return DefaultCleanupPeriodDays, "", false
	case v < 1 || v != math.Trunc(v):
		s.Note = fmt.Sprintf("cleanupPeriodDays %v is no number of days: Claude Code refuses it (from 2.1.89)", v)
		return 0, s.Path, true
	}
	return int(min(v, math.MaxInt32)), s.Path, true
}
