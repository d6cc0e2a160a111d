package transcript

import (
	"sort"
	"sync"
	"unsafe"

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
	rows   chain.Rows
	nodes  []chain.Node // of rows
	locs   []Loc        // per node
	opened []opener     // every record that could open a turn, in file order
	res    *chain.Result
	heads  []int32          // per unit: the node that heads it, chain.None for a turn without an opener
	units  map[int32]int32  // per head of an abandoned unit: the unit
	tools  []toolEvent      // in file order
	names  *names           // of the tools
	calls  callIndex        // over tools; built when first asked for
	modes  map[int32]string // per compaction boundary, by line: how its summary came about
	ids    record.Interner
	rel    related

	instants  map[string]string
	resumes   map[string]bool
	tasks     map[string]string
	agents    map[string]string
	scheduled map[string]bool

	lineIndex sync.Once
	byLine    []int32 // per line: the first node on it or behind it; built when first asked for

	byTurn   [][]int32 // node indexes per unit, in reading order; built when first asked for
	earliest earliest
	crowd    crowd

	mixed map[int]bool // units whose reading order is not that of the file
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

// Turns is how many turns the transcript has: at least one unless it holds no record at all.
func (s *Structure) Turns() int {
	if n := len(s.res.Opener); n > 0 {
		return n
	}
	if s.Lines > s.Blank+s.Unframed+s.Damaged || len(s.nodes) > 0 {
		return 1
	}
	return 0
}

// node gives the index of the record at a place, or -1.
func (s *Structure) node(line, part int32) int {
	i := s.firstAt(line)
	if i < len(s.locs) && s.locs[i].Line == line && s.locs[i].Part < part {
		i += sort.Search(s.firstAt(line+1)-i, func(k int) bool { return s.locs[i+k].Part >= part })
	}
	if i < len(s.locs) && s.locs[i].Line == line && s.locs[i].Part == part {
		return i
	}
	return -1
}

// firstAt gives the index of the first node on a line or behind it.
func (s *Structure) firstAt(line int32) int {
	s.lineIndex.Do(func() {
		s.byLine = make([]int32, s.Lines+2)
		next := int32(0)
		for i := range s.locs {
			for ; next <= s.locs[i].Line; next++ {
				s.byLine[next] = int32(i)
			}
		}
		for ; int(next) < len(s.byLine); next++ {
			s.byLine[next] = int32(len(s.locs))
		}
	})
	return int(s.byLine[min(max(line, 0), int32(len(s.byLine)-1))])
}

// Turn gives the turn of the record at a place. An abandoned record belongs to none: Turn gives the one it stands in by
// position, and Unit the branch it was abandoned with.
func (s *Structure) Turn(line, part int32) int {
	i := s.node(line, part)
	if i < 0 {
		i = s.before(line + 1)
	} else if t := s.res.Of[i]; t != chain.None {
		return int(t)
	}
	k := sort.Search(len(s.res.Opener), func(k int) bool { return s.res.Opener[k] > int32(i) })
	return max(k-1, 0)
}

// Opener gives the place of the record that opens a unit; ok is false when it has none: a file without an opener, or an
// abandoned branch that starts with another record.
func (s *Structure) Opener(unit int) (loc Loc, why record.Opening, ok bool) {
	o := s.openerOf(unit)
	if o == nil {
		return Loc{}, record.NoOpening, false
	}
	return s.locs[o.node], o.why, true
}

// OpenedAt gives the timestamp of a unit's opening record as it is written, "" when there is none.
func (s *Structure) OpenedAt(unit int) string {
	if o := s.openerOf(unit); o != nil {
		return o.at
	}
	return ""
}

// OpenerUUID gives the uuid of a unit's opening record, "" when there is none.
func (s *Structure) OpenerUUID(unit int) string {
	if o := s.openerOf(unit); o != nil {
		return s.spell(s.nodes[o.node].ID)
	}
	return ""
}

// Opens reports whether the record at a place opens a turn.
func (s *Structure) Opens(line, part int32) bool {
	i := s.node(line, part)
	if i < 0 {
		return false
	}
	t := s.res.Of[i]
	return t != chain.None && int(t) < len(s.res.Opener) && s.res.Opener[t] == int32(i)
}

// Hops is the number of parent links from the record to its opener, see OpenerOf; ok is false when they do not lead
// there.
func (s *Structure) Hops(line, part int32) (n int, ok bool) {
	i := s.node(line, part)
	if i < 0 || s.res.Hops[i] == chain.None {
		return 0, false
	}
	return int(s.res.Hops[i]), true
}

// CopyOf gives the line that carries the same uuid later in the file, when the record is a replay copy of it.
func (s *Structure) CopyOf(line, part int32) (int, bool) {
	i := s.node(line, part)
	if i < 0 || s.res.Copy == nil || s.res.Copy[i] == chain.None {
		return 0, false
	}
	return int(s.nodes[s.res.Copy[i]].Line), true
}

// Copies counts the replay copies.
func (s *Structure) Copies() int { return s.res.Copies }

// UUID gives the uuid of the record at a place as it is written, "" when it has none.
func (s *Structure) UUID(line, part int32) string {
	if i := s.node(line, part); i >= 0 {
		return s.spell(s.nodes[i].ID)
	}
	return ""
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
	if i := s.res.Find(id); i != chain.None {
		return s.locs[i], true
	}
	return Loc{}, false
}

// FindAt gives the place of the record with that uuid: on the given line if it stands there, else wherever it stands.
func (s *Structure) FindAt(uuid string, line int) (Loc, bool) {
	var in record.Interner
	id := in.Of(uuid)
	if id.IsZero() {
		return Loc{}, false
	}
	if at := s.onLine(id, int32(line)); len(at) > 0 {
		return s.locs[at[0]], true
	}
	return s.Find(uuid)
}

// FindAll is FindAt for a row, which cannot say which of several records on its line with that uuid it is about: all of
// them, none where no record has the uuid.
func (s *Structure) FindAll(uuid string, line int) []Loc {
	first, ok := s.FindAt(uuid, line)
	if !ok {
		return nil
	}
	if s.Copies() == 0 || int(first.Line) != line {
		return []Loc{first}
	}
	var all []Loc
	for _, i := range s.onLine(s.nodes[s.node(first.Line, first.Part)].ID, first.Line) {
		all = append(all, s.locs[i])
	}
	return all
}

// fewOnLine is how many records of a line are looked at one by one.
const fewOnLine = 8

// crowd finds records on lines of more than a few; built when first asked for.
type crowd struct {
	once sync.Once
	at   map[lineID][]int32
}

type lineID struct {
	line int32
	id   record.ID
}

// onLine gives the records with an id on a line.
func (s *Structure) onLine(id record.ID, line int32) (out []int32) {
	from, to := s.firstAt(line), s.firstAt(line+1)
	if to-from > fewOnLine {
		s.crowd.once.Do(s.gather)
		return s.crowd.at[lineID{line, id}]
	}
	for i := from; i < to; i++ {
		if s.locs[i].Line == line && s.nodes[i].ID == id {
			out = append(out, int32(i))
		}
	}
	return out
}

func (s *Structure) gather() {
	s.crowd.at = map[lineID][]int32{}
	for i := range s.nodes {
		if l := s.locs[i].Line; s.firstAt(l+1)-s.firstAt(l) > fewOnLine {
			key := lineID{l, s.nodes[i].ID}
			s.crowd.at[key] = append(s.crowd.at[key], int32(i))
		}
	}
}

// UUIDs gives the uuids of a turn's records in reading order.
func (s *Structure) UUIDs(turn int) []string {
	const size = 36
	m := s.members(turn)
	out, all := make([]string, 0, len(m)), make([]byte, 0, size*len(m)) // the text of all of them
	for _, i := range m {
		if id := s.nodes[i].ID; !id.IsZero() {
			n := len(all)
			all = s.ids.AppendSpelling(all, id)
			out = append(out, unsafe.String(unsafe.SliceData(all[n:]), len(all)-n))
		}
	}
	if len(out) == 0 {
		return nil
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

func (s *Structure) members(unit int) []int32 {
	if s.byTurn == nil {
		s.byTurn = make([][]int32, len(s.heads))
		all := make([]int32, len(s.nodes))
		counts := make([]int, len(s.byTurn)+1)
		for i := range s.nodes {
			counts[s.unit(int32(i))+1]++
		}
		for t := range s.byTurn {
			counts[t+1] += counts[t]
			s.byTurn[t] = all[counts[t]:counts[t]:counts[t+1]]
		}
		for i := range s.nodes {
			t := s.unit(int32(i))
			s.byTurn[t] = append(s.byTurn[t], int32(i))
		}
		for t := range s.byTurn {
			s.order(t)
		}
	}
	if unit < 0 || unit >= len(s.byTurn) {
		return nil
	}
	return s.byTurn[unit]
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
