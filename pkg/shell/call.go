package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// later is a place behind everything the command does.
const later = int(^uint(0) >> 1)

// A call is one simple command.
type call struct {
	ctx
	args   []word
	redirs []*syntax.Redirect
	at     place     // where it runs
	input  *document // what it reads, where that stands in the text
	child  bool      // it runs behind a prefix: a cd in it leads nowhere
}

// args evaluates the words of a command.
func (s *script) words(list []*syntax.Word) []word {
	all := make([]word, len(list))
	for i, w := range list {
		all[i] = wordOf(s.src, w)
	}
	return all
}

// simple reads a simple command and its redirects.
func (r *reading) simple(x *syntax.CallExpr, redirs []*syntax.Redirect, c ctx) {
	k := call{ctx: c, redirs: redirs, at: c.sc.cur, input: c.stdin}
	if x != nil {
		for _, a := range x.Assigns {
			r.substs(a, c)
		}
		for _, w := range x.Args {
			r.substs(w, c)
		}
		k.args = c.in.words(x.Args)
	}
	for _, rd := range redirs {
		r.substs(rd.Word, c)
		if rd.Hdoc != nil {
			r.substs(rd.Hdoc, c)
		}
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			d := c.in.document(rd)
			k.input = &d
		case syntax.WordHdoc:
			d := document{word: wordOf(c.in.src, rd.Word), closed: true}
			d.text += "\n"
			d.mask = append(slices.Clip(d.mask), quoted)
			d.exact = true
			k.input = &d
		case syntax.RdrIn:
			k.input = nil
		}
	}
	early := 0
	if len(k.args) > 0 {
		for early < len(redirs) && int(redirs[early].Pos().Offset()) < k.args[0].pos {
			early++
		}
	}
	at, place := len(r.ops), k.at
	r.redirects(redirs[:early], c, place)
	if len(k.args) > 0 {
		r.mention(k.args[1:])
		r.command(&k)
	}
	r.redirects(redirs[early:], c, place)
	r.claimOf(&k, at)
}

// mention notes which functions are named in the words of a command.
func (r *reading) mention(args []word) {
	for _, w := range args {
		if f := r.funcs[w.text]; f != nil {
			f.named = true
		}
	}
}

// redirects adds a row for each file that a redirect writes.
func (r *reading) redirects(list []*syntax.Redirect, c ctx, at place) {
	for _, rd := range list {
		e := Writes
		switch rd.Op {
		case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob, syntax.DplOut:
		case syntax.AppOut, syntax.AppAll, syntax.AppClob, syntax.AppAllClob:
			e = Appends
		default:
			continue
		}
		w := wordOf(c.in.src, rd.Word)
		if rd.Op == syntax.DplOut && !dupTarget(w) || procSubst(rd.Word) {
			continue
		}
		r.add("redirect", e, w, at)
	}
}

// dupTarget says whether the word behind >& is a file: not a descriptor, not
// the dash that closes one, and not something that may be either.
func dupTarget(w word) bool {
	return w.text != "" && !w.expands() && strings.Trim(w.text, "0123456789-") != ""
}

// procSubst says whether w is >(...) or <(...).
func procSubst(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return false
	}
	_, ok := w.Parts[0].(*syntax.ProcSubst)
	return ok
}

// add notes that verb does e to the file that w names, at p.
func (r *reading) add(verb string, e Effect, w word, p place) {
	if w.text == "" || isDevice(w.text) || w.mask[0] == expand && strings.HasPrefix(w.text[1:], "(") && w.text[0] != '$' {
		return // the last is >(command)
	}
	name, verbatim, res := p.resolve(w)
	o := Op{Verb: verb, Path: name, Verbatim: verbatim, Resolution: res, Effect: e}
	if res == Unresolved {
		o.Pattern = r.pattern(p, w)
	}
	r.ops = append(r.ops, o)
}

func (r *reading) addAll(verb string, e Effect, list []word, p place) {
	for _, w := range list {
		r.add(verb, e, w, p)
	}
}

// mark adds a marker of class: "git", "commit".
func (r *reading) mark(class, name string) {
	r.ops = append(r.ops, Op{Verb: class, Path: class + ":" + name, Marker: true})
}

// isDevice says whether a name is one that no file stands behind.
func isDevice(name string) bool {
	if notFiles[name] {
		return true
	}
	return slices.ContainsFunc(notFileDirs, func(d string) bool { return strings.HasPrefix(name, d) })
}

// head gives the name of a command: without its directory, and without the
// extension that Windows adds. "" when a variable decides.
func head(w word) string {
	text, ok := w.literal()
	if !ok {
		return ""
	}
	if i := strings.LastIndexAny(text, `/\`); i >= 0 {
		text = text[i+1:]
	}
	for _, ext := range [...]string{".exe", ".cmd", ".bat"} {
		text = strings.TrimSuffix(text, ext)
	}
	return text
}

// command reads the words of a simple command.
func (r *reading) command(k *call) {
	if !r.unwrap(k) {
		return
	}
	name := head(k.args[0])
	if name == "" || r.builtin(k, name) {
		return
	}
	if f := r.funcs[name]; f != nil && !k.child {
		r.callFunction(f, k)
		return
	}
	if r.tool(k, name) || remoteHeads[name] {
		return
	}
	v, ok := verbs[version(name)]
	if !ok {
		return
	}
	r.verb(k, version(name), v)
}

// known says whether a command stands in one of the tables, alone or as the
// first word of an entry.
func known(name string) bool {
	switch name {
	case "cd", "pushd", "popd", "eval", "trap", "exit", "return":
		return true
	}
	_, isVerb := verbs[version(name)]
	_, isPrefix := prefixes[name]
	_, isManager := managers[name]
	_, isUnpacker := unpackers[name]
	_, isOutput := outputs[name]
	return isVerb || isPrefix || isManager || isUnpacker || isOutput || formatters[name] != nil || twoWords[name]
}

// twoWords are the first words of prefixes and outputs that take two.
var twoWords = func() map[string]bool {
	first := map[string]bool{}
	for k := range prefixes {
		w, _, _ := strings.Cut(k, " ")
		first[w] = true
	}
	for k := range outputs {
		w, _, _ := strings.Cut(k, " ")
		first[w] = true
	}
	return first
}()

// version strips a version from the name of an interpreter: python3.11.
func version(name string) string {
	for _, lang := range [...]string{"python3", "python2", "python", "pypy3", "ruby", "node", "perl"} {
		if rest, ok := strings.CutPrefix(name, lang); ok && strings.Trim(rest, ".0123456789") == "" {
			return lang
		}
	}
	return name
}

// builtin does what changes the shell itself; true when name is one of these.
func (r *reading) builtin(k *call, name string) bool {
	switch name {
	case "cd", "pushd", "popd":
		if !k.child {
			r.chdir(k, name)
		}
	case "eval":
		r.eval(k)
	case "trap":
		r.trap(k)
	case "exit", "return":
		if len(k.args) < 2 || k.args[1].is("0") || k.args[1].expands() {
			r.left = true
		}
	default:
		return false
	}
	return true
}

// chdir follows cd, pushd and popd.
func (r *reading) chdir(k *call, name string) {
	var dirs []word
	for i, w := range k.args[1:] {
		if w.is("--") {
			dirs = append(dirs, k.args[i+2:]...)
			break
		}
		if !isFlag(w) {
			dirs = append(dirs, w)
		}
	}
	sc := k.sc
	shaky := k.silenced()
	switch {
	case name == "popd":
		n := len(sc.stack)
		if n == 0 || len(k.args) > 1 {
			sc.lost()
			return
		}
		sc.prev, sc.cur = sc.cur, sc.stack[n-1]
		sc.cur.inferred = true
		sc.stack = sc.stack[:n-1]
	case len(dirs) != 1:
		sc.lost() // home, or the top two of the stack change places
	case dirs[0].is("-"):
		sc.back()
	case name == "pushd":
		if strings.HasPrefix(dirs[0].text, "+") {
			sc.lost()
			return
		}
		sc.stack = append(sc.stack, sc.cur)
		sc.to(dirs[0], shaky)
	default:
		sc.to(dirs[0], shaky)
	}
}

// silenced says whether the command's stderr goes elsewhere, so that it may
// fail without a word.
func (k *call) silenced() bool {
	return slices.ContainsFunc(k.redirs, silences)
}

func silences(rd *syntax.Redirect) bool {
	switch rd.Op {
	case syntax.RdrAll, syntax.AppAll, syntax.RdrAllClob, syntax.AppAllClob:
		return true
	}
	return rd.N != nil && rd.N.Value == "2"
}

// eval reads the script that the words of eval make, in this shell.
func (r *reading) eval(k *call) {
	var text []string
	for _, w := range k.args[1:] {
		text = append(text, w.text)
	}
	r.script(word{text: strings.Join(text, " ")}, k.ctx)
}

// trap keeps a handler for the end of the command.
func (r *reading) trap(k *call) {
	_, words := options(k.args[1:], flagSet{})
	if len(words) < 2 || words[0].is("-") {
		return
	}
	c := k.ctx.unsure()
	r.blind = append(r.blind, later)
	if len(r.traps) < maxTraps {
		r.traps = append(r.traps, nested{text: words[0], ctx: c})
	}
}

const maxTraps = 64

// callFunction reads the body of a function where it is called.
func (r *reading) callFunction(f *function, k *call) {
	f.called = true
	if f.busy || r.depth >= maxDepth || r.steps >= maxSteps {
		return
	}
	f.busy = true
	r.depth++
	c := k.ctx.unsure()
	c.in = f.in
	r.stmt(f.body, c)
	r.depth--
	f.busy = false
}

// unwrap takes the prefixes off a command: sudo -u x env A=b nice. False when
// nothing is left to be run.
func (r *reading) unwrap(k *call) bool {
	for range maxPrefixes {
		if len(k.args) == 0 {
			return false
		}
		name := head(k.args[0])
		p, n, ok := prefixOf(name, k.args)
		if !ok {
			return true
		}
		if name == "exec" { // nothing follows, or what follows speaks to nobody
			r.left = true
		}
		rest, runs := p.strip(k.args[n:], k)
		if !runs {
			return false
		}
		if !p.inShell {
			k.child = true
		}
		k.args = rest
	}
	return len(k.args) > 0
}

const maxPrefixes = 16

// prefixOf looks for a prefix at the start of args; n is how many words it is.
func prefixOf(name string, args []word) (p prefix, n int, ok bool) {
	if name == "" {
		return p, 0, false
	}
	key := name
	for n = 1; n <= 3; n++ {
		if p, ok = prefixes[key]; ok {
			return p, n, true
		}
		if n >= len(args) {
			break
		}
		sub, lit := args[n].literal()
		if !lit || n == 1 && (name == "yarn" || name == "pnpm" || name == "bun") && formatters[sub] != nil {
			return prefix{}, 1, lit // yarn prettier runs prettier
		}
		key += " " + sub
	}
	return p, 0, false
}

// strip takes the flags of a prefix and its own operands off args. runs is
// false when no command is run.
func (p prefix) strip(args []word, k *call) (rest []word, runs bool) {
	left := p.operands
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.is("--"):
			if left == 0 {
				return p.named(args[i+1:]), i+1 < len(args)
			}
		case isFlag(w):
			if typedFlag(args[i:i+1], p.query) {
				return nil, false
			}
			opts, used := readFlag(args[i:], p.flags)
			for _, o := range opts {
				if o.has && listed(p.chdir, o.name) {
					k.chdirTo(o.value)
				}
			}
			i += used - 1
		case p.assigns && assignment(w):
		case left > 0:
			left--
		default:
			return p.named(args[i:]), true
		}
	}
	return nil, false
}

// named strips the version off the command that a package runner runs.
func (p prefix) named(args []word) []word {
	if !p.package_ || len(args) == 0 {
		return args
	}
	w := args[0]
	if i := strings.LastIndexByte(w.text, '@'); i > 0 {
		w = word{text: w.text[:i], mask: w.mask[:i], pos: w.pos}
		args = append([]word{w}, args[1:]...)
	}
	return args
}

// chdirTo is a prefix's own change of directory (env -C): it holds for this
// command only.
func (k *call) chdirTo(w word) {
	k.sc = k.sc.fork()
	k.sc.to(w, false)
	k.at = k.sc.cur
	k.ctx = k.ctx.unsure()
}

// assignment says whether w is NAME=value.
func assignment(w word) bool {
	eq := strings.IndexByte(w.text, '=')
	if eq <= 0 || !wordByte(w.text[0]) {
		return false
	}
	for i := 0; i < eq; i++ {
		if !wordByte(w.text[i]) {
			return false
		}
	}
	return true
}
