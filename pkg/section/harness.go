package section

import (
	"strconv"
	"strings"

	"csift/pkg/label"
	"csift/pkg/record"
)

// system gives the text of a system record. Its error object holds HTTP response headers and is never rendered.
func (b *Builder) system(r *record.Record) {
	leaf, _ := label.System(r.Subtype.String())
	if r.Subtype.Is("compact_boundary") {
		b.add(Section{Labels: b.labels(label.HarnessCompactionBoundary), Text: b.text(boundaryText(r)), Block: -1})
		return
	}
	b.one(r.Content, leaf)
}

// one adds a section of one leaf, when there is text.
func (b *Builder) one(s record.Str, leaf label.Leaf) {
	if s == nil || blank(s) {
		return
	}
	if leaf == label.None {
		b.raw(-1, s)
		return
	}
	b.raw(-1, s, leaf)
}

// boundaryText renders a compaction boundary: its content and the measures that are on the record.
func boundaryText(r *record.Record) string {
	var out strings.Builder
	out.WriteString(r.Content.String())
	var head []string
	m := r.CompactMetadata
	for _, k := range [...]string{"trigger", "preTokens", "postTokens", "durationMs", "messagesSummarized", "cumulativeDroppedTokens"} {
		if v := m.Get(k); v != nil && string(v) != "null" {
			head = append(head, k+"="+valueText(v))
		}
	}
	if p := m.Get("preservedMessages"); p.IsObject() {
		head = append(head, "preserved="+strconv.Itoa(items(p.Get("uuids")))+" uuids, "+strconv.Itoa(items(p.Get("allUuids")))+
			" allUuids, anchor "+first8(p.Get("anchorUuid").Str()))
	}
	if s := m.Get("preservedSegment"); s.IsObject() {
		head = append(head, "segment="+first8(s.Get("headUuid").Str())+".."+first8(s.Get("tailUuid").Str()))
	}
	if len(head) > 0 {
		out.WriteString(" [compaction boundary: " + strings.Join(head, " ") + "]")
	} else {
		out.WriteString(" [compaction boundary]")
	}
	if r.LogicalParentUUID != nil {
		out.WriteString(" [logicalParent=" + r.LogicalParentUUID.String() + "]")
	}
	return strings.TrimSpace(out.String())
}

func items(v record.Raw) (n int) {
	v.Items(func(record.Raw) { n++ })
	return n
}

func first8(s record.Str) string {
	t := s.String()
	return t[:min(len(t), 8)]
}

// attachment gives the text of an attachment record: the conversion that the client kept beside it, else the payload's
// own text.
func (b *Builder) attachment(r *record.Record) {
	payload := r.Attachment
	leaf, _ := label.AttachmentType(payload.Get("type").Str().String())
	n := len(b.arena)
	if b.arena = appendRendered(b.arena, r.Rendered); len(b.arena) == n {
		for _, k := range [...]string{"content", "prompt", "stdout", "text", "snippet"} {
			if b.arena = appendRendered(b.arena, payload.Get(k)); len(b.arena) > n {
				break
			}
		}
	}
	text := b.arena[n:len(b.arena):len(b.arena)]
	if len(strings.TrimSpace(string(text))) == 0 {
		return
	}
	s := Section{Text: text, Block: -1}
	if leaf != label.None {
		s.Labels = b.labels(leaf)
	}
	b.add(s)
}

// appendRendered appends a text that is a string, or an array of strings or of objects with "content", joined by
// newlines.
func appendRendered(dst []byte, v record.Raw) []byte {
	if s := v.Str(); s != nil {
		return s.Append(dst)
	}
	n := len(dst)
	v.Items(func(it record.Raw) {
		s := it.Str()
		if s == nil {
			s = it.Get("content").Str()
		}
		if s == nil {
			return
		}
		if len(dst) > n {
			dst = append(dst, '\n')
		}
		dst = s.Append(dst)
	})
	return dst
}

// other gives the text of a line that is no part of the conversation.
func (b *Builder) other(r *record.Record) {
	leaf, _ := label.LineType(r.Type.String())
	for _, s := range [...]record.Str{r.Content, r.Summary, r.CustomTitle, r.AITitle, r.AgentName, r.LastPrompt} {
		b.one(s, leaf)
	}
}
