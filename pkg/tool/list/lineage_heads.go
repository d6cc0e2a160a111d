package list

import (
	"slices"
	"strings"
)

// heads finds the forks that the beginnings of the files tell: records that name the
// session they were copied from, and files that begin with one record.
func heads(all []*session) {
	begin := map[string][]*session{}
	for _, s := range all {
		if s.IsSubagent {
			continue
		}
		if id := s.keyed(); id != "" {
			s.forked = &forked{SessionID: &id, Basis: basisKey}
			continue
		}
		if uuid := s.open.begins(); uuid != "" {
			begin[uuid] = append(begin[uuid], s)
		}
	}
	for _, s := range all {
		if group := begin[s.open.begins()]; s.forked == nil && !s.IsSubagent && len(group) > 1 {
			s.alike(group)
		}
	}
}

// keyed gives the session that the first records name as the one they were copied from.
func (s *session) keyed() string {
	for _, l := range [...]tie{s.open.first, s.open.user} {
		if l.forked != "" && l.forked != s.ID {
			return l.forked
		}
	}
	return ""
}

// begins gives the record that stands for the beginning of the conversation, which a
// fork copies.
func (o *opening) begins() string {
	if o.user.uuid != "" {
		return o.user.uuid
	}
	return o.first.uuid
}

// alike judges a session by those that begin with the same record, itself among them.
// Of two the one whose file starts later is the fork; of more it is not told which of
// the earlier ones a fork was made from.
func (s *session) alike(group []*session) {
	others := slices.DeleteFunc(slices.Clone(group), func(o *session) bool { return o.ID == s.ID })
	if len(others) == 0 {
		return
	}
	s.forked = &forked{Basis: basisShared}
	for _, o := range others {
		if s.open.user.session == o.ID || s.open.first.session == o.ID {
			s.forked.SessionID = &o.ID
			return
		}
	}
	earlier := others[:0:0]
	for _, o := range others {
		if !o.open.began.After(s.open.began) && o.open.user.session != s.ID && o.open.first.session != s.ID {
			earlier = append(earlier, o)
		}
	}
	switch {
	case len(earlier) == 0: // they come from here
		s.forked = nil
	case len(earlier) == 1 && !earlier[0].open.began.Equal(s.open.began):
		s.forked.SessionID = &earlier[0].ID
	default:
		s.maybe = ids(earlier)
	}
}

// ids gives the ids of sessions, sorted, each once.
func ids(all []*session) (out []string) {
	for _, s := range all {
		out = append(out, s.ID)
	}
	slices.SortFunc(out, strings.Compare)
	return slices.Compact(out)
}
