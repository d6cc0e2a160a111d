package shell

import "strings"

// A subst is a command substitution in a text: $( ... ) or `...`.
type subst struct {
	from, to int // where it stands, with its delimiters
	open     int // how long the first delimiter is
	height   int // 1 for one with none within
	outer    bool
}

func (s subst) body(text string) string { return text[s.from+s.open : s.to-1] }

// commandSubsts finds the command substitutions of a text that need be no valid command,
// by where they start. Single quotes hide them, double quotes do not; one without an end
// is none.
func commandSubsts(text string) []subst {
	type frame struct {
		kind   byte // s substitution, ` backquote, " double quotes, p parenthesis, a arithmetic
		at     int  // of the substitution's place in found
		height int  // of what was found within
	}
	var found []subst
	var stack []frame
	var closed []bool
	top := func() byte {
		if len(stack) == 0 {
			return 0
		}
		return stack[len(stack)-1].kind
	}
	start := func(kind byte, from, open int) {
		stack = append(stack, frame{kind: kind, at: len(found)})
		found, closed = append(found, subst{from: from, open: open}), append(closed, false)
	}
	pop := func(end int) {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		height := f.height
		if f.kind == 's' || f.kind == '`' {
			height++
			found[f.at].to, found[f.at].height, closed[f.at] = end, height, true
		}
		if n := len(stack); n > 0 {
			stack[n-1].height = max(stack[n-1].height, height)
		}
	}
	ticks := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
		case '\'':
			if top() != '"' {
				end := strings.IndexByte(text[i+1:], '\'')
				if end < 0 {
					i = len(text)
					break
				}
				i += 1 + end
			}
		case '"':
			if top() == '"' {
				pop(i + 1)
			} else {
				stack = append(stack, frame{kind: '"'})
			}
		case '`':
			if ticks == 0 {
				ticks++
				start('`', i, 1)
				continue
			}
			ticks--
			for top() != '`' { // what stands open within ends with it
				stack[len(stack)-2].height = max(stack[len(stack)-2].height, stack[len(stack)-1].height)
				stack = stack[:len(stack)-1]
			}
			pop(i + 1)
		case '$':
			switch {
			case strings.HasPrefix(text[i:], "$(("):
				stack = append(stack, frame{kind: 'a'}, frame{kind: 'a'})
				i += 2
			case strings.HasPrefix(text[i:], "$("):
				start('s', i, 2)
				i++
			}
		case '(':
			if k := top(); k == 's' || k == 'p' || k == 'a' {
				stack = append(stack, frame{kind: 'p'})
			}
		case ')':
			if k := top(); k == 's' || k == 'p' || k == 'a' {
				pop(i + 1)
			}
		}
	}
	out := found[:0]
	end := 0
	for i, s := range found {
		if closed[i] {
			if s.outer = s.from >= end; s.outer {
				end = s.to
			}
			out = append(out, s)
		}
	}
	return out
}

// stripSubsts takes the substitutions out of a text: all, or those that hold none.
func stripSubsts(text string, subs []subst, all bool) string {
	return cutSubsts(text, subs, "", func(s subst) bool { return all && s.outer || !all && s.height == 1 })
}

// replaceSubsts puts a name in the place of the innermost substitutions, as often as
// times.
func replaceSubsts(text string, subs []subst, times int) string {
	return cutSubsts(text, subs, substName, func(s subst) bool { return s.height <= times })
}

// cutSubsts puts name in the place of the substitutions that which picks. Of one in
// another the outer one counts.
func cutSubsts(text string, subs []subst, name string, which func(subst) bool) string {
	var b strings.Builder
	at := 0
	for _, s := range subs {
		if s.from >= at && which(s) {
			b.WriteString(text[at:s.from])
			b.WriteString(name)
			at = s.to
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
