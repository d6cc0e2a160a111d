package recover

import (
	"fmt"
	"strings"
)

// coverageRow is the row of --coverage.
func (j *recoverJob) coverageRow(s *story) *coverageRow {
	v := viewOf(s.res.Buffer, j.ask.lines)
	r := &coverageRow{Kind: "coverage", Ref: s.ref(s.about()), File: s.file, Fragments: s.res.Fragments(), Hard: s.res.Hard(), Soft: s.res.Soft(), Events: map[string]int{},
		Boundaries: objectsOf(s.res.Boundaries), Covered: v.covered, Recoverable: v.known, Seen: v.seen, Abandoned: s.res.Abandoned, unknowns: j.unknownsOf(s)}
	for _, c := range s.res.Counts() {
		r.Events[c.Key] = c.N
	}
	return r
}

func (j *recoverJob) coverageText(b []byte, s *story) []byte {
	v := viewOf(s.res.Buffer, j.ask.lines)
	of := "?"
	if v.seen != nil {
		of = fmt.Sprint(*v.seen)
	}
	words := fmt.Sprintf("recoverable %d/%s lines  covered %s", v.known, of, spans(v.covered))
	if len(v.gaps) > 0 {
		words += "  missing " + spans(v.gaps)
	}
	b = j.rowLine(b, s, s.token(j.set.PrefixLen), words+j.lane(s))
	b = append(b, "  events"...)
	sep := "  "
	for _, c := range s.res.Counts() {
		if c.N > 0 {
			b = fmt.Appendf(b, "%s%s %d", sep, strings.ReplaceAll(c.Key, "_", "-"), c.N)
			sep = " · "
		}
	}
	if sep == "  " {
		b = append(b, "  none"...)
	}
	b = fmt.Appendf(b, "\n  fragments %d\n", s.res.Fragments())
	b = j.boundariesText(b, s, "  ")
	b = s.richerText(b, "  ", j)
	b = s.openText(b, "  ")
	return j.accountText(b, s, "  ")
}
