package fileops

import (
	"time"

	"csift/pkg/replay"
	"csift/pkg/transcript"
)

// Op is what a Mutation was done with. There is no op "create": see Mutation.Create.
type Op string

// The ops. External is a change that no call of the session made: a file-history version rose and nothing wrote the file
// in between. It is told of Claude Code's own settings files only.
const (
	Edit         Op = "edit"
	MultiEdit    Op = "multi_edit"
	Write        Op = "write"
	NotebookEdit Op = "notebook_edit"
	Bash         Op = "bash"
	External     Op = "external_write"
)

// Mutation is one change of one file. A call of a file tool whose result is an error is none; one whose result is not in
// the transcript is.
type Mutation struct {
	At         replay.Place // of the record with the call; of an external write the file-history line
	Path       string       // as the call states it; of a shell command resolved as far as its words say
	Op         Op
	Create     bool   // the result says that the file was made
	Heuristic  bool   // read from the words of a command: what it really did is not known
	Marker     bool   // Path is no path but a class of commands, "git:commit"
	Verb       string // of a shell command: rm, redirect, ... ; of a marker its class
	Resolution string // absolute, cwd-joined, cd-tracked, unresolved; "" for anything but a path of a command's words
	Verbatim   string // the path as typed when Path is not that
	Errored    bool   // the command failed: which parts of it ran cannot be known
	Detail     string // of an external write: the versions, and since when; of a command's change that is no guess: why
	Call       string // tool use id, "" for an external write
	Done       Record // the result; zero when there is none, and for an external write
	Copies     []int  // lines that carry the record of At earlier in the file
}

// Record names one record of a transcript.
type Record struct {
	Line int    // 1-based, 0 for none
	UUID string // "" when it is not known
}

// Structured reports whether a file tool made the change.
func (m *Mutation) Structured() bool { return m.Op != Bash && m.Op != External }

// Boundary is an edit that Claude Code turned down because the file was not as the model had read it.
type Boundary struct {
	At     replay.Place // of the result that says so
	Path   string       // of the call
	Cause  string       // replay.CauseModifiedSinceRead
	Call   string
	Called Record // the call
	Copies []int
}

// Facts are what both readers tell of a transcript as a whole.
type Facts struct {
	Lines   int
	Skipped int  // lines that are not blank and hold no whole record, as far as lines had to be looked at
	Found   bool // its structure was needed, so that the rest is known
	Turns   int
	Chain   transcript.Chain // how its conversation was found
	Asked   []int            // per record of Source.Wanted: the turn that it stands in, -1 when it is not there
}

// Changes is what a transcript says it did to files, in file order.
type Changes struct {
	Facts
	Mutations  []Mutation
	Boundaries []Boundary
}

// History is what a transcript says about one file: the events of its replay in file order.
type History struct {
	Target int    // index of the first target that the path matches
	Path   string // in one spelling for all events; relative only when no record says where
	Events []replay.Event
}

// Command is a call of a shell that may have changed files that it does not name.
type Command struct {
	At    replay.Place
	Class string // the marker: "fmt:cargo", "git:checkout"; "PowerShell" for a call of that tool
	Text  string // the command
}

// Recall is what a transcript says about the targets.
type Recall struct {
	Facts
	Files  []History // by target, then by path
	Shell            // of a transcript without events only where Options.Shells asks for it
	Copies []error   // copies of the file history that are there and could not be read: *fs.PathError
}

// Shell is the calls of a shell whose effect on files is not known.
type Shell struct {
	Opaque     []Command // in file order
	PowerShell []Command
}

// Options choose how transcripts are read.
type Options struct {
	Slow      bool   // the oracle: one goroutine, plain reads, every line parsed
	Crossings int    // the budget of --cross-compactions
	Root      string // Claude home, for the backups of its file history; "" takes the home that a transcript lies in
	Shells    bool   // Events: tell the Shell of every transcript, also of those that mention no target
	Done      func() // called after each transcript, from any goroutine; may be nil
}

// Source is one transcript.
type Source struct {
	Path   string
	InLane bool     // a subagent's own transcript
	ID     string   // its own id
	Turned bool     // its turns are wanted, whatever is found
	Wanted []Record // records that are asked for, by uuid where that is known: it is told where they stand
}

// Window is a part of a transcript by turns and by time. The zero Window is everything.
type Window struct {
	Timed        bool // Since and Until hold, inclusive; a zero bound is open
	Since, Until time.Time
	Turned       bool // From and To hold
	From, To     int  // turns, inclusive; From > To is none
}

// Has reports whether something is in the window. What is abandoned counts as in the turn that it stands in by position;
// what has no time is in no timed window.
func (w *Window) Has(p *replay.Place) bool {
	if w.Turned && (p.OrderTurn < w.From || p.OrderTurn > w.To) {
		return false
	}
	if !w.Timed {
		return true
	}
	at := p.Time
	return !at.IsZero() && (w.Since.IsZero() || !at.Before(w.Since)) && (w.Until.IsZero() || !at.After(w.Until))
}
