package section

import (
	"csift/pkg/label"
	"csift/pkg/record"
)

// Placeholder is the whole text of the reply that Claude Code writes where a resumed session has none.
const Placeholder = "No response requested."

func (b *Builder) assistant(r *record.Record) {
	if r.Text != nil {
		b.said(-1, r.Text, label.AgentMessagePlain)
		return
	}
	for i := range r.Blocks {
		k := &r.Blocks[i]
		switch string(k.Type) {
		case "text":
			leaf := label.AgentMessagePlain
			if len(r.Blocks) == 1 && !r.IsAPIError && r.Model.Is("<synthetic>") && k.Text.Is(Placeholder) {
				leaf = label.HarnessResumePlaceholder
			}
			b.said(i, k.Text, leaf)
		case "thinking":
			b.raw(i, k.Thinking, b.thinkingLeaf(k))
		case "redacted_thinking":
			b.add(Section{Labels: b.labels(label.AgentThinkingRedacted), Block: i})
		case "tool_use":
			b.toolUse(i, k)
		}
	}
}

// said adds a section when there is text.
func (b *Builder) said(block int, s record.Str, leaf label.Leaf) {
	if s != nil && !blank(s) {
		b.raw(block, s, leaf)
	}
}

func (b *Builder) thinkingLeaf(k *record.Block) label.Leaf {
	switch {
	case k.Thinking == nil || blank(k.Thinking):
		return label.AgentThinkingOmitted
	case !b.TextOnly && b.tags.Narrated(k.Signature):
		return label.AgentThinkingNarration
	}
	return label.AgentThinkingSummary
}

// toolUse renders a call as its name and its input, as compact JSON in the writer's key order.
func (b *Builder) toolUse(i int, k *record.Block) {
	n := len(b.arena)
	b.arena = k.Name.Append(b.arena)
	if len(k.Input) > 0 {
		if len(b.arena) > n {
			b.arena = append(b.arena, ' ')
		}
		b.arena = appendCompact(b.arena, k.Input)
	}
	b.add(Section{Labels: useLeaves(k), Text: b.since(n), Block: i})
}

var (
	plainUse  = []label.Leaf{label.AgentToolUse}
	sentUse   = []label.Leaf{label.AgentCommunicationSent, label.AgentToolUse}
	signalUse = []label.Leaf{label.AgentCommunicationSignal, label.AgentToolUse}
)

func useLeaves(k *record.Block) []label.Leaf {
	switch string(k.Name) {
	case "Task", "Agent", "Workflow":
		return sentUse
	case "SendMessage":
		// The client adds a type of its own to the input it writes, so both places may say what the message is.
		kind := k.Input.Get("type").Str()
		if kind == nil {
			kind = k.Input.Get("message").Get("type").Str()
		}
		if kind == nil || kind.Is("message") || kind.Is("direct") {
			return sentUse
		}
		return signalUse
	}
	return plainUse
}
