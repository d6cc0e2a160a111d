package section

import (
	"csift/pkg/chain"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// notePending says how a dialog of a sidecar came to its turn: it is no link of the conversation.
const notePending = "placed by its time, on no line"

// Pending gives the sections of a dialog that waits for its answer, r being its marker: the call that Claude Code will
// write, or the words of the server that asks. It is agent.tool.use whatever the tool.
func (b *Builder) Pending(r *record.Record, p *transcript.Pending) []Section {
	b.out, b.arena, b.leafs = b.out[:0], b.arena[:0], b.leafs[:0]
	for i := range r.Blocks {
		if k := &r.Blocks[i]; k.Type.Is("tool_use") {
			b.toolUse(i, k)
			b.out[len(b.out)-1].Labels = plainUse
		}
	}
	switch {
	case len(b.out) > 0:
	case r.Content != nil && !blank(r.Content):
		b.raw(-1, r.Content, label.AgentToolUse)
	default:
		b.add(Section{Labels: plainUse, Text: b.text(p.Kind), Block: -1})
	}
	return b.out
}

// DescribePending is Describe for a section that Pending gave; turn is the one that the dialog belongs to.
func DescribePending(u *Unit, r *record.Record, s *Section, p *transcript.Pending, st *transcript.Structure, turn int) {
	var none *Space
	*u = Unit{
		Leaf: label.AgentToolUse, Label: ptr(label.AgentToolUse.String()), Labels: []string{label.AgentToolUse.String()},
		Delivered: ptr(true), Survival: ptr(chain.Live.String()), UUID: none.text(r.UUID), Source: ptr(transcript.SidecarSource),
		Pairing: ptr("pending"), TaskIDs: []string{}, ImageIDs: []string{}, ForRoot: Root{Note: ptr(noteNoOpener)},
	}
	u.TSUTC, u.TSLocal = when.Pair(p.Stamp)
	name := p.Kind
	if s.Block >= 0 {
		k := &r.Blocks[s.Block]
		u.ToolUseID = none.text(k.ID)
		name = firstOf(k.Name.String(), name)
	}
	if name != "" {
		u.ToolName = &name
	}
	if o, _, ok := st.Opener(turn); ok {
		u.ForRoot = Root{Line: ptr(int(o.Line)), Note: ptr(notePending)}
		if uuid := st.UUID(o.Line, o.Part); uuid != "" {
			u.ForRoot.UUID = &uuid
		}
	}
}
