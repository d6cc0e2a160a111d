package search

import (
	"strconv"

	"csift/pkg/label"
	"csift/pkg/scan"
	"csift/pkg/transcript"
)

func itoa(n int) string { return strconv.Itoa(n) }

// siblings gives the records of a turn that are no hits, a few of each kind.
func (p *painter) siblings(f *scan.File, s *transcript.Structure, x *scan.Exchange) (*family, error) {
	fam := &family{}
	if first, last, ok := s.Span(x.Unit); ok {
		fam.TurnLines = &[2]int{first, last}
	}
	hits := map[transcript.Loc]bool{}
	for _, h := range x.Hits {
		hits[h.Loc] = true
	}
	shown := map[label.Leaf]int{}
	before := len(p.hits)
	for _, loc := range s.Records(x.Unit) {
		if hits[loc] {
			continue
		}
		n := len(p.hits)
		if err := p.record(f, s, loc, false); err != nil {
			return nil, err
		}
		kept := p.hits[:n]
		for _, h := range p.hits[n:] {
			if h.Label == nil {
				continue
			}
			if most := siblingCap(h.Leaf); most > 0 && shown[h.Leaf] >= most {
				fam.SiblingsHidden++
				continue
			}
			shown[h.Leaf]++
			kept = append(kept, h)
		}
		p.hits = kept
	}
	err := p.pendingSiblings(x)
	fam.Siblings = p.hits[before:]
	return fam, err
}

// siblingCap is how many siblings of a leaf are shown in one turn; 0 is all.
func siblingCap(l label.Leaf) int {
	switch {
	case l.Role() == label.User, l.Category() == "agent.message", l.Category() == "agent.communication":
		return 0
	case l == label.AgentThinkingNarration:
		return 1
	case l.Category() == "agent.thinking":
		return 2
	case l.Category() == "agent.tool":
		return 3
	}
	return 2
}
