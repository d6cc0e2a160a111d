// Package row is the envelope that csift's tools speak to each other: JSON lines, a
// header first, rows that each carry a kind, a summary last. It is the only place
// that writes JSON to a pipe, and the only one that reads what a pipe brings: rows, a
// hook payload, or the addresses of a text answer. It knows no verb: a verb's own keys
// live in structs of the verb, which embed Ref.
//
// The one invariant: what a Writer prints is one valid UTF-8 JSON object a line,
// whatever bytes the strings in it hold, and what it printed can be read back.
package row

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/segmentio/encoding/json"
)

// Ref says which transcript a row is about. Every row about a transcript embeds it,
// right after its kind.
type Ref struct {
	// SessionID is the transcript's own id: a session's uuid or a subagent's id.
	SessionID string `json:"session_id"`
	// IsSubagent is true for the transcript of a subagent.
	IsSubagent bool `json:"is_subagent"`
	// ParentSessionID is the session a subagent belongs to; of a session, itself.
	ParentSessionID string `json:"parent_session_id"`
	// Transcript is the path of the transcript.
	Transcript string `json:"transcript"`
	// Path is what the row is about: the transcript again, or a file that the session
	// edited, backed up or wrote.
	Path string `json:"path"`
}

// The kinds of row that belong to the envelope itself.
const (
	HeaderKind  = "header"
	SummaryKind = "summary"
)

// A Writer prints rows, one write to the stream below for each.
type Writer struct {
	w   io.Writer
	buf []byte
}

// NewWriter returns a Writer over w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write prints v, a struct or map whose first key should be kind, as one line. An
// error is the stream's, or that v cannot be said in JSON (NaN, a channel).
func (w *Writer) Write(v any) error {
	b, err := appendValue(w.buf[:0], v)
	if err != nil {
		return err
	}
	w.buf = append(b, '\n')
	_, err = w.w.Write(w.buf)
	if cap(w.buf) > maxKept {
		w.buf = nil
	}
	return err
}

// maxKept bounds the buffer that a Writer keeps after one huge row.
const maxKept = 1 << 20

// Append appends v in JSON to dst, without a line end. What cannot be said in JSON
// becomes null.
func Append(dst []byte, v any) []byte {
	b, err := appendValue(dst, v)
	if err != nil {
		return append(dst, "null"...)
	}
	return b
}

func appendValue(dst []byte, v any) ([]byte, error) {
	at := len(dst)
	b, err := json.Append(dst, v, json.SortMapKeys)
	if err != nil {
		return dst, fmt.Errorf("cannot encode a row: %w", err)
	}
	return repair(b, at), nil
}

// repair makes b[at:] one line of valid UTF-8. Only a RawMessage can bring a line
// break (between tokens, where a blank means the same) or broken UTF-8 (inside a
// string, where U+FFFD stands for it).
func repair(b []byte, at int) []byte {
	for _, c := range [...]byte{'\n', '\r'} {
		for i := at; i < len(b); i++ {
			k := bytes.IndexByte(b[i:], c)
			if k < 0 {
				break
			}
			i += k
			b[i] = ' '
		}
	}
	if utf8.Valid(b[at:]) {
		return b
	}
	return append(b[:at:at], bytes.ToValidUTF8(b[at:], []byte("\uFFFD"))...)
}

// ErrEmpty is the error of a stream that held nothing but blank lines.
var ErrEmpty = errors.New("nothing on stdin")

// StrangeError is the error of a stream whose first line is nothing csift reads.
type StrangeError struct {
	Line string // the line, cut to a length that can be quoted
}

// Error quotes the line.
func (e *StrangeError) Error() string {
	return fmt.Sprintf("this is no csift row, hook payload or address: %q", e.Line)
}
