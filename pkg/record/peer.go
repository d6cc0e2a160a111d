package record

import (
	"strings"
	"unicode"
)

// Section is one message or notification inside the text of a user record.
type Section struct {
	Tag        string // "task-notification", "teammate-message", "agent-message" or "cross-session-message"
	Attrs      string // what stands in the open tag after its name
	Body       string // between the tags, trimmed; to the end of the text when unclosed
	Start, End int    // byte span in the text, close tag included
}

var peerTags = [...]string{"teammate-message", "agent-message", "cross-session-message"}

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
// the notification.
func Sections(text string) []Section {
	var out []Section
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '<')
		if k < 0 {
			break
		}
		i += k
		tag := sectionTag(text[i+1:])
		if tag == "" || !atBoundary(text[:i]) {
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
	gt := strings.IndexByte(text[head:], '>')
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

// hasPeerSection reports whether the text holds a message of a peer that is not part of a notification.
func hasPeerSection(text string) bool {
	if !strings.Contains(text, "-message") {
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

// Tag gives the trimmed text between <name> and </name>; "" when the pair is not there.
func Tag(text, name string) string {
	_, rest, ok := strings.Cut(text, "<"+name+">")
	if !ok {
		return ""
	}
	v, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(v)
}

// Tags gives every such text, in order.
func Tags(text, name string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, "<"+name+">")
		if !ok {
			return out
		}
		v, after, ok := strings.Cut(rest, "</"+name+">")
		if !ok {
			return out
		}
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
		text = after
	}
}
