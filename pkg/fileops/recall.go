package fileops

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/shell"
	"csift/pkg/transcript"
)

// Events tells what transcripts say about the targets, with answers as those of Survey. A transcript whose bytes mention
// no target is looked at and not parsed.
func Events(ctx context.Context, srcs []Source, targets []Target, opt Options) ([]*Recall, []error) {
	out := make([]*Recall, len(srcs))
	a := asked{targets: targets, names: indexNames(targets), shells: opt.Shells}
	p := &pass{opt: opt, see: a.see}
	if !opt.Slow {
		p.want = a.gate(`"Bash"`, `"PowerShell"`)
		if p.gate = a.gate(); opt.Shells {
			p.gate = p.want
		}
	}
	p.tell = func(t *telling) error {
		r := &Recall{Facts: t.facts()}
		if r.Found {
			c := recall{telling: t, asked: a, out: r}
			if err := c.all(); err != nil {
				return err
			}
		}
		out[t.index] = r
		return nil
	}
	return out, p.all(ctx, srcs)
}

// asked are the files that events are wanted of.
type asked struct {
	targets []Target
	names   nameIndex
	shells  bool
}

// mostNames is how many names a gate looks for; beyond that every line is looked at.
const mostNames = 64

// gate finds the lines that may mention a target, in any JSON spelling and any case, which says nothing on Windows, or hold
// one of a few raw literals.
func (a *asked) gate(raw ...string) *match.Prefilter {
	var names []string
	for i := 0; i < len(a.targets) && len(names) <= mostNames; i++ {
		if n := regexp.QuoteMeta(a.targets[i].Name()); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 && len(raw) > 0 { // only the shells are asked for
		return gateOf(powerShellTool, raw...)
	}
	if len(names) == 0 || len(names) > mostNames {
		return nil
	}
	m, err := match.Compile(strings.Join(names, "|"), match.Options{IgnoreCase: true})
	if err != nil {
		return nil
	}
	return m.Prefilter(raw)
}

// target gives the first target that a path is, -1 for none. A relative path counts with the directory it was named in too.
func (a *asked) target(p, cwd string) int {
	if p == "" {
		return -1
	}
	full := resolved(p, cwd)
	is := func(i int) bool { return a.targets[i].Matches(full) || a.targets[i].Matches(p) }
	if path.Base(slashes(full)) == path.Base(slashes(p)) {
		return a.names.first(full, is)
	}
	one, two := a.names.first(full, is), a.names.first(p, is) // the path ends in ..
	if one < 0 || two >= 0 && two < one {
		return two
	}
	return one
}

// named reports whether a text spells the name of some target, in any case: then the line it is on went through the gate.
func (a *asked) named(text string) bool {
	return a.names.in(text, func(int) bool { return true })
}

// see keeps what mentions a target, and, weakly, the shell's calls: what they do to a target may not be in their words.
func (a *asked) see(w *worker, r *record.Record, loc transcript.Loc) (out []find) {
	f := find{loc: loc, stamp: r.Timestamp.String(), cwd: r.CWD.String()}
	switch {
	case r.Type.Is("assistant"):
		for i := range r.Blocks {
			if b := &r.Blocks[i]; b.Type.Is("tool_use") && a.seeCall(b, &f) {
				f.in = w.spanOf(b.Input)
				out = append(out, f)
			}
		}
	case r.Type.Is("user"):
		if a.seeResult(r) {
			f.kind = aResult
			out = append(out, f)
		}
	case r.Type.Is("attachment"):
		if p := attached(r.Attachment); a.target(p, f.cwd) >= 0 {
			f.kind, f.path = anAttachment, p
			out = append(out, f)
		}
	default:
		if f.vers = versions(r, a.mayBe); len(f.vers) > 0 {
			f.kind = aVersion
			out = append(out, f)
		}
	}
	return out
}

// mayBe reports whether a path that may be relative can be some target.
func (a *asked) mayBe(p string) bool {
	q := slashes(p)
	return a.names.first(p, func(i int) bool {
		t := &a.targets[i]
		return t.Matches(p) || len(q) <= len(t.text) && strings.EqualFold(t.text[len(t.text)-len(q):], q)
	}) >= 0
}

func (a *asked) seeCall(b *record.Block, f *find) bool {
	f.kind, f.id, f.weak, f.ops = aCall, b.ID.String(), false, nil
	switch {
	case wordIs(b.Name, "Read", "Edit", "MultiEdit", "Write", "NotebookEdit"):
		f.tool = b.Name.String()
		f.path = calledPath(f.tool, b.Input)
		return a.target(f.path, f.cwd) >= 0
	case b.Name.Is(powerShellTool):
		f.tool, f.path, f.weak = powerShellTool, "", !a.shells
		return true
	case b.Name.Is(bashTool):
		f.tool, f.path, f.weak = bashTool, "", true
		command := b.Input.Get("command").Str().String()
		ops := shell.Ops(command, f.cwd)
		if slices.ContainsFunc(ops, func(o shell.Op) bool { return a.op(&o) }) ||
			slices.ContainsFunc(shell.Anchors(command, f.cwd), func(n shell.Anchor) bool { return a.target(n.Path, "") >= 0 }) {
			f.weak = !a.named(command)
			return true
		}
		if len(shell.Opaque(ops)) > 0 {
			f.weak = !a.shells
			return true
		}
		return slices.ContainsFunc(ops, func(o shell.Op) bool {
			return o.Pattern != "" || !o.Marker && (o.Effect == shell.Removes || o.Effect == shell.Moves)
		})
	}
	return false
}

// op reports whether a command's words change a target: the path as it resolves, or as it is typed.
func (a *asked) op(o *shell.Op) bool {
	return !o.Marker && (a.target(o.Path, "") >= 0 || a.target(o.Verbatim, "") >= 0)
}

// seeResult reports whether a result states something about a target itself, whatever its call says.
func (a *asked) seeResult(r *record.Record) bool {
	cwd := r.CWD.String()
	if p := resultPath(r.Result.Raw); p != "" {
		return a.target(p, cwd) >= 0
	}
	if d := readBashDiff(r.Result.Raw); d != nil && slices.ContainsFunc(d.files, func(f diffFile) bool { return a.target(f.path, cwd) >= 0 }) {
		return true
	}
	return slices.ContainsFunc(hinted(r), func(p string) bool { return a.target(p, cwd) >= 0 })
}

// resultPath gives the file that the result of a file tool names.
func resultPath(res record.Raw) string {
	for _, v := range []record.Raw{res.Get("filePath"), res.Get("file").Get("filePath"), res.Get("notebook_path")} {
		if s := v.Str(); len(s) > 0 {
			return s.String()
		}
	}
	return ""
}

// attached gives the file whose text, or whose change, an attachment shows.
func attached(v record.Raw) string {
	switch s := v.Get("type").Str(); {
	case s.Is("edited_text_file"):
		return v.Get("filename").Str().String()
	case s.Is("file"): // a file that the person named with @
		return v.Get("content").Get("file").Get("filePath").Str().String()
	}
	return ""
}

// What a command's result says of files that the model had read: the names are relative to the shell's directory, at most
// five, separated by commas (2.1.88 and later). Lanes whose results have no toolUseResult have it in the text.
const (
	hintOpens  = "[This command modified "
	hintNames  = "you've previously read: "
	hintCloses = ". Call Read before editing.]"
)

var hintMore = regexp.MustCompile(` and \d+ more$`)

// hinted gives the files that a result names as modified, as they are spelled there.
func hinted(r *record.Record) []string {
	if text := r.Result.Raw.Get("staleReadFileStateHint").Str(); text != nil {
		return hintedIn(text.String())
	}
	if r.Result.Raw.IsObject() || !bytes.Contains(r.Raw, []byte("This command modified ")) {
		return nil
	}
	var out []string
	for i := range r.Blocks {
		if b := &r.Blocks[i]; b.Type.Is("tool_result") {
			out = append(out, hintedIn(string(resultText(nil, b)))...)
		}
	}
	return out
}

func hintedIn(text string) []string {
	i := strings.LastIndex(text, hintOpens)
	if i < 0 {
		return nil
	}
	_, names, ok := strings.Cut(text[i:], hintNames)
	if !ok {
		return nil
	}
	if k := strings.LastIndex(names, hintCloses); k >= 0 {
		names = names[:k]
	}
	names = hintMore.ReplaceAllString(strings.TrimRight(names, "].\n "), "")
	return strings.Split(names, ", ")
}
