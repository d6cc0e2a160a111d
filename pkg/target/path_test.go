package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/home"
)

func TestTwoDirectoriesWithOneName(t *testing.T) {
	root := homeOf(t, map[string]string{
		"-home-dev-my-app/" + idA + ".jsonl":                               at("/home/dev/my-app", idA),
		"-home-dev-my-app/" + idB + ".jsonl":                               at("/home/dev/my_app", idB),
		"-home-dev-my-app/" + idB + "/subagents/agent-" + agent + ".jsonl": at("/home/dev/my_app", idB),
		"-home-dev-my-app/agent-afcdcc3.jsonl":                             at("/home/dev/my_app", idB),
		"-home-dev-my-app/agent-beefcc3.jsonl":                             at("/home/dev/my-app", idA),
		"-home-dev-my-app/" + idC + ".jsonl":                               at("/somewhere/else", idC), // moved here with its directory
	})
	set, err := ask(root, false, nil, "/home/dev/my-app")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"-home-dev-my-app/" + idA + ".jsonl", "-home-dev-my-app/" + idC + ".jsonl", "-home-dev-my-app/agent-beefcc3.jsonl"}
	if diff := cmp.Diff(want, names(root, set)); diff != "" {
		t.Error(diff)
	}
	if len(set.Notes) != 1 || !strings.Contains(set.Notes[0], "left out 2 transcripts") || !strings.Contains(set.Notes[0], "/home/dev/my_app") {
		t.Errorf("%q", set.Notes)
	}
	if set, err = ask(root, false, nil, "-home-dev-my-app"); err != nil || len(set.Transcripts) != 6 || len(set.Notes) != 0 {
		t.Errorf("the directory itself: %+v %v", set, err)
	}
	root = homeOf(t, map[string]string{"-home-dev-my-app/" + idA + ".jsonl": at("/home/dev/my-app", idA)})
	if _, err = ask(root, false, nil, "/home/dev/my_app"); err == nil || !strings.Contains(err.Error(), "was recorded in /home/dev/my-app") {
		t.Errorf("%v", err)
	}
}

func TestLongPaths(t *testing.T) {
	base := "/home/dev/" + strings.Repeat("x", 220)
	name := home.Encode(base)[:200]
	root := homeOf(t, map[string]string{
		name + "-1a2b3c/" + idA + ".jsonl": at(base+"/one", idA),
		name + "-4d5e6f/" + idB + ".jsonl": at(base+"/two", idB),
	})
	set, err := ask(root, false, nil, base+"/two")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{name + "-4d5e6f/" + idB + ".jsonl"}, names(root, set)); diff != "" {
		t.Error(diff)
	}
	if _, err = ask(root, false, nil, "/home/dev/"+strings.Repeat("y", 220)); err == nil || !strings.Contains(err.Error(), "-*") {
		t.Errorf("%v", err)
	}
}

func TestLinks(t *testing.T) {
	root := homeOf(t, map[string]string{
		"../store/" + idA + ".jsonl": at("/home/dev/linked", idA),
		"-home-dev-linked":           "-> ../store",
		"-home-dev-other":            "-> ../store",
	})
	for _, tokens := range [][]string{nil, {"-home-dev-linked"}, {"@-home-dev-other"}, {"/home/dev/linked"}} {
		set, err := ask(root, false, nil, tokens...)
		if err != nil || len(set.Transcripts) != 1 || set.Duplicates != 0 {
			t.Errorf("%q: %+v %v", tokens, set, err)
		}
	}
	// A working directory that is reached through a link.
	root = homeOf(t, nil)
	work := filepath.Join(root, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(work, filepath.Join(root, "short")); err != nil {
		t.Skip("no symlinks here:", err)
	}
	dir := filepath.Join(root, "projects", home.Encode(work))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, idA+".jsonl"), []byte(at(work, idA)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{filepath.Join(root, "short"), work, "./work", "work"} {
		if set, err := ask(root, false, nil, token); err != nil || len(set.Transcripts) != 1 {
			t.Errorf("%s: %v", token, err)
		}
	}
	if set, err := ask(root, false, func(r *Request) { r.Cwd = work }, "."); err != nil || len(set.Transcripts) != 1 {
		t.Errorf(".: %v", err)
	}
}

func TestWindows(t *testing.T) {
	root := homeOf(t, map[string]string{
		"C--Users-dev-app/" + idA + ".jsonl": at(`C:\Users\dev\app`, idA),
		"c--Users-dev-app/" + idB + ".jsonl": at(`c:/Users/dev/app`, idB),
		"--server-share-x/" + idC + ".jsonl": at(`\\server\share\x`, idC),
	})
	a, b, c := "C--Users-dev-app/"+idA+".jsonl", "c--Users-dev-app/"+idB+".jsonl", "--server-share-x/"+idC+".jsonl"
	for _, tc := range []struct {
		windows bool
		token   string
		want    []string
	}{
		{true, "C--Users-dev-app", []string{a}},
		{true, "c--Users-dev-app", []string{b}},
		{true, "C--users-DEV-app", []string{a, b}},
		{false, "C--Users-dev-app", []string{a}},
		{false, "c--Users-dev-app", []string{b}},
		{false, "C--users-DEV-app", nil},
		{false, "@--server-share-x", []string{c}},
		// A Windows path is read by the rules of Windows everywhere: homes get copied.
		{false, `C:\Users\dev\app`, []string{a, b}},
		{false, `c:/users/dev/app/`, []string{a, b}},
		{false, `C:\Users\dev\APP\..\app`, []string{a, b}},
		{false, `\\server\share\x`, []string{c}},
	} {
		set, err := ask(root, tc.windows, nil, tc.token)
		if tc.want == nil {
			if err == nil {
				t.Errorf("%s: no error", tc.token)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.token, err)
			continue
		}
		if diff := cmp.Diff(tc.want, names(root, set)); diff != "" {
			t.Errorf("%s (windows %v):\n%s", tc.token, tc.windows, diff)
		}
	}
}
