// Package replay turns what a transcript says about one file back into the file: events in, boundaries and a buffer out.
//
// It is pure: it reads no file, knows no transcript format and no shell grammar. Whoever hands it events has already
// decided that they are about one file, that a call's result was no error, and where each record stands.
//
// The one invariant: no line is made up. As long as the events state every change of the file, or at least tell that one
// happened, each line that a Buffer asserts is the line of the file at that moment, and the Bytes of a Complete one are the
// file. A change that no event tells of makes what was known stale. Until a later event contradicts it, the buffer asserts
// what the file held before; from that event on it asserts only what the event confirms and what was seen since. A
// command that seems to have changed the file (Mutation) leaves the state before it standing on purpose, so that
// something can be recovered after an rm; a boundary says so.
//
// Three things do not stand in transcripts, and nothing here invents them: a Read and a patch show CRLF as a bare newline
// (Buffer.EndingsKnown), a patch shows a tab at a line's start as two spaces (a line that may be either is unknown, unless the
// strings of the edit prove it), and a command's output is kept without the blank lines at its ends and without the blanks
// behind its last line (Buffer.Whole).
package replay

import "time"

// Kind says what an Event is.
type Kind uint8

// The kinds of events. What each does to the buffer is said at Run.
const (
	// Read is a Read's result: Text, Start, Count, Total, Cut. Whether it shows the whole file, a window or nothing (a
	// blanked echo: HasText false, or no text where Count says there were lines) is decided here.
	Read Kind = iota + 1
	// Write is a Write's result, or a create: Text is the whole file.
	Write
	// Edit is the result of an Edit or a MultiEdit that was applied: Hunks, Edits, Original.
	Edit
	// ShellWrite is a command that states the whole file (a here-document, echo or printf into it): Text.
	ShellWrite
	// ShellAppend is a command that states what it appends: Text.
	ShellAppend
	// ShellRead is what a command printed of the file: Text is its stdout, Start the first line asked for (1 when not
	// given), Count how many lines were asked for, 0 for "to the end".
	ShellRead
	// Mutation is a command that seems to change, move or remove the file, without saying what it holds then.
	Mutation
	// Rejected is an edit that Claude Code refused because the file was modified since it was read.
	Rejected
	// Hint is a command's result that names the file as modified (staleReadFileStateHint).
	Hint
	// External is an edited_text_file attachment. Detail says more, such as that its snippet is empty.
	External
	// History is one marker of the file in the file history: Version, and the stored bytes as Text when usable.
	History
	// Notebook is a NotebookEdit: what it does to the file's lines is not followed.
	Notebook
	// Failed is a call that changed nothing and is only counted, under Note.
	Failed
)

// Place is where an event's record stands.
type Place struct {
	Line          int    // replay coordinate: SourceLine until Merge renumbers
	Session       string // id of the transcript that holds the record: a session's uuid or an agent's id
	SourceLine    int    // its line in that transcript, 1-based
	Part          int    // order among the events of one record
	UUID          string
	Turn          *int   // number of the live turn; nil when the record is in none
	OrderTurn     int    // the live turn that the record stands in or physically follows
	Survival      string // "live", "pre-cut" or "abandoned"
	AbandonedRoot *int   // line of the abandoned branch's root, nil unless abandoned
	Stamp         string // the record's timestamp as written, "" when it has none
	Time          time.Time
}

// Replacement is one old_string to new_string.
type Replacement struct {
	Old, New string
	All      bool // every occurrence
}

// Hunk is one hunk of a structuredPatch. Lines carry their mark: ' ', '-', '+', or '\' for a missing final newline.
type Hunk struct {
	OldStart, OldLines, NewStart, NewLines int
	Lines                                  []string
}

// Event is something a transcript says about the file. Which fields count depends on Kind.
type Event struct {
	Kind    Kind
	At      Place
	Text    string
	HasText bool // Text is given, be it empty

	Start, Count, Total int  // Read: startLine, numLines, totalLines as Claude Code counts (0 unknown); ShellRead: see there
	Cut                 bool // Read: truncatedByTokenCap; ShellRead: Text is whole lines, and more were printed

	Edits       []Replacement // Edit: one, or a MultiEdit's in order
	Hunks       []Hunk        // Edit: the combined patch
	Original    string        // Edit: originalFile, the whole file before it; compared, never copied from
	HasOriginal bool          // false for null and for a missing key
	Stale       bool          // Edit: staleRecovered

	Version int // History

	Create bool   // Write, Edit: there was no such file before
	Label  string // anchor label of a ShellWrite or ShellRead: bash-heredoc, bash-write, bash-cat
	Note   string // Failed: not_read, string_not_found, file_missing, ...
	Detail string // for the boundary that the event makes, such as a command's verb and how its path was resolved
}

// The causes of boundaries.
const (
	CauseModifiedSinceRead = "modified_since_read"
	CauseExternalEdit      = "external_edit"
	CauseHintModified      = "hint_modified"
	CauseExternalWrite     = "external_write"
	CauseOriginal          = "original_file_disagreement"
	CauseStaleRecovered    = "stale_recovered"
	CauseBlankedRead       = "blanked_read"
	CauseBashMutation      = "bash_mutation"
	CauseAppendUnplaced    = "bash_append_unplaced"
	CauseNotebookEdit      = "notebook_edit"
	CauseEditUnplaced      = "edit_unplaced"
)

// Boundary is a place where the file changed, or may have changed, in a way that the events do not state.
type Boundary struct {
	At            Place
	Cause         string
	Authoritative bool // said by Claude Code; false: concluded from a command's words
	Hard          bool // what was known before it is not asserted after it
	Detail        string
}

// Confidence is "authoritative" or "heuristic".
func (b Boundary) Confidence() string {
	if b.Authoritative {
		return "authoritative"
	}
	return "heuristic"
}

// Splits says that no patch may cross the boundary: the hard ones, and those that name a change of unknown content.
func (b Boundary) Splits() bool {
	switch b.Cause {
	case CauseOriginal, CauseBashMutation, CauseAppendUnplaced, CauseNotebookEdit:
		return true
	}
	return b.Hard
}

// Options say how much of the events is replayed.
type Options struct {
	Cutoff   Cutoff
	Keep     func(*Event) bool // the window; nil keeps all
	Segments bool              // fill Result.Segments
}

// Cutoff ends a replay. The zero value is the latest state; what is set is inclusive, and all that is set counts.
type Cutoff struct {
	Line int        // last replay coordinate, 0 none
	Time *time.Time // last instant; an undated event follows the dated one before it
	Turn *int       // the end of this live turn
}

// Richer is the best state that stood before a hard boundary took it away.
type Richer struct {
	Line     int // the last replay coordinate at which it stood: --at @line:N shows it
	Known    int // lines known there
	Seen     int // lines of the file there, 0 when not known
	Complete bool
	Before   Boundary // what took it away
}

// Segment is a stretch of events between two splitting boundaries, with the buffer at both ends.
type Segment struct {
	Index         int   // 1-based
	First, Last   Place // of the events in it
	PreKnown      bool  // something was known of the file before its first change
	Changed       bool  // an event in it changed the file
	Anchor        string
	Before, After *Buffer
	End           *Boundary // the boundary that closes it, nil at the end
}

// Count is one counter of a replay.
type Count struct {
	Key string
	N   int
}

// Result is what a replay found out.
type Result struct {
	Buffer     *Buffer
	Boundaries []Boundary
	Segments   []Segment
	Events     int     // replayed, Failed ones included
	Last       *Place  // the last of them
	Shown      bool    // one of them says what is in the file
	Excluded   int     // events outside the window (not those behind the cutoff) that change the file or prove a change
	Abandoned  int     // replayed ones on abandoned branches
	LastWrite  *Place  // the last event that changed the file in a known way
	Richer     *Richer // nil when the final state is as rich
	counts     counts
}
