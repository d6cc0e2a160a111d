// Package cli is the command kit: it turns an argument list into a verb, its options
// and an Env to run in, and an error into words and an exit code. Help, manual pages
// and completions are rendered from the same values. It knows no verb and reads no
// transcript: rows on standard input come out as row.Items, for the verb to resolve.
//
// The one invariant: everything a verb prints goes through its Env, so that data and
// notes keep their order, a closed pipe stays quiet and every other failed write is
// reported.
package cli

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
)

// Version is what --version prints. It moves with every change of a flag, a field, a
// default or a help text, together with CHANGELOG.md.
const Version = "0.1.0"

// FrontName is the name of the multiplexer, and argv[0] of a tool that it started.
const FrontName = "csift"

// A Tool is one verb.
type Tool struct {
	Name    string // the verb: search
	Summary string // one line without a period
	Usage   string // what follows the name: "[PATTERN] [TARGET...] [FLAG...]"
	Long    string // a few paragraphs of plain text, separated by blank lines
	// New returns a pointer to a fresh options struct with go-flags tags (long, short,
	// value-name, description, default, choice, hidden) and the tag of this package:
	// words:"a,b" lists the values of a short flag that may stick to it (-tuser). Every
	// other flag-like word of letters, digits and dashes is a project directory.
	New func() any
	// Run answers. opts is what New returned, filled in.
	Run func(ctx context.Context, env *Env, opts any) error
	// Payload reports whether these options ask for a bare payload (a count, ids, raw
	// lines), which no default format may change. nil: never.
	Payload    func(opts any) bool
	Examples   []Example
	Rows       string   // how rows flow in and out, for the help
	ExitStatus string   // lines "CODE  meaning" besides the ones every tool has
	See        []string // names of related verbs

	StdinTargets bool // takes rows from stdin as targets, so "-" is one of its targets
	NeedsDash    bool // and only for "-": it never guesses that a pipe on stdin is meant
	Span         bool // a session named by a target brings its subagents along
	OneTarget    bool // a plain target of it names exactly one transcript: @all is none
	Hidden       bool // answers to its name and is not listed
}

// An Example is a command and what it does. Command is written without the name of the
// program: "search carry . -t user"; help spells it the way the tool was called.
type Example struct {
	Command string
	Text    string
}

// A Family is one small binary: its verbs, the first of which needs no verb word.
type Family struct {
	Name    string // csift-list
	Summary string // one line without a period
	Tools   []*Tool
	// Home finds the Claude Code home from --claude-home and the environment. When it
	// is nil, Env.Home is the flag as typed.
	Home func(flag string, getenv func(string) string) (string, error)
}

// Tool returns the verb of that name, or nil.
func (f Family) Tool(name string) *Tool {
	for _, t := range f.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// A call is an argument list understood as far as the verb.
type call struct {
	prog  string // what errors start with
	front bool   // called as csift
	tool  *Tool  // nil when the verb is not of this family
	verb  string // as typed, "" when the name or the default decided
	args  []string
}

// ProgramName returns the name a program was called by: the last element of argv[0],
// without the .exe of Windows.
func ProgramName(argv0 string) string {
	name := filepath.Base(filepath.ToSlash(argv0))
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".exe") {
		name = strings.TrimSuffix(name, ext)
	}
	if runtime.GOOS == "windows" {
		name = strings.ToLower(name) // as typed, and in any case
	}
	if name == "" || name == "." {
		return FrontName
	}
	return name
}

// understand finds the verb: from the word that the front passes on, from the name of
// a link (csift-agents), from the first argument of a family of several verbs, or the
// family's first.
func (f Family) understand(argv []string) call {
	c := call{prog: f.Name, tool: f.Tools[0]}
	if len(argv) == 0 {
		return c
	}
	c.prog, c.args = ProgramName(argv[0]), argv[1:]
	if t := f.Tool(strings.TrimPrefix(c.prog, FrontName+"-")); t != nil && c.prog != t.Name && c.prog != f.Name {
		c.tool = t
		return c
	}
	c.front = c.prog == FrontName
	if len(f.Tools) < 2 && !c.front {
		return c
	}
	at := SkipRootFlags(c.args)
	if at == len(c.args) {
		return c
	}
	word := c.args[at]
	t := f.Tool(word)
	if t == nil && !c.front {
		return c
	}
	c.tool, c.verb = t, word
	rest := append([]string(nil), c.args[:at]...)
	c.args = append(rest, c.args[at+1:]...)
	return c
}

// SkipRootFlags returns the index of the first argument that is no root flag with its
// value: where the verb stands when there is one.
func SkipRootFlags(args []string) int {
	for i := 0; i < len(args); i++ {
		switch name, _, joined := strings.Cut(args[i], "="); {
		case name != "--claude-home" && name != "--cross-compactions":
			return i
		case !joined:
			i++
		}
	}
	return len(args)
}
