package match

import (
	"encoding/binary"
	"math/bits"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A dfa is an automaton over a program's columns, built state by state as texts
// ask for it. A state is the set of instructions reached (before following the
// empty ones: what they demand is known only with the next character) and the
// context. It decides whether there is a match, not where.
//
// Bytes are decoded as they are met, so the raw interior of a JSON string is
// matched without unescaping it first.
type dfa struct {
	p     *program
	shift uint
	// next[s+column] is the next state, a multiple of 1<<shift, or one of the
	// special values. Column colSlow stays unknown for ever.
	next   []uint32
	bytes  [256]uint8 // byte to column; colSlow for a backslash and from 0x80 up
	states []state
	ids    map[string]uint32
	begin  uint32
	size   int // of the cache in bytes, about
	read   int // bytes of text since it was dropped
	rest   int // bytes of text to be left to the nfa
	tired  int // what rest was at first

	pages [][]uint16 // columns by character>>8, from U+0080 up, filled on demand
	stack []uint32
	seen  []uint32
	gen   uint32
	key   []byte
	set   []uint32
}

// Special values of dfa.next; the first state's offset is higher than all.
const (
	unknown = iota
	matched
	dead
)

// What is known of staying in a state.
const (
	stayUnknown = iota
	stayShort   // some common byte leaves it
	stayLong    // worth skipping to the next byte that may leave it
	stayForEver // no text leads out of it to a match
)

type state struct {
	set   []uint32
	ctx   uint8
	stay  uint8
	fresh bool // no match is under way: nothing but the start is alive
	leave *byteSet
}

// The cache is dropped when its size exceeds maxCache, in bytes. If it was filled
// by fewer than pays bytes of text for every state, the automaton does not pay
// and leaves the next texts to the nfa, firstRest bytes of them and twice as
// many every time.
const (
	maxCache  = 5 << 20
	pays      = 16
	firstRest = 1 << 20
)

func newDFA(p *program) *dfa {
	d := &dfa{p: p, seen: make([]uint32, len(p.inst))}
	d.shift = uint(bits.Len(uint(len(p.rep) - 1)))
	for c, col := range p.ascii {
		d.bytes[c] = col
	}
	d.bytes['\\'] = colSlow
	d.reset()
	return d
}

func (d *dfa) reset() {
	d.next = append(d.next[:0], make([]uint32, 1<<d.shift)...)
	d.states = append(d.states[:0], state{})
	d.ids = map[string]uint32{}
	d.size, d.read = 0, 0
	ctx := uint8(0)
	if d.p.asks&(syntax.EmptyBeginText|syntax.EmptyBeginLine) != 0 {
		ctx = ctxBegin
	}
	d.begin = d.intern([]uint32{d.p.start}, ctx)
}

// intern gives the state of a sorted set in a context.
func (d *dfa) intern(set []uint32, ctx uint8) uint32 {
	k := append(d.key[:0], ctx)
	for _, pc := range set {
		k = binary.LittleEndian.AppendUint32(k, pc)
	}
	d.key = k
	if s, ok := d.ids[string(k)]; ok {
		return s
	}
	s := uint32(len(d.states)) << d.shift
	d.states = append(d.states, state{
		set:   slices.Clone(set),
		ctx:   ctx,
		fresh: len(set) == 1 && set[0] == d.p.start || len(set) == 0,
	})
	d.size += 160 + 4<<d.shift + 8*len(set)
	n := len(d.next)
	d.next = slices.Grow(d.next, 1<<d.shift)[:n+1<<d.shift]
	clear(d.next[n:])
	d.ids[string(k)] = s
	return s
}

// step follows one column from a state.
func (d *dfa) step(s uint32, col uint16) uint32 {
	if t := d.next[s+uint32(col)]; t != unknown {
		return t
	}
	t := d.compute(s, col)
	d.next[s+uint32(col)] = t
	return t
}

// makeRoom drops the cache but for state s if it is full; read is how many
// bytes of text were read since it was last called or a text begun. It reports
// whether to go on.
func (d *dfa) makeRoom(s uint32, read int) (uint32, bool) {
	d.read += read
	if d.size <= maxCache {
		return s, true
	}
	poor := d.read < pays*len(d.states)
	st := d.states[s>>d.shift]
	d.reset()
	if poor {
		d.tired = min(max(firstRest, 2*d.tired), 64*firstRest)
		d.rest = d.tired
	}
	return d.intern(st.set, st.ctx), !poor
}

// resting reports whether a text is to be left to the nfa.
func (d *dfa) resting(b []byte) bool {
	if d.rest <= 0 {
		return false
	}
	d.rest -= len(b)
	return true
}

func (d *dfa) compute(s uint32, col uint16) uint32 {
	st := &d.states[s>>d.shift]
	end := col == colEnd
	r := rune(-1)
	var after uint8
	if !end {
		r, after = d.p.rep[col], d.p.ctx[col]
	}
	op := flags(st.ctx, end, r == '\n', after&ctxWord != 0)
	d.gen++
	if d.gen == 0 {
		clear(d.seen)
		d.gen = 1
	}
	stack, set := append(d.stack[:0], st.set...), d.set[:0]
	defer func() { d.stack, d.set = stack, set }()
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if d.seen[pc] == d.gen {
			continue
		}
		d.seen[pc] = d.gen
		switch in := &d.p.inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^op == 0 {
				stack = append(stack, in.Out)
			}
		case syntax.InstMatch:
			return matched
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if !end && d.p.takes(pc, r, col) {
				set = append(set, in.Out)
			}
		}
	}
	if end {
		return dead
	}
	if !d.p.anchored {
		set = append(set, d.p.start) // a match may begin anywhere
	} else if len(set) == 0 {
		return dead
	}
	slices.Sort(set)
	set = slices.Compact(set)
	return d.intern(set, after)
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

// maxPlanned bounds the columns looked at to plan for a state; the ASCII ones
// are among them.
const maxPlanned = 256

// commonStop is how frequent the bytes that leave a state may be, among
// 10,000, for skipping over the others to pay.
const commonStop = 1000

// plan finds out what leaves state s.
func (d *dfa) plan(s uint32) {
	leave, weight := &byteSet{e1: noEscape, e2: noEscape}, 0
	add := func(c byte) {
		if !leave.has[c] {
			leave.add(c)
			weight += int(frequency[c])
		}
	}
	// Looking at every column of a large alphabet would fill the cache.
	stay := func(col uint16) bool { return col < maxPlanned && d.step(s, col) == s }
	idle := d.step(s, colEnd) != matched
	for c, col := range d.p.ascii {
		if !stay(uint16(col)) {
			add(byte(c))
			idle = false
		}
	}
	for _, col := range d.p.lowed {
		if !stay(col) {
			for c := 0x80; c < 0x100; c++ {
				add(byte(c))
			}
			idle = false
			break
		}
	}
	// In JSON a backslash spells another character. If those of the short escapes
	// stay too, only \uXXXX may leave.
	leave.e1, leave.e2 = '\\', 'u'
	for _, c := range short {
		if c != 0 && leave.has[c] {
			add('\\')
			break
		}
	}
	st := &d.states[s>>d.shift]
	switch {
	case idle:
		st.stay = stayForEver
	case weight > commonStop || !leave.compile():
		st.stay = stayShort
	default:
		st.stay = stayLong
		st.leave = leave
	}
}

// skip gives the first position from i on of a character that may leave the
// state, or len(b).
func (st *state) skip(b []byte, i int, json bool) int {
	j := i + st.leave.index(b[i:])
	if !json || j == len(b) {
		return j
	}
	slashes := 0
	for j-slashes > i && b[j-slashes-1] == '\\' {
		slashes++
	}
	return j - slashes&1 // the byte may belong to an escape
}

// match reports whether b matches; with json set, whether the text does that b
// spells as the interior of a JSON string. ok is false if the automaton does
// not pay on this text, and then nothing is decided.
func (d *dfa) match(b []byte, json bool) (yes, ok bool) {
	_, yes, ok = d.search(b, json, len(b))
	return yes, ok
}

// near is match for a decoded text that gives as well a position before which
// no match begins, close to the first one.
func (d *dfa) near(b []byte) (from int, yes, ok bool) {
	return d.search(b, false, 64)
}

// search reads b and looks every pace bytes whether a match is under way.
func (d *dfa) search(b []byte, json bool, pace int) (from int, yes, ok bool) {
	if d.resting(b) {
		return 0, false, false
	}
	s, i, counted := d.begin, 0, 0
	defer func() { d.read += i - counted }()
	for i < len(b) {
		st := &d.states[s>>d.shift]
		switch st.stay {
		case stayForEver:
			return 0, false, true
		case stayLong:
			i = st.skip(b, i, json)
		}
		if st.fresh {
			from = i
		}
		end := min(i+pace, len(b))
		if s, i = d.run(s, b, i, end, json); i >= end {
			continue
		}
		if d.next[s+uint32(d.bytes[b[i]])] == s {
			if st := &d.states[s>>d.shift]; st.stay == stayUnknown {
				d.plan(s)
			}
			continue
		}
		col, n := d.slow(b, i, json)
		if s, ok = d.makeRoom(s, i-counted); !ok {
			return 0, false, false
		}
		counted = i
		switch t := d.step(s, col); t {
		case matched:
			return from, true, true
		case dead:
			return 0, false, true
		default:
			s = t
		}
		i += n
	}
	return from, d.step(s, colEnd) == matched, true
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
