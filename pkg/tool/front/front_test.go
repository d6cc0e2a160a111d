package front

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/cli"
)

// A stage is a machine with directories of programs, and what csift did there.
type stage struct {
	t      *testing.T
	root   string // bin/csift is this program
	env    map[string]string
	sys    cli.System
	became []string // path and argv of the program it turned into
	refuse error    // what turning into a program fails with
	out    string   // after run
	err    string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are made with mode bits here")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, root: root, env: map[string]string{"PATH": root + "/path1:relative::" + root + "/path2"}}
	s.sys = cli.System{Getenv: func(k string) string { return s.env[k] }, Getwd: os.Getwd, Now: time.Now}
	s.program("bin/csift")
	return s
}

func (s *stage) write(path string, mode os.FileMode) {
	s.t.Helper()
	full := filepath.Join(s.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte("#!/bin/sh\n"), mode); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) program(path string) { s.write(path, 0o755) }

func (s *stage) link(from, to string) {
	s.t.Helper()
	full := filepath.Join(s.root, from)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(s.root, to), full); err != nil {
		s.t.Fatal(err)
	}
}

var verbs = []Verb{
	{"list", "list sessions", "csift-list", false},
	{"agents", "list subagents", "csift-list", false},
	{"search", "find records", "csift-search", false},
	{"deliver", "for hooks", "csift-channel", true},
}

func (s *stage) host() host {
	return host{
		executable: func() (string, error) { return filepath.Join(s.root, "bin/csift"), nil },
		become: func(path string, argv []string) (int, error) {
			rel, _ := filepath.Rel(s.root, path)
			s.became = append([]string{rel}, argv...)
			return 42, s.refuse
		},
	}
}

// run calls csift the way argv says and returns the exit code.
func (s *stage) run(argv ...string) int {
	s.t.Helper()
	return s.record(func(sys cli.System) int {
		return newFront(verbs, nil, argv, sys, s.host()).separate(argv)
	})
}

func (s *stage) record(fn func(cli.System) int) int {
	s.t.Helper()
	s.became = nil
	out, err := os.Create(filepath.Join(s.t.TempDir(), "out"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer out.Close()
	errs, err := os.Create(filepath.Join(s.t.TempDir(), "err"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer errs.Close()
	s.sys.Stdout, s.sys.Stderr = out, errs
	code := fn(s.sys)
	o, _ := os.ReadFile(out.Name())
	e, _ := os.ReadFile(errs.Name())
	s.out, s.err = string(o), strings.ReplaceAll(string(e), s.root, "ROOT")
	return code
}

func (s *stage) want(code, wantCode int, became ...string) {
	s.t.Helper()
	if diff := cmp.Diff(became, s.became); code != wantCode || diff != "" {
		s.t.Errorf("exit %d, want %d; %s%s", code, wantCode, diff, s.err)
	}
}

func TestBecomes(t *testing.T) {
	s := newStage(t)
	s.program("bin/csift-list")
	s.program("path1/csift-foo")
	s.want(s.run("csift", "list"), 42, "bin/csift-list", "csift", "list")
	s.want(s.run("csift", "list", ".", "--max-count", "3"), 42, "bin/csift-list", "csift", "list", ".", "--max-count", "3")
	s.want(s.run("csift", "agents", "agents"), 42, "bin/csift-list", "csift", "agents", "agents")
	s.want(s.run("csift", "--claude-home", "list", "list", "x"), 42, "bin/csift-list", "csift", "list", "--claude-home=list", "x")
	s.want(s.run("csift", "--cross-compactions=all", "--claude-home=", "list"), 42, "bin/csift-list", "csift", "list", "--cross-compactions=all", "--claude-home=")
	s.want(s.run("csift", "help", "agents"), 42, "bin/csift-list", "csift", "agents", "--help")
	s.want(s.run("csift", "--help", "agents"), 42, "bin/csift-list", "csift", "agents", "--help")
	s.want(s.run("csift", "--", "list", "--", "x"), 42, "bin/csift-list", "csift", "list", "--", "x")
	s.want(s.run("csift", "--claude-home=d", "--", "list", "x"), 42, "bin/csift-list", "csift", "list", "--claude-home=d", "x")
	s.want(s.run("csift", "--", "--list"), 127)
	s.want(s.run("csift", "foo", "-x", "--", "y"), 42, "path1/csift-foo", "csift-foo", "-x", "--", "y")
	s.want(s.run("csift", "help", "foo"), 42, "path1/csift-foo", "csift-foo", "--help")
	s.want(s.run("csift", "--claude-home", "d", "foo", "x"), 42, "path1/csift-foo", "csift-foo", "--claude-home=d", "x")
}

func TestSearchOrder(t *testing.T) {
	s := newStage(t)
	s.env["CSIFT_EXEC_PATH"] = filepath.Join(s.root, "exec")
	s.link("links/csift", "bin/csift")
	places := []string{"exec", "bin", "links", "libexec/csift", "path1", "path2"}
	for _, dir := range places {
		s.program(dir + "/csift-list")
	}
	// links is reached by the name it was called by; libexec lies beside bin and links.
	argv0 := filepath.Join(s.root, "links/csift")
	for _, dir := range places {
		s.want(s.run(argv0, "list"), 42, dir+"/csift-list", "csift", "list")
		if err := os.Remove(filepath.Join(s.root, dir, "csift-list")); err != nil {
			t.Fatal(err)
		}
	}
	// Then a program of the verb's own name, in the same places.
	for _, dir := range places {
		s.program(dir + "/csift-agents")
	}
	for _, dir := range places {
		s.want(s.run(argv0, "agents"), 42, dir+"/csift-agents", "csift-agents")
		if err := os.Remove(filepath.Join(s.root, dir, "csift-agents")); err != nil {
			t.Fatal(err)
		}
	}
	s.program("path2/csift-agents")
	s.program("path2/csift-list")
	s.want(s.run(argv0, "agents"), 42, "path2/csift-list", "csift", "agents")
}

func TestNotFound(t *testing.T) {
	s := newStage(t)
	s.program("bin/csift-list")
	s.program("path2/csift-foo")
	tests := []struct {
		verb string
		code int
		want string
	}{
		{"serch", 127, "csift: there is no verb \"serch\"\n  there are: list, agents, search, foo\ncsift: hint: did you mean search?\n"},
		{"zzzzzz", 127, "csift: there is no verb \"zzzzzz\"\n  there are: list, agents, search, foo\ncsift: hint: see csift help\n"},
		{"hlep", 127, "csift: there is no verb \"hlep\"\n  there are: list, agents, search, foo\ncsift: hint: did you mean help?\n"},
		{"version", 127, "csift: there is no verb \"version\"\n  there are: list, agents, search, foo\ncsift: hint: the version: csift --version\n"},
		{"", 127, "csift: there is no verb \"\"\n  there are: list, agents, search, foo\ncsift: hint: see csift help\n"},
		{"../bin/csift-list", 127, "csift: there is no verb \"../bin/csift-list\"\n  there are: list, agents, search, foo\ncsift: hint: see csift help\n"},
		{"turns", 127, "csift: turns is called verbatim now\ncsift: hint: verbatim is a verb of a later release\n"},
		{"search", 127, "csift: cannot find csift-search, which holds search; looked in ROOT/bin, ROOT/libexec/csift, ROOT/path1, ROOT/path2\ncsift: hint: CSIFT_EXEC_PATH names the directory it is in\n"},
	}
	for _, tt := range tests {
		code := s.run("csift", tt.verb)
		s.want(code, tt.code)
		if s.err != tt.want || s.out != "" {
			t.Errorf("%s: %q", tt.verb, s.err)
		}
	}
	s.program("path2/csift-verbatim")
	if code := s.run("csift", "turns"); code != 127 || s.err != "csift: turns is called verbatim now\ncsift: hint: say csift verbatim\n" {
		t.Errorf("exit %d, %s", code, s.err)
	}
}

func TestCannotRun(t *testing.T) {
	s := newStage(t)
	s.write("bin/csift-foo", 0o644)
	if err := os.MkdirAll(filepath.Join(s.root, "path1/csift-foo"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.want(s.run("csift", "foo"), 126)
	if s.err != "csift: cannot run ROOT/bin/csift-foo: it is not executable\n" {
		t.Error(s.err)
	}
	// One that can be run, further on, is taken.
	s.program("path2/csift-foo")
	s.want(s.run("csift", "foo"), 42, "path2/csift-foo", "csift-foo")

	s.refuse = errors.New("exec format error")
	if code := s.run("csift", "foo"); code != 126 || s.err != "csift: cannot run ROOT/path2/csift-foo: exec format error\n" {
		t.Errorf("exit %d, %s", code, s.err)
	}

	// A directory alone is no tool.
	if err := os.MkdirAll(filepath.Join(s.root, "path1/csift-bar"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.want(s.run("csift", "bar"), 127)
}

func TestNeverItself(t *testing.T) {
	s := newStage(t)
	s.link("bin/csift-list", "bin/csift")
	s.link("path1/csift-foo", "bin/csift")
	for verb, file := range map[string]string{"list": "bin/csift-list", "foo": "path1/csift-foo"} {
		s.want(s.run("csift", verb), 126)
		want := "csift: cannot run ROOT/" + file + ": it is csift itself, which holds no verb\ncsift: hint: install the csift-" + verb +
			" binary, or build csift with -tags multicall\n"
		if s.err != want {
			t.Errorf("%s: %s", verb, s.err)
		}
	}
	s.want(s.run("/usr/bin/csift-list", "."), 126)
	if want := "csift-list: this is a link to csift, which holds no verb itself\ncsift-list: hint: install the csift-list binary, or build csift with -tags multicall\n"; s.err != want {
		t.Error(s.err)
	}
	// The real one, further on, is found.
	s.program("path2/csift-list")
	s.want(s.run("csift", "list"), 42, "path2/csift-list", "csift", "list")
}

func TestOwnFlags(t *testing.T) {
	s := newStage(t)
	s.program("bin/csift-list")
	s.program("path1/csift-foo")
	for _, argv := range [][]string{{"csift"}, {}, {"csift", "--help"}, {"csift", "-h"}, {"csift", "help"}, {"csift", "help", "help"}, {"csift", "help", "--help"}, {"csift", "help", "-h"}, {"csift", "--claude-home", "d"}} {
		code := s.run(argv...)
		s.want(code, 0)
		for _, part := range []string{"Usage:\n  csift ", "\n  list    list sessions\n", "\n  search  find records\n", "/path1/csift-foo\n", "\n  127 "} {
			if !strings.Contains(s.out, part) {
				t.Errorf("%v: %q is missing:\n%s", argv, part, s.out)
			}
		}
		if strings.Contains(s.out, "deliver") {
			t.Errorf("a hidden verb is listed:\n%s", s.out)
		}
	}
	if code := s.run("csift", "--version"); code != 0 || s.out != "csift "+cli.Version+"\n" {
		t.Errorf("exit %d, %s", code, s.out)
	}
	if code := s.run("csift", "--exec-path"); code != 0 || s.out != s.root+"/bin\n" {
		t.Errorf("exit %d, %s", code, s.out)
	}
	code := s.run("csift", "--list")
	want := "list    list sessions   ROOT/bin/csift-list\n" +
		"agents  list subagents  ROOT/bin/csift-list\n" +
		"search  find records    (not installed)\n" +
		"foo                     ROOT/path1/csift-foo\n"
	if got := strings.ReplaceAll(s.out, s.root, "ROOT"); code != 0 || got != want {
		t.Errorf("exit %d\n%s", code, got)
	}
	s.env["CSIFT_EXEC_PATH"] = "/elsewhere"
	if s.run("csift", "--exec-path"); s.out != "/elsewhere\n" {
		t.Error(s.out)
	}
	for _, tt := range []struct {
		argv []string
		want string
	}{
		{[]string{"csift", "--max-count", "3", "list"}, "csift: unknown flag --max-count before the verb\ncsift: hint: flags of a verb come after it: csift VERB --max-count\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--format=json", "list"}, "csift: unknown flag --format before the verb\ncsift: hint: flags of a verb come after it: csift VERB --format\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--lst"}, "csift: unknown flag --lst before the verb\ncsift: hint: did you mean --list?\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--verison", "list"}, "csift: unknown flag --verison before the verb\ncsift: hint: did you mean --version?\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--claude-hoem=x", "list"}, "csift: unknown flag --claude-hoem before the verb\ncsift: hint: did you mean --claude-home?\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--list", "search"}, "csift: --list takes no word behind it, and \"search\" follows\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--version", "--list"}, "csift: --version takes no word behind it, and \"--list\" follows\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--exec-path", "list"}, "csift: --exec-path takes no word behind it, and \"list\" follows\ncsift: hint: see csift help\n"},
		{[]string{"csift", "help", "list", "search"}, "csift: help takes one verb, not \"search\" as well\ncsift: hint: see csift help\n"},
		{[]string{"csift", "-h", "help", "search"}, "csift: -h takes one verb, not \"search\" as well\ncsift: hint: see csift help\n"},
		{[]string{"csift", "--claude-home"}, "csift: --claude-home needs a value\ncsift: hint: see csift help\n"},
	} {
		if code := s.run(tt.argv...); code != 2 || s.err != tt.want || s.became != nil {
			t.Errorf("%v: exit %d, %s", tt.argv, code, s.err)
		}
	}
}

// said is a family whose verbs print how they were called.
func said(binary string, names ...string) cli.Family {
	f := cli.Family{Name: binary, Summary: "say"}
	for _, n := range names {
		f.Tools = append(f.Tools, &cli.Tool{Name: n, Summary: "say " + n, Run: func(_ context.Context, e *cli.Env, _ any) error {
			fmt.Fprintln(e.Out, e.Prog, e.Verb, e.Args)
			return nil
		}})
	}
	return f
}

func TestMulticall(t *testing.T) {
	s := newStage(t)
	s.program("path1/csift-foo")
	families := []cli.Family{said("csift-list", "list", "agents"), said("csift-search", "search")}
	table := Table(families...)
	if want := []Verb{{"list", "say list", "csift-list", false}, {"agents", "say agents", "csift-list", false}, {"search", "say search", "csift-search", false}}; !cmp.Equal(table, want) {
		t.Error(cmp.Diff(want, table))
	}
	multicall := func(argv ...string) int {
		return s.record(func(sys cli.System) int { return multicallOn(families, argv, sys, s.host()) })
	}
	for argv, want := range map[string]string{
		"csift list x":                 "csift list [x]",
		"csift agents list":            "csift agents [list]",
		"csift --claude-home d search": "csift search []",
		"/usr/bin/csift-list x":        "csift-list list [x]",
		"csift-list agents x":          "csift-list agents [x]",
		"csift-agents list":            "csift-agents agents [list]",
		"csift-search search":          "csift-search search [search]",
	} {
		if code := multicall(strings.Fields(argv)...); code != 0 || s.out != want+"\n" {
			t.Errorf("%s: exit %d, %q, %s", argv, code, s.out, s.err)
		}
	}
	s.want(multicall("csift", "foo", "x"), 42, "path1/csift-foo", "csift-foo", "x")
	s.want(multicall("csift", "lits"), 127)
	s.want(multicall("csift-lits"), 127)
	if !strings.HasPrefix(s.err, "csift-lits: there is no verb \"lits\"\n  there are: list, agents, search, foo\ncsift-lits: hint: did you mean list?\n") {
		t.Error(s.err)
	}
	if code := multicall("csift", "help", "search"); code != 0 || !strings.HasPrefix(s.out, "csift search: say search\n") {
		t.Errorf("exit %d, %s", code, s.out)
	}
	if multicall("csift", "--list"); !strings.Contains(s.out, "agents  say agents  "+s.root+"/bin/csift\n") {
		t.Error(s.out)
	}
	if multicall("csift", "--exec-path"); s.out != s.root+"/bin\n" {
		t.Error(s.out)
	}
}
