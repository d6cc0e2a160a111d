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
	if len(h.new) == 0 {
		h.oldEnd = false // the mark may be for the new file, which is empty: jsdiff 5 writes it there
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
	if b.tail == atEnd && (last > b.n || h.at > b.n) || !b.endsWith(h, last) {
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
		return b.lastKnown() <= last && (b.tail != atEnd || b.n == last)
	case h.newEnd: // a newline stood behind last
		rest, ok := b.at(last + 1)
		return b.lastKnown() <= last+1 && (!ok || rest == "") &&
			(b.tail != atEnd || b.n == last+1)
	}
	return true
}

// patch applies hunks from the last to the first, so that each finds the lines at their old numbers.
func (p *player) patch(e *Event, hunks []hunk) {
	if p.settleHunks(hunks) == adrift {
		// Where the lines stand is not known, so neither is what became of them.
		p.clear()
		p.seg.change(p.b, e, false)
	}
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
	if bad == 0 && p.b.byStrings(e.Edits, hunks) {
		return
	}
	cr := p.b.allCR()
	for i, h := range slices.Backward(hunks) {
		p.b.apply(&h, fit[i], e.Edits, cr)
	}
}

// byStrings applies an edit by its strings where the patch leaves something in doubt, and says whether that worked.
//
// Claude Code makes its patches from copies in which each tab at a line's start is two spaces (its results do not say
// so). So a line that starts with two spaces may start with a tab, and where lines differ in nothing else, the patch may
// name the wrong one. What was replaced is unique in the file, though, and can be found; the patch then is a proof.
func (b *Buffer) byStrings(edits []Replacement, hunks []hunk) bool {
	sure := true
	for i := range hunks {
		sure = sure && b.sure(&hunks[i], edits) && !b.unmarked(&hunks[i])
	}
	if sure || len(edits) == 0 {
		return false
	}
	// Near the patch first: an occurrence there is the one that is unique in the file.
	last := hunks[len(hunks)-1]
	for _, far := range []bool{false, true} {
		from, to := hunks[0].at-10, last.at+len(last.old)+10
		if far {
			from, to = 1, b.n
		}
		after, ok := b.strings(edits, from, to)
		if !ok || !b.proves(after, hunks) {
			continue
		}
		if b.log != nil {
			*b.log = append(*b.log, *after.log...)
		}
		after.log = b.log
		*b = *after
		return true
	}
	return false
}

// strings applies replacements to a copy of b. Single ones are looked for in parts from to to.
func (b *Buffer) strings(edits []Replacement, from, to int) (after *Buffer, ok bool) {
	cr := b.allCR()
	after = b.clone()
	after.log = new([]op)
	for i := range edits {
		r, was := &edits[i], after.n
		if r.All {
			if !b.Complete() {
				return nil, false
			}
			if ok, _ := after.replaceAll(r, cr); !ok {
				return nil, false
			}
		} else {
			var at []spot
			at, r = after.locate(r, from, to)
			if len(at) != 1 || after.overlapped(at[0], r.Old) {
				return nil, false
			}
			after.replaceAt(at[0], r, cr)
		}
		to += after.n - was
	}
	return after, true
}

// proves says that the patch leads from b to after.
func (b *Buffer) proves(after *Buffer, hunks []hunk) bool {
	delta, slack := 0, 0
	for i := range hunks {
		h := &hunks[i]
		for j, s := range h.new {
			if text, ok := after.at(h.at + delta + j); ok && !same(text, s) && !samePatched(text, s) {
				return false
			}
		}
		delta += len(h.new) - len(h.old)
		switch {
		case b.unmarked(h):
			slack = 1
		case h.oldEnd && !h.newEnd:
			delta++
		case h.newEnd && !h.oldEnd:
			delta--
		}
	}
	d := after.n - b.n - delta
	return after.tail == b.tail && -slack <= d && d <= slack
}

// unmarked says that h covers a last line that is known to have no newline, and does not mark that.
func (b *Buffer) unmarked(h *hunk) bool {
	return b.tail == atEnd && h.at+len(h.old)-1 == b.n && len(h.old) > 0 && !h.oldEnd && !h.newEnd
}

// sure says that no line of h can start with a tab where it shows two spaces.
func (b *Buffer) sure(h *hunk, edits []Replacement) bool {
	if h.tabs {
		return true
	}
	for _, r := range edits {
		if strings.Contains(r.Old, "\t") || strings.Contains(r.New, "\t") {
			return false
		}
	}
	for i := range h.old {
		s, ok := b.at(h.at + i)
		if !ok && !slices.Contains(h.from, i) || strings.Contains(s, "\t") {
			return false
		}
	}
	return len(edits) > 0
}

// apply puts the new lines of h, which is not contrary, in the place of the old ones. A line whose text the patch leaves in
// doubt becomes unknown.
func (b *Buffer) apply(h *hunk, f fit, edits []Replacement, cr bool) {
	unmarked, sure := b.unmarked(h), b.sure(h, edits)
	var mid []run
	for i, s := range h.new {
		doubt := f == inGap || !sure && strings.HasPrefix(s, "  ")
		if j := h.from[i]; j >= 0 && !doubt {
			known, ok := b.at(h.at + j)
			// A line that is only context was never in the strings, so they do not tell about its tabs.
			if doubt = !ok && !h.tabs && strings.HasPrefix(s, "  "); ok {
				s = known
			}
		}
		if doubt {
			mid = append(mid, gapOf(1))
			continue
		}
		if cr && !strings.HasSuffix(s, "\r") && !(h.newEnd && i == len(h.new)-1) {
			s += "\r"
		}
		mid = append(mid, linesOf([]string{s}))
	}
	last, n := h.at+len(h.old)-1, h.at+len(h.new)-1
	closed := h.oldEnd && !h.newEnd || unmarked && n == 0
	if closed {
		mid, n = append(mid, linesOf([]string{""})), n+1 // now there is a final newline, or an empty file
	}
	if b.tail == blankRest && (last > b.n || h.at > b.n) {
		b.tail = open
	}
	b.replace(h.at, len(h.old), mid...)
	if h.oldEnd || h.newEnd || unmarked {
		b.end(n)
	}
	if k := len(h.new) - 1; unmarked && !closed && (k < 0 || h.from[k] < 0) {
		b.tail = blankRest // no telling how the new last line ends
	}
}
