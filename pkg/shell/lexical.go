package shell

import (
	"bytes"
	"slices"
	"strings"
)

// A heredoc is a here-document found by the lexer.
type heredoc struct {
	op     int // where << stands
	dash   bool
	quoted bool
	delim  string
	from   int // the body is src[from:to]
	to     int
	closed bool
	loose  bool // only a carriage return keeps the last line from being the delimiter
}

// body gives the lines of d, tabs stripped where <<- says so.
func (d heredoc) body(src string) string {
	if !d.dash {
		return src[d.from:d.to]
	}
	return stripTabs(src[d.from:d.to])
}

func stripTabs(s string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(s, "\n") {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}

// A pieceKind says what the lexer found.
type pieceKind uint8

const (
	commandPiece pieceKind = iota // the text of one simple command
	openPiece                     // ( of a subshell
	closePiece                    // )
)

// A piece is what stands between two separators.
type piece struct {
	kind     pieceKind
	from, to int
	pipe     bool // a member of a pipeline
	or       bool // stands behind ||
}

// A lexer splits a command line at its separators without a grammar, so that
// it can tell something of a text that no grammar takes. What is quoted, a
// comment or the body of a here-document separates nothing.
type lexer struct {
	src     string
	i       int
	open    []byte // what stands open, innermost last
	quoteAt int    // where the outermost open quote or substitution began
	wordAt  int    // where the current word began, -1 between words
	start   int    // where the current piece began
	piped   bool   // the current piece stands behind a |
	orred   bool   // ... or behind ||
	doubles []int  // the second ( of each (( that may be two subshells
	pending []int  // documents whose bodies come with the next line
	pieces  []piece
	docs    []heredoc
	broken  bool // a quote or a substitution stands open at the end
}

// Values of lexer.open. A quote or a substitution is anything but a subshell.
const (
	inSubshell = '('
	inDouble   = '"'
	inBack     = '`'
	inSubst    = '$' // $( ... ), <( ... )
	inArith    = '#' // $(( ... ))
	inParam    = '{' // ${ ... }
)

func lex(src string) *lexer {
	l := &lexer{src: src, wordAt: -1}
	for l.i < len(l.src) {
		l.step()
	}
	if n := len(l.pending); n > 0 { // no line came behind <<EOF
		l.bodies()
	}
	end := len(src)
	if l.nested() {
		l.broken = true
		end = l.quoteAt
		if l.wordAt >= 0 && l.wordAt < end {
			end = l.wordAt
		}
	}
	l.cutAt(end, false)
	return l
}

// nested says whether the lexer stands inside a quote or a substitution, where
// nothing separates.
func (l *lexer) nested() bool {
	return len(l.open) > 0 && l.open[len(l.open)-1] != inSubshell
}

func (l *lexer) push(c byte) {
	if !l.nested() && c != inSubshell {
		l.quoteAt = l.i
	}
	l.open = append(l.open, c)
}

func (l *lexer) pop() { l.open = l.open[:len(l.open)-1] }

func (l *lexer) has(s string) bool { return strings.HasPrefix(l.src[l.i:], s) }

// step reads one token.
func (l *lexer) step() {
	c := l.src[l.i]
	top := byte(0)
	if len(l.open) > 0 {
		top = l.open[len(l.open)-1]
	}
	switch {
	case c == '\\' && l.i+1 < len(l.src):
		if !l.nested() && l.src[l.i+1] != '\n' {
			l.word()
		}
		l.i += 2
	case top == inBack:
		if c == '`' {
			l.pop()
		}
		l.i++
	case c == '`':
		l.word()
		l.push(inBack)
		l.i++
	case c == '"':
		l.word()
		if top == inDouble {
			l.pop()
		} else {
			l.push(inDouble)
		}
		l.i++
	case c == '$':
		l.dollar()
	case top == inDouble:
		l.i++
	case top == inParam:
		l.inParam(c)
	case top == inArith:
		switch c {
		case '(':
			l.push(inArith)
		case ')':
			l.pop()
		}
		l.i++
	default:
		l.command(c)
	}
}

func (l *lexer) word() {
	if l.wordAt < 0 {
		l.wordAt = l.i
	}
}

// dollar reads $( $(( ${ or a lone $.
func (l *lexer) dollar() {
	l.word()
	switch {
	case l.has("$(("):
		l.push(inArith)
		l.push(inArith)
		l.i += 3
	case l.has("$("):
		l.push(inSubst)
		l.i += 2
	case l.has("${"):
		l.push(inParam)
		l.i += 2
	case l.has("$'") && !l.inDoubles():
		l.single(l.i+1, true)
	default:
		l.i++
	}
}

func (l *lexer) inDoubles() bool { return bytes.IndexByte(l.open, inDouble) >= 0 }

func (l *lexer) inParam(c byte) {
	switch {
	case c == '}':
		l.pop()
	case c == '\'' && !l.inDoubles():
		l.single(l.i, false)
		return
	}
	l.i++
}

// single skips a quoted string whose quote stands at i; without an end, the
// rest of the text is in it.
func (l *lexer) single(i int, escapes bool) {
	l.word()
	at := l.i
	for j := i + 1; j < len(l.src); j++ {
		switch {
		case l.src[j] == '\\' && escapes:
			j++
		case l.src[j] == '\'':
			l.i = j + 1
			return
		}
	}
	l.i = at
	l.push('\'')
	l.i = len(l.src)
}

// command reads one token where commands stand.
func (l *lexer) command(c byte) {
	top := !l.nested()
	switch c {
	case '\'':
		l.single(l.i, false)
		return
	case '#':
		if l.i == 0 || strings.IndexByte(" \t\n;&|()", l.src[l.i-1]) >= 0 {
			l.comment()
			return
		}
	case ' ', '\t', '\r':
		if top {
			l.wordAt = -1
		}
		l.i++
		return
	case '\n':
		if top {
			l.cutAt(l.i, false)
		}
		l.i++
		l.bodies()
		if top {
			l.start = l.i
		}
		return
	case '<', '>':
		l.redirect(c)
		return
	case ';', '&', '|', '(', ')':
		l.separator(c, top)
		return
	}
	if top {
		l.word()
	}
	l.i++
}

func (l *lexer) comment() {
	if !l.nested() {
		l.cutAt(l.i, false)
	}
	if n := strings.IndexByte(l.src[l.i:], '\n'); n >= 0 {
		l.i += n
	} else {
		l.i = len(l.src)
	}
	if !l.nested() {
		l.start = l.i
	}
}

// redirect reads an operator that starts with < or >.
func (l *lexer) redirect(c byte) {
	if !l.nested() {
		l.wordAt = -1
	}
	switch {
	case l.has("<<<"):
		l.i += 3
	case l.has("<<"):
		l.document()
	case l.has("<(") || l.has(">("):
		l.word()
		l.push(inSubst)
		l.i += 2
	case l.has(">&"), l.has("<&"), l.has(">|"), l.has(">>"), l.has("<>"):
		l.i += 2
	default:
		l.i++
	}
}

// separator reads one of ; & | ( ).
func (l *lexer) separator(c byte, top bool) {
	if !top {
		switch c {
		case '(':
			l.push(inSubst)
		case ')':
			l.pop()
		}
		l.i++
		return
	}
	at := l.i
	switch {
	case l.has("&>"):
		l.wordAt = -1
		l.i += 2
		return
	case l.has("||"):
		l.i += 2
		l.cutAt(at, false)
		l.start, l.orred = l.i, true
		return
	case l.has("&&"), l.has(";;"):
		l.i += 2
	case c == '|':
		l.cutAt(at, true)
		l.i++
		if l.i < len(l.src) && l.src[l.i] == '&' {
			l.i++
		}
		l.start, l.piped = l.i, true
		return
	default:
		l.i++
	}
	l.cutAt(at, false)
	l.start = l.i
	switch {
	case c == '(':
		if at > 0 && l.src[at-1] == '(' {
			l.doubles = append(l.doubles, at)
		}
		l.open = append(l.open, inSubshell)
		l.pieces = append(l.pieces, piece{kind: openPiece})
	case c == ')' && len(l.open) > 0:
		l.pop()
		l.pieces = append(l.pieces, piece{kind: closePiece})
	}
}

// cutAt ends the current piece.
func (l *lexer) cutAt(end int, pipe bool) {
	if l.start < end && strings.TrimSpace(l.src[l.start:end]) != "" {
		l.pieces = append(l.pieces, piece{from: l.start, to: end, pipe: pipe || l.piped, or: l.orred})
	}
	l.start, l.wordAt, l.piped, l.orred = end, -1, false, false
}

// document reads << and the delimiter behind it.
func (l *lexer) document() {
	d := heredoc{op: l.i}
	j := l.i + 2
	if j < len(l.src) && l.src[j] == '-' {
		d.dash = true
		j++
	}
	for j < len(l.src) && (l.src[j] == ' ' || l.src[j] == '\t') {
		j++
	}
	var delim []byte
	from := j
scan:
	for j < len(l.src) {
		switch c := l.src[j]; c {
		case '\'', '"':
			end := strings.IndexByte(l.src[j+1:], c)
			if end < 0 {
				break scan
			}
			delim = append(delim, l.src[j+1:j+1+end]...)
			d.quoted = true
			j += end + 2
		case '\\':
			d.quoted = true
			j++
			if j < len(l.src) {
				delim = append(delim, l.src[j])
				j++
			}
		case ' ', '\t', '\n', '\r', ';', '&', '|', '(', ')', '<', '>', '`':
			break scan
		default:
			delim = append(delim, c)
			j++
		}
	}
	if j == from { // nothing behind it: no document
		l.i += 2
		return
	}
	d.delim = string(delim)
	l.pending = append(l.pending, len(l.docs))
	l.docs = append(l.docs, d)
	l.i = j
}

// bodies reads the documents whose operators stood on the line before.
func (l *lexer) bodies() {
	for _, n := range l.pending {
		d := &l.docs[n]
		d.from, d.to = l.i, l.i
		joined := false // to the line before, by the backslash at its end
		for l.i < len(l.src) {
			end := strings.IndexByte(l.src[l.i:], '\n')
			next := l.i + end + 1
			if end < 0 {
				end, next = len(l.src)-l.i, len(l.src)
			}
			line := l.src[l.i : l.i+end]
			if d.dash {
				line = strings.TrimLeft(line, "\t")
			}
			l.i = next
			if !joined && strings.TrimSuffix(line, "\r") == d.delim {
				d.closed, d.loose = true, line != d.delim
				break
			}
			joined = !d.quoted && (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
			d.to = next
		}
	}
	l.pending = l.pending[:0]
}

// An edit puts text in the place of src[from:to].
type edit struct {
	from, to int
	text     string
}

// hollow writes src without the bodies of its documents, each closed by its
// delimiter, so that the grammar need not read them, and with two subshells
// told from an arithmetic command: ((a) || b). The documents come back by the
// place of their operators in the new text.
func (l *lexer) hollow() (string, map[int]heredoc) {
	var edits []edit
	for _, d := range l.docs {
		e := edit{d.from, d.to, d.delim + "\n"}
		if d.from == len(l.src) && !strings.HasSuffix(l.src, "\n") {
			e.text = "\n" + e.text
		}
		if d.closed {
			if end := strings.IndexByte(l.src[d.to:], '\n'); end >= 0 {
				e.to += end + 1
			} else {
				e.to = len(l.src)
			}
		}
		edits = append(edits, e)
	}
	for _, at := range l.doubles {
		edits = append(edits, edit{at, at, " "})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })

	var b strings.Builder
	docs := make(map[int]heredoc, len(l.docs))
	at, doc := 0, 0
	for _, e := range append(edits, edit{len(l.src), len(l.src), ""}) {
		for ; doc < len(l.docs) && l.docs[doc].op < e.from; doc++ {
			docs[b.Len()+l.docs[doc].op-at] = l.docs[doc]
		}
		b.WriteString(l.src[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	return b.String(), docs
}
