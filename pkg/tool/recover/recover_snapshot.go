package recover

import "fmt"

// snapshotRow is the row of --salvage and --at.
func (j *recoverJob) snapshotRow(s *story, done *wrote) *snapshotRow {
	v := viewOf(s.res.Buffer, j.ask.lines)
	r := &snapshotRow{Kind: "snapshot", Ref: s.ref(s.about()), File: s.file, Lines: v.list(), Gaps: v.gaps, Seen: v.seen,
		Boundaries: objectsOf(s.res.Boundaries), Abandoned: s.res.Abandoned, unknowns: j.unknownsOf(s), Wrote: done}
	if last := s.res.Last; last != nil {
		r.Line, r.source = &last.Line, sourceOf(last)
		r.Ref = s.ref(s.part(last.Session))
	}
	return r
}

// snapshotText appends the known lines, numbered; with --out they went there.
func (j *recoverJob) snapshotText(b []byte, s *story, done *wrote) []byte {
	v := viewOf(s.res.Buffer, j.ask.lines)
	address := s.token(j.set.PrefixLen)
	if s.res.Last != nil {
		address = j.address(s, s.res.Last)
	}
	b = j.rowLine(b, s, address, fmt.Sprintf("%s  ·  %s%s", j.ask.at.words(), v.words(), j.lane(s)))
	if done == nil {
		v.each(func(n int, text string) {
			b = fmt.Appendf(b, "    %6d  ", n)
			b = append(appendExcerpt(b, trimCR(text)), '\n')
		}, func(g [2]int) { b = append(b, "    "+gapText(g)+"\n"...) })
	}
	if v.known > 0 && !v.buf.Placed() {
		b = append(b, "  "+notPlaced+"\n"...)
	}
	if v.known == 0 && !v.beyond {
		b = append(b, "  nothing of the file is known "+j.ask.at.words()+"\n"...)
	}
	b = wroteText(b, done)
	b = s.richerText(b, "  ", j)
	b = j.boundariesText(b, s, "  ")
	b = s.openText(b, "  ")
	return j.accountText(b, s, "  ")
}

// richerText says where the file was known better.
func (s *story) richerText(b []byte, indent string, j *recoverJob) []byte {
	r := s.res.Richer
	if r == nil {
		return b
	}
	return fmt.Appendf(b, "%s%s\n", indent, j.recipe(s, r))
}

func trimCR(s string) string {
	if n := len(s); n > 0 && s[n-1] == '\r' {
		return s[:n-1]
	}
	return s
}
