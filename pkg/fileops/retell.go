package fileops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/replay"
	"csift/pkg/shell"
	"csift/pkg/transcript"
)

// recall makes the Recall of one transcript.
type recall struct {
	*telling
	asked
	out   *Recall
	files map[string]*History // by path with one kind of slash
	loose []looseEvent        // of commands whose path cannot be told: they concern each file that it may be
	done  map[string]bool     // uuids of records that were told; a copy that comes later is not told again
	store store
}

// looseEvent is an event of a file whose path cannot be told.
type looseEvent struct {
	target  int // -1: what is typed names none
	typed   string
	pattern string // of the files that it may be, "" for each of the target
	gone    bool   // removed or moved: with it what lies in it
	skip    map[string]bool
	event   replay.Event
}

// mayBe reports whether a file may be meant. What removes a directory removes what lies in it.
func (l *looseEvent) mayBe(h *History) bool {
	glob, p := l.pattern, slashes(h.Path)
	switch {
	case l.skip[p]:
		return false
	case glob == "":
		return h.Target == l.target
	}
	if windows(h.Path) {
		glob, p = strings.ToLower(glob), strings.ToLower(p)
	}
	return doublestar.MatchUnvalidated(glob, p) || l.gone && doublestar.MatchUnvalidated(glob+"/**", p)
}

// NoResult counts calls that would change the file and have no result: whether they were done is not known.
const NoResult = "no_result"

// answer is a result record and those of the calls it answers that concern a target.
type answer struct {
	loc   transcript.Loc
	calls []*find
}

func (c *recall) all() error {
	c.files, c.done, c.store = map[string]*History{}, map[string]bool{}, newStore(c.opt.Root, c.src)
	var answers []answer
	at := map[transcript.Loc]int{}
	answered := func(l transcript.Loc, call *find) {
		i, ok := at[l]
		if !ok {
			i = len(answers)
			at[l] = i
			answers = append(answers, answer{loc: l})
		}
		if call != nil {
			answers[i].calls = append(answers[i].calls, call)
		}
	}
	var alone []*find // what is told at its own place
	for i := range c.finds {
		f := &c.finds[i]
		switch f.kind {
		case aCall:
			if p := c.s.Call(f.id, f.loc.Line, false); p.Found {
				answered(p.Other, f)
			} else {
				alone = append(alone, f)
			}
			if err := c.account(f); err != nil {
				return err
			}
		case aResult:
			answered(f.loc, nil)
		default:
			alone = append(alone, f)
		}
	}
	slices.SortStableFunc(answers, func(a, b answer) int { return compareLocs(a.loc, b.loc) })
	for _, f := range alone {
		if err := c.alone(f); err != nil {
			return err
		}
	}
	for i := range answers {
		if err := c.answer(&answers[i]); err != nil {
			return err
		}
	}
	return c.finish()
}

func compareLocs(a, b transcript.Loc) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Part, b.Part))
}

// once reports whether a record is told for the first time. Claude Code may write a record again, after a compaction or a
// branch; what happened happened when it was written first.
func (c *recall) once(l transcript.Loc, what string) bool {
	uuid := c.s.UUID(l.Line, l.Part)
	if uuid == "" {
		return true
	}
	if c.done[uuid+what] {
		return false
	}
	c.done[uuid+what] = true
	return true
}

// account notes a call of a shell whose effect on files is not in its words.
func (c *recall) account(f *find) error {
	if f.tool != bashTool && f.tool != powerShellTool || !c.once(f.loc, "account"+f.id) {
		return nil
	}
	command, err := c.command(f)
	if err != nil {
		return err
	}
	cmd := Command{At: c.place(f.loc, f.stamp), Class: f.tool, Text: command}
	if f.tool == powerShellTool {
		c.out.PowerShell = append(c.out.PowerShell, cmd)
		return nil
	}
	for _, o := range shell.Opaque(shell.Ops(command, f.cwd)) {
		cmd.Class = o.Path
		c.out.Opaque = append(c.out.Opaque, cmd)
	}
	return nil
}

// input reads the input of a call again.
func (c *recall) input(f *find) (record.Raw, error) {
	if f.in.n == 0 {
		return nil, nil
	}
	b, err := c.at(f.in.off, f.in.n)
	if err != nil {
		return nil, err
	}
	p := jsonl.NewPull(b)
	if p.Skip(); p.Err() || p.Pos() != len(b) {
		return nil, transcript.ErrMoved
	}
	return slices.Clone(b), nil
}

func (c *recall) command(f *find) (string, error) {
	in, err := c.input(f)
	return in.Get("command").Str().String(), err
}

// add enters an event of a file.
func (c *recall) add(p, cwd string, at replay.Place, e replay.Event) {
	target := c.target(p, cwd)
	if target < 0 {
		return
	}
	p = resolved(p, cwd)
	key := slashes(p)
	if windows(p) {
		key = strings.ToLower(key)
	}
	h := c.files[key]
	if h == nil {
		h = &History{Target: target, Path: p}
		c.files[key] = h
	}
	e.At = at
	h.Events = append(h.Events, e)
}

// alone tells what has no result: calls that were not answered, attachments and file-history lines.
func (c *recall) alone(f *find) error {
	at := c.place(f.loc, f.stamp)
	switch {
	case f.kind == aVersion:
		for _, v := range f.vers {
			e := replay.Event{Kind: replay.History, Version: v.n}
			p := v.path(c.start())
			var err error
			if e.Text, e.HasText, err = c.store.text(&v); err != nil {
				c.out.Copies = append(c.out.Copies, err)
			}
			c.add(p, "", c.place(f.loc, v.told), e)
		}
	case !c.once(f.loc, f.id):
	case f.kind == anAttachment:
		r, err := c.record(f.loc)
		if err != nil {
			return err
		}
		c.attachment(f, at, r.Attachment)
	case f.tool == bashTool:
		command, err := c.command(f)
		if err != nil {
			return err
		}
		c.mutations(shell.Ops(command, f.cwd), at, "no result", nil)
	case f.path != "":
		e := replay.Event{Kind: replay.Failed, Note: NoResult}
		if f.tool == "Read" {
			e.Note = "read_no_result"
		}
		c.add(f.path, f.cwd, at, e)
	}
	return nil
}

func (c *recall) attachment(f *find, at replay.Place, v record.Raw) {
	if v.Get("type").Str().Is("file") {
		e := readEvent(v.Get("content"))
		e.Cut = e.Cut || v.Get("truncated").True()
		c.add(f.path, f.cwd, at, e)
		return
	}
	e := replay.Event{Kind: replay.External}
	if v.Get("snippet").Str().String() == "" {
		e.Detail = "the snippet is empty: too much was changed to be shown"
	}
	c.add(f.path, f.cwd, at, e)
}

// mutations tells what a command's words do to targets; how says more of all of them, and skip leaves paths out.
func (c *recall) mutations(ops []shell.Op, at replay.Place, how string, skip map[string]bool) {
	for i := range ops {
		o := &ops[i]
		if !c.op(o) && o.Pattern == "" || skip[slashes(o.Path)] {
			continue
		}
		e := replay.Event{Kind: replay.Mutation, Detail: o.Verb + " (" + o.Resolution + ")"}
		if o.Resolution == shell.Unresolved {
			e.Detail = o.Verb + " of " + o.Path + " (" + o.Resolution + ")"
		}
		if how != "" {
			e.Detail += ", " + how
		}
		if o.Resolution == shell.Unresolved {
			e.At = at
			c.loose = append(c.loose, looseEvent{c.target(o.Path, ""), o.Path, o.Pattern, o.Effect == shell.Removes || o.Effect == shell.Moves, skip, e})
			continue
		}
		c.add(o.Path, "", at, e)
	}
}

// finish hands loose events to the files they may concern, and puts everything in order.
func (c *recall) finish() error {
	keys := make([]string, 0, len(c.files))
	for k := range c.files {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for i := range c.loose {
		l := &c.loose[i]
		found := l.target < 0
		for _, k := range keys {
			h := c.files[k]
			if found = found || h.Target == l.target; l.mayBe(h) {
				h.Events = append(h.Events, l.event)
			}
		}
		if !found {
			c.add(l.typed, "", l.event.At, l.event)
		}
	}
	if err := c.above(keys); err != nil {
		return err
	}
	for _, h := range c.files {
		slices.SortStableFunc(h.Events, func(a, b replay.Event) int {
			return cmp.Or(cmp.Compare(a.At.SourceLine, b.At.SourceLine), cmp.Compare(a.At.Part, b.At.Part))
		})
		for i := range h.Events {
			h.Events[i].At.Part = 0
			if i > 0 && h.Events[i-1].At.SourceLine == h.Events[i].At.SourceLine {
				h.Events[i].At.Part = h.Events[i-1].At.Part + 1
			}
		}
		c.name(h)
		c.out.Files = append(c.out.Files, *h)
	}
	slices.SortFunc(c.out.Files, func(a, b History) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), strings.Compare(a.Path, b.Path))
	})
	return nil
}

// above tells of commands that remove or move a directory that a file lies in.
func (c *recall) above(keys []string) error {
	in := make([]*History, 0, len(keys)) // by path: what lies in a directory stands together
	for _, k := range keys {
		in = append(in, c.files[k])
	}
	slices.SortStableFunc(in, func(a, b *History) int { return strings.Compare(slashes(a.Path), slashes(b.Path)) })
	for i := range c.finds {
		f := &c.finds[i]
		if f.tool != bashTool || !c.once(f.loc, "above"+f.id) {
			continue
		}
		command, err := c.command(f)
		if err != nil {
			return err
		}
		for _, o := range shell.Ops(command, f.cwd) {
			if o.Marker || o.Resolution == shell.Unresolved || o.Effect != shell.Removes && o.Effect != shell.Moves {
				continue
			}
			dir := slashes(o.Path) + "/"
			k, _ := slices.BinarySearchFunc(in, dir, func(h *History, dir string) int { return strings.Compare(slashes(h.Path), dir) })
			for ; k < len(in) && strings.HasPrefix(slashes(in[k].Path), dir); k++ {
				l := f.loc
				stamp := f.stamp
				if p := c.s.Call(f.id, f.loc.Line, false); p.Found {
					l, stamp = p.Other, c.stampAt(p.Other, stamp)
				}
				in[k].Events = append(in[k].Events, replay.Event{Kind: replay.Mutation, At: c.place(l, stamp), Detail: o.Verb + " of " + o.Path + " (" + o.Resolution + ")"})
			}
		}
	}
	return nil
}

// name gives external edits the command that most likely made them: the last one before that rewrites files which nobody
// names.
func (c *recall) name(h *History) {
	before := 0
	for i := range h.Events {
		e := &h.Events[i]
		if e.Kind == replay.External {
			// Commands stand in the order of their lines, so that each is looked at for one edit at most.
			from, _ := slices.BinarySearchFunc(c.out.Opaque, e.At.SourceLine, func(o Command, line int) int { return cmp.Compare(o.At.SourceLine, line) })
			for k := from - 1; k >= 0 && c.out.Opaque[k].At.SourceLine > before; k-- {
				o := &c.out.Opaque[k]
				if l := o.At.SourceLine; strings.HasPrefix(o.Class, "fmt:") || strings.HasPrefix(o.Class, "interp:") {
					e.Detail = strings.TrimPrefix(e.Detail+fmt.Sprintf("; %s ran at L%d", o.Class, l), "; ")
					break
				}
			}
		}
		before = e.At.SourceLine
	}
}
