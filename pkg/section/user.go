package section

import (
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

func (b *Builder) user(r *record.Record, ctx *Context) {
	for i := range r.Blocks {
		if r.Blocks[i].Type.Is("tool_result") {
			b.results(r, ctx)
			return
		}
	}
	b.userText(r, ctx, r.UserText())
}

// userText gives the sections of the text of a record without tool results.
func (b *Builder) userText(r *record.Record, ctx *Context, text string) {
	t := strings.TrimSpace(text)
	switch {
	case t == "":
		if r.IsMeta && onlyImages(r) {
			b.add(Section{Labels: b.labels(label.HarnessContextImage), Block: -1})
		}
	case r.IsCompactSummary:
		b.add(Section{Labels: b.labels(label.HarnessCompactionSummary), Text: b.text(text), Block: -1})
	case b.batched(r, text):
	case record.IsWrapper(t):
		b.wrapper(t)
	default:
		leaf, oneRow := userLeaf(r, ctx, t)
		// A text without a name may turn out to be a scheduled prompt, see metaLeaf.
		s := Section{Labels: b.labels(leaf), Block: -1, OneRow: oneRow, Loose: leaf != label.None || r.IsMeta && r.Origin == nil}
		if oneRow {
			text = prompt(t)
		}
		s.Text = b.text(text)
		b.add(s)
	}
}

// prompt renders what somebody asked on one line; a command that the person ran themselves with its exclamation mark.
func prompt(t string) string {
	if rest, ok := strings.CutPrefix(t, record.BashInput); ok {
		command, rest, _ := strings.Cut(rest, "</bash-input>")
		t = "!" + strings.TrimSpace(command) + " " + rest
	}
	return excerpt.Fold(t)
}

// userLeaf names a text of a user record; oneRow says that it is rendered on one line, as a prompt is, which does not
// depend on ctx.
func userLeaf(r *record.Record, ctx *Context, t string) (leaf label.Leaf, oneRow bool) {
	if leaf := markerLeaf(t); leaf != label.None {
		return leaf, false
	}
	if r.IsMeta {
		if leaf := metaLeaf(r, ctx, t); leaf != label.None {
			return leaf, leaf == label.UserMessage
		}
	}
	switch {
	case record.IsStoppedNotice(t):
		return label.HarnessNotificationSubagent, false
	case r.IsMeta || r.TurnCompanion:
		return label.None, false
	case ctx.Seed, ctx.Inline && r.IsSidechain && r.ParentUUID == nil:
		return label.AgentCommunicationInbox, true
	case r.IsSidechain && strings.HasPrefix(t, label.WorkflowTask):
		return label.AgentCommunicationInbox, true
	}
	return label.UserMessage, true
}

// markerLeaf names the texts that the harness writes in the person's place, isMeta or not.
func markerLeaf(t string) label.Leaf {
	switch {
	case t == record.InterruptedByUser:
		return label.HarnessInterruptUser
	case t == record.InterruptedTool:
		return label.HarnessInterruptTool
	case record.IsCommandOutput(t):
		return label.HarnessCommandStdout
	}
	return label.None
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
	if strings.HasPrefix(t, label.CoordinatorRelay) && kind.Is("coordinator") {
		return label.AgentCommunicationInbox
	}
	if r.Origin == nil && ctx.Fired != nil && ctx.Fired(r.ParentUUID.String()) {
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
func (b *Builder) wrapper(t string) {
	args := record.Tag(t, "command-args")
	if args == "" {
		b.add(Section{Labels: b.labels(label.HarnessCommandInvocation), Text: b.text(t), Block: -1})
		return
	}
	s := Section{Labels: b.labels(label.UserMessage, label.HarnessCommandInvocation), Block: -1}
	if pick, ok := b.Filter.Pick(s.Labels, true, false); !ok || pick == label.UserMessage {
		s.OneRow = true
		t = excerpt.Fold(record.Tag(t, "command-name") + " " + args)
	}
	s.Text = b.text(t)
	b.add(s)
}
