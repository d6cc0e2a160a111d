package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxNest bounds how many things of a script may stand inside each other. The
// grammar is read by recursion, and a stack that overflows ends the process.
const maxNest = 10000

var errTooDeep = errors.New("more nesting than any command has")

// parse reads src as Bash. With an error, the statements are those before the
// place where the text breaks.
func parse(src string) (stmts []*syntax.Stmt, err error) {
	return parseAs(src, syntax.LangBash)
}

func parseAs(src string, lang syntax.LangVariant) (stmts []*syntax.Stmt, err error) {
	if tooDeep(src) {
		return nil, errTooDeep
	}
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the grammar gave up on this text")
		}
	}()
	p := syntax.NewParser(syntax.Variant(lang))
	for s, e := range p.StmtsSeq(strings.NewReader(src)) {
		if e != nil {
			return stmts, e
		}
		stmts = append(stmts, s)
	}
	return stmts, nil
}

// tooDeep says whether src has so many openers that reading it could nest
// without bound. It passes over quoted text as long as it is certain that it
// is quoted, so it may say so of a large text that is harmless; never the
// other way round.
func tooDeep(src string) bool {
	if len(src) <= maxNest {
		return false
	}
	n := 0
	for i, sure := 0, true; i < len(src); i++ {
		if sure {
			var skip int
			if skip, sure = quotedAt(src[i:]); skip > 0 {
				i += skip - 1
				n++
				continue
			}
		}
		switch c := src[i]; c {
		case '(', '{', '`', '!', '|', '[', '<', '>', '-', '+', '~', '?', '&', '"':
			n++
		case 'i', 'w', 'u', 'f', 'c', 't', 's': // if while until for case time select
			if opensClause(src, i) {
				n++
			}
		}
	}
	return n > maxNest
}

// quotedAt gives the length of the quoted text, or the escaped character, that s
// starts with. sure is false where quotes may mean something else from here on:
// behind an expansion, arithmetic, a comment or a here-document.
func quotedAt(s string) (n int, sure bool) {
	switch s[0] {
	case '\\':
		return min(2, len(s)), true
	case '`', '#', '[': // [ may begin an index, which is arithmetic
		return 0, false
	case '<', '(':
		return 0, len(s) < 2 || s[1] != s[0]
	case '$':
		return 0, !expands(s)
	case '\'':
		end := strings.IndexByte(s[1:], '\'')
		return end + 2, end >= 0
	case '"':
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1, true
			case '`':
				return 0, false
			case '$':
				if expands(s[i:]) {
					return 0, false
				}
			}
		}
		return 0, false
	}
	return 0, true
}

// expands says that the dollar that s starts with begins more than a name.
func expands(s string) bool {
	return len(s) > 1 && strings.IndexByte("({['\"", s[1]) >= 0
}

func opensClause(src string, i int) bool {
	if i > 0 && wordByte(src[i-1]) {
		return false
	}
	for _, k := range [...]string{"if", "while", "until", "for", "function", "case", "coproc", "time", "select"} {
		if strings.HasPrefix(src[i:], k) {
			return true
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// A word is one word of a command, its quotes removed. Expansions stand in it
// as they are spelled, so that `"$D/x"` is $D/x.
type word struct {
	text string
	mask []byte // how each byte of text was typed: plain, quoted, expand
	pos  int    // where it starts in the command
	name bool   // a name that find looks for: a glob of its own, below any directory
}

const (
	plain  = 'p' // bare: globs and a leading tilde mean something
	quoted = 'q' // quoted or escaped: only itself
	expand = 'x' // spelling of something that the shell puts a value for
	drive  = 'd' // a bare backslash of C:\x: Bash would drop it, but what was meant is plain
)

// wordOf evaluates w, a word of the script src.
func wordOf(src string, w *syntax.Word) word {
	b := wordBuilder{src: src}
	if w == nil {
		return word{}
	}
	b.parts(w.Parts, false)
	return word{text: string(b.text), mask: b.mask, pos: int(w.Pos().Offset())}
}

// typed makes a word of text that stands for itself.
func typed(text string) word {
	return word{text: text, mask: []byte(strings.Repeat(string(quoted), len(text)))}
}

type wordBuilder struct {
	src  string
	text []byte
	mask []byte
}

func (b *wordBuilder) add(s string, how byte) {
	b.text = append(b.text, s...)
	for range len(s) {
		b.mask = append(b.mask, how)
	}
}

// parts adds the parts of a word, or of a double-quoted string in one.
func (b *wordBuilder) parts(list []syntax.WordPart, inDouble bool) {
	for i, p := range list {
		end := int(p.End().Offset())
		if i+1 < len(list) { // a surer place than where the grammar ends a part
			end = int(list[i+1].Pos().Offset())
		}
		b.part(p, end, inDouble)
	}
}

func (b *wordBuilder) part(p syntax.WordPart, end int, inDouble bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		switch src := cut(b.src, p); {
		case !faithful(src, p.Value): // the grammar lost some of it
			b.add(src, expand)
		case inDouble:
			b.double(p.Value)
		default:
			b.bare(p.Value)
		}
	case *syntax.SglQuoted:
		switch {
		case !p.Dollar:
			b.add(p.Value, quoted)
		case strings.IndexByte(p.Value, '\\') < 0:
			b.add(p.Value, quoted)
		default: // $'a\tb': what it becomes is left unsaid
			b.add(slice(b.src, int(p.Pos().Offset()), end), expand)
		}
	case *syntax.DblQuoted:
		b.parts(p.Parts, true)
	default: // parameters, substitutions, arithmetic, extended globs
		b.add(slice(b.src, int(p.Pos().Offset()), end), expand)
	}
}

// unfold drops what the grammar leaves out of a literal: joined lines, and the
// bytes that no shell reads.
var unfold = strings.NewReplacer("\\\n", "", "\\\r\n", "", "\r\n", "\n", "\x00", "")

// faithful says whether a literal that the grammar read at src is what stands
// there. Its end may be a byte off where a joined line or a quote follows.
func faithful(src, value string) bool {
	if src == value {
		return true
	}
	src = unfold.Replace(strings.TrimRight(src, "\r"))
	return src == value || strings.TrimSuffix(src, `\`) == value
}

// bare adds literal text that stands outside quotes; a backslash quotes.
func (b *wordBuilder) bare(s string) {
	isDrive := len(b.text) == 0 && windows(s) && s[1] == ':' && s[2] == '\\'
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && isDrive && i+1 < len(s) && wordByte(s[i+1]) {
			b.add(s[i:i+1], drive)
			continue
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
			b.add(s[i:i+1], quoted)
			continue
		}
		b.add(s[i:i+1], plain)
	}
}

// double adds literal text of a double-quoted string, where a backslash quotes
// only what would mean something there.
func (b *wordBuilder) double(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] != '\n' {
				b.add(s[i:i+1], quoted)
			}
			continue
		}
		b.add(s[i:i+1], quoted)
	}
}

// cut gives the spelling of n in src.
func cut(src string, n syntax.Node) string {
	return slice(src, int(n.Pos().Offset()), int(n.End().Offset()))
}

// slice gives src[from:to], or a word that says nothing when there is no such
// place.
func slice(src string, from, to int) string {
	if from < 0 || from > to || to > len(src) {
		return "$?"
	}
	return src[from:to]
}

// literal gives the text of a word that has no expansion, no glob, no bare
// brace and no leading tilde: what the shell passes on is what was typed.
func (w word) literal() (string, bool) {
	return w.text, !w.expands() && !w.globs() && !w.tilde()
}

// is says whether w is the literal text s.
func (w word) is(s string) bool { return w.text == s && !w.expands() && !w.globs() && !w.tilde() }

func (w word) expands() bool {
	for _, m := range w.mask {
		if m == expand {
			return true
		}
	}
	return false
}

func (w word) globs() bool {
	for i, m := range w.mask {
		if m == plain && strings.IndexByte("*?[{", w.text[i]) >= 0 {
			return true
		}
	}
	return false
}

func (w word) tilde() bool { return len(w.mask) > 0 && w.mask[0] == plain && w.text[0] == '~' }

// from gives the rest of w from byte i on.
func (w word) from(i int) word { return word{text: w.text[i:], mask: w.mask[i:], pos: w.pos + i} }

// to gives the first n bytes of w.
func (w word) to(n int) word { return word{text: w.text[:n], mask: w.mask[:n], pos: w.pos} }

// substitutions lists the command substitutions below n, `$(...)` and
// backquotes, outer before inner.
func substitutions(n syntax.Node) (all []*syntax.CmdSubst) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.CmdSubst); ok {
			all = append(all, s)
		}
		return true
	})
	return all
}
