package chain

import "csift/pkg/record"

// relink does what Claude Code does to its map before it looks for a leaf: it takes out what stands before the newest
// boundary and is not preserved, and puts the preserved records behind their anchor. Where the preserved set does not
// resolve, nothing happens at all.
func (s *solver) relink() {
	newest, last := s.lastCompaction(func(*Compaction) bool { return true }), s.lastCompaction((*Compaction).preserves)
	if last == nil {
		return
	}
	var kept []int32
	if last == newest {
		var ok bool
		if kept, ok = s.preserved(last); !ok {
			return
		}
		for _, k := range kept {
			s.mark[k] |= preserved
		}
	}
	s.cut(newest.Node)
	if len(kept) > 0 {
		s.splice(s.find(last.Anchor), kept)
	}
}

func (c *Compaction) preserves() bool { return c.Messages || c.Segment }

// lastCompaction gives the last one in the file that is wanted and whose line counts.
func (s *solver) lastCompaction(want func(*Compaction) bool) *Compaction {
	for k := len(s.rows.Compactions) - 1; k >= 0; k-- {
		c := &s.rows.Compactions[k]
		if s.mark[c.Node]&out == 0 && want(c) {
			return c
		}
	}
	return nil
}

// preserved resolves the records a boundary keeps, in order; ok is false when one of them is on no line, or when the
// segment does not lead from its tail to its head.
func (s *solver) preserved(c *Compaction) (kept []int32, ok bool) {
	if c.Messages {
		seen := make(map[int32]bool, len(c.Kept))
		for _, id := range c.Kept {
			k := s.judged(id)
			if k == None {
				return nil, false
			}
			if !seen[k] {
				seen[k] = true
				kept = append(kept, k)
			}
		}
		return kept, true
	}
	head, at := s.judged(c.Head), s.judged(c.Tail)
	for len(kept) <= len(s.nodes) && at != None && head != None {
		kept = append(kept, at)
		if at == head {
			for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
				kept[i], kept[j] = kept[j], kept[i]
			}
			return kept, true
		}
		at = s.up[at]
	}
	return nil, false
}

// judged finds a node that is more than a link.
func (s *solver) judged(id record.ID) int32 {
	if k := s.find(id); k != None && s.nodes[k].admitted() {
		return k
	}
	return None
}

// cut removes every uuid whose first line stands before that of the boundary and that is not preserved.
func (s *solver) cut(boundary int32) {
	var first map[int32]int32 // of the uuids that stand on several lines
	for i, c := range s.copies {
		if c == None {
			continue
		}
		if first == nil {
			first = map[int32]int32{}
		}
		if _, ok := first[c]; !ok {
			first[c] = int32(i)
		}
	}
	end := boundary
	if f, ok := first[boundary]; ok {
		end = f
	}
	for i := range end {
		if s.mark[i]&(out|preserved) == 0 {
			s.mark[i] |= removed
		}
	}
	for k, f := range first {
		if f < end && s.mark[k]&(out|preserved) == 0 {
			s.mark[k] |= removed
		}
	}
	s.cutAt = boundary
}

// splice chains the preserved records behind the anchor, and what followed the anchor, or lost its parent to the cut,
// behind the last of them.
func (s *solver) splice(anchor int32, kept []int32) {
	last, top := kept[len(kept)-1], anchor
	if anchor != None && !s.nodes[anchor].admitted() {
		top, anchor = s.up[anchor], None
	}
	up := make([]int32, len(s.up))
	copy(up, s.up)
	for i, p := range s.up {
		if p == None || s.mark[i]&(out|removed|preserved) != 0 {
			continue
		}
		if p == anchor || s.mark[p]&removed != 0 && s.mark[i]&talk != 0 {
			up[i] = last
		}
	}
	for k, i := range kept {
		if up[i] = top; k > 0 {
			up[i] = kept[k-1]
		}
	}
	s.up, s.relinked = up, true
}
