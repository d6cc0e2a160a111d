package record

import (
	"bytes"
	"strings"
)

// The sentences that an answered AskUserQuestion leaves in its result; they decide where toolUseResult does not say. The
// third is the one of a typed answer (seen at 2.1.258 and 2.1.332).
var answerSentences = [...]string{"User has answered your questions", "Your questions have been answered", "The user answered: "}

// What a result starts with that answers nothing, whatever stands in toolUseResult: the person passed, did not come back
// in time, or the call failed.
var noAnswers = [...]string{"The user did not answer the questions.", "No response after ", "Cancelled", "<tool_use_error>"}

// answered reports whether a carrier without failed results answers an AskUserQuestion.
func (r *Record) answered() bool {
	t := &r.Result
	switch {
	case t.TimedOut:
		return false
	case !t.Answers.Empty(), t.Response != nil && strings.TrimSpace(t.Response.String()) != "":
		return r.resultStarting(noAnswers[:]) < 0
	case t.Answers != nil, t.Response != nil:
		return false // the keys are there, and empty
	case t.Raw.IsObject() && !t.Raw.Empty() && t.Questions == nil:
		return false // what another tool returned, which may print such a sentence
	}
	return r.resultStarting(answerSentences[:]) >= 0
}

// AnswerBlock gives the index of the block that carries the answer of a record that opens a turn as an Answer, -1 when
// there is none: the result that says so itself, else the first.
func (r *Record) AnswerBlock() int {
	if i := r.resultStarting(answerSentences[:]); i >= 0 {
		return i
	}
	for i := range r.Blocks {
		if r.Blocks[i].Type.Is("tool_result") {
			return i
		}
	}
	return -1
}

// resultStarting gives the index of the first tool_result whose text starts with one of the heads, or -1.
func (r *Record) resultStarting(heads []string) int {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.Type.Is("tool_result") || !mayStart(b.Content, heads) {
			continue
		}
		t := trimLeft(b.ResultText())
		for _, h := range heads {
			if strings.HasPrefix(t, h) {
				return i
			}
		}
	}
	return -1
}

// mayStart is a cheap test that spares most results the decoding.
func mayStart(content Raw, heads []string) bool {
	if !content.IsArray() {
		for _, c := range content.Str() {
			switch {
			case c == ' ':
				continue
			case c == '\\', c >= 0x80:
				return true // an escape or a wide space
			}
			for _, h := range heads {
				if h[0] == c {
					return true
				}
			}
			return false
		}
		return false
	}
	return true
}

const (
	rejectedRaw = "The user doesn" // letters and blanks out of the next, first one that texts rarely hold
	rejected    = "The user doesn't want to proceed with this tool use"
	saidAfter   = "To tell you how to proceed, the user said:\n"
)

// RejectionWords gives what the person typed while refusing a tool call, trimmed; "" when the record is no refusal or
// nothing was typed.
func (r *Record) RejectionWords() string {
	for i := range r.Blocks {
		if words := r.Blocks[i].RejectionWords(); words != "" {
			return words
		}
	}
	return ""
}

// RejectionWords is that of one block.
func (b *Block) RejectionWords() string {
	if !b.IsError || !b.Type.Is("tool_result") {
		return ""
	}
	if !mayRefuse(b.Content) {
		return "" // spares most failures the decoding
	}
	t := b.ResultText()
	if !strings.Contains(t, rejected) {
		return ""
	}
	_, tail, _ := strings.Cut(t, saidAfter)
	return strings.TrimSpace(tail)
}

// mayRefuse reports whether the raw content of a result may hold the sentence of a refusal: as it stands, or with some of
// its letters or blanks as \uXXXX.
func mayRefuse(raw Raw) bool {
	if bytes.Contains(raw, []byte(rejectedRaw)) {
		return true
	}
	for {
		i := bytes.Index(raw, []byte(`\u00`))
		if i < 0 || i+4 >= len(raw) {
			return false
		}
		if c := raw[i+4]; c == '2' || c >= '5' && c <= '7' {
			return true
		}
		raw = raw[i+5:]
	}
}

// ResultText gives the text of a tool_result: its string content, or its text items joined by newlines, a reference to a
// tool (ToolSearch) by the tool's name.
func (b *Block) ResultText() string {
	if s := b.Content.Str(); s != nil {
		return s.String()
	}
	dst, _ := b.AppendResultText(nil, nil)
	return made(dst)
}

// AppendResultText appends what ResultText gives. items is space for the items of the result, handed back for the next
// call.
func (b *Block) AppendResultText(dst []byte, items []Block) ([]byte, []Block) {
	if s := b.Content.Str(); s != nil {
		return s.Append(dst), items
	}
	items = b.Content.Blocks(items[:0])
	n := 0
	for i := range items {
		v := items[i].Text
		if items[i].Type.Is("tool_reference") {
			v = items[i].ToolName
		}
		if v == nil {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, '\n')
		}
		dst = v.Append(dst)
	}
	return dst, items
}
