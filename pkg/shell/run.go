package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxDepth = 5       // scripts in scripts: bash -c "bash -c '...'"
	maxEach  = 8       // programs that run programs for each name: find -exec xargs ...
	maxSteps = 1 << 17 // statements, after which no loop is read twice
)

// A reading is what was found in one command: a walk over its text in the
// order in which a shell would come by.
type reading struct {
	whole  bool // the grammar took all of it
	ops    []Op
	claims []claim // bytes stated, not yet checked against the rest
	// blind are places in ops before which something changed files whose names
	// are not in the text.
	blind []int
	funcs map[string]*function
	// loops are what the variables of the loops around a place take.
	loops   map[string][]word
	order   []*function
	traps   []nested
	depth   int
	forEach int
	steps   int
	left    bool // an exit, or what may end the command early, was passed
}

// A function is one that the command defines.
type function struct {
	body   *syntax.Stmt
	in     *script
	sc     *scope
	called bool
	named  bool // its name is a word of some command
	busy   bool
}

// A nested script waits for the end of the command.
type nested struct {
	text word
	ctx  ctx
}

// A ctx is how a statement stands among the others.
type ctx struct {
	in    *script
	sc    *scope
	sure  bool      // when the command succeeds in the open, this ran to its end, once
	last  bool      // its exit status is the command's
	alone bool      // it is the whole command
	stdin *document // what a pipeline gives it, where that stands in the text
	fed   []word    // names that a find before it in the pipeline looks for
}

// unsure is c for what may not run, run twice, or write elsewhere.
func (c ctx) unsure() ctx {
	c.sure, c.last, c.alone, c.stdin, c.fed = false, false, false, nil, nil
	return c
}

// child is c for what runs in a shell of its own.
func (c ctx) child() ctx {
	c.sc = c.sc.fork()
	return c
}

func read(command, cwd string) *reading {
	r := &reading{funcs: map[string]*function{}}
	c := ctx{sc: newScope(cwd), sure: true, last: true}
	r.whole = r.text(command, c)
	for len(r.traps) > 0 {
		t := r.traps[0]
		r.traps = r.traps[1:]
		r.script(t.text, t.ctx)
	}
	r.uncalled()
	return r
}

// text reads a script; whole says that the grammar took it.
func (r *reading) text(src string, c ctx) (whole bool) {
	parts, whole := load(src)
	if whole {
		s := &parts[0].script
		c.in = s
		c.alone = c.sure && len(s.stmts) == 1
		r.stmts(s.stmts, c)
		return true
	}
	scopes := []*scope{c.sc}
	for i := range parts {
		p := &parts[i]
		top := scopes[len(scopes)-1]
		switch p.kind {
		case openPiece:
			scopes = append(scopes, top.fork())
			continue
		case closePiece:
			if len(scopes) > 1 {
				scopes = scopes[:len(scopes)-1]
			}
			continue
		}
		pc := c.unsure()
		pc.in, pc.sc = &p.script, top
		if p.pipe || p.or {
			pc = pc.child()
		}
		r.stmts(p.stmts, pc)
		if p.or {
			top.merge(pc.sc)
		}
	}
	return false
}

// script reads a script that stands in a word of another one.
func (r *reading) script(w word, c ctx) {
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	r.text(w.text, c.unsure())
	r.depth--
}

func (r *reading) stmts(list []*syntax.Stmt, c ctx) {
	for i, s := range list {
		sc := c
		sc.last = c.last && i == len(list)-1
		sc.alone = c.alone && len(list) == 1
		r.stmt(s, sc)
	}
}

// stmt reads one statement with its redirects.
func (r *reading) stmt(s *syntax.Stmt, c ctx) {
	r.steps++
	at := c.sc.cur
	if s.Negated {
		c = c.unsure()
	}
	if s.Background || s.Coprocess || s.Disown {
		from := len(r.ops)
		c = c.unsure().child()
		defer func() { // when it is done is not known
			if len(r.ops) > from {
				r.blind = append(r.blind, later)
			}
		}()
	}
	switch cmd := s.Cmd.(type) {
	case nil:
		r.simple(nil, s.Redirs, c)
	case *syntax.CallExpr:
		r.simple(cmd, s.Redirs, c)
	case *syntax.BinaryCmd:
		r.list(s, c)
		r.redirects(s.Redirs, c, at)
	default:
		if len(s.Redirs) > 0 {
			c.alone = false
		}
		r.compound(cmd, c)
		r.redirects(s.Redirs, c, at)
	}
}

// compound reads everything but simple commands and lists.
func (r *reading) compound(cmd syntax.Command, c ctx) {
	switch x := cmd.(type) {
	case *syntax.Subshell:
		c.alone = false
		r.stmts(x.Stmts, c.child())
	case *syntax.Block:
		c.alone = false
		r.stmts(x.Stmts, c)
	case *syntax.IfClause:
		r.ifClause(x, c.unsure())
	case *syntax.WhileClause:
		r.loop(c.unsure(), func(c ctx) {
			r.stmts(x.Cond, c)
			r.stmts(x.Do, c)
		})
	case *syntax.ForClause:
		r.substs(x.Loop, c)
		done := r.takes(x.Loop, c)
		r.loop(c.unsure(), func(c ctx) { r.stmts(x.Do, c) })
		done()
	case *syntax.CaseClause:
		r.caseClause(x, c.unsure())
	case *syntax.FuncDecl:
		if x.Name != nil {
			f := &function{body: x.Body, in: c.in, sc: c.sc}
			r.funcs[x.Name.Value] = f
			r.order = append(r.order, f)
		}
	case *syntax.TimeClause:
		if x.Stmt != nil {
			r.stmt(x.Stmt, c)
		}
	case *syntax.CoprocClause:
		r.stmt(x.Stmt, c.unsure().child())
	case *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.TestClause:
		r.substs(x, c)
	default:
		r.substs(x, c)
	}
}

// ifClause reads the branches, each from where the condition left the shell.
func (r *reading) ifClause(x *syntax.IfClause, c ctx) {
	var ends []*scope
	for x != nil {
		r.stmts(x.Cond, c)
		branch := c.child()
		r.stmts(x.Then, branch)
		if !leaves(x.Then) {
			ends = append(ends, branch.sc)
		}
		if len(x.Cond) == 0 { // else
			r.join(c.sc, ends)
			return
		}
		x = x.Else
	}
	r.join(c.sc, append(ends, c.sc.fork()))
}

func (r *reading) caseClause(x *syntax.CaseClause, c ctx) {
	r.substs(x.Word, c)
	ends := []*scope{c.sc.fork()}
	for _, item := range x.Items {
		branch := c.child()
		r.stmts(item.Stmts, branch)
		if !leaves(item.Stmts) {
			ends = append(ends, branch.sc)
		}
	}
	r.join(c.sc, ends)
}

// join puts sc where all the ways that were gone on end; with none, sc stays.
func (r *reading) join(sc *scope, ends []*scope) {
	if len(ends) == 0 {
		return
	}
	*sc = *ends[0]
	for _, e := range ends[1:] {
		sc.merge(e)
	}
}

// loop reads a body that may run any number of times. When it ends at another
// place than it began, it is read again from a place that is not known.
func (r *reading) loop(c ctx, body func(ctx)) {
	before := c.sc.fork()
	ops, blind, traps := len(r.ops), len(r.blind), len(r.traps)
	body(c)
	if c.sc.same(before) {
		return
	}
	if before.cur.known && r.steps < maxSteps {
		r.ops, r.blind, r.traps = r.ops[:ops], r.blind[:blind], r.traps[:traps]
		*c.sc = scope{}
		body(c)
	}
	c.sc.merge(before)
}

// leaves says whether a branch ends the script, so that nothing follows it.
func leaves(list []*syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch x := list[len(list)-1].Cmd.(type) {
	case *syntax.CallExpr:
		if len(x.Args) > 0 {
			switch x.Args[0].Lit() {
			case "exit", "return", "break", "continue":
				return true
			}
		}
	case *syntax.Block:
		return leaves(x.Stmts)
	}
	return false
}

// A link is one member of a list or a pipeline.
type link struct {
	stmt *syntax.Stmt
	op   syntax.BinCmdOperator // what stands before it; 0 for the first
}

// links flattens the tree of a list (or of a pipeline) without recursion: a
// generated command may have thousands of members.
func links(s *syntax.Stmt, pipes bool) (all []link) {
	todo := []link{{stmt: s}}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b, ok := l.stmt.Cmd.(*syntax.BinaryCmd)
		isPipe := ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)
		top := l.stmt == s
		plainStmt := top || !l.stmt.Negated && !l.stmt.Background && len(l.stmt.Redirs) == 0
		if !ok || isPipe != pipes || !plainStmt {
			all = append(all, l)
			continue
		}
		todo = append(todo, link{b.Y, b.Op}, link{b.X, l.op})
	}
	return all
}

// list reads a && b || c, or a pipeline.
func (r *reading) list(s *syntax.Stmt, c ctx) {
	c.alone = false
	b := s.Cmd.(*syntax.BinaryCmd)
	if b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
		r.pipeline(links(s, true), c)
		return
	}
	all := links(s, false)
	hasOr := false
	for _, l := range all {
		hasOr = hasOr || l.op == syntax.OrStmt
	}
	before := c.sc.fork() // the place before the last member
	loud, told := true, c.last && tells(all[len(all)-1].stmt)
	for i, l := range all {
		m := c
		m.last = c.last && i == len(all)-1
		m.sure = c.sure && !hasOr && (told || loud)
		if l.op == syntax.OrStmt {
			r.orElse(l.stmt, m.unsure(), before)
		} else {
			before = c.sc.fork()
			r.stmt(l.stmt, m)
		}
		loud = loud && r.loud(l.stmt)
	}
}

// tells says whether the exit status of a list that ends in s tells that all of
// it ran, when the result is no error.
func tells(s *syntax.Stmt) bool {
	all := links(s, true)
	x, ok := all[len(all)-1].stmt.Cmd.(*syntax.CallExpr)
	return ok && (len(x.Args) == 0 || x.Args[0].Lit() != "" && !silentFailures[x.Args[0].Lit()])
}

// orElse reads what runs when the member before it failed, from where the shell
// then stands. The command goes on where that member went, unless this one
// goes somewhere else.
func (r *reading) orElse(s *syntax.Stmt, c ctx, before *scope) {
	after := c.sc
	c.sc = before.fork()
	r.stmt(s, c)
	switch {
	case leaves([]*syntax.Stmt{s}), c.sc.same(after):
	case !c.sc.same(before):
		after.merge(c.sc)
	default:
		after.cur.shaky = true
	}
}

// pipeline reads members that run side by side, each in a shell of its own.
func (r *reading) pipeline(all []link, c ctx) {
	var stdin *document
	var fed []word
	for _, l := range all {
		m := c.unsure().child()
		m.stdin, m.fed = stdin, fed
		r.stmt(l.stmt, m)
		stdin, fed = r.gives(l.stmt, m)
	}
}

// substs reads the commands inside of substitutions of n.
func (r *reading) substs(n syntax.Node, c ctx) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.CmdSubst:
			r.stmts(x.Stmts, c.unsure().child())
			return false
		case *syntax.ProcSubst:
			r.stmts(x.Stmts, c.unsure().child())
			return false
		}
		return true
	})
}

// uncalled reads the functions that no command called by name but that
// something else may (a trap, a child shell), from a place not known.
func (r *reading) uncalled() {
	for i := 0; i < len(r.order); i++ {
		if f := r.order[i]; f.named && !f.called {
			f.called = true
			r.blind = append(r.blind, later)
			r.stmt(f.body, ctx{in: f.in, sc: &scope{}})
		}
	}
}

// loud says whether a statement that fails says so on stderr, so that a command
// whose stderr stayed empty got past it.
func (r *reading) loud(s *syntax.Stmt) bool {
	if s.Negated || s.Background || slices.ContainsFunc(s.Redirs, silences) {
		return false
	}
	x, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	if len(x.Args) == 0 {
		return len(substitutions(x)) == 0
	}
	name := x.Args[0].Lit()
	return loudHeads[name] && r.funcs[name] == nil
}
