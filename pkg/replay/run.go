package replay

import (
	"fmt"
	"strings"
)

// player is the state of one run.
type player struct {
	*Result
	b       *Buffer
	opt     Options
	now     *Event
	doubt   bool // a command seems to have changed the file since it was last seen whole
	history map[string]*marker
	seg     segments

	line int    // the line that is being replayed
	was  Richer // the state when it began
}

// Run replays events, which are in order, and gives the state at their end or at the cutoff.
//
// A whole-file statement (a full Read, a Write, a shell write, a stored version) replaces the buffer; a window is laid over
// it; an edit is applied where its patch fits what is known. A hard boundary empties the buffer, a soft one leaves it, so
// that after an rm the state before it is still there. What a later statement shows to be wrong is dropped, never repaired.
func Run(events []Event, opt Options) *Result {
	p := &player{Result: &Result{Buffer: new(Buffer)}, opt: opt, history: map[string]*marker{}}
	p.b = p.Buffer
	p.seg.on = opt.Segments
	p.seg.begin(p.b)
	inTime := true
	for i := range events {
		e := &events[i]
		if !opt.Cutoff.admits(e, &inTime) {
			continue
		}
		if opt.Keep != nil && !opt.Keep(e) {
			if e.integrity() {
				p.Excluded++
			}
			p.passOver(e)
			continue
		}
		p.play(e, explained(events, i))
	}
	p.finish()
	return p.Result
}

// admits says whether e is at or before the cutoff. inTime is the answer of the last dated event, which undated ones take.
func (c *Cutoff) admits(e *Event, inTime *bool) bool {
	if c.Time != nil && !e.At.Time.IsZero() {
		*inTime = !e.At.Time.After(*c.Time)
	}
	return *inTime && (c.Line == 0 || e.At.Line <= c.Line) && (c.Turn == nil || e.At.OrderTurn <= *c.Turn)
}

// passOver takes from an event outside the window what a rise of the file history inside it is compared with.
func (p *player) passOver(e *Event) {
	switch e.Kind {
	case History:
		p.history[e.At.Session] = &marker{version: e.Version, line: e.At.SourceLine}
	case Write, Edit, ShellWrite, ShellAppend:
		for _, m := range p.history {
			m.written = true
		}
	case Mutation, Rejected, Hint, External, Notebook:
		p.explain()
	case Read:
		if v, why := view(e); why == "" && v.whole {
			for _, m := range p.history {
				m.seen = true
			}
		}
	}
}

// integrity says that the event changes the file or tells of a change.
func (e *Event) integrity() bool {
	switch e.Kind {
	case Write, Edit, ShellWrite, ShellAppend, Mutation, Rejected, Hint, External, History, Notebook:
		return true
	}
	return false
}

// shows says that the event tells what is in the file.
func (e *Event) shows() bool {
	switch e.Kind {
	case Write, Edit, ShellWrite, ShellAppend, ShellRead:
		return true
	case Read, History:
		return e.HasText
	}
	return false
}

// explained says that events[i] is a hint about the very change that another event of its record states in full: a
// here-document into a file that was read before is answered with a hint that names the file.
func explained(events []Event, i int) bool {
	e := &events[i]
	if e.Kind != Hint {
		return false
	}
	same := func(o *Event) bool { return o.At.Session == e.At.Session && o.At.SourceLine == e.At.SourceLine }
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(events) && same(&events[j]); j += step {
			if k := events[j].Kind; k == ShellWrite || k == ShellAppend {
				return true
			}
		}
	}
	return false
}

func (p *player) play(e *Event, explained bool) {
	p.now = e
	if e.At.Line != p.line {
		p.line, p.was = e.At.Line, p.state()
	}
	p.Events++
	p.Last = &e.At
	p.Shown = p.Shown || e.shows()
	if e.At.Survival == "abandoned" {
		p.Abandoned++
	}
	switch e.Kind {
	case Read:
		p.read(e)
	case Write:
		p.write(e)
	case Edit:
		p.edit(e)
	case ShellWrite:
		p.counts.bashWrite++
		p.snapshot(e, e.Label)
	case ShellAppend:
		p.append(e)
	case ShellRead:
		p.shellRead(e)
	case Mutation:
		p.counts.bash++
		p.boundary(CauseBashMutation, false, e.Detail)
		p.doubt = true
		p.explain()
	case Rejected:
		p.hard(CauseModifiedSinceRead, e.Detail)
	case Hint:
		p.counts.hint++
		if !explained {
			p.hard(CauseHintModified, e.Detail)
		}
	case External:
		p.counts.external++
		p.hard(CauseExternalEdit, e.Detail)
	case History:
		p.marker(e)
	case Notebook:
		p.counts.note(CauseNotebookEdit)
		p.hard(CauseNotebookEdit, e.Detail)
	case Failed:
		p.counts.note(e.Note)
	}
}

// state describes the buffer as Richer does.
func (p *player) state() Richer {
	r := Richer{Line: p.line, Known: p.b.Count(), Complete: p.b.Complete()}
	if n, ok := p.b.Seen(); ok {
		r.Seen = n
	}
	return r
}

// lost remembers the state at the end of the line before this one, if it is the richest that was taken away so far.
func (p *player) lost(by Boundary) {
	w := p.was
	if w.Known == 0 && !w.Complete {
		return
	}
	if r := p.Richer; r == nil || !richer(r, &w) {
		w.Line, w.Before = p.line-1, by
		p.Richer = &w
	}
}

// richer says that a is more than b: whole before partial, then by lines.
func richer(a, b *Richer) bool {
	if a.Complete != b.Complete {
		return a.Complete
	}
	return a.Known > b.Known
}

// boundary notes a soft boundary.
func (p *player) boundary(cause string, authoritative bool, detail string) Boundary {
	b := Boundary{At: p.now.At, Cause: cause, Authoritative: authoritative, Detail: detail}
	p.add(b)
	return b
}

func (p *player) add(b Boundary) {
	p.Boundaries = append(p.Boundaries, b)
	if b.Splits() {
		p.seg.split(p.b, b)
	}
}

// hard notes a hard boundary and empties the buffer.
func (p *player) hard(cause, detail string) {
	b := Boundary{At: p.now.At, Cause: cause, Authoritative: true, Hard: true, Detail: detail}
	p.lost(b)
	p.add(b)
	p.clear()
	p.explain()
}

// clear forgets what is known, on a boundary or with a reason that was given before.
func (p *player) clear() {
	p.seg.close(p.b, nil)
	p.b.forget()
	p.doubt = false
	p.seg.begin(p.b)
}

// explain notes that the file is known to have changed, or that a command may have changed it.
func (p *player) explain() {
	for _, m := range p.history {
		m.explained, m.seen = true, false
	}
}

// sight notes that the whole file was seen as it is now.
func (p *player) sight() {
	p.doubt = false
	for _, m := range p.history {
		m.seen = true
	}
}

// wrote notes a change by the session.
func (p *player) wrote(e *Event) {
	at := e.At
	p.LastWrite = &at
	for _, m := range p.history {
		m.written = true
	}
}

func (p *player) write(e *Event) {
	p.counts.write++
	if e.HasOriginal {
		p.original(e)
	}
	label := e.Label
	if label == "" {
		label = "write"
	}
	p.snapshot(e, label)
}

// snapshot takes what a write states as the whole file.
func (p *player) snapshot(e *Event, label string) {
	p.seg.change(p.b, e, e.Create)
	p.whole(e.Text, label)
	p.wrote(e)
}

// whole replaces the buffer by text, byte for byte.
func (p *player) whole(text, label string) {
	parts := strings.Split(text, "\n")
	if p.b.log != nil {
		*p.b.log = append(*p.b.log, op{1, max(p.b.n, len(parts)), len(parts)})
	}
	p.b.setParts(parts, atEnd)
	p.b.anchor, p.b.stated = label, true
	p.sight()
}

// append adds what a command appended, where that is certain: behind a file that is all known and ends in a newline.
func (p *player) append(e *Event) {
	newline, _ := p.b.FinalNewline()
	if lines, _ := p.b.Seen(); p.b.Complete() && (newline || lines == 0) && !p.doubt {
		p.counts.note("bash_append")
		p.seg.change(p.b, e, false)
		p.b.replace(p.b.n, 1, linesOf(strings.Split(e.Text, "\n")))
		p.wrote(e)
		return
	}
	b := Boundary{At: e.At, Cause: CauseAppendUnplaced, Detail: e.Detail}
	if p.b.tail != open {
		p.lost(b)
	}
	p.add(b)
	p.wrote(e)
	if e.Text == "" {
		return
	}
	if p.b.anyCR() || strings.Contains(e.Text, "\r") {
		p.b.stated = false // it may have two kinds of endings now, which the next edit would make one
	}
	// The lines stay, but the last of them may go on now, and others follow.
	if p.b.n > 0 {
		p.b.put(p.b.n, 1)
	}
	p.b.tail = open
	p.seg.begin(p.b)
}

// finish closes the run.
func (p *player) finish() {
	p.Segments = p.seg.finish(p.b)
	if r := p.Richer; r != nil {
		p.line++
		if now := p.state(); now.Complete || !richer(r, &now) {
			p.Richer = nil
		}
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
