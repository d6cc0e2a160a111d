package scan

import (
	"csift/pkg/addr"
	"csift/pkg/transcript"
)

// selection is the part of a transcript that was asked for, resolved against it.
type selection struct {
	lines []addr.Run // joined
	turns []addr.Run
	recs  map[transcript.Loc]bool
	ids   map[string]bool // the uuids of parts, for the dialogs they may name
}

func (s *selection) has(l transcript.Loc, unit int) bool {
	return addr.Within(s.lines, int(l.Line)) || addr.Within(s.turns, unit) || s.recs[l]
}

// choose resolves the parts that were asked for. A part that names something the transcript does not have goes to
// Missing: it was pinned, so it is an error, and the rest is answered.
func (st *settling) choose() error {
	if len(st.file.Parts) == 0 {
		return nil
	}
	st.only = &selection{recs: map[transcript.Loc]bool{}, ids: map[string]bool{}}
	for _, p := range st.file.Parts {
		if !st.only.add(p, st.s) && !st.pends(p) {
			st.res.Missing = append(st.res.Missing, p)
		}
		if p.UUID != "" {
			st.only.ids[p.UUID] = true
		}
	}
	st.only.lines, st.only.turns = addr.Join(st.only.lines), addr.Join(st.only.turns)
	return nil
}

func (sel *selection) add(p Part, s *transcript.Structure) bool {
	switch {
	case p.Range.Kind == addr.LineRange:
		lo, hi, ok := p.Range.Spec.Resolve(s.Lines)
		if ok {
			sel.lines = append(sel.lines, addr.Run{Lo: lo, Hi: hi})
		}
		return ok || !p.Range.Spec.Explicit()
	case p.Range.Kind == addr.TurnRange:
		lo, hi, ok := p.Range.Spec.Resolve(s.Turns())
		if ok {
			sel.turns = append(sel.turns, addr.Run{Lo: lo, Hi: hi})
		}
		return ok || !p.Range.Spec.Explicit()
	case p.UUID == "":
		sel.lines = append(sel.lines, addr.Run{Lo: p.Line, Hi: p.Line})
		return p.Line >= 1 && p.Line <= s.Lines
	}
	all := s.FindAll(p.UUID, p.Line)
	for _, loc := range all {
		sel.recs[loc] = true
	}
	return len(all) > 0
}
