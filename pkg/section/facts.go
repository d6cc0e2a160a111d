package section

import (
	"slices"
	"unicode/utf8"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// self is the owner of the transcript where a row says who speaks to whom.
const self = "self"

// towards names who a text comes from and who it goes to; a party that is not known is "?".
func (u *filling) towards(from, to string) {
	u.From, u.To = u.word(firstOf(from, "?")), u.word(firstOf(to, "?"))
}

func (u *filling) compaction(r *record.Record, s *Section, st *transcript.Structure, loc transcript.Loc) {
	mode := ""
	switch {
	case slices.Contains(s.Labels, label.HarnessCompactionSummary):
		mode = r.CompactMode()
	case slices.Contains(s.Labels, label.HarnessCompactionBoundary):
		mode = st.CompactMode(loc.Line)
		u.CompactMetadata = RawJSON(slices.Clone(r.CompactMetadata))
	}
	if mode != "" {
		u.Mode = u.word(mode)
	}
}

// call fills in what is known of a tool call.
func (u *filling) call(k *record.Block, s *Section, st *transcript.Structure, loc transcript.Loc) {
	u.callOf(k.ID, st, loc, false, "pending")
	u.ToolName = nil
	if len(k.Name) > 0 {
		u.ToolName = u.text(k.Name)
	}
	if !slices.Contains(s.Labels, label.AgentCommunicationSent) && !slices.Contains(s.Labels, label.AgentCommunicationSignal) {
		return
	}
	in := func(key string) string { return k.Input.Get(key).Str().String() }
	if k.Name.Is("SendMessage") {
		u.towards(self, firstOf(in("to"), in("recipient")))
	} else {
		u.towards(self, firstOf(st.AgentOf(k.ID.String()), in("name"), in("subagent_type")))
	}
}

// result fills in what is known of a tool result and the call that it answers.
func (u *filling) result(r *record.Record, k *record.Block, s *Section, st *transcript.Structure, loc transcript.Loc) {
	u.callOf(k.ToolUseID, st, loc, true, "orphan")
	u.IsError = truth(k.IsError)
	if slices.Contains(s.Labels, label.AgentCommunicationInbox) {
		u.towards(r.Result.AgentID.String(), self)
	}
}

// callOf names the call with that id; alone is what it is without its other side.
func (u *filling) callOf(id record.Str, st *transcript.Structure, loc transcript.Loc, result bool, alone string) {
	name := ""
	if u.ToolUseID = u.text(id); id != nil {
		name = *u.ToolUseID
	}
	p := st.Call(name, loc.Line, result)
	if p.Name != "" {
		u.ToolName = u.word(p.Name)
	}
	if p.Found {
		alone = "paired"
	}
	u.Pairing = u.word(alone)
}

// notice fills in what a notification or a message of a peer says beside its text.
func (u *filling) notice(r *record.Record, s *Section) {
	inbox := slices.Contains(s.Labels, label.AgentCommunicationInbox)
	n := s.Note
	switch {
	case n == nil:
		if !inbox || s.Block >= 0 {
			return
		}
		if u.all.origin == "coordinator" {
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
		u.OrphanKind = u.word(n.Orphan)
	}
}

// runes counts the characters of a string.
func runes(s record.Str) int {
	if !jsonl.HasEscape(s) {
		return utf8.RuneCount(s)
	}
	return utf8.RuneCountInString(s.String())
}

func (u *filling) thinking(k *record.Block) {
	if k.Signature != nil {
		u.SignatureLen = u.number(runes(k.Signature))
	}
	u.ThinkingEmpty = truth(k.Thinking == nil || blank(k.Thinking))
}
