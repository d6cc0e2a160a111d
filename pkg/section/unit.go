package section

import (
	"strconv"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// Root says where a unit stands in its turn: the opening record, and how many parent links away it is.
type Root struct {
	Line *int    `json:"line"` // nil: no opener above
	UUID *string `json:"uuid"`
	Hops *int    `json:"hops"` // nil: placed by its position in the file, not reached by parent links
	Note *string `json:"note"` // why Line or Hops is null
}

// Why a Root does not reach an opener.
const (
	noteGrouped  = "placed by position, not reached by parent links"
	noteNoOpener = "no opener above"
)

// Unit is one section as a row shows it, without its text: the keys that a search hit, a sibling and a shown record have
// in common. Pointers are null where the key does not apply or is not known.
type Unit struct {
	Label             *string  `json:"label"`
	Labels            []string `json:"labels"`
	Delivered         *bool    `json:"delivered"`
	Survival          *string  `json:"survival"`
	AbandonedRootLine *int     `json:"abandoned_root_line"`
	ReplayCopyOf      *int     `json:"replay_copy_of"`
	Line              *int     `json:"line"`
	UUID              *string  `json:"uuid"`
	TSUTC             *string  `json:"ts_utc"`
	TSLocal           *string  `json:"ts_local"`
	ToolName          *string  `json:"tool_name"`
	ToolUseID         *string  `json:"tool_use_id"`
	Pairing           *string  `json:"pairing"`
	IsError           *bool    `json:"is_error"`
	DenialKind        *string  `json:"denial_kind"`
	From              *string  `json:"from"`
	To                *string  `json:"to"`
	QueueOperation    *string  `json:"queue_operation"`
	QueueReason       *string  `json:"queue_reason"`
	ResumePaired      *bool    `json:"resume_paired"`
	ScheduledAt       *string  `json:"scheduled_at"`
	TaskIDs           []string `json:"task_ids"`
	OrphanKind        *string  `json:"orphan_kind"`
	Mode              *string  `json:"mode"`
	CompactMetadata   RawJSON  `json:"compact_metadata"`
	SupersedingLine   *int     `json:"superseding_line"`
	SupersedingUUID   *string  `json:"superseding_uuid"`
	DiffChars         *int     `json:"diff_chars"`
	DiffPct           *int     `json:"diff_pct"`
	DiffExact         *bool    `json:"diff_exact"`
	Source            *string  `json:"source"`
	ForRoot           Root     `json:"for_root"`
	For               []Edge   `json:"for,omitempty"`
	ImageIDs          []string `json:"image_ids"`

	SignatureLen  *int  `json:"signature_len,omitempty"`
	ThinkingEmpty *bool `json:"thinking_text_absent,omitempty"`

	Facts
	Exposed

	ClientTurn *int `json:"client_turn,omitempty"` // turnPosition.turnIndex, 1-based, from Claude Code 2.1.332 on

	Leaf    label.Leaf `json:"-"`
	Rewound bool       `json:"-"` // abandoned with a prompt that had been answered
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
// The unit keeps nothing of the record, which may be read over.
func Describe(u *Unit, r *record.Record, s *Section, leaf label.Leaf, st *transcript.Structure, loc transcript.Loc) {
	(*Space)(nil).Describe(u, r, s, leaf, st, loc)
}

// filling is a unit that is being filled in, with the space for its values.
type filling struct {
	*Unit
	*Space
	all *recordFacts
}

// Describe is the function of that name for a unit whose values are kept in the space, until its next Reset.
func (m *Space) Describe(to *Unit, r *record.Record, s *Section, leaf label.Leaf, st *transcript.Structure, loc transcript.Loc) {
	*to = Unit{}
	u := &filling{to, m, m.factsOf(r, st, loc)}
	u.Leaf, u.Labels = leaf, m.labels(s.Labels)
	u.Line, u.UUID, u.ForRoot = u.number(int(loc.Line)), u.text(r.UUID), u.rootOf(st, loc)
	u.TaskIDs, u.ImageIDs, u.ClientTurn, u.Exposed = []string{}, u.all.images, u.all.clientTurn, u.all.exposed
	if leaf != label.None {
		u.Label = u.word(leaf.String())
	}
	u.Delivered = truth(Delivered(r) && !withheld(leaf))
	u.TSUTC, u.TSLocal = u.pair(r.Timestamp)
	u.survival(st, loc)
	u.compaction(r, s, st, loc)
	u.notice(r, s)
	u.facts(r, s, st)
	u.For = m.Edges(r, s, st, loc)
	if s.Block >= 0 && s.Block < len(r.Blocks) {
		switch k := &r.Blocks[s.Block]; string(k.Type) {
		case "tool_use":
			u.call(k, s, st, loc)
		case "tool_result":
			u.result(r, k, s, st, loc)
		case "thinking":
			u.thinking(k)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// decimal keeps a whole number, nil for anything else.
func (m *Space) decimal(v record.Raw) *int {
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return nil
	}
	return m.number(n)
}

// rootOf gives the place of a record below the one that opened its turn, or its branch.
func (m *Space) rootOf(st *transcript.Structure, loc transcript.Loc) Root {
	o, ok := st.OpenerOf(loc.Line, loc.Part)
	if !ok {
		return Root{Note: m.word(noteNoOpener)}
	}
	root := Root{Line: m.number(int(o.Line)), UUID: m.uuidOf(st, o)}
	if hops, ok := st.Hops(loc.Line, loc.Part); ok {
		root.Hops = m.number(hops)
	} else {
		root.Note = m.word(noteGrouped)
	}
	return root
}

// withheld names the leaves of delivered records that the model did not get all the same.
func withheld(l label.Leaf) bool {
	switch l {
	case label.AgentThinkingOmitted, label.AgentThinkingRedacted, label.UserUnsent, label.UserRewound:
		return true
	}
	return false
}

// Delivered reports whether the model received the record.
func Delivered(r *record.Record) bool {
	switch string(r.Type) {
	case "user", "assistant":
		return !r.IsVirtual && !(r.IsAPIError && r.Model.Is("<synthetic>"))
	case "system":
		return r.Subtype.Is("local_command")
	case "attachment":
		return label.AttachmentDelivered(r.Attachment.Get("type").Str().String(), r.Rendered != nil)
	}
	return false
}
