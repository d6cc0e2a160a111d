package list

import (
	"time"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/scope"
	"csift/pkg/section"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// counts is what the records of a transcript, or of some lines of it, come to.
type counts struct {
	users, assistants int
	compactions       int
	unknownTags       int
	first, last       stamp
	tools, narration  tally
	replies           replies
	single            bill         // of answers without a message id
	unfinished        bool         // one of those never stated its final usage
	in                map[int]bool // the turns of the records, where that is asked
}

// stamp is the timestamp of a record: the instant, and the words it was written with.
type stamp struct {
	at  time.Time
	raw []byte
}

func (s *stamp) set(at time.Time, raw []byte) { s.at, s.raw = at, append(s.raw[:0], raw...) }

// counter adds records to counts. It serves one goroutine.
type counter struct {
	tags   section.TagReader
	models modelReader
}

// record adds one record. again says that a later line carries the same uuid: the record is there twice, what it tells
// of happened once. It reports whether the record is one that counts.
func (c *counter) record(n *counts, r *record.Record, again bool) bool {
	assistant := r.Type.Is("assistant")
	if !r.HasMessage || !assistant && !r.Type.Is("user") {
		return false
	}
	if at, ok := instant(r); ok {
		if n.first.at.IsZero() || at.Before(n.first.at) {
			n.first.set(at, r.Timestamp)
		}
		if n.last.at.IsZero() || !at.Before(n.last.at) {
			n.last.set(at, r.Timestamp)
		}
	}
	if !assistant {
		n.users++
		if r.IsCompactSummary && !again {
			n.compactions++
		}
		return true
	}
	n.assistants++
	c.usage(n, r, again)
	if !again {
		c.blocks(n, r)
	}
	return true
}

// instant reads the timestamp of a record; ok is false when it has none.
func instant(r *record.Record) (at time.Time, ok bool) {
	if r.Timestamp == nil {
		return at, false
	}
	if at, ok = when.StampBytes(r.Timestamp); ok {
		return at, true
	}
	return when.Stamp(r.Timestamp.String())
}

// usage enters what a record states about the cost of its answer.
func (c *counter) usage(n *counts, r *record.Record, again bool) {
	u, priced := readUsage(r.Usage)
	if len(r.MessageID) == 0 {
		if priced && !again {
			one := reply{usage: u, priced: true, ended: r.StopReason != nil, model: c.models.of(r.Model)}
			n.unfinished = one.bill(&n.single, c.models.all) || n.unfinished
		}
		return
	}
	id := []byte(r.MessageID)
	if jsonl.HasEscape(id) {
		id = r.MessageID.Append(nil)
	}
	a := n.replies.of(id)
	if priced {
		a.most(u)
		a.priced = true
	}
	if a.model == noModel {
		a.model = c.models.of(r.Model)
	}
	a.ended = a.ended || r.StopReason != nil
}

// blocks counts the calls of an answer and the tags of its thinking.
func (c *counter) blocks(n *counts, r *record.Record) {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		switch {
		case b.Type.Is("tool_use"):
			n.tools.add(b.Name)
		case b.Type.Is("thinking"):
			switch tag := c.tags.Tag(b.Signature); string(tag) {
			case "", "thinking":
			case "narration":
				n.narration.add(r.Model)
			default:
				n.unknownTags++
			}
		}
	}
}

// merge adds the counts of later lines.
func (n *counts) merge(o *counts) {
	n.users += o.users
	n.assistants += o.assistants
	n.compactions += o.compactions
	n.unknownTags += o.unknownTags
	if !o.first.at.IsZero() && (n.first.at.IsZero() || o.first.at.Before(n.first.at)) {
		n.first = o.first
	}
	if !o.last.at.IsZero() && !o.last.at.Before(n.last.at) {
		n.last = o.last
	}
	n.tools.merge(&o.tools)
	n.narration.merge(&o.narration)
	n.replies.merge(&o.replies)
	n.single.merge(&o.single)
	n.unfinished = n.unfinished || o.unfinished
	for t := range o.in {
		n.turn(t)
	}
}

// turn enters a turn that has a record among those counted.
func (n *counts) turn(t int) {
	if n.in == nil {
		n.in = map[int]bool{}
	}
	n.in[t] = true
}

// bill adds up what the answers of these records cost, each once.
func (n *counts) bill(names *models) (b bill, unfinished bool) {
	unfinished = n.replies.bill(&b, names)
	b.merge(&n.single)
	return b, unfinished || n.unfinished
}

// selection is the part of a transcript that --since, --until and --turn leave in.
type selection struct {
	*scope.Window
	s      *transcript.Structure
	lo, hi int // turns
}

// has reports whether a record at a place is selected, and its turn: -1 for one that was abandoned, which no --turn
// selects.
func (w *selection) has(r *record.Record, loc transcript.Loc) (turn int, ok bool) {
	if w.Timed() {
		if at, _ := instant(r); !w.Holds(at) {
			return -1, false
		}
	}
	if turn = w.s.Unit(loc.Line, loc.Part); !w.s.IsTurn(turn) {
		turn = -1
	}
	return turn, w.Turns == nil || turn >= w.lo && turn <= w.hi
}
