package section

import (
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// lostLeaf gives what the person's words are called in an opener that the conversation went on without, or in a copy of
// one: user.rewound where it had been answered, else user.unsent; label.None for any other record.
func lostLeaf(s *transcript.Structure, loc transcript.Loc) label.Leaf {
	l, ok := s.Lost(loc.Line, loc.Part)
	if n, copied := s.CopyOf(loc.Line, loc.Part); copied && !ok {
		l, ok = s.Lost(int32(n), 0)
	}
	switch {
	case !ok:
		return label.None
	case l.Answered:
		return label.UserRewound
	}
	return label.UserUnsent
}

// rename gives the person's words another leaf. What others wrote in an opener (a notification, a message of a peer) keeps
// its own: who said it does not change with what became of it.
func (b *Builder) rename(to label.Leaf) {
	for i := range b.out {
		s := &b.out[i]
		if len(s.Labels) == 0 {
			continue
		}
		switch s.Labels[0] {
		case label.UserMessage, label.UserAnswer, label.UserRejection:
			s.Labels = b.labels(append([]label.Leaf{to}, s.Labels[1:]...)...)
		}
	}
}

// survival fills in what became of the record.
func (u *filling) survival(st *transcript.Structure, loc transcript.Loc) {
	u.Survival = u.word(st.Survival(loc.Line, loc.Part).String())
	if root, rewound, ok := st.Root(loc.Line, loc.Part); ok {
		u.AbandonedRootLine = u.number(int(root.Line))
		u.Rewound = rewound
	}
	if n, ok := st.CopyOf(loc.Line, loc.Part); ok {
		u.ReplayCopyOf = u.number(n)
	}
	l, ok := st.Lost(loc.Line, loc.Part)
	if !ok {
		return
	}
	u.Rewound = u.Rewound || l.Answered
	if l.HasBy {
		u.SupersedingLine = u.number(int(l.By.Line))
		if id := st.UUID(l.By.Line, l.By.Part); id != "" {
			u.SupersedingUUID = u.word(id)
		}
	}
}

// Rival compares openers that the conversation went on without with those that took their place. It reuses its buffers
// and serves one goroutine.
type Rival struct {
	b    Builder
	rec  record.Record
	line []byte
	text []byte

	st    *transcript.Structure // of the opener that was read last, at by: a hundred drafts may have one in their place
	by    transcript.Loc
	known bool   // it holds words of the person
	final []rune // these
}

// Compare fills in how far the text of an abandoned opener is from that of the opener in its place, which is read from
// the file. It does nothing for any other record. leaf says which section of the record is asked about: only the one
// that opened the turn has a rival.
func (v *Rival) Compare(u *Unit, text []byte, f *transcript.File, st *transcript.Structure, loc transcript.Loc) error {
	l, ok := st.Lost(loc.Line, loc.Part)
	if !ok || !l.HasBy || u.Leaf != label.UserUnsent && u.Leaf != label.UserRewound {
		return nil
	}
	if v.st != st || v.by != l.By {
		if err := v.read(f, st, l.By); err != nil {
			return err
		}
	}
	if v.known {
		d := distance(text, v.final)
		u.DiffChars, u.DiffExact, u.DiffPct = &d.chars, &d.exact, d.percent()
	}
	return nil
}

// read reads the opener at a place.
func (v *Rival) read(f *transcript.File, st *transcript.Structure, by transcript.Loc) (err error) {
	v.st, v.known = nil, false
	if v.line, err = f.Record(by, &v.rec, v.line); err != nil {
		return err
	}
	v.st, v.by = st, by
	ctx := ContextOf(st, by)
	for _, s := range v.b.Sections(&v.rec, &ctx) {
		if len(s.Labels) > 0 && s.Labels[0].Role() == label.User {
			v.text = s.Append(v.text[:0])
			v.final, v.known = []rune(string(v.text)), true
			break
		}
	}
	return nil
}
