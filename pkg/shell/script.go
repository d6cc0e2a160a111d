package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script is a text that the grammar took, with its documents.
type script struct {
	src   string
	stmts []*syntax.Stmt
	full  string          // where the bodies of docs stand
	docs  map[int]heredoc // by the place of their operator in src
	lexed bool            // docs and full are filled
}

// A part of a command line: a script, or the bracket of a subshell when the
// grammar did not take the whole.
type part struct {
	kind pieceKind
	script
	pipe bool // a member of a pipeline
	or   bool // stands behind ||
}

// load reads src: whole where a grammar takes it, in pieces otherwise. whole
// says which.
func load(src string) (parts []part, whole bool) {
	stmts, err := parse(src)
	if err == nil {
		return []part{{script: script{src: src, stmts: stmts}}}, true
	}
	l := lex(src)
	if !l.broken {
		text, docs := l.hollow()
		for _, lang := range [...]syntax.LangVariant{syntax.LangBash, syntax.LangZsh} {
			if stmts, err := parseAs(text, lang); err == nil {
				return []part{{script: script{src: text, stmts: stmts, full: src, docs: docs, lexed: true}}}, true
			}
		}
	}
	return l.parts(), false
}

// parts parses each piece for itself.
func (l *lexer) parts() (all []part) {
	p := syntax.NewParser(syntax.Variant(syntax.LangBash))
	doc := 0
	for _, pc := range l.pieces {
		if pc.kind != commandPiece {
			all = append(all, part{kind: pc.kind})
			continue
		}
		from := pc.from + controlWords(l.src[pc.from:pc.to])
		if !matters(l.src[from:pc.to]) {
			continue
		}
		s := script{src: l.src[from:pc.to], full: l.src, docs: map[int]heredoc{}, lexed: true}
		for doc < len(l.docs) && l.docs[doc].op < from {
			doc++
		}
		var tail strings.Builder
		for n := doc; n < len(l.docs) && l.docs[n].op < pc.to; n++ {
			s.docs[l.docs[n].op-from] = l.docs[n]
			tail.WriteString("\n" + l.docs[n].delim)
		}
		if tail.Len() > 0 {
			s.src += tail.String() + "\n"
		}
		if s.stmts = simple(p, s.src); len(s.stmts) > 0 {
			all = append(all, part{script: s, pipe: pc.pipe, or: pc.or})
		}
	}
	return all
}

// matters says whether the text of one command may do anything to a file: it
// has more than plain words, or its first one is a command of the tables.
func matters(s string) bool {
	if strings.ContainsAny(s, "><`$'\"\\=") {
		return true
	}
	name, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	name, _, _ = strings.Cut(name, "\t")
	return known(head(typed(name)))
}

// simple parses the text of one command; nil when it is none.
func simple(p *syntax.Parser, src string) (stmts []*syntax.Stmt) {
	if tooDeep(src) {
		return nil
	}
	defer func() {
		if recover() != nil {
			stmts = nil
		}
	}()
	for s, err := range p.StmtsSeq(strings.NewReader(src)) {
		if err != nil {
			return stmts
		}
		stmts = append(stmts, s)
	}
	return stmts
}

// controlWords gives the length of what stands before the command of a piece:
// `then`, `do`, `{`, a whole `for x in a b`.
func controlWords(s string) int {
	n := 0
	for {
		rest := strings.TrimLeft(s[n:], " \t\r\n")
		at := len(s) - len(rest)
		end := strings.IndexAny(rest, " \t\r\n")
		if end < 0 {
			end = len(rest)
		}
		switch rest[:end] {
		case "if", "then", "elif", "else", "while", "until", "do", "!", "{", "time":
			n = at + end
		case "for", "case", "select", "function", "fi", "done", "esac", "}", "in":
			return len(s)
		default:
			return at
		}
		if n >= len(s) {
			return len(s)
		}
	}
}

// A document is what a here-document gives a command on its input.
type document struct {
	word
	closed bool // its delimiter stands in the text
	exact  bool // the text is the body, byte for byte
}

// document reads the body of rd, which must be << or <<-. The lexer says where
// it stands: the grammar's places are not always those of the text.
func (s *script) document(rd *syntax.Redirect) document {
	if !s.lexed {
		l := lex(s.src)
		s.full, s.lexed = s.src, true
		s.docs = make(map[int]heredoc, len(l.docs))
		for _, d := range l.docs {
			s.docs[d.op] = d
		}
	}
	delim := wordOf(s.src, rd.Word)
	h, ok := s.docs[int(rd.OpPos.Offset())]
	if !ok || h.delim != delim.text {
		return s.spelled(rd, delim)
	}
	d := document{closed: h.closed && !h.loose, exact: true}
	if body := h.body(s.full); h.quoted {
		d.word = typed(body)
	} else {
		d.word, d.exact = unquotedBody(body)
	}
	return d
}

// spelled gives the body as the grammar has it, which is good enough to be read
// but not to be quoted from.
func (s *script) spelled(rd *syntax.Redirect, delim word) document {
	if rd.Hdoc == nil {
		return document{}
	}
	body := strings.TrimSuffix(cut(s.src, rd.Hdoc), delim.text)
	if rd.Op == syntax.DashHdoc {
		body = stripTabs(body)
	}
	if delim.text != cut(s.src, rd.Word) {
		return document{word: typed(body)}
	}
	w, _ := unquotedBody(body)
	return document{word: w}
}

// unquotedBody reads the body of a document whose delimiter has no quotes: the
// shell expands it. exact: nothing in it changes.
func unquotedBody(body string) (w word, exact bool) {
	if strings.IndexAny(body, "$`\\") < 0 {
		return typed(body), true
	}
	b := wordBuilder{}
	exact = true
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\' && i+1 < len(body) && strings.IndexByte("$`\\\n", body[i+1]) >= 0:
			i++
			exact = false
			if body[i] != '\n' {
				b.add(body[i:i+1], quoted)
			}
		case c == '$' || c == '`':
			exact = false
			b.add(body[i:i+1], expand)
		default:
			b.add(body[i:i+1], quoted)
		}
	}
	return word{text: string(b.text), mask: b.mask}, exact
}
