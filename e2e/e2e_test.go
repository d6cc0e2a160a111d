// Package e2e_test runs the tools as a person, a shell and a program run them:
// the scripts of testdata/script over the multicall map, each command a
// process of its own with real pipes.
//
// A script is a txtar file named for what it shows, testdata/script/VERB/WHAT.txtar;
// the language is that of rogpeppe/go-internal/testscript. `make e2e SCRIPT=search/words`
// runs one. What stands beyond that language:
//
//	transcript FILE        writes what the notation in FILE describes (package
//	                       csift/e2e/specimen) below $CLAUDE_CONFIG_DIR and sets $NAME to
//	                       each id, ${NAME.line} to its line, ${NAME.path} to the
//	                       transcript's path, ${NAME.8} to the first eight digits
//	rows CHECK             stdout is an envelope, and CHECK holds of its rows (rows_test.go)
//	addresses [N]          each line of stdout at column 0 starts with an address (and
//	                       there are N of them)
//	plain FILE             writes the last stdout into FILE, with $WORK where the script's
//	                       directory stands in it
//	exec code N CMD        runs CMD and succeeds when it exits with N
//	exec fds KEY=KIND... CMD    runs CMD with each descriptor of a kind (fds_test.go)
//	exec pty CMD                runs CMD on a terminal
//
// exec gives a tool an empty pipe on stdin and pipes on stdout and stderr, so a
// small binary answers in rows; csift answers in text. `exec sh -c '...'` makes pipelines. Variables:
// CLAUDE_CONFIG_DIR is $WORK/home, $SAMPLE the sample home, $VERSIONS and
// $CASES the folders of testdata; the zone is UTC.
package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"csift/e2e/specimen"
	"csift/pkg/cli"
	"csift/pkg/tool/front"
	"csift/pkg/tool/list"
	"csift/pkg/tool/recover"
	"csift/pkg/tool/search"
	"csift/pkg/tool/show"
)

// commands are the programs that scripts may run, by the name they are called.
// Those that need Unix are added in fds_test.go.
var commands = map[string]func(){"code": code}

// families are the tools under test; csift is the multicall front of them.
var families = []cli.Family{list.Family, search.Family, show.Family, recover.Family}

func init() {
	run := func() { os.Exit(front.Multicall(families, os.Args, cli.OS())) }
	commands["csift"] = run
	for _, f := range families {
		commands[f.Name] = run
		for _, t := range f.Tools { // the links that name a verb
			commands["csift-"+t.Name] = run
		}
	}
}

// code runs a command and compares its exit code: ! exec cannot tell a wrong
// command line from a file that is not there.
func code() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: code N CMD...")
		os.Exit(99)
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "code:", err)
		os.Exit(99)
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != os.Args[1] {
		fmt.Fprintf(os.Stderr, "code: exit %s, want %s\n", got, os.Args[1])
		os.Exit(99)
	}
}

func TestMain(m *testing.M) {
	testscript.Main(m, commands)
}

const scripts = "../testdata/script"

func TestScript(t *testing.T) {
	verbs, err := filepath.Glob(scripts + "/*")
	if err != nil || len(verbs) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, dir := range verbs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				Setup:               setup,
				Cmds:                customCommands,
				Condition:           condition,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				UpdateScripts:       os.Getenv("CSIFT_GOLDEN") == "update",
				Deadline:            time.Now().Add(5 * time.Minute),
			})
		})
	}
}

var customCommands = map[string]func(*testscript.TestScript, bool, []string){
	"transcript": cmdTranscript,
	"rows":       cmdRows,
	"addresses":  cmdAddresses,
	"plain":      cmdPlain,
}

func setup(env *testscript.Env) error {
	for name, dir := range map[string]string{
		"SAMPLE":   "../testdata/home",
		"VERSIONS": "../testdata/versions",
		"CASES":    "../testdata/cases",
	} {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		env.Setenv(name, abs)
	}
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("CLAUDE_CONFIG_DIR", home)
	env.Setenv("TZ", "UTC")
	return os.MkdirAll(filepath.Join(home, "projects"), 0o777)
}

// condition knows [command:NAME], whether the map has such a command.
func condition(cond string) (bool, error) {
	if name, ok := strings.CutPrefix(cond, "command:"); ok {
		return commands[name] != nil, nil
	}
	return false, os.ErrInvalid
}

func cmdTranscript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: transcript FILE")
	}
	home, err := specimen.Parse(ts.ReadFile(args[0]))
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	root := ts.Getenv("CLAUDE_CONFIG_DIR")
	ts.Check(home.Write(root))
	for name, id := range home.Names {
		ts.Setenv(name, id)
		ts.Setenv(name+".8", id[:min(8, len(id))])
	}
	for name, line := range home.Lines {
		ts.Setenv(name+".line", strconv.Itoa(line))
	}
	for name, path := range home.Paths {
		ts.Setenv(name+".path", filepath.Join(root, filepath.FromSlash(path)))
	}
}

// cmdAddresses checks that text is a full carrier: whoever reads stdout line by
// line finds an address wherever something starts at column 0.
func cmdAddresses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 1 {
		ts.Fatalf("usage: addresses [N]")
	}
	n := 0
	for i, l := range strings.Split(ts.ReadFile("stdout"), "\n") {
		switch {
		case l == "", l[0] == ' ', l[0] == '\t':
		case l[0] == '@' && len(l) > 8:
			n++
		default:
			ts.Fatalf("stdout line %d is at column 0 and no address: %q", i+1, l)
		}
	}
	if len(args) == 1 && strconv.Itoa(n) != args[0] {
		ts.Fatalf("%d addresses, want %s", n, args[0])
	}
}

// cmdPlain makes an answer comparable: its paths differ from run to run.
func cmdPlain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	out := strings.ReplaceAll(ts.ReadFile("stdout"), ts.Getenv("WORK"), "$WORK")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out), 0o666))
}
