// Package record reads one line of a transcript as a tolerant value: every key is optional, a key of the wrong JSON type
// reads as absent and costs only itself, a repeated key counts as its last one, unknown keys, types and blocks are
// carried along as raw bytes.
//
// It is not a schema and it holds no file context: turns, survival and pairing need the whole file and live above it.
//
// The invariant: a decoded Record points into the bytes it was decoded from. Whoever keeps a Record longer than those
// bytes must decode it again, or copy what it needs with Str.String.
package record

import "csift/pkg/jsonl"

// Record is one JSON object of a transcript. Fields named after a key hold that key's raw value; see Str and Raw. Type,
// Subtype, Role and the names by which blocks are told apart are plain text, so that they can be compared as they are.
type Record struct {
	Raw Raw // the object itself, byte for byte

	Type, UUID, ParentUUID, Timestamp Str
	SessionID, SessionIDSnake         Str // "sessionId", "session_id"
	CWD, Version, GitBranch           Str
	Entrypoint, SessionKind           Str
	Subtype, Level, Operation, Reason Str
	PromptSource, ToolDenialKind      Str
	LeafUUID, LogicalParentUUID       Str
	CustomTitle, AITitle, Summary     Str
	AgentName, ContinuedIn            Str
	AgentID, LastPrompt, MessageRef   Str // MessageRef: top-level "messageId" (file-history lines)
	RequestID, InterruptedMessageID   Str
	Content                           Str // top-level "content" when it is a string (system, queue-operation)

	IsMeta, IsSidechain, TurnCompanion          bool
	IsCompactSummary, IsVisibleInTranscriptOnly bool
	IsAPIError, IsVirtual, Explicit             bool

	Origin, CompactMetadata, SummarizeMetadata Raw // objects
	Attachment, TurnPosition, ForkedFrom       Raw // objects
	Rendered                                   Raw // a string or an array
	ImagePasteIDs                              Raw // an array

	// The message, when there is one that is an object.
	HasMessage                         bool
	Role, MessageID, Model, StopReason Str
	Usage                              Raw     // an object
	Text                               Str     // message.content when it is a string
	Blocks                             []Block // message.content when it is an array: its objects, in order

	Result Result // "toolUseResult", depth one

	Members []Member // what else is kept, in the writer's order; see Member

	Skimmed bool // Skim filled it: all other fields are absent

	runs *[2]run // what Decode has learned of the lines before; nil: nothing yet
}

// Decode reads b, which must be exactly one JSON object without surrounding space, into r. It reuses r.Blocks. It
// reports whether b is a whole, valid JSON object; when it is not, r holds nothing to rely on.
func Decode(b []byte, r *Record) bool {
	n, ok, _ := decodeOn(b, r)
	return ok && n == len(b)
}

// DecodePrefix is Decode for bytes that go on behind the object: it gives the object's length. An object with a newline between its
// tokens, which no line holds, is none.
func DecodePrefix(b []byte, r *Record) (n int, ok bool) {
	n, ok, oneLine := decodeOn(b, r)
	return n, ok && oneLine
}

func decodeOn(b []byte, r *Record) (n int, ok, oneLine bool) {
	blocks, members, m := r.Blocks[:0], r.Members[:0], r.runs
	if m == nil && cap(blocks) > 0 {
		m = new([2]run) // the record is used again
	}
	*r = Record{}
	r.Blocks, r.Members, r.runs = blocks, members, m
	return r.pull(b, m)
}

// unescaped gives the text of a key that no field was found by: one spelled with escapes may still name a field. No
// field's name has a backslash.
func unescaped(k []byte) ([]byte, bool) {
	if !jsonl.HasEscape(k) {
		return nil, false
	}
	k = jsonl.Unescape(nil, k)
	return k, !jsonl.HasEscape(k)
}

// field reads the value of one key: those that most lines have, the others are rare.
func (r *Record) field(p *jsonl.Pull, k []byte) {
	switch string(k) {
	case "type":
		r.Type = pullWord(p)
	case "uuid":
		r.UUID = pullStr(p)
	case "parentUuid":
		r.ParentUUID = pullStr(p)
	case "timestamp":
		r.Timestamp = pullStr(p)
	case "message":
		r.message(p)
	case "toolUseResult":
		r.Result.decode(p, r.Raw)
	case "isSidechain":
		r.IsSidechain = pullTrue(p)
	case "entrypoint":
		r.Entrypoint = pullStr(p)
	case "cwd":
		r.CWD = pullStr(p)
	case "sessionId":
		r.SessionID = pullStr(p)
	case "version":
		r.Version = pullStr(p)
	case "gitBranch":
		r.GitBranch = pullStr(p)
	case "requestId":
		r.RequestID = pullStr(p)
	case "isMeta":
		r.IsMeta = pullTrue(p)
	case "userType", "slug", "data", "parentToolUseID", "sourceToolAssistantUUID", "promptId", "snapshot", "isSnapshotUpdate":
		p.Skip()
	default:
		r.rare(p, k)
	}
}

// rare is field for the other keys.
func (r *Record) rare(p *jsonl.Pull, k []byte) {
	if dst := r.str(k); dst != nil {
		*dst = pullStr(p)
		return
	}
	if dst := r.flag(k); dst != nil {
		*dst = pullTrue(p)
		return
	}
	if dst, kinds := r.raw(k); dst != nil {
		*dst = pullRaw(p, kinds)
		return
	}
	if string(k) == "subtype" {
		r.Subtype = pullWord(p)
		return
	}
	if k, ok := unescaped(k); ok {
		r.field(p, k)
		return
	}
	if name := memberKey(k); name != "" {
		r.Members = append(r.Members, Member{name, p.Skip()})
		return
	}
	p.Skip()
}

// str gives the field of a rare key whose value is read as a string.
func (r *Record) str(k []byte) *Str {
	switch string(k) {
	case "session_id":
		return &r.SessionIDSnake
	case "sessionKind":
		return &r.SessionKind
	case "level":
		return &r.Level
	case "operation":
		return &r.Operation
	case "reason":
		return &r.Reason
	case "content":
		return &r.Content
	case "promptSource":
		return &r.PromptSource
	case "toolDenialKind":
		return &r.ToolDenialKind
	case "leafUuid":
		return &r.LeafUUID
	case "logicalParentUuid":
		return &r.LogicalParentUUID
	case "customTitle":
		return &r.CustomTitle
	case "aiTitle":
		return &r.AITitle
	case "summary":
		return &r.Summary
	case "agentName":
		return &r.AgentName
	case "agentId":
		return &r.AgentID
	case "lastPrompt":
		return &r.LastPrompt
	case "messageId":
		return &r.MessageRef
	case "continuedInSessionId":
		return &r.ContinuedIn
	case "interruptedMessageId":
		return &r.InterruptedMessageID
	}
	return nil
}

// flag gives the field of a rare key whose value is read as a boolean; anything but a literal true reads as false.
func (r *Record) flag(k []byte) *bool {
	switch string(k) {
	case "turnCompanion":
		return &r.TurnCompanion
	case "isCompactSummary":
		return &r.IsCompactSummary
	case "isVisibleInTranscriptOnly":
		return &r.IsVisibleInTranscriptOnly
	case "isApiErrorMessage":
		return &r.IsAPIError
	case "isVirtual":
		return &r.IsVirtual
	case "explicit":
		return &r.Explicit
	}
	return nil
}

// raw gives the field of a key that is kept unread, and the first bytes of the JSON types it may have.
func (r *Record) raw(k []byte) (dst *Raw, kinds string) {
	switch string(k) {
	case "origin":
		return &r.Origin, "{"
	case "compactMetadata":
		return &r.CompactMetadata, "{"
	case "summarizeMetadata":
		return &r.SummarizeMetadata, "{"
	case "attachment":
		return &r.Attachment, "{"
	case "turnPosition":
		return &r.TurnPosition, "{"
	case "forkedFrom":
		return &r.ForkedFrom, "{"
	case "rendered":
		return &r.Rendered, `"[`
	case "imagePasteIds":
		return &r.ImagePasteIDs, "["
	}
	return nil, ""
}
