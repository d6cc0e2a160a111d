package fileops

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"csift/pkg/record"
	"csift/pkg/when"
)

// version is what one file-history line says of one file: Claude Code keeps a copy of each file it edits, and takes a new
// one, with the next number, when it finds the bytes changed.
type version struct {
	key    string // the path as the line has it, absolute or below the session's first directory
	dir    string // realParentDir, "" on lines that lack it (2.1.258 writes it)
	n      int
	backup string // name of the copy; "" where the file did not exist
	stamp  string // backupTime
	told   string // when the line was written, as far as it says: a later snapshot may repeat an older copy
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
	told := r.Timestamp.String()
	add := func(key string, b record.Raw) {
		if !want(key) || !b.IsObject() {
			return
		}
		v := version{key: key, dir: b.Get("realParentDir").Str().String(), backup: b.Get("backupFileName").Str().String(), stamp: b.Get("backupTime").Str().String()}
		v.told = later(told, v.stamp)
		if _, err := fmt.Sscan(string(b.Get("version")), &v.n); err == nil {
			out = append(out, v)
		}
	}
	switch {
	case r.Type.Is("file-history-snapshot"):
		snapshot := r.Raw.Get("snapshot")
		if told == "" { // it has no timestamp of its own (2.0.77 to 2.1.332)
			told = snapshot.Get("timestamp").Str().String()
		}
		snapshot.Get("trackedFileBackups").Each(add)
	case r.Type.Is("file-history-delta"):
		add(r.Raw.Get("trackingPath").Str().String(), r.Raw.Get("backup"))
	}
	slices.SortStableFunc(out, func(a, b version) int { return strings.Compare(a.key, b.key) })
	return out
}

// later gives the later of two timestamps, or the one that is one.
func later(a, b string) string {
	at, ok := when.Stamp(a)
	bt, also := when.Stamp(b)
	if also && (!ok || bt.After(at)) {
		return b
	}
	return a
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
