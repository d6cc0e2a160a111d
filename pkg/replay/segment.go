package replay

// segments follows what --patches prints: stretches of events between boundaries that no patch may cross.
type segments struct {
	on   bool
	list []Segment
	cur  Segment
	ops  []op // what moved in cur
	any  bool // cur has an event
}

// begin starts a segment at what b knows.
func (s *segments) begin(b *Buffer) {
	if !s.on {
		return
	}
	s.cur, s.any = Segment{Before: b.clone()}, false
	s.ops = nil
	b.log = &s.ops
}

// lower makes room for n lines above all that the segment knows: they were there before it.
func (s *segments) lower(n int) {
	if !s.on {
		return
	}
	s.cur.Before.put(1, 0, gapOf(n))
	for i := range s.ops {
		s.ops[i].at += n
	}
}

// split ends the segment at a boundary and starts the next one.
func (s *segments) split(b *Buffer, at Boundary) {
	s.close(b, &at)
	s.begin(b)
}

// close ends the segment, if anything happened in it, at what b knows.
func (s *segments) close(b *Buffer, at *Boundary) {
	if !s.on || !s.any {
		return
	}
	c := s.cur
	c.Index, c.End, c.After, c.Anchor = len(s.list)+1, at, b.clone(), b.anchor
	c.PreKnown = c.Before.Count() > 0 || c.Before.Complete()
	s.list = append(s.list, c)
	s.any = false
}

// touch counts an event into the segment.
func (s *segments) touch(e *Event) {
	if !s.any {
		s.cur.First = e.At
	}
	s.cur.Last, s.any = e.At, true
}

// change counts an event that changes the file. create says that there was none before.
func (s *segments) change(b *Buffer, e *Event, create bool) {
	if !s.on {
		return
	}
	s.touch(e)
	s.cur.Changed = true
	if create && s.cur.Before.Empty() && len(s.ops) == 0 {
		s.cur.Before.setParts([]string{""}, atEnd)
	}
}

// reveal counts an event that showed parts from to to of the file as it is. What the segment has not changed of them was
// there when it began, so that a later window is no addition in its patch.
func (s *segments) reveal(b *Buffer, e *Event, from, to int) {
	if !s.on {
		return
	}
	s.touch(e)
	before := s.cur.Before
	for _, m := range s.origin(from, to) {
		for k := 0; k < m.n; k++ {
			if _, ok := before.at(m.was + k); ok || before.tail != open && m.was+k > before.n {
				continue
			}
			if text, ok := b.at(m.now + k); ok {
				before.reach(m.was + k)
				before.put(m.was+k, 1, linesOf([]string{text}))
			}
		}
	}
	if b.tail == open || before.tail != open || b.n == 0 {
		return
	}
	if m := s.origin(b.n, b.n); len(m) == 1 && m[0].was >= before.n {
		before.reach(m[0].was)
		before.tail = b.tail
	}
}

// moved is a stretch of parts that is where it was, or only moved, since the segment began.
type moved struct{ now, was, n int }

// origin follows parts from to to back to where they were when the segment began. Parts that it changed have no origin.
func (s *segments) origin(from, to int) []moved {
	all := []moved{{from, from, to - from + 1}}
	for i := len(s.ops) - 1; i >= 0; i-- {
		o := s.ops[i]
		var out []moved
		for _, m := range all {
			if n := min(m.n, o.at-m.was); n > 0 {
				out = append(out, moved{m.now, m.was, n})
			}
			if skip := max(0, o.at+o.new-m.was); skip < m.n {
				out = append(out, moved{m.now + skip, m.was + skip - o.new + o.old, m.n - skip})
			}
		}
		all = out
	}
	return all
}

// finish ends the last segment.
func (s *segments) finish(b *Buffer) []Segment {
	s.close(b, nil)
	b.log = nil
	return s.list
}
