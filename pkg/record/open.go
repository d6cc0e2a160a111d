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
	if !r.Type.Is("user") || r.IsCompactSummary || (r.IsSidechain && !inLane) {
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
	if ordinary(r.Text) {
		if !r.Role.Is("user") || r.IsMeta || r.TurnCompanion {
			return NoOpening
		}
		return Prompt
	}
	text := r.UserText()
	if hasPeerSection(text) {
		return Peer
	}
	if !r.Role.Is("user") || r.IsMeta || r.TurnCompanion || synthetic(text) {
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
	return made(out)
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
	return t == InterruptedByUser || t == InterruptedTool || IsCommandOutput(t) || IsWrapper(t) || IsStoppedNotice(t)
}

// ordinary is a cheap test on a raw text: is it neither a peer's message nor one of those that synthetic finds? It says no when
// that needs a closer look.
func ordinary(raw Str) bool {
	if len(raw) == 0 || raw[0]|0x20 < 'a' || raw[0]|0x20 > 'z' || raw[0] == 'B' {
		return false // neither a blank, a tag, a bracket, a number nor "Background" starts it
	}
	return !bytes.Contains(raw, []byte(peerTag)) && !bytes.Contains(raw, []byte(`\u`))
}

// IsCommandOutput reports whether a text is what a slash command or a !command of the person printed.
func IsCommandOutput(text string) bool {
	t := trimLeft(text)
	for _, p := range [...]string{LocalStdout, LocalStderr, BashStdout, BashStderr} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

// IsWrapper reports whether a text is the wrapper of a slash command; its two tags come in either order.
func IsWrapper(text string) bool {
	t := trimLeft(text)
	return strings.HasPrefix(t, CommandName) || strings.HasPrefix(t, CommandMessage)
}

// IsStoppedNotice reports whether a text is the harness's note that background agents were stopped by the user.
func IsStoppedNotice(text string) bool {
	t := trimLeft(text)
	if strings.HasPrefix(t, `Background agent "`) {
		return strings.Contains(strings.Join(strings.Fields(t), " "), " was stopped by the user")
	}
	n := 0
	for n < len(t) && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	rest := t[n:]
	return n > 0 && (strings.HasPrefix(rest, " background agent was stopped by the user") ||
		strings.HasPrefix(rest, " background agents were stopped by the user"))
}

func trimLeft(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }
