package list

import (
	"bytes"
	"slices"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
)

// windows reads the two ends of one file: the head forwards for what was said first,
// then the tail backwards for what was said last. Where little was said the tail goes
// on below the end of the head, but a damaged line is counted once.
type windows struct {
	*reader
	s    *session
	size int64

	end    int64   // where the head ended
	back   bool    // lines come from the end
	over   []int64 // lines of the head that were passed over
	off    int64   // of the line under way
	is     trait   // what it has
	seed   int64   // of the line with what a subagent was started with, -1 for none
	opened bool    // the head saw the first opener
	told   bool    // the tail has the version and branch last seen
	clone  bool    // the file goes on from another lane: it has no prompt of its own
	early  lasting
	plan   refusal
}

// headLine takes one line of the head and reports whether it goes on: until the first
// words of the person, in a subagent's file the first opener, are found.
func (w *windows) headLine(off int64, line []byte) bool {
	s := w.s
	w.off = off
	need := anyRecord
	if off >= minWindow && s.cwd != "" && s.version != "" {
		need, w.is = mayTell, w.traits(line)
	}
	w.line(line, off == 0, true, need, func(m matter) bool {
		return m.sought(!s.first.said || s.IsSubagent && !w.opened, false)
	}, w.headRecord)
	found := s.first.said || s.IsSubagent && w.opened
	return !found || off+int64(len(line)) < minWindow
}

func (w *windows) headRecord(rec *record.Record) {
	s := w.s
	s.open.take(rec)
	keep(&s.cwd, rec.CWD)
	keep(&s.version, rec.Version)
	keep(&s.branch, rec.GitBranch)
	keep(&s.entrypoint, rec.Entrypoint)
	w.early.take(rec, true)
	s.kind(rec)
	w.clone = w.clone || rec.Type.Is("fork-context-ref")
	seed := false
	if s.IsSubagent && !w.opened && rec.Opens(true) != record.NoOpening {
		w.opened, seed = true, !w.clone
	}
	if s.first.said {
		return
	}
	switch m, is := w.person(rec, seed); is {
	case userPart:
		s.first = m
	case seedPart:
		s.seed, w.seed = m, w.off
	}
}

// tailRun takes a run of lines of the tail, the last of them first, and reports whether
// it goes on. Lines are surveyed a few at a time, since it may end with any.
func (w *windows) tailRun(off int64, run []byte) bool {
	for to := len(run); to > 0; {
		from := lastLines(run[:to], few)
		w.spots = w.survey(w.spots[:0], run, from, to, !w.s.agent.said)
		for _, p := range slices.Backward(w.spots) {
			w.off, w.is = off+int64(p.start), p.trait
			if !w.tailLine(w.off, run[p.start:p.end]) {
				return false
			}
		}
		to = from
	}
	return true
}

// few is about how many bytes of lines are surveyed at a time.
const few = 16 << 10

// lastLines gives where the last lines of a run start, n bytes of them or one line.
func lastLines(run []byte, n int) int {
	end := len(run) - 1
	for start := len(run) - n; start > 0; start -= n {
		if nl := bytes.IndexByte(run[start-1:end], '\n'); nl >= 0 {
			return start + nl
		}
		end = start - 1
	}
	return 0
}

// tailLine takes one line of the tail and reports whether it goes on: until the last
// words of the person and of the agent are found. In a subagent's file there seldom
// are any of the person, and it is read to its start.
func (w *windows) tailLine(off int64, line []byte) bool {
	s := w.s
	need := mayTell
	if w.size-off < minWindow || !w.told {
		need = anyRecord
	} else if w.plan.use != "" {
		need = atAGlance
	}
	w.line(line, off == 0, off >= w.end || w.passed(off), need, func(m matter) bool {
		return m.sought(!s.last.said, !s.agent.said || w.plan.use != "")
	}, w.tailRecord)
	if w.plan.use != "" {
		if w.plan.left--; w.plan.left == 0 {
			w.plan.use = ""
		}
	}
	found := s.agent.said && s.last.said && w.plan.use == ""
	return !found || off > w.end && w.size-off < minWindow
}

// passed reports whether the head passed over the line at off, and so over damage in it.
// Lines come from the end.
func (w *windows) passed(off int64) bool {
	at := int64(-1)
	for n := len(w.over) - 1; n >= 0 && w.over[n] >= off; n-- {
		at, w.over = w.over[n], w.over[:n]
	}
	return at == off
}

// tells reports whether a record has what those of its version say of where it was written: there
// are some without a branch (api-request of 2.1.332).
func tells(rec *record.Record) bool {
	return len(rec.Version) > 0 && (rec.GitBranch != nil || rec.Type.Is("user") || rec.Type.Is("assistant"))
}

func (w *windows) tailRecord(rec *record.Record) {
	s := w.s
	keep(&s.versionEnd, rec.Version)
	keep(&s.branchEnd, rec.GitBranch)
	keep(&s.entrypoint, rec.Entrypoint)
	w.told = w.told || tells(rec)
	s.lasting.take(rec, false)
	s.kind(rec)
	w.seekPlan(rec)
	if !s.agent.said {
		s.agent = w.agent(rec)
	}
	if s.last.said || w.off == w.seed {
		return
	}
	if m, is := w.person(rec, false); is == userPart {
		s.last = m
		w.refused(rec)
	}
}

// finish adds what only the head saw.
func (w *windows) finish() {
	w.s.lasting.fill(&w.early)
	slices.Sort(w.s.kinds)
}

// need is which lines have to be decoded.
type need uint8

const (
	anyRecord need = iota // the line is near an end, or a fact that any may have is not known yet
	atAGlance             // those that a glance shows to be wanted
	mayTell               // of these, those that their traits do not rule out
)

// snapshotHead starts the records that say which files can be restored (2.0.77 to 2.1.332). They
// have no fact that a row shows, and stand first in most transcripts.
const snapshotHead = `{"type":"file-history-snapshot",`

// line hands the records of one line to fn, the last one first when the line belongs
// to the tail. A framed line that is not needed is passed over. Damage is counted when
// count is set.
func (w *windows) line(line []byte, first, count bool, need need, want func(matter) bool, fn func(*record.Record)) {
	line = jsonl.Trim(line, first)
	switch jsonl.ShapeOf(line) {
	case jsonl.Blank:
		return
	case jsonl.Framed:
		switch {
		case need == anyRecord:
			if bytes.HasPrefix(line, []byte(snapshotHead)) {
				return
			}
		case need == mayTell && w.is.plain(w.back && !w.s.agent.said):
			if !w.back {
				w.over = append(w.over, w.off)
			}
			return
		case need == mayTell && w.is.prompt() && want(personal):
		case !want(unsettled) && !want(glance(line)):
			return
		}
	}
	if records(line, w.back, &w.rec, fn) && count {
		w.s.skipped++
	}
}

// records calls fn for each whole record of a trimmed line, the last one first when
// back is set. damaged tells that some of the line belongs to none.
func records(line []byte, back bool, rec *record.Record, fn func(*record.Record)) (damaged bool) {
	if len(line) == 0 {
		return false
	}
	if record.Decode(line, rec) {
		fn(rec)
		return false
	}
	parts, damaged := record.Split(line)
	if back {
		slices.Reverse(parts)
	}
	for _, p := range parts {
		if record.Decode(p, rec) {
			fn(rec)
		}
	}
	return damaged
}

// part says what a record is for a row.
type part uint8

const (
	noPart part = iota
	userPart
	seedPart // the prompt that a subagent was started with
)

// person finds what the person says in a record, the first piece of several. seed says that the record is the first opener of a subagent's file: what
// it was started with. Records of a lane inside a session's file (Claude Code 1.0.x)
// are not the person's.
func (w *windows) person(rec *record.Record, seed bool) (message, part) {
	if rec.IsSidechain && !w.s.IsSubagent || !mayBePerson(rec) {
		return message{}, noPart
	}
	if !seed && !w.opts.Slow && section.PlainPrompt(rec) {
		w.text = rec.Text.Append(w.text[:0])
		return w.quotes(rec), userPart
	}
	secs := w.build.Sections(rec, &section.Context{Seed: seed, Plan: w.planFile})
	for i := range secs {
		s := &secs[i]
		if rec.Type.Is("attachment") {
			return w.says(s, rec), userPart
		}
		if len(s.Labels) == 0 {
			continue
		}
		is := noPart
		switch s.Labels[0] {
		case label.UserMessage, label.UserAnswer, label.UserRejection:
			is = userPart
		case label.AgentCommunicationInbox:
			if seed {
				is = seedPart
			}
		}
		if is != noPart {
			return w.says(s, rec), is
		}
	}
	return message{}, noPart
}

// mayBePerson tells which records can hold words of the person, and spares the others
// the rendering. A summary of a compaction is a user record, and long. What was typed
// while the agent worked is a queued_command attachment.
func mayBePerson(rec *record.Record) bool {
	if rec.Type.Is("attachment") {
		return rec.Attachment.Get("type").Str().Is("queued_command") && rec.Attachment.Get("origin").Get("kind").Str().Is("human")
	}
	return rec.Type.Is("user") && !rec.IsCompactSummary
}

// agent finds what the agent says in a record, the last piece of several.
func (w *windows) agent(rec *record.Record) message {
	if rec.IsSidechain && !w.s.IsSubagent || !rec.Type.Is("assistant") {
		return message{}
	}
	text := rec.Text != nil
	for i := range rec.Blocks {
		text = text || rec.Blocks[i].Type.Is("text")
	}
	if !text {
		return message{}
	}
	secs := w.build.Sections(rec, nil)
	for i := len(secs) - 1; i >= 0; i-- {
		if s := &secs[i]; len(s.Labels) > 0 && s.Labels[0] == label.AgentMessagePlain {
			return w.says(s, rec)
		}
	}
	return message{}
}
