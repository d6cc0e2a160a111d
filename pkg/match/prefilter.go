package match

import (
	"fmt"
	"strings"
)

// A Prefilter finds the lines of raw JSONL that may match, by the windows of
// the pattern's plan and by the \uXXXX escapes that may hide one. It is
// immutable and safe for concurrent use.
//
// It is sound for a text made from the record like this: strings are decoded;
// runs of whitespace may be folded to one space and trimmed; strings, or their
// parts between tags, may be joined by blanks or by JSON punctuation; a value
// may be written as compact JSON that keeps the source's escapes, but for those
// of printable characters and for a control written \uXXXX: that takes its letter
// if it has one (\n), small hex digits if not. Lines with text made in any other
// way need a literal in extra.
type Prefilter struct {
	windows  []*window
	alphabet alphabet
	weak     bool

	// One window is looked for by a pair of bytes, several by three neighbours.
	pair    *pairKey
	triple  *tripleKey
	buckets [8][]*window // by bit of the triple's masks
}

// escapeBit is the bit of the triple's masks for escapes.
const escapeBit = 7

// weakBits is what the commonest window has to tell for a filter to be worth
// having when parsing every line is the alternative.
const weakBits = 14.5

func newPrefilter(windows []*window, a alphabet) *Prefilter {
	p := &Prefilter{windows: windows, alphabet: a}
	for _, w := range windows {
		p.weak = p.weak || w.value() < weakBits
	}
	if len(windows) == 1 && windows[0].paired() {
		p.setPair(windows[0])
	} else {
		p.setTriple()
	}
	return p
}

// paired reports whether the window is better looked for by a pair: the scan
// for it is faster, but has to stop where the pair alone is.
func (w *window) paired() bool {
	if w.pair[0] < 0 {
		return false
	}
	sum := func(from, to, step int) (bits float64) {
		for i := from; i < min(to, len(w.elems)); i += step {
			bits += w.elems[i].bits
		}
		return bits
	}
	pair := sum(w.pair[0], w.pair[1]+1, w.pair[1]-w.pair[0])
	return pair > 10 || pair+3 > sum(w.triple, w.triple+3, 1)
}

func (p *Prefilter) setPair(w *window) {
	x, y := w.elems[w.pair[0]], w.elems[w.pair[1]]
	p.pair = &pairKey{
		off: w.pair[1] - w.pair[0],
		c1:  x.c, m1: x.mask, c2: y.c, m2: y.mask,
		e1: '\\', e2: 'u',
	}
}

func (p *Prefilter) setTriple() {
	k := new(tripleKey)
	for i, w := range p.windows {
		bit := i % len(p.buckets)
		p.buckets[bit] = append(p.buckets[bit], w)
		known := true // the byte is that of the element
		for j := range 3 {
			known = known && w.triple+j < len(w.elems)
			for c := range 256 {
				if !known || w.elems[w.triple+j].right[c] != refused {
					k.set(j, byte(c), 1<<bit)
				}
			}
			known = known && w.elems[w.triple+j].fixed
		}
	}
	k.set(0, '\\', 1<<escapeBit)
	k.set(1, 'u', 1<<escapeBit)
	for _, c := range []byte("0123456789abcdefABCDEF") {
		k.set(2, c, 1<<escapeBit)
	}
	p.triple = k
}

// rawWindow is the window of a literal piece of raw JSONL.
func rawWindow(s string, a *alphabet) *window {
	var elems []*elem
	for i := range len(s) {
		if len(elems) == leftSide+rightSide {
			break
		}
		elems = append(elems, byteElem(func(c byte) bool { return c == s[i] }, s[i:i+1]))
	}
	for _, r := range s {
		a.add(r, r)
	}
	if w := anchored(elems); w != nil {
		return w
	}
	return &window{elems: elems, pair: [2]int{-1, -1}}
}

// Index gives the first position in b, a run of whole raw JSONL lines, that
// lies in a line with a possible match, or -1. Resume after the end of the
// line: positions of later calls increase.
func (p *Prefilter) Index(b []byte) int {
	if p.pair != nil {
		return p.indexPair(b)
	}
	return p.indexTriple(b)
}

func (p *Prefilter) indexPair(b []byte) int {
	w := p.windows[0]
	for i := 0; ; i++ {
		if i = scanPairs(b, i, p.pair); i >= len(b) {
			return -1
		}
		if w.holds(b, i, w.pair[0]) || b[i] == '\\' && p.hides(b, i) {
			return i
		}
	}
}

func (p *Prefilter) indexTriple(b []byte) int {
	for i := 0; ; i++ {
		if i = scanTriples(b, i, p.triple); i >= len(b) {
			return -1
		}
		m := p.triple.at(b, i)
		for bit := 0; m != 0; bit, m = bit+1, m>>1 {
			if m&1 == 0 {
				continue
			}
			for _, w := range p.buckets[bit] {
				if w.holds(b, i, w.triple) {
					return i
				}
			}
			if bit == escapeBit && b[i] == '\\' && p.hides(b, i) {
				return i
			}
		}
	}
}

// hides reports whether the backslash at b[i] begins a \uXXXX that may hide a
// character of a window.
func (p *Prefilter) hides(b []byte, i int) bool {
	if i+1 >= len(b) || b[i+1] != 'u' {
		return false
	}
	r := hex4(b[i:])
	if r < 0 || !p.alphabet.has(r) && !p.respelt(r, b[i+2:i+6]) {
		return false
	}
	before := i
	for before > 0 && b[before-1] == '\\' {
		before--
	}
	return (i-before)&1 == 0 // else the backslash is itself escaped
}

// letter is what follows the backslash in the short escape of a control.
var letter = [' ']byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// respelt reports whether compact JSON may spell an escaped control, or DEL, with
// letters that are not there.
func (p *Prefilter) respelt(r rune, digits []byte) bool {
	if r >= ' ' && r != 0x7f {
		return false
	}
	if r < ' ' && letter[r] != 0 {
		return p.alphabet.ascii[letter[r]]
	}
	for _, c := range digits {
		if c >= 'A' && c <= 'F' {
			return true
		}
	}
	return false
}

// String describes the filter for debugging.
func (p *Prefilter) String() string {
	var b strings.Builder
	if p.pair != nil {
		fmt.Fprintf(&b, "pair %q %q of", p.pair.c1, p.pair.c2)
	} else {
		b.WriteString("triples of")
	}
	for _, w := range p.windows {
		fmt.Fprintf(&b, " %q", w)
	}
	if p.weak {
		b.WriteString(", weak")
	}
	return b.String()
}
