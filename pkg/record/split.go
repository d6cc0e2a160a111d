package record

import (
	"bytes"

	"csift/pkg/jsonl"
)

// Split finds the whole records on a trimmed line that is not one whole record: a writer that was killed and started
// again, or two writers at once, leave several records on a line, or parts of records before, between and behind them.
// Parts are in order, and parts of the line. An object inside a damaged record is never taken for a record. damaged
// reports that some of the line belongs to no whole record; blanks and NULs do not count. The work is linear in the
// length of the line.
func Split(line []byte) (parts [][]byte, damaged bool) {
	sound := true // what follows stands where a record may start
	for rest := trimPadding(line); len(rest) > 0; rest = trimPadding(rest) {
		n, next := walk(rest)
		if n > 0 && (sound || recordAt(rest, n)) {
			parts = append(parts, rest[:n])
			rest, sound = rest[n:], true
			continue
		}
		damaged, sound = true, false
		next = max(next, n)
		k := objectStart(rest[next:])
		if k < 0 {
			break
		}
		rest = rest[next+k:]
	}
	return parts, damaged
}

// Damage gives what of a line that is not one whole record belongs to none of those on it, in order.
func Damage(line []byte) (out [][]byte) {
	add := func(b []byte) {
		if b = bytes.Trim(b, padding); len(b) > 0 {
			out = append(out, b)
		}
	}
	at := 0
	parts, _ := Split(line)
	for _, p := range parts {
		start := cap(line) - cap(p) // a part is cut from the line
		add(line[at:start])
		at = start + len(p)
	}
	add(line[at:])
	return out
}

// padding is what may stand between records: blanks, and the NULs that a crash leaves.
const padding = " \t\r\n\x00"

func trimPadding(b []byte) []byte { return bytes.TrimLeft(b, padding) }

// objectStart gives the index of the next brace before a key, or -1.
func objectStart(b []byte) int {
	for i := 0; ; i++ {
		k := bytes.IndexByte(b[i:], '{')
		if k < 0 {
			return -1
		}
		i += k
		if rest := bytes.TrimLeft(b[i+1:], " \t"); len(rest) > 0 && rest[0] == '"' {
			return i
		}
	}
}

// recordAt tells whether the whole object of n bytes that was found behind damage is a record. One that is part of a
// larger value has that value's comma or bracket behind it; a record ends the line or has another record behind it.
func recordAt(b []byte, n int) bool {
	if behind := trimPadding(b[n:]); len(behind) > 0 && behind[0] != '{' {
		return false
	}
	var r Record
	if !Decode(b[:n], &r) || r.Type == nil {
		return false
	}
	return r.UUID != nil || r.SessionID != nil || r.LeafUUID != nil || r.MessageRef != nil
}

// walk reads an object from the start of b as far as it is sound. n is its length when it is whole. Where it is not, a
// record can only start at or behind next, which is at least 1: what is sound before that belongs to the broken object,
// but for its last string, which swallows the brace and quote that a record cut into it starts with.
func walk(b []byte) (n, next int) {
	p := jsonl.NewPull(b)
	if !p.Object() {
		return 0, 1
	}
	next = 1
	inObject := []bool{true} // the containers around, innermost last
	for len(inObject) > 0 {
		more := false
		if at := p.Pos(); inObject[len(inObject)-1] {
			if _, more = p.Key(); more {
				next = at
			} else if p.Err() && p.Pos() < len(b) && b[p.Pos()] == '"' {
				next = p.Pos() // the key itself is broken
			}
		} else {
			more = p.Elem()
		}
		if p.Err() {
			return 0, max(next, 1)
		}
		if !more {
			inObject = inObject[:len(inObject)-1]
			continue
		}
		switch at := p.Pos(); p.Kind() {
		case '{':
			p.Object()
			inObject = append(inObject, true)
		case '[':
			p.Array()
			inObject = append(inObject, false)
		case '"':
			next = at
			p.Str()
		default:
			p.Skip()
		}
		if p.Err() {
			return 0, max(next, 1)
		}
	}
	return p.Pos(), 0
}
