package list

import (
	"bytes"
	"time"
	"unicode/utf8"

	"csift/pkg/record"
	"csift/pkg/when"
)

// opening is what the first records of a transcript say about where it comes from. The
// head of the file is enough for it.
type opening struct {
	stamped  bool      // a timestamp was seen
	began    time.Time // the first one
	boundary string    // uuid of the record with that timestamp when it is a compaction's
	first    tie       // the first record with a uuid
	user     tie       // the first record of the person's side that the harness did not write itself
	cleared  bool      // which is the wrapper of /clear
	wrapped  time.Time // and its instant
}

// tie is a record with what ties it to others.
type tie struct {
	uuid, parent string
	session      string // its sessionId
	forked       string // the session of its forkedFrom key
}

func tieOf(rec *record.Record) tie {
	return tie{
		uuid: rec.UUID.String(), parent: rec.ParentUUID.String(), session: rec.SessionID.String(),
		forked: forkedFrom(rec),
	}
}

// forkedFrom gives the session that a record was copied from, as /branch writes it
// (2.1.258); "" for none.
func forkedFrom(rec *record.Record) string {
	return rec.ForkedFrom.Get("sessionId").Str().String()
}

// take looks at one record of the head; they come in the order of the file.
func (o *opening) take(rec *record.Record) {
	if !o.stamped && len(rec.Timestamp) > 0 {
		o.stamped = true
		o.began, _ = when.Stamp(rec.Timestamp.String())
		if rec.Type.Is("system") && rec.Subtype.Is("compact_boundary") {
			o.boundary = rec.UUID.String()
		}
	}
	if len(rec.UUID) == 0 {
		return
	}
	if o.first.uuid == "" {
		o.first = tieOf(rec)
	}
	if o.user.uuid == "" && rec.Type.Is("user") && !rec.IsMeta {
		o.user = tieOf(rec)
		if o.cleared = mayWrap(rec) && isClear(rec.UserText()); o.cleared {
			o.wrapped, _ = when.Stamp(rec.Timestamp.String())
		}
	}
}

// mayWrap spares most texts the decoding: a wrapper starts with a tag, which an escape
// could spell.
func mayWrap(rec *record.Record) bool {
	if rec.Text == nil {
		return true
	}
	text := bytes.TrimLeft(rec.Text, " ")
	return len(text) > 0 && (text[0] == '<' || text[0] == '\\' || text[0] >= utf8.RuneSelf)
}

// isClear reports whether a text is the wrapper that /clear leaves in the file it
// creates; reset and new are other names of that command.
func isClear(text string) bool {
	if !record.IsWrapper(text) {
		return false
	}
	switch record.Tag(text, "command-name") {
	case "/clear", "/reset", "/new":
		return true
	}
	return false
}

// The values of minted_by and of the basis of forked_from.
const (
	byClear = "clear"

	basisKey    = "key"              // records name the session they were copied from
	basisShared = "shared-uuids"     // both files have records with the same uuids
	basisParent = "parent-elsewhere" // the first record goes on from one of the other file
)

// forked says which session a transcript was forked from.
type forked struct {
	SessionID *string `json:"session_id"` // null: which one is not told
	Basis     string  `json:"basis"`
	Records   *int    `json:"records"` // those that show it; null where the whole file was not read
}

// lineage is what is known of where a transcript comes from. Of a subagent's nothing is.
type lineage struct {
	cloneOf     string   // the session whose compaction it begins with, "" when not known
	clearedFrom string   // the session that /clear ended, "" when not known
	distance    int64    // from the wrapper of /clear to the checkpoint of that session, in ms
	tied        []string // sessions whose checkpoints are equally near
	forked      *forked
	maybe       []string // the sessions that forked may mean where it names none
}

// cloned reports whether the transcript begins with another one's compaction.
func (s *session) cloned() bool { return s.open.boundary != "" }

// minted reports whether /clear created the transcript. A fork of one that it created
// begins with the same record.
func (s *session) minted() bool {
	return s.open.cleared && !s.IsSubagent && s.open.user.forked == "" && (s.forked == nil || s.forked.SessionID == nil)
}
