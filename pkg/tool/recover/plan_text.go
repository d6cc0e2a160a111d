package recover

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/home"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/target"
	"csift/pkg/when"
)

// address gives the address of a line of a transcript.
func (a *planAnswer) address(t *target.Transcript, line int) string {
	return addr.Line(excerpt.SafeLine(t.Token(a.set.PrefixLen)), line)
}

// text prints the block of one binding, under the address of the record that says so.
func (a *planAnswer) text(kind string, p *planned, b *planBinding) []byte {
	word := "PLAN"
	if kind == historyKind {
		word = "EARLIER PLAN"
	}
	out := a.heading(b.t, b.Line, word, b.File)
	line := func(name, format string, v ...any) {
		out = fmt.Appendf(out, "    %-10s%s\n", name, excerpt.SafeLine(fmt.Sprintf(format, v...)))
	}
	line(laneWord(b.t), "%s", laneOf(b.t))
	source := b.Source()
	if b.By != source && b.By != bySlug {
		source += " (" + b.By + ")"
	}
	source += fmt.Sprintf(" · L%d", b.Line)
	if b.Minted {
		source += ", minted at a compaction"
	}
	line("bound by", "%s%s", source, instant(b.Stamp))
	if b.Slug != "" {
		line("slug", "%s", b.Slug)
	}
	if kind != historyKind {
		for _, f := range a.facts(p, b) {
			line("note", "%s", f)
		}
	}
	return out
}

// heading gives the line at column 0: the record, what it is about, and the file, as readers of text take it.
func (a *planAnswer) heading(t *target.Transcript, line int, word, file string) []byte {
	return fmt.Appendf(nil, "%s  %s %s%s\n", a.address(t, line), word, presence(file), row.FileText(file))
}

func presence(file string) string {
	if planExists(file) {
		return "[exists]"
	}
	return "[missing]"
}

func laneWord(t *target.Transcript) string {
	if t.IsSubagent {
		return "subagent"
	}
	return "session"
}

func laneOf(t *target.Transcript) string {
	switch {
	case !t.IsSubagent:
		return t.ID
	case t.ParentID == "":
		return t.ID + " · parent not known"
	}
	return t.ID + " · parent " + t.ParentID
}

func instant(stamp string) string {
	if t, ok := when.Stamp(stamp); ok {
		return " · " + when.Text(t, false)
	}
	return ""
}

// facts are what else is known of a binding and worth a look.
func (a *planAnswer) facts(p *planned, b *planBinding) (all []string) {
	add := func(format string, v ...any) { all = append(all, fmt.Sprintf(format, v...)) }
	if b.From != "" && b.From != b.t.ID {
		add("the record was copied from session %s when it was branched", b.From)
	}
	if !planExists(b.File) {
		if other := filepath.Join(a.dirs.root, "plans", baseOf(b.File)); !home.SamePath(other, b.File) && planExists(other) {
			add("a file of that name lies in %s", filepath.Dir(other))
		}
	}
	if marks := p.notes.Slugs; len(marks) > 1 {
		var changes []string
		for _, m := range marks[1:] {
			changes = append(changes, fmt.Sprintf("%s from L%d", m.Slug, m.Line))
		}
		add("the slug changed: %s at L%d, then %s", marks[0].Slug, marks[0].Line, few(changes, ", "))
	}
	if born, ok := planBorn(b.File); ok {
		if first, named := firstNamed(p.notes, b); named && born.Before(first.Add(-time.Second)) {
			add("the file is older than its name here: made %s, first named %s", when.Text(born, false), when.Text(first, false))
		}
	}
	if n := len(p.notes.Odd); n > 0 {
		var at []string
		for _, o := range p.notes.Odd {
			at = append(at, fmt.Sprintf("L%d", o.Line))
		}
		add("%s a plan file that is no path: %s", scope.Plural(n, "record states", "records state"), few(at, ", "))
	}
	return all
}

// firstNamed gives the instant of the first record that names the file, by its path or by its slug.
func firstNamed(n *planNotes, b *planBinding) (first time.Time, ok bool) {
	take := func(stamp string) {
		if t, is := when.Stamp(stamp); is && (!ok || t.Before(first)) {
			first, ok = t, true
		}
	}
	for i := range n.Said {
		if home.SamePath(n.Said[i].Path, b.File) {
			take(n.Said[i].Stamp)
		}
	}
	for _, m := range n.Slugs {
		if name := strings.TrimSuffix(baseOf(b.File), ".md"); m.Slug == name || strings.HasPrefix(name, m.Slug+"-agent-") {
			take(m.Stamp)
		}
	}
	return first, ok
}

// mostTold is how many of a kind a note spells before it counts the rest.
const mostTold = 8

// few joins texts, or the first of them and how many there are more.
func few(all []string, sep string) string {
	if len(all) <= mostTold {
		return strings.Join(all, sep)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(all[:mostTold], sep), sep, len(all)-mostTold)
}

// tellDamage notes the lines of a transcript that may state a plan file and cannot be read.
func (a *planAnswer) tellDamage(p *planned) {
	if len(p.notes.Damaged) == 0 {
		return
	}
	lines := slices.Compact(slices.Clone(p.notes.Damaged))
	var at []string
	for _, n := range lines {
		at = append(at, a.address(p.t, n))
	}
	a.env.Note("%s damaged and may state a plan file: %s", scope.Plural(len(lines), "line is", "lines are"), few(at, ", "))
}

// tellBare notes what transcripts without a binding have of plans all the same.
func (a *planAnswer) tellBare(bare []*planned) {
	var shows, odd []string
	for _, p := range bare {
		if p.notes.Text != nil {
			shows = append(shows, a.address(p.t, p.notes.Text.Line)+" ("+p.notes.TextBy+")")
		}
		if n := len(p.notes.Odd); n > 0 {
			odd = append(odd, a.address(p.t, p.notes.Odd[n-1].Line))
		}
	}
	if len(shows) > 0 {
		a.env.Note("%s the text of a plan and bound to no file: %s", scope.Plural(len(shows), "transcript has", "transcripts have"), few(shows, ", "))
	}
	if len(odd) > 0 {
		a.env.Note("%s a plan file that is no path: %s", scope.Plural(len(odd), "transcript states", "transcripts state"), few(odd, ", "))
	}
}

// earlier gives the first of two instants.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
