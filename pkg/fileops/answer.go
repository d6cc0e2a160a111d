package fileops

import (
	"bytes"
	"strconv"
	"strings"

	"csift/pkg/record"
	"csift/pkg/replay"
	"csift/pkg/shell"
)

// answer tells what a result record says of targets.
func (c *recall) answer(a *answer) error {
	if !c.once(a.loc, "answer") {
		return nil
	}
	calls := map[string]*call{}
	for _, f := range a.calls {
		in, err := c.input(f)
		if err != nil {
			return err
		}
		calls[f.id] = &call{find: f, input: in}
	}
	r, err := c.record(a.loc)
	if err != nil {
		return err
	}
	at := c.place(a.loc, r.Timestamp.String())
	n := 0
	for i := range r.Blocks {
		if r.Blocks[i].Type.Is("tool_result") {
			n++
		}
	}
	stated := map[string]bool{} // files whose new bytes the record tells, with one kind of slash
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if !b.Type.Is("tool_result") {
			continue
		}
		g := given{block: b, cwd: r.CWD.String(), version: r.Version.String()}
		if n == 1 {
			g.result = r.Result.Raw
		}
		k := calls[b.ToolUseID.String()]
		if k == nil {
			k = &call{find: &find{}}
		}
		c.one(k, &g, at, stated)
	}
	for _, p := range hinted(r) {
		if stated[slashes(resolved(p, r.CWD.String()))] {
			continue
		}
		c.add(p, r.CWD.String(), at, replay.Event{Kind: replay.Hint, Detail: "named in a command's result"})
	}
	return nil
}

// call is a call that concerns a target; its tool is "" when it is not in the file.
type call struct {
	*find
	input record.Raw
}

// given is what a record says about one call.
type given struct {
	block        *record.Block
	result       record.Raw // toolUseResult, when it is about this call alone
	cwd, version string
}

func (g *given) text() string { return string(resultText(nil, g.block)) }

// one tells what came of one call. stated takes the files whose bytes a command's record tells.
func (c *recall) one(k *call, g *given, at replay.Place, stated map[string]bool) {
	tool := k.tool
	if tool == "" {
		tool = toolOf(g.result)
	}
	p, cwd := k.path, k.cwd
	if q := resultPath(g.result); q != "" && (p == "" || c.target(p, cwd) < 0) {
		p, cwd = q, g.cwd
	}
	if tool == bashTool {
		c.ran(k, g, at, stated)
		return
	}
	var e replay.Event
	switch {
	case tool == "" || tool == powerShellTool:
		return
	case g.block.IsError:
		e = failed(tool, g.text())
	case tool == "Read":
		e = c.readOf(k, g)
	case tool == "Write":
		e = writeEvent(k, g)
	case tool == "NotebookEdit":
		e = notebookEvent(g.result)
	default:
		e = editEvent(k, g)
	}
	c.add(p, cwd, at, e)
}

// toolOf tells by the shape of a result which tool gave it, "" when it does not tell.
func toolOf(v record.Raw) string {
	switch {
	case v.Get("file").IsObject():
		return "Read"
	case v.Get("edits").IsArray():
		return "MultiEdit"
	case v.Get("oldString").Str() != nil:
		return "Edit"
	case v.Get("notebook_path").Str() != nil:
		return "NotebookEdit"
	case v.Get("filePath").Str() != nil && v.Get("content").Str() != nil:
		return "Write"
	case v.Get("stdout").Str() != nil:
		return bashTool
	}
	return ""
}

// What the results of calls that changed nothing start with, and the word each is counted under.
var refusals = []struct{ text, note string }{
	{"File has not been read yet", "not_read"},
	{"String to replace not found in file", "string_not_found"},
	{"File does not exist", "file_missing"},
}

func failed(tool, text string) replay.Event {
	if tool != "Read" && strings.Contains(text, modifiedSince) {
		return replay.Event{Kind: replay.Rejected}
	}
	for _, r := range refusals {
		if strings.Contains(text, r.text) {
			return replay.Event{Kind: replay.Failed, Note: r.note}
		}
	}
	return replay.Event{Kind: replay.Failed, Note: "failed_" + strings.ToLower(tool)}
}

// readEvent reads {type, file} as a Read's result has it, and an attachment's content.
func readEvent(v record.Raw) replay.Event {
	f := v.Get("file")
	e := replay.Event{
		Kind: replay.Read, Start: number(f.Get("startLine")), Count: number(f.Get("numLines")), Total: number(f.Get("totalLines")),
		Cut: f.Get("truncatedByTokenCap").True(),
	}
	if s := f.Get("content").Str(); s != nil && (v.Get("type").Str() == nil || v.Get("type").Str().Is("text")) {
		e.Text, e.HasText = s.String(), true
	}
	return e
}

func number(v record.Raw) int {
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0
	}
	return n
}

// readOf gives what a Read showed. Without toolUseResult (a subagent's transcript lacks it from 2.1.258 on) only the text
// that the model got is there: numbered lines.
func (c *recall) readOf(k *call, g *given) replay.Event {
	if g.result.IsObject() {
		return readEvent(g.result)
	}
	e := replay.Event{Kind: replay.Read}
	text, start, n, whole := ungutter(g.text())
	if n == 0 || strings.Contains(text, cutLine) {
		return e
	}
	e.Text, e.HasText, e.Start, e.Count = text, true, start, n
	if whole && start == 1 && n < fullPage && k.input.Get("limit") == nil {
		e.Total = n
	}
	return e
}

const (
	// fullPage is how many lines a Read gives at most unless it is told otherwise: so many may be a part of the file.
	fullPage = 2000
	// cutLine ends a line that was too long to be shown.
	cutLine = "... [truncated]"
)

// ungutter takes the line numbers off what a Read gave to the model. Between number and text stands an arrow up to Claude
// Code 2.1.81 and a tab from 2.1.89 on; the number may be padded. n is how many lines there are; whole says that nothing
// but them was there, no reminder and no word about a part.
func ungutter(s string) (text string, start, n int, whole bool) {
	var b strings.Builder
	for len(s) > 0 {
		line, rest, more := strings.Cut(s, "\n")
		num, after, found := gutter(line)
		if !found || n > 0 && num != start+n {
			break
		}
		if n == 0 {
			start = num
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(after)
		if n++; !more {
			return b.String(), start, n, true
		}
		s = rest
	}
	return b.String(), start, n, false
}

func gutter(line string) (num int, text string, ok bool) {
	s := strings.TrimLeft(line, " ")
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return 0, "", false
	}
	num, _ = strconv.Atoi(s[:i])
	if t, found := strings.CutPrefix(s[i:], "\u2192"); found {
		return num, t, true
	}
	t, found := strings.CutPrefix(s[i:], "\t")
	return num, t, found
}

// writeEvent gives what a Write wrote: what its result says, else what it was asked to.
func writeEvent(k *call, g *given) replay.Event {
	e := replay.Event{Kind: replay.Write, Create: g.result.Get("type").Str().Is("create")}
	s := g.result.Get("content").Str()
	if s == nil {
		s = k.input.Get("content").Str()
	}
	if s != nil {
		e.Text, e.HasText = s.String(), true
	}
	if s := g.result.Get("originalFile").Str(); s != nil {
		e.Original, e.HasOriginal = s.String(), true
	}
	return e
}

// editEvent gives what an Edit or MultiEdit changed.
func editEvent(k *call, g *given) replay.Event {
	e := replay.Event{Kind: replay.Edit, Stale: g.result.Get("staleRecovered").True()}
	from, keys := g.result, [3]string{"oldString", "newString", "replaceAll"}
	list := g.result.Get("edits")
	if from.Get("oldString").Str() == nil && list == nil {
		from, keys = k.input, [3]string{"old_string", "new_string", "replace_all"}
		list = k.input.Get("edits")
	}
	one := func(v record.Raw, keys [3]string) {
		if old, now := v.Get(keys[0]).Str(), v.Get(keys[1]).Str(); old != nil && now != nil {
			e.Edits = append(e.Edits, replay.Replacement{Old: old.String(), New: now.String(), All: v.Get(keys[2]).True()})
		}
	}
	if list.IsArray() {
		list.Items(func(v record.Raw) { one(v, [3]string{"old_string", "new_string", "replace_all"}) })
	} else {
		one(from, keys)
	}
	e.Hunks = hunks(g.result.Get("structuredPatch"))
	for _, key := range []string{"originalFile", "originalFileContents"} { // the second is MultiEdit's
		if s := g.result.Get(key).Str(); s != nil {
			e.Original, e.HasOriginal = s.String(), true
		}
	}
	// The client takes an empty old text for a file that is not there, or is empty.
	e.Create = len(e.Edits) == 1 && e.Edits[0].Old == "" && e.Original == ""
	return e
}

// hunks reads a structuredPatch.
func hunks(v record.Raw) (out []replay.Hunk) {
	v.Items(func(h record.Raw) {
		k := replay.Hunk{OldStart: number(h.Get("oldStart")), OldLines: number(h.Get("oldLines")), NewStart: number(h.Get("newStart")), NewLines: number(h.Get("newLines"))}
		h.Get("lines").Items(func(l record.Raw) { k.Lines = append(k.Lines, l.Str().String()) })
		out = append(out, k)
	})
	return out
}

// notebookEvent gives what a NotebookEdit left behind. Its result states the whole file from 2.0.77 on.
func notebookEvent(v record.Raw) replay.Event {
	if s := v.Get("error").Str(); len(s) > 0 {
		return replay.Event{Kind: replay.Failed, Note: "failed_notebookedit"}
	}
	if s := v.Get("updated_file").Str(); len(s) > 0 {
		return replay.Event{Kind: replay.Write, Text: s.String(), HasText: true}
	}
	return replay.Event{Kind: replay.Notebook}
}

// ran tells what a command of Bash did to targets: what it states outright where its result lets that stand, else
// that it seems to have changed them.
func (c *recall) ran(k *call, g *given, at replay.Place, stated map[string]bool) {
	diff := readBashDiff(g.result)
	words := k.input.Get("command").Str().String()
	for _, n := range shell.Anchors(words, k.cwd) {
		if c.target(n.Path, "") < 0 || !admitted(&n, g) {
			continue
		}
		e := replay.Event{Label: n.Label, HasText: true}
		switch n.Kind {
		case shell.WriteAnchor:
			e.Kind, e.Text = replay.ShellWrite, string(n.Body)
		case shell.AppendAnchor:
			e.Kind, e.Text = replay.ShellAppend, string(n.Body)
		case shell.ReadAnchor:
			e.Kind, e.Text, e.Start = replay.ShellRead, g.result.Get("stdout").Str().String(), max(1, n.From)
			e.Text, e.Cut = uncut(e.Text)
			if n.To > 0 {
				e.Count = n.To - e.Start + 1
			}
		}
		if n.Kind != shell.ReadAnchor {
			stated[slashes(n.Path)] = true
		}
		c.add(n.Path, "", at, e)
	}
	if diff != nil {
		for i := range diff.files {
			if d := &diff.files[i]; !stated[slashes(d.path)] && c.target(d.path, "") >= 0 {
				stated[slashes(d.path)] = true
				c.add(d.path, "", at, diffEvent(d))
			}
		}
	}
	how := ""
	if g.block.IsError {
		how = "the command failed"
	}
	c.mutations(shell.Ops(words, k.cwd), at, how, stated)
}

// uncut takes off the words with which Claude Code ends an output that it cut at 30,000 characters (1.0.128, 2.0.77), and
// the line before them, which may have been cut in the middle.
func uncut(out string) (text string, cut bool) {
	const open, shut = "\n\n... [", " lines truncated] ..."
	rest, ok := strings.CutSuffix(out, shut)
	if !ok {
		return out, false
	}
	i := len(strings.TrimRight(rest, "0123456789"))
	if text, ok = strings.CutSuffix(rest[:i], open); !ok || i == len(rest) {
		return out, false
	}
	return text[:max(0, strings.LastIndexByte(text, '\n'))], true
}

// admitted reports whether the result of a command lets an anchor stand. A single command has to have succeeded; of
// several, no word on stderr and no interruption may hint at one that did not; a read needs its output.
func admitted(n *shell.Anchor, g *given) bool {
	if g.block.IsError || g.result.Get("interrupted").True() {
		return false
	}
	out, errs := g.result.Get("stdout").Str(), g.result.Get("stderr").Str()
	for _, key := range []string{"backgroundTaskId", "timedOutAfterMs"} {
		if v := g.result.Get(key); v != nil && string(v) != "null" {
			return false
		}
	}
	if n.Kind == shell.ReadAnchor {
		return n.Simple && out != nil && len(errs) == 0 && errs != nil && g.result.Get("persistedOutputPath") == nil && !g.result.Get("isImage").True()
	}
	return n.Simple || out != nil && errs != nil && len(bytes.TrimSpace(errs)) == 0
}

// diffEvent gives what Claude Code itself says a command did to a file.
func diffEvent(d *diffFile) replay.Event {
	hs := hunks(d.hunks)
	switch {
	case d.deleted:
		return replay.Event{Kind: replay.Mutation, Detail: "removed, as the command's result says"}
	case len(hs) == 0:
		return replay.Event{Kind: replay.Hint, Detail: "changed, as the command's result says"}
	}
	if text, ok := made(d, hs); ok {
		return replay.Event{Kind: replay.Write, Text: text, HasText: true, Create: true}
	}
	return replay.Event{Kind: replay.Edit, Hunks: hs, Detail: "as the command's result says"}
}

// made gives the text of a file that a command made, when one hunk shows all of it. A line that starts with two blanks may
// stand for one with a tab, see the client's patches, so it proves nothing.
func made(d *diffFile, hs []replay.Hunk) (string, bool) {
	if !d.created || len(hs) != 1 || hs[0].OldLines != 0 || hs[0].NewStart > 1 {
		return "", false
	}
	var b strings.Builder
	n := 0
	for i, l := range hs[0].Lines {
		switch {
		case strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "+  "):
			n++
			b.WriteString(l[1:])
			b.WriteByte('\n')
		case strings.HasPrefix(l, `\`) && i == len(hs[0].Lines)-1:
			return strings.TrimSuffix(b.String(), "\n"), n == hs[0].NewLines
		default:
			return "", false
		}
	}
	return b.String(), n == hs[0].NewLines
}
