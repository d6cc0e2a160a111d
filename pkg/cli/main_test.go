package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"csift/pkg/row"
	"csift/pkg/stdio"
)

// searchOptions are options of every kind that verbs have.
type searchOptions struct {
	Label    []string `short:"t" long:"label" value-name:"SEL" words:"user,agent,harness" description:"only hits with this label"`
	LabelNot []string `short:"T" long:"label-not" value-name:"SEL" words:"user,agent,harness" description:"no hits with this label"`
	Ignore   bool     `short:"i" long:"ignore-case" description:"letters match in either case"`
	Count    bool     `short:"c" long:"count-only" description:"print the number of exchanges"`
	List     bool     `short:"l" long:"sessions-with-matches" description:"print the ids of the sessions"`
	Fixed    bool     `short:"F" long:"fixed-strings" description:"the pattern is literal"`
	Turn     string   `long:"turn" value-name:"SPEC" description:"only these turns"`
	MaxCount int      `long:"max-count" value-name:"N" description:"the earliest N, the latest N when negative" default:"0"`
	Cap      uint     `long:"cap" value-name:"N" description:"at most N" default:"200"`
	Sort     string   `long:"sort" choice:"size" choice:"time" description:"what comes first"`
	From     string   `long:"sessions-from" value-name:"FILE|-" description:"ids of sessions"`
	Secret   bool     `long:"additional-context" hidden:"yes" description:"retired"`
}

// family makes a family of two verbs that run fn.
func family(fn func(*Env, *searchOptions) error) Family {
	tool := func(name string) *Tool {
		return &Tool{
			Name: name, Summary: "find " + name, Usage: "[PATTERN] [TARGET...] [FLAG...]",
			New:          func() any { return new(searchOptions) },
			Run:          func(_ context.Context, e *Env, o any) error { return fn(e, o.(*searchOptions)) },
			Payload:      func(o any) bool { return o.(*searchOptions).Count },
			StdinTargets: true,
		}
	}
	return Family{Name: "csift-list", Summary: "list things", Tools: []*Tool{tool("list"), tool("agents")}}
}

// world is a System whose streams a test looks at.
type world struct {
	System
	env map[string]string
	out *os.File // what stdout and stderr are written into, when they are files
	err *os.File
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{env: map[string]string{}, out: tempFile(t, ""), err: tempFile(t, "")}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	w.System = System{
		Stdin: null, Stdout: w.out, Stderr: w.err,
		Getenv:   func(k string) string { return w.env[k] },
		Getwd:    func() (string, error) { return "/home/u", nil },
		Now:      func() time.Time { return time.Unix(1e9, 0) },
		Patience: time.Minute,
	}
	return w
}

func tempFile(t *testing.T, content string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err == nil {
		_, err = f.WriteString(content)
	}
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// pipe gives a pipe whose ends are closed when the test is over.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// stdinPipe gives the reading end of a pipe that holds s and then ends.
func stdinPipe(t *testing.T, s string) *os.File {
	t.Helper()
	r, w := pipe(t)
	go func() { io.WriteString(w, s); w.Close() }()
	return r
}

func contents(t *testing.T, f *os.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestVerbs(t *testing.T) {
	tests := []struct {
		argv             []string
		prog, verb, args string
	}{
		{[]string{"csift-list"}, "csift-list", "list", ""},
		{[]string{"/usr/bin/csift-list", "."}, "csift-list", "list", "."},
		{[]string{"csift-list", "list", "."}, "csift-list", "list", "."},
		{[]string{"csift-list", "agents", "agents"}, "csift-list", "agents", "agents"},
		{[]string{"csift-list", "./agents"}, "csift-list", "list", "./agents"},
		{[]string{"csift-list", "--claude-home", "agents", "agents", "x"}, "csift-list", "agents", "x"},
		{[]string{"csift-list", "--claude-home=d", "--cross-compactions", "3", "agents"}, "csift-list", "agents", ""},
		{[]string{"csift-list", "--sort", "size", "agents"}, "csift-list", "list", "agents"},
		{[]string{"csift-agents", "list"}, "csift-agents", "agents", "list"},
		{[]string{`C:\bin\csift-agents.EXE`, "list"}, "csift-agents", "agents", "list"},
		{[]string{"csift", "agents", "list"}, "csift", "agents", "list"},
		{[]string{"csift", "--claude-home", "d", "list", "list"}, "csift", "list", "list"},
		{[]string{"renamed", "agents"}, "renamed", "agents", ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.argv, " "), func(t *testing.T) {
			w := newWorld(t)
			ran := false
			code := Main(family(func(e *Env, _ *searchOptions) error {
				ran = true
				if got := strings.Join(e.Args, " "); e.Prog != tt.prog || e.Verb != tt.verb || got != tt.args || e.Front != (tt.prog == "csift") {
					t.Errorf("prog %q verb %q args %q front %v", e.Prog, e.Verb, got, e.Front)
				}
				return nil
			}), tt.argv, w.System)
			if code != 0 || !ran {
				t.Errorf("exit %d, %s", code, contents(t, w.err))
			}
		})
	}
}

func TestUnknownVerb(t *testing.T) {
	w := newWorld(t)
	code := Main(family(nil), []string{"csift", "agent", "x"}, w.System)
	want := "csift: csift-list has no verb \"agent\", only list or agents\ncsift: hint: did you mean agents?\n"
	if got := contents(t, w.err); code != 2 || got != want {
		t.Errorf("exit %d, %q", code, got)
	}
}

func TestErrors(t *testing.T) {
	inner := errors.New("permission denied")
	tests := []struct {
		name string
		err  error
		code int
		want string
	}{
		{"none", nil, 0, ""},
		{"runtime", Errorf("cannot read %s: %w", "/x", inner), 1, "csift-list: cannot read /x: permission denied\n"},
		{"usage", Usagef("no pattern"), 2, "csift-list: no pattern\ncsift-list: hint: see csift-list --help\n"},
		{"usage made of another error", Usage(inner), 2, "csift-list: permission denied\ncsift-list: hint: see csift-list --help\n"},
		{"hints", WithHint(WithHint(Usagef("a"), "b"), "c", "d"), 2, "csift-list: a\ncsift-list: hint: b\ncsift-list: hint: c\ncsift-list: hint: d\n"},
		{"another's error", inner, 1, "csift-list: permission denied\n"},
		{"wrapped", fmt.Errorf("outer: %w", Usagef("inner")), 2, "csift-list: outer: inner\ncsift-list: hint: see csift-list --help\n"},
		{"a code alone", Exit(124), 124, ""},
		{"partial", ErrPartial, 1, ""},
		{"several lines", Errorf("two sessions:\n@a\n@b\n"), 1, "csift-list: two sessions:\n  @a\n  @b\n"},
		{"quoted controls", Errorf("bad \x1b[31m\u202e\xff line\r"), 1, `csift-list: bad \x1b[31m\u202e\xff line\x0d` + "\n"},
		{"an error of below with words of its own", belowError{}, 3, "csift-list: below\ncsift-list: hint: do this\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			code := Main(family(func(*Env, *searchOptions) error { return tt.err }), []string{"csift-list"}, w.System)
			if got := contents(t, w.err); code != tt.code || got != tt.want {
				t.Errorf("exit %d, want %d; %q, want %q", code, tt.code, got, tt.want)
			}
		})
	}
	if WithHint(nil, "x") != nil || Usage(nil) != nil {
		t.Error("nil became an error")
	}
	if !errors.Is(WithHint(Errorf("%w", inner), "x"), inner) {
		t.Error("the cause is lost")
	}
}

type belowError struct{}

func (belowError) Error() string   { return "below" }
func (belowError) Hints() []string { return []string{"do this"} }
func (belowError) ExitCode() int   { return 3 }

// TestOrder: where both streams are one file, notes stand where they were made.
func TestOrder(t *testing.T) {
	w := newWorld(t)
	f, err := os.OpenFile(w.out.Name(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w.Stdout, w.Stderr = f, f
	code := Main(family(func(e *Env, _ *searchOptions) error {
		fmt.Fprintln(e.Banner, "scope  1")
		e.Note("one")
		fmt.Fprintln(e.Out, "data")
		e.Fail(errors.New("cannot read a: gone"))
		fmt.Fprintln(e.Out, "more")
		return Errorf("last")
	}), []string{"csift-list"}, w.System)
	want := "scope  1\ncsift-list: one\ndata\ncsift-list: cannot read a: gone\nmore\ncsift-list: last\n"
	if got := contents(t, w.out); code != 1 || got != want {
		t.Errorf("exit %d\n%s", code, got)
	}
}

func TestFailEndsWithOne(t *testing.T) {
	w := newWorld(t)
	code := Main(family(func(e *Env, _ *searchOptions) error { e.Fail(errors.New("x")); return nil }), []string{"csift-list"}, w.System)
	if code != 1 {
		t.Errorf("exit %d", code)
	}
}

func TestPanic(t *testing.T) {
	w := newWorld(t)
	f := family(func(e *Env, _ *searchOptions) error {
		fmt.Fprintln(e.Out, "data")
		var m map[string]int
		m["x"] = 1
		return nil
	})
	code := Main(f, []string{"csift-list"}, w.System)
	got := contents(t, w.err)
	if code != 1 || strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "csift-list: internal error: assignment to entry in nil map\ncsift-list: hint: ") {
		t.Errorf("exit %d, %q", code, got)
	}
	if contents(t, w.out) != "data\n" {
		t.Error("what was answered before the panic is lost")
	}
	w.env["CSIFT_PANIC"] = "1"
	defer func() {
		if recover() == nil {
			t.Error("CSIFT_PANIC=1 hides the panic")
		}
	}()
	Main(f, []string{"csift-list"}, w.System)
}

func TestVersionAndHelp(t *testing.T) {
	for _, args := range [][]string{{"--version"}, {"agents", "--version"}, {"x", "--max-count", "3", "--version", "--zzz"}} {
		w := newWorld(t)
		if code := Main(family(nil), append([]string{"csift-list"}, args...), w.System); code != 0 || contents(t, w.out) != "csift "+Version+"\n" {
			t.Errorf("%v: exit %d, %q", args, code, contents(t, w.out))
		}
	}
	for _, args := range [][]string{{"--help"}, {"-h"}, {"agents", "x", "-h"}, {"-ih"}} {
		w := newWorld(t)
		if code := Main(family(nil), append([]string{"csift-list"}, args...), w.System); code != 0 || !strings.Contains(contents(t, w.out), "Exit status:") {
			t.Errorf("%v: exit %d, %q", args, code, contents(t, w.out))
		}
	}
	w := newWorld(t)
	if code := Main(family(nil), []string{"csift-list", "--zzz", "--help"}, w.System); code != 2 {
		t.Errorf("a mistyped flag before --help: exit %d", code)
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	w := newWorld(t)
	w.Stdout = full
	code := Main(family(func(e *Env, _ *searchOptions) error { fmt.Fprintln(e.Out, "x"); return nil }), []string{"csift-list"}, w.System)
	if got := contents(t, w.err); code != 1 || got != "csift-list: cannot write to standard output: no space left on device\n" {
		t.Errorf("exit %d, %q", code, got)
	}
	w = newWorld(t)
	w.Stdout = full
	code = Main(family(func(e *Env, _ *searchOptions) error { fmt.Fprintln(e.Out, "x"); return e.Out.Flush() }), []string{"csift-list"}, w.System)
	if got := contents(t, w.err); code != 1 || strings.Count(got, "\n") != 1 {
		t.Errorf("passed on by the verb: exit %d, %q", code, got)
	}
	if code := Main(family(nil), []string{"csift-list", "--help"}, w.System); code != 1 {
		t.Errorf("help into a full disk: exit %d", code)
	}
}

// TestBrokenPipe: a reader that went away is quiet, whatever the verb makes of it.
func TestBrokenPipe(t *testing.T) {
	w := newWorld(t)
	r, out := pipe(t)
	r.Close()
	w.Stdout = out
	code := Main(family(func(e *Env, _ *searchOptions) error {
		for range 100 {
			if _, err := e.Out.Write(make([]byte, 10_000)); err != nil {
				return fmt.Errorf("cannot write: %w", err)
			}
		}
		return nil
	}), []string{"csift-list"}, w.System)
	if got := contents(t, w.err); code != stdio.BrokenExit || got != "" {
		t.Errorf("exit %d, %q", code, got)
	}
}

func TestClosedStreams(t *testing.T) {
	w := newWorld(t)
	w.Stdin, w.Stdout, w.Stderr = nil, nil, nil
	code := Main(family(func(e *Env, _ *searchOptions) error {
		src, err := e.Input(context.Background(), false)
		if src != nil || err != nil {
			t.Errorf("closed stdin: %v %v", src, err)
		}
		fmt.Fprintln(e.Out, "x")
		e.Note("y")
		return nil
	}), []string{"csift-list"}, w.System)
	if code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestRootFlags(t *testing.T) {
	tests := []struct {
		args  []string
		home  string
		cross int
		code  int
	}{
		{nil, "found:", AllCrossings, 0},
		{[]string{"--claude-home", "d"}, "found:d", AllCrossings, 0},
		{[]string{"x", "--claude-home=d", "--cross-compactions=0"}, "found:d", 0, 0},
		{[]string{"--cross-compactions", "3", "x"}, "found:", 3, 0},
		{[]string{"--cross-compactions", "all", "x"}, "found:", AllCrossings, 0},
		{[]string{"--cross-compactions", "-1"}, "", 0, 2},
		{[]string{"--cross-compactions", "many"}, "", 0, 2},
		{[]string{"--claude-home", "none"}, "", 0, 1},
	}
	for _, tt := range tests {
		w := newWorld(t)
		f := family(func(e *Env, _ *searchOptions) error {
			if e.Home != tt.home || e.CrossCompactions != tt.cross || e.Cwd != "/home/u" || e.Now.Unix() != 1e9 {
				t.Errorf("%v: %+v", tt.args, e)
			}
			return nil
		})
		f.Home = func(flag string, _ func(string) string) (string, error) {
			if flag == "none" {
				return "", errors.New("no home")
			}
			return "found:" + flag, nil
		}
		if code := Main(f, append([]string{"csift-list"}, tt.args...), w.System); code != tt.code {
			t.Errorf("%v: exit %d, want %d: %s", tt.args, code, tt.code, contents(t, w.err))
		}
	}
}

func TestSlow(t *testing.T) {
	for v, want := range map[string]bool{"": false, "0": false, "1": true} {
		w := newWorld(t)
		w.env["CSIFT_SLOW"] = v
		Main(family(func(e *Env, _ *searchOptions) error {
			if e.Slow != want {
				t.Errorf("CSIFT_SLOW=%s gives %v", v, e.Slow)
			}
			return nil
		}), []string{"csift-list"}, w.System)
	}
}

func TestCommand(t *testing.T) {
	small, front := &Env{}, &Env{Front: true}
	tests := []struct {
		verb  string
		args  []string
		small string
		front string
	}{
		{"show", []string{"@5d0c1f3e:90"}, "csift-show @5d0c1f3e:90", "csift show @5d0c1f3e:90"},
		{"agents", []string{"."}, "csift-list agents .", "csift agents ."},
		{"search", []string{"it's", "", "a b"}, `csift-search 'it'\''s' '' 'a b'`, `csift search 'it'\''s' '' 'a b'`},
		{"foo", nil, "csift-foo", "csift foo"},
	}
	if got := (&Env{homeFlag: "a dir"}).Command("show", "@5d0c1f3e:90"); got != "csift-show @5d0c1f3e:90 --claude-home 'a dir'" {
		t.Errorf("with a home: %s", got)
	}
	for _, tt := range tests {
		if got := small.Command(tt.verb, tt.args...); got != tt.small {
			t.Errorf("got %s, want %s", got, tt.small)
		}
		if got := front.Command(tt.verb, tt.args...); got != tt.front {
			t.Errorf("got %s, want %s", got, tt.front)
		}
	}
}

var _ io.Writer = (*stdio.Out)(nil)
var _ = row.NewWriter

func TestAgain(t *testing.T) {
	for _, tt := range []struct{ argv, want string }{
		{"csift-list --cap 3", "csift-list --cap 0"},
		{"csift-list . x -t user --cap=3 -i --max-count -1", "csift-list . x -t user -i --max-count=-1 --cap 0"},
		{"csift list -Users-x . --turn=-3.. --claude-home /h --format text", "csift list -Users-x . --turn=-3.. --format=text --cap 0 --claude-home /h"},
		{"csift-list a -i -- -b c", "csift-list a -i --cap 0 -- -b c"},
	} {
		var got string
		w := newWorld(t)
		Main(family(func(e *Env, _ *searchOptions) error {
			got = e.Again("--cap", "0")
			return nil
		}), strings.Fields(tt.argv), w.System)
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.argv, got, tt.want)
		}
	}
	if got := (&Env{stdinUsed: "-"}).Again("--cap", "0"); got != "--cap 0" {
		t.Errorf("from stdin: %s", got)
	}
}
