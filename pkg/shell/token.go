package shell

import (
	"strings"
)

// A tokenKind is what a token of a piece of code is.
type tokenKind uint8

const (
	nameToken   tokenKind = iota + 1
	stringToken           // text is its value when known
	markToken             // one byte of punctuation
	lineToken             // an end of line
)

type token struct {
	kind  tokenKind
	text  string
	known bool // a string without expressions or escapes that matter
	inner bool // a name that stands in a block
}

// A tokenizer splits code into names, strings and punctuation. It knows just
// enough of the language to tell code from strings and comments.
type tokenizer struct {
	*lang
	src string
	i   int
	out []token
	ids []string // heredocs of Ruby that start on this line

	depth int  // open braces, where these make blocks
	inner bool // the line is indented, or a block was opened on it
}

func tokenize(l *lang, src string) []token {
	t := tokenizer{lang: l, src: src}
	for t.i < len(src) {
		t.step()
	}
	return t.out
}

func (t *tokenizer) has(s string) bool { return strings.HasPrefix(t.src[t.i:], s) }

func (t *tokenizer) step() {
	c := t.src[t.i]
	switch {
	case c == '\n':
		t.i++
		t.out = append(t.out, token{kind: lineToken})
		t.skipHeredocs()
		t.inner = t.has(" ") || t.has("\t")
	case c == ' ' || c == '\t' || c == '\r':
		t.i++
	case t.has(t.lineNote):
		t.skipTo("\n", 0)
	case t.blockNote && t.has("/*"):
		t.skipTo("*/", 2)
	case c == '"' || c == '\'' || c == '`' && t.template:
		t.str(false, false)
	case c == '/' && t.template && t.regexp():
	case t.bareCalls && t.has("<<") && t.heredoc():
	case wordByte(c) || c == '$' && t.template:
		t.name()
	default:
		t.mark(c)
	}
}

// mark reads one byte of punctuation.
func (t *tokenizer) mark(c byte) {
	switch {
	case c == '{' && !t.triple:
		t.depth++
	case c == '}' && !t.triple:
		t.depth = max(0, t.depth-1)
	case c == ':' && t.triple && len(t.out) > 0:
		t.inner = true // if x: y = 1
	}
	t.out = append(t.out, token{kind: markToken, text: t.src[t.i : t.i+1]})
	t.i++
}

// skipTo goes on to the next stop, and n bytes further.
func (t *tokenizer) skipTo(stop string, n int) {
	if end := strings.Index(t.src[t.i:], stop); end >= 0 {
		t.i += end + n
	} else {
		t.i = len(t.src)
	}
}

func (t *tokenizer) name() {
	from := t.i
	for t.i < len(t.src) && (wordByte(t.src[t.i]) || t.src[t.i] == '$') {
		t.i++
	}
	text := t.src[from:t.i]
	if t.triple && len(text) <= 2 && t.i < len(t.src) && (t.src[t.i] == '"' || t.src[t.i] == '\'') {
		if p := strings.ToLower(text); strings.Trim(p, "rbuf") == "" {
			t.str(strings.Contains(p, "r"), strings.Contains(p, "f"))
			return
		}
	}
	inner := t.inner
	if t.template {
		inner = t.depth > 0
	}
	t.out = append(t.out, token{kind: nameToken, text: text, inner: inner})
}

// maxName bounds the strings that can name a file.
const maxName = 4096

// str reads a string that starts at i.
func (t *tokenizer) str(raw, format bool) {
	quote := t.src[t.i : t.i+1]
	if t.triple && t.has(strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	t.i += len(quote)
	var text []byte
	known := true
	for t.i < len(t.src) {
		c := t.src[t.i]
		switch {
		case t.has(quote):
			t.i += len(quote)
			t.out = append(t.out, token{kind: stringToken, text: string(text), known: known && len(text) <= maxName})
			return
		case c == '\\' && t.i+1 < len(t.src):
			n := t.src[t.i+1]
			switch {
			case raw:
				text = append(text, c, n)
			case strings.IndexByte("\\'\"/`", n) >= 0:
				text = append(text, n)
			default:
				known = false
			}
			t.i += 2
			continue
		case c == '\n' && len(quote) == 1 && quote != "`" && !t.hashBrace: // not closed on its line
			t.out = append(t.out, token{kind: stringToken})
			return
		case quote == "`" && t.has("${"):
			known = false
			t.braces()
			continue
		case quote == "\"" && t.hashBrace && t.has("#{"), format && c == '{':
			known = false
		}
		if len(text) <= maxName {
			text = append(text, c)
		}
		t.i++
	}
	t.out = append(t.out, token{kind: stringToken})
}

// braces skips ${ ... } in a template, and what is nested in it.
func (t *tokenizer) braces() {
	depth := 0
	for ; t.i < len(t.src); t.i++ {
		switch t.src[t.i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				t.i++
				return
			}
		}
	}
}

// regexp skips a regular expression of JavaScript; false when the slash at i
// divides.
func (t *tokenizer) regexp() bool {
	if n := len(t.out); n > 0 {
		switch p := t.out[n-1]; {
		case p.kind == nameToken && p.text != "return", p.kind == stringToken,
			p.kind == markToken && strings.Contains(")]}", p.text):
			return false
		}
	}
	class := false
	for j := t.i + 1; j < len(t.src) && t.src[j] != '\n'; j++ {
		switch c := t.src[j]; {
		case c == '\\':
			j++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			t.i = j + 1
			t.out = append(t.out, token{kind: stringToken})
			return true
		}
	}
	return false
}

// heredoc notes a document of Ruby, whose lines follow this one.
func (t *tokenizer) heredoc() bool {
	rest := strings.TrimLeft(t.src[t.i+2:], "~-")
	rest = strings.TrimLeft(rest, `"'`)
	n := 0
	for n < len(rest) && (rest[n] == '_' || rest[n] >= 'A' && rest[n] <= 'Z') {
		n++
	}
	if n == 0 {
		return false
	}
	t.ids = append(t.ids, rest[:n])
	t.i = len(t.src) - len(rest) + n
	if n < len(rest) && (rest[n] == '\'' || rest[n] == '"' || rest[n] == '`') {
		t.i++
	}
	t.out = append(t.out, token{kind: stringToken})
	return true
}

func (t *tokenizer) skipHeredocs() {
	for _, id := range t.ids {
		for t.i < len(t.src) {
			line, _, _ := strings.Cut(t.src[t.i:], "\n")
			t.i = min(t.i+len(line)+1, len(t.src))
			if strings.TrimSpace(line) == id {
				break
			}
		}
	}
	t.ids = nil
}
