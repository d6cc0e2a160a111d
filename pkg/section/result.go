package section

import (
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

var (
	answerLeaves = []label.Leaf{label.UserAnswer, label.AgentToolResult}
	rejectLeaves = []label.Leaf{label.UserRejection, label.AgentToolResult}
	returnLeaves = []label.Leaf{label.AgentToolResult, label.AgentCommunicationInbox}
	plainResult  = []label.Leaf{label.AgentToolResult}
)

// results gives the sections of a user record that carries tool results.
func (b *Builder) results(r *record.Record, ctx *Context) {
	why, answer := r.Opens(true), -1
	if why == record.Answer {
		answer = r.AnswerBlock()
	}
	for i := range r.Blocks {
		k := &r.Blocks[i]
		switch {
		case k.Type.Is("text"):
			b.beside(r, k, i)
		case !k.Type.Is("tool_result"):
		case i == answer:
			b.add(Section{Labels: answerLeaves, Text: b.text(answerText(r, k)), Block: i, OneRow: true, Loose: true})
		case why == record.Rejection && b.rejection(k, ctx, i):
		default:
			b.result(r, k, ctx, i)
		}
	}
}

// beside adds a text that stands beside a tool result in one record: the harness's, never the person's prompt.
func (b *Builder) beside(r *record.Record, k *record.Block, i int) {
	t := strings.TrimSpace(k.Text.String())
	if t == "" {
		return
	}
	leaf := markerLeaf(t)
	if leaf == label.None && r.IsMeta {
		leaf, _ = label.MetaText(t)
	}
	b.raw(i, k.Text, leaf)
}

// rejection adds what the person typed while refusing a call, and the plan that they refused; false when this result is
// no such refusal.
func (b *Builder) rejection(k *record.Block, ctx *Context, i int) bool {
	words := k.RejectionWords()
	if words == "" {
		return false
	}
	if ctx.Plan != nil {
		if p := ctx.Plan(k.ToolUseID.String()); p != "" {
			words += " [plan: " + p + "]"
		}
	}
	b.add(Section{Labels: rejectLeaves, Text: b.text(excerpt.Fold(words)), Block: i, OneRow: true, Loose: true})
	return true
}

func (b *Builder) result(r *record.Record, k *record.Block, ctx *Context, i int) {
	s := Section{Labels: plainResult, Block: i, Raw: k.Content.Str(), Loose: ctx.ToolFor == nil}
	if s.Raw == nil {
		n := len(b.arena)
		b.arena, b.items = k.AppendResultText(b.arena, b.items)
		s.Text = b.since(n)
	}
	if !k.IsError && returned(r, k, ctx) {
		s.Labels = returnLeaves
	}
	b.resolve(&s, r, k)
	b.add(s)
}

// Receipts are what a result starts with that only says a subagent was started.
var receipts = [...]string{"Async agent launched successfully", "Fork started"}

// returned reports whether a result is what a subagent handed back, rather than the receipt of its launch.
func returned(r *record.Record, k *record.Block, ctx *Context) bool {
	if ctx.ToolFor == nil {
		return false
	}
	switch ctx.ToolFor(k.ToolUseID.String()) {
	case "Task", "Agent":
	default:
		return false
	}
	if t := &r.Result; t.IsAsync || t.Status.Is("teammate_spawned") || t.Status.Is("async_launched") {
		return false
	}
	text := strings.TrimSpace(k.ResultText())
	for _, s := range receipts {
		if strings.HasPrefix(text, s) {
			return false
		}
	}
	return true
}
