package fileops

import (
	"fmt"
	"testing"
)

// TestNameIndex: a long list of targets answers as each of them alone would.
func TestNameIndex(t *testing.T) {
	var targets []Target
	for i := range 40 {
		targets = append(targets, NewTarget(fmt.Sprintf("/w/d%d/f%d.go", i%7, i%11)), NewTarget(fmt.Sprintf("f%d.go", i%13)))
	}
	targets = append(targets, NewTarget(`C:\W\Main.go`), NewTarget("b c.txt"))
	a := asked{targets: targets, names: indexNames(targets)}
	for _, cwd := range []string{"", "/w/d3", `C:\w`} {
		for _, p := range []string{"/w/d3/f3.go", "f3.go", "f12.go", "x/f1.go", "d3/f3.go", "/w/d3/f4.go", "main.go", `c:\w\MAIN.GO`, "b c.txt", "../d4/f4.go", "..", "", "f3.go/", "f3.gox"} {
			want := -1
			for i := range targets {
				if p != "" && (targets[i].Matches(resolved(p, cwd)) || targets[i].Matches(p)) {
					want = i
					break
				}
			}
			if got := a.target(p, cwd); got != want {
				t.Errorf("%q in %q is target %d, want %d", p, cwd, got, want)
			}
		}
	}
	for text, want := range map[string]bool{"touch f12.go": true, "xf3.goz": true, "F3.GO": true, "type MAIN.GO": true, "cat 'b c.txt'": true, "f13.go": false, "": false} {
		if got := a.named(text); got != want {
			t.Errorf("%q: named %v", text, got)
		}
	}
}
