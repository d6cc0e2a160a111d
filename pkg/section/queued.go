package section

import (
	"strings"

	"csift/pkg/label"
	"csift/pkg/record"
)

// queued gives the text of a queue-operation line: what a person typed while the model was at work, or the whole line where
// the harness lined something up. Without context a text may be the prompt of a schedule, and both are given.
func (b *Builder) queued(r *record.Record, ctx *Context) {
	t := strings.TrimSpace(r.Content.String())
	if t == "" || len(record.Sections(t)) > 0 || record.IsStoppedNotice(t) || ctx.Rider != nil && ctx.Rider(t) {
		b.keeping(r, label.HarnessBookkeepingQueue)
		return
	}
	b.add(Section{Labels: b.labels(label.UserQueued), Raw: r.Content, Block: -1, Loose: true})
	if ctx.Rider == nil {
		b.keeping(r, label.HarnessBookkeepingQueue)
		b.out[len(b.out)-1].Loose = true
	}
}
