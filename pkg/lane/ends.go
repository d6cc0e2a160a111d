package lane

import (
	"context"
	"strconv"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Ends is what the two ends of a subagent's transcript say about it. The middle is not read.
type Ends struct {
	Started, Last string // timestamps of the first and of the newest record that has one, "" for none
	Prompt        string // the first text of a user record: what it was started with
	CWD, Version  string
	ForkParent    string // parentLastUuid of the line that a fork begins with
	ForkLength    int    // its contextLength, -1 for none
	Pending       *Pending
	Settled       bool   // the newest message is text of the agent, with nothing pending
	Text          string // the newest text of the agent; only looked for where it is asked for or at hand
	Skipped       int    // malformed lines among those read
	Partly        bool   // the file has a middle that was not read
	SessionID     string
}

// Pending is a tool call at the end of a lane that has no result: it runs, or waits for the person to allow it, or its
// client is gone. On disk these look alike.
type Pending struct {
	ID, Tool, Stamp string
	Command         string // its input's "command": what a shell was asked to run
	CWD, Version    string // of its record
}

// pendingOf makes the Pending of a call.
func pendingOf(rec *record.Record, b *record.Block) *Pending {
	return &Pending{
		ID: b.ID.String(), Tool: b.Name.String(), Stamp: rec.Timestamp.String(),
		Command: b.Input.Get("command").Str().String(), CWD: rec.CWD.String(), Version: rec.Version.String(),
	}
}

// headLines is how far the prompt of an agent is sought.
const headLines = 64

type endReader struct {
	ends     *Ends
	rec      record.Record
	text     bool // the newest text is wanted even where it does not settle the lane
	returned map[string]bool
	message  string // the assistant message whose calls are all answered so far
	done     bool   // what state the lane is in is known
	lines    int
}

// ReadEnds reads the beginning and the end of a subagent's transcript. Under text it goes on to the newest text of the
// agent although the lane's state is known.
func ReadEnds(ctx context.Context, path string, text, slow bool) (*Ends, error) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return nil, FileError{path, err}
	}
	defer f.Close()
	r := &endReader{ends: &Ends{ForkLength: -1}, text: text, returned: map[string]bool{}}
	end, err := f.Head(ctx, r.head)
	if err == nil {
		var start int64
		start, err = f.Tail(ctx, func(off int64, line []byte) bool { return r.tail(off, line, off >= end) })
		r.ends.Partly = start > end
	}
	if err != nil {
		return nil, FileError{path, err}
	}
	if p := r.ends.Pending; p != nil {
		r.ends.Last = p.Stamp
	}
	return r.ends, nil
}

func (r *endReader) each(line []byte, first, back, count bool, fn func()) {
	if line = jsonl.Trim(line, first); len(line) == 0 {
		return
	}
	if record.Decode(line, &r.rec) {
		fn()
		return
	}
	parts, damaged := record.Split(line)
	if damaged && count {
		r.ends.Skipped++
	}
	for i := range parts {
		p := parts[i]
		if back {
			p = parts[len(parts)-1-i]
		}
		if record.Decode(p, &r.rec) {
			fn()
		}
	}
}

func (r *endReader) head(off int64, line []byte) bool {
	r.each(line, off == 0, false, true, r.first)
	e := r.ends
	r.lines++
	return (e.Started == "" || e.Prompt == "") && r.lines < headLines
}

func (r *endReader) first() {
	rec, e := &r.rec, r.ends
	keep := func(dst *string, v record.Str) {
		if *dst == "" && len(v) > 0 {
			*dst = v.String()
		}
	}
	keep(&e.Started, rec.Timestamp)
	keep(&e.CWD, rec.CWD)
	keep(&e.Version, rec.Version)
	keep(&e.SessionID, rec.SessionID)
	if rec.Type.Is("fork-context-ref") && e.ForkParent == "" {
		e.ForkParent = rec.Raw.Get("parentLastUuid").Str().String()
		if n, err := strconv.Atoi(string(rec.Raw.Get("contextLength"))); err == nil {
			e.ForkLength = n
		}
	}
	if rec.Type.Is("user") && !rec.IsMeta && e.Prompt == "" {
		e.Prompt = rec.UserText()
	}
}

func (r *endReader) tail(off int64, line []byte, count bool) bool {
	r.each(line, off == 0, true, count, r.last)
	return !r.done || r.text && r.ends.Text == "" || r.ends.Last == ""
}

// last takes one record, the newest first.
func (r *endReader) last() {
	rec, e := &r.rec, r.ends
	if e.Last == "" && len(rec.Timestamp) > 0 {
		e.Last = rec.Timestamp.String()
	}
	switch {
	case rec.IsMeta:
	case rec.Type.Is("assistant"):
		r.assistant()
	case rec.Type.Is("user") && !r.done:
		results := false
		for i := range rec.Blocks {
			if b := &rec.Blocks[i]; b.Type.Is("tool_result") {
				r.returned[b.ToolUseID.String()] = true
				results = true
			}
		}
		if !results && rec.UserText() != "" {
			r.done = true
		}
	}
}

func (r *endReader) assistant() {
	rec, e := &r.rec, r.ends
	if text := rec.UserText(); text != "" {
		if e.Text == "" {
			e.Text = text
		}
		if !r.done && r.message == "" && len(r.returned) == 0 && !hasCall(rec) {
			e.Settled = true
			r.done = true
			return
		}
	}
	if r.done {
		return
	}
	id := rec.MessageID.String()
	if r.message != "" && id != r.message {
		r.done = true // an older message: its calls were answered before the newer one came
		return
	}
	for i := len(rec.Blocks) - 1; i >= 0; i-- {
		b := &rec.Blocks[i]
		if !b.Type.Is("tool_use") {
			continue
		}
		if use := b.ID.String(); !r.returned[use] {
			e.Pending = pendingOf(rec, b)
			r.done = true
			return
		}
		if r.message = id; id == "" {
			r.done = true
		}
	}
	if rec.UserText() != "" && !hasCall(rec) {
		r.done = true
	}
}

func hasCall(rec *record.Record) bool {
	for i := range rec.Blocks {
		if rec.Blocks[i].Type.Is("tool_use") {
			return true
		}
	}
	return false
}
