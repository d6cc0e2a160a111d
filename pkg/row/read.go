package row

import (
	"bytes"
	"fmt"
	"io"
	"strings"

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
	Ref              // of a row; empty when a line of text gave only an address
	Kind  string     // the row's kind, "hit" for a hit of an exchange, "" for a line of text
	Token addr.Token // of a line of text; its Kind is 0 for a row
	ID    string     // the id as the stream gave it: whole from a row, often a prefix from text
	Line  int        // physical line, 0 when the row is not about one record
	UUID  string     // of that record, "" when not said
	Range addr.Range // lines or turns, addr.NoRange for all
}

// Word returns the transcript that the item names as a target word: "@id", or
// "@path" when the id alone would not do.
func (it Item) Word() string {
	if it.Token.Kind != 0 {
		t := it.Token
		t.Range = addr.Range{}
		return t.String()
	}
	return addr.For(it.ID, it.Transcript)
}

// Source is what a stream named.
type Source struct {
	Form         Form
	Command      string // of the first header: which tool wrote the rows
	Header       bool   // a header was there
	Summary      bool   // a summary was there
	Items        []Item
	Rows         int      // rows read, header and summary not counted
	Skipped      int      // rows that name no transcript or record
	Torn         bool     // the last line was cut: the upstream died
	Bad          int      // further lines that could not be read
	DroppedByCap int      // what the upstream left out under its cap
	Unnamed      int      // what it says that it matched, and wrote no row of
	Notes        []string // what a reader of the answer should know about its input
	Payload      *Payload // of a hook, nil for every other form

	skippedKinds string // kind of the first row that was skipped
	badAt        int    // line number of the first bad line
	badLine      string
	passed       int // lines of text at column 0 that are no address
}

// Payload is the part of a hook payload that verbs use.
type Payload struct {
	Event           string // hook_event_name
	SessionID       string // the session's, also for an event inside a subagent
	Transcript      string // transcript_path, the session's as well
	Cwd             string
	AgentID         string // of the subagent the event fired in
	AgentTranscript string // agent_transcript_path, at SubagentStop
}

// Read reads what another tool, a hook or a person put into r. The first line that is
// not blank decides the form: a csift row or header, a hook payload, or an address; a
// *StrangeError quotes anything else, and ErrEmpty says that there was no such line.
// An exchange stands for its hits, or for its turn when it has none; a turn heading of
// a text answer for the hit lines below it, or for its turn. A line of several addresses and nothing else stands for all of
// them. Of text a last line without a line end is cut and not taken, unless it is the only one and an address. Everything that was amiss
// later on is counted in the Source and told in its Notes, and the rest is given.
func Read(r io.Reader) (Source, error) { return read(r, false) }

// ReadList reads a list of ids as for --sessions-from: words divided by blanks and line
// ends, or anything that Read reads. An empty list is no error. A word that is no id is
// a *StrangeError wherever it stands.
func ReadList(r io.Reader) (Source, error) {
	src, err := read(r, true)
	if err == ErrEmpty {
		return Source{}, nil
	}
	return src, err
}

func read(r io.Reader, list bool) (Source, error) {
	var src Source
	in := newLines(r)
	first, err := in.nextFilled()
	if err != nil {
		return src, err
	}
	if first == nil {
		return src, ErrEmpty
	}
	switch {
	case first[0] == '{':
		err = src.readRows(in, first)
	case list:
		err = src.readList(in, first)
	default:
		err = src.readText(in, first)
	}
	if err == nil {
		src.tell()
	}
	return src, err
}

// strange returns the error that quotes line.
func strange(line []byte) error { return &StrangeError{Line: quotable(line)} }

// quotable cuts a line to what fits into a message.
func quotable(line []byte) string {
	const most = 80
	s := strings.ToValidUTF8(string(line[:min(len(line), 8*most)]), "\uFFFD")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// bad counts a line that could not be read.
func (s *Source) bad(in *lines, line []byte) {
	if s.Bad++; s.Bad == 1 {
		s.badAt, s.badLine = in.n, quotable(line)
	}
}

// tell puts what was amiss into words.
func (s *Source) tell() {
	note := func(format string, a ...any) { s.Notes = append(s.Notes, fmt.Sprintf(format, a...)) }
	if s.Form == RowForm && !s.Torn {
		switch {
		case !s.Header && !s.Summary:
			note("stdin has no header and no summary: what the upstream left out is not known")
		case !s.Summary:
			note("stdin has no summary: what the upstream left out is not known")
		case !s.Header:
			note("stdin has no header")
		}
	}
	if s.DroppedByCap > 0 {
		note("the upstream left out %d under its cap (dropped_by_cap)", s.DroppedByCap)
	}
	if s.Unnamed > 0 {
		note("the upstream matched %d and no row says which: it counted them (-c), or they were filtered out on the way", s.Unnamed)
	}
	if s.Skipped > 0 {
		note("%s on stdin %s no transcript and %s passed over (the first is of kind %q)",
			count(s.Skipped, "row"), plural(s.Skipped, "names", "name"), plural(s.Skipped, "was", "were"), s.skippedKinds)
	}
	if s.passed > 0 {
		note("%s on stdin %s not with an address and %s passed over",
			count(s.passed, "line"), plural(s.passed, "starts", "start"), plural(s.passed, "was", "were"))
	}
	if s.Bad > 0 {
		note("%s on stdin could not be read and %s passed over; the first is line %d: %q",
			count(s.Bad, "line"), plural(s.Bad, "was", "were"), s.badAt, s.badLine)
	}
	if s.Torn && s.Form == TextForm {
		note("the last line on stdin is cut (it has no line end), the upstream died: this answers for the %s that came", count(s.Rows, "row"))
	} else if s.Torn {
		note("the last line on stdin is cut, the upstream died: this answers for the %s that came", count(s.Rows, "row"))
	}
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun, noun+"s")) }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// lines reads physical lines of any length.
type lines struct {
	r    io.Reader
	buf  []byte // bytes read, from at on not yet given
	at   int
	n    int  // number of the line given last
	torn bool // that line ended with the stream, not with a line end
	err  error
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, 0, 64<<10)} }

// next returns the next line without its end, nil after the last one. The bytes are
// good until the next call.
func (l *lines) next() ([]byte, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.at+searched:], '\n'); i >= 0 {
			line := l.buf[l.at : l.at+searched+i]
			l.at += searched + i + 1
			l.n++
			return trimEnd(line, l.n == 1), nil
		}
		searched = len(l.buf) - l.at
		if l.err != nil {
			break
		}
		l.fill()
	}
	if l.err != io.EOF {
		return nil, l.err
	}
	if searched == 0 {
		return nil, nil
	}
	line := l.buf[l.at:]
	l.at = len(l.buf)
	l.n++
	l.torn = true
	return trimEnd(line, l.n == 1), nil
}

// fill reads more, after making room: it moves what is left to the front, and grows
// the buffer when that is not enough.
func (l *lines) fill() {
	if l.at > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.at:])]
		l.at = 0
	}
	if len(l.buf) == cap(l.buf) {
		l.buf = append(make([]byte, 0, 2*cap(l.buf)), l.buf...)
	}
	for tries := 0; l.err == nil; tries++ {
		n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		if l.err = err; n > 0 {
			return
		}
		if tries > 100 {
			l.err = io.ErrNoProgress
		}
	}
}

// nextFilled is next without the blank lines.
func (l *lines) nextFilled() ([]byte, error) {
	for {
		line, err := l.next()
		if err != nil || line == nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

// trimEnd cuts a carriage return and trailing NULs, and from the first line the mark
// that Windows programs put in front of UTF-8.
func trimEnd(line []byte, first bool) []byte {
	line = bytes.TrimRight(line, "\r\x00")
	if first {
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	}
	if line == nil {
		line = []byte{}
	}
	return line
}
