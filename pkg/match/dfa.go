package match

import (
	"encoding/binary"
	"math/bits"
	"regexp/syntax"
	"slices"
)

// A dfa is an automaton over a program's columns, built state by state as texts
// ask for it. A state is the set of instructions reached (before following the
// empty ones: what they demand is known only with the next character) and the
// context. It decides whether there is a match, not where.
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
	limit  int // of the size
	first  int // bytes of text walked without the cache at first
	size   int // of the cache in bytes, about
	read   int // bytes of text since it was last dropped
	tired  int // bytes of text that were last walked without the cache

	pages [][]uint16 // columns by character>>8, from U+0080 up, filled on demand
	stack []uint32
	seen  []uint32
	gen   uint32
	key   []byte
	set   []uint32 // what advance reaches
	spare []uint32
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
// by fewer than pays bytes of text for every state, the automaton does without
// it for a while: for firstWalk bytes, and twice as many every time up to
// lastWalk. A text that needs ever new states costs its length times the
// program, as it must, and one that settles down is soon read by table again.
const (
	maxCache  = 5 << 20
	pays      = 16
	firstWalk = 512
	lastWalk  = 1 << 20
)

func newDFA(p *program) *dfa {
	d := &dfa{p: p, limit: maxCache, first: firstWalk, seen: make([]uint32, len(p.inst))}
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
		fresh: d.fresh(set),
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

// fresh reports whether nothing but the start is alive in a set.
func (d *dfa) fresh(set []uint32) bool { return len(set) == 1 && set[0] == d.p.start }

// makeRoom drops the cache but for state s, and gives the number of bytes of
// text to walk without it.
func (d *dfa) makeRoom(s uint32) (at uint32, walk int) {
	if d.read < pays*len(d.states) {
		d.tired = min(max(d.first, 2*d.tired), lastWalk)
	} else {
		d.tired = 0
	}
	st := d.states[s>>d.shift]
	d.reset()
	return d.intern(st.set, st.ctx), d.tired
}

func (d *dfa) compute(s uint32, col uint16) uint32 {
	st := &d.states[s>>d.shift]
	if t := d.advance(st.set, st.ctx, col); t != unknown {
		return t
	}
	return d.settle(d.set, d.p.ctx[col])
}

// settle gives the state of a set in any order.
func (d *dfa) settle(set []uint32, ctx uint8) uint32 {
	slices.Sort(set)
	return d.intern(slices.Compact(set), ctx)
}

// advance follows a column from a set and leaves what it reaches in d.set, in
// any order, unless it is matched or dead.
func (d *dfa) advance(from []uint32, ctx uint8, col uint16) uint32 {
	end := col == colEnd
	op := flags(ctx, end, d.p.rep[col] == '\n', d.p.ctx[col]&ctxWord != 0)
	d.gen++
	if d.gen == 0 {
		clear(d.seen)
		d.gen = 1
	}
	stack, set := append(d.stack[:0], from...), d.set[:0]
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
			if !end && d.p.takes(pc, col) {
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
	return unknown
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
