package scan

import (
	"context"
	"slices"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
)

// reads reports whether the query looks at a record at all. What the client writes for itself, and what it put before the
// model without saying so, is left unread unless a -t reaches it: it would bury what was said.
func (q *Query) reads(r *record.Record) bool {
	switch string(r.Type) {
	case "user", "assistant":
		return true
	case "attachment":
		return q.readsAttachment(r)
	case "queue-operation":
		return q.Filter.Reads(label.UserQueued, false) || q.Filter.Reads(label.HarnessBookkeepingQueue, false)
	}
	leaf := lineLeaf(r)
	return leaf != label.None && q.Filter.Reads(leaf, false)
}

// lineLeaf gives the leaf of a record that its type decides, label.None for any other.
func lineLeaf(r *record.Record) (leaf label.Leaf) {
	switch {
	case r.Type.Is("system"):
		leaf, _ = label.System(r.Subtype.String())
	case jsonl.HasEscape(r.Type):
		leaf, _ = label.LineType(r.Type.String())
	default:
		leaf, _ = label.LineType(string(r.Type)) // a look-up without a copy: one line in three asks
	}
	return leaf
}

// readsLeaf reports whether the query looks for records of a leaf.
func (q *Query) readsLeaf(l label.Leaf) bool { return q.unread || q.Filter.Reads(l, q.Attachments) }

// blind reports whether records that the query leaves unread may match by help of words that do not stand on their lines,
// so that a first pass with a prefilter says nothing of them.
func (q *Query) blind() bool {
	all := section.Marks(q.Match.Touches, func(label.Leaf) bool { return true })
	return len(all) > len(section.Marks(q.Match.Touches, q.readsLeaf))
}

func (q *Query) readsAttachment(r *record.Record) bool {
	leaf, second := section.AttachmentLeaf(r)
	if leaf == label.None {
		return q.bare()
	}
	all := q.Attachments || q.Count == ByAttachment
	return q.Filter.ReadsPayload(leaf, all) || second != label.None && q.Filter.ReadsPayload(second, all)
}

// bare reports whether records count that no leaf names: where attachments are counted by their type, whatever it is.
func (q *Query) bare() bool { return q.Count == ByAttachment && len(q.Filter.Included()) == 0 }

// ShowsBeside reports whether a record is shown beside hits, whatever its label: one that the query reads, or would read
// if it asked for nothing by name.
func (q *Query) ShowsBeside(r *record.Record) bool {
	plain := Query{Attachments: q.Attachments}
	return q.reads(r) || plain.reads(r)
}

// UnreadLines are the matching records of a leaf that a query leaves unread; label.None: of those that no leaf names.
type UnreadLines struct {
	Leaf    label.Leaf
	Records int
	File    int // the first of them
	Line    int
}

// Unread counts what a query that found nothing would have found if it read every line: records that it does not look at
// and texts that no leaf names. res is the query's own answer.
func Unread(ctx context.Context, files []File, q *Query, res *Result) ([]UnreadLines, error) {
	every := res.matched || q.Filter.Any() // the first pass has not told
	var some []File
	var at []int
	for i := range files {
		if every || res.Files[i].unread > 0 {
			some, at = append(some, files[i]), append(at, i)
		}
	}
	if len(some) == 0 {
		return nil, nil
	}
	all := *q
	all.unread, all.Count, all.Exchanges, all.LinesOnly = true, byUnread, false, true
	got, err := Run(ctx, some, &all, nil)
	if err != nil {
		return nil, err
	}
	var out []UnreadLines
	for _, c := range got.Counts {
		leaf, _ := label.ByName(c.Key)
		u := UnreadLines{Leaf: leaf, Records: c.Records}
		for i := range got.Files {
			if line := got.Files[i].firsts[c.Key]; line > 0 {
				u.File, u.Line = at[i], line
				break
			}
		}
		out = append(out, u)
	}
	return out, nil
}

// counts reports whether the first pass should look for what the query leaves unread.
func (w *worker) counts() bool { return !w.q.Filter.Any() && !w.seen.Load() }

// overlooked gives the leaf under which a record holds the pattern that the query does not find it by; label.None for a
// text that no leaf names.
func (w *worker) overlooked(r *record.Record, ctx *section.Context) (leaf label.Leaf, ok bool) {
	read := w.q.reads(r)
	secs := w.sec.Sections(r, ctx)
	bare := false
	for i := range secs {
		s := &secs[i]
		switch {
		case len(s.Labels) == 0:
			bare = bare || w.match(s)
		case !read && w.match(s):
			return s.Labels[0], true
		case slices.Contains(s.Labels[1:], label.HarnessCommandInvocation) && w.wrapped(r):
			return label.HarnessCommandInvocation, true
		}
	}
	if bare || len(secs) > 0 || read {
		return label.None, bare || w.unmodeled(r)
	}
	if leaf := lineLeaf(r); leaf != label.None {
		return leaf, w.m.Empty()
	}
	if r.Type.Is("attachment") {
		if leaf, _ := section.AttachmentLeaf(r); leaf != label.None {
			return leaf, w.m.Empty()
		}
	}
	return label.None, w.m.Empty() || w.stands(r.Raw)
}

// wrapped reports whether the pattern stands in a slash command that is shown by its name and arguments alone.
func (w *worker) wrapped(r *record.Record) bool { return w.m.Match([]byte(r.UserText())) }

// unmodeled reports whether the pattern stands in what no section renders of a message.
func (w *worker) unmodeled(r *record.Record) bool {
	return slices.ContainsFunc(section.Unmodeled(r), w.stands)
}

func (w *worker) stands(v record.Raw) bool { return w.m.MatchRaw(v) || w.m.Match(v) }
