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

	markValues  = jsonl.NewValues(marks...)
	agentValues = jsonl.NewValues(slices.Concat(marks, []string{agentRole, textBlock}, silentBlocks)...)
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
	hiding                    // has an escape of a letter, which may hide any of these. No JSON encoder in use writes one

	spoken // by the agent; these are seen on lines without a mark, where its words are looked for
	worded // may have a block of text
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
	looked int // up to where a refusal was looked for, while the line is taken
}

// survey appends the lines of run[from:to]. agent says that words of the agent are sought.
func (r *reader) survey(spots []spot, run []byte, from, to int, agent bool) []spot {
	if r.opts.Slow {
		return surveyPlainly(spots, run[:to], from, agent)
	}
	values := markValues
	if agent {
		values = agentValues
	}
	line, at := spot{start: from}, from
steps:
	for at < to {
		step, mask := values.Next(run, at)
		at = step + 64
		for ; mask != 0; mask &= mask - 1 {
			i := step + bits.TrailingZeros64(mask)
			if i >= to {
				break steps
			}
			switch run[i] {
			case '\n':
				spots, line = append(spots, line.until(i)), spot{start: i + 1}
			case '"':
				if text, is := line.value(run, i, agent); is {
					at = line.rest(run, i, text)
					continue steps
				}
			default:
				line.escape(run, i)
			}
		}
	}
	if line.start < to {
		spots = append(spots, line.until(to))
	}
	return spots
}

// until is the spot of a line that was taken and ends at end.
func (p spot) until(end int) spot { return spot{start: p.start, end: end, trait: p.trait} }

// traits is survey for one line, where words of the person are sought.
func (r *reader) traits(line []byte) trait {
	if r.spots = r.survey(r.spots[:0], line, 0, len(line), false); len(r.spots) == 0 {
		return 0
	}
	return r.spots[0].trait
}

// rest takes the keys of a marked line and gives its end. The mark is at b[i], and the text
// of a carrier starts at text.
func (p *spot) rest(b []byte, i, text int) (end int) {
	if text == 0 {
		if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(b)
	}
	p.keys(b[:p.outside(b, i)], p.start)
	return p.keys(b, text)
}

// outside gives the end of the part of a carrier before the mark at b[i] where there may
// be keys that matter: none, where there are but the members of the record itself.
func (p *spot) outside(b []byte, i int) (end int) {
	end = i - len(typeKey)
	if bytes.IndexByte(b[p.start+1:end], '{') < 0 {
		return p.start
	}
	return end
}

// keys takes the keys from b[at] on, to the end of the line.
func (p *spot) keys(b []byte, at int) (end int) {
	for at < len(b) {
		step, mask := resultKeys.Next(b, at)
		for ; mask != 0; mask &= mask - 1 {
			switch i := step + bits.TrailingZeros64(mask); b[i] {
			case '\n':
				return i
			case '"':
				p.key(b, i)
			default:
				p.escape(b, i)
			}
		}
		at = step + 64
	}
	return len(b)
}

// surveyPlainly is survey a byte at a time.
func surveyPlainly(spots []spot, run []byte, start int, agent bool) []spot {
	for start < len(run) {
		line := run[start:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		p := spot{}
		p.look(line, agent)
		spots = append(spots, spot{start: start, end: start + len(line), trait: p.trait})
		start += len(line) + 1
	}
	return spots
}

// look takes a line.
func (p *spot) look(line []byte, agent bool) {
	for i, c := range line {
		switch c {
		case 'u':
			p.escape(line, i)
		case '"':
			if text, is := p.value(line, i, agent); is {
				if text > 0 {
					p.lookOutside(line, p.outside(line, i), text)
				}
				return
			}
		}
	}
}

// lookOutside takes the keys of a carrier up to head and from text on.
func (p *spot) lookOutside(line []byte, head, text int) {
	for i, c := range line {
		if i >= head && i < text {
			continue
		}
		switch c {
		case 'u':
			p.escape(line, i)
		case '"':
			p.key(line, i)
		}
	}
}

// value takes a quote that may start a value, at b[i], and reports whether it is a mark;
// text is where the text of a carrier starts, else 0.
func (p *spot) value(b []byte, i int, agent bool) (text int, is bool) {
	if i == 0 || strings.IndexByte(between, b[i-1]) < 0 {
		return 0, false
	}
	if !isOne(marks, b[i:]) {
		if agent {
			p.agent(b, i)
		}
		return 0, false
	}
	if !p.isType(b, i) || bytes.HasSuffix(b[p.start:i], []byte(innerType)) {
		return 0, false
	}
	p.trait |= marked
	text, id := resultText(b, i)
	if text > 0 {
		p.trait |= carrier
	}
	if id {
		p.trait |= called
	}
	return text, true
}

// between may stand between a key and its value.
const between = ": \t\r"

// isType reports whether the value at b[i] is that of a type.
func (p *spot) isType(b []byte, i int) bool {
	return bytes.HasSuffix(bytes.TrimRight(b[p.start:i], between), []byte(`"type"`))
}

// agent takes a string at b[i] that is no mark.
func (p *spot) agent(b []byte, i int) {
	switch s := b[i:]; {
	case isWord(agentRole, s):
		p.trait |= spoken
	case isWord(textBlock, s):
		p.trait |= worded
	case isOne(silentBlocks, s) && p.isType(b, i):
		p.trait |= silent
	}
}

// isWord reports whether b starts with a word and its quotes.
func isWord(word string, b []byte) bool {
	n := len(word) + 1
	return len(b) > n && b[n] == '"' && string(b[1:n]) == word
}

func isOne(words []string, b []byte) bool {
	if len(b) < 2 {
		return false
	}
	for _, w := range words {
		if w[0] == b[1] && isWord(w, b) {
			return true
		}
	}
	return false
}

// resultKeys are the keys that show a result to be more.
var resultKeys = jsonl.NewKeys("type", "message", "tool_use_id", "content", "text", "is_error", "answers", "response")

// key takes a quote that may end a key, at b[i]: what answers a question or refuses a
// call, and a second message, result or record.
func (p *spot) key(b []byte, i int) {
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
		if isKey(key, "is_error") && !bytes.HasPrefix(rest, []byte(":false")) && p.refuses(key) {
			is = signed // it stands behind the text
		}
	case "wers":
		is = given(key, "answers", signed)
	case "onse":
		is = given(key, "response", signed)
	}
	p.trait |= is
}

// refuses reports whether the sentence of a refusal stands in the line up to the end of b, where it was not looked for yet.
func (p *spot) refuses(b []byte) bool {
	from := max(p.start, p.looked-len(refusing))
	p.looked = len(b)
	return bytes.Contains(b[from:], []byte(refusing))
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

// resultText gives where the text of a tool result starts when the mark at b[i] is that of
// one whose text is no answer, else 0, false, and whether the id of the call stands before it.
func resultText(b []byte, i int) (text int, id bool) {
	line, ok := bytes.CutPrefix(b[i:], []byte(resultHead))
	if k := i - len(typeKey); !ok || k < 1 || string(b[k:i]) != typeKey || b[k-1] != ',' && b[k-1] != '{' {
		return 0, false
	}
	line, early := cutID(line)
	if line, ok = bytes.CutPrefix(line, []byte(resultType)); !ok {
		return 0, false
	}
	line, late := cutID(line)
	line, ok = bytes.CutPrefix(line, []byte(resultBody))
	if !ok || len(line) == 0 || early && late {
		return 0, false
	}
	if line[0] == '[' || line[0] == '"' && !startsAnswer(line[1:]) { // texts of an array have a key
		return len(b) - len(line), early || late
	}
	return 0, false
}

// cutID cuts the key with the id of the call off line.
func cutID(line []byte) (rest []byte, ok bool) {
	id, ok := bytes.CutPrefix(line, []byte(resultID))
	if !ok {
		return line, false
	}
	for i, c := range id[:min(len(id), 256)] {
		switch c {
		case '"':
			if i+1 < len(id) && id[i+1] == ',' {
				return id[i+2:], true
			}
			return line, false
		case '\\', '\n':
			return line, false
		}
	}
	return line, false
}

// letters are those that what is looked for is spelled with.
var letters = strings.Join(slices.Concat(marks, silentBlocks), "") + agentRole + textBlock + refusing +
	"type message content is_error answers response tool_use_id"

// escape takes a u at b[i], which may be that of the escape of a letter.
func (p *spot) escape(b []byte, i int) {
	if i--; i < 0 || len(b) < i+6 || string(b[i:i+4]) != `\u00` {
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
