package list

import (
	"context"
	"slices"
	"strings"
	"time"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/when"
)

// whole is what all lines of a transcript say about where they come from and go to.
type whole struct {
	own  []string        // the ids that are not another session's: its own, a subagent's session's
	from string          // the session that records say they were copied from, "" for none
	want map[string]bool // uuids that tie this transcript to others

	lasting
	minted []minted
	spans  []kindSpan
	copied int       // records that say they were copied from that session
	met    []string  // the wanted uuids that it has
	began  time.Time // the first timestamp, zero for none

	mintedAt, spanAt, metAt places
}

// places tells where words stand in a list that each is in once.
type places map[string]int

// of gives the place of a word, next for one that is new: it is taken to stand there from now on.
func (p *places) of(word string, next int) int {
	i, known := (*p)[word]
	if !known {
		if *p == nil {
			*p = places{}
		}
		i = next
		(*p)[word] = i
	}
	return i
}

// minted counts the records of a transcript that another session wrote.
type minted struct {
	SessionID string `json:"session_id"`
	Records   int    `json:"records"`
}

// kindSpan says between which lines a value of sessionKind stands.
type kindSpan struct {
	Kind      string `json:"kind"`
	FirstLine int    `json:"first_line"`
	LastLine  int    `json:"last_line"`
	Records   int    `json:"records"`
}

// walk reads all of a transcript. A record is another session's when its sessionId is
// none of own (a subagent's records carry their session's), or when its session_id
// differs from its sessionId.
func (w *whole) walk(ctx context.Context, f *jsonl.File) error {
	var rec record.Record
	n := 0
	_, err := f.Head(ctx, func(off int64, line []byte) bool {
		n++
		records(jsonl.Trim(line, off == 0), false, &rec, func(rec *record.Record) { w.record(rec, n) })
		return true
	})
	slices.SortFunc(w.minted, func(a, b minted) int { return strings.Compare(a.SessionID, b.SessionID) })
	return err
}

func (w *whole) record(rec *record.Record, line int) {
	w.lasting.take(rec, true)
	if w.began.IsZero() && len(rec.Timestamp) > 0 {
		w.began, _ = when.Stamp(rec.Timestamp.String())
	}
	if w.want[string(rec.UUID)] && w.metAt.of(string(rec.UUID), len(w.met)) == len(w.met) {
		w.met = append(w.met, rec.UUID.String())
	}
	if w.from != "" && forkedFrom(rec) == w.from {
		w.copied++
	}
	if id := foreign(rec, w.own); id != "" {
		i := w.mintedAt.of(id, len(w.minted))
		if i == len(w.minted) {
			w.minted = append(w.minted, minted{SessionID: id})
		}
		w.minted[i].Records++
	}
	if len(rec.SessionKind) > 0 {
		kind := rec.SessionKind.String()
		i := w.spanAt.of(kind, len(w.spans))
		if i == len(w.spans) {
			w.spans = append(w.spans, kindSpan{Kind: kind, FirstLine: line})
		}
		w.spans[i].LastLine = line
		w.spans[i].Records++
	}
}

// foreign gives the session that wrote a record, "" when it is one of own.
func foreign(rec *record.Record, own []string) string {
	if rec.UUID == nil {
		return ""
	}
	if v := rec.SessionIDSnake; len(v) > 0 && len(rec.SessionID) > 0 && string(v) != string(rec.SessionID) {
		return v.String()
	}
	if len(rec.SessionID) > 0 && !slices.ContainsFunc(own, rec.SessionID.Is) {
		return rec.SessionID.String()
	}
	return ""
}
