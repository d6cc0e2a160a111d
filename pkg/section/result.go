package section

import (
	"strconv"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

var (
	answerLeaves   = []label.Leaf{label.UserAnswer, label.AgentToolResult}
	rejectLeaves   = []label.Leaf{label.UserRejection, label.AgentToolResult}
	returnLeaves   = []label.Leaf{label.AgentToolResult, label.AgentCommunicationInbox}
	plainResult    = []label.Leaf{label.AgentToolResult}
	launchSentence = "Async agent launched successfully"
)

// results gives the sections of a user record that carries tool results.
func (b *Builder) results(r *record.Record, ctx *Context) {
	why := r.Opens(true)
	for i := range r.Blocks {
		k := &r.Blocks[i]
		switch string(k.Type) {
		case "text":
			if t := k.Text.String(); strings.TrimSpace(t) != "" {
				b.beside(r, ctx, t, i)
			}
		case "tool_result":
			b.result(r, ctx, i, why)
		}
	}
}

// beside names a text that stands beside a tool result in one record: never the person's prompt.
func (b *Builder) beside(r *record.Record, ctx *Context, text string, block int) {
	leaf, _ := userLeaf(r, ctx, strings.TrimSpace(text))
	s := Section{Text: b.text(text), Block: block}
	if leaf != label.None && leaf != label.UserMessage && leaf != label.AgentCommunicationInbox {
		s.Labels = b.labels(leaf)
	}
	b.add(s)
}

func (b *Builder) result(r *record.Record, ctx *Context, i int, why record.Opening) {
	k := &r.Blocks[i]
	switch {
	case why == record.Answer:
		b.add(Section{Labels: answerLeaves, Text: b.text(answerText(r, k)), Block: i, OneRow: true})
	case why == record.Rejection && k.IsError:
		text := r.RejectionWords()
		if ctx.Plan != nil {
			if p := ctx.Plan(k.ToolUseID.String()); p != "" {
				text += " [plan: " + p + "]"
			}
		}
		b.add(Section{Labels: rejectLeaves, Text: b.text(excerpt.Fold(text)), Block: i, OneRow: true})
	default:
		s := Section{Labels: plainResult, Block: i, Loose: ctx.ToolFor == nil}
		if raw := k.Content.Str(); raw != nil {
			s.Raw = raw
		} else {
			s.Text = b.resultItems(k)
		}
		if !k.IsError && returned(r, k, ctx) {
			s.Labels = returnLeaves
		}
		b.add(s)
	}
}

// resultItems joins the text items and tool references of a result by newlines.
func (b *Builder) resultItems(k *record.Block) []byte {
	n := len(b.arena)
	b.items = k.Content.Blocks(b.items[:0])
	for j := range b.items {
		it := &b.items[j]
		v := it.Text
		if it.Type.Is("tool_reference") {
			v = it.ToolName
		}
		if v == nil {
			continue
		}
		if len(b.arena) > n {
			b.arena = append(b.arena, '\n')
		}
		b.arena = v.Append(b.arena)
	}
	return b.arena[n:len(b.arena):len(b.arena)]
}

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
	t := &r.Result
	if t.IsAsync || t.Status.Is("teammate_spawned") || t.Status.Is("async_launched") {
		return false
	}
	return !strings.HasPrefix(strings.TrimSpace(k.ResultText()), launchSentence)
}

// answerText renders an answered AskUserQuestion on one line: questions, options, answers, notes.
func answerText(r *record.Record, k *record.Block) string {
	t := &r.Result
	if !t.Raw.IsObject() || (t.Answers.Empty() && t.Response == nil) {
		return excerpt.Fold("[AskUserQuestion] " + k.ResultText())
	}
	var out strings.Builder
	n := 0
	t.Questions.Items(func(record.Raw) { n++ })
	if n > 0 {
		out.WriteString("[AskUserQuestion · " + strconv.Itoa(n) + plural(n, " question", " questions") + "]")
	} else {
		out.WriteString("[AskUserQuestion]")
	}
	i := 0
	t.Questions.Items(func(q record.Raw) {
		i++
		question := q.Get("question").Str().String()
		out.WriteString(" Q" + strconv.Itoa(i))
		if h := q.Get("header").Str().String(); h != "" {
			out.WriteString(" (" + h + ")")
		}
		out.WriteString(": " + question)
		q.Get("options").Items(func(o record.Raw) {
			out.WriteString(" - " + o.Get("label").Str().String())
			if d := o.Get("description").Str().String(); d != "" {
				out.WriteString(": " + d)
			}
		})
		if a := t.Answers.Get(question); a != nil {
			out.WriteString(" A" + strconv.Itoa(i) + ": " + valueText(a))
		}
		if notes := t.Annotations.Get(question).Get("notes").Str(); len(notes) > 0 {
			out.WriteString(" note: " + notes.String())
		}
	})
	if n == 0 {
		t.Answers.Each(func(q string, a record.Raw) { out.WriteString(" " + q + ": " + valueText(a)) })
	}
	if len(t.Response) > 0 {
		out.WriteString(" response: " + t.Response.String())
	}
	return excerpt.Fold(out.String())
}

// valueText gives a string's text, the strings of an array joined by commas, and anything else as it is written.
func valueText(v record.Raw) string {
	if s := v.Str(); s != nil {
		return s.String()
	}
	if v.IsArray() {
		var parts []string
		v.Items(func(it record.Raw) { parts = append(parts, valueText(it)) })
		return strings.Join(parts, ", ")
	}
	return string(v)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
