package list

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"csift/pkg/excerpt"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

func (a *statsAnswer) text(t *total) error {
	if _, err := io.WriteString(a.env.Banner, a.set.Banner()+a.set.CopiesLine()); err != nil {
		return err
	}
	var b []byte
	for _, acc := range a.accounts {
		b = acc.block(b[:0], a.set.PrefixLen)
		if _, err := a.env.Out.Write(b); err != nil {
			return err
		}
	}
	if len(a.accounts) == 0 {
		if err := a.env.Nothing(row.NoTranscripts); err != nil {
			return err
		}
	}
	if _, err := a.env.Banner.Write(a.footer(t.block(b[:0], len(a.accounts)), t)); err != nil {
		return err
	}
	return nil
}

// block appends what is known of a transcript: a line with its address, the rest indented.
func (a *account) block(b []byte, prefix int) []byte {
	b = append(b, excerpt.SafeLine(a.Token(prefix))...)
	switch {
	case !a.IsSubagent:
		b = fmt.Appendf(b, " SESSION  %s\n", excerpt.SafeLine(a.ID))
	case a.ParentID == "":
		b = fmt.Appendf(b, " SUBAGENT %s  ·  its session is not known\n", excerpt.SafeLine(a.ID))
	default:
		gone := ""
		if a.ParentMissing {
			gone = " (its transcript is missing)"
		}
		b = fmt.Appendf(b, " SUBAGENT %s  ·  parent SESSION %s%s\n", excerpt.SafeLine(a.ID), excerpt.SafeLine(a.ParentID), gone)
	}
	return a.rest(a.bill.text(a.head(b), "tokens"))
}

// block appends the total of several transcripts.
func (t *total) block(b []byte, transcripts int) []byte {
	if transcripts < 2 {
		return b
	}
	b = fmt.Appendf(b, "TOTAL  %s\n", scope.Count(transcripts, "transcript"))
	b = t.bill.text(t.head(b), "tokens")
	if t.shared > 0 {
		b = appendFact(b, "shared", scope.Count(t.shared, "answer")+" in more than one transcript; each counted once:")
		b = t.byMessage.text(b, "")
	}
	return t.rest(b)
}

func (a *account) head(b []byte) []byte {
	span := when.Absent
	if !a.first.at.IsZero() {
		span = fmt.Sprintf("%s -> %s  (%s)", when.Text(a.first.at, false), when.Text(a.last.at, false), when.Length(a.last.at.Sub(a.first.at)))
	}
	b = appendFact(b, "span", span)
	return appendFact(b, "records", fmt.Sprintf("lines %d · user %d · assistant %d · turns %d · compactions %d",
		a.lines, a.users, a.assistants, a.turns, a.compactions))
}

func (a *account) rest(b []byte) []byte {
	var thinking []string
	if a.narration.total() > 0 {
		thinking = append(thinking, "narration "+a.narration.text())
	}
	if a.unknownTags > 0 {
		thinking = append(thinking, "unknown tags "+fmt.Sprint(a.unknownTags))
	}
	for _, f := range [...]struct{ name, text string }{
		{"thinking", strings.Join(thinking, " · ")},
		{"tools", a.tools.text()},
		{"types", a.types.text()},
		{"chain", chainText(&a.lost)},
		{"damage", numbers("skipped lines", a.skipped, "blank lines", a.blank, "joined records", a.joined)},
	} {
		if f.text != "" {
			b = appendFact(b, f.name, f.text)
		}
	}
	return b
}

// numbers spells names and numbers, "" when all are 0.
func numbers(pairs ...any) string {
	var out []string
	some := false
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, fmt.Sprintf("%s %d", pairs[i], pairs[i+1]))
		some = some || pairs[i+1] != 0
	}
	if !some {
		return ""
	}
	return strings.Join(out, " · ")
}

// text appends a line for each model that used anything, the one that used most first.
func (b *bill) text(dst []byte, name string) []byte {
	order := make([]int, len(b.models))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(b.used[y].all(), b.used[x].all()), cmp.Compare(b.models[x], b.models[y]))
	})
	for _, i := range order {
		if t := &b.used[i]; t.all() > 0 {
			dst = appendFact(dst, name, b.models[i]+"  "+t.text(b.open[i]))
			name = ""
		}
	}
	return dst
}

// text spells the numbers; open says that the output is at least so much.
func (t *tokens) text(open bool) string {
	least := ""
	if open {
		least = "≥"
	}
	s := fmt.Sprintf("in %d · out %s%d · cache read %d · cache write %d", t.Input, least, t.Output, t.CacheRead, t.CacheCreation)
	if t.CacheCreation5m > 0 || t.CacheCreation1h > 0 {
		s += fmt.Sprintf(" (5m %d · 1h %d)", t.CacheCreation5m, t.CacheCreation1h)
	}
	return s
}

func appendFact(b []byte, name, text string) []byte {
	return fmt.Appendf(b, "  %-9s%s\n", name, excerpt.SafeLine(text))
}

// footer appends what the blocks do not say.
func (a *statsAnswer) footer(b []byte, t *total) []byte {
	if a.outside > 0 {
		b = fmt.Appendf(b, "%s without a record in the window\n", scope.Count(a.outside, "transcript"))
	}
	if t.skipped > 0 {
		b = fmt.Appendf(b, "%s skipped\n", scope.Count(t.skipped, "malformed line"))
	}
	if a.dropped > 0 {
		b = fmt.Appendf(b, "+%s, less recently active, left out by --max-count · all of them: %s\n",
			scope.Count(a.dropped, "transcript"), a.env.Command("stats", a.again...))
	}
	if words := scope.Unread(a.env); words != "" {
		b = append(b, words+"\n"...)
	}
	return b
}
