//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package target

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A copy that is a link to a pipe is a copy that cannot be read; to compare it would wait for a writer.
func TestCopyThatIsAPipe(t *testing.T) {
	a, b := "-home-dev-a/"+idA+".jsonl", "-home-dev-b/"+idA+".jsonl"
	root := homeOf(t, map[string]string{a: at("/x", idA), b: at("/x", idA)})
	pipe, link := filepath.Join(t.TempDir(), "pipe"), filepath.Join(root, "projects", b)
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	set, err := ask(root, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told{[]string{a, b}, Unknown, 0, 0, 0, 1, 1}, tell(root, set)); diff != "" {
		t.Error(diff)
	}
}
