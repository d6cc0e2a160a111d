package recover

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/when"
)

// answer prints what was asked for of one file, or of each file and session.
func (j *recoverJob) answer(list []wish, stories []*story) error {
	file := ""
	if len(list) == 1 {
		file = list[0].text
		if len(stories) == 1 {
			file = stories[0].file
		}
	}
	sum := &recoverSummary{Kind: row.SummaryKind, File: file, Mode: j.ask.mode, Sessions: len(groupsIn(stories)), Skipped: j.skipped, Unread: j.env.UnreadFiles(), Crossing: j.chain.Crossing()}
	if j.ask.mode == modeRestore {
		return j.restore(list, stories, sum)
	}
	return j.blocks(list, stories, sum)
}

// groupsIn gives the sessions of stories.
func groupsIn(stories []*story) (out []*group) {
	for _, s := range stories {
		if !slices.Contains(out, s.group) {
			out = append(out, s.group)
		}
	}
	return out
}

// blocks answers for each file and session.
func (j *recoverJob) blocks(list []wish, stories []*story, sum *recoverSummary) error {
	done, refused := j.writeOut(stories)
	if j.env.Payload {
		return cmp.Or(refused, j.tellWritten(done))
	}
	if j.env.Format == stdio.JSON {
		w := row.NewWriter(j.env.Out)
		if err := w.Write(scope.HeaderOf(recoverVerb, j.set)); err != nil {
			return err
		}
		for _, s := range stories {
			if err := j.rows(w, s, done[s]); err != nil {
				return err
			}
		}
		if err := w.Write(sum); err != nil {
			return err
		}
		return cmp.Or(j.env.Out.Flush(), refused)
	}
	if _, err := fmt.Fprint(j.env.Banner, j.set.Banner(), j.set.CopiesLine()); err != nil {
		return err
	}
	for _, s := range stories {
		if _, err := j.env.Out.Write(j.block(nil, s, done[s])); err != nil {
			return err
		}
	}
	if len(stories) == 0 {
		if err := j.env.Nothing(row.NoHistory); err != nil {
			return err
		}
	}
	if err := j.footer(); err != nil {
		return err
	}
	j.tellExcluded()
	return cmp.Or(j.env.Out.Flush(), refused)
}

// footer says what concerns the scope as a whole.
func (j *recoverJob) footer() error {
	_, err := fmt.Fprint(j.env.Banner, strings.Join(j.footerLines(), ""))
	return err
}

func (j *recoverJob) footerLines() (lines []string) {
	if j.skipped > 0 {
		lines = append(lines, fmt.Sprintf("  %s skipped\n", scope.Count(j.skipped, "malformed line")))
	}
	if words := scope.Unread(j.env); words != "" {
		lines = append(lines, "  "+words+": what they say of a file is not in this\n")
	}
	for _, l := range j.chain.Crossings() {
		lines = append(lines, "  "+l+"\n")
	}
	return lines
}

// rows writes the rows of one file and session.
func (j *recoverJob) rows(w *row.Writer, s *story, done *wrote) error {
	switch j.ask.mode {
	case modePatches:
		return j.patchRows(w, s)
	case modeCoverage:
		return w.Write(j.coverageRow(s))
	}
	return w.Write(j.snapshotRow(s, done))
}

// block appends the text of one file and session.
func (j *recoverJob) block(b []byte, s *story, done *wrote) []byte {
	switch j.ask.mode {
	case modePatches:
		b = j.patchText(b, s, done)
	case modeCoverage:
		b = j.coverageText(b, s)
	default:
		b = j.snapshotText(b, s, done)
	}
	return b
}

// writeOut writes what --out asks for. One file has room for one answer: of several it is the session's that wrote last.
func (j *recoverJob) writeOut(stories []*story) (map[*story]*wrote, error) {
	if j.ask.Out == "" || len(stories) == 0 {
		return nil, nil
	}
	if j.ask.mode == modeCoverage {
		j.env.Note("--out is ignored: --coverage prints no content")
		return nil, nil
	}
	s, err := j.choose(stories)
	if err != nil {
		return nil, err
	}
	var content []byte
	whole := false
	if j.ask.mode == modePatches {
		content = j.patchArtifact(s)
	} else {
		v := viewOf(s.res.Buffer, j.ask.lines)
		content, whole = v.artifact()
	}
	if j.ask.Out == toStdout {
		_, err = j.env.Out.Write(content)
	} else {
		err = writeFile(j.ask.Out, content)
	}
	if err != nil {
		return nil, err
	}
	return map[*story]*wrote{s: {Path: j.ask.Out, Bytes: len(content), Whole: whole}}, nil
}

// tellWritten says on standard error what was written to standard output.
func (j *recoverJob) tellWritten(done map[*story]*wrote) error {
	if err := j.env.Out.Flush(); err != nil {
		return err
	}
	for s, w := range done {
		j.env.Banner.Write(j.block(nil, s, w))
	}
	if len(done) == 0 {
		fmt.Fprintln(j.env.Banner, row.NoHistory)
	}
	j.tellExcluded()
	return j.footer()
}

// wroteText appends what was written, indented.
func wroteText(b []byte, done *wrote) []byte {
	if done == nil {
		return b
	}
	what := ""
	if done.Whole {
		what = ", the whole file"
	}
	to := excerpt.SafeLine(done.Path)
	if done.Path == toStdout {
		to = "to stdout"
	}
	return fmt.Appendf(b, "  wrote %s: %s%s\n", to, bytesOf(int64(done.Bytes)), what)
}

// choose gives the one story that a single file is made of: the session's that wrote it last, which is said where there
// are others. Different files of one name are not mixed up.
func (j *recoverJob) choose(stories []*story) (*story, error) {
	if files := filesIn(stories); len(files) > 1 {
		return nil, j.ambiguous(files)
	}
	s := freshest(stories)
	if len(stories) == 1 {
		return s, nil
	}
	wrote, at := s.lastTouch()
	what := "which saw it last"
	if wrote {
		what = "which wrote it last"
	}
	var others []string
	for _, o := range stories {
		if o != s {
			others = append(others, o.token(j.set.PrefixLen))
		}
	}
	const most = 5
	more := ""
	if n := len(others) - most; n > 0 {
		others, more = others[:most], fmt.Sprintf(" and %d more", n)
	}
	j.env.Note("%d sessions worked on %s; this is from %s, %s (%s); others: %s%s", len(stories), s.file, s.token(j.set.PrefixLen), what,
		when.Text(at, false), strings.Join(others, ", "), more)
	return s, nil
}

// filesIn gives the different files of stories. A path that was asked for exactly stands for itself alone.
func filesIn(stories []*story) (files []string) {
	seen := map[string]bool{}
	for _, s := range stories {
		if key := fileops.PathKey(s.file); !seen[key] {
			seen[key] = true
			files = append(files, s.file)
		}
	}
	return files
}

func (j *recoverJob) ambiguous(files []string) error {
	const most = 10
	list := files[:min(most, len(files))]
	more := ""
	if n := len(files) - most; n > 0 {
		more = fmt.Sprintf("\nand %d more", n)
	}
	return cli.WithHint(cli.Errorf("%s names %d files here:\n%s%s", j.ask.File, len(files), strings.Join(list, "\n"), more),
		"say more of the path with --file, or all of it")
}

// tellExcluded says what a window left out that matters to the state of the file.
func (j *recoverJob) tellExcluded() {
	if j.env.Format != stdio.JSON && j.excluded > 0 {
		j.env.Note("%s", leftOut(j.excluded))
	}
}

func leftOut(n int) string {
	return fmt.Sprintf("the window left out %s that changed the file or proved that it changed", scope.Count(n, "event"))
}
