package chain

// widen adds to the walked chain what Claude Code loads with it: the other records of an API message that has one on the
// chain, the results of calls in any of them, and what is no conversation and hangs below the leaf.
func (s *solver) widen(leaf int32) {
	var off []int32 // what the walk has not reached
	calls := false
	for i, m := range s.mark {
		if m&(gone|walked) == 0 {
			off = append(off, int32(i))
			calls = calls || m&talk != 0 && s.nodes[i].Message != 0
		}
	}
	if calls {
		s.widenMessages(off)
	}
	for _, i := range off {
		switch {
		case s.mark[i]&carrier != 0:
			if p := s.parentOf(i); p != None && s.nodes[p].Kind == Assistant && s.mark[p]&(walked|widened) != 0 {
				s.mark[i] |= widened
			}
		case s.mark[i]&talk == 0:
			s.belowLeaf(i, leaf)
		}
	}
}

// widenMessages adds the assistant records that share a message with the chain.
func (s *solver) widenMessages(off []int32) {
	onChain := map[uint64]bool{}
	some := newFilter(len(off)) // by messageBits; it spares most records of the chain the look at their node
	for _, i := range off {
		if n := &s.nodes[i]; n.Kind == Assistant && n.Message != 0 {
			onChain[n.Message] = false
			some.add(uint64(messageBits(n.Message)) << 48)
		}
	}
	for i, m := range s.mark {
		if !some.has(uint64(s.message[i])<<48) || m&(walked|talk|carrier) != walked|talk {
			continue
		}
		n := &s.nodes[i]
		if n.Kind != Assistant || n.Message == 0 {
			continue
		}
		if _, ok := onChain[n.Message]; ok {
			onChain[n.Message] = true
		}
	}
	for _, i := range off {
		if n := &s.nodes[i]; n.Kind == Assistant && onChain[n.Message] {
			s.mark[i] |= widened
		}
	}
}

// belowLeaf adds a record and all between it and the leaf when there is no conversation between them.
func (s *solver) belowLeaf(i, leaf int32) {
	s.path = s.path[:0]
	at := i
	for at != None && at != leaf && s.mark[at]&talk == 0 && s.mark[at]&(widened|beside) == 0 {
		s.mark[at] |= beside // until proven otherwise; a ring ends here
		s.path = append(s.path, at)
		at = s.parentOf(at)
	}
	if at == None || at != leaf && s.mark[at]&widened == 0 || s.mark[at]&talk != 0 && at != leaf {
		return
	}
	for _, k := range s.path {
		s.mark[k] = s.mark[k]&^beside | widened
	}
}
