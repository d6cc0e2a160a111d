// Package target turns what a person typed and what a pipe brought (tokens, rows,
// lists of ids) into transcripts, and the lines or turns of them that were meant.
//
// It lists the home and decides; it does not read conversations. A file is opened
// only where a rule needs its bytes: the recorded cwd of a path target's sessions,
// the owner of a subagent's file that lies beside the sessions, and the copies of
// one transcript under several project directories; for a subagent with what it
// started the links between subagents, and for @trap the calls of a shell.
//
// The invariant: whatever was named by id, file or path and does not exist is an
// error that says where it was looked for; it never becomes an empty answer. Only a
// list that was given and is empty gives an empty Set.
package target

import (
	"os"
	"path/filepath"

	"csift/pkg/addr"
	"csift/pkg/lane"
	"csift/pkg/row"
)

// Request is what a verb was asked to look at. Without Tokens, Items and lists it
// is everything under the home.
type Request struct {
	// Tokens are the target words as typed. "-" among them is passed over: what it
	// brought is in Items.
	Tokens []string
	// Items are what rows or address lines on stdin named. ItemsGiven says that stdin
	// was read, so that no Items are an empty scope and not everything.
	Items      []row.Item
	ItemsGiven bool
	// SessionsFrom are the words of --sessions-from: ids with or without @. They act
	// like typed targets. SessionsFromGiven is true when the flag was there.
	SessionsFrom      []string
	SessionsFromGiven bool
	// Subagents asks for the subagents of the sessions that typed targets name.
	Subagents bool
	// Lanes makes a session stand for its subagents however it was named: by an address, by a row as well as by a
	// target. It is for the verb that lists them.
	Lanes bool
	// One is the rule of show: a target names exactly one transcript, nothing is
	// spanned, copies are not merged, and the order is that of arrival. A target without
	// a part says nothing of what to show, so it takes nothing from the parts beside it.
	One bool

	Root   string // configuration root (claude home)
	Cwd    string // for relative paths
	Getenv func(string) string
}

// Narrow is a part of a transcript: lines or turns (Range), or one record, by line,
// uuid or both.
type Narrow struct {
	Range addr.Range
	Line  int    // 0 when Range says it, or only the uuid is known
	UUID  string // "" when not known
}

// Transcript is one file in scope.
type Transcript struct {
	Path       string
	ID         string // stem of the file, less "agent-" for a subagent
	IsSubagent bool
	// ParentID is the session it belongs to, its own id for a session, "" for a
	// subagent whose file does not say.
	ParentID string
	// ParentMissing is true for a subagent whose session's transcript is not there.
	ParentMissing bool
	// Alone says that a session is known to have no directory of its own beside its
	// file, and so no sidecars.
	Alone bool
	// AlsoAt are the other paths of the same transcript, by path. Relation is how
	// they compare: Identical, Prefix, Divergent or Unknown; "" without copies. Copies
	// that are Divergent or Unknown are in scope themselves.
	AlsoAt   []string
	Relation string
	// Narrow are the parts that were named, in order; empty is the whole transcript, and for a transcript that was named
	// whole as well it is empty but under One.
	Narrow []Narrow
	// ByPath is true when the id alone does not lead to this file: the home has others of
	// that id, merged or not, or none at all.
	ByPath bool
}

// Token gives a target word that names this transcript and no other: "@id", its id cut
// to n characters where n is not 0, or "@path" where the id does not do.
func (t *Transcript) Token(n int) string {
	id := t.ID
	if n > 0 {
		id = addr.Short(id, n)
	}
	if t.ByPath && filepath.IsAbs(t.Path) {
		return "@" + t.Path
	}
	return addr.For(id, t.Path)
}

// Ref gives the keys that a row about the transcript carries.
func (t *Transcript) Ref() row.Ref {
	return row.Ref{SessionID: t.ID, IsSubagent: t.IsSubagent, ParentSessionID: t.ParentID, Transcript: t.Path, Path: t.Path}
}

// Size looks up the size of the file in bytes.
func (t *Transcript) Size() (int64, error) {
	info, err := os.Stat(t.Path)
	if err != nil {
		return 0, FileError{Path: t.Path, Err: err}
	}
	return info.Size(), nil
}

// The relations between copies of one transcript, compared over the shorter one's
// length.
const (
	Identical = "identical"
	Prefix    = "prefix" // one goes on where the other ends
	Divergent = "divergent"
	Unknown   = "unknown" // a copy could not be read
)

// FileError is a path that could not be read, and why.
type FileError = lane.FileError

// Set is the answer to a Request.
type Set struct {
	// Transcripts are in path order, under One in order of arrival.
	Transcripts        []Transcript
	TopLevel, Subagent int // how many of them are sessions, and subagents

	Duplicates              int // copies that were merged away
	DuplicateRecordsDropped int // records (non-blank lines) in those
	Divergent               int // transcripts in scope that have a copy of other content
	UnreadableCopies        int // copies that could not be read, so nothing was merged

	// Notes are sentences for stderr, in order: lanes, copies, what a path left out.
	Notes []string
	// Failed are the directories in scope that could not be read. The rest was
	// resolved; the run should end with a failure.
	Failed []FileError

	// PrefixLen is the shortest length at which id prefixes are unique in the home:
	// 8, or where ids collide a length that ends before a dash of a uuid, at most 36.
	// See addr.Short.
	PrefixLen int
}

// Narrowed reports whether any transcript is in scope by a part of it only.
func (s *Set) Narrowed() bool {
	for i := range s.Transcripts {
		if len(s.Transcripts[i].Narrow) > 0 {
			return true
		}
	}
	return false
}
