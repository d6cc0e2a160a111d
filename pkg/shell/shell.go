// Package shell reads Bash command lines as text: which files a command
// writes, appends to, moves or removes as far as its words say (Ops), and which
// bytes it states outright (Anchors).
//
// It is not a shell. Nothing is run, expanded, globbed or looked up on a disk,
// and no command is remembered: each call stands alone, at the working
// directory that its record carries. What a command does beyond its words (a
// script it starts, a build) is not seen.
//
// What a caller must know: every path given was typed in the command. A path
// that cannot be told from the text (a variable, a glob, a relative name after
// `cd $X`) comes back exactly as typed with Resolution "unresolved", never
// joined to a guess; and a marker ("git:commit") is no path at all.
package shell

import (
	"slices"
	"strings"
)

// An Effect is what an Op does to its path, as far as the words say.
type Effect uint8

const (
	None     Effect = iota // a marker: no path, nothing stated
	Writes                 // content replaced, rewritten or created
	Appends                // content added at the end
	Removes                // gone afterwards
	Moves                  // the source of a move: gone afterwards
	MakesDir               // a directory is made
	Touches                // created when absent, content left alone
)

var effectNames = [...]string{"none", "writes", "appends", "removes", "moves", "makes-dir", "touches"}

// String names the effect in lower case.
func (e Effect) String() string {
	if int(e) < len(effectNames) {
		return effectNames[e]
	}
	return "?"
}

// Resolution classes of an Op or Anchor; a marker has none.
const (
	Absolute   = "absolute"   // typed absolute, lexically cleaned
	CwdJoined  = "cwd-joined" // relative, joined to the record's working directory
	CdTracked  = "cd-tracked" // relative, joined to a directory that the command itself went to
	Unresolved = "unresolved" // cannot be told from the text: the path stands as typed
)

// An Op is one thing a command does to one path, or a marker: a class of
// command that changes files it does not name.
type Op struct {
	// Verb is the command or, where one word is not enough, a spelling of its
	// own: rm, rmdir, mkdir, touch, tee, cp, mv, redirect, sed-i, perl-i, fmt,
	// interp-write, output (a file named by an output flag), ...
	// A marker has its class here: git, fmt, interp, pkg or extract.
	Verb string
	// Path is the resolved path; exactly what was typed, without quotes, when
	// Resolution is "unresolved"; or the marker ("git:commit").
	Path string
	// Verbatim is the typed spelling, without quotes, when it differs from Path.
	Verbatim   string
	Resolution string
	Marker     bool
	Effect     Effect
	// Pattern is a glob (doublestar, / between components) that the files match which an unresolved path may stand for;
	// "" where nothing can be said, and of every other path.
	Pattern string
}

// Ops lists what command does to files, in order of appearance; one row for
// each path and verb, with the effect that they come to. cwd is the directory
// the command started in, "" when it is not known. A command that does not parse
// to its end gives what stands before the place where it breaks.
//
// A cd counts as done, and a branch as taken; where ways part (if, case, ||, a
// loop that ends elsewhere) and do not meet again, the place is not known
// afterwards. Braces, globs and variables are never expanded. What find and
// xargs hand to a command are the patterns of find's -name tests, unresolved;
// without one there is no row. A function is read where it is called.
func Ops(command, cwd string) []Op {
	return read(command, cwd).rows()
}

// Opaque picks the markers of commands that may rewrite files that nobody
// named: formatters, interpreters, package managers, extraction, and git
// subcommands that change the work tree (git:add and git:commit do not).
func Opaque(ops []Op) []Op {
	return slices.DeleteFunc(slices.Clone(ops), func(o Op) bool { return !opaque(o) })
}

func opaque(o Op) bool {
	if !o.Marker {
		return false
	}
	sub, isGit := strings.CutPrefix(o.Path, "git:")
	return !isGit || !gitKeepsTree[sub]
}

// An AnchorKind says how an Anchor's bytes stand to the file.
type AnchorKind uint8

const (
	WriteAnchor  AnchorKind = iota + 1 // Body is the whole file afterwards
	AppendAnchor                       // Body was added to the end of the file
	ReadAnchor                         // the command's output is the lines From to To of the file
)

// Labels of anchors.
const (
	LabelHeredoc = "bash-heredoc" // the body of a here-document
	LabelWrite   = "bash-write"   // echo, printf, truncate, an empty redirect
	LabelRead    = "bash-cat"     // cat, head, sed -n
)

// An Anchor is bytes of a file that a command itself states (written or
// appended), or the promise that its output is lines of a file (read). It says
// what the command does when it succeeds; whether it did is in the result:
// a Simple command needs one that is no error, another one also an empty
// stderr and no interruption, and a read the output itself.
type Anchor struct {
	Kind                       AnchorKind
	Path, Verbatim, Resolution string // as in Op; never "unresolved"
	// Body is what was written or appended, byte exact. Nil for a read.
	Body []byte
	// From and To are the file lines a read asks for, 1-based; To 0 = to the end.
	From, To int
	Label    string
	// Simple: the whole command is this one simple command.
	Simple bool
}

// Anchors lists the bytes that command states, in order of appearance. A path
// that the command touches twice has none, nor has one that something in the
// command may rewrite without naming it.
func Anchors(command, cwd string) []Anchor {
	return read(command, cwd).anchors()
}
