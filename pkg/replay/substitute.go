package replay

import "strings"

// substitute plays an edit whose result carries no patch: its strings are put where they fit what is known.
func (p *player) substitute(e *Event) {
	if len(e.Edits) == 0 {
		p.unplaced("an edit that states neither patch nor strings")
		return
	}
	bad, cr := 0, p.b.allCR()
	for i := range e.Edits {
		r := &e.Edits[i]
		placed, why := p.b.replaceString(r, cr)
		if why != "" {
			p.unplaced(why)
			return
		}
		if !placed {
			bad = 1
		}
	}
	p.counts.unanchorable += bad
}

// replaceString puts r.New in the place of r.Old. placed is false when the place is one of those not known: what could
// have moved or changed by it is dropped then. why is not "" when r does not fit a file that is all known. cr says that the
// lines of the file end in CRLF.
func (b *Buffer) replaceString(r *Replacement, cr bool) (placed bool, why string) {
	inLine := r.New != "" && !strings.Contains(r.Old, "\n") && !strings.Contains(r.New, "\n")
	if r.All {
		switch {
		case b.Complete():
			return b.replaceAll(r, cr)
		case inLine:
			b.unmap(0)
			return b.replaceInLines(r), ""
		case b.Empty():
			b.unmap(0)
			return false, ""
		}
		return false, "all occurrences were replaced, but not all of the file is known"
	}
	at, r := b.locate(r, 1, b.n)
	switch {
	case len(at) == 1 && b.overlapped(at[0], r.Old):
		b.keep(max(0, at[0].line-at[0].more-1))
		return false, ""
	case len(at) == 1:
		b.replaceAt(at[0], r, cr)
		return true, ""
	case len(at) > 1:
		return false, "the replaced text, which is unique in the file, is known at several places"
	case b.Complete():
		return false, "the replaced text is not in the file as it is known"
	case b.afloat && strings.TrimSpace(firstLine(r.Old)) == "":
		b.keep(0) // perhaps in the blank lines above
		b.afloat = false
		return false, ""
	case inLine && len(at) == 0:
		b.unmap(0)
		return false, "" // in a line that is not known, and nothing moved
	}
	b.behead(strings.Count(r.Old, "\n"))
	return false, ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// behead drops all that stands behind the first gap, and edge lines before it.
func (b *Buffer) behead(edge int) {
	head := 0
	for _, r := range b.runs {
		if r.lines == nil {
			break
		}
		head += r.n
	}
	b.keep(max(0, head-edge))
}

// keep drops all that stands behind part head.
func (b *Buffer) keep(head int) {
	b.unmap(head + 1)
	b.runs = b.runs[:b.cut(head)]
	b.n, b.tail = head, open
}

// unmap tells the log that the parts from from on, or all that are not known if that is 0, may have changed.
func (b *Buffer) unmap(from int) {
	const far = 1 << 40
	switch {
	case b.log == nil:
		return
	case from > 0:
		*b.log = append(*b.log, op{from, far, far})
		return
	}
	k := 1
	for _, r := range b.runs {
		if r.lines == nil {
			*b.log = append(*b.log, op{k, r.n, r.n})
		}
		k += r.n
	}
	if b.tail == open {
		*b.log = append(*b.log, op{k, far, far})
	}
}

// spot is an occurrence of a text: it begins at byte col of part line and covers more newlines.
type spot struct{ line, col, more int }

// locate gives the first two occurrences of r.Old that begin in parts from to to, and r as it is carried out: an empty
// new_string goes for the text with the newline behind it, if that is there, and be it one that overlaps another.
func (b *Buffer) locate(r *Replacement, from, to int) ([]spot, *Replacement) {
	at := b.occurrences(r.Old, from, to)
	if len(at) == 1 && r.New == "" && !strings.HasSuffix(r.Old, "\n") {
		if with := b.occurrences(r.Old+"\n", from, to); len(with) > 0 {
			return with[:1], &Replacement{Old: r.Old + "\n"}
		}
	}
	return at, r
}

// occurrences gives the first two occurrences of old in known text that begin in parts from to to. They do not overlap.
func (b *Buffer) occurrences(old string, from, to int) []spot {
	const most = 2
	pieces := strings.Split(old, "\n")
	first, more := pieces[0], len(pieces)-1
	var out []spot
	k, line, col := 1, 0, 0 // the next occurrence begins behind line, col
	for _, r := range b.runs {
		for i := max(0, from-k); i < len(r.lines) && len(out) < most && k+i <= to; i++ {
			s, here, begin := r.lines[i], k+i, 0
			if here < line {
				continue
			} else if here == line {
				begin = col
			}
			if more > 0 {
				at := len(strings.TrimSuffix(s, "\r")) - len(first)
				if at >= begin && strings.HasPrefix(s[at:], first) && b.goesOn(here, pieces) {
					out = append(out, spot{here, at, more})
					line, col = here+more, len(pieces[more])
				}
				continue
			}
			for at := strings.Index(s[begin:], old); at >= 0 && len(out) < most; at = strings.Index(s[begin:], old) {
				out = append(out, spot{here, begin + at, 0})
				begin += at + len(old)
			}
		}
		if k += r.n; k > to || len(out) == most {
			break
		}
	}
	return out
}

// overlapped says that old, found at a spot, may also stand across it, where lines are not known: then that one may be meant.
func (b *Buffer) overlapped(at spot, old string) bool {
	overlaps := false
	for n := 1; n < len(old) && !overlaps; n++ {
		overlaps = at.more > 0 && strings.HasPrefix(old, old[n:])
	}
	for k := max(1, at.line-at.more); overlaps && k <= at.line+2*at.more; k++ {
		if _, ok := b.at(k); !ok && (k <= b.n || b.tail != atEnd) {
			return true
		}
	}
	return false
}

// goesOn says that the parts behind k are the pieces behind the first.
func (b *Buffer) goesOn(k int, pieces []string) bool {
	last := len(pieces) - 1
	for i := 1; i <= last; i++ {
		s, ok := b.at(k + i)
		if !ok || i < last && strings.TrimSuffix(s, "\r") != pieces[i] || i == last && !strings.HasPrefix(s, pieces[i]) {
			return false
		}
	}
	return true
}

// replaceAt replaces one occurrence.
func (b *Buffer) replaceAt(at spot, r *Replacement, cr bool) {
	first, _ := b.at(at.line)
	last, _ := b.at(at.line + at.more)
	end := len(r.Old) - strings.LastIndexByte(r.Old, '\n') - 1
	if at.more == 0 {
		end += at.col
	}
	prefix, suffix := first[:at.col], last[end:]
	count := at.more + 1
	if r.New == "" && !strings.HasSuffix(r.Old, "\n") && strings.TrimSuffix(suffix, "\r") == "" {
		// The newline behind goes, too, if there is one.
		next := at.line + count
		switch {
		case next <= b.n && prefix == "":
			b.replace(at.line, count)
			return
		case next <= b.n:
			joined, ok := b.at(next)
			mid := gapOf(1)
			if ok {
				mid = linesOf([]string{prefix + joined})
			}
			b.replace(at.line, count+1, mid)
			return
		case b.tail != atEnd:
			b.keep(at.line - 1) // what joins the line is not known, nor whether something does
			return
		}
	}
	parts := strings.Split(r.New, "\n")
	parts[0] = prefix + parts[0]
	for i := range parts[:len(parts)-1] {
		if cr && !strings.HasSuffix(parts[i], "\r") {
			parts[i] += "\r"
		}
	}
	parts[len(parts)-1] += suffix
	b.replace(at.line, count, linesOf(parts))
}

// replaceAll replaces every occurrence in a file that is all known.
func (b *Buffer) replaceAll(r *Replacement, cr bool) (bool, string) {
	if cr {
		stated := b.stated
		b.plain()
		b.stated = stated
	}
	text := string(b.join())
	if !strings.Contains(text, r.Old) {
		return false, "the replaced text is not in the file as it is known"
	}
	parts := strings.Split(r.apply(text, false), "\n")
	if cr {
		for i := range parts[:len(parts)-1] {
			parts[i] += "\r"
		}
	}
	if b.log != nil {
		*b.log = append(*b.log, op{1, b.n, len(parts)})
	}
	b.setParts(parts, atEnd)
	return true, ""
}

// replaceInLines replaces inside the known lines: nothing moves.
func (b *Buffer) replaceInLines(r *Replacement) (placed bool) {
	k := 1
	for i, x := range b.runs {
		var lines []string
		for j, s := range x.lines {
			if !strings.Contains(s, r.Old) {
				continue
			}
			if lines == nil {
				lines = append(lines, x.lines...)
			}
			lines[j] = strings.ReplaceAll(s, r.Old, r.New)
			if b.log != nil {
				*b.log = append(*b.log, op{k + j, 1, 1})
			}
			placed = true
		}
		if lines != nil {
			b.runs[i] = linesOf(lines)
		}
		k += x.n
	}
	return placed
}
