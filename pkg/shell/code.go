package shell

import (
	"slices"
	"sort"
	"strings"
)

// code reads the code that a command gives an interpreter, in a flag or on its
// input.
func (r *reading) code(k *call, l *lang, args []word) {
	var inline []word
scan:
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.is("-"):
			break scan // what follows is for the code on its input
		case w.is("run") && l == &node, w.is("--"):
			continue
		case w.is("eval") && l == &node:
			if i+1 < len(args) {
				inline = append(inline, args[i+1])
			}
		case !isFlag(w): // a script in a file
			r.inline(k, l, inline)
			return
		case strings.HasPrefix(w.text, "--"):
			o := longOption(w)
			switch {
			case l != &node:
			case o.name == "--eval" || o.name == "--print":
				if !o.has && i+1 < len(args) {
					i++
					o.value = args[i]
				}
				inline = append(inline, o.value)
			case !o.has && listed("--require --import --loader --conditions --env-file", o.name):
				i++
			}
		default:
			letter, rest := codeFlag(l, w)
			value := rest
			if letter != 0 && rest.text == "" && i+1 < len(args) {
				i++
				value = args[i]
			}
			switch letter {
			case 'm':
				r.module(k, value, args[min(i+1, len(args)):])
				return
			case 'c':
				inline = append(inline, value)
				if l == &python {
					r.inline(k, l, inline)
					return
				}
			}
		}
	}
	if inline == nil && k.input != nil {
		inline = []word{k.input.word}
	}
	r.inline(k, l, inline)
}

// codeFlag finds, in a cluster of short flags, the one that takes the rest or
// the next word: 'c' for code, 'm' for a module, 'v' for another value.
func codeFlag(l *lang, w word) (letter byte, rest word) {
	code, values := "e", "rI"
	switch l {
	case &python:
		code, values = "c", "mWX"
	case &node:
		code, values = "ep", "rC"
	}
	for j := 1; j < len(w.text); j++ {
		c := w.text[j]
		rest := w.from(j + 1)
		switch {
		case l == &node && c == 'p' && strings.HasPrefix(rest.text, "e"): // -pe
		case strings.IndexByte(code, c) >= 0:
			return 'c', rest
		case strings.IndexByte(values, c) < 0:
		case c == 'm':
			return 'm', rest
		default:
			return 'v', rest
		}
	}
	return 0, word{}
}

// module reads python -m.
func (r *reading) module(k *call, name word, args []word) {
	switch text := name.text; {
	case text == "venv" || text == "virtualenv":
		_, operands := options(args, flagSet{long: "prompt"})
		r.addAll("venv", MakesDir, operands, k.at)
	case text == "json.tool":
		if _, operands := options(args, flagSet{long: "indent"}); len(operands) == 2 {
			r.output(operands[1], Writes, k.at)
		}
	case pythonTools[text]:
		sub := *k
		sub.args = append([]word{typed(strings.ReplaceAll(text, "_", "-"))}, args...)
		r.command(&sub)
	}
}

// inline looks for what pieces of code write.
func (r *reading) inline(k *call, l *lang, pieces []word) {
	for _, w := range pieces {
		w = scriptText(w)
		s := coding{lang: l, r: r, sc: &scope{cur: k.at}, expands: w.expands()}
		s.tokens = tokenize(l, w.text)
		s.constants()
		s.calls()
	}
}

// A coding is a reading of a piece of code, by its tokens.
type coding struct {
	*lang
	r       *reading
	sc      *scope
	expands bool // the shell put values into the code
	tokens  []token
	values  map[string][]assigned // per name, in the order of the code
	named   map[string]naming     // see lookup
	defines bool                  // functions are defined: what runs when is not the order of the text
}

// A value is what an expression stands for: one literal, or the members of a
// list of them when it is the name that a loop runs over. Nothing: not known.
type value struct {
	texts  []string
	isPath bool // a path object
}

func (v value) known() bool { return len(v.texts) > 0 }

func (v value) equal(o value) bool { return v.isPath == o.isPath && slices.Equal(v.texts, o.texts) }

// text gives the one text of v, "" when there is none or more.
func (v value) text() string {
	if len(v.texts) != 1 {
		return ""
	}
	return v.texts[0]
}

// An assigned value is what a name is given at a place of the code.
type assigned struct {
	at    int
	value value
	inner bool // in a block, which may not run or run again
}

func (s *coding) tok(i int) token {
	if i < 0 || i >= len(s.tokens) {
		return token{kind: lineToken}
	}
	return s.tokens[i]
}

func (s *coding) is(i int, text string) bool {
	t := s.tok(i)
	return t.kind != stringToken && t.text == text
}

// constants collects what names are given: OUT = "x", for f in ["a", "b"].
func (s *coding) constants() {
	s.values = map[string][]assigned{}
	depth := 0
	for i, t := range s.tokens {
		if t.kind == markToken {
			depth = max(0, depth+s.bracket(t.text))
		}
		if t.kind != nameToken {
			continue
		}
		set := func(v value) {
			s.values[t.text] = append(s.values[t.text], assigned{i, v, t.inner})
		}
		switch {
		case t.text == "def" || t.text == "function" || t.text == "lambda":
			s.defines = true
			s.parameters(i)
		case s.is(i-1, "as"):
			set(value{})
		case s.is(i-1, "for"):
			if v := s.members(i + 2); s.is(i+1, "in") && v.known() {
				set(v)
			} else {
				set(value{})
			}
		case s.is(i+1, "=") && s.is(i+2, ">"): // x => ...
			s.defines = true
			set(value{})
		case depth == 0 && s.is(i+1, "=") && !s.is(i+2, "=") && s.startsStatement(i):
			set(s.constant(i + 2))
		case s.is(i+2, "=") && len(s.tok(i+1).text) == 1 && strings.Contains("+-*/|&^%:", s.tok(i+1).text):
			set(value{}) // x += ...
		}
	}
}

// bracket gives what a mark does to the depth in which no statement starts. The
// braces of JavaScript and Ruby hold statements.
func (s *coding) bracket(mark string) int {
	if s.lang != &python && (mark == "{" || mark == "}") {
		return 0
	}
	return nesting(mark)
}

// lookup gives what name stands for at token i: its one value, or the last one
// before i when the code runs from top to bottom.
func (s *coding) lookup(name string, i int) value {
	list := s.values[name]
	if len(list) == 0 {
		return value{}
	}
	n, known := s.named[name]
	if !known {
		n.same = true
		for _, a := range list {
			n.same = n.same && a.value.equal(list[0].value)
			n.inner = n.inner || a.inner
		}
		if s.named == nil {
			s.named = map[string]naming{}
		}
		s.named[name] = n
	}
	if n.same {
		return list[0].value
	}
	if n.inner || s.defines {
		return value{}
	}
	if k := sort.Search(len(list), func(k int) bool { return list[k].at >= i }); k > 0 {
		return list[k-1].value
	}
	return value{}
}

// A naming is what all that a name is given comes to. It is worked out once: code may give a name a value and use it
// thousands of times.
type naming struct {
	same  bool // all one value
	inner bool // some in a block
}

// parameters forgets the names between the brackets of a function.
func (s *coding) parameters(i int) {
	for j := i + 1; j < len(s.tokens) && j < i+64; j++ {
		if t := s.tokens[j]; t.kind == nameToken {
			s.values[t.text] = append(s.values[t.text], assigned{at: j, inner: true})
		}
		if s.is(j, ")") || s.is(j, ":") || s.is(j, "{") || s.tokens[j].kind == lineToken {
			return
		}
	}
}

// members gives the literals of the list that starts at token i.
func (s *coding) members(i int) (v value) {
	if !s.is(i, "[") && !s.is(i, "(") {
		return value{}
	}
	for i++; i < len(s.tokens) && len(v.texts) < maxMembers; i++ {
		switch t := s.tokens[i]; {
		case t.kind == stringToken && t.known:
			v.texts = append(v.texts, t.text)
		case t.kind == lineToken, s.is(i, ","):
		case s.is(i, "]") || s.is(i, ")"):
			if s.is(i+1, ":") || s.tok(i+1).kind == lineToken {
				return v
			}
			return value{}
		default:
			return value{}
		}
	}
	return value{}
}

const maxMembers = 256

func (s *coding) startsStatement(i int) bool {
	prev := s.tok(i - 1)
	if prev.kind == nameToken {
		switch prev.text {
		case "const", "let", "var":
			return true
		}
		return false
	}
	return prev.kind == lineToken || prev.kind == markToken && strings.Contains(";{:}", prev.text)
}

// longestConstant is more than the tokens that evaluate makes something of.
const longestConstant = 8

// constant gives the literal that an assignment ends in.
func (s *coding) constant(i int) value {
	end := i
	for depth := 0; end < len(s.tokens); end++ {
		if end-i > longestConstant {
			return value{} // so long none is
		}
		t := s.tokens[end]
		if t.kind == lineToken && depth == 0 || t.kind == markToken && t.text == ";" {
			break
		}
		if t.kind == markToken {
			depth += nesting(t.text)
			if depth < 0 {
				break
			}
		}
	}
	return s.evaluate(i, end, false)
}

func nesting(mark string) int {
	switch mark {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// evaluate gives the text of the expression in tokens i to end, when it is a
// literal, a constant, or a path object made of one.
func (s *coding) evaluate(i, end int, names bool) value {
	if i < end && s.is(i, "pathlib") && s.is(i+1, ".") {
		i += 2
	}
	switch {
	case i < 0 || end > len(s.tokens):
	case end-i == 1:
		switch t := s.tokens[i]; {
		case t.kind == stringToken && t.known:
			return value{texts: []string{t.text}}
		case t.kind == nameToken && names:
			return s.lookup(t.text, i)
		}
	case end-i == 4 && s.is(i+1, "(") && s.is(i+3, ")") && (s.is(i, "Path") || s.is(i, "str")):
		v := s.evaluate(i+2, i+3, true)
		v.isPath = s.is(i, "Path")
		return v
	}
	return value{}
}

// calls looks for the idioms of the language.
func (s *coding) calls() {
	for i, t := range s.tokens {
		if t.kind != nameToken {
			continue
		}
		list := s.idioms[t.text]
		isDir := s.chdir == s.tok(i-2).text+"."+t.text && s.is(i-1, ".")
		if list == nil && !isDir {
			continue
		}
		args, ok := s.arguments(i + 1)
		if !ok {
			continue
		}
		if isDir {
			s.goTo(args)
			continue
		}
		for _, id := range list {
			if s.apply(i, id, args) {
				break
			}
		}
	}
}

// A span is an argument: the tokens from..to.
type span struct{ from, to int }

// arguments reads the arguments of a call; ok is false when none is made.
func (s *coding) arguments(i int) (args []span, ok bool) {
	closes := s.is(i, "(")
	if closes {
		i++
	} else if t := s.tok(i); !s.bareCalls || t.kind == lineToken || t.kind == markToken {
		return nil, false
	}
	depth, from := 0, i
	for ; i < len(s.tokens) && len(args) < 32; i++ {
		t := s.tokens[i]
		if !closes && depth == 0 && (t.kind == lineToken || s.is(i, ";") || s.is(i, "do") || s.is(i, "if")) {
			break
		}
		if t.kind != markToken {
			continue
		}
		if t.text == "," && depth == 0 {
			args = append(args, span{from, i})
			from = i + 1
			continue
		}
		if depth += nesting(t.text); depth < 0 {
			break
		}
	}
	if i > from {
		args = append(args, s.trim(span{from, i}))
	}
	for j := range args {
		args[j] = s.trim(args[j])
	}
	return args, true
}

// trim takes line ends off both sides of an argument.
func (s *coding) trim(a span) span {
	for a.from < a.to && s.tokens[a.from].kind == lineToken {
		a.from++
	}
	for a.from < a.to && s.tokens[a.to-1].kind == lineToken {
		a.to--
	}
	return a
}

func (s *coding) goTo(args []span) {
	if len(args) == 1 {
		if v := s.evaluate(args[0].from, args[0].to, true); v.text() != "" {
			s.sc.to(typed(v.text()), false)
			return
		}
	}
	s.sc.lost()
}

// apply adds what a call of id does; false when the call at i is not one.
func (s *coding) apply(i int, id idiom, args []span) bool {
	dotted := s.is(i-1, ".")
	if id.on == "Path" {
		self := s.receiver(i)
		if !self.known() || !self.isPath {
			return false
		}
		e := Writes
		switch {
		case id.mode > 0:
			if e = s.mode(args, id.mode-1); e == None {
				return true
			}
		case len(id.paths) > 0:
			e = id.paths[0]
		}
		s.emit(e, self)
		if len(id.paths) > 1 && len(args) > 0 {
			s.emit(id.paths[1], s.evaluate(args[0].from, args[0].to, true))
		}
		return true
	}
	switch {
	case id.on == "*":
		if s.is(i-1, "def") || s.is(i-1, "function") {
			return true
		}
	case !dotted:
		if !listed(id.on, "-") || s.is(i-1, "def") || s.is(i-1, "function") {
			return false
		}
	case !listed(id.on, s.tok(i-2).text) && !s.required(i-2, id):
		return false
	}
	if len(id.paths) == 0 {
		s.emit(Writes, value{})
		return true
	}
	mode := None
	if id.mode > 0 {
		if mode = s.mode(args, id.mode); mode == None {
			return true
		}
	}
	for n, a := range args {
		e := id.paths[min(n, len(id.paths)-1)]
		if n >= len(id.paths) && !id.rest {
			break
		}
		if e == None {
			continue
		}
		if mode != None {
			e = mode
		}
		s.emit(e, s.evaluate(a.from, a.to, true))
	}
	return true
}

// required says whether the receiver that ends at i is require('fs').
func (s *coding) required(i int, id idiom) bool {
	return id.on == nodeFS && s.is(i, ")") && s.is(i-3, "require") &&
		strings.HasPrefix(strings.TrimPrefix(s.tok(i-1).text, "node:"), "fs")
}

// receiver gives the path object that stands before the dot of the call at i.
func (s *coding) receiver(i int) value {
	if !s.is(i-1, ".") {
		return value{}
	}
	if s.is(i-2, ")") {
		return s.evaluate(i-5, i-1, true)
	}
	return s.lookup(s.tok(i-2).text, i)
}

// mode gives what opening a file in the mode of argument n does to it.
func (s *coding) mode(args []span, n int) Effect {
	for j, a := range args {
		named := a.to-a.from == 3 && s.is(a.from, "mode") && s.is(a.from+1, "=")
		if named {
			a.from += 2
		} else if j != n {
			continue
		}
		v := s.evaluate(a.from, a.to, true)
		m, _, _ := strings.Cut(v.text(), ":")
		m, _, _ = strings.Cut(m, "|")
		switch {
		case strings.Contains(m, "a"):
			return Appends
		case strings.ContainsAny(m, "wx+"):
			return Writes
		}
	}
	return None
}

// emit adds a row for v, or the marker of the language when what is written is
// not known.
func (s *coding) emit(e Effect, v value) {
	if !v.known() {
		s.r.mark("interp", s.name)
		return
	}
	for _, text := range v.texts {
		w := typed(text)
		switch {
		case s.expands && strings.ContainsAny(text, "$`"):
			w = w.unknown()
		case strings.HasPrefix(text, "~"): // some calls go home, some do not
			w = w.unknown()
		}
		s.r.add("interp-write", e, w, s.sc.cur)
	}
}
