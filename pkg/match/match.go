// Package match decides whether a text matches a search pattern, and which
// lines of a transcript can be passed over without parsing them.
//
// It knows patterns, texts and raw JSONL bytes. It knows nothing of records or
// labels, reads no file and starts no goroutine.
//
// The invariant a caller must know: a Prefilter is necessary, never sufficient.
// If a text that a record spells (in any JSON encoding) matches, Index finds a
// position in the record's line; the reverse does not hold.
package match

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// Options say how a pattern is read.
type Options struct {
	IgnoreCase bool // ignore case even if the pattern spells an upper-case letter
	Fixed      bool // the pattern is literal text
	Multiline  bool // . matches newlines, ^ and $ match at lines
	Slow       bool // package regexp on decoded text, no prefilter: the oracle
}

// A Matcher is a compiled pattern. Its methods are not safe for concurrent use:
// Clone it for every goroutine.
type Matcher struct {
	pattern  string
	prog     *program
	windows  []*window // of which every matching text holds one; nil if none is known
	alphabet alphabet
	gate     *Prefilter // by these windows, for single texts
	lead     int        // elements between the start of a match and the end of its window, at most; -1: no bound
	lit      *literal   // the whole pattern, if it is that simple
	slow     *regexp.Regexp

	auto *dfa
	sim  *nfa
	buf  []byte
}

// Compile reads a pattern. The dialect is RE2's with Unicode-aware \d \s \w
// and \b, without flag x and without class set operations. Case is ignored
// unless the pattern spells an upper-case letter: as itself, in a bracket class
// or as an escape of a character code. \S, \W, \D, \B and \p{Lu} spell none.
// An error says what is wrong with the pattern in words for its author.
func Compile(pattern string, o Options) (*Matcher, error) {
	p, re, err := parse(pattern, o)
	if err != nil {
		return nil, err
	}
	m := &Matcher{pattern: pattern}
	if m.prog, err = newProgram(re); err != nil {
		return nil, fmt.Errorf("pattern `%s`: %w", pattern, err)
	}
	if o.Slow {
		m.slow, err = regexp.Compile(p)
		return m, err
	}
	m.lit = newLiteral(re)
	var pl planner
	if m.windows = pl.plan(re); m.windows != nil {
		m.alphabet = pl.alphabet
		m.gate = newPrefilter(m.windows, m.alphabet)
		for _, w := range m.windows {
			if m.lead = max(m.lead, w.lead+1); w.lead < 0 {
				m.lead = -1
				break
			}
		}
	}
	return m, nil
}

// Empty reports whether the pattern is empty, which matches every text.
func (m *Matcher) Empty() bool { return m.pattern == "" }

// Clone gives a Matcher for another goroutine.
func (m *Matcher) Clone() *Matcher {
	c := *m
	c.auto, c.sim, c.buf = nil, nil, nil
	return &c
}

// gateLength is how long a text has to be for a look by the vectors to pay
// before the automaton reads it.
const gateLength = 48

// Match reports whether the decoded text matches. A byte that is not UTF-8
// counts as U+FFFD.
func (m *Matcher) Match(text []byte) bool {
	switch {
	case m.slow != nil:
		start, _ := m.findSlow(text)
		return start >= 0
	case m.pattern == "":
		return true
	case m.lit != nil:
		start, _ := m.lit.find(text)
		return start >= 0
	case m.gate != nil && len(text) >= gateLength:
		return m.matchFrom(text, m.gate.Index(text), false)
	}
	return m.automaton().match(text, false)
}

// MatchRaw reports whether the text spelt by raw, the interior of a JSON
// string, matches. Lone surrogates count as U+FFFD.
func (m *Matcher) MatchRaw(raw []byte) bool {
	switch {
	case m.slow != nil:
		m.buf = unescape(m.buf[:0], raw)
		return m.Match(m.buf)
	case m.pattern == "":
		return true
	case m.gate != nil && len(raw) >= gateLength:
		i := m.gate.Index(raw)
		if i < 0 {
			return false
		}
		if m.lit != nil && m.lit.plainly(raw, i) {
			return true
		}
		return m.matchFrom(raw, i, true)
	}
	return m.automaton().match(raw, true)
}

// matchFrom is match for b, where the gate finds its first window at i, -1 for none. Where it can be told how far a match
// begins before its window, the automaton reads only near windows.
func (m *Matcher) matchFrom(b []byte, i int, json bool) bool {
	if i >= 0 && m.lead < 0 {
		return m.automaton().match(b, json)
	}
	d := m.automaton()
	state, pos, end := uint32(0), 0, paused
	for i >= 0 {
		// The automaton goes on where it is, unless the window is so far that it may start anew before it.
		if from := m.before(b, i); from > pos || pos == 0 {
			state, pos = d.begin, from
		}
		if state, pos, end = d.search(state, b, pos, json, 64, i); end != paused {
			return end == found
		}
		// Whatever matches begins behind here, and so does its window.
		if i = m.gate.Index(b[pos:]); i >= 0 {
			i += pos
		}
	}
	return false
}

// longestChar is how many bytes a character takes at most: a surrogate pair, escaped.
const longestChar = 12

// before gives where in b, a text or the interior of a JSON string, the automaton may start when the gate finds its first
// window at i: between two characters, and so far before i that no match begins there or further on the left. What a match
// sees in front of it is then the same.
func (m *Matcher) before(b []byte, i int) int {
	for i -= m.lead * longestChar; i > longestChar; i-- {
		// Behind a plain character that no escape spells, and whose bytes are not part of one.
		if c := b[i-1]; c < utf8.RuneSelf && bytes.IndexByte(b[i-longestChar:i], '\\') < 0 {
			return i
		}
	}
	return 0
}

func (m *Matcher) automaton() *dfa {
	if m.auto == nil {
		m.auto = newDFA(m.prog)
	}
	return m.auto
}

func (m *Matcher) simulation() *nfa {
	if m.sim == nil {
		m.sim = newNFA(m.prog)
	}
	return m.sim
}

// Find gives the byte span of the leftmost match in the decoded text, the one
// package regexp would prefer, or -1, -1.
func (m *Matcher) Find(text []byte) (start, end int) {
	switch {
	case m.slow != nil:
		return m.findSlow(text)
	case m.pattern == "":
		return 0, 0
	case m.lit != nil:
		return m.lit.find(text)
	}
	from, yes := m.automaton().near(text)
	if !yes {
		return -1, -1
	}
	return m.simulation().find(text, from)
}

// findSlow is Find by package regexp, whose word boundaries are those of ASCII:
// beside other characters ours are simulated.
func (m *Matcher) findSlow(text []byte) (start, end int) {
	if m.prog.words && !isASCII(text) {
		return m.simulation().find(text, 0)
	}
	loc := m.slow.FindIndex(text)
	if loc == nil {
		return -1, -1
	}
	return loc[0], loc[1]
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Prefilter gives a filter for lines of raw JSONL, or nil if the pattern
// allows none. Lines that hold one of the literals in extra always pass it.
func (m *Matcher) Prefilter(extra []string) *Prefilter {
	if m.windows == nil {
		return nil
	}
	windows, a := m.windows[:len(m.windows):len(m.windows)], m.alphabet
	for _, s := range extra {
		if s == "" {
			return nil
		}
		windows = append(windows, rawWindow(s, &a))
	}
	return newPrefilter(windows, a)
}
