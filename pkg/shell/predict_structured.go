package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// removalVerbs are the commands whose arguments the structured check reads.
var removalVerbs = []string{"rm", "rmdir"}

// transparent are the commands that run the one behind them as it stands, with those of
// their options that take a value.
var transparent = map[string][]string{
	"sudo": {"-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U"}, "doas": {"-u", "-C"},
	"command": nil, "builtin": nil, "exec": {"-a"}, "env": {"-u", "-C", "-S"}, "nohup": nil, "setsid": nil,
	"nice": {"-n"}, "ionice": {"-c", "-n", "-p"}, "time": {"-f", "-o"}, "timeout": {"-s", "-k"}, "stdbuf": {"-i", "-o", "-e"},
}

// takesWord are the transparent with a word of their own in front of the command.
var takesWord = []string{"timeout"}

const (
	criticalPath  = "a removal of the root, a directory in it, a drive or the home"
	unknownTarget = "a removal target that the command alone does not tell"
	cdThenGlob    = "a cd and a removal of a relative pattern"
)

// structured judges the arguments of each removal of a command. The arms come in order:
// the first one that stops wins.
func (g *generation) structured(p parsed, cwd string) Prediction {
	w := structuredWalk{g: g, src: p.src, cwd: cwd, vars: map[string]*string{}}
	for _, s := range p.stmts {
		w.stmt(s)
	}
	if !w.seen {
		return Prediction{}
	}
	for _, arm := range [...]func(operand) string{w.critical, w.unknown, w.globAfterCd} {
		for _, o := range w.operands {
			if why := arm(o); why != "" {
				return Prediction{Verdict: Ask, Checker: Structured, Reason: why}
			}
		}
	}
	if w.unsure != "" {
		return Prediction{Verdict: Undecided, Checker: Structured, Reason: w.unsure}
	}
	if len(w.operands) > 0 { // the working directory and its ancestors, and what a pattern matches
		return Prediction{Verdict: Undecided, Checker: Structured, Reason: NeedsFiles}
	}
	return Prediction{Checker: Structured, Reason: noDanger}
}

// An operand is a removal target as far as the command tells it.
type operand struct {
	text  string
	known bool
	glob  bool // a pattern
	tilde bool // begins with a ~ that means the home
}

type structuredWalk struct {
	g        *generation
	src, cwd string
	vars     map[string]*string // literal values; nil when assigned something else
	cd       bool
	seen     bool // there is a removal
	operands []operand
	unsure   string // why the verdict is open whatever the operands are
}

// stmt visits the commands of a statement in order. Those of substitutions are judged by
// themselves, see predict.
func (w *structuredWalk) stmt(s *syntax.Stmt) {
	for s != nil {
		switch c := s.Cmd.(type) {
		case *syntax.BinaryCmd:
			// Chains lean to the left: their length is no reason to recurse as deep.
			var rights []*syntax.Stmt
			for c != nil {
				rights = append(rights, c.Y)
				s = c.X
				c, _ = s.Cmd.(*syntax.BinaryCmd)
			}
			w.stmt(s)
			for _, y := range slices.Backward(rights) {
				w.stmt(y)
			}
			return
		case *syntax.CallExpr:
			w.call(c)
		case *syntax.DeclClause:
			w.assign(c.Args)
		case *syntax.TimeClause:
			s = c.Stmt
			continue
		case *syntax.CoprocClause:
			s = c.Stmt
			continue
		}
		return
	}
}

// assign notes the values of variables.
func (w *structuredWalk) assign(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil || a.Naked {
			continue
		}
		o := w.expand(a.Value)
		if a.Append || a.Index != nil || a.Array != nil || !o.known || o.tilde {
			w.vars[a.Name.Value] = nil
		} else {
			w.vars[a.Name.Value] = &o.text
		}
	}
}

func (w *structuredWalk) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		w.assign(c.Assigns)
		return
	}
	args := make([]word, len(c.Args))
	for i, a := range c.Args {
		args[i] = wordOf(w.src, a)
	}
	at := behindPrefixes(args)
	if at >= len(args) {
		return
	}
	name := baseName(args[at].text)
	switch {
	case name == "cd" || name == "pushd":
		w.cd = true
	case name == "read":
		for _, a := range args[at+1:] {
			w.vars[a.text] = nil
		}
	case name == "xargs":
		if slices.ContainsFunc(args[at+1:], func(a word) bool { return slices.Contains(removalVerbs, baseName(a.text)) }) {
			w.seen, w.unsure = true, needsInput
		}
	case slices.Contains(removalVerbs, name):
		w.seen = true
		options := true
		for i := at + 1; i < len(args); i++ {
			if options && strings.HasPrefix(args[i].text, "-") {
				options = args[i].text != "--"
				continue
			}
			if !w.g.census && hasSubst(c.Args[i]) {
				w.unsure = needsOldRules
				continue
			}
			w.operands = append(w.operands, w.expand(c.Args[i]))
		}
	}
}

// behindPrefixes gives the place of the command behind transparent transparent.
func behindPrefixes(args []word) int {
	i := 0
	for i < len(args) {
		name := baseName(args[i].text)
		values, ok := transparent[name]
		if !ok {
			return i
		}
		i++
		for i < len(args) {
			text := args[i].text
			switch {
			case text == "--":
				i++
			case strings.HasPrefix(text, "-") && len(text) > 1:
				if i++; slices.Contains(values, text) {
					i++
				}
				continue
			case name == "env" && strings.Contains(text, "="):
				i++
				continue
			}
			break
		}
		if slices.Contains(takesWord, name) {
			i++
		}
	}
	return i
}

func baseName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func hasSubst(w *syntax.Word) bool { return len(substitutions(w)) > 0 }

// expand tells what a word becomes as far as the command says.
func (w *structuredWalk) expand(word *syntax.Word) operand {
	o := operand{known: true}
	if word == nil {
		return o
	}
	var b strings.Builder
	for i, part := range word.Parts {
		w.part(&o, &b, part, i == 0, false)
	}
	o.text = b.String()
	return o
}

func (w *structuredWalk) part(o *operand, b *strings.Builder, part syntax.WordPart, first, inDouble bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		lit := wordOf(w.src, &syntax.Word{Parts: []syntax.WordPart{p}})
		if inDouble {
			lit = wordOf(w.src, &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: []syntax.WordPart{p}}}})
		}
		o.glob = o.glob || lit.globs()
		o.tilde = o.tilde || first && lit.tilde()
		o.known = o.known && !strings.Contains(lit.text, substName)
		b.WriteString(lit.text)
	case *syntax.SglQuoted:
		o.known = o.known && (!p.Dollar || !strings.Contains(p.Value, `\`))
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			w.part(o, b, q, false, true)
		}
	case *syntax.ParamExp:
		if v := w.value(p); v != nil {
			o.glob = o.glob || !inDouble && strings.ContainsAny(*v, "*?[")
			b.WriteString(*v)
			return
		}
		o.known = false
	case *syntax.ExtGlob:
		o.glob = true
		b.WriteString(cut(w.src, p))
	default:
		o.known = false
	}
}

// value gives the value of $name or ${name} when the command assigned a literal one.
func (w *structuredWalk) value(p *syntax.ParamExp) *string {
	if p.Param == nil || p.Length || p.Excl || p.Width || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		return nil
	}
	return w.vars[p.Param.Value]
}

// critical is the first arm: places that no command may remove unasked. Which ones is
// known by example: the root and all in it, what stands directly in the root (/usr), a
// drive, the home.
func (w *structuredWalk) critical(o operand) string {
	if !o.known {
		return ""
	}
	text := strings.ReplaceAll(o.text, `\`, "/")
	if o.tilde {
		if rest := strings.TrimRight(text, "/"); rest == "~" || text == "~/*" {
			return criticalPath
		}
		return ""
	}
	if len(text) >= 2 && text[1] == ':' && (text[0]|0x20) >= 'a' && (text[0]|0x20) <= 'z' {
		if rest := strings.TrimRight(text[2:], "/"); rest == "" || rest == "/*" {
			return criticalPath
		}
		return ""
	}
	if !strings.HasPrefix(text, "/") {
		if o.glob || !strings.HasPrefix(w.cwd, "/") || text == "" {
			return ""
		}
		text = w.cwd + "/" + text
	}
	text = path.Clean(text)
	if text == "/*" {
		return criticalPath
	}
	if o.glob {
		return ""
	}
	if strings.Count(text, "/") <= 1 || text == homeOf(w.cwd) {
		return criticalPath
	}
	return ""
}

// homeOf gives the home in which a directory lies when its path shows it.
func homeOf(dir string) string {
	parts := strings.SplitN(path.Clean(dir), "/", 4)
	if len(parts) >= 3 && parts[0] == "" && (parts[1] == "home" || parts[1] == "Users") {
		return strings.Join(parts[:3], "/")
	}
	return ""
}

// unknown is the second arm: what the target is cannot be told from the command.
func (w *structuredWalk) unknown(o operand) string {
	if o.known {
		return ""
	}
	return unknownTarget
}

// globAfterCd is the third arm: a pattern that is matched in a directory the command goes
// to.
func (w *structuredWalk) globAfterCd(o operand) string {
	if w.cd && o.glob && !o.tilde && !strings.HasPrefix(o.text, "/") {
		return cdThenGlob
	}
	return ""
}
