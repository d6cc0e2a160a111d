package match

import (
	"regexp/syntax"
	"unicode/utf8"
)

// An nfa simulates a program thread by thread, in the order of preference of
// package regexp: leftmost match, first alternative. It costs text times
// program, whatever the pattern. It serves two ends: spans, from the place the
// automaton points at, and in slow mode the Unicode word boundaries, which
// package regexp lacks.
type nfa struct {
	p         *program
	word      func(rune) bool
	cur, next []thread // to be closed, in order of preference
	stack     []uint32
	seen      []uint32 // generation in which an instruction was last reached
	gen       uint32
}

type thread struct {
	pc    uint32
	start int
}

func newNFA(p *program) *nfa {
	return &nfa{p: p, word: isWord, seen: make([]uint32, len(p.inst))}
}

// find gives the span of the preferred match among those that start at from or
// later, or -1, -1.
func (m *nfa) find(b []byte, from int) (start, end int) {
	start, end = -1, -1
	before := m.before(b, from)
	m.cur = m.cur[:0]
	for i := from; ; {
		if start < 0 && (i == 0 || !m.p.anchored) {
			m.cur = append(m.cur, thread{m.p.start, i})
		}
		if len(m.cur) == 0 {
			return start, end
		}
		r, w := rune(-1), 0
		if i < len(b) {
			r, w = rune(b[i]), 1
			if r >= utf8.RuneSelf {
				r, w = utf8.DecodeRune(b[i:])
			}
		}
		col := uint16(colEnd)
		if w > 0 {
			col = m.p.column(r)
		}
		word := m.p.words && m.word(r)
		op := flags(before, w == 0, r == '\n', word)
		m.nextGen()
		m.next = m.next[:0]
		for _, t := range m.cur {
			if m.close(t, col, op) {
				start, end = t.start, i
				break // the threads after this one are less preferred
			}
		}
		if w == 0 {
			return start, end
		}
		m.cur, m.next = m.next, m.cur
		before = 0
		if r == '\n' {
			before = ctxLine
		}
		if word {
			before |= ctxWord
		}
		i += w
	}
}

func (m *nfa) before(b []byte, from int) uint8 {
	if from == 0 {
		return ctxBegin
	}
	r, _ := utf8.DecodeLastRune(b[:from])
	switch {
	case r == '\n':
		return ctxLine
	case m.p.words && m.word(r):
		return ctxWord
	}
	return 0
}

func (m *nfa) nextGen() {
	m.gen++
	if m.gen == 0 {
		clear(m.seen)
		m.gen = 1
	}
}

// close follows a thread to its characters, feeds them the column, and reports whether
// it came upon a match, in which case what it prefers less is not followed.
func (m *nfa) close(t thread, col uint16, op syntax.EmptyOp) bool {
	m.stack = append(m.stack[:0], t.pc)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.gen {
			continue
		}
		m.seen[pc] = m.gen
		switch in := &m.p.inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop:
			m.stack = append(m.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^op == 0 {
				m.stack = append(m.stack, in.Out)
			}
		case syntax.InstMatch:
			return true
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if col != colEnd && m.p.takes(pc, col) {
				m.next = append(m.next, thread{in.Out, t.start})
			}
		}
	}
	return false
}
