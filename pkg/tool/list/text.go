package list

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// answer is what list found.
type answer struct {
	env       *cli.Env
	set       *target.Set
	sessions  []*session
	dropped   int  // sessions beyond the cap
	guarded   bool // the cap is the one nobody asked for
	retention      // of the transcripts in scope
}

func (a *answer) skipped() (n int) {
	for _, s := range a.sessions {
		n += s.skipped
	}
	return n
}

// partly reports whether any file has a middle that was not read.
func (a *answer) partly() bool {
	for _, s := range a.sessions {
		if s.partly {
			return true
		}
	}
	return false
}

// orphans counts the sessions of which only subagents are left.
func (a *answer) orphans() int {
	gone := map[string]bool{}
	for i := range a.set.Transcripts {
		if t := &a.set.Transcripts[i]; t.ParentMissing && t.ParentID != "" {
			gone[t.ParentID] = true
		}
	}
	return len(gone)
}

// format appends the row of a session.
func (a *answer) format(b []byte, s *session) []byte {
	switch {
	case a.env.Format != stdio.JSON:
		return a.text(b, s)
	case a.env.Slow:
		b = row.Append(b, s.row())
	default:
		b = s.row().appendRow(b)
	}
	return append(b, '\n')
}

// batch is how many rows are made at a time.
const batch = 32

func (a *answer) print(ctx context.Context) error {
	rows := row.NewWriter(a.env.Out)
	if a.env.Format == stdio.JSON {
		if err := rows.Write(scope.HeaderOf("list", a.set)); err != nil {
			return err
		}
	} else if _, err := io.WriteString(a.env.Banner, a.set.Banner()); err != nil {
		return err
	}
	n := (len(a.sessions) + batch - 1) / batch
	err := scan.Ordered(ctx, n, a.workers(), func(_, i int, buf []byte) ([]byte, error) {
		for _, s := range a.sessions[i*batch : min((i+1)*batch, len(a.sessions))] {
			buf = a.format(buf, s)
		}
		return buf, nil
	}, func(b []byte) error {
		_, err := a.env.Out.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	if a.env.Format != stdio.JSON {
		a.footer()
		return nil
	}
	sum := summaryRow{
		Kind: row.SummaryKind, Sessions: len(a.sessions), DroppedByCap: a.dropped,
		Skipped: a.skipped(), Unreadable: a.env.UnreadFiles(), OrphanGroups: a.orphans(),
	}
	if r := a.retention; r.days > 0 {
		sum.Expired, sum.RetentionDays, sum.RetentionFrom = &r.expired, &r.days, scope.OrNull(r.from)
	} else {
		sum.RetentionFrom = scope.OrNull(r.from)
	}
	return rows.Write(sum)
}

// indent is where the values of a row start.
const indent = "           "

// text appends the row of a session: a line with its address, the rest indented.
func (a *answer) text(b []byte, s *session) []byte {
	line := func(name, format string, v ...any) {
		b = append(appendName(b, name), excerpt.SafeLine(fmt.Sprintf(format, v...))...)
		b = append(b, '\n')
	}
	b = append(b, excerpt.SafeLine(s.Token(a.set.PrefixLen))...)
	switch {
	case !s.IsSubagent:
		b = fmt.Appendf(b, " SESSION  %s\n", excerpt.SafeLine(s.ID))
	case s.ParentID == "":
		b = fmt.Appendf(b, " SUBAGENT %s  ·  its session is not known\n", excerpt.SafeLine(s.ID))
	default:
		gone := ""
		if s.ParentMissing {
			gone = " (its transcript is missing)"
		}
		b = fmt.Appendf(b, " SUBAGENT %s  ·  parent SESSION %s%s\n", excerpt.SafeLine(s.ID), excerpt.SafeLine(s.ParentID), gone)
	}
	if text, source, _ := s.title(); source != "" && (source != firstPrompt || !s.first.said) {
		if source == firstPrompt {
			line("prompt", "%s", text)
		} else {
			line("title", "%s   (%s)", text, source)
		}
	}
	line("cwd", "%s%s", orDash(s.cwd), s.about())
	if !s.IsSubagent || s.first.said || s.last.said {
		b = appendSaid(b, "first ◂", &s.first)
		b = appendSaid(b, "last ◂", &s.last)
	}
	b = appendSaid(b, "last ▸", &s.agent)
	a.origins(s, line)
	if len(s.AlsoAt) > 0 {
		line("copies", "%s: also at %s", s.Relation, strings.Join(s.AlsoAt, ", "))
	}
	if len(s.side.Pending) > 0 {
		line("pending", "%s · %s", sidecarWords(&s.side), transcript.SidecarNote)
	}
	if s.skipped > 0 {
		line("damage", "%s skipped", scope.Count(s.skipped, "malformed line"))
	}
	return b
}

// about gives branch, version and entrypoint in parentheses; the first two with both
// their values when they changed.
func (s *session) about() string {
	var parts []string
	if v := change(s.branch, s.branchEnd); v != "" {
		parts = append(parts, "branch "+v)
	}
	if v := change(s.version, s.versionEnd); v != "" {
		parts = append(parts, "CC "+v)
	}
	if s.entrypoint != "" {
		parts = append(parts, s.entrypoint)
	}
	if parts == nil {
		return ""
	}
	return "   (" + strings.Join(parts, ", ") + ")"
}

func change(first, last string) string {
	if first == last || first == "" {
		return last
	}
	return first + "->" + last
}

// appendName appends the name of a value, as wide as all of them.
func appendName(b []byte, name string) []byte {
	b = append(append(b, "  "...), name...)
	for n := utf8.RuneCountInString(name); n < 9; n++ {
		b = append(b, ' ')
	}
	return b
}

func appendSaid(b []byte, name string, m *message) []byte {
	b = appendName(b, name)
	if !m.said {
		return append(b, when.Absent+"\n"...)
	}
	b = when.AppendText(b, m.time(), false)
	b = append(b, "\n"+indent...)
	b = excerpt.AppendSafeLine(b, []byte(m.excerpt))
	return append(b, '\n')
}

func orDash(s string) string {
	if s == "" {
		return when.Absent
	}
	return s
}

// footer says what the rows do not: what a cap left out, and damage.
func (a *answer) footer() {
	w := a.env.Banner
	if len(a.sessions) == 0 {
		a.env.Nothing(row.NoSessions)
	}
	if a.dropped > 0 {
		why := "--max-count"
		if a.guarded {
			why = "the guard of this list"
		}
		fmt.Fprintf(w, "+%s, less recently active, left out by %s · all of them: %s\n",
			scope.Count(a.dropped, "session"), why, a.env.Again("--max-count", "0"))
	}
	if n := a.skipped(); n > 0 {
		rest := ""
		if a.partly() {
			rest = "; only the first and last lines of long files were read, a search reads and counts them all: " +
				a.env.Command("search", "-c", "", "@all")
		}
		fmt.Fprintf(w, "%s skipped%s\n", scope.Count(n, "malformed line"), rest)
	}
	if n := a.orphans(); n > 0 {
		fmt.Fprintf(w, "%s of which only subagents are left\n", scope.Count(n, "session"))
	}
	if note := a.retention.words(); note != "" && a.set.TopLevel > 0 {
		fmt.Fprintln(w, excerpt.SafeLine(note))
	}
	if words := scope.Unread(a.env); words != "" {
		fmt.Fprintln(w, words)
	}
}

func progressLine(done, all int) string { return fmt.Sprintf("%d of %d sessions read", done, all) }
