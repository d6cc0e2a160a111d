package section

import (
	"bytes"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
)

// Placeholder is the whole text of the reply that Claude Code writes where a resumed session has none.
const Placeholder = "No response requested."

func (b *Builder) assistant(r *record.Record) {
	if r.Text != nil {
		if !blank(r.Text) {
			b.raw(-1, r.Text, label.AgentMessagePlain)
		}
		return
	}
	for i := range r.Blocks {
		k := &r.Blocks[i]
		switch string(k.Type) {
		case "text":
			if k.Text == nil || blank(k.Text) {
				continue
			}
			leaf := label.AgentMessagePlain
			if len(r.Blocks) == 1 && !r.IsAPIError && r.Model.Is("<synthetic>") && k.Text.Is(Placeholder) {
				leaf = label.HarnessResumePlaceholder
			}
			b.raw(i, k.Text, leaf)
		case "thinking":
			b.raw(i, notNil(k.Thinking), thinkingLeaf(k))
		case "redacted_thinking":
			b.add(Section{Labels: b.labels(label.AgentThinkingRedacted), Block: i})
		case "tool_use":
			b.toolUse(i, k)
		}
	}
}

func notNil(s record.Str) record.Str {
	if s == nil {
		return record.Str{}
	}
	return s
}

// blank reports whether the decoded text is nothing but white space.
func blank(s record.Str) bool {
	if len(s) > 64 {
		return len(bytes.TrimSpace(s)) == 0
	}
	return len(bytes.TrimSpace(jsonl.Unescape(nil, s))) == 0
}

func thinkingLeaf(k *record.Block) label.Leaf {
	switch {
	case k.Thinking == nil || blank(k.Thinking):
		return label.AgentThinkingOmitted
	case narrated(k.Signature):
		return label.AgentThinkingNarration
	}
	return label.AgentThinkingSummary
}

// toolUse renders a call as its name and its input, as compact JSON in the writer's key order.
func (b *Builder) toolUse(i int, k *record.Block) {
	n := len(b.arena)
	b.arena = k.Name.Append(b.arena)
	if len(k.Input) > 0 {
		b.arena = append(b.arena, ' ')
		b.arena = appendCompact(b.arena, k.Input)
	}
	b.add(Section{Labels: b.labels(useLeaves(k)...), Text: b.arena[n:len(b.arena):len(b.arena)], Block: i})
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
