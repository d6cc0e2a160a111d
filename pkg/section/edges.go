package section

import (
	"slices"
	"strings"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// Edge is one relation of a record to the one that it is for. Where it leads to no record of the file, Line is nil and
// what the record states stands in UUID (a record elsewhere), ID (any other id) or Session; Reason says why nothing does.
type Edge struct {
	Kind    EdgeKind `json:"kind"`
	Basis   *Basis   `json:"basis"` // nil: there is one, and no telling which
	Line    *int     `json:"line"`
	UUID    *string  `json:"uuid"`
	ID      *string  `json:"id,omitempty"`
	Session *string  `json:"session_id,omitempty"`
	Reason  *string  `json:"reason,omitempty"`

	At transcript.Loc `json:"-"` // of Line
}

// Edges gives the relations of a section's record, in the order of the table except that parent is last. Of what the
// sections of one record say each for itself (a result, a notification) it gives this section's. They are kept in the
// space until its next Reset.
func (m *Space) Edges(r *record.Record, s *Section, st *transcript.Structure, loc transcript.Loc) []Edge {
	e := edging{Space: m, r: r, s: s, st: st, loc: loc, all: m.factsOf(r, st, loc)}
	if m != nil {
		e.out = m.edges[len(m.edges):]
	}
	e.survival()
	switch string(r.Type) {
	case "user":
		e.user()
	case "assistant":
		e.assistant()
	case "system":
		e.system()
	case "attachment":
		e.attachment()
	default:
		e.line()
	}
	e.parent()
	if len(e.out) == 0 {
		return nil
	}
	if m != nil {
		m.edges = append(m.edges, e.out...)
	}
	return slices.Clip(e.out)
}

// edging is the making of one record's edges.
type edging struct {
	*Space
	r   *record.Record
	s   *Section
	st  *transcript.Structure
	loc transcript.Loc
	all *recordFacts
	out []Edge
}

var byKey, byPosition = ptr(ByKey), ptr(ByPosition)

// at adds an edge to a record of the file.
func (e *edging) at(kind EdgeKind, basis *Basis, to transcript.Loc) {
	x := Edge{Kind: kind, Basis: basis, Line: e.number(int(to.Line)), At: to}
	if uuid := e.st.UUID(to.Line, to.Part); uuid != "" {
		x.UUID = e.word(uuid)
	}
	e.out = append(e.out, x)
}

// uuid adds an edge to the record that a uuid names, if it is one.
func (e *edging) uuid(kind EdgeKind, basis *Basis, id record.Str) {
	if names(id) {
		if to, ok := e.st.Find(id.String()); ok {
			e.at(kind, basis, to)
			return
		}
		e.out = append(e.out, Edge{Kind: kind, Basis: basis, UUID: e.text(id)})
	}
}

// names reports whether a uuid names something: the all-zero one stands for the start of a session.
func names(id record.Str) bool {
	return len(id) > 0 && !id.Is("00000000-0000-0000-0000-000000000000")
}

// wire adds an edge by an id that is no record's.
func (e *edging) wire(kind EdgeKind, id string) {
	if id != "" {
		e.out = append(e.out, Edge{Kind: kind, Basis: byKey, ID: e.word(id)})
	}
}

// use adds an edge to the call with a tool use id.
func (e *edging) use(kind EdgeKind, id string) {
	if p := e.st.Call(id, e.loc.Line, true); id != "" && p.Found {
		e.at(kind, byKey, p.Other)
		return
	}
	e.wire(kind, id)
}

func (e *edging) unknown(kind EdgeKind, why string) {
	e.out = append(e.out, Edge{Kind: kind, Reason: e.word(why)})
}

func (e *edging) has(l ...label.Leaf) bool {
	return slices.ContainsFunc(e.s.Labels, func(x label.Leaf) bool { return slices.Contains(l, x) })
}

// up adds an edge to the parent.
func (e *edging) up(kind EdgeKind) {
	to, ok := e.st.Parent(e.loc.Line, e.loc.Part)
	if !ok || !names(e.r.ParentUUID) {
		e.uuid(kind, byPosition, e.r.ParentUUID)
		return
	}
	e.out = append(e.out, Edge{Kind: kind, Basis: byPosition, Line: e.number(int(to.Line)), UUID: e.text(e.r.ParentUUID), At: to})
}

// parent adds the link that every record has, unless what is already there leads to the same record.
func (e *edging) parent() {
	n := len(e.out)
	e.up(EdgeParent)
	if len(e.out) == n {
		return
	}
	p := &e.out[n]
	for i := range n {
		x := &e.out[i]
		if p.Line != nil && x.Line != nil && x.At == p.At || x.UUID != nil && p.UUID != nil && *x.UUID == *p.UUID {
			e.out = e.out[:n]
			return
		}
	}
}

func (e *edging) survival() {
	if l, ok := e.st.Lost(e.loc.Line, e.loc.Part); ok && l.HasBy {
		if l.Answered {
			e.at(EdgeContinues, byPosition, l.By)
		} else {
			e.at(EdgeSupersedes, byPosition, l.By)
		}
	}
	if _, ok := e.st.CopyOf(e.loc.Line, e.loc.Part); ok {
		e.uuid(EdgeReplays, byKey, e.r.UUID)
	}
	if root, _, ok := e.st.Root(e.loc.Line, e.loc.Part); ok && root != e.loc {
		e.at(EdgeBranches, byPosition, root)
	}
}

func (e *edging) user() {
	r, s := e.r, e.s
	if s.Block >= 0 && s.Block < len(r.Blocks) && r.Blocks[s.Block].Type.Is("tool_result") {
		e.use(EdgeResultOf, r.Blocks[s.Block].ToolUseID.String())
	}
	switch {
	case s.Note != nil && s.Note.Pulse:
		e.reports(s.Note.ToolUse, s.Note.TaskIDs)
	case r.IsCompactSummary:
		if to, named, ok := e.st.Counterpart(e.loc.Line, e.loc.Part); ok {
			e.at(EdgePairs, basisOf(named), to)
		}
	case r.IsMeta:
		e.injection()
	}
	e.use(EdgeForToolUse, e.all.sourceUse)
	if r.InterruptedMessageID != nil {
		e.interrupted()
	}
}

func basisOf(named bool) *Basis {
	if named {
		return byKey
	}
	return byPosition
}

// injection adds what a text is for that the harness wrote in the person's place.
func (e *edging) injection() {
	switch {
	case e.all.origin == "coordinator":
		e.unknown(EdgeRepliesTo, whyCoordinator)
	case e.all.origin == "peer":
		e.unknown(EdgeRepliesTo, whyPeer)
	case e.s.Note != nil:
	case e.has(label.HarnessEnforceRetry, label.HarnessEnforceBrief, label.HarnessEnforceHandback, label.HarnessEnforceStructuredOutput):
		e.up(EdgeRedoes)
	case e.has(label.HarnessHookFeedback):
		e.up(EdgeBlocked)
	case e.has(label.HarnessScheduleFire):
		if id := e.r.Member("scheduledFireId").Str(); names(id) {
			e.uuid(EdgeFires, byKey, id)
		} else {
			e.up(EdgeFires)
		}
	case e.has(label.HarnessScheduleWakeup, label.HarnessScheduleTick, label.HarnessResumePrompt):
		// No key of these says what they are for.
	default:
		e.up(EdgeAttachedTo)
	}
}

// interrupted adds the reply that was cut off: the id is that of a message, and a reply may take several records.
func (e *edging) interrupted() {
	id := e.r.InterruptedMessageID
	if to, ok := e.st.Message(id); ok {
		e.at(EdgeInterrupted, byKey, to)
	} else if to, ok := e.st.Find(id.String()); ok {
		e.at(EdgeInterrupted, byKey, to)
	} else {
		e.wire(EdgeInterrupted, id.String())
	}
}

// reports adds what a notification reports of: the call that started the task, by its own id or by that of the task.
func (e *edging) reports(use string, tasks []string) {
	if use != "" {
		e.use(EdgeReports, use)
		return
	}
	for _, id := range tasks {
		if call := e.st.TaskCall(id); call != "" {
			e.use(EdgeReports, call)
		} else {
			e.wire(EdgeReports, id)
		}
	}
}

// pulses adds what the notifications in a text report of that is not a person's prompt.
func (e *edging) pulses(text string) {
	if !strings.Contains(text, "<"+record.Pulse) {
		return
	}
	for _, s := range record.Sections(text) {
		if s.Tag == record.Pulse {
			n, _, _ := noticeOf(&s)
			e.reports(n.ToolUse, n.TaskIDs)
		}
	}
}

func (e *edging) assistant() {
	r := e.r
	if e.has(label.HarnessResumePlaceholder) && e.st.ResumesAt(r.ParentUUID.String()) {
		e.up(EdgeRepairs)
	}
	if e.all.fellBack {
		e.unknown(EdgeBanner, whyBanner)
	}
}

func (e *edging) system() {
	r := e.r
	switch string(r.Subtype) {
	case "compact_boundary":
		e.boundary()
	case "model_refusal_fallback", "model_refusal_no_fallback":
		e.uuid(EdgeRefused, byKey, r.Member("refusedUserMessageUuid").Str())
	case "local_command":
		e.up(EdgeWraps)
	case "scheduled_task_fire":
		e.unknown(EdgeArmedBy, whyArmed)
	case "stop_hook_summary":
		e.wire(EdgeHookRun, r.Member("toolUseID").Str().String())
	}
}

func (e *edging) boundary() {
	r := e.r
	segment, messages := r.CompactMetadata.Get("preservedSegment"), r.CompactMetadata.Get("preservedMessages")
	anchor := segment.Get("anchorUuid").Str()
	if !names(anchor) {
		anchor = messages.Get("anchorUuid").Str()
	}
	// A summary that /rewind made stands behind a boundary that names itself.
	if names(anchor) && !anchor.Is(r.UUID.String()) {
		e.uuid(EdgePairs, byKey, anchor)
	} else if to, _, ok := e.st.Counterpart(e.loc.Line, e.loc.Part); ok {
		e.at(EdgePairs, byPosition, to)
	}
	e.uuid(EdgePrecedes, byKey, r.LogicalParentUUID)
	if kept := messages.Get("uuids"); kept.IsArray() {
		kept.Items(func(v record.Raw) { e.uuid(EdgePreserves, byKey, v.Str()) })
		return
	}
	head, tail := segment.Get("headUuid").Str(), segment.Get("tailUuid").Str()
	if kept := e.st.Between(head.String(), tail.String()); kept != nil {
		for _, to := range kept {
			e.at(EdgePreserves, byKey, to)
		}
		return
	}
	e.uuid(EdgePreserves, byKey, head)
	if !tail.Is(head.String()) {
		e.uuid(EdgePreserves, byKey, tail)
	}
}

// about names the hook events whose toolUseID is that of a call. Those of others bring the id of their run, or the
// event's name (SessionStart, seen at 2.1.332).
var about = map[string]bool{"PreToolUse": true, "PostToolUse": true, "PostToolUseFailure": true, "PermissionRequest": true, "PermissionDenied": true}

func (e *edging) attachment() {
	a := e.r.Attachment
	e.up(EdgeAttachedTo)
	id, event := a.Get("toolUseID").Str().String(), a.Get("hookEvent").Str().String()
	switch {
	case id == "":
	case event == "" || about[event] || e.st.Call(id, e.loc.Line, true).Found:
		e.use(EdgeForToolUse, id)
	case id != event:
		e.wire(EdgeHookRun, id)
	}
	if a.Get("type").Str().Is("queued_command") {
		e.pulses(a.Get("prompt").Str().String())
	}
}

// line adds what a line states that is no part of the conversation.
func (e *edging) line() {
	r := e.r
	switch string(r.Type) {
	case "last-prompt", "summary":
		e.uuid(EdgeLeaf, byKey, r.LeafUUID)
	case "file-history-snapshot", "file-history-delta":
		e.uuid(EdgeVersions, byKey, r.MessageRef)
	case "fork-context-ref":
		x := Edge{Kind: EdgeForkedFrom, Basis: byKey, UUID: e.text(r.Member("parentLastUuid").Str()), Session: e.text(r.Member("parentSessionId").Str())}
		if x.UUID != nil || x.Session != nil {
			e.out = append(e.out, x)
		}
	case "continued-in":
		if len(r.ContinuedIn) > 0 {
			e.out = append(e.out, Edge{Kind: EdgeContinuedIn, Basis: byKey, Session: e.text(r.ContinuedIn)})
		}
	case "queue-operation":
		e.pulses(r.Content.String())
	}
}
