package replay

import (
	"fmt"
	"strings"
)

func (p *player) edit(e *Event) {
	p.counts.edit++
	if e.Stale {
		p.counts.stale++
		p.boundary(CauseStaleRecovered, true, e.Detail)
	}
	if len(e.Edits) > 0 && e.Edits[0].Old == "" {
		p.create(e)
		return
	}
	if e.HasOriginal {
		p.original(e)
	}
	if lines, cr := p.b.endings(); cr > 0 && cr < lines {
		p.b.plain() // Claude Code gives the whole file one kind of ending when it edits it
	}
	p.seg.change(p.b, e, false)
	hunks, ok := plan(e.Hunks)
	if ok && len(hunks) > 0 {
		p.patch(e, hunks)
	} else {
		p.substitute(e)
	}
	p.wrote(e)
}

// create plays an edit with an empty old_string, which Claude Code admits for a file that is new or blank: new_string is the
// file, and a MultiEdit goes on from there.
func (p *player) create(e *Event) {
	text := e.Edits[0].New
	for _, r := range e.Edits[1:] {
		if r.Old == "" && strings.TrimSpace(text) == "" {
			text = r.New
			continue
		}
		if r.Old == "" || !strings.Contains(text, r.Old) {
			p.seg.change(p.b, e, false)
			p.unplaced("a later replacement does not fit the new file")
			p.wrote(e)
			return
		}
		text = r.apply(text, false)
	}
	p.seg.change(p.b, e, e.Create || !e.HasOriginal || e.Original == "")
	p.whole(text, "edit")
	p.wrote(e)
}

// apply replaces as Claude Code does: an empty new_string takes the newline behind what it deletes with it, unless alone.
func (r Replacement) apply(text string, alone bool) string {
	old := r.Old
	if r.New == "" && !alone && !strings.HasSuffix(old, "\n") && strings.Contains(text, old+"\n") {
		old += "\n"
	}
	if r.All {
		return strings.ReplaceAll(text, old, r.New)
	}
	return strings.Replace(text, old, r.New, 1)
}

// unplaced is the end of what is known: the session changed the file at a place that does not fit it.
func (p *player) unplaced(why string) {
	p.counts.unanchorable++
	if p.b.Empty() {
		p.b.unmap(0)
		return
	}
	p.hard(CauseEditUnplaced, why)
}

// original compares what the record says the file was with what is known of it. Lines that it disproves go, those that it
// confirms stay; it never adds one, since a long original may be cut short.
func (p *player) original(e *Event) {
	p.settleText(e.Original)
	line, total := p.b.compare(e.Original)
	if line == 0 && total == 0 {
		if p.b.tail != open && p.b.gapless() {
			p.sight()
		}
		return
	}
	detail := fmt.Sprintf("the original has other text at line %d", line)
	if line == 0 {
		n, _ := p.b.Seen()
		detail = fmt.Sprintf("the original has another length than the %s known", plural(n, "line"))
	}
	b := Boundary{At: e.At, Cause: CauseOriginal, Authoritative: true, Detail: detail}
	p.lost(b)
	p.add(b)
	p.b.keepOnly(e.Original)
	p.doubt = false
	p.seg.begin(p.b)
}

// compare gives the first known part that differs from text, 0 when none does, and a total that is not 0 when the number of
// parts differs.
func (b *Buffer) compare(text string) (line, total int) {
	n := strings.Count(text, "\n") + 1
	rest, k := text, 1
	for _, r := range b.runs {
		for i := range r.n {
			if k > n {
				break
			}
			var s string
			s, rest, _ = strings.Cut(rest, "\n")
			if r.lines != nil && line == 0 && !same(r.lines[i], s) {
				line = k
			}
			k++
		}
	}
	switch {
	case b.tail == atEnd && n != b.n, b.lastKnown() > n, b.tail == blankRest && strings.TrimSpace(rest) != "":
		total = n
	}
	return line, total
}

// keepOnly drops the known parts that text does not have at their places.
func (b *Buffer) keepOnly(text string) {
	parts := strings.Split(text, "\n")
	if b.tail == blankRest || b.tail == atEnd && len(parts) != b.n {
		b.tail = open
	}
	var runs []run
	k := 1
	for _, r := range b.runs {
		if r.lines == nil {
			runs, k = add(runs, r), k+r.n
			continue
		}
		from := 0
		for i, s := range r.lines {
			// A carriage return belongs to a newline, and behind the last part is none.
			if k+i > len(parts) || !same(s, parts[k+i-1]) || k+i == len(parts) && s != parts[k+i-1] {
				runs = add(add(runs, linesOf(r.lines[from:i:i])), gapOf(1))
				from = i + 1
			}
		}
		runs, k = add(runs, linesOf(r.lines[from:])), k+r.n
	}
	b.runs = runs
	if b.tail == open {
		b.trim()
	}
}

// trim takes away the gap at an open end: it says nothing.
func (b *Buffer) trim() {
	if i := len(b.runs) - 1; i >= 0 && b.runs[i].lines == nil {
		b.n -= b.runs[i].n
		b.runs = b.runs[:i]
	}
}

// plain takes the carriage returns away.
func (b *Buffer) plain() {
	for i, r := range b.runs {
		if r.cr == 0 {
			continue
		}
		lines := make([]string, len(r.lines))
		for j, s := range r.lines {
			lines[j] = strings.TrimSuffix(s, "\r")
		}
		b.runs[i] = linesOf(lines)
	}
	b.stated = false
}

// same says that a line of the buffer is what a record shows, which may be without carriage return and byte order mark.
func same(known, shown string) bool {
	if known == shown {
		return true
	}
	const bom = "\ufeff"
	known, shown = strings.TrimPrefix(known, bom), strings.TrimPrefix(shown, bom)
	return strings.TrimSuffix(known, "\r") == strings.TrimSuffix(shown, "\r")
}

// samePatched is same for the lines of a patch, in which Claude Code may write two spaces for each tab at a line's start.
func samePatched(known, shown string) bool {
	return same(known, shown) || known != "" && (known[0] == '\t' || strings.HasPrefix(known, "\ufeff")) && same(untab(known), shown)
}

// untab writes two spaces for each tab at the start.
func untab(s string) string {
	n := len(s) - len(strings.TrimLeft(s, "\t"))
	return strings.Repeat("  ", n) + s[n:]
}
