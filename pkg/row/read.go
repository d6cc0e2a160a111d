package row

import (
	"io"

	"csift/pkg/addr"
)

// Form says what a stream held.
type Form uint8

// The forms of a stream.
const (
	NoForm      Form = iota
	RowForm          // rows of another csift tool
	PayloadForm      // the JSON object that Claude Code gives to a hook
	TextForm         // lines that start with an address, or are an id
)

// Item is one thing that a stream names: a transcript, lines or turns of it, or one
// record.
type Item struct {
	Ref          // SessionID and Transcript are empty when a line of text gave only an address
	Kind  string // the row's kind, "" for a line of text
	Token addr.Token
	ID    string     // the id as the stream gave it: whole from a row, often a prefix from text
	Line  int        // physical line, 0 when the row is not about one record
	UUID  string     // of that record, "" when not said
	Range addr.Range // lines or turns, addr.NoRange for all
}

// Source is what a stream named.
type Source struct {
	Form         Form
	Command      string // of the header: which tool wrote the rows
	Header       bool   // a header was there
	Summary      bool   // a summary was there
	Items        []Item
	Rows         int      // rows read, header and summary not counted
	Skipped      int      // rows about no transcript
	Torn         bool     // the last line was cut: the upstream died
	Bad          int      // lines within that could not be read
	DroppedByCap int      // what the upstream left out under its cap
	Notes        []string // what a reader of the answer should know about its input
	Payload      *Payload // of a hook, nil for every other form
}

// Payload is the part of a hook payload that verbs use.
type Payload struct {
	Event           string // hook_event_name
	SessionID       string
	Transcript      string // transcript_path: the session's, also for an event inside a subagent
	Cwd             string
	AgentID         string // of the subagent the event fired in
	AgentTranscript string // agent_transcript_path, at SubagentStop
}

// Read reads what another tool, a hook or a person put into r.
func Read(r io.Reader) (Source, error) { return Source{}, ErrEmpty }

// ReadList reads a list of ids.
func ReadList(r io.Reader) (Source, error) { return Source{}, ErrEmpty }

// Word returns the item as a target word.
func (it Item) Word() string { return "@" + it.ID }
