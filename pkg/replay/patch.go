package replay

import (
	"fmt"
	"slices"
	"strings"
)

// hunk is a Hunk made ready: its old and new lines apart.
type hunk struct {
	at             int // first old part; of none, the part before which the new ones go
	old, new       []string
	from           []int // for each new line the old one that it is, -1 for an added one
	oldEnd, newEnd bool  // the file ended without a newline behind the last line
	tabs           bool  // a line starts with a tab, so tabs were written as they are
}

// plan makes hunks ready. It is false when they do not add up: then they say nothing.
func plan(all []Hunk) ([]hunk, bool) {
	hs := make([]hunk, 0, len(all))
	delta, last := 0, 0
	for _, x := range all {
		h, ok := ready(x)
		if !ok {
			return nil, false
		}
		h.at = x.OldStart
		if len(h.old) == 0 {
			h.at = max(1, x.NewStart-delta)
		}
		if h.at < 1 || h.at <= last && len(hs) > 0 {
			return nil, false
		}
		last = h.at + len(h.old) - 1
		delta += len(h.new) - len(h.old)
		hs = append(hs, h)
	}
	for i, h := range hs {
		if i < len(hs)-1 && (h.oldEnd || h.newEnd) {
			return nil, false
		}
	}
	return hs, true
}

func ready(x Hunk) (h hunk, ok bool) {
	var mark byte
	for _, l := range x.Lines {
		if strings.HasPrefix(l, "\\") {
			h.oldEnd = h.oldEnd || mark == '-' || mark == ' '
			h.newEnd = h.newEnd || mark == '+' || mark == ' '
			continue
		}
		text := ""
		mark = ' ' // an empty line is an empty context line that lost its mark
		if l != "" {
			mark, text = l[0], l[1:]
		}
		if h.oldEnd && mark != '+' || h.newEnd && mark != '-' || strings.Contains(text, "\n") {
			return h, false // something behind the end of the file
		}
		h.tabs = h.tabs || strings.HasPrefix(text, "\t")
		switch mark {
		case ' ':
			h.from = append(h.from, len(h.old))
			h.old, h.new = append(h.old, text), append(h.new, text)
		case '-':
			h.old = append(h.old, text)
		case '+':
			h.from = append(h.from, -1)
			h.new = append(h.new, text)
		default:
			return h, false
		}
	}
	return h, len(h.old) == x.OldLines && len(h.new) == x.NewLines && len(h.old)+len(h.new) > 0
}

// fit is how a hunk stands to the buffer.
type fit uint8

const (
	fits     fit = iota
	inGap        // nothing is known of what it replaces
	contrary     // known lines are not what it shows
)

// check tries a hunk. line is where it is contrary, 0 for the end of the file.
func (b *Buffer) check(h *hunk) (f fit, line int) {
	last := h.at + len(h.old) - 1
	if b.tail != open && (last > b.n || h.at > b.n) || !b.endsWith(h, last) {
		return contrary, 0
	}
	known := 0
	for i, s := range h.old {
		text, ok := b.at(h.at + i)
		switch {
		case !ok:
		case h.tabs && !same(text, s), !h.tabs && !samePatched(text, s):
			return contrary, h.at + i
		default:
			known++
		}
	}
	if len(h.old) == 0 {
		_, before := b.at(h.at - 1)
		_, after := b.at(h.at)
		if before || after {
			known++
		}
	}
	if known == 0 {
		return inGap, 0
	}
	return fits, 0
}

// endsWith says that what h tells of the end of the old file, whose last line is last then, may be so.
func (b *Buffer) endsWith(h *hunk, last int) bool {
	switch {
	case h.oldEnd:
		return b.lastKnown() <= last && (b.tail == open || b.n == last)
	case h.newEnd: // a newline stood behind last
		rest, ok := b.at(last + 1)
		return b.lastKnown() <= last+1 && (!ok || rest == "") &&
			(b.tail == open || b.tail == atEnd && b.n == last+1 || b.tail == maybeNL && b.n == last)
	}
	return true
}

// patch applies hunks from the last to the first, so that each finds the lines at their old numbers.
func (p *player) patch(e *Event, hunks []hunk) {
	fit := make([]fit, len(hunks))
	bad := 0
	for i := range hunks {
		f, line := p.b.check(&hunks[i])
		if f == contrary {
			where := "at the end of the file"
			if line > 0 {
				where = atLine(line)
			}
			p.counts.unanchorable++
			p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, the patch of an edit shows other text than known %s)", where))
			p.seg.change(p.b, e, false)
			return
		}
		if fit[i] = f; f == inGap {
			bad = 1
		}
	}
	p.counts.unanchorable += bad
	cr := p.b.allCR()
	for i, h := range slices.Backward(hunks) {
		p.b.apply(&h, fit[i], e.Edits, cr)
	}
}

// apply puts the new lines of h, which is not contrary, in the place of the old ones. A line whose text the patch leaves in
// doubt becomes unknown.
func (b *Buffer) apply(h *hunk, f fit, edits []Replacement, cr bool) {
	last := h.at + len(h.old) - 1
	// A patch marks a last line without a newline. One that does not, though none is known there, leaves the question.
	unmarked := b.tail == atEnd && last == b.n && len(h.old) > 0 && !h.oldEnd && !h.newEnd
	texts, end := b.texts(h, f, edits, unmarked)
	var mid []run
	for i, t := range texts {
		if !t.known {
			mid = append(mid, gapOf(1))
			continue
		}
		s := t.text
		if cr && h.from[i] < 0 && !strings.HasSuffix(s, "\r") && !(h.newEnd && i == len(texts)-1) {
			s += "\r"
		}
		mid = append(mid, linesOf([]string{s}))
	}
	n := h.at + len(texts) - 1
	closed := h.oldEnd && !h.newEnd || unmarked && (end == withNewline || n == 0)
	if closed {
		mid, n = append(mid, linesOf([]string{""})), n+1 // now there is a final newline, or an empty file
	}
	b.replace(h.at, len(h.old), mid...)
	if h.oldEnd || h.newEnd || unmarked {
		b.end(n)
	}
	if unmarked && !closed && end == unsure {
		b.tail = maybeNL
	}
}

// newline says how the file ends after a hunk at the end of a file without a final newline that does not mark that.
type newline uint8

const (
	unsure newline = iota
	withNewline
	without
)

type line struct {
	text  string
	known bool
}

// texts gives the new lines of h as they are on disk, as far as that is certain.
//
// Claude Code makes its patches from copies in which each tab at a line's start is two spaces (its results do not say so),
// so an added line that starts with two spaces may start with a tab. The replacement's own strings tell: applied to
// the old lines they must give what the patch shows.
func (b *Buffer) texts(h *hunk, f fit, edits []Replacement, unmarked bool) (out []line, end newline) {
	out = make([]line, len(h.new))
	if f == inGap {
		return out, unsure
	}
	plain := h.tabs || b.noTabs(h, edits)
	var exact []string
	if !plain || unmarked {
		exact, end = b.substituted(h, edits, unmarked)
	}
	if k := len(h.new) - 1; unmarked && k >= 0 && h.from[k] >= 0 {
		end = without // the last line stays as it is
	}
	for i, s := range h.new {
		if j := h.from[i]; j >= 0 {
			if known, ok := b.at(h.at + j); ok {
				out[i] = line{known, true}
				continue
			}
		}
		switch {
		case exact != nil:
			out[i] = line{exact[i], true}
		case !strings.HasPrefix(s, "  "), h.tabs, plain && h.from[i] < 0:
			out[i] = line{s, true}
		}
	}
	return out, end
}

// noTabs says that no added line of h can have a tab at its start: the new strings have none, nor do the lines they go into.
func (b *Buffer) noTabs(h *hunk, edits []Replacement) bool {
	if len(edits) == 0 {
		return false
	}
	for _, r := range edits {
		if strings.Contains(r.New, "\t") {
			return false
		}
	}
	for i := range h.old {
		s, ok := b.at(h.at + i)
		if !ok && !slices.Contains(h.from, i) || strings.HasPrefix(s, "\t") {
			return false
		}
	}
	return true
}

// substituted gives the new lines of h by the replacement's strings, nil when they do not give what the patch shows.
func (b *Buffer) substituted(h *hunk, edits []Replacement, unmarked bool) ([]string, newline) {
	if len(edits) == 0 {
		return nil, unsure
	}
	var old strings.Builder
	for i := range h.old {
		s, ok := b.at(h.at + i)
		if !ok {
			return nil, unsure
		}
		old.WriteString(strings.TrimSuffix(s, "\r"))
		if i < len(h.old)-1 || !h.oldEnd && !unmarked {
			old.WriteByte('\n')
		}
	}
	for _, alone := range []bool{false, true} {
		text := old.String()
		for _, r := range edits {
			if r.Old != "" {
				text = r.apply(text, alone)
			}
		}
		got := strings.Split(text, "\n")
		end := without
		if n := len(got) - 1; got[n] == "" {
			got, end = got[:n], withNewline
		}
		if len(got) != len(h.new) || !unmarked && len(got) > 0 && (end == without) != h.newEnd {
			continue
		}
		if slices.EqualFunc(got, h.new, func(a, b string) bool { return a == b || untab(a) == b }) {
			return got, end
		}
	}
	return nil, unsure
}
