package match

import "unicode/utf8"

// Reading a text with the automaton. Bytes are decoded as they are met, so the
// raw interior of a JSON string is matched without unescaping it first.

// match reports whether b matches; with json set, whether the text does that b
// spells as the interior of a JSON string.
func (d *dfa) match(b []byte, json bool) bool {
	_, _, end := d.search(d.begin, b, 0, json, len(b), len(b))
	return end == found
}

// near is match for a decoded text that gives as well a position before which
// no match begins, close to the first one.
func (d *dfa) near(b []byte) (from int, yes bool) {
	_, from, end := d.search(d.begin, b, 0, false, 64, len(b))
	return from, end == found
}

// ending is how a search came to its end.
type ending uint8

const (
	notFound ending = iota
	found
	paused // no match is under way, behind the position that was given
)

func endingOf(match bool) ending {
	if match {
		return found
	}
	return notFound
}

// search reads b from i on in state s and looks every pace bytes whether a match
// is under way. If none is, behind position past, it pauses: at is then the state
// to go on with at position from. Else no match begins before from.
func (d *dfa) search(s uint32, b []byte, i int, json bool, pace, past int) (at uint32, from int, end ending) {
	counted := i
	defer func() { d.read += i - counted }()
	for i < len(b) {
		st := &d.states[s>>d.shift]
		switch st.stay {
		case stayForEver:
			return s, 0, notFound
		case stayLong:
			i = st.skip(b, i, json)
		}
		if st.fresh {
			if from = i; i > past {
				return s, i, paused
			}
		}
		stop := min(i+pace, len(b))
		if s, i = d.run(s, b, i, stop, json); i >= stop {
			continue
		}
		if d.next[s+uint32(d.bytes[b[i]])] == s {
			if d.states[s>>d.shift].stay == stayUnknown {
				d.plan(s)
			}
			continue
		}
		if d.size > d.limit {
			d.read += i - counted
			counted = i
			var walk int
			if s, walk = d.makeRoom(s); walk > 0 {
				var t uint32
				if t, i, from = d.walk(s, b, i, i+walk, json, from); t <= dead {
					return t, from, endingOf(t == matched)
				}
				s = t
				continue
			}
		}
		col, n := d.slow(b, i, json)
		t := d.step(s, col)
		if t <= dead {
			return t, from, endingOf(t == matched)
		}
		s = t
		i += n
	}
	return s, from, endingOf(d.step(s, colEnd) == matched)
}

// walk reads b from i to end or the end of b without building states on the
// way. It gives the state it arrives at, or matched or dead.
func (d *dfa) walk(s uint32, b []byte, i, end int, json bool, from int) (at uint32, pos, newFrom int) {
	st := &d.states[s>>d.shift]
	set, ctx := append(d.spare[:0], st.set...), st.ctx
	for i < min(end, len(b)) {
		if d.fresh(set) {
			from = i
		}
		col, n := d.slow(b, i, json)
		if t := d.advance(set, ctx, col); t != unknown {
			return t, i, from
		}
		set, d.set = d.set, set
		ctx = d.p.ctx[col]
		i += n
	}
	d.spare = set
	return d.settle(set, ctx), i, from
}

// run follows known transitions from state s at b[i] and stops at end or past it,
// before a character whose transition is unknown or the last, or when it stays
// in a state for which a plan is to be made or followed.
func (d *dfa) run(s uint32, b []byte, i, end int, json bool) (at uint32, pos int) {
	next, col := d.next, &d.bytes
	for {
		for i+4 <= end {
			w := b[i : i+4 : i+4]
			c0, c1, c2, c3 := uint32(col[w[0]]), uint32(col[w[1]]), uint32(col[w[2]]), uint32(col[w[3]])
			t0 := next[s+c0]
			if t0 <= dead {
				break
			}
			t1 := next[t0+c1]
			if t1 <= dead {
				s = t0
				i++
				break
			}
			t2 := next[t1+c2]
			if t2 <= dead {
				s = t1
				i += 2
				break
			}
			t3 := next[t2+c3]
			if t3 <= dead {
				s = t2
				i += 3
				break
			}
			i += 4
			if t3 == s && t2 == s && t1 == s && d.states[s>>d.shift].stay != stayShort {
				return s, i
			}
			s = t3
		}
		for i < end {
			t := next[s+uint32(col[b[i]])]
			if t <= dead {
				break
			}
			s = t
			i++
		}
		if i >= end {
			return s, i
		}
		// What is frequent of the rest.
		t, n := uint32(unknown), 2
		if c := b[i]; c == '\\' {
			if !json {
				n = 1
				t = next[s+uint32(d.p.ascii['\\'])]
			} else if i+1 < len(b) && short[b[i+1]] != 0 {
				t = next[s+uint32(d.p.ascii[short[b[i+1]]&0x7f])]
			}
		} else if c >= utf8.RuneSelf {
			var r rune
			r, n = utf8.DecodeRune(b[i:])
			t = next[s+uint32(d.column(r))]
		}
		if t <= dead {
			return s, i
		}
		s = t
		i += n
	}
}

// column is program.column with a cache.
func (d *dfa) column(r rune) uint16 {
	if d.pages == nil {
		d.pages = make([][]uint16, 0x1100)
	}
	page := d.pages[r>>8]
	if page == nil {
		page = make([]uint16, 256)
		for i := range page {
			if c := r&^0xff + rune(i); c >= 0x80 {
				page[i] = d.p.column(c)
			}
		}
		d.pages[r>>8] = page
	}
	return page[r&0xff]
}

// slow reads the character at b[i] the careful way and gives its column and
// its width.
func (d *dfa) slow(b []byte, i int, json bool) (col uint16, n int) {
	c := b[i]
	var r rune
	switch {
	case c >= utf8.RuneSelf:
		r, n = utf8.DecodeRune(b[i:])
		return d.column(r), n
	case c == '\\' && json:
		if r, n = escape(b[i:]); r >= utf8.RuneSelf {
			return d.column(r), n
		}
		return uint16(d.p.ascii[r]), n
	}
	return uint16(d.p.ascii[c]), 1
}
