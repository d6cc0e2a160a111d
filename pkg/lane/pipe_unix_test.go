//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package lane

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe under the name of a file would keep its reader waiting for a writer.
func TestPipesAreNotOpened(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "workflows"), 0o755); err != nil {
		t.Fatal(err)
	}
	transcript := filepath.Join(dir, "agent-a1.jsonl")
	for _, name := range []string{transcript, filepath.Join(dir, "agent-a1.meta.json"), filepath.Join(dir, "workflows", "wf_1.json")} {
		if err := os.Symlink(pipe, name); err != nil {
			t.Fatal(err)
		}
	}
	if m := ReadMeta(transcript); m.There || m.Err != nil {
		t.Errorf("meta: %+v", m)
	}
	if r, failed := ReadRuns(context.Background(), dir, nil, false); len(r) != 1 || r[0].Manifest || failed != nil {
		t.Errorf("runs: %+v, %v", r, failed)
	}
	if _, err := ReadOrigin(transcript); err == nil {
		t.Error("the origin of a pipe is no error")
	}
}
