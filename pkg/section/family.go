package section

import (
	"slices"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// Facts are what only some units have to say; each is left out of the others.
type Facts struct {
	ServedBy         *string `json:"served_by,omitempty"` // the model that answered in the place of another
	FellBackFrom     *string `json:"fell_back_from,omitempty"`
	Relayed          *bool   `json:"relayed,omitempty"` // the person's words, which the harness passed on
	PeerSenderTaskID *string `json:"peer_sender_task_id,omitempty"`
	BodySource       *string `json:"body_source,omitempty"`   // of an attachment: BodyRendered, BodyField or BodyPayload
	RenderedRole     *string `json:"rendered_role,omitempty"` // as whose words the model got the conversion
	ProducedBy       *string `json:"produced_by,omitempty"`   // the command whose output an attachment is
	PDFPages         *Pages  `json:"pdf_pages,omitempty"`

	Salvaged bool `json:"-"` // thinking that was kept of a stream which broke off
	Removed  bool `json:"-"` // the client took the thinking out of the message
}

// Where the text of an attachment is from.
const (
	BodyRendered = "rendered" // the client's own conversion, kept beside the payload
	BodyField    = "field"    // the key of the payload that holds its text
	BodyPayload  = "payload"  // the payload as it stands
)

// Pages is a run of pages of a PDF that a result shows, both ends included and counted from 1.
type Pages struct {
	First int     `json:"first"`
	Last  int     `json:"last"`
	Count int     `json:"count"`
	Path  *string `json:"path"`
}

// facts fills in what is particular to a family of records.
func (u *filling) facts(r *record.Record, s *Section, st *transcript.Structure) {
	switch string(r.Type) {
	case "assistant":
		u.ServedBy, u.FellBackFrom = u.all.servedBy, u.all.fellBackFrom
		u.replaced(r, s)
		if slices.Contains(s.Labels, label.HarnessResumePlaceholder) {
			u.ResumePaired = truth(st.ResumesAt(r.ParentUUID.String()))
		}
	case "user":
		u.injected(r, s, st)
		if s.Block >= 0 && s.Block < len(r.Blocks) && r.Blocks[s.Block].Type.Is("tool_result") {
			if r.Blocks[s.Block].IsError {
				u.DenialKind = u.text(r.ToolDenialKind)
			}
			u.PDFPages = u.all.pages
		}
	case "attachment":
		u.BodySource, u.RenderedRole = u.word(bodySource(r)), u.text(r.Member("renderedRole").Str())
		u.ProducedBy = u.text(r.Attachment.Get("command").Str())
	case "queue-operation":
		if slices.Contains(s.Labels, label.UserQueued) {
			u.QueueOperation, u.QueueReason = u.text(r.Operation), u.text(r.Reason)
		}
	}
}

// injected fills in what a text says of its sender that the harness wrote in the person's place.
func (u *filling) injected(r *record.Record, s *Section, st *transcript.Structure) {
	if slices.Contains(s.Labels, label.HarnessScheduleFire) {
		if at := st.ScheduledAt(r.ParentUUID.String()); at != "" {
			u.ScheduledAt = u.word(at)
		}
	}
	if u.all.origin == "human" && r.IsMeta && slices.Contains(s.Labels, label.UserMessage) {
		u.Relayed = truth(true)
	}
	u.PeerSenderTaskID = u.all.senderTask
}

// removedThinking is what the client leaves of a message that held nothing but thinking.
const removedThinking = "[Thinking removed]"

// removed reports whether a text is that. A character takes six bytes at most in a record.
func removed(s record.Str) bool { return len(s) <= 6*len(removedThinking) && s.Is(removedThinking) }

// replaced tells where the client put something else in the place of what the model wrote.
func (u *filling) replaced(r *record.Record, s *Section) {
	if s.Block < 0 || s.Block >= len(r.Blocks) {
		u.Removed = removed(r.Text)
		return
	}
	switch k := &r.Blocks[s.Block]; string(k.Type) {
	case "text":
		u.Removed = removed(k.Text)
	case "thinking":
		u.Salvaged = k.Signature != nil && len(k.Signature) == 0 && r.Model.Is("<synthetic>") && k.Thinking != nil && !blank(k.Thinking)
	}
}

// modelIn gives a model's name, or the one that an object holds.
func (m *Space) modelIn(v record.Raw) *string {
	if s := v.Str(); s != nil {
		return m.text(s)
	}
	return m.text(v.Get("model").Str())
}

// attachmentTexts are the keys of a payload that hold its text, in the order they are tried.
var attachmentTexts = [...]string{"content", "prompt", "stdout", "text", "snippet", "addedLines", "addedBlocks"}

// bodySource tells where Builder.Sections takes the text of an attachment from.
func bodySource(r *record.Record) string {
	if len(appendTexts(nil, r.Rendered)) > 0 {
		return BodyRendered
	}
	for _, k := range attachmentTexts {
		if len(appendTexts(nil, r.Attachment.Get(k))) > 0 {
			return BodyField
		}
	}
	return BodyPayload
}

// pages reads which pages of a PDF a result holds: Read with a page range answers with parts, the first page and how many
// there are (seen at 2.1.332).
func (m *Space) pages(r *record.Record) *Pages {
	if !r.Result.Kind.Is("parts") {
		return nil
	}
	file := r.Result.Raw.Get("file")
	first, count := m.whole(r.Result.Raw.Get("firstPage")), m.whole(file.Get("count"))
	if first == nil || count == nil || *count == 0 {
		return nil
	}
	return &Pages{First: *first, Last: *first + *count - 1, Count: *count, Path: m.text(file.Get("filePath").Str())}
}
