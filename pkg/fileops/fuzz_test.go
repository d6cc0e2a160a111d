package fileops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a transcript holds, it is read without a panic, and the same fast and slowly.
func FuzzFastAsSlow(f *testing.F) {
	s := newStory(nil)
	s.says("go")
	s.write("a", "/w/a.go", "x\n", "create")
	s.bash("b", "cat > a.go <<'E'\nx\nE")
	s.bash("c", "cd sub; rm ../a.go; sed -i s/x/y/ b.go; cargo fmt")
	s.read("d", "/w/a.go", "x\n", 1, 2, 2)
	s.edit("e", "/w/a.go", "x", "y")
	s.tracked(".claude/settings.json", 1, "x@v1")
	s.tracked("a.go", 2, "x@v2")
	for i := range s.lines {
		f.Add(strings.Join(s.lines[:i+1], "\n"))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data string) {
		src := Source{Path: filepath.Join(dir, "x.jsonl"), ID: "x"}
		if err := os.WriteFile(src.Path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		var surveys, recalls [2]string
		for i, slow := range []bool{false, true} {
			opt := Options{Slow: slow, Crossings: -1}
			c, errs := Survey(t.Context(), []Source{src}, opt)
			if errs[0] != nil {
				t.Fatal(errs[0])
			}
			surveys[i] = asJSON(c)
			r, errs := Events(t.Context(), []Source{src}, []Target{NewTarget("a.go"), NewTarget(`C:\x`)}, opt)
			if errs[0] != nil {
				t.Fatal(errs[0])
			}
			recalls[i] = asJSON(r)
		}
		if surveys[0] != surveys[1] {
			t.Errorf("fast %s\nslow %s", surveys[0], surveys[1])
		}
		if recalls[0] != recalls[1] {
			t.Errorf("fast %s\nslow %s", recalls[0], recalls[1])
		}
	})
}
