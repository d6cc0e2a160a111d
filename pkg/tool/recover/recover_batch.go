package recover

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
)

// What became of a file of a list.
const (
	statusComplete  = "complete"
	statusPartial   = "partial"
	statusExists    = "skipped-exists"
	statusAmbiguous = row.AmbiguousWord
	statusFailed    = "failed"
)

// reportName is the file that a list of files leaves beside them.
const reportName = "recovery-report.tsv"

// reportHead are its columns.
var reportHead = []string{"status", "known_lines", "total_lines", "boundaries", "bash_file", "bash_opaque", "target", "written_to"}

// batchItem is one file of a list, and what became of it.
type batchItem struct {
	wish   *wish
	story  *story // nil where there is none, or no single one
	status string
	view   view
	path   string // where it is, written now or before; "" where it is not
	why    string
}

// batch recovers every file of a list into a directory.
func (j *recoverJob) batch(list []wish, stories []*story) error {
	dir, err := openOutDir(j.ask.OutDir)
	if err != nil {
		return err
	}
	defer dir.close()
	items := make([]batchItem, len(list))
	written := map[string]*batchItem{}
	of := map[*wish][]*story{}
	for _, s := range stories {
		of[s.wish] = append(of[s.wish], s)
	}
	for i := range list {
		items[i] = batchItem{wish: &list[i]}
		j.recoverInto(dir, &items[i], of[&list[i]], written)
	}
	report := dir.at(reportName)
	if err := dir.write(reportName, reportOf(items)); err != nil {
		return err
	}
	for i := range items {
		if items[i].status == statusFailed {
			j.env.Fail(cli.Errorf("%s: %s", items[i].wish.text, items[i].why))
		}
	}
	if j.env.Format == stdio.JSON {
		return j.batchRows(items, report)
	}
	return j.batchText(items, report)
}

// recoverInto writes one file, as far as it is known. written are the files of this run by their name in the directory.
func (j *recoverJob) recoverInto(dir *outDir, it *batchItem, stories []*story, written map[string]*batchItem) {
	if len(stories) == 0 {
		it.status = reasonNoHistory
		return
	}
	if files := filesIn(stories); len(files) > 1 {
		it.status, it.why = statusAmbiguous, strings.Join(files, ", ")
		return
	}
	s := freshest(stories)
	it.story, it.view = s, viewOf(s.res.Buffer, nil)
	switch {
	case it.view.whole:
		it.status = statusComplete
	case it.view.known > 0:
		it.status = statusPartial
	default:
		it.status = s.reason()
		return
	}
	name := outName(s.file)
	before := written[name]
	switch {
	case before != nil && before.story.file == s.file:
		it.path = before.path // another spelling of it stands in the list
		return
	case before != nil:
		it.status, it.why = statusFailed, fmt.Sprintf("%s went to its place, %s", before.story.file, before.path)
		return
	case name == reportName:
		it.status, it.why = statusFailed, fmt.Sprintf("its place is that of the report, %s", dir.at(name))
		return
	case !j.ask.Force && dir.has(name):
		it.status = statusExists
		return
	}
	if err := dir.write(name, it.view.patched()); err != nil {
		it.status, it.why = statusFailed, err.Error()
		return
	}
	it.path, written[name] = dir.at(name), it
}

// pathCause takes the paths off an error: whoever tells it names the path.
func pathCause(err error) error {
	var p *fs.PathError
	for errors.As(err, &p) {
		err = p.Err
	}
	return err
}

// counts gives the numbers of the report.
func (it *batchItem) counts() (known int, seen *int, boundaries, bash, opaque, power int) {
	if s := it.story; s != nil {
		return it.view.known, it.view.seen, len(s.res.Boundaries), s.named(), s.opaque, s.power
	}
	return 0, nil, 0, 0, 0, 0
}

func reportOf(items []batchItem) []byte {
	var b bytes.Buffer
	b.WriteString(strings.Join(reportHead, "\t") + "\n")
	for i := range items {
		it := &items[i]
		known, seen, boundaries, bash, opaque, power := it.counts()
		total := "-"
		if seen != nil {
			total = strconv.Itoa(*seen)
		}
		fmt.Fprintf(&b, "%s\t%d\t%s\t%d\t%d\t%d\t%s\t%s\n", it.status, known, total, boundaries, bash, opaque+power, cell(it.wish.text), cmp.Or(cell(it.path), "-"))
	}
	return b.Bytes()
}

// cell makes a path one cell of a table.
func cell(s string) string {
	if strings.ContainsAny(s, "\t\n\r") {
		return strconv.Quote(s)
	}
	return s
}

func (j *recoverJob) batchRows(items []batchItem, report string) error {
	w := row.NewWriter(j.env.Out)
	if err := w.Write(scope.HeaderOf(recoverVerb, j.set)); err != nil {
		return err
	}
	for i := range items {
		it := &items[i]
		r := restoredRow{Kind: "restored", File: it.wish.text, Status: it.status, Why: scope.OrNull(it.why)}
		r.Known, r.Seen, r.Boundaries, r.Bash, r.Opaque, r.PowerShell = it.counts()
		if it.story != nil {
			r.subject, r.File = subjectOf(it.story.ref(it.story.about())), it.story.file
		}
		r.Path = scope.OrNull(it.path)
		if err := w.Write(&r); err != nil {
			return err
		}
	}
	err := w.Write(&batchSummary{Kind: row.SummaryKind, Mode: modeBatch, Files: len(items), ByStatus: byStatus(items), Report: report, Skipped: j.skipped, Unread: j.env.UnreadFiles(),
		Crossing: j.chain.Crossing()})
	if err != nil {
		return err
	}
	return j.env.Out.Flush()
}

func byStatus(items []batchItem) map[string]int {
	n := map[string]int{}
	for i := range items {
		n[items[i].status]++
	}
	return n
}

func (j *recoverJob) batchText(items []batchItem, report string) error {
	if len(items) == 0 {
		if err := j.env.Nothing(row.NoFiles); err != nil {
			return err
		}
	}
	var b []byte
	for i := range items {
		it := &items[i]
		if b = b[:0]; it.story == nil {
			b = fmt.Appendf(b, "  %s  %s", it.status, excerpt.SafeLine(it.wish.text))
		} else {
			b = fmt.Appendf(b, "%s  %s  %s  %s", excerpt.SafeLine(it.story.token(j.set.PrefixLen)), it.status, excerpt.SafeLine(it.story.file), it.view.words())
		}
		if n, _, boundaries, _, _, _ := it.counts(); n > 0 && boundaries > 0 {
			b = fmt.Appendf(b, "  boundaries %d", boundaries)
		}
		if it.path != "" {
			b = fmt.Appendf(b, "  -> %s", excerpt.SafeLine(it.path))
		}
		if it.why != "" {
			b = fmt.Appendf(b, "  %s", excerpt.SafeLine(it.why))
		}
		if _, err := j.env.Out.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	var sum []string
	n := byStatus(items)
	for _, s := range []string{statusComplete, statusPartial, reasonInvalidated, reasonNoHistory, statusAmbiguous, statusExists, statusFailed} {
		if n[s] > 0 {
			sum = append(sum, fmt.Sprintf("%s %d", s, n[s]))
		}
	}
	total := scope.Count(len(items), "file")
	if len(sum) > 0 {
		total += ": " + strings.Join(sum, " · ")
	}
	lines := slices.Concat([]string{fmt.Sprintf("  %s\n  report %s\n", total, excerpt.SafeLine(report))}, j.footerLines())
	if n[statusExists] > 0 {
		lines = append(lines, "  --force overwrites what is there already\n")
	}
	if _, err := fmt.Fprint(j.env.Banner, strings.Join(lines, "")); err != nil {
		return err
	}
	return j.env.Out.Flush()
}
