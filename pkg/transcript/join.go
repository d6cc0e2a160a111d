package transcript

import (
	"cmp"
	"slices"
	"sync"

	"csift/pkg/chain"
)

// Join puts the parts of one transcript together. The parts must cover the file and come in any order; they are of no use
// afterwards.
func Join(parts []*Part, inLane bool) *Structure {
	j := NewJoiner(0, inLane)
	n, tools := 0, 0
	for _, p := range parts {
		n += len(p.rows.Nodes)
		tools += len(p.tools)
	}
	if len(parts) > 1 {
		s := j.s
		s.rows.Nodes, s.locs, s.tools = make([]chain.Node, 0, n), make([]Loc, 0, n), make([]toolEvent, 0, tools)
	}
	j.joinAll(parts)
	return j.done()
}

// Joiner puts the parts of one transcript together while other parts are still being walked: they are then near in memory, and
// what they took can be used for the next ones. Several goroutines may use it.
type Joiner struct {
	mu      sync.Mutex
	s       *Structure
	size    int64           // of the file
	end     int64           // of the parts that are joined
	waiting map[int64]*Part // behind a part that is missing yet, by offset
	free    []*Part
	numbers map[*names][]uint16 // the tools of a walker as they are numbered here
	cuts    []cut
}

// NewJoiner makes a joiner for a file of size bytes.
func NewJoiner(size int64, inLane bool) *Joiner {
	return &Joiner{s: &Structure{InLane: inLane, names: newNames()}, size: size, waiting: map[int64]*Part{}, numbers: map[*names][]uint16{}}
}

// Part gives an empty part to walk a chunk into.
func (j *Joiner) Part() *Part {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.free); n > 0 {
		p := j.free[n-1]
		j.free = j.free[:n-1]
		return p
	}
	return &Part{}
}

// Add takes a part that Part gave and Walker.Chunk has filled. It must not be used any more.
func (j *Joiner) Add(p *Part) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waiting[p.Off] = p
	for p = j.waiting[j.end]; p != nil; p = j.waiting[j.end] {
		delete(j.waiting, j.end)
		j.end = p.end
		j.reserve(p)
		j.join(p)
		p.clear()
		j.free = append(j.free, p)
	}
}

// Structure gives the whole. Every part of the file must have been added.
func (j *Joiner) Structure() *Structure {
	var rest []*Part
	for _, p := range j.waiting { // none, unless the chunks left something out
		rest = append(rest, p)
	}
	j.joinAll(rest)
	return j.done()
}

func (j *Joiner) joinAll(parts []*Part) {
	slices.SortFunc(parts, func(a, b *Part) int { return cmp.Compare(a.Off, b.Off) })
	for _, p := range parts {
		j.join(p)
	}
}

func (j *Joiner) done() *Structure {
	s := j.s
	s.nodes = s.rows.Nodes
	s.resolve(chain.DefaultCrossings)
	s.modes = modes(j.cuts)
	return s
}

// reserve makes room for a part, and at once for as much as the rest of the file will hold if it is like what is joined.
func (j *Joiner) reserve(p *Part) {
	s := j.s
	s.rows.Nodes = room(s.rows.Nodes, len(p.rows.Nodes), j.end, j.size)
	s.locs = room(s.locs, len(p.locs), j.end, j.size)
	s.tools = room(s.tools, len(p.tools), j.end, j.size)
}

const (
	firstMB   = 4 << 20 // of a file: they tell something of the rest
	fewThings = 1 << 18
)

// room gives s with room for more things, which with those in it come from the first done of size bytes. Room that is never
// used costs no memory, and too little makes a copy of all; but a file may begin unlike what follows, so that room grows
// to eight times of what is needed at most, or to what is not much.
func room[T any](s []T, more int, done, size int64) []T {
	n := len(s) + more
	if n <= cap(s) && s != nil {
		return s
	}
	want := n
	if 0 < done && done < size {
		most := 8 * n
		if done >= firstMB {
			most = max(most, fewThings)
		}
		want = int(min(2*float64(n)*float64(size)/float64(done), float64(most)))
	}
	return append(make([]T, 0, want), s...)
}

// clear makes a part empty. What it held by reference now belongs to the whole; what was copied is used again.
func (p *Part) clear() {
	*p = Part{rows: p.rows.Empty(), locs: p.locs[:0], tools: p.tools[:0], openers: p.openers[:0]}
}

// join puts the next part behind those that are joined.
func (j *Joiner) join(p *Part) {
	s := j.s
	base, line := int32(len(s.rows.Nodes)), int32(s.Lines)
	s.index.add(p.Off, p.Lines)
	for i := range p.locs {
		p.locs[i].Line += line
	}
	for _, o := range p.openers {
		s.opened = append(s.opened, opener{node: o.node + base, why: o.why, at: o.at})
	}
	s.rows.Append(&p.rows, line)
	if s.locs == nil {
		s.locs = p.locs
	} else {
		s.locs = append(s.locs, p.locs...)
	}
	j.addTools(p, base)
	for _, l := range p.refused {
		l.Line += line
		s.Refused = append(s.Refused, l)
	}
	for _, c := range p.cuts {
		c.line += line
		j.cuts = append(j.cuts, c)
	}
	s.Plans, s.Fires = merged(s.Plans, p.plans), merged(s.Fires, p.fires)
	s.instants, s.resumes, s.scheduled = merged(s.instants, p.instants), merged(s.resumes, p.resumes), merged(s.scheduled, p.scheduled)
	s.tasks, s.agents = firsts(s.tasks, p.tasks), firsts(s.agents, p.agents)
	s.ids.Merge(&p.ids)
	s.Lines += p.Lines
	s.Blank += p.Blank
	s.Unframed += p.Unframed
	s.Damaged += p.Damaged
	s.Joined += p.Joined
	s.Clone = s.Clone || p.clone
}

// addTools appends the tool events of a part whose nodes are numbered from base on.
func (j *Joiner) addTools(p *Part, base int32) {
	s := j.s
	number := j.numbers[p.names]
	if len(number) == 0 {
		number = append(number, 0) // of results
	}
	if len(number) < len(p.named) {
		for _, name := range p.named[len(number):] {
			number = append(number, s.names.add(name))
		}
		j.numbers[p.names] = number
	}
	if s.tools == nil {
		s.tools = make([]toolEvent, 0, len(p.tools))
	}
	for _, e := range p.tools {
		e.node += base
		e.name = number[e.name]
		s.tools = append(s.tools, e)
	}
}

// firsts is merged for values of which the first counts.
func firsts[V any](dst, src map[string]V) map[string]V {
	for k := range src {
		if _, ok := dst[k]; ok {
			delete(src, k)
		}
	}
	return merged(dst, src)
}

func merged[V any](dst, src map[string]V) map[string]V {
	if dst == nil {
		return src
	}
	for k, v := range src {
		dst[k] = v
	}
	return dst
}
