package replay

import (
	"fmt"
	"strings"
)

// shown is what a read says: parts from a part on, and what it says about the end of the file.
type shown struct {
	from  int
	parts []string
	total int // parts of the whole file, 0 not said
	whole bool
	bare  bool // blanks behind the last part were cut off
}

// is says that a known part may be what stands at i.
func (v *shown) is(i int, known string) bool {
	s := v.parts[i]
	return same(known, s) || v.bare && i == len(v.parts)-1 && strings.TrimRight(known, " \t\r") == strings.TrimRight(s, " \t\r")
}

// view reads the numbers of a Read as Claude Code counts. why is not "" when they show nothing that can be used.
func view(e *Event) (v shown, why string) {
	if !e.HasText {
		return v, "no text"
	}
	if e.Text == "" && e.Count <= 0 && e.Total <= 0 {
		return shown{from: 1, parts: []string{""}, total: 1, whole: true}, "" // a file of no bytes
	}
	if e.Text == "" && e.Count > 0 {
		return v, fmt.Sprintf("no text where %s counted", wereLines(e.Count))
	}
	v = shown{from: max(e.Start, 1), total: max(e.Total, 0)}
	if e.Text == "" {
		return v, "" // asked behind the end: only the total
	}
	v.parts = strings.Split(e.Text, "\n")
	n := len(v.parts)
	count := e.Count
	if count <= 0 {
		count = n
	}
	last := v.from + count - 1
	switch {
	case e.Cut:
		v.parts = v.parts[:min(n, count)]
		if n < count || count == e.Total {
			v.parts = v.parts[:len(v.parts)-1] // the cap cut the last line
		}
	case n == count:
		v.whole = v.from == 1 && count == e.Total
	case n == count+1 && v.parts[n-1] == "":
		// Counted without the empty rest behind a final newline: the text ends the last line that it shows.
		if last == e.Total {
			v.total, v.whole = e.Total+1, v.from == 1
			break
		}
		v.parts, v.total = v.parts[:count], 0
	default:
		return v, fmt.Sprintf("%s of text where %s counted", plural(n, "line"), wereLines(e.Count))
	}
	if v.total > 0 && v.from+len(v.parts)-1 > v.total {
		return v, fmt.Sprintf("lines up to %d of a file of %d", last, e.Total)
	}
	return v, ""
}

func wereLines(n int) string {
	if n == 1 {
		return "1 line was"
	}
	return fmt.Sprintf("%d lines were", n)
}

func (p *player) read(e *Event) {
	v, why := view(e)
	if why != "" {
		p.counts.blanked++
		if e.Detail != "" {
			why = e.Detail
		}
		p.boundary(CauseBlankedRead, true, why)
		return
	}
	label := "read-window"
	if v.whole {
		p.counts.readFull++
		label = "read"
	} else {
		p.counts.readWindowed++
	}
	p.show(e, v, label)
}

// show lays what was read over the buffer. Where it contradicts what is known, the file changed unseen: of a window's
// surroundings nothing is certain any more, so they go.
func (p *player) show(e *Event, v shown, label string) {
	if !p.doubt && p.settleView(v) == adrift {
		if len(v.parts) == 0 {
			return // a length alone does not tell where they stand
		}
		p.clear() // what a command printed cannot be put beside it
	}
	line, differs := p.b.against(v)
	switch {
	case differs && v.whole:
		if !p.b.Empty() {
			p.clear()
		}
	case differs && p.doubt:
		p.lost(p.Boundaries[len(p.Boundaries)-1]) // a command that may have done it is on record
		p.clear()
	case differs:
		p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, a read shows other text than known %s)", atLine(line)))
	}
	p.lay(v)
	if v.whole || p.b.anchor == "" {
		p.b.anchor = label
	}
	if v.whole {
		p.sight()
	}
	p.seg.reveal(p.b, e, v.from, v.from+len(v.parts)-1)
}

func atLine(line int) string {
	if line == 0 {
		return "about its length"
	}
	return fmt.Sprintf("at line %d", line)
}

// against says whether v contradicts what is known, and at which line; 0 is the length.
func (b *Buffer) against(v shown) (line int, differs bool) {
	last := v.from + len(v.parts) - 1
	if v.total > 0 && (b.tail == atEnd && v.total != b.n || b.lastKnown() > v.total) || b.tail == atEnd && last > b.n {
		return 0, true
	}
	for i, s := range v.parts {
		known, ok := b.at(v.from + i)
		if ok && !v.is(i, known) || b.tail == blankRest && v.from+i > b.n && strings.TrimSpace(s) != "" {
			return v.from + i, true
		}
	}
	return 0, false
}

// lastKnown is the last known part, 0 when there is none.
func (b *Buffer) lastKnown() int {
	k := b.n
	for i := len(b.runs) - 1; i >= 0 && b.runs[i].lines == nil; i-- {
		k -= b.runs[i].n
	}
	return k
}

// lay puts the parts of v, which contradict nothing, into the buffer. Known parts stay as they are: a read shows no
// carriage returns, so it cannot tell more about them.
func (p *player) lay(v shown) {
	b := p.b
	fresh := b.Count() == 0
	cr := b.allCR() && !p.doubt && !anyCR(v.parts)
	exact := b.stated && !p.doubt && (cr || !b.anyCR())
	last := v.from + len(v.parts) - 1
	end := max(v.total, b.n, last) // a newline follows every part before it, and perhaps one follows it
	exact = exact && !(cr && v.total == 0 && b.tail == open && last >= b.n)
	if len(v.parts) > 0 {
		if b.tail == blankRest && last > b.n {
			b.tail = open
		}
		b.reach(last)
		parts := make([]string, len(v.parts))
		for i, s := range v.parts {
			if known, ok := b.at(v.from + i); ok && (!p.doubt || !same(known, s) && v.is(i, known)) {
				parts[i] = known
				continue
			}
			if cr && v.from+i < end {
				s += "\r"
			}
			parts[i] = s
		}
		b.put(v.from, len(parts), linesOf(parts))
	}
	if v.total > 0 && !(b.tail == blankRest && v.total == b.n+1) {
		b.end(v.total)
	}
	b.stated = exact && !fresh
}

func (b *Buffer) anyCR() bool {
	_, cr := b.endings()
	return cr > 0
}

func anyCR(parts []string) bool {
	for _, s := range parts {
		if strings.HasSuffix(s, "\r") {
			return true
		}
	}
	return false
}

// manyBlank is how many lines a printed window must fall short for the file to end there: fewer may be blank ones.
const manyBlank = 8

// shellRead takes what a command printed of the file. Claude Code cuts blank lines off both ends of what a command prints,
// and blanks off its last line (seen at 1.0.128 to 2.1.332), so that a text shorter than what was asked for does not say
// where it begins.
func (p *player) shellRead(e *Event) {
	parts := strings.Split(e.Text, "\n")
	start := max(e.Start, 1)
	asked := e.Count
	seen, known := p.b.Seen()
	if known && !p.doubt && !p.b.afloat && (asked == 0 || start+asked-1 > seen) {
		asked = max(seen-start+1, 0) // no more to print than that
	}
	whole := start == 1 && e.Count == 0 && !e.Cut
	switch {
	case e.Cut:
		p.beginning(e, parts)
		return
	case whole && known && !p.doubt && p.b.Whole() && p.b.prints(parts):
		p.counts.bashRead++ // as known, and more is known
		p.sight()
		p.seg.reveal(p.b, e, 1, 0)
		return
	case strings.TrimSpace(e.Text) == "":
		p.counts.note("bash_read_unplaced")
		return
	case len(parts) == asked && !whole:
		v := shown{from: start, parts: parts, bare: true}
		if line, differs := p.b.against(v); differs && asked != e.Count {
			// Where it begins was told by the length of the file, and that is not what was known.
			p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, a command printed other text than known %s)", atLine(line)))
			p.counts.note("bash_read_unplaced")
			return
		}
	case e.Count > 0 && len(parts) > e.Count:
		p.counts.note("bash_read_unplaced")
		return
	case start > 1:
		p.counts.note("bash_read_unplaced")
		return
	case p.b.blank(1) && p.b.n > 1 && !p.doubt:
		p.belowBlank(e, parts, whole)
		return
	case !whole && e.Count-len(parts) < manyBlank:
		p.beginning(e, parts) // the last lines asked for may be blank ones, or the file may end
		return
	default:
		p.counts.bashRead++
		p.printed(e, parts)
		return
	}
	p.counts.bashRead++
	p.show(e, shown{from: start, parts: parts, bare: true}, label(e, "bash-cat"))
}

// beginning takes what a command printed of the file from some line on, without all that it was asked for. Its first line is
// the first one that is not blank: where that is known, so is the place of the others.
func (p *player) beginning(e *Event, parts []string) {
	v := shown{from: max(e.Start, 1), parts: parts, bare: !e.Cut}
	first, known := p.b.at(v.from)
	line, differs := p.b.against(v)
	switch {
	case p.doubt || p.b.afloat || !known || strings.TrimSpace(first) == "":
	case differs:
		p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, a command printed other text than known %s)", atLine(line)))
	default:
		p.counts.bashRead++
		p.show(e, v, label(e, "bash-cat"))
		return
	}
	p.counts.note("bash_read_unplaced")
}

// belowBlank takes what a command printed of a file that is known to start with blank lines, which were not printed.
func (p *player) belowBlank(e *Event, parts []string, whole bool) {
	first := 1
	for p.b.blank(first) {
		first++
	}
	v := shown{from: first, parts: parts, bare: true}
	_, known := p.b.at(first)
	switch line, differs := p.b.against(v); {
	case known && !differs:
		p.counts.bashRead++
		p.show(e, v, label(e, "bash-cat"))
		return
	case whole && differs:
		p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, a command printed other text than known %s)", atLine(line)))
	}
	p.counts.note("bash_read_unplaced")
}

// printed takes a text that is the whole file but for blank lines at its end.
func (p *player) printed(e *Event, parts []string) {
	v := shown{from: 1, parts: parts, bare: true}
	if _, differs := p.b.against(v); differs || p.b.lastKnown() > len(parts) {
		p.clear()
	}
	afloat := p.b.afloat || !p.b.agrees(v)
	p.lay(v)
	p.b.afloat = afloat
	if _, ok := p.b.at(p.b.n); p.b.tail == atEnd && !ok && (p.b.n == len(parts)+1 || afloat) {
		p.b.end(len(parts))
		p.b.tail = blankRest
	}
	if p.b.tail == open {
		p.b.end(len(parts))
		p.b.tail = blankRest
	}
	p.b.anchor = label(e, "bash-cat")
	p.sight()
	p.seg.reveal(p.b, e, 1, len(parts))
}

// blank says that a line is known to be blank.
func (b *Buffer) blank(k int) bool {
	s, ok := b.at(k)
	return ok && strings.TrimSpace(s) == ""
}

// prints says that a command which prints the whole file would show parts.
func (b *Buffer) prints(parts []string) bool {
	from, to := 1, b.n
	for from <= to && b.blank(from) {
		from++
	}
	for to >= from && b.blank(to) {
		to--
	}
	if from > to {
		return len(parts) == 1 && parts[0] == ""
	}
	if to-from+1 != len(parts) {
		return false
	}
	for i, s := range parts {
		known, _ := b.at(from + i)
		if i == len(parts)-1 {
			known, s = strings.TrimRight(known, " \t\r"), strings.TrimRight(s, " \t\r")
		}
		if !same(known, s) {
			return false
		}
	}
	return true
}

func label(e *Event, fallback string) string {
	if e.Label != "" {
		return e.Label
	}
	return fallback
}
