package specimen

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// An args is what stands behind a record's word.
type args struct {
	word string
	toks []token
	p    *parser
}

// take gives the next token when it is of one of the kinds.
func (a *args) take(kinds string) (token, bool) {
	if len(a.toks) == 0 || !bytes.ContainsRune([]byte(kinds), rune(a.toks[0].kind)) {
		return token{}, false
	}
	t := a.toks[0]
	a.toks = a.toks[1:]
	return t, true
}

func (a *args) need(kinds, what string) (token, error) {
	t, ok := a.take(kinds)
	if !ok {
		return t, fmt.Errorf("%s needs %s", a.word, what)
	}
	return t, nil
}

// content gives text as a JSON string, or the JSON as it stands.
func (a *args) content() (json.RawMessage, error) {
	t, err := a.need("tj", "text or JSON")
	if t.kind == 'j' {
		return json.RawMessage(t.s), err
	}
	return quote(t.s), err
}

// record writes the line of one record.
func (p *parser) record(word string, toks []token) error {
	a := &args{word, toks, p}
	var o object
	var err error
	switch word {
	case "line":
		o, err = p.metadata(a)
	case "queue":
		o, err = p.queue(a)
	case "user", "assistant", "thinking", "tool_use", "tool_result", "system", "attachment", "boundary", "summary":
		o, err = p.node(a)
	default:
		return fmt.Errorf("no such word: %s", word)
	}
	if err != nil {
		return err
	}
	for _, t := range a.toks {
		switch t.kind {
		case 'k':
			o, err = o.set(t.s, t.val)
		case '-':
			o, err = o.drop(t.s)
		default:
			err = fmt.Errorf("%s does not take %q", word, t.s)
		}
		if err != nil {
			return err
		}
	}
	p.put(string(o.appendTo(nil)))
	return nil
}

func (p *parser) metadata(a *args) (object, error) {
	t, err := a.need("w", "a type")
	if err != nil {
		return nil, err
	}
	o := object{{"type", quote(t.s)}}
	if j, ok := a.take("j"); ok {
		more, err := asObject(json.RawMessage(j.s))
		if err != nil {
			return nil, err
		}
		o = append(o, more...)
	}
	if o.index("sessionId") < 0 {
		o = append(o, member{"sessionId", quote(p.session)})
	}
	return o, nil
}

func (p *parser) queue(a *args) (object, error) {
	t, err := a.need("w", "an operation")
	if err != nil {
		return nil, err
	}
	o := object{{"type", quote("queue-operation")}, {"operation", quote(t.s)},
		{"timestamp", p.tick()}, {"sessionId", quote(p.session)}}
	if c, ok := a.take("t"); ok {
		o = append(o, member{"content", quote(c.s)})
	}
	return o, nil
}

// tick gives the clock's instant and moves it a step on.
func (p *parser) tick() json.RawMessage {
	at := p.now.UTC().Format(stamp)
	p.now = p.now.Add(p.step)
	return quote(at)
}

// node builds a record that stands in the chain of parents.
func (p *parser) node(a *args) (object, error) {
	t, err := a.need("w", "a name")
	if err != nil {
		return nil, err
	}
	name := t.s
	parent := p.parent(a)
	null := json.RawMessage("null")

	head := object{{"parentUuid", parent}}
	if a.word == "boundary" {
		head = object{{"parentUuid", null}, {"logicalParentUuid", parent}}
	}
	head = append(head, member{"isSidechain", json.RawMessage(fmt.Sprint(p.agent != ""))})
	if p.agent != "" {
		head = append(head, member{"agentId", quote(p.agent)})
	}
	body, tail, err := p.body(a, name)
	if err != nil {
		return nil, err
	}
	o := append(head, body...)
	id := ID(name)
	o = append(o, member{"uuid", quote(id)}, member{"timestamp", p.tick()})
	o = append(o, tail...)
	o = append(o, member{"userType", quote("external")}, member{"entrypoint", quote(p.keys["entrypoint"])},
		member{"cwd", quote(p.keys["cwd"])}, member{"sessionId", quote(p.session)},
		member{"version", quote(p.keys["version"])}, member{"gitBranch", quote(p.keys["branch"])})
	p.last = id
	p.home.Lines[name] = bytes.Count(p.out, []byte("\n")) + 1
	if p.join {
		p.home.Lines[name]--
	}
	return o, nil
}

// parent reads the optional PARENT of a record. The words that a record needs
// itself come after it, so it is there when one bare word more is.
func (p *parser) parent(a *args) json.RawMessage {
	own := map[string]int{"tool_use": 1, "tool_result": 1, "system": 1, "attachment": 1}[a.word]
	words := 0
	for _, t := range a.toks {
		if t.kind != 'w' {
			break
		}
		words++
	}
	if words > own {
		t, _ := a.take("w")
		if t.s == "-" {
			return json.RawMessage("null")
		}
		return quote(ID(t.s))
	}
	if p.last == "" {
		return json.RawMessage("null")
	}
	return quote(p.last)
}

// body gives the members before the uuid and those after the timestamp.
func (p *parser) body(a *args, name string) (body, tail object, err error) {
	kind := func(s string) member { return member{"type", quote(s)} }
	yes := json.RawMessage("true")
	switch a.word {
	case "user", "summary":
		c, err := a.content()
		if err != nil {
			return nil, nil, err
		}
		if a.word == "summary" {
			tail = object{{"isVisibleInTranscriptOnly", yes}, {"isCompactSummary", yes}}
		}
		return object{kind("user"), {"message", message("user", c)}}, tail, nil
	case "assistant", "thinking", "tool_use":
		c, err := p.blocks(a, name)
		return object{{"message", p.reply(a, name, c)}, kind("assistant")}, nil, err
	case "tool_result":
		return p.result(a)
	case "system":
		sub, err := a.need("w", "a subtype")
		o := object{kind("system"), {"subtype", quote(sub.s)}}
		if c, ok := a.take("t"); ok {
			o = append(o, member{"content", quote(c.s)})
		}
		return append(o, member{"level", quote("info")}, member{"isMeta", json.RawMessage("false")}), nil, err
	case "boundary":
		meta, err := a.need("j", "its metadata")
		return object{kind("system"), {"subtype", quote("compact_boundary")}, {"content", quote("Conversation compacted")},
			{"isMeta", json.RawMessage("false")}, {"level", quote("info")}}, object{{"compactMetadata", json.RawMessage(meta.s)}}, err
	}
	// attachment
	t, err := a.need("w", "a payload type")
	if err != nil {
		return nil, nil, err
	}
	payload := object{kind(t.s)}
	if j, ok := a.take("j"); ok {
		more, err := asObject(json.RawMessage(j.s))
		if err != nil {
			return nil, nil, err
		}
		payload = append(payload, more...)
	}
	return object{{"attachment", payload}, kind("attachment")}, nil, nil
}

func message(role string, content json.RawMessage) object {
	return object{{"role", quote(role)}, {"content", content}}
}

// blocks builds the content of an assistant record: one block.
func (p *parser) blocks(a *args, name string) (json.RawMessage, error) {
	if a.word == "tool_use" {
		tool, err := a.need("w", "a tool")
		if err != nil {
			return nil, err
		}
		in, err := a.need("j", "the input")
		b := object{{"type", quote("tool_use")}, {"id", quote("toolu_" + name)}, {"name", quote(tool.s)}, {"input", json.RawMessage(in.s)}}
		return list(b), err
	}
	t, err := a.need("tj", "text or JSON")
	switch {
	case err != nil:
		return nil, err
	case t.kind == 'j':
		return json.RawMessage(t.s), nil
	case a.word == "thinking":
		return list(object{{"type", quote("thinking")}, {"thinking", quote(t.s)}, {"signature", quote("c2lnbmF0dXJl")}}), nil
	}
	return list(object{{"type", quote("text")}, {"text", quote(t.s)}}), nil
}

func list(o object) json.RawMessage {
	return append(o.appendTo([]byte{'['}), ']')
}

// reply is the message of an assistant record.
func (p *parser) reply(a *args, name string, content json.RawMessage) object {
	stop := "end_turn"
	if a.word != "assistant" {
		stop = "tool_use"
	}
	return object{
		{"id", quote("msg_" + name)}, {"type", quote("message")}, {"role", quote("assistant")},
		{"model", quote(p.keys["model"])}, {"content", content},
		{"stop_reason", quote(stop)}, {"stop_sequence", json.RawMessage("null")},
		{"usage", json.RawMessage(`{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":1000,"output_tokens":40}`)},
	}
}

// result builds the body of a tool_result; is_error=true goes to its block.
func (p *parser) result(a *args) (body, tail object, err error) {
	call, err := a.need("w", "the name of a call")
	if err != nil {
		return nil, nil, err
	}
	c, err := a.content()
	if err != nil {
		return nil, nil, err
	}
	isError := json.RawMessage("false")
	for i, t := range a.toks {
		if t.kind == 'k' && t.s == "is_error" {
			isError = t.val
			a.toks = append(a.toks[:i:i], a.toks[i+1:]...)
			break
		}
	}
	b := object{{"tool_use_id", quote("toolu_" + call.s)}, {"type", quote("tool_result")}, {"content", c}, {"is_error", isError}}
	return object{{"type", quote("user")}, {"message", message("user", list(b))}}, nil, nil
}
