package record

import (
	"strings"
	"unicode"
)

// Section is one message or notification inside the text of a user record.
type Section struct {
	Tag        string // "task-notification", "teammate-message", "agent-message" or "cross-session-message"
	Attrs      string // what stands in the open tag after its name
	Body       string // between the tags, trimmed; of a message that is not closed, all to the end
	Start, End int    // byte span in the text, close tag included
}

var peerTags = [...]string{"teammate-message", "agent-message", "cross-session-message"}

// peerTag stands in each of them.
const peerTag = "-message"

// Pulse is the tag of a harness notification.
const Pulse = "task-notification"

// The sentences that may stand before a peer's section.
var relayLeads = [...]string{
	"Another Claude session sent a message:",
	"Another Claude session sent a message while you were working:",
	"A peer session sent a message while you were working:",
	"</task-notification>", "</teammate-message>", "</agent-message>", "</cross-session-message>",
}

// atBoundary reports whether a section may start after the given text: at the very start, after a relay's lead
// sentence, or after another section. A tag quoted in prose never starts one.
func atBoundary(before string) bool {
	t := strings.TrimRightFunc(before, unicode.IsSpace)
	if t == "" {
		return true
	}
	for _, l := range relayLeads {
		if strings.HasSuffix(t, l) {
			return true
		}
	}
	return false
}

// Sections gives the notifications and peer messages of a text, in order. A peer tag inside a notification is part of
// the notification. A notification that is not closed is none: a person may begin with the tag they ask about.
func Sections(text string) []Section {
	var out []Section
	lastClose := strings.LastIndex(text, "</"+Pulse+">")
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '<')
		if k < 0 {
			break
		}
		i += k
		tag := sectionTag(text[i+1:])
		if tag == "" || tag == Pulse && lastClose < i || !atBoundary(text[:i]) {
			i++
			continue
		}
		s := sectionAt(text, i, tag)
		out = append(out, s)
		i = s.End
	}
	return out
}

func sectionTag(s string) string {
	if tagHead(s, Pulse) {
		return Pulse
	}
	for _, t := range peerTags {
		if tagHead(s, t) {
			return t
		}
	}
	return ""
}

// tagHead reports whether s starts with the tag's name and the name ends there.
func tagHead(s, tag string) bool {
	if !strings.HasPrefix(s, tag) {
		return false
	}
	rest := s[len(tag):]
	return rest == "" || rest[0] == '>' || rest[0] == '/' || unicode.IsSpace(rune(rest[0]))
}

func sectionAt(text string, start int, tag string) Section {
	s := Section{Tag: tag, Start: start, End: len(text)}
	head := start + 1 + len(tag)
	gt := tagEnd(text[head:])
	if gt < 0 {
		s.Attrs = strings.TrimSpace(text[head:])
		return s
	}
	s.Attrs = strings.TrimSpace(text[head : head+gt])
	body := head + gt + 1
	end := len(text)
	if k := strings.Index(text[body:], "</"+tag+">"); k >= 0 {
		end = body + k
		s.End = end + len(tag) + 3
	}
	s.Body = strings.TrimSpace(text[body:end])
	return s
}

// maxAttrs bounds the search for the end of an open tag whose quotes may not pair.
const maxAttrs = 8 << 10

// tagEnd gives the index of the bracket that ends an open tag, not one inside a quoted attribute (a summary may hold an
// arrow); -1 when there is none.
func tagEnd(s string) int {
	quoted := false
	for i := range min(len(s), maxAttrs) {
		switch s[i] {
		case '"':
			quoted = !quoted
		case '>':
			if !quoted {
				return i
			}
		}
	}
	return strings.IndexByte(s, '>')
}

// hasPeerSection reports whether the text holds a message of a peer that is not part of a notification.
func hasPeerSection(text string) bool {
	if !strings.Contains(text, peerTag) {
		return false
	}
	for _, s := range Sections(text) {
		if s.Tag != Pulse {
			return true
		}
	}
	return false
}

// Attr gives the value of a double-quoted attribute of the open tag, "" when it is not there.
func (s *Section) Attr(name string) string {
	rest := s.Attrs
	for {
		k := strings.Index(rest, name+`="`)
		if k < 0 {
			return ""
		}
		if k > 0 && !unicode.IsSpace(rune(rest[k-1])) {
			rest = rest[k+1:]
			continue
		}
		v, _, ok := strings.Cut(rest[k+len(name)+2:], `"`)
		if !ok {
			return ""
		}
		return v
	}
}

// Tag gives the trimmed text between the first <name> and the </name> behind it; "" when the pair is not there.
func Tag(text, name string) string {
	v, _, _ := cutTag(text, name)
	return v
}

// Tags gives every such text that is not empty, in order.
func Tags(text, name string) (out []string) {
	for {
		v, rest, ok := cutTag(text, name)
		if !ok {
			return out
		}
		if v != "" {
			out = append(out, v)
		}
		text = rest
	}
}

func cutTag(text, name string) (v, rest string, ok bool) {
	_, text, ok = strings.Cut(text, "<"+name+">")
	if !ok {
		return "", "", false
	}
	v, rest, ok = strings.Cut(text, "</"+name+">")
	if !ok {
		return "", "", false
	}
	return strings.TrimSpace(v), rest, true
}
