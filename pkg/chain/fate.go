package chain

import (
	"sort"

	"csift/pkg/record"
)

// LostOpener is an opener that the conversation went on without.
type LostOpener struct {
	Node     int32
	By       int32 // index of the opener that took its place; None when there is none
	Answered bool  // an assistant record hangs below it: it was rewound; else it is a draft
}

// kinship keeps an opener per family: of those that hang below the same record, below the same uuid that is on no line, or that start a session.
type kinship map[family]int32

type family struct {
	at      int32 // the parent; None when it is on no line
	session uint64
	parent  record.ID
}

// of gives the opener kept for a family; None when there is none.
func (k kinship) of(f family) int32 {
	if i, ok := k[f]; ok {
		return i
	}
	return None
}

func (s *solver) family(i int32) family {
	f := family{at: s.parent[i]}
	if f.at == None {
		if f.parent = s.nodes[i].Parent; f.parent.IsZero() {
			f.session = s.sessionOf(i)
		}
	}
	return f
}

// sessionOf gives the session of an opener without a parent.
func (s *solver) sessionOf(i int32) uint64 {
	r := s.rows.Roots
	k := sort.Search(len(r), func(k int) bool { return r[k].Node >= i })
	if k < len(r) && r[k].Node == i {
		return r[k].Session
	}
	return 0
}

// fates tells drafts from rewound turns and finds what took their place.
func (s *solver) fates(v *Survival) {
	v.Abandoned = len(v.Left)
	for _, i := range v.Left {
		if s.mark[i]&(opens|out) == opens {
			v.Lost = append(v.Lost, LostOpener{Node: i, By: None})
		}
		if s.nodes[i].Kind == Assistant && s.mark[i]&out == 0 {
			for at := i; at != None && s.mark[at]&answered == 0 && v.State[at] == Abandoned; at = s.up[at] {
				s.mark[at] |= answered
			}
		}
	}
	if v.Lost == nil {
		return
	}
	byChain, last := kinship{}, kinship{}
	for k := range v.Lost {
		last[s.family(v.Lost[k].Node)] = None
	}
	for _, i := range s.openers {
		if s.mark[i]&out != 0 || v.State[i] == Abandoned {
			continue
		}
		f := s.family(i)
		if _, asked := last[f]; !asked {
			continue
		}
		last[f] = i
		if s.mark[i]&walked != 0 {
			byChain[f] = i
		}
	}
	for k := range v.Lost {
		l := &v.Lost[k]
		f := s.family(l.Node)
		if l.By = byChain.of(f); l.By == None {
			l.By = last.of(f)
		}
		if l.Answered = s.mark[l.Node]&answered != 0; l.Answered {
			v.Rewound++
		} else {
			v.Drafts++
		}
	}
}
