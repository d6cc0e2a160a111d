package scan

import (
	"cmp"
	"slices"
	"sort"

	"csift/pkg/addr"
	"csift/pkg/transcript"
)

// selection is the part of a transcript that was asked for, resolved against it.
type selection struct {
	lines []span // inclusive
	turns []span
	recs  map[transcript.Loc]bool
	ids   map[string]bool // the uuids of parts, for the dialogs they may name
}

type span struct{ lo, hi int }

func (s *selection) has(l transcript.Loc, unit int) bool {
	return within(s.lines, int(l.Line)) || within(s.turns, unit) || s.recs[l]
}

// within reports whether a number is in one of some spans that went through apart.
func within(spans []span, n int) bool {
	k := sort.Search(len(spans), func(k int) bool { return spans[k].hi >= n })
	return k < len(spans) && spans[k].lo <= n
}

// apart puts spans in order, those that overlap as one: a pipe may name thousands.
func apart(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := spans[:0]
	for _, s := range spans {
		if k := len(out) - 1; k >= 0 && s.lo <= out[k].hi {
			out[k].hi = max(out[k].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
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
	st.only.lines, st.only.turns = apart(st.only.lines), apart(st.only.turns)
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
