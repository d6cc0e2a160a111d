package replay

import (
	"strings"
)

// disk is a file and the client that works on it, made simple: what it does to the bytes, and what its transcript then says.
type disk struct {
	text   string
	events []Event
	before []string // the file before each event
	seen   map[string]bool
	ver    int  // last version of the file history
	bumped bool // bytes changed since it
}

// choice gives a number from 0 to n-1.
type choice func(n int) int

func (c choice) one(of ...string) string { return of[c(len(of))] }

// odds is true once in n.
func (c choice) odds(n int) bool { return c(n) == 0 }

var words = []string{"a", "b", "", "}", "  two", "    four", "\ttab", "\t\ttabs", "if x {", "a b a", "end", "$&", "x"}

// lines makes up to n lines' worth of text.
func (c choice) lines(n int) string {
	parts := make([]string, c(n)+1)
	for i := range parts {
		parts[i] = c.one(words...)
	}
	return strings.Join(parts, "\n")
}

// file makes the bytes of a whole file.
func (c choice) file(n int) string {
	s := c.lines(n)
	if c.odds(12) {
		return ""
	}
	if !c.odds(3) {
		s += "\n"
	}
	switch c(6) {
	case 0:
		return strings.ReplaceAll(s, "\n", "\r\n")
	case 1:
		if c.odds(3) {
			return strings.Replace(s, "\n", "\r\n", 1+c(3)) // mixed
		}
	}
	return s
}

func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// crlf says how the client ends the lines of a file that it edits.
func crlf(s string) bool {
	s = s[:min(len(s), 4096)]
	both := strings.Count(s, "\r\n")
	return both > strings.Count(s, "\n")-both
}

func (d *disk) say(e Event) {
	e.At.Line = len(d.events) + 1
	e.At.SourceLine, e.At.Session, e.At.Survival = e.At.Line, "s", "live"
	d.events = append(d.events, e)
	d.before = append(d.before, d.text)
}

func (d *disk) set(text string) {
	text = strings.TrimRight(text, "\r") // a carriage return ends lines here, and is no text
	d.bumped = d.bumped || text != d.text
	d.text = text
	for _, s := range strings.Split(unix(text), "\n") {
		d.seen[strings.TrimSuffix(s, "\r")] = true
	}
}

// read shows count parts from start on, 0 for all.
func (d *disk) read(start, count int) {
	if d.text == "" {
		d.say(Event{Kind: Read, HasText: true, Start: 1})
		return
	}
	parts := strings.Split(unix(d.text), "\n")
	start = min(start, len(parts))
	end := len(parts)
	if count > 0 {
		end = min(end, start-1+count)
	}
	shown := parts[start-1 : end]
	d.say(Event{Kind: Read, HasText: true, Text: strings.Join(shown, "\n"), Start: start, Count: len(shown), Total: len(parts)})
}

// capped shows what fits under a cap: whole lines, or all with the last line cut.
func (d *disk) capped(c choice) {
	parts := strings.Split(unix(d.text), "\n")
	if d.text == "" {
		return
	}
	if n := c(len(parts)) + 1; n < len(parts) {
		d.say(Event{Kind: Read, HasText: true, Cut: true, Text: strings.Join(parts[:n], "\n"), Start: 1, Count: n, Total: len(parts)})
		return
	}
	last := parts[len(parts)-1]
	parts[len(parts)-1] = last[:c(len(last)+1)]
	text := strings.Join(parts, "\n")
	d.say(Event{Kind: Read, HasText: text != "", Cut: true, Text: text, Start: 1, Count: len(parts), Total: len(parts)})
}

func (d *disk) write(text string, kind Kind, original bool) {
	e := Event{Kind: kind, HasText: true, Text: text, Label: "bash-heredoc"}
	if kind == Write {
		e.Label = ""
		if original {
			e.HasOriginal, e.Original = true, unix(d.text)
		}
	}
	d.say(e)
	d.set(text)
}

// edit applies replacements as the client does and says so with a patch. It is false when the client would refuse.
func (d *disk) edit(edits []Replacement, original, patch bool) bool {
	old := unix(d.text)
	text := old
	for _, r := range edits {
		if r.Old == "" {
			if strings.TrimSpace(text) != "" {
				return false
			}
			text = r.New
			continue
		}
		switch n := strings.Count(text, r.Old); {
		case n == 0, n > 1 && !r.All, r.Old == r.New:
			return false
		}
		what := r.Old
		if r.New == "" && !strings.HasSuffix(what, "\n") && strings.Contains(text, what+"\n") {
			what += "\n"
		}
		n := 1
		if r.All {
			n = -1
		}
		text = strings.Replace(text, what, r.New, n)
	}
	if text == old {
		return false
	}
	e := Event{Kind: Edit, Edits: edits}
	if original {
		e.HasOriginal, e.Original = true, old
	}
	if patch {
		e.Hunks = structuredPatch(spaced(old), spaced(text))
	}
	d.say(e)
	if crlf(d.text) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	d.set(text)
	return true
}

// spaced is the copy from which the client makes its patch.
func spaced(s string) string {
	parts := strings.Split(s, "\n")
	for i, p := range parts {
		parts[i] = untab(p)
	}
	return strings.Join(parts, "\n")
}

// some picks what to replace: a stretch of the text.
func (d *disk) some(c choice) string {
	text := unix(d.text)
	if text == "" {
		return ""
	}
	from := c(len(text))
	return text[from:min(len(text), from+1+c(12))]
}

// printed is what the transcript keeps of a command's output.
func printed(s string) string {
	parts := strings.Split(s, "\n")
	for len(parts) > 0 && strings.TrimSpace(parts[0]) == "" {
		parts = parts[1:]
	}
	for len(parts) > 0 && strings.TrimSpace(parts[len(parts)-1]) == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.TrimRight(strings.Join(parts, "\n"), " \t\r\n")
}

// cat prints count lines from start on, 0 for all.
func (d *disk) cat(start, count int) {
	lines := strings.SplitAfter(d.text, "\n")
	shown := lines[min(start-1, len(lines)):]
	if count > 0 {
		shown = shown[:min(count, len(shown))]
	}
	text := strings.Join(shown, "")
	got := printed(text)
	if !strings.HasPrefix(strings.TrimLeft(text[strings.LastIndex(text, got)+len(got):], "\r"), "\n") && !strings.HasSuffix(text, got) {
		return // it does not tell of blanks at the end of the last line either
	}
	d.say(Event{Kind: ShellRead, Label: "bash-cat", HasText: true, Text: got, Start: start, Count: count})
}

// token is a line with its newline, as a diff of files sees it.
func diffTokens(s string) []string {
	t := strings.SplitAfter(s, "\n")
	if t[len(t)-1] == "" {
		t = t[:len(t)-1]
	}
	return t
}

// structuredPatch makes hunks with three lines of context, by the plainest way to a longest common subsequence.
func structuredPatch(old, new string) []Hunk {
	a, b := diffTokens(old), diffTokens(new)
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	type step struct {
		mark byte
		text string
		i, j int // lines before it
	}
	var steps []step
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			steps = append(steps, step{' ', a[i], i, j})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			steps = append(steps, step{'-', a[i], i, j})
			i++
		default:
			steps = append(steps, step{'+', b[j], i, j})
			j++
		}
	}
	near := func(k int) bool { // within three lines of a change
		for n := max(0, k-3); n < min(len(steps), k+4); n++ {
			if steps[n].mark != ' ' {
				return true
			}
		}
		return false
	}
	var hunks []Hunk
	for k := 0; k < len(steps); {
		if !near(k) {
			k++
			continue
		}
		h := Hunk{OldStart: steps[k].i + 1, NewStart: steps[k].j + 1}
		for ; k < len(steps) && near(k); k++ {
			s := steps[k]
			if s.mark != '+' {
				h.OldLines++
			}
			if s.mark != '-' {
				h.NewLines++
			}
			h.Lines = append(h.Lines, string(s.mark)+strings.TrimSuffix(s.text, "\n"))
			if !strings.HasSuffix(s.text, "\n") {
				h.Lines = append(h.Lines, `\ No newline at end of file`)
			}
		}
		hunks = append(hunks, h)
	}
	return hunks
}

// unified applies a patch of Diff to a text.
func patched(text, patch string) string {
	lines := diffTokens(text)
	var out []string
	at := 0
	var mark byte // of the line before
	for _, l := range strings.SplitAfter(patch, "\n") {
		if l != "" && l[0] != '\\' {
			mark = l[0]
		}
		switch {
		case strings.HasPrefix(l, "@@ -"):
			from, n := 0, 1
			num := strings.Split(strings.Fields(l)[1][1:], ",")
			from = atoi(num[0])
			if len(num) > 1 {
				n = atoi(num[1])
			}
			if n > 0 {
				from--
			}
			out = append(out, lines[at:from]...)
			at = from
		case strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "), l == "":
		case l[0] == ' ':
			out = append(out, lines[at])
			at++
		case l[0] == '-':
			at++
		case l[0] == '+':
			out = append(out, l[1:])
		case l[0] == '\\':
			if mark == '+' {
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		}
	}
	return strings.Join(append(out, lines[at:]...), "")
}

func atoi(s string) (n int) {
	for _, d := range s {
		n = n*10 + int(d-'0')
	}
	return n
}
