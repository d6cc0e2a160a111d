package addr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// edge is one end of a Spec: open, counted from the start, or counted from the
// end (n holds the k of -k).
type edge struct {
	kind edgeKind
	n    int
}

type edgeKind uint8

const (
	openEdge edgeKind = iota
	fromStart
	fromEnd
)

// Spec is a range specification: N, A..B, N.., ..N, .., -k, -k.., ..-k, A..-k,
// -j..-k, both ends inclusive. It knows whether its items are counted from 1
// (lines) or from 0 (turns). Specs compare with ==; the zero Spec is all turns.
type Spec struct {
	lo, hi edge
	single bool
	base   uint8
}

// ParseSpec reads one range spec. base is the number of the first item: 1 for
// lines, 0 for turns. Errors quote s and, where the meaning is plain, spell what
// should have been written.
func ParseSpec(s string, base int) (Spec, error) {
	t := strings.TrimSpace(s)
	spec := Spec{base: uint8(base)}
	a, b, isRange := strings.Cut(t, "..")
	var err error
	if spec.lo, err = parseEdge(s, a, base, isRange); err != nil {
		return Spec{}, err
	}
	if !isRange {
		spec.hi, spec.single = spec.lo, true
		return spec, nil
	}
	if spec.hi, err = parseEdge(s, b, base, true); err != nil {
		return Spec{}, err
	}
	backwards := spec.lo.kind == fromStart && spec.hi.kind == fromStart && spec.lo.n > spec.hi.n ||
		spec.lo.kind == fromEnd && spec.hi.kind == fromEnd && spec.lo.n < spec.hi.n
	if backwards {
		return Spec{}, fmt.Errorf("range %q runs backwards; write %s..%s", s, spec.hi, spec.lo)
	}
	return spec, nil
}

func parseEdge(spec, s string, base int, mayBeOpen bool) (edge, error) {
	if s == "" && mayBeOpen {
		return edge{}, nil
	}
	e := edge{kind: fromStart}
	digits := s
	if strings.HasPrefix(s, "-") {
		e.kind, digits = fromEnd, s[1:]
	}
	if !allDigits(digits) {
		return edge{}, specError(spec, base)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n == math.MaxInt {
		return edge{}, fmt.Errorf("range %q: the number %s is too large", spec, digits)
	}
	e.n = n
	if e.kind == fromEnd && n == 0 {
		return edge{}, fmt.Errorf("range %q: the last item is -1; there is no -0", spec)
	}
	if e.kind == fromStart && n < base {
		return edge{}, fmt.Errorf("range %q: counting starts at %d", spec, base)
	}
	return e, nil
}

// specError explains a spec that is no spec, naming the likely slip where there
// is one.
func specError(s string, base int) error {
	t := strings.TrimSpace(s)
	a, b, ok := strings.Cut(t, "-")
	if ok && allDigits(a) && allDigits(b) {
		return fmt.Errorf("range %q: a range is written with two dots: %s..%s", s, a, b)
	}
	mark := "L"
	if base == 0 {
		mark = "t"
	}
	if rest, ok := strings.CutPrefix(t, mark); ok {
		if _, err := ParseSpec(rest, base); err == nil {
			return fmt.Errorf("range %q: write %s", s, rest)
		}
	}
	return fmt.Errorf("range %q is none of N, A..B, N.., ..N, .., -k (k-th from the end), -k.., ..-k, A..-k", s)
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Item returns the Spec of the single item n, counted from 1 as lines are. Use
// TurnAt for a turn.
func Item(n int) Spec {
	e := edge{kind: fromStart, n: n}
	return Spec{lo: e, hi: e, single: true, base: 1}
}

// Resolve returns the first and last item that s selects out of n items, in the
// spec's own counting, clamped to the items there are. ok is false when nothing
// is left: beyond the end, from-end ends that cross, or n == 0.
func (s Spec) Resolve(n int) (lo, hi int, ok bool) {
	first, last := int(s.base), n-1+int(s.base)
	lo, hi = first, last
	switch s.lo.kind {
	case fromStart:
		lo = s.lo.n
	case fromEnd:
		lo = last + 1 - s.lo.n
	}
	switch s.hi.kind {
	case fromStart:
		hi = s.hi.n
	case fromEnd:
		hi = last + 1 - s.hi.n
	}
	lo, hi = max(lo, first), min(hi, last)
	if lo > hi {
		return 0, 0, false
	}
	return lo, hi, true
}

// Explicit reports whether s is N or A..B in plain numbers. A command that takes
// s as an address owes an error for each such item that is not there; every other
// form clamps.
func (s Spec) Explicit() bool { return s.lo.kind == fromStart && s.hi.kind == fromStart }

// Missing returns the part of an explicit spec that lies beyond n items. ok is
// false when nothing is missing or s is not explicit.
func (s Spec) Missing(n int) (lo, hi int, ok bool) {
	last := n - 1 + int(s.base)
	if !s.Explicit() || s.hi.n <= last {
		return 0, 0, false
	}
	return max(s.lo.n, last+1), s.hi.n, true
}

// FromEnd reports whether resolving s needs the number of items: one of its ends
// is counted from the end.
func (s Spec) FromEnd() bool { return s.lo.kind == fromEnd || s.hi.kind == fromEnd }

// Single reports whether s names one item (N or -k) rather than a range.
func (s Spec) Single() bool { return s.single }

// String spells s so that ParseSpec reads it back.
func (s Spec) String() string {
	if s.single {
		return s.lo.String()
	}
	return s.lo.String() + ".." + s.hi.String()
}

func (e edge) String() string {
	switch e.kind {
	case fromStart:
		return strconv.Itoa(e.n)
	case fromEnd:
		return "-" + strconv.Itoa(e.n)
	}
	return ""
}

// RangeKind says what a Range counts.
type RangeKind uint8

// The kinds of range. NoRange is the zero value: the whole transcript.
const (
	NoRange RangeKind = iota
	LineRange
	TurnRange
)

// Range is the part of an address after the colon: lines (":120..140") or turns
// (":t-3.."). Ranges compare with ==.
type Range struct {
	Kind RangeKind
	Spec Spec
}

// LineAt returns the Range of one physical line, counted from 1.
func LineAt(line int) Range { return Range{LineRange, Item(line)} }

// TurnAt returns the Range of one turn, counted from 0.
func TurnAt(turn int) Range {
	s := Item(turn)
	s.base = 0
	return Range{TurnRange, s}
}

// ParseRange reads what follows the colon of an address: a line spec, or a turn
// spec after "t".
func ParseRange(s string) (Range, error) {
	if rest, ok := strings.CutPrefix(s, "t"); ok {
		spec, err := ParseSpec(rest, 0)
		return Range{TurnRange, spec}, err
	}
	if rest, ok := strings.CutPrefix(s, "L"); ok {
		if _, err := ParseSpec(rest, 1); err == nil {
			return Range{}, fmt.Errorf("range %q: lines are written without the L: %s", s, rest)
		}
	}
	spec, err := ParseSpec(s, 1)
	return Range{LineRange, spec}, err
}

// String spells r as it stands after the colon; "" for NoRange.
func (r Range) String() string {
	switch r.Kind {
	case LineRange:
		return r.Spec.String()
	case TurnRange:
		return "t" + r.Spec.String()
	}
	return ""
}
