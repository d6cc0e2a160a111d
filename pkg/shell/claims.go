package shell

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A claim is an anchor before the rest of the command has been heard: ops[at]
// is its own row (a read has none).
type claim struct {
	Anchor
	at int
}

// rows gives the ops, one for each path and verb.
func (r *reading) rows() []Op {
	type key struct{ path, verb string }
	at := make(map[key]int, len(r.ops))
	var out []Op
	for _, o := range r.ops {
		k := key{o.Path, o.Verb}
		i, ok := at[k]
		if !ok {
			at[k] = len(out)
			out = append(out, o)
			continue
		}
		out[i].Effect = afterwards(out[i].Effect, o.Effect)
		out[i].Pattern = either(out[i].Pattern, o.Pattern)
	}
	return out
}

// afterwards gives what two effects of one verb on one path come to.
func afterwards(first, then Effect) Effect {
	if first == Writes && (then == Appends || then == Touches) || then == Touches && first == Appends {
		return first
	}
	return then
}

// anchors gives the claims that nothing else in the command speaks against.
func (r *reading) anchors() (all []Anchor) {
	for _, c := range r.claims {
		if c.Kind == ReadAnchor || r.stands(c) {
			all = append(all, c.Anchor)
		}
	}
	return all
}

// stands says whether no other part of the command may have changed the file
// that c is about.
func (r *reading) stands(c claim) bool {
	from := 0 // what was appended stands behind what the file held before, so all counts
	if c.Kind == WriteAnchor {
		from = c.at
	}
	for _, b := range r.blind {
		if b > from {
			return false
		}
	}
	for i, o := range r.ops {
		switch {
		case i == c.at:
		case !o.Marker && o.Path == c.Path:
			return false
		case i < from || o.Effect == MakesDir || o.Effect == Touches:
		case o.Marker:
			if opaque(o) {
				return false
			}
		case o.Resolution == Unresolved:
			if mayBe(o.Path, c.Path) {
				return false
			}
		case above(o.Path, c.Path):
			return false
		}
	}
	return true
}

// claimOf notes the bytes that a simple command states; at is where its rows
// begin.
func (r *reading) claimOf(k *call, at int) {
	if !k.sure || r.left {
		return
	}
	outs, ok := k.outputs()
	if !ok {
		return
	}
	name := ""
	if len(k.args) > 0 {
		if name = head(k.args[0]); name == "" || r.funcs[name] != nil {
			return
		}
	}
	if len(outs) == 0 && k.alone {
		r.readClaim(k, name)
	}
	switch name {
	case "tee":
		r.teeClaim(k, outs, at)
	case "truncate":
		r.truncateClaim(k, at)
	default:
		if len(outs) == 1 {
			if body, label, ok := k.states(name); ok {
				r.claim(k, outs[0].word, outs[0].appends, body, label, at)
			}
		}
	}
}

// An out is a file that the command's stdout goes to.
type out struct {
	word
	appends bool
}

// outputs lists where stdout goes; ok is false when a redirect makes it hard to
// tell what happens.
func (k *call) outputs() (all []out, ok bool) {
	docs := 0
	for _, rd := range k.redirs {
		switch rd.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			if docs++; docs > 1 || rd.N != nil {
				return nil, false
			}
		case syntax.RdrOut, syntax.RdrClob, syntax.AppOut, syntax.AppClob:
			if rd.N != nil && rd.N.Value == "2" {
				continue
			}
			if rd.N != nil && rd.N.Value != "1" || procSubst(rd.Word) {
				return nil, false
			}
			all = append(all, out{wordOf(k.in.src, rd.Word), rd.Op == syntax.AppOut || rd.Op == syntax.AppClob})
		case syntax.DplOut:
			if rd.N == nil || rd.N.Value != "2" || rd.Word.Lit() != "1" {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return all, true
}

// states gives the bytes that a command puts on its stdout, when its words say
// them all.
func (k *call) states(name string) (body []byte, label string, ok bool) {
	args := k.args
	if len(args) > 0 {
		args = args[1:]
	}
	switch name {
	case "", ":", "true":
		return nil, LabelWrite, k.input == nil
	case "cat":
		if len(args) > 1 || len(args) == 1 && !args[0].is("-") {
			return nil, "", false
		}
		return k.stated()
	case "echo":
		body, ok = echoed(args)
	case "printf":
		body, ok = printed(args)
	}
	return body, LabelWrite, ok
}

// stated gives the document on the command's input, byte for byte.
func (k *call) stated() (body []byte, label string, ok bool) {
	if k.input == nil || !k.input.exact || !k.input.closed || k.input.expands() {
		return nil, "", false
	}
	label = LabelHeredoc
	for _, rd := range k.redirs {
		if rd.Op == syntax.WordHdoc {
			label = LabelWrite
			if _, lit := wordOf(k.in.src, rd.Word).literal(); !lit {
				return nil, "", false
			}
		}
	}
	return []byte(k.input.text), label, true
}

// claim notes that w gets body.
func (r *reading) claim(k *call, w word, appends bool, body []byte, label string, at int) {
	path, verbatim, res := k.at.resolve(w)
	if res == Unresolved || isDevice(w.text) || res != Absolute && k.at.shaky || bytes.IndexByte(w.mask, drive) >= 0 {
		return
	}
	own := slices.IndexFunc(r.ops[at:], func(o Op) bool { return !o.Marker && o.Path == path })
	if own < 0 {
		return
	}
	kind := WriteAnchor
	if appends {
		kind = AppendAnchor
		if len(body) == 0 {
			return
		}
	}
	if body == nil {
		body = []byte{}
	}
	r.claims = append(r.claims, claim{Anchor{Kind: kind, Path: path, Verbatim: verbatim, Resolution: res,
		Body: body, Label: label, Simple: k.alone}, at + own})
}

// teeClaim notes what tee writes to each of its files.
func (r *reading) teeClaim(k *call, outs []out, at int) {
	for _, o := range outs {
		if !o.is("/dev/null") {
			return
		}
	}
	body, label, ok := k.stated()
	if !ok {
		return
	}
	opts, operands := options(k.args[1:], flagSet{})
	appends := false
	for _, o := range opts {
		switch o.name {
		case "-a", "--append":
			appends = true
		case "-i", "-p", "--ignore-interrupts":
		default:
			return
		}
	}
	for _, w := range operands {
		r.claim(k, w, appends, body, label, at)
	}
}

// truncateClaim notes the files that truncate -s 0 empties.
func (r *reading) truncateClaim(k *call, at int) {
	opts, operands := options(k.args[1:], flagSet{"s", "size"})
	if len(opts) != 1 || opts[0].name != "-s" && opts[0].name != "--size" || !opts[0].value.is("0") {
		return
	}
	for _, w := range operands {
		r.claim(k, w, false, nil, LabelWrite, at)
	}
}

// echoed gives what echo prints: its words, which no shell may read in another
// way. A backslash is one thing to bash and another to zsh.
func echoed(args []word) ([]byte, bool) {
	newline := true
	for len(args) > 0 && (args[0].is("-n") || args[0].is("-E")) {
		newline = newline && args[0].text != "-n"
		args = args[1:]
	}
	if len(args) > 0 && strings.HasPrefix(args[0].text, "-") && strings.Trim(args[0].text, "-neE") == "" {
		return nil, false
	}
	var b []byte
	for i, w := range args {
		text, ok := w.literal()
		if !ok || strings.IndexByte(text, '\\') >= 0 {
			return nil, false
		}
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, text...)
	}
	if newline {
		b = append(b, '\n')
	}
	return b, true
}

// printed gives what printf prints, for the formats that are the same
// everywhere: %s, %% and the plain escapes.
func printed(args []word) ([]byte, bool) {
	texts := make([]string, len(args))
	for i, w := range args {
		text, ok := w.literal()
		if !ok {
			return nil, false
		}
		texts[i] = text
	}
	if len(texts) > 1 && texts[0] == "--" {
		texts = texts[1:]
	}
	if len(texts) == 0 || strings.HasPrefix(texts[0], "-") {
		return nil, false
	}
	var b []byte
	format, values := texts[0], texts[1:]
	for {
		taken, ok := 0, false
		if b, taken, ok = printFormat(b, format, values); !ok {
			return nil, false
		}
		if values = values[taken:]; len(values) == 0 || taken == 0 {
			return b, true
		}
	}
}

var printEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '"': '"', '\'': '\''}

// printFormat prints format once; taken is how many values it used.
func printFormat(b []byte, format string, values []string) (_ []byte, taken int, ok bool) {
	for i := 0; i < len(format); i++ {
		c := format[i]
		if c != '%' && c != '\\' {
			b = append(b, c)
			continue
		}
		if i++; i == len(format) {
			return nil, 0, false
		}
		switch {
		case c == '\\':
			e, ok := printEscapes[format[i]]
			if !ok {
				return nil, 0, false
			}
			b = append(b, e)
		case format[i] == '%':
			b = append(b, '%')
		case format[i] == 's':
			if taken < len(values) {
				b = append(b, values[taken]...)
				taken++
			}
		default:
			return nil, 0, false
		}
	}
	return b, taken, true
}

// readClaim notes a command whose output is lines of one file.
func (r *reading) readClaim(k *call, name string) {
	if k.input != nil || len(k.args) < 2 {
		return
	}
	w, from, to, ok := word{}, 1, 0, false
	switch name {
	case "cat":
		opts, operands := options(k.args[1:], flagSet{})
		if ok = len(opts) == 0 && len(operands) == 1; ok {
			w = operands[0]
		}
	case "head":
		w, to, ok = headLines(k.args[1:])
	case "sed", "gsed":
		w, from, to, ok = sedLines(k.args[1:])
	}
	if !ok || w.is("-") || w.text == "" || isDevice(w.text) {
		return
	}
	path, verbatim, res := k.at.resolve(w)
	if res == Unresolved {
		return
	}
	r.claims = append(r.claims, claim{Anchor{Kind: ReadAnchor, Path: path, Verbatim: verbatim, Resolution: res,
		From: from, To: to, Label: LabelRead, Simple: true}, -1})
}

// headLines reads head -n N F.
func headLines(args []word) (w word, n int, ok bool) {
	n = 10
	if len(args) == 2 && len(args[0].text) > 1 && args[0].text[0] == '-' { // head -20 F
		if v, err := lineNumber(args[0].text[1:]); err == nil {
			return args[1], v, true
		}
	}
	opts, operands := options(args, flagSet{"n", "lines"})
	for _, o := range opts {
		v, err := lineNumber(o.value.text)
		if o.name != "-n" && o.name != "--lines" || err != nil {
			return w, 0, false
		}
		n = v
	}
	if len(operands) != 1 || len(opts) > 1 {
		return w, 0, false
	}
	return operands[0], n, true
}

// lineNumber reads a plain number of lines, from 1.
func lineNumber(s string) (int, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" || s[0] == '0' {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}

// sedLines reads sed -n 'A,Bp' F.
func sedLines(args []word) (w word, from, to int, ok bool) {
	opts, operands := options(args, flagSet{"e", "expression"})
	script, quiet := word{}, false
	for _, o := range opts {
		switch o.name {
		case "-n", "--quiet", "--silent":
			quiet = true
		case "-e", "--expression":
			if script.text != "" {
				return w, 0, 0, false
			}
			script = o.value
		case "-E", "-r":
		default:
			return w, 0, 0, false
		}
	}
	if script.text == "" && len(operands) > 0 {
		script, operands = operands[0], operands[1:]
	}
	text, lit := script.literal()
	if !quiet || !lit || len(operands) != 1 {
		return w, 0, 0, false
	}
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	text, isPrint := strings.CutSuffix(text, "p")
	first, last, ranged := strings.Cut(text, ",")
	from, err := lineNumber(first)
	if !isPrint || err != nil {
		return w, 0, 0, false
	}
	switch {
	case !ranged:
		to = from
	case last == "$":
	default:
		if to, err = lineNumber(last); err != nil {
			return w, 0, 0, false
		}
		to = max(to, from)
	}
	return operands[0], from, to, true
}
