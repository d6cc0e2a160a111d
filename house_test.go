// Package csift_test holds the rules of the house: what may import what, how
// big a file may grow, who may end the process. They are tests so that a new
// reader can trust them.
package csift_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	maxMain = 60  // lines of a main: it only wires
	maxFile = 650 // lines of a Go file
	maxTest = 900 // lines of a test file
)

// walk calls fn with the slash path and bytes of each file of the tree that is
// ours to judge: nothing hidden but .ci, no built files, no sample transcripts.
func walk(t *testing.T, fn func(path string, b []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() {
			switch {
			case path == ".", path == ".ci":
				return nil
			case strings.HasPrefix(d.Name(), "."), path == "bin", path == "dist":
				return fs.SkipDir
			case strings.HasPrefix(path, "testdata/") && path != "testdata/script" && !strings.HasPrefix(path, "testdata/script/"):
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || path == ".git" { // of a second work tree: it names the first
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fn(path, b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesStaySmall(t *testing.T) {
	walk(t, func(path string, b []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		most := maxFile
		switch {
		case strings.HasSuffix(path, "_test.go"):
			most = maxTest
		case strings.HasPrefix(path, "cmd/") && filepath.Base(path) == "main.go":
			most = maxMain
		}
		if n := bytes.Count(b, []byte("\n")); n > most {
			t.Errorf("%s has %d lines, at most %d: it is asking to be split", path, n, most)
		}
	})
}

func TestFormatted(t *testing.T) {
	walk(t, func(path string, b []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		if want, err := format.Source(b); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if !bytes.Equal(want, b) {
			t.Errorf("%s is not gofmt'ed", path)
		}
	})
}

// TestExits keeps the end of the process in one place: a library that exits
// takes the flush of its caller's output with it.
func TestExits(t *testing.T) {
	mayExit := func(path string) bool {
		return strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "pkg/cli/") || strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, "scripts/")
	}
	walk(t, func(path string, b []byte) {
		if !strings.HasSuffix(path, ".go") || mayExit(path) {
			return
		}
		for _, call := range calls(t, path, b) {
			switch {
			case call == "os.Exit", call == "syscall.Exit", strings.HasPrefix(call, "log.Fatal"):
				t.Errorf("%s calls %s: only pkg/cli and cmd may end the process", path, call)
			}
		}
	})
}

// calls lists the `pkg.Func` expressions of a file.
func calls(t *testing.T, path string, b []byte) (all []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, b, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				all = append(all, x.Name+"."+sel.Sel.Name)
			}
		}
		return true
	})
	return all
}

// TestFlagsAreData keeps the flag library behind one file, so that help, man
// pages and completions can be made from the same values.
func TestFlagsAreData(t *testing.T) {
	var in []string
	walk(t, func(path string, b []byte) {
		if !strings.HasSuffix(path, ".go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, b, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		for _, imp := range f.Imports {
			if strings.Contains(imp.Path.Value, "jessevdk/go-flags") {
				in = append(in, path)
			}
		}
	})
	if len(in) > 1 || len(in) == 1 && !strings.HasPrefix(in[0], "pkg/cli/") {
		t.Errorf("go-flags is imported by %v: one file of pkg/cli only", in)
	}
}

func TestPackages(t *testing.T) {
	for _, p := range goList(t, "linux") {
		if len(p.GoFiles) == 0 {
			continue
		}
		if p.Doc == "" {
			t.Errorf("%s has no package comment: what it is, what it is not, what a caller must know", p.ImportPath)
		}
		if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "types", "misc"}, p.Name) {
			t.Errorf("%s: the name %q says nothing about what is inside", p.ImportPath, p.Name)
		}
	}
}

// TestDesignNamesPackages keeps the map of the code complete.
func TestDesignNamesPackages(t *testing.T) {
	b, err := os.ReadFile("DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range goList(t, "linux") {
		name := strings.TrimPrefix(p.ImportPath, "csift/")
		if !strings.HasPrefix(name, "pkg/") {
			continue
		}
		if strings.HasPrefix(name, "pkg/tool/") {
			name = "pkg/tool/*"
		}
		if !bytes.Contains(b, []byte("`"+name+"`")) {
			t.Errorf("DESIGN.md does not name %s", name)
		}
	}
}

// TestNoMachine keeps one machine's paths and services out of the tree: what
// is written here must be true in every clone.
func TestNoMachine(t *testing.T) {
	bad := []*regexp.Regexp{
		regexp.MustCompile(`(^|[^\w.~-])/wor[k]/`),
		regexp.MustCompile(`(^|[^\w.~-])/roo[t]/`),
		regexp.MustCompile(`\.\./share[d]/`),
		regexp.MustCompile(`(?i)\bhttps?://[^\s"'<>]*(registry|proxy|mirror|artifact)`),
	}
	walk(t, func(path string, b []byte) {
		if path == "go.sum" || bytes.IndexByte(b, 0) >= 0 {
			return
		}
		for n, line := range strings.Split(string(b), "\n") {
			for _, re := range bad {
				if m := re.FindString(line); m != "" {
					t.Errorf("%s:%d names a machine: %q", path, n+1, m)
				}
			}
		}
	})
}
