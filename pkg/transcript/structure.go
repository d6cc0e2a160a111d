package transcript

import (
	"cmp"
	"slices"
	"sort"

	"csift/pkg/chain"
	"csift/pkg/record"
)

// Structure is what is known of a whole transcript: where its records stand, their turns and their tool calls.
type Structure struct {
	Lines, Blank, Unframed, Damaged, Joined int
	InLane                                  bool
	Clone                                   bool              // line 1 is a fork-context-ref: the lane has no seed prompt
	Plans                                   map[string]string // ExitPlanMode call -> the plan file it names
	Fires                                   map[string]bool   // uuids of scheduled_task_fire records
	Refused                                 []Loc             // refusals with typed words, in file order

	index  LineIndex
	nodes  []chain.Node
	locs   []Loc
	opened []opener // per turn
	turns  chain.Turns
	tools  []toolEvent      // sorted by id, then file order
	modes  map[int32]string // per compaction boundary, by line: how its summary came about
	ids    record.Interner
	byTurn [][]int32    // node indexes per turn, in reading order; built when first asked for
	mixed  map[int]bool // turns whose reading order is not that of the file
}

// Join puts the parts of one transcript together. The parts must cover the file and come in any order.
func Join(parts []*Part, inLane bool) *Structure {
	slices.SortFunc(parts, func(a, b *Part) int { return cmp.Compare(a.Off, b.Off) })
	s := &Structure{InLane: inLane}
	n, tools := 0, 0
	for _, p := range parts {
		n += len(p.nodes)
		tools += len(p.tools)
	}
	s.nodes, s.locs, s.tools = make([]chain.Node, 0, n), make([]Loc, 0, n), make([]toolEvent, 0, tools)
	var openers []opener
	var cuts []cut
	for _, p := range parts {
		base, line := int32(len(s.nodes)), int32(s.Lines)
		s.index.add(p.Off, p.Lines)
		for i := range p.nodes {
			p.nodes[i].Line += line
			p.locs[i].Line += line
		}
		for i := range p.tools {
			p.tools[i].loc.Line += line
		}
		for _, o := range p.openers {
			openers = append(openers, opener{node: o.node + base, why: o.why, at: o.at})
		}
		s.nodes = append(s.nodes, p.nodes...)
		s.locs = append(s.locs, p.locs...)
		s.tools = append(s.tools, p.tools...)
		for _, l := range p.refused {
			l.Line += line
			s.Refused = append(s.Refused, l)
		}
		for _, c := range p.cuts {
			c.line += line
			cuts = append(cuts, c)
		}
		s.Plans, s.Fires = merged(s.Plans, p.plans), merged(s.Fires, p.fires)
		s.ids.Merge(&p.ids)
		s.Lines += p.Lines
		s.Blank += p.Blank
		s.Unframed += p.Unframed
		s.Damaged += p.Damaged
		s.Joined += p.Joined
		s.Clone = s.Clone || p.clone
	}
	s.turns = chain.Assign(s.nodes)
	k := 0
	for _, o := range s.turns.Opener {
		for openers[k].node != o {
			k++
		}
		s.opened = append(s.opened, openers[k])
	}
	slices.SortStableFunc(s.tools, func(a, b toolEvent) int { return cmp.Compare(a.id, b.id) })
	s.modes = modes(cuts)
	return s
}

// modes pairs each boundary with the first summary behind it and before the next boundary.
func modes(cuts []cut) map[int32]string {
	out := map[int32]string{}
	for i := 0; i+1 < len(cuts); i++ {
		if !cuts[i].summary && cuts[i+1].summary {
			out[cuts[i].line] = cuts[i+1].mode
		}
	}
	return out
}

// CompactMode names how the compaction whose boundary stands on a line came about, "" when no summary says.
func (s *Structure) CompactMode(line int32) string { return s.modes[line] }

func merged[V any](dst, src map[string]V) map[string]V {
	if dst == nil {
		return src
	}
	for k, v := range src {
		dst[k] = v
	}
	return dst
}

// Turns is how many turns the transcript has: at least one unless it holds no record at all.
func (s *Structure) Turns() int {
	if n := len(s.turns.Opener); n > 0 {
		return n
	}
	if s.Lines > s.Blank+s.Unframed+s.Damaged || len(s.nodes) > 0 {
		return 1
	}
	return 0
}

// node gives the index of the record at a place, or -1.
func (s *Structure) node(line, part int32) int {
	i := sort.Search(len(s.locs), func(i int) bool {
		l := &s.locs[i]
		return l.Line > line || (l.Line == line && l.Part >= part)
	})
	if i < len(s.locs) && s.locs[i].Line == line && s.locs[i].Part == part {
		return i
	}
	return -1
}

// Turn gives the turn of the record at a place.
func (s *Structure) Turn(line, part int32) int {
	if i := s.node(line, part); i >= 0 {
		return int(s.turns.Of[i])
	}
	k := sort.Search(len(s.turns.Opener), func(k int) bool { return s.nodes[s.turns.Opener[k]].Line > line })
	return max(k-1, 0)
}

// Opener gives the place of a turn's opening record; ok is false when the turn has none (a file without an opener).
func (s *Structure) Opener(turn int) (loc Loc, why record.Opening, ok bool) {
	if turn < 0 || turn >= len(s.turns.Opener) {
		return Loc{}, record.NoOpening, false
	}
	return s.locs[s.turns.Opener[turn]], s.opened[turn].why, true
}

// OpenedAt gives the timestamp of a turn's opening record as it is written, "" when there is none.
func (s *Structure) OpenedAt(turn int) string {
	if turn < 0 || turn >= len(s.opened) {
		return ""
	}
	return s.opened[turn].at
}

// OpenerUUID gives the uuid of a turn's opening record, "" when there is none.
func (s *Structure) OpenerUUID(turn int) string {
	if turn < 0 || turn >= len(s.turns.Opener) {
		return ""
	}
	return s.spell(s.nodes[s.turns.Opener[turn]].ID)
}

// Opens reports whether the record at a place opens a turn.
func (s *Structure) Opens(line, part int32) bool {
	i := s.node(line, part)
	if i < 0 {
		return false
	}
	t := s.turns.Of[i]
	return int(t) < len(s.turns.Opener) && s.turns.Opener[t] == int32(i)
}

// Hops is the number of parent links from the record to its turn's opener; ok is false when they do not lead there.
func (s *Structure) Hops(line, part int32) (n int, ok bool) {
	i := s.node(line, part)
	if i < 0 || s.turns.Hops[i] == chain.None {
		return 0, false
	}
	return int(s.turns.Hops[i]), true
}

// CopyOf gives the line that carries the same uuid later in the file, when the record is a replay copy of it.
func (s *Structure) CopyOf(line, part int32) (int, bool) {
	i := s.node(line, part)
	if i < 0 || s.turns.Copy == nil || s.turns.Copy[i] == chain.None {
		return 0, false
	}
	return int(s.nodes[s.turns.Copy[i]].Line), true
}

// Copies counts the replay copies.
func (s *Structure) Copies() (n int) {
	for _, c := range s.turns.Copy {
		if c != chain.None {
			n++
		}
	}
	return n
}

func (s *Structure) spell(id record.ID) string {
	if id.IsZero() {
		return ""
	}
	return s.ids.Spell(id)
}

// Find gives the place of the last record with that uuid.
func (s *Structure) Find(uuid string) (Loc, bool) {
	var in record.Interner
	id := in.Of(uuid)
	if id.IsZero() {
		return Loc{}, false
	}
	for i := len(s.nodes) - 1; i >= 0; i-- {
		if s.nodes[i].ID == id {
			return s.locs[i], true
		}
	}
	return Loc{}, false
}

// FindAt gives the place of the record with that uuid: on the given line if it stands there, else wherever it stands.
func (s *Structure) FindAt(uuid string, line int) (Loc, bool) {
	var in record.Interner
	id := in.Of(uuid)
	for i := s.before(int32(line)) + 1; i < len(s.nodes) && s.locs[i].Line == int32(line); i++ {
		if s.nodes[i].ID == id && !id.IsZero() {
			return s.locs[i], true
		}
	}
	return s.Find(uuid)
}

// UUIDs gives the uuids of a turn's records in reading order.
func (s *Structure) UUIDs(turn int) []string {
	var out []string
	for _, i := range s.members(turn) {
		if id := s.nodes[i].ID; !id.IsZero() {
			out = append(out, s.spell(id))
		}
	}
	return out
}

// Records gives the places of a turn's records that carry a uuid or open it, in reading order: the opener first, then
// file order, a record that stands before its parent after that parent.
func (s *Structure) Records(turn int) []Loc {
	m := s.members(turn)
	out := make([]Loc, len(m))
	for k, i := range m {
		out[k] = s.locs[i]
	}
	return out
}

func (s *Structure) members(turn int) []int32 {
	if s.byTurn == nil {
		s.byTurn = make([][]int32, max(1, len(s.turns.Opener)))
		all := make([]int32, len(s.nodes))
		counts := make([]int, len(s.byTurn)+1)
		for _, t := range s.turns.Of {
			counts[t+1]++
		}
		for t := range s.byTurn {
			counts[t+1] += counts[t]
			s.byTurn[t] = all[counts[t]:counts[t]:counts[t+1]]
		}
		for i, t := range s.turns.Of {
			s.byTurn[t] = append(s.byTurn[t], int32(i))
		}
		for t := range s.byTurn {
			s.order(t)
		}
	}
	if turn < 0 || turn >= len(s.byTurn) {
		return nil
	}
	return s.byTurn[turn]
}

// Span gives the first and the last line of a turn's records; ok is false when it has none.
func (s *Structure) Span(turn int) (first, last int, ok bool) {
	for _, i := range s.members(turn) {
		l := int(s.nodes[i].Line)
		if !ok || l < first {
			first = l
		}
		last, ok = max(last, l), true
	}
	return first, last, ok
}
