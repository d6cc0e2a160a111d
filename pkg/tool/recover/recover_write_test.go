package recover

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	read := func(path string) string {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write := func(path, content string) {
		t.Helper()
		if err := writeFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got := read(path); got != content {
			t.Fatalf("%s holds %q, want %q", path, got, content)
		}
	}
	path := filepath.Join(dir, "a.txt")
	write(path, "one\r\ntwo")
	ordinary := filepath.Join(dir, "ordinary")
	if err := os.WriteFile(ordinary, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := mode(t, path), mode(t, ordinary); got != want {
		t.Errorf("a new file has mode %v, an ordinary one %v", got, want)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	kept := mode(t, path)
	write(path, "")
	if got := mode(t, path); got != kept {
		t.Errorf("the mode went from %v to %v", kept, got)
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(dir, "link")
		if err := os.Symlink("a.txt", link); err != nil {
			t.Fatal(err)
		}
		write(link, "through")
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is %v, %v", info.Mode(), err)
		}
		if got := read(path); got != "through" {
			t.Errorf("the file behind the link holds %q", got)
		}
	}
	write(filepath.Join(dir, strings.Repeat("n", 250)), "a long name")

	for _, bad := range []string{dir, filepath.Join(dir, "absent", "x")} {
		err := writeFile(bad, []byte("x"))
		if err == nil || !strings.HasPrefix(err.Error(), "cannot write "+bad+": ") || strings.Count(err.Error(), bad) != 1 {
			t.Errorf("writing to %s: %v", bad, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}
