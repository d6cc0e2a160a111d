package main

import (
	"io"
	"strconv"
	"time"
)

// versions are the builds that wrote the sessions. Those before 2.1.82 write
// progress lines, later ones attachments: the census has seven of ten lines
// from the former.
var versions = []string{"2.1.41", "2.1.39", "2.1.37", "2.1.19", "2.1.17", "2.1.49", "2.1.80", "2.1.108", "2.1.199", "2.1.217"}

func (s *session) progresses() bool { return len(s.version) == len("2.1.41") && s.version < "2.1.82" }

var (
	models = []string{"claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929", "claude-haiku-4-5-20251001"}
	tools  = []string{"Bash", "Bash", "Bash", "Bash", "Bash", "Read", "Read", "Read", "Edit", "Edit", "Grep", "Write", "Glob", "TodoWrite"}
)

// A session writes one transcript.
type session struct {
	writer
	job
	w       io.Writer
	id      string
	cwd     string
	version string
	now     time.Time

	line    []byte
	prev    string   // uuid of the record before
	msg     string   // id of the message that the next blocks belong to
	ends    []string // uuids that turns ended with: where a rewind may go back to
	written int
	failed  error
}

// run writes turns until the file has its size.
func (s *session) run() {
	nextCompact := s.compact
	for s.written < s.bytes && s.failed == nil {
		s.turn()
		if s.compact > 0 && s.written >= nextCompact {
			s.compaction()
			nextCompact += s.compact
		}
		if s.rewinds && len(s.ends) > 2 && s.chance(0.02) || s.rewinds && len(s.ends) == 3 {
			s.prev = s.ends[len(s.ends)-2]
		}
	}
}

// turn writes a prompt, some ten tool calls and an answer, with what stands
// between them.
func (s *session) turn() {
	s.before()
	s.prompt()
	for range 1 + int(s.r.ExpFloat64()*9) {
		s.msg = s.wireID("msg_01", 22)
		if s.chance(0.49) {
			s.thinking()
		}
		if s.chance(0.32) {
			s.answer()
		}
		s.call()
		if s.written > s.bytes {
			break
		}
	}
	s.msg = s.wireID("msg_01", 22)
	s.answer()
	s.ends = append(s.ends, s.prev)
	s.after()
}

// before writes the lines that precede a prompt.
func (s *session) before() {
	s.snapshot()
	if s.chance(0.6) {
		s.snapshot()
	}
	if s.chance(0.55) {
		text := s.prose(s.size(100, 1, 10, 3000))
		s.queue("enqueue", text)
		s.queue("dequeue", "")
	}
	if !s.progresses() {
		for range s.r.IntN(6) {
			s.attachment()
		}
	}
}

// after writes the lines that follow an answer.
func (s *session) after() {
	if s.chance(0.5) {
		s.open("system").str(`,"subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{"command":"`).str(s.ident()).
			str(`"}],"hookErrors":[],"preventedContinuation":false,"stopReason":"","hasOutput":false,"level":"suggestion","toolUseID":"`).str(uuid(s.r)).str(`"`).node().end()
	}
	if s.chance(0.35) {
		s.open("system").str(`,"subtype":"turn_duration","durationMs":`).num(s.r.IntN(900000)).node().str(`,"isMeta":false`).end()
	}
	if s.chance(0.3) {
		s.str(`{"type":"last-prompt","lastPrompt":`).quote(s.prose(60)).str(`,"leafUuid":"` + s.prev + `"`).sessionKey().end()
	}
	if s.chance(0.2) {
		s.str(`{"type":"mode","mode":"normal"`).sessionKey().end()
	}
	if s.chance(0.15) {
		s.str(`{"type":"custom-title","customTitle":`).quote(s.prose(30)).sessionKey().end()
	}
	if s.chance(0.1) {
		s.str(`{"type":"permission-mode","permissionMode":"acceptEdits"`).sessionKey().end()
	}
}

// compaction writes the boundary and the summary that the session goes on from.
func (s *session) compaction() {
	logical := s.prev
	s.prev = ""
	s.open("system").str(`,"logicalParentUuid":"` + logical + `","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":`).
		num(150000 + s.r.IntN(20000)).str(`}`).node().end()
	s.open("user").str(`,"message":{"role":"user","content":`).
		quote("This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion.\n\nSummary:\n" + s.prose(6000)).
		str(`}`).node().str(`,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`).end()
	s.ends = s.ends[:0]
}

// The line under construction. A record opens with its envelope, gets its
// uuid by node and is written by end.

func (s *session) str(t string) *session {
	s.line = append(s.line, t...)
	return s
}

func (s *session) num(n int) *session {
	s.line = strconv.AppendInt(s.line, int64(n), 10)
	return s
}

func (s *session) quote(t string) *session {
	s.line = appendString(s.line, t)
	return s
}

func (s *session) sessionKey() *session { return s.str(`,"sessionId":"` + s.id + `"`) }

func (s *session) open(kind string) *session {
	if s.prev == "" {
		s.str(`{"parentUuid":null`)
	} else {
		s.str(`{"parentUuid":"` + s.prev + `"`)
	}
	s.str(`,"isSidechain":false,"userType":"external","cwd":`).quote(s.cwd).sessionKey()
	return s.str(`,"version":"` + s.version + `","gitBranch":"main","type":"` + kind + `"`)
}

func (s *session) node() *session {
	s.prev = uuid(s.r)
	return s.str(`,"uuid":"` + s.prev + `","timestamp":"` + s.tick() + `"`)
}

func (s *session) tick() string {
	s.now = s.now.Add(time.Duration(200+s.r.IntN(20000)) * time.Millisecond)
	return s.now.Format("2006-01-02T15:04:05.000Z")
}

func (s *session) end() {
	s.line = append(s.line, "}\n"...)
	if s.failed == nil {
		_, s.failed = s.w.Write(s.line)
	}
	s.written += len(s.line)
	s.line = s.line[:0]
}

// appendString writes a JSON string as JSON.stringify does: UTF-8 as it is,
// short escapes, \u00XX for the other controls.
func appendString(b []byte, t string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(t); i++ {
		c := t[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, t[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	b = append(b, t[start:]...)
	return append(b, '"')
}
