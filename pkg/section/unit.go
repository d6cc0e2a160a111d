package section

import (
	"slices"
	"strconv"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// Root says where a unit stands in its turn: the opening record, and how many parent links away it is.
type Root struct {
	Line *int    `json:"line"` // nil: no opener above
	UUID *string `json:"uuid"`
	Hops *int    `json:"hops"` // nil: placed by its position in the file, not reached by parent links
	Note *string `json:"note"` // why Line or Hops is null
}

// Unit is one section as a row shows it, without its text: the keys that a search hit, a sibling and a shown record have
// in common. Pointers are null where the key does not apply or is not known.
type Unit struct {
	Label             *string    `json:"label"`
	Labels            []string   `json:"labels"`
	Delivered         *bool      `json:"delivered"`
	Survival          *string    `json:"survival"`
	AbandonedRootLine *int       `json:"abandoned_root_line"`
	ReplayCopyOf      *int       `json:"replay_copy_of"`
	Line              *int       `json:"line"`
	UUID              *string    `json:"uuid"`
	TSUTC             *string    `json:"ts_utc"`
	TSLocal           *string    `json:"ts_local"`
	ToolName          *string    `json:"tool_name"`
	ToolUseID         *string    `json:"tool_use_id"`
	Pairing           *string    `json:"pairing"`
	IsError           *bool      `json:"is_error"`
	From              *string    `json:"from"`
	To                *string    `json:"to"`
	QueueOperation    *string    `json:"queue_operation"`
	QueueReason       *string    `json:"queue_reason"`
	ResumePaired      *bool      `json:"resume_paired"`
	ScheduledAt       *string    `json:"scheduled_at"`
	TaskIDs           []string   `json:"task_ids"`
	OrphanKind        *string    `json:"orphan_kind"`
	Mode              *string    `json:"mode"`
	CompactMetadata   RawJSON    `json:"compact_metadata"`
	SupersedingLine   *int       `json:"superseding_line"`
	SupersedingUUID   *string    `json:"superseding_uuid"`
	DiffChars         *int       `json:"diff_chars"`
	DiffPct           *int       `json:"diff_pct"`
	DiffExact         *bool      `json:"diff_exact"`
	Source            *string    `json:"source"`
	ForRoot           Root       `json:"for_root"`
	For               []struct{} `json:"for,omitempty"`
	ImageIDs          []string   `json:"image_ids"`

	SignatureLen  *int  `json:"signature_len,omitempty"`
	ThinkingEmpty *bool `json:"thinking_text_absent,omitempty"`

	ClientTurn *int `json:"client_turn,omitempty"` // turnPosition.turnIndex, 1-based, from Claude Code 2.1.332 on

	Leaf label.Leaf `json:"-"`
}

// RawJSON is a value copied from a record.
type RawJSON []byte

// MarshalJSON gives the value in compact form, null when there is none.
func (v RawJSON) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte("null"), nil
	}
	return appendCompact(nil, v), nil
}

// Describe fills in the unit of a section. leaf is the label under which it is shown, label.None where no leaf names it.
func Describe(u *Unit, r *record.Record, s *Section, leaf label.Leaf, st *transcript.Structure, loc transcript.Loc) {
	*u = Unit{Leaf: leaf, Labels: make([]string, 0, len(s.Labels)), TaskIDs: []string{}, ImageIDs: Images(r, int(loc.Line))}
	for _, l := range s.Labels {
		u.Labels = append(u.Labels, l.String())
	}
	if leaf != label.None {
		name := leaf.String()
		u.Label = &name
	}
	d := Delivered(r)
	u.Delivered = &d
	line := int(loc.Line)
	u.Line = &line
	u.UUID = text(r.UUID)
	if r.Timestamp != nil {
		if t, ok := when.Stamp(r.Timestamp.String()); ok {
			u.TSUTC = text(r.Timestamp)
			local := when.Local(t)
			u.TSLocal = &local
		}
	}
	if n, ok := st.CopyOf(loc.Line, loc.Part); ok {
		u.ReplayCopyOf = &n
	}
	u.ForRoot = rootOf(st, loc)
	if n, err := strconv.Atoi(string(r.TurnPosition.Get("turnIndex"))); err == nil {
		u.ClientTurn = &n
	}
	u.compaction(r)
	u.tool(r, s, st, loc)
	u.notice(r, s)
	u.thinking(r, s)
}

func text(s record.Str) *string {
	if s == nil {
		return nil
	}
	t := s.String()
	return &t
}

// rootOf gives the place of a record in its turn.
func rootOf(st *transcript.Structure, loc transcript.Loc) Root {
	turn := st.Turn(loc.Line, loc.Part)
	o, _, ok := st.Opener(turn)
	if !ok {
		note := "no opener above"
		return Root{Note: &note}
	}
	line := int(o.Line)
	root := Root{Line: &line}
	if uuid := st.OpenerUUID(turn); uuid != "" {
		root.UUID = &uuid
	}
	if hops, ok := st.Hops(loc.Line, loc.Part); ok {
		root.Hops = &hops
		return root
	}
	note := "placed by position, not reached by parent links"
	root.Note = &note
	return root
}

// Delivered reports whether the model received the record.
func Delivered(r *record.Record) bool {
	switch string(r.Type) {
	case "user", "assistant":
		return !r.IsVirtual && !(r.IsAPIError && r.Model.Is("<synthetic>"))
	case "system":
		return r.Subtype.Is("local_command")
	case "attachment":
		return label.AttachmentDelivered(r.Attachment.Get("type").Str().String(), len(r.Rendered) > 0)
	}
	return false
}

func (u *Unit) compaction(r *record.Record) {
	mode := ""
	switch u.Leaf {
	case label.HarnessCompactionSummary:
		switch d := r.SummarizeMetadata.Get("direction").Str(); {
		case d.Is("from"):
			mode = "summarize-from-here"
		case d.Is("up_to"):
			mode = "summarize-up-to-here"
		case len(r.SummarizeMetadata) == 0:
			mode = "compact"
		}
	case label.HarnessCompactionBoundary:
		u.CompactMetadata = RawJSON(slices.Clone(r.CompactMetadata)) // the record's bytes are read over
	}
	if mode != "" {
		u.Mode = &mode
	}
}

// tool fills in what is known of the tool call that a section is one side of.
func (u *Unit) tool(r *record.Record, s *Section, st *transcript.Structure, loc transcript.Loc) {
	if s.Block < 0 || s.Block >= len(r.Blocks) {
		return
	}
	k := &r.Blocks[s.Block]
	result := k.Type.Is("tool_result")
	if !result && !k.Type.Is("tool_use") {
		return
	}
	id, name := k.ID, k.Name.String()
	if result {
		id = k.ToolUseID
		failed := k.IsError // the block is decoded over
		u.IsError = &failed
	}
	p := st.Call(id.String(), loc.Line, result)
	if result {
		name = p.Name
	}
	u.ToolUseID = text(id)
	if name != "" {
		u.ToolName = &name
	}
	word := "paired"
	if !p.Found {
		word = "pending"
		if result {
			word = "orphan"
		}
	}
	u.Pairing = &word
	u.direction(k, s, result, r)
}

// direction names who speaks to whom across lanes; the owner of the transcript is the word self.
func (u *Unit) direction(k *record.Block, s *Section, result bool, r *record.Record) {
	self, other := "self", ""
	if result {
		if !has(s.Labels, label.AgentCommunicationInbox) {
			return
		}
		if other = r.Result.AgentID.String(); other == "" {
			other = "?"
		}
		u.From, u.To = &other, &self
		return
	}
	if !has(s.Labels, label.AgentCommunicationSent) && !has(s.Labels, label.AgentCommunicationSignal) {
		return
	}
	keys := [...]string{"name", "subagent_type"}
	if k.Name.Is("SendMessage") {
		keys = [...]string{"to", "recipient"}
	}
	for _, key := range keys {
		if v := k.Input.Get(key).Str().String(); v != "" && other == "" {
			other = v
		}
	}
	if other == "" {
		other = "?"
	}
	u.From, u.To = &self, &other
}

func has(labels []label.Leaf, l label.Leaf) bool {
	for _, x := range labels {
		if x == l {
			return true
		}
	}
	return false
}

// notice fills in what a notification or a message of a peer says beside its text.
func (u *Unit) notice(r *record.Record, s *Section) {
	self := "self"
	n := s.Note
	switch {
	case n != nil:
		u.TaskIDs = append(u.TaskIDs, n.TaskIDs...)
		if n.Orphan != "" {
			u.OrphanKind = &n.Orphan
		}
		from := n.From
		if from == "" {
			from = "?"
		}
		if has(s.Labels, label.AgentCommunicationInbox) || has(s.Labels, label.AgentCommunicationSignal) {
			u.From, u.To = &from, &self
		}
	case s.Block < 0 && has(s.Labels, label.AgentCommunicationInbox):
		from := "parent"
		if r.IsMeta && r.Origin.Get("kind").Str().Is("coordinator") {
			from = "coordinator"
		}
		u.From, u.To = &from, &self
	}
}

func (u *Unit) thinking(r *record.Record, s *Section) {
	if s.Block < 0 || s.Block >= len(r.Blocks) || !r.Blocks[s.Block].Type.Is("thinking") {
		return
	}
	k := &r.Blocks[s.Block]
	if k.Signature != nil {
		n := len([]rune(k.Signature.String()))
		u.SignatureLen = &n
	}
	empty := k.Thinking == nil || blank(k.Thinking)
	u.ThinkingEmpty = &empty
}

// Images names the images of a record: by the number that the person sees (#7) where the record says it, else by the
// place of the image on its line (L12i0).
func Images(r *record.Record, line int) []string {
	n := 0
	for i := range r.Blocks {
		k := &r.Blocks[i]
		switch {
		case k.Type.Is("image"):
			n++
		case k.Content.IsArray() && k.Type.Is("tool_result"):
			for _, it := range k.Content.Blocks(nil) {
				if it.Type.Is("image") {
					n++
				}
			}
		}
	}
	ids := make([]string, 0, n)
	if n == 0 {
		return ids
	}
	var handles []string
	r.ImagePasteIDs.Items(func(v record.Raw) { handles = append(handles, "#"+valueText(v)) })
	if len(handles) == 0 {
		handles = imageMarkers(r.UserText())
	}
	for i := range n {
		if len(handles) == n {
			ids = append(ids, handles[i])
		} else {
			ids = append(ids, "L"+strconv.Itoa(line)+"i"+strconv.Itoa(i))
		}
	}
	return ids
}

// imageMarkers gives the handles of the [Image #N] marks in a text.
func imageMarkers(t string) (out []string) {
	const open = "[Image #"
	for i := 0; i+len(open) < len(t); i++ {
		if t[i:i+len(open)] != open {
			continue
		}
		j := i + len(open)
		for j < len(t) && t[j] >= '0' && t[j] <= '9' {
			j++
		}
		if j > i+len(open) && j < len(t) && t[j] == ']' {
			out = append(out, t[i+len(open)-1:j])
		}
	}
	return out
}
