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
	"regexp"
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
	pattern string
	re      *regexp.Regexp
	slow    bool
	buf     []byte
}

// Compile reads a pattern. The dialect is RE2's with Unicode-aware \d \s \w,
// without flag x and without class set operations. Case is ignored
// unless the pattern spells an upper-case letter: as itself, in a bracket class
// or as an escape of a character code. \S, \W, \D, \B and \p{Lu} spell none.
// An error says what is wrong with the pattern in words for its author.
func Compile(pattern string, o Options) (*Matcher, error) {
	p, err := translate(pattern, o)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, err
	}
	return &Matcher{pattern: pattern, re: re, slow: o.Slow}, nil
}

// Empty reports whether the pattern is empty, which matches every text.
func (m *Matcher) Empty() bool { return m.pattern == "" }

// Clone gives a Matcher for another goroutine.
func (m *Matcher) Clone() *Matcher {
	c := *m
	c.buf = nil
	return &c
}

// Match reports whether the decoded text matches. A byte that is not UTF-8
// counts as U+FFFD.
func (m *Matcher) Match(text []byte) bool { return m.re.Match(text) }

// MatchRaw reports whether the text spelt by raw, the interior of a JSON
// string, matches. Lone surrogates count as U+FFFD.
func (m *Matcher) MatchRaw(raw []byte) bool {
	m.buf = unescape(m.buf[:0], raw)
	return m.re.Match(m.buf)
}

// Find gives the byte span of the leftmost match in the decoded text, as
// package regexp would, or -1, -1.
func (m *Matcher) Find(text []byte) (start, end int) {
	loc := m.re.FindIndex(text)
	if loc == nil {
		return -1, -1
	}
	return loc[0], loc[1]
}

// Prefilter gives a filter for lines of raw JSONL, or nil if the pattern
// allows none. Lines that hold one of the literals in extra always pass it.
func (m *Matcher) Prefilter(extra []string) *Prefilter { return nil }

// A Prefilter finds the lines that may match. It is safe for concurrent use.
type Prefilter struct{}

// Index gives the first position in b, a run of whole raw JSONL lines, that
// lies in a line with a possible match, or -1. Resume after that line's end.
func (p *Prefilter) Index(b []byte) int { return 0 }

// Weak reports whether nearly every line is likely to pass.
func (p *Prefilter) Weak() bool { return true }

func (p *Prefilter) String() string { return "none" }
