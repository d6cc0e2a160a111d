package fileops

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"csift/pkg/when"
)

// store is the file history of one session: copies of files that Claude Code made before it changed them.
type store struct {
	dir string // "" when there is none
}

// newStore finds the store of a transcript: under the home that it lies in, else under root.
func newStore(root string, src Source) store {
	if projects := filepath.Dir(filepath.Dir(src.Path)); filepath.Base(projects) == "projects" {
		root = filepath.Dir(projects)
	}
	if root == "" || src.InLane || src.ID == "" {
		return store{}
	}
	return store{filepath.Join(root, "file-history", src.ID)}
}

const (
	// drift is how far the time of a copy may lie from what the transcript says of it: a copy that was touched later may
	// be that of another state.
	drift = 120 * time.Second
	// mostCopy is the largest copy that is read.
	mostCopy = 64 << 20
)

// text gives the bytes of a version, when its copy is there and of its time. An error is that of a copy that is there and
// cannot be read.
func (s *store) text(v *version) (text string, ok bool, err error) {
	at, ok := when.Stamp(v.stamp)
	if s.dir == "" || v.backup == "" || !ok || v.backup != filepath.Base(v.backup) || strings.HasPrefix(v.backup, ".") {
		return "", false, nil
	}
	path := filepath.Join(s.dir, v.backup)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return "", false, nil
	case err != nil:
		return "", false, err
	case !info.Mode().IsRegular() || info.Size() > mostCopy || info.ModTime().Sub(at).Abs() > drift:
		return "", false, nil
	}
	b, err := os.ReadFile(path)
	return string(b), err == nil, err
}
