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

// kinship groups openers that hang below the same parent: a record, an uuid on no line, or the start of a session.
type kinship struct {
	s      *solver
	first  []int32 // per node: the opener kept for the children of that node
	others map[family]*int32
}

type family struct {
	parent  record.ID
	session uint64
}

func (s *solver) newKinship() *kinship {
	k := &kinship{s: s, first: make([]int32, len(s.nodes)), others: map[family]*int32{}}
	for i := range k.first {
		k.first[i] = None
	}
	return k
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

// of gives the place kept for the family of an opener; it starts as None.
func (k *kinship) of(i int32) *int32 {
	if p := k.s.parent[i]; p != None {
		return &k.first[p]
	}
	f := family{parent: k.s.nodes[i].Parent}
	if f.parent.IsZero() {
		f.session = k.s.sessionOf(i)
	}
	v := k.others[f]
	if v == nil {
		v = new(int32)
		*v = None
		k.others[f] = v
	}
	return v
}

// fates tells drafts from rewound turns and finds what took their place.
func (s *solver) fates(v *Survival) {
	for i := range s.nodes {
		if v.State[i] != Abandoned {
			continue
		}
		v.Abandoned++
		if s.mark[i]&(opens|out) == opens {
			v.Lost = append(v.Lost, LostOpener{Node: int32(i), By: None})
		}
		if s.nodes[i].Kind == Assistant && s.mark[i]&out == 0 {
			for at := int32(i); at != None && s.mark[at]&answered == 0 && v.State[at] == Abandoned; at = s.up[at] {
				s.mark[at] |= answered
			}
		}
	}
	if v.Lost == nil {
		return
	}
	byChain, last := s.newKinship(), s.newKinship()
	for i := range s.nodes {
		k := int32(i)
		if s.mark[i]&(opens|out) != opens || v.State[i] == Abandoned {
			continue
		}
		*last.of(k) = k
		if s.mark[i]&walked != 0 {
			*byChain.of(k) = k
		}
	}
	for k := range v.Lost {
		l := &v.Lost[k]
		if l.By = *byChain.of(l.Node); l.By == None {
			l.By = *last.of(l.Node)
		}
		if l.Answered = s.mark[l.Node]&answered != 0; l.Answered {
			v.Rewound++
		} else {
			v.Drafts++
		}
	}
}
