package record

import (
	"bytes"
	"slices"

	"csift/pkg/jsonl"
)

// repeat is a run of members that one line after the other has word for word: who wrote it, where, in which session. Up to
// Claude Code 2.0.x it starts at isSidechain, from 2.1.x on at userType. Comparing its bytes is a fraction of reading it.
type repeat struct {
	text      []byte // from the value of the first member to the end of the value of the last one
	sidechain bool   // what isSidechain says there
	id        Str    // what sessionId says there, as part of text
	hasID     bool   // there is a sessionId, if only one of another type

	// While it is learned: the members stand at from:to of the line, the session id ends at idEnd.
	from, to, members int
	idEnd, idLen      int
}

// steady reports whether a key has the same value on most lines of a session.
func steady(k []byte) bool {
	switch string(k) {
	case "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch":
		return true
	}
	return false
}

// fewest is how many members make a run worth its comparison.
const fewest = 3

// again consumes a run whose first key was just read, and sets what it says. When other members follow than on the line
// before it consumes nothing, and what follows is learned.
func (s *Skimmer) again(p *jsonl.Pull, run *repeat) bool {
	if s.learns != nil {
		return false // a part of another run
	}
	r := &s.Record
	text := p.Again(run.text)
	if len(text) == 0 {
		s.learns = run
		*run = repeat{text: run.text[:0], from: p.Pos()}
		return false
	}
	if run == &s.repeats[0] {
		r.IsSidechain = run.sidechain
	}
	if run.hasID {
		if r.SessionID = nil; run.id != nil {
			at := run.idEnd - run.idLen
			r.SessionID = text[at:run.idEnd:run.idEnd]
		}
	}
	return true
}

// session notes the session id whose value ends at end of the line.
func (run *repeat) session(end int, id Str) {
	run.hasID = true
	run.idEnd, run.idLen, run.id = end-1-run.from, len(id), id
}

// learned ends a run that was learned from the line b.
func (s *Skimmer) learned(b []byte) {
	run := s.learns
	s.learns = nil
	if run.members < fewest || bytes.IndexByte(b[run.from:run.to], '\n') >= 0 {
		return
	}
	run.text = append(run.text, b[run.from:run.to]...)
	run.sidechain = s.Record.IsSidechain
	if run.id != nil {
		run.id = slices.Clip(Str(run.text[run.idEnd-run.idLen : run.idEnd]))
	}
}
