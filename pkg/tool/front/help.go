package front

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"csift/pkg/cli"
)

// help prints what csift is, what verbs there are and where to read on.
func (f *front) help() int {
	var b strings.Builder
	b.WriteString(`csift: search and read the transcripts of Claude Code

Usage:
  csift [--claude-home DIR] [--cross-compactions N|all] VERB [ARGUMENT...]
  csift help [VERB]
  csift --list | --exec-path | --version

Verbs:
`)
	width := 0
	all := f.entries()
	for _, e := range all {
		width = max(width, utf8.RuneCountInString(e.name))
	}
	for _, e := range all {
		summary := e.summary
		if summary == "" {
			summary = e.path
		}
		fmt.Fprintf(&b, "  %-*s  %s\n", width, e.name, summary)
	}
	b.WriteString(`
Each verb is also a small binary, csift-VERB, that makes a pipeline with the others:
csift-list . | csift-search TODO | csift-show. In a pipe the small binaries speak rows,
one JSON object a line; csift always speaks text, to people and models.

A program called csift-foo, in any language, is the verb foo when it lies beside
csift, in ../libexec/csift, on PATH, or where CSIFT_EXEC_PATH says.

Examples:
  csift list .
      the sessions of the current directory, with their first and last words
  csift search TODO .
      every turn of them in which TODO occurs
  csift show @5d0c1f3e:90
      line 90 of the session whose id starts with 5d0c1f3e

Flags:
  --claude-home DIR            the Claude Code home to read; every verb takes it too
  --cross-compactions N|all    how many compactions the walk up a conversation may
                               cross; every verb takes it too
  --list                       each verb, what it does, and the program that holds it
  --exec-path                  the directory of those programs
  -h, --help                   print this help
  --version                    print the version

Exit status:
  126   the program of the verb cannot be run
  127   there is no such verb
  else  that of the verb

See also:
  csift help VERB is the manual of a verb.
`)
	return cli.Print(cli.FrontName, f.sys, b.String())
}

// list is the text of --list: a verb a line with its summary and its program.
func (f *front) list() string {
	all := f.entries()
	name, summary := 0, 0
	for _, e := range all {
		name = max(name, utf8.RuneCountInString(e.name))
		summary = max(summary, utf8.RuneCountInString(e.summary))
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", name, e.name, summary, e.summary, e.path)
	}
	return b.String()
}
