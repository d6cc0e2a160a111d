package jsonl

import "strconv"

// maxDepth is how deeply containers may nest: the limit of encoding/json, so that both give one verdict.
const maxDepth = 10000

// Pull is a strict one-pass reader over JSON text: the caller steps into containers with Object and Array and past
// everything else with Skip. It allocates nothing, every slice it returns is part of the input, and what it has consumed
// is fully validated: a value consumed by any mix of calls has the verdict of encoding/json.Valid (invalid UTF-8 inside a
// string is valid there). After an error every call says "no more"; ask Err once at the end.
//
// One object is read like this:
//
//	p := NewPull(line)
//	if p.Object() {
//		for {
//			key, ok := p.Key()
//			if !ok {
//				break
//			}
//			// exactly one value is consumed here: Skip, Str, Bool, or Object/Array and their loops
//		}
//	}
//	whole := !p.Err() && p.Done()
//
// Several values may stand one after the other (two records on one line): Kind tells whether another follows.
type Pull struct {
	b     []byte // cut at the error position once an error is found, so that nothing is read past it
	i     int
	depth int
	fresh bool // the last step opened a container: its first member has no comma before it
	err   bool
	lines bool // a newline was consumed
	space bool // some white space was consumed

	// The 64 bytes that were looked at last for the ends of strings: most strings are keys, words and times, of which one
	// look of the kernel covers several.
	at     int    // where they begin
	quotes uint64 // a bit for each quote among them that is not escaped, as far as all is plain
	rest   uint64 // a bit for each byte from the first one on that is not plain, see stopsAVX2
}

// NewPull returns a reader over b, which may hold white space around its values.
func NewPull(b []byte) Pull { return Pull{b: b, at: -64} }

// Err reports whether anything consumed so far is not JSON.
func (p *Pull) Err() bool { return p.err }

// OneLine reports whether no newline was consumed: between two values of JSON text it is white space, but it ends a line.
func (p *Pull) OneLine() bool { return !p.lines }

// Spaced reports whether white space was consumed, around or between values.
func (p *Pull) Spaced() bool { return p.space }

// Pos is the offset of the next unread byte; after an error, where the value, key or separator at fault begins.
func (p *Pull) Pos() int { return p.i }

// Done reports whether nothing but white space is left. It is false after an error.
func (p *Pull) Done() bool {
	p.i = p.skipSpace(p.i)
	return p.i >= len(p.b) && !p.err
}

func (p *Pull) fail() {
	p.err = true
	p.i = min(p.i, len(p.b))
	p.b = p.b[:p.i]
}

// Kind is the first byte of the next value: one of { [ " t f n - or a digit. It is 0 at the end of the input, after an
// error, and where something other than a value stands (which is an error).
func (p *Pull) Kind() byte {
	p.i = p.skipSpace(p.i)
	if p.i >= len(p.b) {
		return 0
	}
	c := p.b[p.i]
	if class[c]&opensValue == 0 {
		p.fail()
		return 0
	}
	return c
}

// Object steps into the next value if it is an object; otherwise it consumes nothing and returns false.
func (p *Pull) Object() bool { return p.open('{') }

// Array steps into the next value if it is an array; otherwise it consumes nothing and returns false.
func (p *Pull) Array() bool { return p.open('[') }

func (p *Pull) open(bracket byte) bool {
	p.i = p.skipSpace(p.i)
	if p.i >= len(p.b) || p.b[p.i] != bracket {
		return false
	}
	if p.depth == maxDepth {
		p.fail()
		return false
	}
	p.depth++
	p.i++
	p.fresh = true
	return true
}

// member moves to the next member of a container that ends with bracket; false at its end (consumed) or on an error.
func (p *Pull) member(bracket byte) bool {
	i := p.skipSpace(p.i)
	if i < len(p.b) {
		if p.b[i] == bracket {
			p.i = i + 1
			p.depth--
			p.fresh = false
			return false
		}
		if p.fresh {
			p.i = i
			p.fresh = false
			return true
		}
		if p.b[i] == ',' {
			p.i = p.skipSpace(i + 1)
			return true
		}
	}
	p.i = i
	p.fail()
	return false
}

// Key returns the raw interior of the next key of the object (compare it after Unescape when HasEscape), its colon
// consumed. It returns false at the end of the object, which it consumes, and on an error.
func (p *Pull) Key() ([]byte, bool) {
	b, i := p.b, p.i
	if !p.fresh && i < len(b) && b[i] == ',' {
		i++
	} else if !p.fresh {
		return p.anyKey()
	}
	if i < len(b) && b[i] == '"' { // how it is mostly written
		if end := p.stringEnd(i + 1); end >= 0 && end+1 < len(b) && b[end+1] == ':' {
			p.i = end + 2
			p.fresh = false
			return b[i+1 : end], true
		}
	}
	return p.anyKey()
}

// anyKey is Key, however the key is written.
func (p *Pull) anyKey() ([]byte, bool) {
	if !p.member('}') {
		return nil, false
	}
	b, start := p.b, p.i
	if start < len(b) && b[start] == '"' {
		if end := p.stringEnd(start + 1); end >= 0 {
			i := end + 1
			if i < len(b) && b[i] != ':' {
				i = p.skipSpace(i)
			}
			if i < len(b) && b[i] == ':' {
				p.i = i + 1
				return b[start+1 : end], true
			}
		}
	}
	p.fail()
	return nil, false
}

// Elem reports whether the array has a next element. It returns false at the end of the array, which it consumes, and
// on an error.
func (p *Pull) Elem() bool { return p.member(']') }

// Skip consumes the next value, whatever it is, and returns its raw bytes; nil when there is none or on an error.
func (p *Pull) Skip() []byte {
	start := p.skipSpace(p.i)
	p.i = start
	if end := p.valueEnd(start, p.depth); end >= 0 {
		p.i = end
		return p.b[start:end]
	}
	p.fail()
	return nil
}

// Str consumes the next value and, if it is a string, returns its raw interior (never nil); otherwise nil, false.
func (p *Pull) Str() ([]byte, bool) {
	start := p.skipSpace(p.i)
	p.i = start
	if start < len(p.b) && p.b[start] == '"' {
		if end := p.stringEnd(start + 1); end >= 0 {
			p.i = end + 1
			return p.b[start+1 : end], true
		}
		p.fail()
		return nil, false
	}
	p.Skip()
	return nil, false
}

// Again consumes text if it stands next and a comma or a brace follows: members and values that were read before in the
// same place of another object, from a value to the end of a value. It gives the bytes consumed, nil if it consumed none.
func (p *Pull) Again(text []byte) []byte {
	end := p.i + len(text)
	if end >= len(p.b) || p.b[end] != ',' && p.b[end] != '}' || string(p.b[p.i:end]) != string(text) {
		return nil
	}
	start := p.i
	p.i = end
	return p.b[start:end]
}

// Bool consumes the next value; ok tells whether it was true or false.
func (p *Pull) Bool() (v, ok bool) {
	switch raw := p.Skip(); string(raw) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// Int consumes the next value; ok tells whether it was a number without fraction and exponent that fits an int64.
func (p *Pull) Int() (v int64, ok bool) {
	raw := p.Skip()
	if len(raw) == 0 || len(raw) > 20 || class[raw[0]]&startsNumber == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(string(raw), 10, 64)
	return v, err == nil
}

const (
	isSpace      = 1 << iota // JSON white space
	isDigit                  // 0 to 9
	opensValue               // the first byte of some JSON value
	startsNumber             // the first byte of a number
	isHex                    // a hexadecimal digit, either case
	afterEscape              // may follow a backslash on its own (not u)
)

// class tells bytes apart for the whole reader.
var class = func() (t [256]uint8) {
	for _, c := range " \t\r\n" {
		t[c] |= isSpace
	}
	for _, c := range "0123456789" {
		t[c] |= isDigit | isHex | startsNumber
	}
	for _, c := range "abcdefABCDEF" {
		t[c] |= isHex
	}
	t['-'] |= startsNumber
	for _, c := range "0123456789-{[\"tfn" {
		t[c] |= opensValue
	}
	for _, c := range `"\/bfnrt` {
		t[c] |= afterEscape
	}
	return t
}()

func (p *Pull) skipSpace(i int) int {
	if i < len(p.b) && p.b[i] <= ' ' {
		return p.behindSpace(i)
	}
	return i
}

func (p *Pull) behindSpace(i int) int {
	for i < len(p.b) && class[p.b[i]]&isSpace != 0 {
		p.space = true
		p.lines = p.lines || p.b[i] == '\n'
		i++
	}
	return i
}

// valueEnd returns the index after the value that starts at b[i], or -1; depth is how many containers are open around it.
func (p *Pull) valueEnd(i, depth int) int {
	b := p.b
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		if i = p.stringEnd(i + 1); i < 0 {
			return -1
		}
		return i + 1
	case '{', '[':
		return p.containerEnd(i, depth)
	}
	return scalarEnd(b, i)
}

// containerEnd is valueEnd for an object or an array. It walks nested containers with one bit a level, 64 levels a call.
func (p *Pull) containerEnd(i, depth int) int {
	b := p.b
	var objects uint64 // bit 0: the innermost open container is an object
	levels := 0
	var closing byte
open:
	if depth == maxDepth {
		return -1
	}
	if levels == 64 {
		if i = p.containerEnd(i, depth); i < 0 {
			return -1
		}
		goto after
	}
	depth++
	levels++
	objects <<= 1
	if b[i] == '{' {
		objects |= 1
	}
	closing = b[i] + 2 // '{'+2 is '}', '['+2 is ']'
	if i = p.skipSpace(i + 1); i < len(b) && b[i] == closing {
		goto end
	}
	if objects&1 == 0 {
		goto value
	}
key:
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	if i = p.stringEnd(i + 1); i < 0 {
		return -1
	}
	if i = p.skipSpace(i + 1); i >= len(b) || b[i] != ':' {
		return -1
	}
	i = p.skipSpace(i + 1)
value:
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		if i = p.stringEnd(i + 1); i < 0 {
			return -1
		}
		i++
	case '{', '[':
		goto open
	default:
		if i = scalarEnd(b, i); i < 0 {
			return -1
		}
	}
after:
	if i = p.skipSpace(i); i >= len(b) {
		return -1
	}
	switch b[i] {
	case ',':
		i = p.skipSpace(i + 1)
		if objects&1 != 0 {
			goto key
		}
		goto value
	case '}', ']':
		if (b[i] == '}') != (objects&1 != 0) {
			return -1
		}
	default:
		return -1
	}
end:
	i++
	depth--
	levels--
	objects >>= 1
	if levels > 0 {
		goto after
	}
	return i
}

// scalarEnd is valueEnd for numbers, true, false and null.
func scalarEnd(b []byte, i int) int {
	switch rest := b[i:]; rest[0] {
	case 't':
		if len(rest) >= 4 && string(rest[:4]) == "true" {
			return i + 4
		}
		return -1
	case 'n':
		if len(rest) >= 4 && string(rest[:4]) == "null" {
			return i + 4
		}
		return -1
	case 'f':
		if len(rest) >= 5 && string(rest[:5]) == "false" {
			return i + 5
		}
		return -1
	}
	return numberEnd(b, i)
}

// numberEnd is valueEnd for numbers: an optional minus, digits without a leading zero, fraction, exponent.
func numberEnd(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else if i = digitsEnd(b, i); i < 0 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		if i = digitsEnd(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digitsEnd(b, i)
	}
	return i
}

// digitsEnd returns the index after the digits at b[i], or -1 when there is none.
func digitsEnd(b []byte, i int) int {
	start := i
	for i < len(b) && class[b[i]]&isDigit != 0 {
		i++
	}
	if i == start {
		return -1
	}
	return i
}
