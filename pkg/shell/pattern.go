package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// pattern says which files a word may stand for that could not be resolved, as a glob with / between components: * stays
// within one, ** crosses them, a backslash takes the meaning off what follows. "" where the word says too little: the name of
// the file is all in a variable, or it is a bare * somewhere.
func (r *reading) pattern(p place, w word) string {
	if len(w.text) > mostGlob {
		return ""
	}
	if w.name {
		glob := word{text: w.text, mask: []byte(strings.Repeat(string(plain), len(w.text)))}.globbed()
		if strings.Trim(glob, "*") == "" {
			return ""
		}
		return anywhere(glob)
	}
	out := ""
	for _, w := range r.filled(w) {
		glob := p.pattern(w)
		if glob == "" {
			return "" // it may be any file
		}
		out = either(out, glob)
	}
	return out
}

const (
	mostFilled = 64 // words that one word becomes
	mostLoops  = 8  // loops around a place whose variables are followed
	mostGlob   = 512
)

// filled puts what the variables of loops take in their places.
func (r *reading) filled(w word) []word {
	out := []word{w}
	for _, name := range slices.Sorted(maps.Keys(r.loops)) {
		for _, spelled := range [...]string{"$" + name, "${" + name + "}"} {
			var next []word
			for _, w := range out {
				next = append(next, w.fill(spelled, r.loops[name])...)
			}
			if len(next) > mostFilled {
				return []word{w}
			}
			out = next
		}
	}
	return out
}

// fill puts each of a few values in the place of a variable, where it stands in w.
func (w word) fill(spelled string, values []word) (out []word) {
	i := strings.Index(w.text, spelled)
	if i < 0 || w.mask[i] != expand {
		return []word{w}
	}
	end := i + len(spelled)
	if spelled[1] != '{' && end < len(w.text) && w.mask[end] == expand && wordByte(w.text[end]) {
		return []word{w} // a longer name
	}
	for _, v := range values {
		out = append(out, word{text: w.text[:i] + v.text + w.text[end:], mask: slices.Concat(w.mask[:i], v.mask, w.mask[end:])})
	}
	return out
}

// takes notes what the variable of a loop takes, until the function that it gives is called.
func (r *reading) takes(l syntax.Loop, c ctx) (done func()) {
	x, ok := l.(*syntax.WordIter)
	if !ok || x.Name == nil {
		return func() {}
	}
	name := x.Name.Value
	before, had := r.loops[name]
	if !had && (len(x.Items) == 0 || len(x.Items) > mostFilled || len(r.loops) == mostLoops) {
		return func() {}
	}
	if r.loops == nil {
		r.loops = map[string][]word{}
	}
	if delete(r.loops, name); len(x.Items) > 0 && len(x.Items) <= mostFilled {
		r.loops[name] = c.in.words(x.Items)
	}
	return func() {
		if delete(r.loops, name); had {
			r.loops[name] = before
		}
	}
}

// pattern is what a word says that runs at p, its variables filled in where they are known.
func (p place) pattern(w word) string {
	if text, ok := w.literal(); ok {
		switch {
		case text == "":
			return ""
		case absolute(text):
			return escaped(strings.ReplaceAll(clean(text), `\`, "/"))
		case p.known:
			return escaped(strings.ReplaceAll(join(p.dir, text), `\`, "/"))
		}
		return anywhere(escaped(text)) // a plain name, but who knows where
	}
	if len(w.text) > mostGlob {
		return ""
	}
	text := w.globbed()
	last := text[strings.LastIndexByte(text, '/')+1:]
	spelled := strings.Trim(last, "*") != ""
	switch {
	case !spelled && !w.globs():
		return ""
	case strings.HasPrefix(text, "/"):
		return tidy(text)
	case strings.HasPrefix(text, "**"), !p.known:
		if !spelled {
			return ""
		}
		return anywhere(text)
	}
	return tidy(escaped(strings.ReplaceAll(p.dir, `\`, "/")) + "/" + text)
}

// globbed writes w as a glob.
func (w word) globbed() string {
	var b strings.Builder
	for i := 0; i < len(w.text); i++ {
		c, how := w.text[i], w.mask[i]
		start := i == 0 || w.text[i-1] == '/' && w.mask[i-1] != expand
		switch {
		case how == expand:
			for i+1 < len(w.text) && w.mask[i+1] == expand {
				i++
			}
			if start && (i+1 == len(w.text) || w.text[i+1] == '/') {
				b.WriteString("**") // a component of its own may be several
			} else {
				b.WriteByte('*')
			}
		case how == plain && c == '{':
			list, n := w.from(i).braces()
			b.WriteString(list)
			i += n - 1
		case how == plain && c == '~' && i == 0:
			for i+1 < len(w.text) && w.text[i+1] != '/' {
				i++
			}
			b.WriteString("**")
		case how == plain && (c == '*' || c == '?'):
			b.WriteByte(c)
			for c == '*' && i+1 < len(w.text) && w.text[i+1] == '*' && w.mask[i+1] == plain {
				i++
			}
		case how == plain && c == '[' && strings.Contains(w.text[i:], "]"):
			b.WriteByte('*') // a class of characters, or nothing at all
			for i+1 < len(w.text) && w.text[i+1] != '/' && w.text[i] != ']' {
				i++
			}
		case how == drive:
			b.WriteByte('/')
		default:
			b.WriteString(escaped(w.text[i : i+1]))
		}
	}
	return b.String()
}

// braces writes the braces that w starts with as a glob, and gives their length: a list as a list, a sequence as anything.
func (w word) braces() (glob string, n int) {
	var parts []string
	depth, from := 0, 1
	for i, c := range []byte(w.text) {
		if w.mask[i] != plain {
			continue
		}
		switch {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			parts = append(parts, w.from(from).to(i-from).globbed())
			from = i + 1
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			if parts == nil {
				return "*", i + 1
			}
			parts = append(parts, w.from(from).to(i-from).globbed())
			return "{" + strings.Join(parts, ",") + "}", i + 1
		}
	}
	return escaped("{"), 1
}

// escaped takes the meaning off what a glob would understand.
func escaped(s string) string {
	if !strings.ContainsAny(s, `*?[]{}\,!^`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`*?[]{}\,!^`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// anywhere makes a glob match below any directory.
func anywhere(glob string) string {
	for strings.HasPrefix(glob, "./") || strings.HasPrefix(glob, "../") {
		_, glob, _ = strings.Cut(glob, "/")
	}
	if rest, ok := strings.CutPrefix(glob, "**/"); ok {
		glob = rest
	}
	return tidy("**/" + strings.TrimPrefix(glob, "/"))
}

// tidy takes the components out that go nowhere. One that goes up takes the one before it along.
func tidy(glob string) string {
	var out []string
	parts := strings.Split(glob, "/")
	for i, c := range parts {
		switch {
		case i > 0 && (c == "" || c == "."):
		case c == ".." && len(out) > 0 && out[len(out)-1] == "**": // from somewhere up is somewhere
		case c == ".." && len(out) > 1:
			out = out[:len(out)-1]
		case c == "..":
		default:
			out = append(out, c)
		}
	}
	return strings.Join(out, "/")
}

// mostPattern bounds what the patterns of one row come to.
const mostPattern = 1 << 12

// either is a glob for what either of two matches.
func either(a, b string) string {
	switch {
	case a == b || b == "":
		return a
	case a == "":
		return b
	case len(a)+len(b) > mostPattern:
		return "**"
	}
	return "{" + a + "," + b + "}"
}
