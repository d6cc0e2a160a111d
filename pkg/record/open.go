package record

import (
	"bytes"
	"strings"
	"unicode"
)

// Opening says whether and why a record opens a turn. It is a different axis from labels.
type Opening uint8

// The openers. Every Claude Code version from 1.0.31 to 2.1.332 writes its turns in these shapes.
const (
	NoOpening Opening = iota
	Prompt            // a genuine prompt of the person, or a <task-notification> pulse delivered as one
	Answer            // an answered AskUserQuestion
	Rejection         // a refused tool call with typed words
	Peer              // a message from a teammate, an agent or another session
)

// Opens reports whether the record opens a turn in its transcript. inLane says that the transcript is a subagent's own
// file: there every record carries isSidechain, while in a session's file a sidechain record belongs to an inline lane
// (Claude Code 1.0.x) and never opens a turn of the session.
func (r *Record) Opens(inLane bool) Opening {
	if !r.Type.Is("user") || (r.IsSidechain && !inLane) {
		return NoOpening
	}
	hasText, hasResult, hasError := r.userShape()
	if hasResult {
		switch {
		case !hasError && r.answered():
			return Answer
		case hasError && r.RejectionWords() != "":
			return Rejection
		}
		return NoOpening
	}
	if !hasText {
		return NoOpening
	}
	text := r.UserText()
	if hasPeerSection(text) {
		return Peer
	}
	if !r.Role.Is("user") || r.IsCompactSummary || r.IsMeta || r.TurnCompanion || synthetic(text) {
		return NoOpening
	}
	return Prompt
}

// userShape looks at the content of a user record: is there text, a tool_result, a failed one.
func (r *Record) userShape() (hasText, hasResult, hasError bool) {
	if r.Text != nil {
		return true, false, false
	}
	for i := range r.Blocks {
		switch b := &r.Blocks[i]; {
		case b.Type.Is("text"):
			hasText = true
		case b.Type.Is("tool_result"):
			hasResult = true
			hasError = hasError || b.IsError
		}
	}
	return hasText, hasResult, hasError
}

// UserText gives the text of a record: its string content, or its text blocks joined by newlines.
func (r *Record) UserText() string {
	if r.Text != nil {
		return r.Text.String()
	}
	var out []byte
	n := 0
	for i := range r.Blocks {
		if b := &r.Blocks[i]; b.Type.Is("text") && b.Text != nil {
			if n > 0 {
				out = append(out, '\n')
			}
			out = b.Text.Append(out)
			n++
		}
	}
	return string(out)
}

// The literals by which a text of the harness is told from one of the person.
const (
	InterruptedByUser = "[Request interrupted by user]"
	InterruptedTool   = "[Request interrupted by user for tool use]"
	LocalStdout       = "<local-command-stdout>"
	LocalStderr       = "<local-command-stderr>"
	BashInput         = "<bash-input>"
	BashStdout        = "<bash-stdout>"
	BashStderr        = "<bash-stderr>"
	CommandName       = "<command-name>"
	CommandMessage    = "<command-message>"
)

// synthetic reports whether a text was made by the harness and never opens a turn.
func synthetic(text string) bool {
	t := strings.TrimSpace(text)
	if t == InterruptedByUser || t == InterruptedTool {
		return true
	}
	for _, p := range [...]string{LocalStdout, LocalStderr, BashStdout, BashStderr} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return IsWrapper(t) || IsStoppedNotice(t)
}

// IsWrapper reports whether a text is the wrapper of a slash command; its two tags come in either order.
func IsWrapper(text string) bool {
	t := strings.TrimLeftFunc(text, unicode.IsSpace)
	return strings.HasPrefix(t, CommandName) || strings.HasPrefix(t, CommandMessage)
}

// IsStoppedNotice reports whether a text is the harness's note that background agents were stopped by the user.
func IsStoppedNotice(text string) bool {
	t := strings.TrimLeftFunc(text, unicode.IsSpace)
	if strings.HasPrefix(t, `Background agent "`) {
		return strings.Contains(t, " was stopped by the user")
	}
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	rest := t[n:]
	return n > 0 && (strings.HasPrefix(rest, " background agent was stopped by the user") ||
		strings.HasPrefix(rest, " background agents were stopped by the user"))
}

// The sentences that an answered AskUserQuestion leaves in its result where toolUseResult is missing. The third is the
// one of a typed answer (seen at 2.1.258 and 2.1.332).
var answerSentences = [...]string{"User has answered your questions", "Your questions have been answered", "The user answered: "}

// answered reports whether a carrier without failed results answers an AskUserQuestion.
func (r *Record) answered() bool {
	t := &r.Result
	if t.Raw.IsObject() {
		if t.HasAfkTimeout {
			return false
		}
		if t.Answers.IsObject() && !t.Answers.Empty() {
			return true
		}
		if t.Response != nil && len(bytes.TrimSpace(t.Response.Append(nil))) > 0 {
			return true
		}
		if t.Answers != nil || t.Response != nil {
			return false
		}
	}
	return r.AnswerSentence() != ""
}

// AnswerSentence gives the text of the first result that starts with one of the known answer sentences, or "".
func (r *Record) AnswerSentence() string {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.Type.Is("tool_result") {
			continue
		}
		head := b.Content.Str()
		if head == nil {
			if !b.Content.IsArray() {
				continue
			}
		} else if !mayStartAnswer(head) {
			continue
		}
		t := strings.TrimLeftFunc(b.ResultText(), unicode.IsSpace)
		for _, s := range answerSentences {
			if strings.HasPrefix(t, s) {
				return t
			}
		}
	}
	return ""
}

// mayStartAnswer is a cheap test on the raw text that spares most results the decoding.
func mayStartAnswer(raw Str) bool {
	for len(raw) > 0 && raw[0] == ' ' {
		raw = raw[1:]
	}
	for _, s := range answerSentences {
		n := 0
		for n < len(s) && n < len(raw) && raw[n] == s[n] {
			n++
		}
		if n == len(s) || (n < len(raw) && (raw[n] == '\\' || raw[n] >= 0x80)) {
			return true
		}
	}
	return false
}

const (
	rejected  = "The user doesn't want to proceed with this tool use"
	saidAfter = "To tell you how to proceed, the user said:"
)

// RejectionWords gives what the person typed while refusing a tool call, trimmed; "" when the record is no refusal or
// nothing was typed.
func (r *Record) RejectionWords() string {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.IsError || !b.Type.Is("tool_result") {
			continue
		}
		t := b.ResultText()
		if !strings.Contains(t, rejected) {
			continue
		}
		if _, tail, ok := strings.Cut(t, saidAfter+"\n"); ok {
			if tail = strings.TrimSpace(tail); tail != "" {
				return tail
			}
		}
	}
	return ""
}

// ResultText gives the text of a tool_result: its string content, or its text items joined by newlines.
func (b *Block) ResultText() string {
	if s := b.Content.Str(); s != nil {
		return s.String()
	}
	return string(b.AppendResultText(nil))
}

// AppendResultText appends what ResultText gives.
func (b *Block) AppendResultText(dst []byte) []byte {
	if s := b.Content.Str(); s != nil {
		return s.Append(dst)
	}
	n := 0
	for _, it := range b.Content.Blocks(nil) {
		if it.Text == nil {
			continue
		}
		if n > 0 {
			dst = append(dst, '\n')
		}
		dst = it.Text.Append(dst)
		n++
	}
	return dst
}
