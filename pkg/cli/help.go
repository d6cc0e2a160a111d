package cli

import (
	"slices"
	"sort"
	"strings"
)

const (
	helpWidth  = 80
	helpIndent = 2
	flagColumn = 28
)

// helpText renders the help of a tool, which is its whole manual: how it is called,
// every flag with its default and meaning, examples, exit status, how rows flow in and
// out, and where to go from here.
func helpText(f Family, c call, flags []*Flag) string {
	var h helper
	t := c.tool
	name := helpName(f, c)
	h.line(name + ": " + t.Summary)
	h.section("Usage")
	h.block(strings.TrimSpace(name+" "+t.Usage), helpIndent+2)
	for _, par := range paragraphs(t.Long) {
		h.line("")
		h.wrap(par, 0)
	}
	h.flags("Flags", flags, false)
	h.flags("Flags of every tool", flags, true)
	h.verbs(f, c)
	h.examples(c.front, t.Examples)
	h.section("Rows")
	for i, par := range append(streams(t, c.front), paragraphs(t.Rows)...) {
		if i > 0 {
			h.line("")
		}
		h.wrap(par, helpIndent)
	}
	h.exit(t.ExitStatus)
	h.environment(t)
	h.see(c.front, t)
	return h.b.String()
}

// helpName is how a reader of the help calls the tool again.
func helpName(f Family, c call) string {
	if c.verb != "" || c.front {
		return c.prog + " " + c.tool.Name
	}
	if c.tool != f.Tools[0] || c.prog != f.Name {
		return c.prog
	}
	return f.Name
}

type helper struct{ b strings.Builder }

func (h *helper) line(s string) { h.b.WriteString(strings.TrimRight(s, " ") + "\n") }

func (h *helper) section(title string) { h.line(""); h.line(title + ":") }

// wrap prints a paragraph. A line of it that starts with blanks keeps its form.
func (h *helper) wrap(par string, indent int) {
	var run []string
	flush := func() {
		if len(run) > 0 {
			h.block(strings.Join(run, " "), indent)
			run = nil
		}
	}
	for _, l := range strings.Split(par, "\n") {
		if strings.HasPrefix(l, " ") {
			flush()
			h.line(strings.Repeat(" ", indent) + l)
			continue
		}
		run = append(run, strings.TrimSpace(l))
	}
	flush()
}

// block fills words into lines of helpWidth, the first indented by helpIndent less than
// hang says for the rest, when hang is deeper.
func (h *helper) block(s string, indent int) {
	first := min(indent, helpIndent)
	for i, l := range fill(s, helpWidth-indent) {
		if i == 0 {
			h.line(strings.Repeat(" ", first) + l)
			continue
		}
		h.line(strings.Repeat(" ", indent) + l)
	}
}

// fill breaks s into lines of at most width characters where words allow it.
func fill(s string, width int) []string {
	var out []string
	cur := ""
	for _, w := range strings.Fields(s) {
		switch {
		case cur == "":
			cur = w
		case len([]rune(cur))+1+len([]rune(w)) > width:
			out = append(out, cur)
			cur = w
		default:
			cur += " " + w
		}
	}
	if cur != "" || len(out) == 0 {
		out = append(out, cur)
	}
	return out
}

// entry prints a name and what it means beside it.
func (h *helper) entry(name, text string, column int) {
	lines := fill(text, helpWidth-column)
	lead := strings.Repeat(" ", helpIndent) + name
	if n := len([]rune(lead)); n+2 > column {
		h.line(lead)
	} else {
		h.line(lead + strings.Repeat(" ", column-n) + lines[0])
		lines = lines[1:]
	}
	for _, l := range lines {
		h.line(strings.Repeat(" ", column) + l)
	}
}

func (h *helper) flags(title string, flags []*Flag, root bool) {
	any := false
	for _, f := range flags {
		if f.Hidden || f.Root != root {
			continue
		}
		if !any {
			h.section(title)
			any = true
		}
		h.entry(f.Spelled(), f.Meaning(), flagColumn)
	}
}

// Spelled returns the flag as help shows it: "-t, --label SEL".
func (f *Flag) Spelled() string {
	s := "    "
	if f.Short != "" {
		s = "-" + f.Short + ", "
	}
	if f.Long == "" {
		s = "-" + f.Short
	} else {
		s += "--" + f.Long
	}
	if f.Takes {
		s += " " + f.Value
	}
	return s
}

// Meaning returns what the flag does, with its choices, its default, and whether it
// may be repeated.
func (f *Flag) Meaning() string {
	var extra []string
	if len(f.Choices) > 0 && f.Value != strings.Join(f.Choices, "|") {
		extra = append(extra, orList(f.Choices))
	}
	if f.Default != "" {
		extra = append(extra, "default "+f.Default)
	}
	if f.Repeats {
		extra = append(extra, "may be repeated")
	}
	if len(extra) == 0 {
		return f.Text
	}
	return f.Text + " (" + strings.Join(extra, "; ") + ")"
}

// verbs lists the family's other verbs, which share the binary.
func (h *helper) verbs(f Family, c call) {
	if c.front || len(f.Tools) < 2 {
		return
	}
	h.section("Verbs of " + f.Name)
	for _, t := range f.Tools {
		if !t.Hidden {
			h.entry(t.Name, t.Summary, 14)
		}
	}
	h.line("")
	h.block("The verb is the first argument; without one it is "+f.Tools[0].Name+". A directory of that name is written ./"+f.Tools[0].Name+".", helpIndent)
}

func (h *helper) examples(front bool, examples []Example) {
	if len(examples) == 0 {
		return
	}
	h.section("Examples")
	for _, x := range examples {
		h.line("  " + spellLine(front, x.Command))
		for _, l := range fill(x.Text, helpWidth-6) {
			h.line("      " + l)
		}
	}
}

// streams says in general how rows flow in and out of a tool.
func streams(t *Tool, front bool) []string {
	var out []string
	from := "rows of another csift tool, its text answer, lines that are ids, or the payload of a Claude Code hook"
	switch {
	case t.StdinTargets && t.NeedsDash:
		out = append(out, "In: the target - reads targets from stdin: "+from+". Nothing else makes it read stdin.")
	case t.StdinTargets && t.OneTarget:
		out = append(out, "In: without a target, a pipe on stdin is read for targets: "+from+". The target - reads them from any stdin.")
	case t.StdinTargets:
		out = append(out, "In: without a target, a pipe on stdin is read for targets: "+from+
			". The target - reads them from any stdin. @all is every project and reads none: hooks, cron and read loops write it.")
	}
	name := FrontName + "-" + t.Name
	if home, ok := homes[t.Name]; ok && home != name {
		name = home + " " + t.Name
	}
	if t.Payload != nil || t.New != nil {
		out = append(out, "Out: "+name+" writes rows, one JSON object a line, into a pipe of its own, and text everywhere else; "+
			FrontName+" "+t.Name+" writes text everywhere. --format decides, else CSIFT_FORMAT. Text is read back as well as rows: each line at column 0 starts with an address.")
	}
	return out
}

// exit prints the exit status. Lines of extra are "CODE  meaning".
func (h *helper) exit(extra string) {
	rows := [][2]string{
		{"0", "it worked; nothing found is an answer too"},
		{"1", "something named does not exist or could not be read; what could be answered was"},
		{"2", "the command line is wrong, or stdin is not what a target list looks like"},
		{"141", "the reader of the output went away (unix)"},
	}
	for _, l := range strings.Split(extra, "\n") {
		code, text, ok := strings.Cut(strings.TrimSpace(l), " ")
		if !ok {
			continue
		}
		own := [2]string{code, strings.TrimSpace(text)}
		if i := slices.IndexFunc(rows, func(r [2]string) bool { return r[0] == code }); i >= 0 {
			rows[i] = own // the verb says it better
			continue
		}
		rows = append(rows, own)
	}
	sort.SliceStable(rows, func(i, j int) bool {
		return len(rows[i][0]) < len(rows[j][0]) || len(rows[i][0]) == len(rows[j][0]) && rows[i][0] < rows[j][0]
	})
	h.section("Exit status")
	for _, r := range rows {
		h.entry(r[0], r[1], 8)
	}
}

func (h *helper) environment(t *Tool) {
	h.section("Environment")
	if t.StdinTargets { // it takes targets
		h.entry("CLAUDE_CODE_SESSION_ID", "the session that @main names; Claude Code sets it for what it runs", flagColumn)
	}
	for _, r := range [][2]string{
		{"CLAUDE_CONFIG_DIR", "the Claude Code home, when --claude-home is not given"},
		{"CSIFT_FORMAT", "text or json, when --format is not given; bare payloads stay bare"},
		{"CSIFT_SLOW", "1: read and match the simple way, to check the fast one against"},
		{"CSIFT_PANIC", "1: show the trace of an internal error"},
		{"NO_COLOR", "not empty: no colour on a terminal"},
	} {
		h.entry(r[0], r[1], flagColumn)
	}
}

func (h *helper) see(front bool, t *Tool) {
	if len(t.See) == 0 {
		return
	}
	h.section("See also")
	var names []string
	for _, n := range t.See {
		if _, ok := homes[n]; ok {
			n = spellVerb(front, n)
		}
		names = append(names, n)
	}
	h.block(strings.Join(names, ", "), helpIndent)
}

func paragraphs(s string) []string {
	var out []string
	for _, p := range strings.Split(s, "\n\n") {
		if p = strings.Trim(p, "\n"); strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return out
}
