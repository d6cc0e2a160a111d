package shell

import (
	"regexp"
	"slices"
	"strings"
)

// rootTargets are what the lexical check of generations 1 and 2 stops for, beside a
// variable that may be empty; see bareTarget. Quotes and a slash at the end do not count.
var rootTargets = []string{"/", "/*", "~", "~/*", "*"}

// widerTargets are what generation 3 stops for beyond that. That it takes more forms is
// known, which ones is not: these are other spellings of the same places.
var widerTargets = []string{"/.*", "~/.*", "$HOME", "${HOME}", "$HOME/*", "${HOME}/*", "$HOME/.*", "${HOME}/.*", "./*", ".", "..", "../*"}

// emptyVar is a variable with nothing but a slash, or a slash and a star, behind it: were
// it empty, the target were the root.
var emptyVar = regexp.MustCompile(`^(?:\$([A-Za-z_]\w*|\d|[@*])|\$\{([A-Za-z_]\w*|\d+|[@*])\})/\*?$`)

const (
	rootTarget  = "a removal of the root, the home or everything in the directory"
	varTarget   = "a removal of what a variable and a slash name, which is the root where the variable is empty"
	findTarget  = "a removal run by find on the root, the home or everything in the directory"
	maxShellC   = 2 // how deep sh -c is followed
	parenthesis = "()"
)

// rootLike says why a removal of a target stops, "" when it does not. given says that
// positional parameters have values.
func rootLike(text string, wider, given bool) string {
	for len(text) > 1 && strings.HasSuffix(text, "/") && !strings.HasPrefix(text, "$") {
		text = text[:len(text)-1]
	}
	if slices.Contains(rootTargets, text) || wider && slices.Contains(widerTargets, text) {
		return rootTarget
	}
	m := emptyVar.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	if name := m[1] + m[2]; given && (name == "@" || name == "*" || name[0] >= '1' && name[0] <= '9') {
		return ""
	}
	return varTarget
}

// A lexeme is a word of a text as it is typed: runs of one kind of quoting each.
type lexeme []lexRun

type lexRun struct {
	kind byte // plain, or the quote
	text string
}

// bareText gives a word without its quotes; what is quoted stands for itself.
func (l lexeme) bareText() string {
	var b strings.Builder
	for _, r := range l {
		b.WriteString(r.text)
	}
	return b.String()
}

// clauses takes a text apart at ; & | and line ends, && and || among them, and each part
// into words. No grammar is asked: a quote without an end goes to the end of the text.
func clauses(text string) (all [][]lexeme) {
	var clause []lexeme
	var word lexeme
	var plainRun []byte
	flush := func() {
		if len(plainRun) > 0 {
			word = append(word, lexRun{plain, string(plainRun)})
			plainRun = nil
		}
	}
	endWord := func() {
		flush()
		if word != nil {
			clause, word = append(clause, word), nil
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			if i+1 < len(text) {
				i++
				if text[i] != '\n' {
					plainRun = append(plainRun, text[i])
				}
			}
		case '\'', '"':
			end := closing(text, i)
			flush()
			word = append(word, lexRun{c, text[i+1 : end]})
			i = end
		case ' ', '\t', '\r':
			endWord()
		case ';', '&', '|', '\n':
			endWord()
			all, clause = append(all, clause), nil
		case '#':
			if word == nil && plainRun == nil { // a comment
				if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
					i += n - 1
				} else {
					i = len(text)
				}
				continue
			}
			plainRun = append(plainRun, c)
		default:
			plainRun = append(plainRun, c)
		}
	}
	endWord()
	return append(all, clause)
}

// closing gives the place of the quote that ends the one at i, the text's length when
// there is none.
func closing(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && text[i] == '"':
			j++
		case text[j] == text[i]:
			return j
		}
	}
	return len(text)
}

// heads is the lexical check of generations 1 and 2: a clause counts only when it begins
// with rm. What stands before it (do, then, sudo, xargs, a bracket) hides it.
func (g *generation) heads(text string) string {
	for _, c := range clauses(text) {
		if len(c) == 0 || c[0].bareText() != "rm" {
			continue
		}
		if why := anyTarget(c[1:], false, false); why != "" {
			return why
		}
	}
	return ""
}

// anyTarget judges the words behind rm.
func anyTarget(words []lexeme, wider, given bool) string {
	options := true
	for _, w := range words {
		text := w.bareText()
		if options && strings.HasPrefix(text, "-") {
			options = text != "--"
			continue
		}
		if wider {
			text = strings.TrimRight(text, parenthesis)
		}
		if why := rootLike(text, wider, given); why != "" {
			return why
		}
	}
	return ""
}

// walk is the lexical check of generation 3: rm counts wherever it stands.
func (g *generation) walk(text string) string { return walkText(text, 0, false) }

// walkText judges a text at a depth of sh -c; given says that positional parameters have
// values in it.
func walkText(text string, depth int, given bool) string {
	for _, c := range clauses(text) {
		for i, w := range c {
			name := strings.TrimLeft(w.bareText(), parenthesis)
			if slash := strings.LastIndexByte(name, '/'); slash >= 0 {
				name = name[slash+1:]
			}
			why := ""
			switch name {
			case "rm":
				why = anyTarget(c[i+1:], true, given)
			case "find":
				why = findClause(c[i+1:], given)
			case "sh", "bash":
				if depth < maxShellC {
					why = shellC(c, i, depth, given)
				}
			}
			if why != "" {
				return why
			}
		}
	}
	return ""
}

// findClause judges the words behind find: where it starts, when it runs rm.
func findClause(words []lexeme, given bool) string {
	n := slices.IndexFunc(words, func(w lexeme) bool { return strings.HasPrefix(w.bareText(), "-") })
	if n < 0 {
		return ""
	}
	for i := n; i+1 < len(words); i++ {
		switch words[i].bareText() {
		case "-exec", "-execdir", "-ok", "-okdir":
			if name := words[i+1].bareText(); name == "rm" || strings.HasSuffix(name, "/rm") {
				if why := anyTarget(words[:n], true, given); why != "" {
					return findTarget
				}
			}
		}
	}
	return ""
}

// shellC judges the script of sh -c, the word at place i of a clause.
func shellC(c []lexeme, i, depth int, given bool) string {
	k := i + 1
	for ; k < len(c); k++ {
		opt := c[k].bareText()
		if !strings.HasPrefix(opt, "-") {
			return ""
		}
		if !strings.HasPrefix(opt, "--") && strings.Contains(opt, "c") {
			break
		}
	}
	if k++; k >= len(c) {
		return ""
	}
	script, double := rebuilt(c[k])
	supplied := len(c)-k-1 >= 2 || viaXargs(c[:i]) || double && given
	return walkText(script, depth+1, supplied)
}

// rebuilt gives the script that the runs of a word make. Within double quotes a
// backslash is taken from what it escapes there; a dollar sign it escapes stays one only
// in front of a name, which the script then expands itself.
func rebuilt(w lexeme) (script string, double bool) {
	var b strings.Builder
	for _, r := range w {
		if r.kind != '"' {
			b.WriteString(r.text)
			continue
		}
		double = true
		for i := 0; i < len(r.text); i++ {
			c := r.text[i]
			if c != '\\' || i+1 == len(r.text) {
				b.WriteByte(c)
				continue
			}
			i++
			switch next := r.text[i]; {
			case next == '$' && !(i+1 < len(r.text) && (wordByte(r.text[i+1]) || r.text[i+1] == '{')):
				b.WriteRune('\uE000') // no dollar sign that means anything
			case strings.IndexByte("$`\"\\", next) >= 0:
				b.WriteByte(next)
			default:
				b.WriteByte(c)
				b.WriteByte(next)
			}
		}
	}
	return b.String(), double
}

// viaXargs reports whether xargs runs what stands behind the words and hands it
// arguments: with -I or -n it places or counts them itself.
func viaXargs(words []lexeme) bool {
	n := slices.IndexFunc(words, func(w lexeme) bool {
		name := w.bareText()
		return name == "xargs" || strings.HasSuffix(name, "/xargs")
	})
	if n < 0 {
		return false
	}
	return !slices.ContainsFunc(words[n+1:], func(w lexeme) bool {
		o := w.bareText()
		return strings.HasPrefix(o, "-I") || strings.HasPrefix(o, "-n")
	})
}
