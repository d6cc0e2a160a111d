package section

import (
	"slices"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// self is the owner of the transcript where a row says who speaks to whom.
const self = "self"

// towards names who a text comes from and who it goes to; a party that is not known is "?".
func (u *Unit) towards(from, to string) {
	u.From, u.To = ptr(firstOf(from, "?")), ptr(firstOf(to, "?"))
}

func (u *Unit) compaction(r *record.Record, s *Section, st *transcript.Structure, loc transcript.Loc) {
	mode := ""
	switch {
	case slices.Contains(s.Labels, label.HarnessCompactionSummary):
		mode = r.CompactMode()
	case slices.Contains(s.Labels, label.HarnessCompactionBoundary):
		mode = st.CompactMode(loc.Line)
		u.CompactMetadata = RawJSON(slices.Clone(r.CompactMetadata))
	}
	if mode != "" {
		u.Mode = &mode
	}
}

// call fills in what is known of a tool call.
func (u *Unit) call(k *record.Block, s *Section, st *transcript.Structure, loc transcript.Loc) {
	p := st.Call(k.ID.String(), loc.Line, false)
	u.pair(k.ID, k.Name.String(), p.Found, "pending")
	if !slices.Contains(s.Labels, label.AgentCommunicationSent) && !slices.Contains(s.Labels, label.AgentCommunicationSignal) {
		return
	}
	in := func(key string) string { return k.Input.Get(key).Str().String() }
	if k.Name.Is("SendMessage") {
		u.towards(self, firstOf(in("to"), in("recipient")))
	} else {
		u.towards(self, firstOf(in("name"), in("subagent_type")))
	}
}

// result fills in what is known of a tool result and the call that it answers.
func (u *Unit) result(r *record.Record, k *record.Block, s *Section, st *transcript.Structure, loc transcript.Loc) {
	p := st.Call(k.ToolUseID.String(), loc.Line, true)
	u.pair(k.ToolUseID, p.Name, p.Found, "orphan")
	u.IsError = ptr(k.IsError)
	if slices.Contains(s.Labels, label.AgentCommunicationInbox) {
		u.towards(r.Result.AgentID.String(), self)
	}
}

// pair names the call; alone is what it is without its other side.
func (u *Unit) pair(id record.Str, name string, found bool, alone string) {
	u.ToolUseID = text(id)
	if name != "" {
		u.ToolName = &name
	}
	if found {
		alone = "paired"
	}
	u.Pairing = &alone
}

// notice fills in what a notification or a message of a peer says beside its text.
func (u *Unit) notice(r *record.Record, s *Section) {
	inbox := slices.Contains(s.Labels, label.AgentCommunicationInbox)
	n := s.Note
	switch {
	case n == nil:
		if !inbox || s.Block >= 0 {
			return
		}
		if r.Origin.Get("kind").Str().Is("coordinator") {
			u.towards("coordinator", self)
		} else {
			u.towards("parent", self)
		}
		return
	case inbox, slices.Contains(s.Labels, label.AgentCommunicationSignal):
		u.towards(n.From, self)
	}
	u.TaskIDs = append(u.TaskIDs, n.TaskIDs...)
	if n.Orphan != "" {
		u.OrphanKind = ptr(n.Orphan)
	}
}

func (u *Unit) thinking(k *record.Block) {
	if k.Signature != nil {
		u.SignatureLen = ptr(len([]rune(k.Signature.String())))
	}
	u.ThinkingEmpty = ptr(k.Thinking == nil || blank(k.Thinking))
}
