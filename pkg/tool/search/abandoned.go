package search

import (
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// head is what heads a unit that the conversation went on without: there is no turn to number it by.
type head struct {
	word string // row.DraftWord and the like
	line int
}

func headOf(s *transcript.Structure, unit int) head {
	loc, _ := s.Head(unit)
	h := head{word: row.AbandonedWord, line: int(loc.Line)}
	if l, ok := s.LostUnit(unit); ok {
		if h.word = row.DraftWord; l.Answered {
			h.word = row.RewoundWord
		}
	}
	return h
}

// compare fills in how far a prompt that was given up is from the one that took its place.
func (p *painter) compare(f *scan.File, u *section.Unit, text []byte, s *transcript.Structure, loc transcript.Loc) error {
	file, err := p.files.open(f.Transcript, transcript.Options{Slow: p.query.Slow})
	if err != nil {
		return err
	}
	return p.rival.Compare(u, text, file, s, loc)
}
