package recover

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadManifest(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"\n# note\n  # another\n \t\n", nil},
		{"/a/b.go\r\n/c d/e.go\n\n/a/b.go\nlast", []string{"/a/b.go", "/c d/e.go", "last"}},
		{"\uFEFF/a\n", []string{"/a"}},
	} {
		got, err := readManifest(strings.NewReader(tc.in))
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("%q: %v %s", tc.in, err, diff)
		}
	}
}

func TestOutName(t *testing.T) {
	for in, want := range map[string]string{
		"/home/u/a.go":        "home/u/a.go",
		`C:\src\a.go`:         "C/src/a.go",
		"c:/src/a.go":         "c/src/a.go",
		"rel/a.go":            "rel/a.go",
		"../../etc/passwd":    "etc/passwd",
		"/home/../../etc/a":   "etc/a",
		`\\host\share\a b.go`: "host/share/a b.go",
		"/":                   "file",
	} {
		if got := outName(in); got != filepath.FromSlash(want) {
			t.Errorf("%q goes to %q, want %q", in, got, want)
		}
	}
}
