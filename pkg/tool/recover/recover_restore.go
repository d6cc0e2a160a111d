package recover

import (
	"fmt"
	"io"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/when"
)

// Why a file cannot be restored.
const (
	reasonPartial     = "partial"
	reasonInvalidated = "invalidated"
	reasonNoHistory   = row.NoHistoryWord
)

// restore gives the file back, or says why not.
func (j *recoverJob) restore(list []wish, stories []*story, sum *recoverSummary) error {
	if len(list) == 0 { // an upstream that found nothing
		return j.restoreRows(nil, sum)
	}
	if len(stories) == 0 {
		r := &restoreRow{Kind: modeRestore, File: list[0].text, Reason: reasonNoHistory, Boundaries: []boundaryObject{}}
		return j.refuse(r, sum, j.noHistory(list[0].text))
	}
	if files := filesIn(stories); len(files) > 1 {
		r := &restoreRow{Kind: modeRestore, File: list[0].text, Reason: statusAmbiguous, Boundaries: []boundaryObject{}}
		return j.refuse(r, sum, j.ambiguous(files))
	}
	s, err := j.choose(stories)
	if err != nil {
		return err
	}
	sum.File = s.file
	r := &restoreRow{Kind: modeRestore, subject: subjectOf(s.ref(s.about())), File: s.file, Boundaries: objectsOf(s.res.Boundaries),
		Bash: s.named(), unknowns: j.unknownsOf(s)}
	v := viewOf(s.res.Buffer, nil)
	content, ok := s.res.Buffer.BytesWith(true)
	r.Lines = v.known
	if !v.whole || !ok {
		r.Reason = s.reason()
		r.shortfall = &shortfall{Covered: v.covered, Gaps: v.gaps, Seen: v.seen}
		if x := s.res.Richer; x != nil {
			r.Richer = &x.Line
		}
		return j.refuse(r, sum, j.refusal(s, &v, stories))
	}
	r.Complete = true
	if j.ask.Out != "" {
		if err := writeFile(j.ask.Out, content); err != nil {
			return err
		}
		n := len(content)
		r.Path, r.Wrote = &j.ask.Out, &n
	} else {
		text := string(content)
		r.Content = &text
	}
	if j.env.Format == stdio.JSON {
		if _, known := s.res.Buffer.FinalNewline(); !known {
			j.env.Note("%s: %s", s.file, noLastNewline)
		}
		return j.restoreRows(r, sum)
	}
	if j.ask.Out == "" {
		if _, err := j.env.Out.Write(content); err != nil {
			return err
		}
	}
	if err := j.env.Out.Flush(); err != nil {
		return err
	}
	if n := len(content); j.ask.Out == "" && n > 0 && content[n-1] != '\n' {
		io.WriteString(j.env.Stderr, "\n") // what follows is a line of its own where both streams are one
	}
	j.tellRestored(s, &v, r)
	return nil
}

func (j *recoverJob) restoreRows(r *restoreRow, sum *recoverSummary) error {
	if j.env.Format != stdio.JSON {
		return nil
	}
	w := row.NewWriter(j.env.Out)
	if err := w.Write(scope.HeaderOf(recoverVerb, j.set)); err != nil {
		return err
	}
	if r != nil {
		if err := w.Write(r); err != nil {
			return err
		}
	}
	if err := w.Write(sum); err != nil {
		return err
	}
	return j.env.Out.Flush()
}

// refuse answers in rows, where rows are asked for, and then fails with what is wrong.
func (j *recoverJob) refuse(r *restoreRow, sum *recoverSummary, why error) error {
	if err := j.restoreRows(r, sum); err != nil {
		return err
	}
	return why
}

// reason names why a file that has a history cannot be restored.
func (s *story) reason() string {
	switch {
	case s.res.Buffer.Anchor() == "" && len(s.res.Buffer.Covered()) == 0 && s.res.Hard() > 0:
		return reasonInvalidated
	case s.res.Events == 0 || len(s.res.Buffer.Covered()) == 0 && !s.res.Shown:
		return reasonNoHistory
	}
	return reasonPartial
}

// tellRestored says on standard error what the file is worth.
func (j *recoverJob) tellRestored(s *story, v *view, r *restoreRow) {
	var b []byte
	what := s.file
	if j.ask.Out != "" {
		what = fmt.Sprintf("%s written to %s", s.file, j.ask.Out)
	}
	clean := len(s.res.Boundaries) == 0 && len(s.loose) == 0 && s.unanswered() == 0 && s.undated() == 0 && j.env.UnreadFiles() == 0
	switch {
	case clean:
		b = fmt.Appendf(b, "%s: %s from %s, complete; nothing in its history says that it changed by other means\n", what, scope.Count(v.known, "line"), s.token(j.set.PrefixLen))
	default:
		b = fmt.Appendf(b, "%s: %s from %s, complete by what the tools say, not verified against the disk\n", what, scope.Count(v.known, "line"), s.token(j.set.PrefixLen))
	}
	if d := v.doubts(); d != "" {
		b = append(b, d+"\n"...)
	}
	b = j.boundariesText(b, s, "")
	b = j.accountText(b, s, "")
	b = s.openText(b, "")
	if n := s.res.Excluded; n > 0 {
		b = append(b, leftOut(n)+"\n"...)
	}
	for _, l := range j.footerLines() {
		b = append(b, strings.TrimLeft(l, " ")...)
	}
	j.env.Note("%s", b)
}

// noHistory says that no transcript in scope knows the file.
func (j *recoverJob) noHistory(file string) error {
	hints := []string{"what was changed: " + j.env.Command("files", append(append([]string{}, j.env.Args...), "--by", "file")...),
		"copies that Claude Code kept: --list-backups, with the absolute path"}
	if n := len(j.alike); n > 0 {
		const most = 5
		list := strings.Join(j.alike[:min(n, most)], ", ")
		if n > most {
			list += fmt.Sprintf(" and %d more", n-most)
		}
		hints = append([]string{"of that name there is " + list}, hints...)
	}
	n := len(j.set.Transcripts)
	if words := scope.Unread(j.env); words != "" {
		return cli.WithHint(cli.Errorf("%s: no history in what could be read of the scope (%d of %s; %s)", file, n-j.lost, scope.Count(n, "transcript"), words), hints...)
	}
	return cli.WithHint(cli.Errorf("%s: no history: nothing in scope (%s) reads, writes or changes it", file, scope.Count(n, "transcript")), hints...)
}

// refusal says what of the file is known and what is missing, what took it away, and what can be done.
func (j *recoverJob) refusal(s *story, v *view, stories []*story) error {
	var b []byte
	b = fmt.Appendf(b, "%s cannot be restored whole from %s: ", excerpt.SafeLine(s.file), s.token(j.set.PrefixLen))
	switch s.reason() {
	case reasonInvalidated:
		b = append(b, "nothing that was known of it survives"...)
	case reasonNoHistory:
		b = append(b, "nothing says what is in it"...)
	default:
		b = append(b, v.words()...)
	}
	missing := spans(v.gaps)
	switch {
	case v.open && v.known == 0:
		missing = "all of it"
	case v.open && len(v.gaps) == 0:
		missing = "what follows"
	case v.open:
		missing += " and what follows"
	}
	b = fmt.Appendf(b, "\ncovered %s\nmissing %s\n", spans(v.covered), missing)
	b = j.boundariesText(b, s, "")
	b = j.accountText(b, s, "")
	b = s.openText(b, "")
	if n := s.res.Excluded; n > 0 {
		b = append(b, leftOut(n)+"\n"...)
	}
	for _, l := range j.footerLines() {
		b = append(b, strings.TrimLeft(l, " ")...)
	}
	b = append(b, "changes outside these tools that left no trace here cannot be seen"...)
	var hints []string
	if r := s.res.Richer; r != nil {
		hints = append(hints, j.recipe(s, r))
	}
	for _, o := range stories {
		if o != s && o.res.Buffer.Whole() {
			_, at := o.lastTouch()
			hints = append(hints, fmt.Sprintf("another session knows all of it, as of %s: %s", when.Text(at, false), j.again(o)))
			break
		}
	}
	hints = append(hints, "what is known: "+j.again(s, "--salvage"))
	return cli.WithHint(cli.Errorf("%s", b), hints...)
}

// recipe says how to see a state of which more was known, and what happened after it.
func (j *recoverJob) recipe(s *story, r *replay.Richer) string {
	what := fmt.Sprintf("%s known", scope.Count(r.Known, "line"))
	if r.Complete {
		what = fmt.Sprintf("all %s known", scope.Count(r.Known, "line"))
	}
	after := []string{"--patches"}
	if at := r.Before.At.Time; !at.IsZero() {
		after = append(after, "--since", at.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	return fmt.Sprintf("before %s (%s) there were %s: %s ; what came after: %s", r.Before.Cause, when.Text(r.Before.At.Time, false), what,
		j.again(s, "--at", fmt.Sprintf("%s%d", linePrefix, r.Line)), j.again(s, after...))
}

// again spells a call of recover on the story.
func (j *recoverJob) again(s *story, flags ...string) string {
	words := []string{s.group.scopeToken(s), "--file", s.file}
	if j.ask.NoSubagents {
		words = append(words, "--no-subagents")
	}
	return j.env.Command(recoverVerb, append(words, flags...)...)
}

// scopeToken names what the story is made of: the session with its subagents where it is in scope.
func (g *group) scopeToken(s *story) string {
	if len(s.parts) == 1 && s.parts[0].IsSubagent {
		return s.parts[0].Token(0)
	}
	return g.parts[0].Token(0)
}
