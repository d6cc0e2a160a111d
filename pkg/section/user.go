package section

import (
	"strings"
	"unicode"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

func (b *Builder) user(r *record.Record, ctx *Context) {
	hasResult := false
	for i := range r.Blocks {
		hasResult = hasResult || r.Blocks[i].Type.Is("tool_result")
	}
	if hasResult {
		b.results(r, ctx)
		return
	}
	b.userText(r, ctx, r.UserText(), -1)
}

// userText gives the sections of a text that is no tool result.
func (b *Builder) userText(r *record.Record, ctx *Context, text string, block int) {
	if strings.TrimSpace(text) == "" {
		if r.IsMeta && onlyImages(r) {
			b.add(Section{Labels: b.labels(label.HarnessContextImage), Block: block})
		}
		return
	}
	if r.IsCompactSummary {
		b.add(Section{Labels: b.labels(label.HarnessCompactionSummary), Text: b.text(text), Block: block})
		return
	}
	if b.batched(r, text, block) {
		return
	}
	t := strings.TrimSpace(text)
	if record.IsWrapper(t) {
		b.wrapper(t, block)
		return
	}
	leaf, oneRow := userLeaf(r, ctx, t)
	s := Section{Block: block, OneRow: oneRow, Loose: true}
	if leaf != label.None {
		s.Labels = b.labels(leaf)
	}
	switch {
	case leaf == label.UserMessage && strings.HasPrefix(t, record.BashInput):
		s.Text = b.text(excerpt.Fold("!" + strings.TrimSuffix(strings.TrimPrefix(t, record.BashInput), "</bash-input>")))
	case oneRow:
		s.Text = b.text(excerpt.Fold(text))
	default:
		s.Text = b.text(text)
	}
	b.add(s)
}

// userLeaf names a text of a user record; oneRow says that it is rendered on one line, as a prompt is.
func userLeaf(r *record.Record, ctx *Context, t string) (leaf label.Leaf, oneRow bool) {
	switch t {
	case record.InterruptedByUser:
		return label.HarnessInterruptUser, false
	case record.InterruptedTool:
		return label.HarnessInterruptTool, false
	}
	for _, p := range [...]string{record.LocalStdout, record.LocalStderr, record.BashStdout, record.BashStderr} {
		if strings.HasPrefix(t, p) {
			return label.HarnessCommandStdout, false
		}
	}
	if r.IsMeta {
		if leaf := metaLeaf(r, ctx, t); leaf != label.None {
			return leaf, leaf == label.UserMessage
		}
	}
	if record.IsStoppedNotice(t) {
		return label.HarnessNotificationSubagent, false
	}
	if ctx.Seed {
		return label.AgentCommunicationInbox, true
	}
	if r.IsMeta || r.TurnCompanion {
		return label.None, false
	}
	return label.UserMessage, true
}

// metaLeaf names a text that the harness wrote into a turn.
func metaLeaf(r *record.Record, ctx *Context, t string) label.Leaf {
	kind := r.Origin.Get("kind").Str()
	if kind.Is("human") {
		return label.UserMessage
	}
	if leaf, ok := label.MetaText(t); ok {
		return leaf
	}
	if strings.HasPrefix(t, "The coordinator sent a message") && kind.Is("coordinator") {
		return label.AgentCommunicationInbox
	}
	if len(r.Origin) == 0 && ctx.Fired != nil && ctx.Fired(r.ParentUUID.String()) {
		return label.HarnessScheduleFire
	}
	return label.None
}

func onlyImages(r *record.Record) bool {
	for i := range r.Blocks {
		if !r.Blocks[i].Type.Is("image") {
			return false
		}
	}
	return len(r.Blocks) > 0
}

// wrapper renders a slash command: with arguments it is the person's, as "/name args"; the wrapper itself is what a
// selection of harness.command.invocation alone shows.
func (b *Builder) wrapper(t string, block int) {
	args := record.Tag(t, "command-args")
	if args == "" {
		b.add(Section{Labels: b.labels(label.HarnessCommandInvocation), Text: b.text(t), Block: block})
		return
	}
	leaves := b.labels(label.UserMessage, label.HarnessCommandInvocation)
	if pick, ok := b.Filter.Pick(leaves, true, false); ok && pick == label.HarnessCommandInvocation {
		b.add(Section{Labels: leaves, Text: b.text(t), Block: block})
		return
	}
	b.add(Section{Labels: leaves, Text: b.text(excerpt.Fold(record.Tag(t, "command-name") + " " + args)), Block: block, OneRow: true})
}

// batched gives one section for each notification and each peer message of a text.
func (b *Builder) batched(r *record.Record, text string, block int) bool {
	if !strings.Contains(text, "-message") && !strings.Contains(text, record.Pulse) {
		return false
	}
	body := text
	if r.IsMeta {
		const frame = "[SYSTEM NOTIFICATION - NOT USER INPUT]"
		if t := strings.TrimLeftFunc(text, unicode.IsSpace); strings.HasPrefix(t, frame) {
			if k := strings.Index(t, "<"+record.Pulse); k > 0 {
				body = t[k:]
			}
		}
	}
	secs := record.Sections(body)
	peers := 0
	for i := range secs {
		if secs[i].Tag != record.Pulse {
			peers++
		}
	}
	for i := range secs {
		if secs[i].Tag == record.Pulse {
			b.pulse(&secs[i], block)
		} else {
			b.peer(r, &secs[i], block, peers == 1)
		}
	}
	return len(secs) > 0
}

// pulse renders a notification: [kind id, id status] summary, and the report when it carries one.
func (b *Builder) pulse(s *record.Section, block int) {
	summary := excerpt.Fold(record.Tag(s.Body, "summary"))
	leaf, kind := label.Pulse(summary)
	n := &Notice{ToolUse: record.Tag(s.Body, "tool-use-id")}
	for _, id := range record.Tags(s.Body, "task-id") {
		if rest, ok := strings.CutPrefix(id, "__orphan_summary"); ok {
			if k, ok := strings.CutPrefix(rest, "__:"); ok && n.Orphan == "" {
				n.Orphan = k
			}
			continue
		}
		n.TaskIDs = append(n.TaskIDs, excerpt.Fold(id))
	}
	ids := strings.Join(n.TaskIDs, ", ")
	if ids == "" {
		ids = "?"
	}
	status := excerpt.Fold(record.Tag(s.Body, "status"))
	if status == "" {
		status = excerpt.Fold(record.Tag(s.Body, "event"))
	}
	if status == "" {
		status = "completed"
	}
	head := "[" + kind + " " + ids + " " + status + "]"
	if n.Orphan != "" {
		head += " (orphan reconciliation: " + n.Orphan + ")"
	}
	head += " " + summary
	leaves := b.labels(leaf)
	if reply := record.Tag(s.Body, "result"); reply != "" {
		n.HasReply = true
		head += "\n" + reply
		leaves = b.labels(leaf, label.AgentCommunicationInbox)
	}
	b.add(Section{Labels: leaves, Text: b.text(head), Block: block, Note: n})
}

// peer renders a message from a teammate, an agent or another session: its body without the tags.
func (b *Builder) peer(r *record.Record, s *record.Section, block int, only bool) {
	n := &Notice{From: s.Attr("teammate_id")}
	if s.Tag == "cross-session-message" {
		n.From = s.Attr("from-name")
		if only {
			if name := r.Origin.Get("name").Str(); len(name) > 0 {
				n.From = name.String()
			}
		}
	}
	if n.From == "" {
		n.From = s.Attr("from")
	}
	body := s.Body
	if only && s.Tag == "cross-session-message" {
		if v := r.Origin.Get("body").Str(); len(v) > 0 {
			body = strings.TrimSpace(v.String())
		}
	}
	leaf := label.AgentCommunicationInbox
	if s.Tag == "teammate-message" && signal(body) {
		leaf = label.AgentCommunicationSignal
	}
	b.add(Section{Labels: b.labels(leaf), Text: b.text(body), Block: block, Note: n})
}

// signal reports whether a teammate's body is a control message: a JSON object with a type.
func signal(body string) bool {
	var v record.Record
	return strings.HasPrefix(body, "{") && record.Decode([]byte(body), &v) && len(v.Type) > 0
}
