package list

import (
	"bytes"
	"unicode/utf8"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// matter is what a glance at a line shows it to be about.
type matter uint8

const (
	unclear matter = iota // only decoding will tell
	personal
	agents
	naming // a short line that names a session or ties it to another
	other  // nothing that a row shows

	unsettled // not a matter of a line: asks whether lines need no glance, most being sought
)

// sought reports whether a line has to be decoded when words of the person, or of the
// agent, are still looked for.
func (m matter) sought(person, agent bool) bool {
	switch m {
	case personal:
		return person
	case agents:
		return agent
	case other:
		return false
	case unsettled:
		return person && agent
	}
	return true
}

// glance tells what a line is about without decoding it. It reads the line once, to its
// end: another record may follow on it, which leaves the line unclear.
func glance(line []byte) matter {
	p := jsonl.NewPull(line)
	if !p.Object() {
		return unclear
	}
	m := unclear
	var g glimpse
	var message []byte // one that came before the type
	for {
		key, ok := p.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			typ, _ := p.Str()
			m = matterOf(typ)
		case "message":
			if message = nil; m == personal {
				g.message(&p)
			} else {
				message = p.Skip()
			}
		case "toolUseResult":
			g.result(&p)
		default:
			if jsonl.HasEscape(key) {
				return unclear
			}
			p.Skip()
		}
	}
	if p.Err() || !p.Done() {
		return unclear
	}
	if m == personal && message != nil {
		p = jsonl.NewPull(message)
		g.message(&p)
	}
	if m == personal && g.results && !g.person && !g.answers {
		return other
	}
	return m
}

// matterOf tells what records of a type are about.
func matterOf(typ []byte) matter {
	switch string(typ) {
	case "user", "attachment":
		return personal
	case "assistant":
		return agents
	case "custom-title", "ai-title", "summary", "continued-in", "fork-context-ref":
		return naming
	}
	if typ == nil || jsonl.HasEscape(typ) {
		return unclear
	}
	return other
}

// glimpse is what was seen of a user record.
type glimpse struct {
	results bool // its content has tool results
	person  bool // the content may hold words of the person beside
	answers bool // there are answers of a question
}

// message looks at the content of a message, the next value of p. Of an array that has
// tool results nothing else is the person's, and of the results those that read like an
// answer or a refusal.
func (g *glimpse) message(p *jsonl.Pull) {
	g.results, g.person = false, false
	if !p.Object() {
		p.Skip()
		return
	}
	for {
		key, ok := p.Key()
		if !ok {
			return
		}
		if string(key) != "content" {
			g.person = g.person || jsonl.HasEscape(key)
			p.Skip()
			continue
		}
		if g.results = false; !p.Array() {
			p.Skip()
			continue
		}
		for p.Elem() {
			g.block(p)
		}
	}
}

// block looks at one block of a content.
func (g *glimpse) block(p *jsonl.Pull) {
	if !p.Object() {
		p.Skip()
		return
	}
	var content []byte
	failed, result := false, false
	for {
		key, ok := p.Key()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			typ, _ := p.Str()
			result = string(typ) == "tool_result"
		case "content":
			content = p.Skip()
		case "is_error":
			failed, _ = p.Bool()
		default:
			g.person = g.person || jsonl.HasEscape(key)
			p.Skip()
		}
	}
	if result {
		g.results = true
		g.person = g.person || failed && mayRefuse(content) || mayAnswer(content)
	}
}

// result looks for the answers of a question in the next value of p.
func (g *glimpse) result(p *jsonl.Pull) {
	g.answers = false
	if !p.Object() {
		p.Skip()
		return
	}
	for {
		key, ok := p.Key()
		if !ok {
			return
		}
		if string(key) == "answers" || string(key) == "response" || jsonl.HasEscape(key) {
			g.answers = true
		}
		p.Skip()
	}
}

// refusing starts the sentence of a refusal.
const refusing = "The user doesn"

// mayRefuse tells cheaply whether an error can hold typed words of the person. An
// escape could spell anything.
func mayRefuse(content []byte) bool {
	return bytes.Contains(content, []byte(refusing)) || bytes.Contains(content, []byte(`\u`))
}

// mayAnswer tells cheaply whether a tool result, a string or an array of blocks, can be
// the sentence of an answered question.
func mayAnswer(content record.Raw) bool {
	if !content.IsArray() {
		return startsAnswer(content.Str())
	}
	p := jsonl.NewPull(content)
	p.Array()
	for p.Elem() {
		if !p.Object() {
			p.Skip()
			continue
		}
		for {
			key, ok := p.Key()
			if !ok {
				break
			}
			if string(key) != "text" {
				p.Skip()
				continue
			}
			if text, _ := p.Str(); len(text) > 0 {
				return startsAnswer(text)
			}
		}
	}
	return false
}

func startsAnswer(raw record.Str) bool {
	t := bytes.TrimLeft(raw, " \t")
	if len(t) == 0 || t[0] == '\\' || t[0] >= utf8.RuneSelf {
		return len(t) > 0
	}
	for _, s := range [...]string{"User has answered", "Your questions have been", "The user answered"} {
		if len(t) >= len(s) && string(t[:len(s)]) == s {
			return true
		}
	}
	return false
}
