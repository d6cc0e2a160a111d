package recover

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// printText prints a heading for each transcript and its rows below it. What a row says of a file ends with the file, behind
// a mark that the next tool knows.
func (j *filesJob) printText() error {
	j.banners()
	if len(j.touched) == 0 {
		err := j.env.Nothing(row.NoChanges)
		j.footer(j.summary())
		return err
	}
	j.many = j.summary().Files > mostFiles
	for _, u := range j.touched {
		if _, err := j.env.Out.Write(j.group(u)); err != nil {
			return err
		}
	}
	j.footer(j.summary())
	return nil
}

// group is all that is told of one transcript.
func (j *filesJob) group(u *touched) []byte {
	token := excerpt.SafeLine(u.Token(j.set.PrefixLen))
	b := append([]byte(token), " "+row.FilesWord...)
	switch {
	case u.IsSubagent && u.ParentID != "":
		b = fmt.Appendf(b, "  SUBAGENT %s · parent %s", excerpt.SafeLine(u.ID), excerpt.SafeLine(addr.Short(u.ParentID, j.set.PrefixLen)))
		if u.ParentMissing {
			b = append(b, ", whose transcript is missing"...)
		}
	case u.IsSubagent:
		b = fmt.Appendf(b, "  SUBAGENT %s", excerpt.SafeLine(u.ID))
	default:
		b = fmt.Appendf(b, "  SESSION %s", excerpt.SafeLine(u.ID))
	}
	b = append(b, '\n')
	indent := "" // of boundaries: what is below rolled-up rows is a body, elsewhere each line has its address
	if j.opt.By == byTimeline {
		for _, m := range timeline(u) {
			b = j.mutationLine(b, token, &m)
		}
	} else {
		_, key := level(j.opt.By)
		list := rolled(u, key)
		var files map[string][]*tally
		if len(list) > 0 {
			indent = "  "
		}
		if j.opt.By == "" && !j.many {
			files = below(u)
		}
		b = j.tallyLines(b, token, list, files)
	}
	if len(u.boundaries) > 0 {
		b = append(b, "  Edit-before-Read boundaries\n"...)
		for i := range u.boundaries {
			x := &u.boundaries[i]
			b = fmt.Appendf(b, "%s%s  ⚠ %s  %s  %s%s\n", indent, addr.Line(token, x.At.SourceLine), when.Text(x.At.Time, false), turnSlot(&x.At), x.Cause,
				row.FileText(x.Path))
		}
	}
	return append(b, '\n')
}

// tallyLines appends rolled-up rows: files with an address of their own, directories below the heading, each with the
// files that are given for it.
func (j *filesJob) tallyLines(b []byte, token string, list []*tally, files map[string][]*tally) []byte {
	const most = 60 // what is longer than that does not push the others aside
	var wide, wordsWide, pathWide int
	fit := func(w *int, s string) {
		if n := utf8.RuneCountInString(s); n <= most {
			*w = max(*w, n)
		}
	}
	for _, t := range list {
		fit(&wide, scope.Count(t.total(), "op"))
		fit(&wordsWide, t.words())
		fit(&pathWide, t.path)
	}
	for _, t := range list {
		ops := fmt.Sprintf("%*s  %s", wide, scope.Count(t.total(), "op"), t.words())
		if j.opt.By == byFile {
			ops = fmt.Sprintf("%*s  %-*s", wide, scope.Count(t.total(), "op"), wordsWide, t.words())
			b = fmt.Appendf(b, "%s  %s%s\n", token, ops, row.FileText(t.path))
			continue
		}
		b = fmt.Appendf(b, "  %-*s  %s\n", pathWide, excerpt.SafeLine(t.path), ops)
		for _, f := range files[fileops.PathKey(t.path)] {
			b = fmt.Appendf(b, "%s  %s%s\n", token, f.words(), row.FileText(f.path))
		}
	}
	return b
}

// mostFiles is how many files the text of an answer without --by names.
const mostFiles = 50

// words spells what a tally is made of.
func (t *tally) words() string {
	var out []string
	add := func(n int, word, behind string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%s %d%s", word, n, behind))
		}
	}
	var how []string // of the commands
	if len(t.files) == 1 {
		how = append(how, t.verbs...)
	}
	if t.heuristic {
		how = append(how, "heuristic")
	}
	guess := ""
	if len(how) > 0 {
		guess = " (" + strings.Join(how, ", ") + ")"
	}
	made := ""
	if t.created > 0 && len(t.files) == 1 {
		made = " (created)"
	} else if t.created > 0 {
		made = fmt.Sprintf(" (%d created)", t.created)
	}
	add(t.write, "write", made)
	add(t.edit, "edit", "")
	add(t.multiEdit, "multi_edit", "")
	add(t.notebookEdit, "notebook_edit", "")
	add(t.bash, "bash", guess)
	add(t.outside, "external_write", "")
	s := strings.Join(out, " · ")
	if t.abandoned > 0 {
		s += fmt.Sprintf("  (%d from abandoned branches)", t.abandoned)
	}
	return s
}

func (j *filesJob) mutationLine(b []byte, token string, m *fileops.Mutation) []byte {
	b = fmt.Appendf(b, "%s  %s  %s  %s", addr.Line(token, m.At.SourceLine), when.Text(m.At.Time, false), turnSlot(&m.At), m.Op)
	var facts []string
	if m.Create {
		facts = append(facts, "create")
	}
	if m.Verb != "" && !m.Marker {
		facts = append(facts, m.Verb)
	}
	if m.Heuristic {
		facts = append(facts, "heuristic")
	}
	if m.Resolution != "" {
		facts = append(facts, m.Resolution)
	}
	if m.Verbatim != "" && !strings.HasSuffix(m.Path, "/"+m.Verbatim) {
		facts = append(facts, "typed "+m.Verbatim)
	}
	if m.Detail != "" {
		facts = append(facts, m.Detail)
	}
	if len(facts) > 0 {
		b = append(b, " ("+excerpt.SafeLine(strings.Join(facts, ", "))+")"...)
	}
	if m.Errored {
		b = append(b, " [command failed]"...)
	}
	if m.At.Survival == "abandoned" {
		b = append(b, " [abandoned]"...)
	}
	return append(b, row.FileText(m.Path)+"\n"...)
}

// footer says what the answer comes to, and what the reader has to know about it.
func (j *filesJob) footer(s filesSummary) {
	w := j.env.Banner
	if s.Mutations+s.Boundaries > 0 {
		fmt.Fprintf(w, "%s · %s · %s · detail=%s", scope.Count(s.Files, "distinct file"), scope.Count(s.Mutations, "mutation"), boundariesOf(s.Boundaries), s.Level)
		if j.opt.Turn != "" {
			fmt.Fprintf(w, " · turn=%s", j.opt.Turn)
		}
		fmt.Fprintln(w)
	}
	if j.many && j.opt.By == "" {
		fmt.Fprintf(w, "each of the %s: %s\n", scope.Count(s.Files, "file"), j.env.Again("--by", byFile))
	}
	if j.guessed() {
		fmt.Fprintln(w, "bash rows are read from the words of the commands (heuristic): what they really did, and what they changed without naming it, is not known")
	}
	if s.Skipped > 0 {
		fmt.Fprintln(w, scope.Count(s.Skipped, "malformed line")+" skipped")
	}
	if words := scope.Unread(j.env); words != "" {
		fmt.Fprintln(w, words)
	}
	for _, line := range j.chain.Crossings() {
		fmt.Fprintln(w, line)
	}
}

func boundariesOf(n int) string {
	if n == 1 {
		return "1 edit-before-read boundary"
	}
	return fmt.Sprintf("%d edit-before-read boundaries", n)
}

// guessed reports whether any row was read from the words of a command.
func (j *filesJob) guessed() bool {
	for _, u := range j.touched {
		for i := range u.mutations {
			if u.mutations[i].Heuristic {
				return true
			}
		}
	}
	return false
}
