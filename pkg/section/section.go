// Package section turns a record into what a person or a pattern sees of it: labelled pieces of text. A record may give
// several (its blocks, its batched notifications), one, or none. It also gives the facts that a row shows beside a text.
//
// It reads no file and prints nothing. What needs the whole file comes in through Context and transcript.Structure.
//
// The invariant: matching and printing use the same text, which is always valid UTF-8. The text of a section does not
// depend on Context, except for the plan pointer of a typed rejection, so that a first pass without context finds what a
// second pass with it confirms; where Context decides between two texts, there are both without it. Words that stand in no
// record are listed in Made.
package section

import (
	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// Context is what a record cannot say of itself.
type Context struct {
	Seed    bool                        // the record is the first opener of a subagent's own transcript
	Inline  bool                        // the file is a session's: its sidechain records are subagents inside it (Claude Code 1.0.x)
	Fired   func(parent string) bool    // does the uuid name a scheduled_task_fire record; nil: unknown
	Rider   func(text string) bool      // is the text the prompt of a scheduled task; nil: unknown
	Plan    func(toolUse string) string // the plan file that an ExitPlanMode call names; nil: unknown
	ToolFor func(toolUse string) string // the tool that a result answers; nil: unknown
	Lost    label.Leaf                  // the record opened a turn that the conversation went on without: what the person's words are called then
}

// ContextOf gives the context of the record at a place.
func ContextOf(s *transcript.Structure, loc transcript.Loc) Context {
	var v Contexts
	return *v.Of(s, loc)
}

// Contexts gives the contexts of many records, one after the other. It serves one goroutine.
type Contexts struct {
	c    Context
	s    *transcript.Structure
	line int32
}

// Of is ContextOf. The result is valid until the next call.
func (v *Contexts) Of(s *transcript.Structure, loc transcript.Loc) *Context {
	v.line = loc.Line
	if v.s != s {
		v.s = s
		v.c = Context{
			Inline:  !s.InLane,
			Fired:   func(parent string) bool { return s.Fires[parent] },
			Rider:   s.Scheduled,
			Plan:    func(use string) string { return s.Plans[use] },
			ToolFor: func(use string) string { return s.Call(use, v.line, true).Name },
		}
	}
	v.c.Seed = false
	if s.InLane && !s.Clone {
		o, why, ok := s.Opener(0)
		v.c.Seed = ok && why == record.Prompt && o == loc
	}
	v.c.Lost = lostLeaf(s, loc)
	return &v.c
}

// Section is one piece of a record.
type Section struct {
	Labels []label.Leaf // richest first; empty where no leaf names this text
	Raw    record.Str   // when not nil, the text is the decoded form of these bytes
	Text   []byte       // else this is the text
	Block  int          // index of the block it comes from; -1: the record as a whole
	Note   *Notice      // for notifications and peer messages
	OneRow bool         // the text is already on one line
	Loose  bool         // Context may give it other labels than these
}

// Notice is what a notification or a peer message says beside its text.
type Notice struct {
	Pulse    bool // a notification of the harness; else a message of a peer
	TaskIDs  []string
	Orphan   string // kind of an orphan reconciliation
	ToolUse  string // the call that started the task
	From     string // who sent a message, "" when unknown
	HasReply bool   // the notification carries a <result>
}

// Append appends the section's text to dst.
func (s *Section) Append(dst []byte) []byte {
	if s.Raw != nil {
		return jsonl.Unescape(dst, s.Raw)
	}
	return append(dst, s.Text...)
}

// Builder makes sections. It is reused from record to record and serves one goroutine; what it returns is valid until
// the next call, and no longer than the record.
type Builder struct {
	Filter label.Filter // decides which view a record with several shows
	// TextOnly says that nobody looks at the labels, so that what is costly to tell apart need not be: narration is
	// called a summary. See Enough.
	TextOnly bool
	// Persisted, when set, puts outputs that were moved out of the transcript into the texts of results. Their lines all
	// carry transcript.PersistedMark.
	Persisted *transcript.Persisted

	out   []Section
	arena []byte
	leafs []label.Leaf
	items []record.Block
	tags  TagReader
}

// Sections gives the sections of a record in the order of its blocks. ctx may be nil in a first pass.
func (b *Builder) Sections(r *record.Record, ctx *Context) []Section {
	b.out, b.arena, b.leafs = b.out[:0], b.arena[:0], b.leafs[:0]
	if ctx == nil {
		ctx = &Context{}
	}
	switch string(r.Type) {
	case "assistant":
		b.assistant(r)
	case "user":
		b.user(r, ctx)
	case "system":
		b.system(r)
	case "attachment":
		b.attachment(r)
	case "progress", "api-request", "api-request-shape", "api-request-blob", "api-request-resumed", "tools-used":
		// These repeat what stands elsewhere: progress lines embed a subagent's messages (2.1.9 to 2.1.81), api-request
		// lines the whole request and tools-used the tools of all calls so far (2.1.332).
	case "queue-operation":
		b.queued(r, ctx)
	default:
		b.other(r)
	}
	if ctx.Lost != label.None {
		b.rename(ctx.Lost)
	}
	return b.out
}

// Enough reports whether Sections, without context, says the same of a record that was only skimmed, but for labels: which of
// them a section has, not whether it has any.
func (b *Builder) Enough(r *record.Record) bool {
	switch string(r.Type) {
	case "assistant", "progress", "api-request", "api-request-shape", "api-request-blob", "api-request-resumed", "tools-used":
		return b.TextOnly
	case "user":
		return b.TextOnly && !r.IsMeta // its origin says what such a text is
	}
	return false
}

// labels keeps leaves for a section; none for label.None.
func (b *Builder) labels(leaves ...label.Leaf) []label.Leaf {
	n := len(b.leafs)
	for _, l := range leaves {
		if l != label.None {
			b.leafs = append(b.leafs, l)
		}
	}
	return b.leafs[n:len(b.leafs):len(b.leafs)]
}

// text keeps a text for a section.
func (b *Builder) text(s string) []byte {
	n := len(b.arena)
	b.arena = append(b.arena, s...)
	return b.since(n)
}

// since gives what was appended to the arena from n on.
func (b *Builder) since(n int) []byte { return b.arena[n:len(b.arena):len(b.arena)] }

func (b *Builder) add(s Section) { b.out = append(b.out, s) }

// raw adds a section whose text is a JSON string of the record.
func (b *Builder) raw(block int, s record.Str, leaves ...label.Leaf) {
	if s == nil {
		s = record.Str{}
	}
	b.add(Section{Labels: b.labels(leaves...), Raw: s, Block: block})
}
