package shell

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlacesAgainstBash runs commands that wander about a tree of directories
// and touch files of different names. Where a file stands must be where it was
// said to be, or not known.
func TestPlacesAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.ToSlash(root) + "/1/2/3/4/5/6/7/8" // as far as cd .. may ever go up
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	makeTree(t, root, 8)
	start := root + "/a/b/a"
	n := 150
	if testing.Short() {
		n = 30
	}
	rng := rand.New(rand.NewPCG(3, 5))
	resolved := 0
	for range n {
		w := wanderer{rng: rng, root: root}
		cmd := w.list(2)
		run := exec.Command(bash, "-c", cmd)
		run.Dir = start
		run.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root} // no OLDPWD: cd - must not leave the tree
		var stderr strings.Builder
		run.Stderr = &stderr
		_ = run.Run()
		if stderr.Len() > 0 { // a cd failed: what follows is nowhere in the text
			sweep(t, root)
			continue
		}
		said := map[string][]string{}
		for _, o := range Ops(cmd, start) {
			where := o.Path
			if o.Resolution == Unresolved {
				where = "?"
			} else {
				resolved++
			}
			said[path.Base(o.Path)] = append(said[path.Base(o.Path)], where)
		}
		for name, places := range sweep(t, root) {
			for _, p := range places {
				if !slices.Contains(said[name], p) && !slices.Contains(said[name], "?") {
					t.Errorf("%s\n%s is at %s, said to be at %v", cmd, name, p, said[name])
				}
			}
		}
	}
	if resolved < n {
		t.Errorf("%d paths resolved in %d commands: the test tests little", resolved, n)
	}
}

func makeTree(t *testing.T, dir string, depth int) {
	if depth == 0 {
		return
	}
	for _, d := range []string{"a", "b"} {
		if err := os.Mkdir(dir+"/"+d, 0o700); err != nil {
			t.Fatal(err)
		}
		makeTree(t, dir+"/"+d, depth-1)
	}
}

// sweep removes the files below root and tells where they were.
func sweep(t *testing.T, root string) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found[d.Name()] = append(found[d.Name()], filepath.ToSlash(p))
		return os.Remove(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A wanderer makes up commands.
type wanderer struct {
	rng   *rand.Rand
	root  string
	files int
}

func (w *wanderer) pick(list ...string) string { return list[w.rng.IntN(len(list))] }

func (w *wanderer) list(depth int) string {
	var b strings.Builder
	for i := range 2 + w.rng.IntN(4) {
		if i > 0 {
			b.WriteString(w.pick("; ", " && ", "\n", "; "))
		}
		b.WriteString(w.one(depth))
	}
	return b.String()
}

func (w *wanderer) one(depth int) string {
	w.files++
	f := fmt.Sprintf("f%d", w.files)
	if depth > 0 && w.rng.IntN(2) == 0 {
		in := w.list(depth - 1)
		switch w.rng.IntN(14) {
		case 0, 1:
			return "(" + in + ")"
		case 2:
			return "{ " + in + "; }"
		case 3:
			return "if " + w.pick("true", "false", "cd a") + "; then " + in + "; fi"
		case 4:
			return "if " + w.pick("true", "false") + "; then " + in + "; else " + w.list(depth-1) + "; fi"
		case 5:
			return "for i in 1 2; do " + in + "; done"
		case 6:
			return "bash -c '" + strings.ReplaceAll(in, "'", `'\''`) + "'"
		case 7:
			return "eval '" + strings.ReplaceAll(in, "'", `'\''`) + "'"
		case 8:
			return "g() { " + in + "; }; g"
		case 9:
			return "{ " + in + "; } | cat"
		case 10:
			return "x=$( " + in + ")"
		case 11:
			return "{ " + in + "; } & wait"
		case 12:
			return "case x in y) " + in + ";; x) " + w.list(depth-1) + ";; esac"
		default:
			return "bash <<'E" + f + "'\n" + in + "\nE" + f + "\n:"
		}
	}
	switch w.rng.IntN(8) {
	case 0, 1, 2:
		return w.pick("cd a", "cd b", "cd ..", "cd a/b", "cd ../b", "cd "+w.root+"/b", "cd -", "cd .", "cd ./a/../b", "cd \"a\"")
	case 3:
		return w.pick("pushd a >/dev/null", "pushd b >/dev/null", "popd >/dev/null")
	case 4:
		return "echo x " + w.pick(">", ">>", "2>") + " " + w.pick("", "./", "a/", "../") + f
	case 5:
		return w.pick("true || cd a", "cd b || cd a", "cd a || exit 1", "cd nope 2>/dev/null || cd a")
	default:
		return "touch " + w.pick("", "./", "a/../", w.root+"/") + f
	}
}
