// Package record reads one line of a transcript as a tolerant value: every key is optional, a key of the wrong JSON type
// reads as absent and costs only itself, unknown keys, types and blocks are carried along as raw bytes.
//
// It is not a schema and it holds no file context: turns, survival and pairing need the whole file and live above it.
//
// The invariant: a decoded Record only points into the bytes it was decoded from. Whoever keeps a Record longer than
// those bytes must decode it again, or copy what it needs with Str.String.
package record

import "csift/pkg/jsonl"

// Record is one JSON object of a transcript. Fields named after a key hold that key's raw value; see Str and Raw.
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
	AgentID, LastPrompt               Str
	RequestID, InterruptedMessageID   Str
	Content                           Str // top-level "content" when it is a string (system, queue-operation)

	IsMeta, IsSidechain, TurnCompanion          bool
	IsCompactSummary, IsVisibleInTranscriptOnly bool
	IsAPIError, IsVirtual, Explicit             bool

	Origin, CompactMetadata, SummarizeMetadata Raw
	Attachment, Rendered, ImagePasteIDs        Raw
	TurnPosition                               Raw

	// The message, when there is one that is an object.
	HasMessage                         bool
	Role, MessageID, Model, StopReason Str
	Usage                              Raw
	Text                               Str     // message.content when it is a string
	Blocks                             []Block // message.content when it is an array: its objects, in order

	Result Result // "toolUseResult", depth one
}

// Block is one object of message.content, or of a tool_result's own content.
type Block struct {
	Type, ID, Name, ToolUseID       Str
	Text, Thinking, Signature, Data Str
	MediaType                       Str
	IsError                         bool
	Input, Content, Source          Raw
	From, To                        Raw
}

// Result is what is read of "toolUseResult" without going deeper than its own keys. Claude Code writes it as an object,
// a string (2,658 of 44,686 in a census up to 2.1.219) or an array.
type Result struct {
	Raw                                      Raw
	Text                                     Str // the whole value when it is a string
	Answers, Questions, Annotations          Raw
	Response, Status, AgentID, PersistedPath Str
	IsAsync, HasAfkTimeout                   bool
}

// Decode reads b, which must be exactly one JSON object without surrounding space, into r. It reuses r.Blocks. It
// reports whether b is a whole, valid JSON object; when it is not, r holds nothing to rely on.
func Decode(b []byte, r *Record) bool {
	blocks := r.Blocks[:0]
	*r = Record{Raw: b, Blocks: blocks}
	p := jsonl.NewPull(b)
	if !p.Object() {
		return false
	}
	for {
		k, ok := p.Key()
		if !ok {
			break
		}
		if jsonl.HasEscape(k) {
			k = jsonl.Unescape(nil, k)
		}
		r.key(&p, k)
	}
	return !p.Err() && p.Pos() == len(b)
}

func (r *Record) key(p *jsonl.Pull, k []byte) {
	if dst := r.str(k); dst != nil {
		*dst = pullStr(p)
		return
	}
	if dst := r.flag(k); dst != nil {
		v, _ := p.Bool()
		*dst = v
		return
	}
	if dst := r.raw(k); dst != nil {
		*dst = p.Skip()
		return
	}
	switch string(k) {
	case "message":
		r.message(p)
	case "toolUseResult":
		r.Result.decode(p, r.Raw)
	default:
		p.Skip()
	}
}

// str gives the field of a key whose value is read as a string.
func (r *Record) str(k []byte) *Str {
	switch string(k) {
	case "type":
		return &r.Type
	case "uuid":
		return &r.UUID
	case "parentUuid":
		return &r.ParentUUID
	case "timestamp":
		return &r.Timestamp
	case "sessionId":
		return &r.SessionID
	case "session_id":
		return &r.SessionIDSnake
	case "cwd":
		return &r.CWD
	case "version":
		return &r.Version
	case "gitBranch":
		return &r.GitBranch
	case "entrypoint":
		return &r.Entrypoint
	case "sessionKind":
		return &r.SessionKind
	case "subtype":
		return &r.Subtype
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
	case "continuedInSessionId":
		return &r.ContinuedIn
	case "requestId":
		return &r.RequestID
	case "interruptedMessageId":
		return &r.InterruptedMessageID
	}
	return nil
}

// flag gives the field of a key whose value is read as a boolean; anything but a literal true reads as false.
func (r *Record) flag(k []byte) *bool {
	switch string(k) {
	case "isMeta":
		return &r.IsMeta
	case "isSidechain":
		return &r.IsSidechain
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

// raw gives the field of a key that is kept unread.
func (r *Record) raw(k []byte) *Raw {
	switch string(k) {
	case "origin":
		return &r.Origin
	case "compactMetadata":
		return &r.CompactMetadata
	case "summarizeMetadata":
		return &r.SummarizeMetadata
	case "attachment":
		return &r.Attachment
	case "rendered":
		return &r.Rendered
	case "imagePasteIds":
		return &r.ImagePasteIDs
	case "turnPosition":
		return &r.TurnPosition
	}
	return nil
}

// message reads "message". A repeated key replaces what the earlier one gave.
func (r *Record) message(p *jsonl.Pull) {
	r.HasMessage = false
	r.Role, r.MessageID, r.Model, r.StopReason, r.Usage, r.Text = nil, nil, nil, nil, nil, nil
	r.Blocks = r.Blocks[:0]
	if !p.Object() {
		p.Skip()
		return
	}
	r.HasMessage = true
	for {
		k, ok := p.Key()
		if !ok {
			return
		}
		if jsonl.HasEscape(k) {
			k = jsonl.Unescape(nil, k)
		}
		switch string(k) {
		case "role":
			r.Role = pullStr(p)
		case "id":
			r.MessageID = pullStr(p)
		case "model":
			r.Model = pullStr(p)
		case "stop_reason":
			r.StopReason = pullStr(p)
		case "usage":
			r.Usage = p.Skip()
		case "content":
			r.Text, r.Blocks = nil, r.Blocks[:0]
			if p.Array() {
				r.Blocks = appendBlocks(r.Blocks, p)
			} else {
				r.Text = pullStr(p)
			}
		default:
			p.Skip()
		}
	}
}

// appendBlocks reads the objects of an array whose bracket is consumed; anything else in it carries nothing.
func appendBlocks(dst []Block, p *jsonl.Pull) []Block {
	for p.Elem() {
		if !p.Object() {
			p.Skip()
			continue
		}
		dst = append(dst, Block{})
		dst[len(dst)-1].decode(p)
	}
	return dst
}

func (b *Block) decode(p *jsonl.Pull) {
	for {
		k, ok := p.Key()
		if !ok {
			return
		}
		if jsonl.HasEscape(k) {
			k = jsonl.Unescape(nil, k)
		}
		switch string(k) {
		case "type":
			b.Type = pullStr(p)
		case "id":
			b.ID = pullStr(p)
		case "name":
			b.Name = pullStr(p)
		case "tool_use_id":
			b.ToolUseID = pullStr(p)
		case "text":
			b.Text = pullStr(p)
		case "thinking":
			b.Thinking = pullStr(p)
		case "signature":
			b.Signature = pullStr(p)
		case "data":
			b.Data = pullStr(p)
		case "tool_name":
			b.Name = pullStr(p)
		case "media_type":
			b.MediaType = pullStr(p)
		case "is_error":
			b.IsError, _ = p.Bool()
		case "input":
			b.Input = p.Skip()
		case "content":
			b.Content = p.Skip()
		case "source":
			b.Source = p.Skip()
		case "from":
			b.From = p.Skip()
		case "to":
			b.To = p.Skip()
		default:
			p.Skip()
		}
	}
}

// decode reads the value p stands before; line is what p reads from.
func (t *Result) decode(p *jsonl.Pull, line []byte) {
	*t = Result{}
	if !p.Object() {
		t.Raw = p.Skip()
		t.Text = t.Raw.Str()
		return
	}
	open := p.Pos() - 1
	for {
		k, ok := p.Key()
		if !ok {
			break
		}
		if jsonl.HasEscape(k) {
			k = jsonl.Unescape(nil, k)
		}
		switch string(k) {
		case "answers":
			t.Answers = p.Skip()
		case "questions":
			t.Questions = p.Skip()
		case "annotations":
			t.Annotations = p.Skip()
		case "response":
			t.Response = pullStr(p)
		case "status":
			t.Status = pullStr(p)
		case "agentId":
			t.AgentID = pullStr(p)
		case "persistedOutputPath":
			t.PersistedPath = pullStr(p)
		case "isAsync":
			t.IsAsync, _ = p.Bool()
		case "afkTimeoutMs":
			p.Skip()
			t.HasAfkTimeout = true
		default:
			p.Skip()
		}
	}
	if !p.Err() {
		t.Raw = Raw(line[open:p.Pos()])
	}
}

func pullStr(p *jsonl.Pull) Str {
	s, ok := p.Str()
	if !ok {
		return nil
	}
	return s
}
