package row

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/segmentio/encoding/json"

	"csift/pkg/addr"
)

// HitKind is the kind of an Item that is a hit of an exchange.
const HitKind = "hit"

const exchangeKind = "exchange"

// wire is a row as it comes: each key raw, so that one of a wrong type costs no more
// than itself.
type wire struct {
	Kind      json.RawMessage `json:"kind"`
	Command   json.RawMessage `json:"command"`
	SessionID json.RawMessage `json:"session_id"`
	Subagent  json.RawMessage `json:"is_subagent"`
	Parent    json.RawMessage `json:"parent_session_id"`
	Script    json.RawMessage `json:"transcript"`
	Path      json.RawMessage `json:"path"`
	Line      json.RawMessage `json:"line"`
	SrcLine   json.RawMessage `json:"source_line"` // where line counts in a merged history
	SrcID     json.RawMessage `json:"source_session_id"`
	UUID      json.RawMessage `json:"uuid"`
	Turn      json.RawMessage `json:"turn_index"`
	Hits      json.RawMessage `json:"hits"`
	Dropped   json.RawMessage `json:"dropped_by_cap"`
	Matched   json.RawMessage `json:"matched"`

	// A hook payload.
	Event       json.RawMessage `json:"hook_event_name"`
	ScriptPath  json.RawMessage `json:"transcript_path"`
	Cwd         json.RawMessage `json:"cwd"`
	AgentID     json.RawMessage `json:"agent_id"`
	AgentScript json.RawMessage `json:"agent_transcript_path"`

	// Keys of a transcript's lines and of Claude Code's registry, which are no rows.
	Type   json.RawMessage `json:"type"`
	Camels json.RawMessage `json:"sessionId"`
}

const wireFlags = json.ZeroCopy | json.DontMatchCaseInsensitiveStructFields

// maxDepth bounds the nesting of a row, as encoding/json does: the decoder recurses,
// and a stack that overflows cannot be recovered.
const maxDepth = 10000

// parse reads one JSON object from the start of b and returns what follows it.
func parse(b []byte, v any) (rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != '{' && b[0] != '[' || !shallow(b) {
		return b, false
	}
	rest, err := json.Parse(b, v, wireFlags)
	return rest, err == nil
}

// shallow reports whether b nests no deeper than maxDepth.
func shallow(b []byte) bool {
	if bytes.Count(b, []byte{'['})+bytes.Count(b, []byte{'{'}) <= maxDepth {
		return true
	}
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return false
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return true
}

// text returns a string value, "" when raw is something else.
func text(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func number(raw json.RawMessage) (int, bool) {
	n, err := strconv.Atoi(string(raw))
	return n, err == nil
}

func (w *wire) isPayload() bool { return text(w.Event) != "" && text(w.ScriptPath) != "" }

// isRow reports whether the object can be a row once it is known that the stream holds
// rows: it has a kind, or names a transcript after a filter took its kind away
// (jq '.hits[]', jq '{session_id, line}').
func (w *wire) isRow() bool {
	return (text(w.Kind) != "" || addr.IsID(text(w.SessionID))) && w.Type == nil && w.Camels == nil
}

// opensRows reports whether the object is unmistakably csift's, so that a stream that
// starts with it is believed to hold rows: many programs write a "kind", and a line of
// a transcript may have a session_id beside its type (seen at 2.1.332).
func (w *wire) opensRows() bool {
	if !w.isRow() {
		return false
	}
	switch text(w.Kind) {
	case HeaderKind:
		return text(w.Command) != ""
	case SummaryKind, "census":
		return true
	}
	return text(w.SessionID) != ""
}

func (w *wire) payload() *Payload {
	return &Payload{
		Event: text(w.Event), SessionID: text(w.SessionID), Transcript: text(w.ScriptPath), Cwd: text(w.Cwd),
		AgentID: text(w.AgentID), AgentTranscript: text(w.AgentScript),
	}
}

// ref gives the transcript of a row. Keys that are missing are taken from the row
// around it.
func (w *wire) ref(around Ref) Ref {
	r := Ref{
		SessionID: text(w.SessionID), IsSubagent: string(w.Subagent) == "true", ParentSessionID: text(w.Parent),
		Transcript: text(w.Script), Path: text(w.Path),
	}
	if r.SessionID == "" && r.Transcript == "" {
		path := r.Path
		if r = around; path != "" {
			r.Path = path
		}
		return r
	}
	if r.SessionID == around.SessionID && r.Transcript == "" {
		r.Transcript = around.Transcript
	}
	return r
}

// line gives the number of the record's line. A row about a history that was merged from several transcripts counts there;
// where its record stands is source_line, in the transcript of source_session_id.
func (w *wire) line(id string) json.RawMessage {
	if _, ok := number(w.SrcLine); !ok {
		return w.Line
	}
	if src := text(w.SrcID); src != "" && src != id {
		return nil // the row names another transcript than its record's
	}
	return w.SrcLine
}

// add takes one row into the source.
func (s *Source) add(w *wire) {
	kind := text(w.Kind)
	switch kind {
	case HeaderKind:
		if !s.Header {
			s.Command = text(w.Command)
		}
		s.Header = true
		return
	case SummaryKind:
		if n, ok := number(w.Dropped); ok && n > 0 {
			s.DroppedByCap += n
		}
		if n, ok := number(w.Matched); ok && n > 0 && s.Rows == 0 {
			s.Unnamed += n
		}
		s.Summary = true
		return
	}
	s.Rows++
	ref := w.ref(Ref{})
	if ref.SessionID == "" && ref.Transcript == "" {
		s.skip(kind)
		return
	}
	if s.Command == "agents" && (kind == "session" || kind == "run") {
		return // it heads the rows of its subagents: they are what the answer names
	}
	if s.addHits(w, ref) {
		return
	}
	it := Item{Ref: ref, Kind: kind, ID: ref.SessionID, UUID: text(w.UUID)}
	if n, ok := number(w.line(ref.SessionID)); ok && n > 0 {
		it.Line = n
	}
	if turn, ok := number(w.Turn); ok && turn >= 0 && it.Line == 0 && it.UUID == "" {
		it.Range = addr.TurnAt(turn)
	} else if kind == exchangeKind && it.Line == 0 && it.UUID == "" {
		s.skip(kind) // abandoned, and robbed of its hits: it would stand for its whole transcript
		return
	}
	s.Items = append(s.Items, it)
}

// addHits adds the hits of an exchange. It reports false when there are none.
func (s *Source) addHits(w *wire, ref Ref) bool {
	var hits []wire
	if len(w.Hits) == 0 || w.Hits[0] != '[' {
		return false
	}
	if _, ok := parse(w.Hits, &hits); !ok || len(hits) == 0 {
		return false
	}
	for i := range hits {
		h := &hits[i]
		it := Item{Ref: h.ref(ref), Kind: HitKind, UUID: text(h.UUID)}
		it.ID = it.SessionID
		if n, ok := number(h.Line); ok && n > 0 {
			it.Line = n
		}
		if it.Line == 0 && it.UUID == "" {
			s.skip(HitKind) // it would stand for its whole transcript
			continue
		}
		s.Items = append(s.Items, it)
	}
	return true
}

func (s *Source) skip(kind string) {
	if s.Skipped++; s.Skipped == 1 {
		s.skippedKinds = kind
	}
}

// readRows reads a stream whose first line starts with a brace.
func (s *Source) readRows(in *lines, first []byte) error {
	opening := append([]byte(nil), first...)
	for line := first; line != nil; {
		line = in.whole(line)
		for rest := bytes.TrimSpace(line); len(rest) > 0; {
			var w wire
			after, ok := parse(rest, &w)
			switch {
			case !ok && in.torn && (s.Form == RowForm || startsRow(rest)):
				s.Form, s.Torn = RowForm, true
			case !ok && s.Form == NoForm:
				return strange(opening)
			case !ok:
				s.bad(in, rest)
			case s.Form == NoForm && w.isPayload():
				s.Form, s.Payload = PayloadForm, w.payload()
				s.Items = []Item{payloadItem(s.Payload)}
			case s.Form == NoForm && !w.opensRows():
				return strange(opening)
			case s.Form == PayloadForm || !w.isRow():
				s.bad(in, rest)
			default:
				s.Form = RowForm
				s.add(&w)
			}
			if !ok {
				break
			}
			rest = bytes.TrimSpace(after)
		}
		var err error
		if line, err = in.nextFilled(); err != nil {
			return err
		}
	}
	return nil
}

// startsRow reports whether b could be the beginning of a row as csift writes it.
func startsRow(b []byte) bool {
	const begin = `{"kind":"`
	n := min(len(b), len(begin))
	return n > len(`{"kin`) && string(b[:n]) == begin[:n]
}

// whole returns line, or the object that it opens when it is a lone brace: jq without
// -c spreads an object over lines, and only its last line is a brace at column 0.
func (l *lines) whole(line []byte) []byte {
	if string(bytes.TrimRight(line, " \t")) != "{" {
		return line
	}
	all := append([]byte(nil), line...)
	for {
		next, err := l.next()
		if err != nil || next == nil {
			l.torn = true
			return all
		}
		all = append(append(all, '\n'), next...)
		if len(next) > 0 && next[0] == '}' {
			return all
		}
	}
}

func payloadItem(p *Payload) Item {
	return Item{
		Ref: Ref{SessionID: p.SessionID, ParentSessionID: p.SessionID, Transcript: p.Transcript, Path: p.Transcript},
		ID:  p.SessionID, Kind: "hook",
	}
}
