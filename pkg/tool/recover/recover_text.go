package recover

import (
	"fmt"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// excerptChars is how much of a line text shows.
const excerptChars = 400

// appendExcerpt appends text for people: cut, and safe for a terminal. Tabs stay, it may be code.
func appendExcerpt(b []byte, text string) []byte {
	return excerpt.AppendSafe(b, []byte(excerpt.At(text, excerptChars, -1, -1).Text))
}

// rowLine appends a line at column 0: the address that a row of JSON would name, what there is to say, and the file, where
// the next tool of a pipe finds it.
func (j *recoverJob) rowLine(b []byte, s *story, address, words string) []byte {
	b = append(b, excerpt.SafeLine(address)...)
	b = append(b, "  "+words...)
	return append(append(b, row.FileText(s.file)...), '\n')
}

// lane says what else a reader should know of where a story is from.
func (j *recoverJob) lane(s *story) string {
	switch about := s.about(); {
	case len(s.parts) > 1:
		return fmt.Sprintf("  ·  %d transcripts merged by time", len(s.parts))
	case about.IsSubagent && about.ParentID != "":
		return "  ·  subagent of " + excerpt.SafeLine(addr.Short(about.ParentID, j.set.PrefixLen))
	}
	return ""
}

// address gives the address of a record.
func (j *recoverJob) address(s *story, p *replay.Place) string {
	return addr.Line(s.part(p.Session).Token(j.set.PrefixLen), p.SourceLine)
}

// appendPlace appends the address of a record, its turn and its instant.
func (j *recoverJob) appendPlace(b []byte, s *story, p *replay.Place) []byte {
	b = append(b, excerpt.SafeLine(j.address(s, p))...)
	b = append(b, "  "...)
	b = append(b, turnSlot(p)...)
	b = append(b, "  "...)
	return append(b, when.Text(p.Time, false)...)
}

// turnSlot spells the turn of a record, or the branch that it was abandoned with.
func turnSlot(p *replay.Place) string {
	switch {
	case p.AbandonedRoot != nil:
		return fmt.Sprintf("abandoned (root L%d)", *p.AbandonedRoot)
	case p.Survival == "abandoned":
		return "abandoned"
	case p.Turn == nil:
		return when.Absent
	case p.Survival == "pre-cut":
		return fmt.Sprintf("t%d [pre-cut]", *p.Turn)
	}
	return fmt.Sprintf("t%d", *p.Turn)
}

// sign is the mark of a boundary: ⚠ for what Claude Code said, ~ for what was concluded from a command.
func sign(b *replay.Boundary) string {
	if b.Authoritative {
		return "⚠"
	}
	return "~"
}

// appendBoundary appends a boundary.
func (j *recoverJob) appendBoundary(b []byte, s *story, x *replay.Boundary) []byte {
	b = j.appendPlace(append(b, sign(x)+" "...), s, &x.At)
	return append(b, "  "+s.causeWords(x)+"\n"...)
}

// causeWords says what a boundary is, and in a merged history its line there.
func (s *story) causeWords(x *replay.Boundary) string {
	w := x.Cause
	if s.merged {
		w += fmt.Sprintf(" (line %d of the merged history)", x.At.Line)
	}
	if x.Detail != "" {
		w += "  " + string(appendExcerpt(nil, excerpt.Fold(x.Detail)))
	}
	return w
}

// shownBoundaries is how many boundaries an answer names that is not about them.
const shownBoundaries = 20

// boundariesText appends the boundaries as a block, nothing where there are none.
func (j *recoverJob) boundariesText(b []byte, s *story, indent string) []byte {
	hard, soft := s.res.Hard(), s.res.Soft()
	if hard+soft == 0 {
		return b
	}
	b = fmt.Appendf(b, "%sboundaries %d (%d hard · %d soft)\n", indent, hard+soft, hard, soft)
	all, left := s.res.Boundaries, 0
	if j.ask.mode != modeCoverage && len(all) > shownBoundaries {
		left = len(all) - shownBoundaries
		all = all[left:]
		b = fmt.Appendf(b, "%s  %d earlier ones: %s\n", indent, left, j.again(s, "--coverage"))
	}
	for i := range all {
		b = j.appendBoundary(append(b, indent+"  "...), s, &all[i])
	}
	return b
}

// openText says what of a history may be doubted: what the conversation went on without, and calls that nothing answers.
func (s *story) openText(b []byte, indent string) []byte {
	if n := s.unanswered(); n > 0 {
		b = fmt.Appendf(b, "%s%s no result here: whether it was done is not known\n", indent, scope.Plural(n, "call to change it has", "calls to change it have"))
	}
	if n := s.undated(); n > 0 {
		b = fmt.Appendf(b, "%s%s no time: where among those of the other transcripts %s is not known\n", indent, scope.Plural(n, "change has", "changes have"), verbs(n, "it belongs", "they belong"))
	}
	if s.res.Abandoned == 0 {
		return b
	}
	return fmt.Appendf(b, "%s%s done on branches that the conversation went on without, and done to the file all the same\n", indent, scope.Count(s.res.Abandoned, "event"))
}

// undated counts the changes of a merged history that no time puts into its order.
func (s *story) undated() (n int) {
	for i := range s.events {
		switch e := &s.events[i]; {
		case !s.merged || !e.At.Time.IsZero():
		case e.Kind == replay.Write, e.Kind == replay.Edit, e.Kind == replay.ShellWrite, e.Kind == replay.ShellAppend, e.Kind == replay.Mutation:
			n++
		}
	}
	return n
}

// unanswered counts the calls of file tools that would change the file and have no result.
func (s *story) unanswered() int { return s.res.Count(fileops.NoResult) }

// spans spells ranges of lines.
func spans(r [][2]int) string {
	if len(r) == 0 {
		return "none"
	}
	var out []string
	for _, x := range r {
		if x[0] == x[1] {
			out = append(out, fmt.Sprint(x[0]))
		} else {
			out = append(out, fmt.Sprintf("%d..%d", x[0], x[1]))
		}
	}
	return strings.Join(out, ", ")
}

// gapText spells a gap as text and files show it; one without an end is open.
func gapText(g [2]int) string {
	if g[1] == 0 {
		return fmt.Sprintf("??? lines %d.. unknown", g[0])
	}
	return fmt.Sprintf("??? lines %d..%d unknown", g[0], g[1])
}
