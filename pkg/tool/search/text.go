package search

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/text"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// address names a line of the i-th file by the shortest id that is unique in the home.
func (j *job) address(i, line int) string {
	return addr.Line(j.short(i), line)
}

func (j *job) short(i int) string {
	return excerpt.SafeLine(j.set.Transcripts[i].Token(j.set.PrefixLen))
}

// transcripts gives the distinct ids of the transcripts with hits, sorted.
func (j *job) transcripts() []string {
	var ids []string
	for i := range j.res.Files {
		if j.res.Files[i].Records > 0 {
			ids = append(ids, j.files[i].SessionID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (j *job) printText(xs []scan.Exchange, dropped int) error {
	io.WriteString(j.env.Banner, j.set.Banner())
	io.WriteString(j.env.Banner, j.set.CopiesLine())
	if j.res.Matched == 0 {
		return j.env.Nothing(row.NoExchanges)
	}
	fmt.Fprintf(j.env.Banner, "matches  %s · %s · oldest first%s%s\n\n", scope.Plural(j.res.Matched, "exchange", "exchanges"),
		scope.Plural(len(j.transcripts()), "session", "sessions"), j.showing(dropped), j.undated(xs))
	cut, err := j.each(j.ctx, xs, func(p *painter, x *scan.Exchange, buf []byte) ([]byte, error) {
		e, err := p.exchange(x)
		if err != nil {
			return buf, err
		}
		return p.paint(buf, x, e), nil
	})
	if err != nil {
		return err
	}
	j.footer(dropped, cut)
	return nil
}

func (j *job) showing(dropped int) string {
	switch n := j.opt.MaxCount; {
	case dropped == 0:
		return ""
	case n > 0:
		return " · showing earliest " + itoa(n)
	default:
		return " · showing latest " + itoa(-n)
	}
}

func (j *job) undated(xs []scan.Exchange) string {
	if len(xs) > 0 && xs[len(xs)-1].Instant == scan.NoTime {
		return " · undated last"
	}
	return ""
}

// paint lays out an exchange: its heading and its hits at column 0, each led by its own address, all else indented.
func (p *painter) paint(buf []byte, x *scan.Exchange, e *exchange) []byte {
	f := &p.job.files[x.File]
	id := p.short(x.File)
	if e.TurnIndex != nil {
		buf = append(buf, addr.Turn(id, *e.TurnIndex)...)
	} else {
		buf = append(buf, addr.Line(id, e.head.line)+" "+e.head.word...)
	}
	if f.IsSubagent && f.ParentSessionID != "" {
		buf = append(buf, " (parent "+addr.Short(f.ParentSessionID, p.set.PrefixLen)...)
		if e.ParentMissing {
			buf = append(buf, ", whose transcript is missing"...)
		}
		buf = append(buf, ')')
	}
	buf = append(buf, ' ', ' ')
	if e.TSUTC != nil {
		t, _ := when.Stamp(*e.TSUTC)
		buf = when.AppendText(buf, t, true)
	} else {
		buf = append(buf, when.Absent...)
	}
	buf = append(buf, '\n')
	for i := range e.Hits {
		buf = p.hitLine(buf, id, &e.Hits[i])
	}
	if e.family != nil {
		buf = p.siblingLines(buf, id, e.family)
	}
	return append(buf, '\n')
}

func (p *painter) hitLine(buf []byte, id string, h *hit) []byte {
	buf = appendPlace(buf, id, h)
	buf = append(buf, "  "+text.Glyph(h.Leaf)+" "...)
	buf = text.AppendZone(buf, &h.Unit)
	buf = appendExcerpt(buf, h, "    ")
	buf = append(buf, '\n')
	buf = text.AppendDistanceLine(buf, "  ", &h.Unit)
	if h.IsSubagent {
		buf = append(buf, "    ↳ "+h.Refetch+"\n"...)
	}
	return buf
}

// appendExcerpt appends the text of a hit behind its zone, and its images: on the same line, or whole below it.
func appendExcerpt(buf []byte, h *hit, indent string) []byte {
	one := h.Excerpt
	if h.Body != nil {
		if strings.Contains(*h.Body, "\n") {
			buf = append(text.AppendImages(buf, h.ImageIDs), '\n')
			return text.AppendIndented(buf, indent, *h.Body)
		}
		one = *h.Body
	}
	if one != "" {
		buf = excerpt.AppendSafeLine(append(buf, ' ', ' '), []byte(one))
	}
	return text.AppendImages(buf, h.ImageIDs)
}

func (p *painter) siblingLines(buf []byte, id string, fam *family) []byte {
	for i := range fam.Siblings {
		h := &fam.Siblings[i]
		buf = append(buf, "    · "...)
		buf = text.AppendZone(buf, &h.Unit)
		if h.Line != nil {
			buf = append(buf, "  L"+itoa(*h.Line)...)
		}
		buf = append(appendExcerpt(buf, h, "      "), '\n')
	}
	if fam.SiblingsHidden > 0 && fam.TurnLines != nil {
		buf = append(buf, fmt.Sprintf("    (+%d more · %s)\n", fam.SiblingsHidden,
			p.env.Command("show", id, "--line", fmt.Sprintf("%d..%d", fam.TurnLines[0], fam.TurnLines[1])))...)
	}
	return buf
}

// footer says what was found in all, and what the reader has to know about it.
func (j *job) footer(dropped int, cut bool) {
	w := j.env.Banner
	fmt.Fprintf(w, "matched %s · %s · label=%s", scope.Plural(j.res.Matched, "exchange", "exchanges"), scope.Plural(len(j.transcripts()), "session", "sessions"),
		orAll(j.opt.Label))
	if len(j.opt.LabelNot) > 0 {
		fmt.Fprintf(w, " · label-not=%s", strings.Join(j.opt.LabelNot, ","))
	}
	if dropped > 0 {
		which := "later"
		if j.opt.MaxCount < 0 {
			which = "earlier"
		}
		fmt.Fprintf(w, " · %d %s dropped by --max-count · all: %s", dropped, which, j.env.Again("--max-count", "0"))
	}
	fmt.Fprintln(w)
	t := j.totals()
	if t.skipped > 0 {
		fmt.Fprintln(w, scope.Plural(t.skipped, "malformed line", "malformed lines")+" skipped")
	}
	if t.damaged > 0 {
		fmt.Fprintf(w, "the pattern also stands in %s · %s\n", scope.Plural(t.damaged, "damaged line", "damaged lines"), t.hurtWhere())
	}
	if t.unreadable > 0 {
		fmt.Fprintln(w, scope.Plural(t.unreadable, "file", "files")+" could not be read")
	}
	for _, words := range j.persisted().words() {
		fmt.Fprintln(w, words)
	}
	if j.notRead > 0 {
		fmt.Fprintf(w, "the search before this one left %d out under its --max-count\n", j.notRead)
	}
	if cut {
		fmt.Fprintln(w, "excerpts are fragments: --no-truncate prints texts whole, show prints the record at an address")
	}
	for _, s := range append(j.chain.Lost(), j.chain.Crossings()...) {
		fmt.Fprintln(w, s)
	}
	if j.sidecar {
		fmt.Fprintln(w, transcript.SidecarNote)
	}
}

func orAll(words []string) string {
	if len(words) == 0 {
		return "all"
	}
	return strings.Join(words, ",")
}
