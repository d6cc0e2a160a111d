package record

import (
	"strings"

	"csift/pkg/jsonl"
)

// Block is one object of message.content, or of a tool_result's own content.
type Block struct {
	Type, Name, ToolName            Str // plain text; ToolName is the "tool_name" of a tool_reference
	ID, ToolUseID                   Str
	Text, Thinking, Signature, Data Str
	IsError                         bool
	Input, From, To                 Raw // any value but null
	Content                         Raw // a string or an array
	Source                          Raw // an object
}

// Result is what is read of "toolUseResult" without going deeper than its own keys. Claude Code writes it as an object,
// a string (2,658 of 44,686 in a census up to 2.1.219) or an array (691 there).
type Result struct {
	Raw                  Raw // nil when absent or null
	Text                 Str // the whole value when it is a string
	Answers, Annotations Raw // objects
	Questions            Raw // an array
	Response             Str
	Status, Kind         Str // plain text; Kind is "type"
	AgentID, TaskID      Str // TaskID: "backgroundTaskId" of a command, "taskId" of a monitor or workflow
	PersistedPath        Str
	IsAsync              bool
	TimedOut             bool // "afkTimeoutMs" holds a number: the question was given up, not answered
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
		r.said(p, k)
	}
}

// said reads the value of one key of the message.
func (r *Record) said(p *jsonl.Pull, k []byte) {
	switch string(k) {
	case "role":
		r.Role = pullWord(p)
	case "id":
		r.MessageID = pullStr(p)
	case "model":
		r.Model = pullStr(p)
	case "stop_reason":
		r.StopReason = pullStr(p)
	case "usage":
		r.Usage = pullRaw(p, "{")
	case "content":
		r.Text, r.Blocks = nil, r.Blocks[:0]
		if p.Array() {
			r.Blocks = appendBlocks(r.Blocks, p)
		} else {
			r.Text = pullStr(p)
		}
	default:
		if k, ok := unescaped(k); ok {
			r.said(p, k)
			return
		}
		p.Skip()
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
		b.field(p, k)
	}
}

// field reads the value of one key.
func (b *Block) field(p *jsonl.Pull, k []byte) {
	switch string(k) {
	case "type":
		b.Type = pullWord(p)
	case "id":
		b.ID = pullStr(p)
	case "name":
		b.Name = pullWord(p)
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
		b.ToolName = pullWord(p)
	case "is_error":
		b.IsError = pullTrue(p)
	case "input":
		b.Input = pullRaw(p, anyKind)
	case "content":
		b.Content = pullRaw(p, `"[`)
	case "source":
		b.Source = pullRaw(p, "{")
	case "from":
		b.From = pullRaw(p, anyKind)
	case "to":
		b.To = pullRaw(p, anyKind)
	default:
		if k, ok := unescaped(k); ok {
			b.field(p, k)
			return
		}
		p.Skip()
	}
}

// decode reads the value p stands before; line is what p reads from.
func (t *Result) decode(p *jsonl.Pull, line []byte) {
	*t = Result{}
	if !p.Object() {
		t.Raw = pullRaw(p, anyKind)
		t.Text = t.Raw.Str()
		return
	}
	open := p.Pos() - 1
	for {
		k, ok := p.Key()
		if !ok {
			break
		}
		t.field(p, k)
	}
	if p.Err() {
		*t = Result{}
		return
	}
	t.Raw = Raw(line[open:p.Pos()])
}

// field reads the value of one key.
func (t *Result) field(p *jsonl.Pull, k []byte) {
	switch string(k) {
	case "answers":
		t.Answers = pullRaw(p, "{")
	case "questions":
		t.Questions = pullRaw(p, "[")
	case "annotations":
		t.Annotations = pullRaw(p, "{")
	case "response":
		t.Response = pullStr(p)
	case "status":
		t.Status = pullWord(p)
	case "type":
		t.Kind = pullWord(p)
	case "agentId":
		t.AgentID = pullStr(p)
	case "backgroundTaskId", "taskId":
		t.TaskID = pullStr(p)
	case "persistedOutputPath":
		t.PersistedPath = pullStr(p)
	case "isAsync":
		t.IsAsync = pullTrue(p)
	case "afkTimeoutMs":
		t.TimedOut = pullRaw(p, "-0123456789") != nil
	default:
		if k, ok := unescaped(k); ok {
			t.field(p, k)
			return
		}
		p.Skip()
	}
}

func pullStr(p *jsonl.Pull) Str {
	s, ok := p.Str()
	if !ok {
		return nil
	}
	return s
}

// pullWord reads a string that others compare: its escapes are resolved, so that a writer's spelling does not matter. A
// text that holds a backslash itself stays as it is written, since Str would resolve it twice.
func pullWord(p *jsonl.Pull) Str {
	s := pullStr(p)
	if jsonl.HasEscape(s) {
		if t := jsonl.Unescape(nil, s); !jsonl.HasEscape(t) {
			return t
		}
	}
	return s
}

// pullTrue reads a boolean; anything but a literal true is false.
func pullTrue(p *jsonl.Pull) bool {
	v, _ := p.Bool()
	return v
}

// anyKind is every JSON type but null.
const anyKind = `{["tf-0123456789`

// pullRaw reads a value whose first byte is one of kinds; of another type it reads as absent.
func pullRaw(p *jsonl.Pull, kinds string) Raw {
	v := p.Skip()
	if len(v) == 0 || strings.IndexByte(kinds, v[0]) < 0 {
		return nil
	}
	return v
}
