package scan

import (
	"csift/pkg/addr"
	"csift/pkg/transcript"
)

// selection is the part of a transcript that was asked for, resolved against it.
type selection struct {
	lines []span // inclusive
	turns []span
	recs  map[transcript.Loc]bool
}

type span struct{ lo, hi int }

func (s *selection) has(l transcript.Loc, unit int) bool {
	for _, r := range s.lines {
		if int(l.Line) >= r.lo && int(l.Line) <= r.hi {
			return true
		}
	}
	for _, r := range s.turns {
		if unit >= r.lo && unit <= r.hi {
			return true
		}
	}
	return s.recs[l]
}

// choose resolves the parts that were asked for. A part that names something the transcript does not have goes to
// Missing: it was pinned, so it is an error, and the rest is answered.
func (st *settling) choose() error {
	if len(st.file.Parts) == 0 {
		return nil
	}
	st.only = &selection{recs: map[transcript.Loc]bool{}}
	for _, p := range st.file.Parts {
		if !st.only.add(p, st.s) && !st.pends(p) {
			st.res.Missing = append(st.res.Missing, p)
		}
	}
	return nil
}

func (sel *selection) add(p Part, s *transcript.Structure) bool {
	switch {
	case p.Range.Kind == addr.LineRange:
		lo, hi, ok := p.Range.Spec.Resolve(s.Lines)
		if ok {
			sel.lines = append(sel.lines, span{lo, hi})
		}
		return ok || !p.Range.Spec.Explicit()
	case p.Range.Kind == addr.TurnRange:
		lo, hi, ok := p.Range.Spec.Resolve(s.Turns())
		if ok {
			sel.turns = append(sel.turns, span{lo, hi})
		}
		return ok || !p.Range.Spec.Explicit()
	case p.UUID == "":
		sel.lines = append(sel.lines, span{p.Line, p.Line})
		return p.Line >= 1 && p.Line <= s.Lines
	}
	all := s.FindAll(p.UUID, p.Line)
	for _, loc := range all {
		sel.recs[loc] = true
	}
	return len(all) > 0
}
