package fileops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"csift/pkg/record"
)

// version is what one file-history line says of one file: Claude Code keeps a copy of each file it edits, and takes a new
// one, with the next number, when it finds the bytes changed.
type version struct {
	key    string // the path as the line has it, absolute or below the session's first directory
	dir    string // realParentDir, "" on lines that lack it (2.1.258 writes it)
	n      int
	backup string // name of the copy; "" where the file did not exist
	stamp  string // backupTime
}

// path gives the file's path, absolute where the line says where it is or the session's first directory is known.
func (v *version) path(cwd string) string {
	switch key := v.key; {
	case absolute(key):
		return key
	case v.dir != "":
		return join(v.dir, path.Base(slashes(key)))
	default:
		return resolved(key, cwd)
	}
}

// fileHistory is the needle of file-history lines.
const fileHistory = "file-history-"

// versions reads a file-history line as far as want, which is given the path as it is written, asks for it.
func versions(r *record.Record, want func(key string) bool) (out []version) {
	add := func(key string, b record.Raw) {
		if !want(key) || !b.IsObject() {
			return
		}
		v := version{key: key, dir: b.Get("realParentDir").Str().String(), backup: b.Get("backupFileName").Str().String(), stamp: b.Get("backupTime").Str().String()}
		if _, err := fmt.Sscan(string(b.Get("version")), &v.n); err == nil {
			out = append(out, v)
		}
	}
	switch {
	case r.Type.Is("file-history-snapshot"):
		r.Raw.Get("snapshot").Get("trackedFileBackups").Each(add)
	case r.Type.Is("file-history-delta"):
		add(r.Raw.Get("trackingPath").Str().String(), r.Raw.Get("backup"))
	}
	slices.SortStableFunc(out, func(a, b version) int { return strings.Compare(a.key, b.key) })
	return out
}

// settingsFile reports whether a path is one of the settings files of a project that Claude Code writes itself.
func settingsFile(p string) bool {
	p = slashes(p)
	for _, name := range []string{".claude/settings.json", ".claude/settings.local.json"} {
		if head, ok := strings.CutSuffix(p, name); ok && (head == "" || strings.HasSuffix(head, "/")) {
			return true
		}
	}
	return false
}
