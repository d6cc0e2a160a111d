package match

import "strings"

// Touches reports whether a text that matches may do so by help of a word that
// does not stand in the record: a window of the plan may lie over it. A line
// that gives such texts has to pass the prefilter by a literal in extra.
//
// The word stands between blanks or JSON punctuation. "*" at its start or end
// says that something of the record touches it there, "#" that a number of any
// length is there and whatever may follow it, "%" that a hexadecimal digit is.
func (m *Matcher) Touches(word string) bool {
	if m.windows == nil {
		return true
	}
	t := touched{openLeft: strings.HasPrefix(word, "*"), openRight: strings.HasSuffix(word, "*")}
	t.word = strings.TrimSuffix(strings.TrimPrefix(word, "*"), "*")
	if before, _, ok := strings.Cut(t.word, "#"); ok {
		t.word, t.number, t.openRight = before, true, true
	}
	for _, w := range m.windows {
		for at := range w.elems {
			for i := range t.len() {
				if t.right(w, at, i) && t.left(w, at, i) {
					return true
				}
			}
		}
	}
	return false
}

// touched is a word to lay a window over.
type touched struct {
	word                string
	number              bool // a digit stands behind it
	openLeft, openRight bool
}

func (t *touched) len() int {
	if t.number {
		return len(t.word) + 1
	}
	return len(t.word)
}

// verdict is the best that an element can say of a byte of the word.
func (t *touched) verdict(e *[256]verdict, i int) verdict {
	digits := "0123456789"
	if i < len(t.word) {
		if t.word[i] != '%' {
			return e[t.word[i]]
		}
		digits = "0123456789abcdefABCDEF"
	}
	best := refused
	for _, c := range []byte(digits) {
		best = max(best, e[c])
	}
	return best
}

// right reports whether the elements of w from at on may lie from place i on.
func (t *touched) right(w *window, at, i int) bool {
	for _, e := range w.elems[at:] {
		if i >= t.len() {
			return t.openRight || e.loose
		}
		switch t.verdict(&e.right, i) {
		case refused:
			return false
		case accepted, decode:
			return true
		}
		i++
	}
	return true
}

// left does the same for those before at.
func (t *touched) left(w *window, at, i int) bool {
	for k := at - 1; k >= 0; k-- {
		if i--; i < 0 {
			return t.openLeft || w.elems[k].loose
		}
		switch t.verdict(&w.elems[k].left, i) {
		case refused:
			return false
		case accepted, decode:
			return true
		}
	}
	return true
}
