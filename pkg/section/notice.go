package section

import (
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
)

// batched gives one section for each notification and each peer message of a text, and one without a label for what stands
// beside them: words of the client, or of a person behind a quoted one. It tells whether there are any.
func (b *Builder) batched(r *record.Record, text string) bool {
	if !strings.Contains(text, "-message") && !strings.Contains(text, record.Pulse) {
		return false
	}
	frame := ""
	if t := strings.TrimSpace(text); r.IsMeta && strings.HasPrefix(t, label.NotificationFrame) {
		if k := strings.Index(t, "<"+record.Pulse); k > 0 {
			frame, text = t[:k], t[k:]
		}
	}
	secs := record.Sections(text)
	peers := 0
	for i := range secs {
		if secs[i].Tag != record.Pulse {
			peers++
		}
	}
	for i := range secs {
		if secs[i].Tag == record.Pulse {
			b.pulse(&secs[i])
		} else {
			b.peer(r, &secs[i], peers == 1)
		}
	}
	if len(secs) == 0 {
		return false
	}
	b.around(frame, text, secs)
	return true
}

// beside is the Notice of what is none: it says nothing, and tells that the record's other texts say what it is for.
var beside = &Notice{}

// around adds what a text holds outside its sections, each piece on lines of its own.
func (b *Builder) around(frame, text string, secs []record.Section) {
	n := len(b.arena)
	piece := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			return
		}
		if len(b.arena) > n {
			b.arena = append(b.arena, '\n')
		}
		b.arena = append(b.arena, s...)
	}
	piece(frame)
	at := 0
	for i := range secs {
		piece(text[at:secs[i].Start])
		at = secs[i].End
	}
	piece(text[at:])
	if len(b.arena) > n {
		b.add(Section{Text: b.since(n), Block: -1, Note: beside})
	}
}

// noticeOf reads a notification: what it says of itself, its text without the report, and the report.
func noticeOf(s *record.Section) (n *Notice, body, reply string) {
	body, reply = cutReply(s.Body)
	n = &Notice{Pulse: true, ToolUse: record.Tag(body, "tool-use-id"), HasReply: reply != ""}
	for _, id := range record.Tags(body, "task-id") {
		// The next start of a session closes the tasks that the last one left open, and says which kind they were.
		if kind, ok := strings.CutPrefix(id, "__orphan_summary"); ok {
			if kind, ok = strings.CutPrefix(kind, "__:"); ok && n.Orphan == "" {
				n.Orphan = excerpt.Fold(kind)
			}
			continue
		}
		n.TaskIDs = append(n.TaskIDs, excerpt.Fold(id))
	}
	return n, body, reply
}

// pulse renders a notification: [kind id, id status] summary, and below it the report when it carries one.
func (b *Builder) pulse(s *record.Section) {
	n, body, reply := noticeOf(s)
	summary := excerpt.Fold(record.Tag(body, "summary"))
	leaf, kind := label.Pulse(summary)
	text := "[" + kind + " " + firstOf(strings.Join(n.TaskIDs, ", "), "?") + " " +
		firstOf(excerpt.Fold(record.Tag(body, "status")), excerpt.Fold(record.Tag(body, "event")), "completed") + "]"
	if n.Orphan != "" {
		text += " (orphan reconciliation: " + n.Orphan + ")"
	}
	if summary != "" {
		text += " " + summary
	}
	if n.HasReply {
		if leaf == label.HarnessNotificationSubagent && len(n.TaskIDs) == 1 {
			n.From = n.TaskIDs[0] // a subagent's task has the subagent's id
		}
		b.add(Section{Labels: b.labels(leaf, label.AgentCommunicationInbox), Text: b.text(text + "\n" + reply), Block: -1, Note: n})
		return
	}
	b.add(Section{Labels: b.labels(leaf), Text: b.text(text), Block: -1, Note: n})
}

// cutReply takes what the task reported, which may quote any tag, out of a notification.
func cutReply(body string) (rest, reply string) {
	const open, shut = "<result>", "</result>"
	i, j := strings.Index(body, open), strings.LastIndex(body, shut)
	if i < 0 || j < i+len(open) {
		return body, ""
	}
	return body[:i] + body[j+len(shut):], strings.TrimSpace(body[i+len(open) : j])
}

// firstOf gives the first of the strings that is not empty.
func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// peer renders a message from a teammate, an agent or another session: its body without the tags. only says that no
// other message is in the record: then Claude Code has read name and body of another session's message out for us.
func (b *Builder) peer(r *record.Record, s *record.Section, only bool) {
	n := &Notice{From: firstOf(s.Attr("teammate_id"), s.Attr("from"))}
	body := s.Body
	if s.Tag == "cross-session-message" {
		n.From = firstOf(s.Attr("from-name"), n.From)
		if only {
			origin := r.Origin
			if r.Skimmed {
				origin = r.Raw.Get("origin")
			}
			n.From = firstOf(origin.Get("name").Str().String(), n.From)
			body = firstOf(strings.TrimSpace(origin.Get("body").Str().String()), body)
		}
	}
	leaf := label.AgentCommunicationInbox
	if s.Tag == "teammate-message" && signal(body) {
		leaf = label.AgentCommunicationSignal
	}
	b.add(Section{Labels: b.labels(leaf), Text: b.text(body), Block: -1, Note: n})
}

// signal reports whether a teammate's body is a control message: a JSON object with a type. Of requests and responses
// Claude Code explains some below the object (a shutdown_request at 2.1.332).
func signal(body string) bool {
	if !strings.HasPrefix(body, "{") {
		return false
	}
	p := jsonl.NewPull([]byte(body))
	p.Skip()
	var v record.Record
	if p.Err() || !record.Decode([]byte(body[:p.Pos()]), &v) || len(v.Type) == 0 {
		return false
	}
	if below := body[p.Pos():]; below != "" {
		kind := v.Type.String()
		return strings.HasPrefix(below, "\n") && (strings.HasSuffix(kind, "_request") || strings.HasSuffix(kind, "_response"))
	}
	return true
}
