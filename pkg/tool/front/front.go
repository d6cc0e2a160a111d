// Package front is the body of csift, the multiplexer: it finds the program that
// holds a verb and becomes it. It speaks to people and models; what a verb does is
// the verb's. It reads no transcript and no standard input.
//
// The one invariant: a verb is given argv[0] "csift" and its own name as argv[1], so
// that one program answers the same whether it was started or called directly, except
// for the name it goes by and the format it chooses.
package front

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"csift/pkg/cli"
)

// Exit codes of the multiplexer, as a shell has them.
const (
	exitCannotRun = 126 // found, and cannot be run
	exitNotFound  = 127 // no such verb
)

// A Verb is one row of the table of verbs.
type Verb struct {
	Name    string
	Summary string
	Binary  string // the family that holds it: csift-list
	Hidden  bool   // answers to its name and is not listed
}

// Table returns the verbs of families, in order.
func Table(families ...cli.Family) []Verb {
	var all []Verb
	for _, f := range families {
		for _, t := range f.Tools {
			all = append(all, Verb{Name: t.Name, Summary: t.Summary, Binary: f.Name, Hidden: t.Hidden})
		}
	}
	return all
}

// renamed names the successor of a verb that is called something else now.
var renamed = map[string]string{"turns": "verbatim"}

// A front is one run of the multiplexer.
type front struct {
	verbs []Verb
	sys   cli.System
	host  host
	// inside runs a verb of this very program; nil when every verb is a program of its
	// own.
	inside func(binary string, argv []string) int
	places []string // directories to look in, in order
	self   os.FileInfo
}

// host is what the front needs of the process besides its streams.
type host struct {
	executable func() (string, error)
	// become replaces this process by the program at path, or runs it and returns its
	// exit code where processes cannot be replaced. It returns an error when the program
	// cannot be started.
	become func(path string, argv []string) (int, error)
}

var thisHost = host{executable: os.Executable, become: become}

// Main is csift where each family is a program of its own. verbs are those that the
// families beside it hold.
func Main(verbs []Verb, argv []string, sys cli.System) int {
	return newFront(verbs, nil, argv, sys, thisHost).separate(argv)
}

func newFront(verbs []Verb, inside func(string, []string) int, argv []string, sys cli.System, h host) *front {
	f := &front{verbs: verbs, sys: sys, host: h, inside: inside}
	f.look(argv)
	return f
}

func (f *front) separate(argv []string) int {
	if name := calledAs(argv); name != cli.FrontName && strings.HasPrefix(name, cli.FrontName+"-") {
		return f.fail(name, cli.WithHint(cli.Code(exitCannotRun, fmt.Errorf("this is a link to csift, which holds no verb itself")),
			"install the "+name+" binary, or build csift with -tags multicall"))
	}
	return f.run(argv)
}

// Multicall is csift with all families inside. It goes by the name it is called: a
// family's (csift-list), a verb's (csift-agents), or csift with the verb as a word.
func Multicall(families []cli.Family, argv []string, sys cli.System) int {
	return multicallOn(families, argv, sys, thisHost)
}

func multicallOn(families []cli.Family, argv []string, sys cli.System, h host) int {
	byBinary := func(binary string, argv []string) int {
		i := slices.IndexFunc(families, func(f cli.Family) bool { return f.Name == binary })
		return cli.Main(families[i], argv, sys)
	}
	f := newFront(Table(families...), byBinary, argv, sys, h)
	name := calledAs(argv)
	verb, ok := strings.CutPrefix(name, cli.FrontName+"-")
	if !ok {
		return f.run(argv)
	}
	for _, v := range f.verbs {
		if v.Binary == name || v.Name == verb {
			return byBinary(v.Binary, argv)
		}
	}
	return f.fail(name, f.noSuchVerb(verb))
}

func calledAs(argv []string) string {
	if len(argv) == 0 {
		return cli.FrontName
	}
	return cli.ProgramName(argv[0])
}

// run does what the words after the name say.
func (f *front) run(argv []string) int {
	var args, passed []string
	if len(argv) > 0 {
		args = argv[1:]
	}
	for len(args) > 0 {
		word := args[0]
		name, value, joined := strings.Cut(word, "=")
		switch name {
		case "--claude-home", "--cross-compactions":
			if !joined && len(args) < 2 {
				return f.fail(cli.FrontName, seeHelp(cli.Usagef("%s needs a value", name)))
			}
			if args = args[1:]; !joined {
				value, args = args[0], args[1:]
			}
			passed = append(passed, name+"="+value)
			continue
		}
		rest := args[1:]
		if word == "--" { // ends the flags of csift itself
			if args = rest; len(args) > 0 && strings.HasPrefix(args[0], "-") {
				return f.call(args[0], nil) // no verb is called that
			}
			continue
		}
		if err := tooMany(word, rest); err != nil {
			return f.fail(cli.FrontName, seeHelp(err))
		}
		switch {
		case word == "--version":
			return cli.Print(cli.FrontName, f.sys, cli.VersionLine())
		case word == "--list":
			return cli.Print(cli.FrontName, f.sys, f.list())
		case word == "--exec-path":
			return cli.Print(cli.FrontName, f.sys, f.execPath()+"\n")
		case isHelp(word) && (len(rest) == 0 || isHelp(rest[0])):
			return f.help()
		case isHelp(word):
			return f.call(rest[0], []string{"--help"})
		case strings.HasPrefix(word, "-"):
			return f.fail(cli.FrontName, unknownFlag(name))
		}
		return f.call(word, append(passed, rest...))
	}
	return f.help()
}

// ownFlags are the flags that csift itself takes.
var ownFlags = []string{"--claude-home", "--cross-compactions", "--list", "--exec-path", "--help", "--version"}

func unknownFlag(name string) error {
	err := cli.Usagef("unknown flag %s before the verb", name)
	if near, ok := cli.Nearest(name, ownFlags); ok {
		return cli.WithHint(err, "did you mean "+near+"?", "see csift help")
	}
	return cli.WithHint(err, "flags of a verb come after it: csift VERB "+name, "see csift help")
}

func isHelp(word string) bool { return word == "help" || word == "--help" || word == "-h" }

// tooMany reports words behind one that takes none, or only one.
func tooMany(word string, rest []string) error {
	switch {
	case isHelp(word) && len(rest) > 1:
		return cli.Usagef("%s takes one verb, not %q as well", word, rest[1])
	case (word == "--version" || word == "--list" || word == "--exec-path") && len(rest) > 0:
		return cli.Usagef("%s takes no word behind it, and %q follows", word, rest[0])
	}
	return nil
}

// call runs a verb with its arguments: inside this program, as its family's program,
// or as any csift-VERB that is found.
func (f *front) call(verb string, args []string) int {
	tries := []found{}
	if i := slices.IndexFunc(f.verbs, func(v Verb) bool { return v.Name == verb }); i >= 0 {
		v := f.verbs[i]
		argv := append([]string{cli.FrontName, verb}, args...)
		if f.inside != nil {
			return f.inside(v.Binary, argv)
		}
		at := f.find(v.Binary)
		if at.path != "" {
			return f.start(at.path, argv)
		}
		tries = append(tries, at)
	}
	own := cli.FrontName + "-" + verb
	if isVerbName(verb) && (len(tries) == 0 || tries[0].name != own) {
		at := f.find(own)
		if at.path != "" {
			return f.start(at.path, append([]string{own}, args...))
		}
		tries = append(tries, at)
	}
	return f.fail(cli.FrontName, f.notFound(verb, tries))
}

func (f *front) start(path string, argv []string) int {
	code, err := f.host.become(path, argv)
	if err != nil {
		return f.fail(cli.FrontName, cli.Code(exitCannotRun, fmt.Errorf("cannot run %s: %w", path, err)))
	}
	return code
}

// notFound says why no program for the verb was found, and what there is instead.
func (f *front) notFound(verb string, tries []found) error {
	for _, at := range tries {
		switch {
		case at.denied != "":
			return cli.Code(exitCannotRun, fmt.Errorf("cannot run %s: it is not executable", at.denied))
		case at.self != "":
			return cli.WithHint(cli.Code(exitCannotRun, fmt.Errorf("cannot run %s: it is csift itself, which holds no verb", at.self)),
				"install the "+at.name+" binary, or build csift with -tags multicall")
		}
	}
	for _, v := range f.verbs {
		if v.Name == verb {
			return cli.WithHint(cli.Code(exitNotFound, fmt.Errorf("cannot find %s, which holds %s; looked in %s", v.Binary, verb, strings.Join(f.places, ", "))),
				"CSIFT_EXEC_PATH names the directory it is in")
		}
	}
	return f.noSuchVerb(verb)
}

func (f *front) noSuchVerb(verb string) error {
	var names []string
	for _, e := range f.entries() {
		names = append(names, e.name)
	}
	if to, ok := renamed[verb]; ok {
		err := cli.Code(exitNotFound, fmt.Errorf("%s is called %s now", verb, to))
		if !slices.Contains(names, to) {
			return cli.WithHint(err, to+" is a verb of a later release")
		}
		return cli.WithHint(err, "say csift "+to)
	}
	err := cli.Code(exitNotFound, fmt.Errorf("there is no verb %q\nthere are: %s", verb, strings.Join(names, ", ")))
	if verb == "version" {
		return cli.WithHint(err, "the version: csift --version")
	}
	if near, ok := cli.Nearest(verb, append(names, "help")); ok {
		return cli.WithHint(err, "did you mean "+near+"?")
	}
	return seeHelp(err)
}

func seeHelp(err error) error { return cli.WithHint(err, "see csift help") }

func (f *front) fail(prog string, err error) int { return cli.Report(prog, f.sys, err) }
