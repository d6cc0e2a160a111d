package section

import (
	"strings"

	"csift/pkg/label"
	"csift/pkg/record"
)

// queued gives the text of a queue-operation line: what a person typed while the model was at work, or what the harness
// lined up.
func (b *Builder) queued(r *record.Record, ctx *Context) {
	if r.Content == nil || blank(r.Content) {
		b.keeping(r, label.HarnessBookkeepingQueue)
		return
	}
	leaf := label.UserQueued
	text := r.Content.String()
	if t := strings.TrimSpace(text); len(record.Sections(t)) > 0 || record.IsStoppedNotice(t) || ctx.Rider != nil && ctx.Rider(t) {
		leaf = label.HarnessBookkeepingQueue
	}
	b.add(Section{Labels: b.labels(leaf), Raw: r.Content, Block: -1, Loose: leaf == label.UserQueued})
}
