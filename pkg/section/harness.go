package section

import (
	"bytes"
	"strconv"
	"strings"

	"csift/pkg/label"
	"csift/pkg/record"
)

// boundaryText renders a compaction boundary: its content and the measures that are on the record.
func boundaryText(r *record.Record) string {
	var out strings.Builder
	out.WriteString(r.Content.String() + " [compaction boundary")
	sep := ": "
	field := func(key, value string) {
		out.WriteString(sep + key + "=" + value)
		sep = " "
	}
	m := r.CompactMetadata
	for _, k := range [...]string{"trigger", "preTokens", "postTokens", "durationMs", "messagesSummarized", "cumulativeDroppedTokens"} {
		if v := m.Get(k); v != nil && string(v) != "null" {
			field(k, valueText(v))
		}
	}
	if p := m.Get("preservedMessages"); p.IsObject() {
		field("preserved", strconv.Itoa(items(p.Get("uuids")))+" uuids, "+strconv.Itoa(items(p.Get("allUuids")))+
			" allUuids, anchor "+short(p.Get("anchorUuid").Str()))
	}
	if s := m.Get("preservedSegment"); s.IsObject() {
		field("segment", short(s.Get("headUuid").Str())+".."+short(s.Get("tailUuid").Str()))
	}
	out.WriteString("]")
	if r.LogicalParentUUID != nil {
		out.WriteString(" [logicalParent=" + r.LogicalParentUUID.String() + "]")
	}
	return strings.TrimSpace(out.String())
}

func items(v record.Raw) (n int) {
	v.Items(func(record.Raw) { n++ })
	return n
}

func short(s record.Str) string { return ShortID(s.String()) }

// ShortID gives the first eight characters of a uuid, and any other id whole.
func ShortID(t string) string {
	if len(t) != 36 {
		return t
	}
	for i := range len(t) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (t[i] == '-') || !dash && !isHex(t[i]) {
			return t
		}
	}
	return t[:8]
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// channelMark starts the message that a hook of csift-channel put before the model.
const channelMark = "[csift-channel v1 "

// AttachmentLeaf gives the leaves of an attachment record, the richest first; label.None where none names it.
func AttachmentLeaf(r *record.Record) (leaf, second label.Leaf) {
	leaf, _ = label.AttachmentType(r.Attachment.Get("type").Str().String())
	switch leaf {
	case label.HarnessContextPrompt:
		if r.Attachment.Get("origin").Get("kind").Str().Is("human") && r.Attachment.Get("type").Str().Is("queued_command") {
			return label.UserMessage, label.None
		}
	case label.HarnessHookContext:
		content := r.Attachment.Get("content")
		first := content.Str()
		if content.IsArray() {
			n := 0
			content.Items(func(v record.Raw) {
				if n++; n == 1 {
					first = v.Str()
				}
			})
		}
		if strings.HasPrefix(first.String(), channelMark) {
			return label.AgentCommunicationChannel, leaf
		}
	}
	return leaf, label.None
}

// attachment gives the text of an attachment record: the conversion that the client kept beside it, else the payload's
// own text, else the payload as it stands.
func (b *Builder) attachment(r *record.Record) {
	kind := r.Attachment.Get("type").Str()
	leaf, second := AttachmentLeaf(r)
	n := len(b.arena)
	b.arena = appendTexts(b.arena, r.Rendered)
	for _, k := range attachmentTexts {
		if len(b.arena) == n {
			b.arena = appendTexts(b.arena, r.Attachment.Get(k))
		}
	}
	if kind.Is("structured_output") && len(b.arena) == n {
		b.arena = appendCompact(b.arena, r.Attachment.Get("data"))
	}
	if leaf != label.None && leaf != label.UserMessage && len(bytes.TrimSpace(b.arena[n:])) == 0 {
		b.arena = appendCompact(b.arena[:n], r.Attachment)
	}
	s := Section{Labels: b.labels(leaf, second), Text: b.since(n), Block: -1}
	if strings.TrimSpace(string(s.Text)) == "" {
		return
	}
	if leaf == label.UserMessage {
		s.Text, s.OneRow = b.text(prompt(strings.TrimSpace(string(s.Text)))), true
	}
	b.add(s)
}

// appendTexts appends a text that is a string, an object that holds one, or an array of these joined by newlines.
func appendTexts(dst []byte, v record.Raw) []byte {
	if !v.IsArray() {
		return textIn(v).Append(dst)
	}
	n := len(dst)
	v.Items(func(it record.Raw) {
		if s := textIn(it); s != nil {
			if len(dst) > n {
				dst = append(dst, '\n')
			}
			dst = s.Append(dst)
		}
	})
	return dst
}

// textIn gives a string, or the one that an object holds as its content or text; a file attachment holds it deeper
// (content.file.content, seen at 2.1.258).
func textIn(v record.Raw) record.Str {
	if s := v.Str(); s != nil || !v.IsObject() {
		return s
	}
	for _, in := range [...]record.Raw{v.Get("content"), v.Get("text"), v.Get("file").Get("content")} {
		if s := in.Str(); s != nil {
			return s
		}
	}
	return nil
}

// other gives the text of a line that is no part of the conversation.
func (b *Builder) other(r *record.Record) {
	leaf, ok := label.LineType(r.Type.String())
	if ok {
		b.keeping(r, leaf)
		return
	}
	for _, s := range [...]record.Str{r.Content, r.Summary, r.CustomTitle, r.AITitle, r.AgentName, r.LastPrompt} {
		b.said(-1, s, leaf)
	}
}
