//go:build unix

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"csift/e2e/board"
)

// TestBinaries runs the binaries as they are installed: csift finds the small ones beside it and becomes them.
func TestBinaries(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binaries")
	}
	t.Parallel()
	tools, remove, err := board.Build()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	home, err := filepath.Abs("../testdata/home")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, link := range []string{"csift", "csift-search", "csift-show"} {
		target := filepath.Join(tools.Dir, link)
		if link == "csift-show" { // a link to the front, which holds no verb itself
			target = filepath.Join(tools.Dir, "csift")
		}
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(in string, argv ...string) (string, int) {
		t.Helper()
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = []string{"CLAUDE_CONFIG_DIR=" + home, "TZ=UTC", "PATH=/usr/bin:/bin"}
		cmd.Stdin = strings.NewReader(in)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	csift := filepath.Join(tools.Dir, "csift")
	for _, tt := range []struct {
		what, in string
		argv     []string
		code     int
		want     string // part of what is printed
	}{
		{"a verb", "", []string{csift, "search", "carry", "@all", "-c"}, 0, "4\n"},
		{"text, through the front", "", []string{csift, "search", "carry", "@5d0c"}, 0, "@5d0c1f3e:t0  "},
		{"stdin comes through", "@5d0c1f3e\n", []string{csift, "search", "carry", "-c"}, 0, "3\n"},
		{"so does the exit code", "", []string{csift, "show", "@5d0c", "--line", "999"}, 1, "csift: no such record"},
		{"root flags", "", []string{csift, "--claude-home", home, "list", "@5d0c"}, 0, "@5d0c1f3e SESSION"},
		{"help of a verb", "", []string{csift, "help", "show"}, 0, "csift show: "},
		{"the list", "", []string{csift, "--list"}, 0, filepath.Join(tools.Dir, "csift-search")},
		{"a small binary", "", []string{filepath.Join(tools.Dir, "csift-search"), "carry", "@all", "-c"}, 0, "4\n"},
		{"a link to the front", "", []string{filepath.Join(dir, "csift"), "search", "carry", "@all", "-c"}, 0, "4\n"},
		{"a link to a small binary", "", []string{filepath.Join(dir, "csift-search"), "carry", "@all", "-c"}, 0, "4\n"},
		{"a link to the front by the name of a family", "", []string{filepath.Join(dir, "csift-show"), "@5d0c:2"}, 126, "holds no verb itself"},
		{"no such verb", "", []string{csift, "serach"}, 127, "did you mean search?"},
	} {
		if out, code := run(tt.in, tt.argv...); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%s: %q: exit %d, want %d and %q:\n%s", tt.what, tt.argv, code, tt.code, tt.want, out)
		}
	}
	if err := os.Remove(filepath.Join(tools.Dir, "csift-show")); err != nil {
		t.Fatal(err)
	}
	if out, code := run("", csift, "show", "@5d0c:2"); code != 127 || !strings.Contains(out, "cannot find csift-show, which holds show") {
		t.Errorf("a family that is gone: exit %d:\n%s", code, out)
	}
}
