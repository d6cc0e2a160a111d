package list

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"csift/pkg/jsonl"
)

// marks are the types of the records, and of the attachments, that may hold words of the
// person or a name. A line without one is passed over by its bytes alone, and so is the
// plain result of a tool call: damage in one that is framed like a record is not seen.
var marks = []string{
	person, "queued_command",
	"custom-title", "ai-title", "summary", "continued-in", "fork-context-ref",
}

const person = "user"

// While words of the agent are looked for its own lines tell more: who speaks, and the
// types of the blocks.
const (
	agentRole = "assistant"
	textBlock = "text"
)

var (
	silentBlocks = []string{"tool_use", "thinking"}

	markWords  = jsonl.NewWords(marks...)
	agentWords = jsonl.NewWords(slices.Concat(marks, []string{agentRole, textBlock}, silentBlocks)...)
)

// trait is what a line shows to be, by its strings alone. On a sound line a raw quote
// before a word starts a string and one behind it ends one, so that what looks like a key
// or its value is one, of the record or of something in it.
type trait uint16

const (
	marked  trait = 1 << iota // has a mark as a value
	carrier                   // the first mark is that of a tool result: these have the traits below, too
	signed                    // may answer a question or refuse a call, or is more than a result
	called                    // has the id of a call
	failed                    // the result of a call is an error
	hiding                    // has an escape of a letter, which may hide any of these. No JSON encoder in use writes one

	spoken // by the agent; these are seen on lines without a mark, where its words are looked for
	worded // has a block of text
	silent // has a block of another type
)

// plain reports whether a line is nothing that a row needs: it has no mark and no words
// of the agent where they are sought, or is a tool result and nothing else.
func (t trait) plain(agent bool) bool {
	switch {
	case t&hiding != 0:
		return false
	case t&marked != 0:
		return t&(carrier|signed) == carrier
	}
	return !agent || t&spoken == 0 || t&(worded|silent) == silent
}

// prompt reports whether a line most likely holds words of the person or a name.
func (t trait) prompt() bool { return t&(marked|carrier|hiding) == marked }

// spot is where a line lies in a run of lines.
type spot struct {
	start, end int // without the newline
	trait
}

// survey appends the lines of a run. agent says that words of the agent are sought.
func (r *reader) survey(spots []spot, run []byte, agent bool) []spot {
	if r.opts.Slow {
		return surveyPlainly(spots, run, agent)
	}
	words := markWords
	if agent {
		words = agentWords
	}
	var line spot
	for at := 0; at < len(run); {
		step, mask := words.Next(run, at)
		at = step + 64
		for ; mask != 0; mask &= mask - 1 {
			i := step + bits.TrailingZeros64(mask)
			if run[i] == '\n' {
				line.end = i
				spots, line = append(spots, line), spot{start: i + 1}
			} else if line.value(run, i, agent) {
				at = line.rest(run, i)
				break
			}
		}
	}
	if line.start < len(run) {
		line.end = len(run)
		spots = append(spots, line)
	}
	return spots
}

// traits is survey for one line, where words of the person are sought.
func (r *reader) traits(line []byte) trait {
	if r.spots = r.survey(r.spots[:0], line, false); len(r.spots) == 0 {
		return 0
	}
	return r.spots[0].trait
}

// rest takes the keys of a marked line and gives its end. The mark is at b[i].
func (p *spot) rest(b []byte, i int) (end int) {
	if p.trait&carrier == 0 {
		if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(b)
	}
	p.keys(b, p.start, i-len(typeKey))
	end = p.keys(b, i+len(resultHead), len(b))
	p.refused(b[p.start:end])
	return end
}

// refused settles whether the error of a carrier may refuse a call.
func (p *spot) refused(line []byte) {
	if p.trait&failed != 0 && bytes.Contains(line, []byte(refusing)) {
		p.trait |= signed
	}
}

// keys takes the keys in b[at:to], on to the end of the line.
func (p *spot) keys(b []byte, at, to int) (end int) {
	for at < to {
		step, mask := jsonl.NextKey(b, at)
		for ; mask != 0; mask &= mask - 1 {
			i := step + bits.TrailingZeros64(mask)
			if i >= to || b[i] == '\n' {
				return i
			}
			p.key(b, i)
		}
		at = step + 64
	}
	return to
}

// surveyPlainly is survey a byte at a time.
func surveyPlainly(spots []spot, run []byte, agent bool) []spot {
	for start := 0; start < len(run); {
		line := run[start:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		p := spot{}
		p.look(line, agent)
		p.start, p.end = start, start+len(line)
		spots = append(spots, p)
		start += len(line) + 1
	}
	return spots
}

// look takes a line.
func (p *spot) look(line []byte, agent bool) {
	for i, c := range line {
		if (c == '\\' || c == '"') && p.value(line, i, agent) {
			if p.trait&carrier == 0 {
				return
			}
			for k, c := range line {
				if c == '\\' || c == '"' && (k < i-len(typeKey) || k >= i+len(resultHead)) {
					p.key(line, k)
				}
			}
			p.refused(line)
			return
		}
	}
}

// value takes a backslash, or a quote that may start a value, at b[i], and reports whether
// it is a mark.
func (p *spot) value(b []byte, i int, agent bool) bool {
	if b[i] == '\\' {
		p.escape(b, i)
		return false
	}
	if i == 0 || strings.IndexByte(between, b[i-1]) < 0 {
		return false
	}
	if !isOne(marks, b[i:]) {
		if agent {
			p.agent(b[i:])
		}
		return false
	}
	head := b[p.start:i]
	if !bytes.HasSuffix(bytes.TrimRight(head, between), []byte(`"type"`)) || bytes.HasSuffix(head, []byte(innerType)) {
		return false
	}
	p.trait |= marked
	if startsResult(b, i) {
		p.trait |= carrier
	}
	return true
}

// between may stand between a key and its value.
const between = ": \t\r"

// agent takes a string that is no mark.
func (p *spot) agent(b []byte) {
	switch {
	case isWord(agentRole, b):
		p.trait |= spoken
	case isWord(textBlock, b):
		p.trait |= worded
	case isOne(silentBlocks, b):
		p.trait |= silent
	}
}

// isWord reports whether b starts with a word and its quotes.
func isWord(word string, b []byte) bool {
	n := len(word) + 1
	return len(b) > n && b[n] == '"' && string(b[1:n]) == word
}

func isOne(words []string, b []byte) bool {
	for _, w := range words {
		if isWord(w, b) {
			return true
		}
	}
	return false
}

// key takes a backslash, or a quote that may end a key, at b[i]: what answers a question
// or refuses a call, and a second message, result or record.
func (p *spot) key(b []byte, i int) {
	if b[i] == '\\' {
		p.escape(b, i)
		return
	}
	rest := b[i+1:]
	if i < 4 || len(rest) == 0 || strings.IndexByte(between, rest[0]) < 0 {
		return
	}
	is := trait(0)
	switch key := b[:i]; string(b[i-4 : i]) {
	case "type":
		if isKey(key, "type") && isOne(marks, bytes.TrimLeft(rest, between)) {
			is = signed
		}
	case "sage":
		is = given(key, "message", signed)
	case "e_id":
		if is = given(key, "tool_use_id", called); p.trait&is != 0 {
			is = signed
		}
	case "tent":
		if bytes.HasSuffix(key, []byte(`],"content`)) {
			is = signed // a second one
		}
	case "text":
		if isKey(key, "text") && (!bytes.HasPrefix(rest, []byte(`:"`)) || startsAnswer(rest[len(`:"`):])) {
			is = signed
		}
	case "rror":
		if isKey(key, "is_error") && !bytes.HasPrefix(rest, []byte(":false")) {
			is = failed
		}
	case "wers":
		is = given(key, "answers", signed)
	case "onse":
		is = given(key, "response", signed)
	}
	p.trait |= is
}

// isKey reports whether b ends with a key, but for its closing quote.
func isKey(b []byte, key string) bool {
	n := len(b) - len(key)
	return n > 0 && b[n-1] == '"' && string(b[n:]) == key
}

// given is t when b ends with the key.
func given(b []byte, key string, t trait) trait {
	if isKey(b, key) {
		return t
	}
	return 0
}

// How the record of a tool result goes on from its type, in all versions (1.0.31 to
// 2.1.332). The id stands before or behind the type of the block, or at its end.
const (
	typeKey    = `"type":`
	innerType  = `"message":{"type":` // of a record in the progress of a subagent (to 2.1.81)
	resultHead = `"user","message":{"role":"user","content":[{`
	resultID   = `"tool_use_id":"`
	resultType = `"type":"tool_result",`
	resultBody = `"content":`
)

// startsResult reports whether the mark at b[i] is that of a tool result whose text is no
// answer.
func startsResult(b []byte, i int) bool {
	line, ok := bytes.CutPrefix(b[i:], []byte(resultHead))
	if k := i - len(typeKey); !ok || k < 1 || string(b[k:i]) != typeKey || b[k-1] != ',' && b[k-1] != '{' {
		return false
	}
	line = cutID(line)
	if line, ok = bytes.CutPrefix(line, []byte(resultType)); !ok {
		return false
	}
	line, ok = bytes.CutPrefix(cutID(line), []byte(resultBody))
	if !ok || len(line) == 0 {
		return false
	}
	return line[0] == '[' || line[0] == '"' && !startsAnswer(line[1:]) // texts of an array have a key
}

// cutID cuts the key with the id of the call off line.
func cutID(line []byte) []byte {
	if id, ok := bytes.CutPrefix(line, []byte(resultID)); ok {
		id = id[:min(len(id), 256)]
		if n := bytes.IndexByte(id, '"'); n >= 0 && !bytes.ContainsAny(id[:n], "\\\n") && bytes.HasPrefix(id[n:], []byte(`",`)) {
			return line[len(resultID)+n+2:]
		}
	}
	return line
}

// letters are those that what is looked for is spelled with.
var letters = strings.Join(slices.Concat(marks, silentBlocks), "") + agentRole + textBlock + refusing +
	"type message content is_error answers response tool_use_id"

// escape takes a backslash at b[i], which may start the escape of a letter.
func (p *spot) escape(b []byte, i int) {
	if len(b) < i+6 || string(b[i+1:i+4]) != "u00" {
		return
	}
	hi, lo := hexDigit(b[i+4]), hexDigit(b[i+5])
	if hi|lo > 15 || strings.IndexByte(letters, hi<<4|lo) < 0 {
		return
	}
	n := 0 // backslashes before
	for n < i && b[i-n-1] == '\\' {
		n++
	}
	if n%2 == 0 {
		p.trait |= hiding
	}
}

func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}
