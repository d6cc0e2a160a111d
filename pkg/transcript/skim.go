// Package transcript opens one transcript: it walks the lines once to learn where every record stands, which turn it
// belongs to and which tool call a result answers, and it fetches records again by line, uuid and turn.
//
// It knows nothing of labels or of rendered text, and it resolves no target.
//
// The invariant: everything is decided over one snapshot of the file (the size at opening); what is appended later is
// not seen, and a file that shrinks meanwhile is an error, never a shorter answer.
package transcript

import (
	"bytes"
	"hash/maphash"

	"csift/pkg/chain"
	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Loc is where a record stands: the physical line and which of the records on it.
type Loc struct {
	Off  int64 // of the line in the file
	Len  int32 // of the line without its newline
	Line int32 // 1-based
	Part int32 // 0 unless several records share the line
	At   int32 // where the record starts in its line, and
	Size int32 // how long it is: both 0 where it has the line for itself
}

// In gives the place of the i-th record on the line at a place, which it shares with others or with damage: b is the part
// of line that holds it. A record is read from there without a look at the rest, so that a line of many costs no more than
// its bytes.
func (l Loc) In(line []byte, i int, b []byte) Loc {
	l.Part, l.At, l.Size = int32(i), int32(jsonl.Within(line, b)), int32(len(b))
	return l
}

// Span gives the bytes of the file that hold the record: its line where it has one for itself.
func (l Loc) Span() (off int64, n int) {
	if l.Size == 0 {
		return l.Off, int(l.Len)
	}
	return l.Off + int64(l.At), int(l.Size)
}

// Decode reads the record at a place from the bytes of its Span.
func (l Loc) Decode(b []byte, r *record.Record) bool {
	if l.Size > 0 {
		return record.Decode(b, r)
	}
	return record.Decode(jsonl.Trim(b, l.Off == 0), r)
}

// Part is what a walk over some whole lines found, in file order. Lines are numbered from 1 within the part until the
// parts of a file are joined.
type Part struct {
	Off                             int64 // of the first line in the file
	Lines, Blank, Unframed, Damaged int   // Damaged: framed lines with a broken interior; they hold no whole record or more than records
	Joined                          int   // records beyond the first on a line

	end     int64 // of the last line in the file, with its newline
	rows    chain.Rows
	locs    []Loc
	openers []opener
	tools   []toolEvent
	names   *names   // of the tools: those of the walker, which go on growing
	named   []string // the names that this part knows
	ids     record.Interner
	clone   bool              // the first record is a fork-context-ref
	plans   map[string]string // ExitPlanMode call -> plan file
	fires   map[string]bool   // uuids of scheduled_task_fire records
	refused []Loc             // refusals with typed words
	cuts    []cut             // compaction boundaries and summaries

	instants  map[string]string // per scheduled_task_fire record, by uuid: the instant it speaks of
	resumes   map[string]bool   // uuids of resume prompts
	scheduled map[string]bool   // prompts of scheduled tasks that fired
	tasks     map[string]string // per task: the tool use id of the call whose result first named it
	agents    map[string]string // per call, by tool use id: the agent that its result first named
}

// cut is a record of a compaction.
type cut struct {
	line    int32
	summary bool
	mode    string // of a summary
}

type opener struct {
	node int32
	why  record.Opening
	at   string // its timestamp as written
}

// toolEvent is one side of a tool call.
type toolEvent struct {
	id     uint64
	node   int32
	name   uint16 // in names
	result bool
	failed bool
}

// names numbers the names of tools; number 0 is "".
type names struct {
	all   []string
	index map[string]uint16
	near  [64]uint16 // per place: the number of the name that was last looked for there
}

func newNames() *names { return &names{all: []string{""}, index: map[string]uint16{"": 0}} }

// number gives one number per name, and 0 when there are too many. A session uses few tools, so a place by length and ends
// most often has the name.
func (n *names) number(s record.Str) uint16 {
	if len(s) == 0 {
		return 0
	}
	near := &n.near[(len(s)*5+int(s[0])*3+int(s[len(s)-1]))%len(n.near)]
	if n.all[*near] == string(s) {
		return *near
	}
	k, ok := n.index[string(s)]
	if !ok {
		k = n.add(s.String())
	}
	*near = k
	return k
}

func (n *names) add(name string) uint16 {
	k, ok := n.index[name]
	if !ok && len(n.all) < 1<<16-1 {
		k = uint16(len(n.all))
		n.all = append(n.all, name)
		n.index[name] = k
	}
	return k
}

// Walker walks lines and fills a Part. One walker serves one goroutine; it is reused from part to part.
type Walker struct {
	InLane bool // the file is a subagent's own transcript
	// Record, when set, is called for every whole record. The record points into the line.
	Record func(r *record.Record, loc Loc)
	// Want, when set, says of which lines Record wants the records; the others are only skimmed.
	Want func(loc Loc) bool
	// Told, while it is set, says that records as the Skimmer leaves them are enough for Record (record.Record.Skimmed tells
	// it). Record and Want may set it; the walker takes it back behind a record that opens a turn.
	Told bool
	// Skims says that Record takes all its records so, and decodes those of which it needs more.
	Skims bool
	// Damage, when set, is called for every line that is not blank and has a part that is no whole record.
	Damage func(line []byte, loc Loc, framed bool)

	rec   record.Record  // of lines that are wanted whole
	skim  record.Skimmer // of the others
	names *names
	yes   bool // what Want said last
	nodes int  // what the last chunk held
	tools int
}

// HasPlans reports whether the part holds an ExitPlanMode call that names its plan file.
func (p *Part) HasPlans() bool { return len(p.plans) > 0 }

var seed = maphash.MakeSeed()

// Chunk walks all lines of a chunk.
func (w *Walker) Chunk(c jsonl.Chunk, p *Part) {
	p.Off, p.end = c.Off, c.Off+int64(len(c.B))
	w.prepare(p)
	defer w.remember(p)
	b, off, first := c.B, c.Off, c.First
	for len(b) > 0 {
		if n := w.plain(b, off, first, p); n > 0 {
			b, off = b[min(n, len(b)):], off+int64(n)
			continue
		}
		n := bytes.IndexByte(b, '\n')
		line := b
		if n >= 0 {
			line, b = b[:n], b[n+1:]
		} else {
			b = nil
		}
		p.Lines++
		w.Line(line, Loc{Off: off, Len: int32(len(line)), Line: int32(p.Lines)}, first, p)
		first = false
		off += int64(n) + 1
	}
}

// prepare gives a part room for about as much as the last chunk held.
func (w *Walker) prepare(p *Part) {
	if p.rows.Nodes == nil && w.nodes > 0 {
		p.rows.Nodes, p.locs = make([]chain.Node, 0, w.nodes), make([]Loc, 0, w.nodes)
		p.tools = make([]toolEvent, 0, w.tools)
	}
}

func (w *Walker) remember(p *Part) {
	const most = 4096
	w.nodes, w.tools = min(len(p.locs)*9/8, most), min(len(p.tools)*9/8, most)
}

// plain walks the line that starts b when it is nothing but a record: where it ends is then known without a look for the
// newline. It gives the length of the line with its newline, 0 for any other line.
func (w *Walker) plain(b []byte, off int64, first bool, p *Part) int {
	if first || b[0] != '{' {
		return 0
	}
	told := w.Told || w.Skims
	whole := w.Record != nil && !told && (w.Want == nil || w.yes) // most likely it is wanted, as the last one was
	r := &w.rec
	var n int
	var ok bool
	if whole {
		n, ok = record.DecodePrefix(b, r)
	} else {
		r = &w.skim.Record
		n, ok = w.skim.Prefix(b)
	}
	if !ok || n < len(b) && b[n] != '\n' {
		return 0
	}
	p.Lines++
	loc := Loc{Off: off, Len: int32(n), Line: int32(p.Lines)}
	if w.Record != nil && w.wants(loc) {
		switch {
		case told || whole:
			w.Record(r, loc)
		case record.Decode(b[:n], &w.rec):
			w.Record(&w.rec, loc)
		}
	}
	w.found(r, loc, p)
	return n + 1
}

func (w *Walker) wants(loc Loc) bool {
	w.yes = w.Want == nil || w.Want(loc)
	return w.yes
}

// Line walks one line, which has no newline. It does not count it in p.Lines.
func (w *Walker) Line(line []byte, loc Loc, first bool, p *Part) {
	t := jsonl.Trim(line, first)
	switch jsonl.ShapeOf(t) {
	case jsonl.Blank:
		p.Blank++
		return
	case jsonl.Damaged:
		p.Unframed++
		w.broken(line, t, loc, false, p)
		return
	}
	if r, ok := w.decode(t, loc); ok {
		w.found(r, loc, p)
		return
	}
	w.broken(line, t, loc, true, p)
}

// decode reads a record as far as it is wanted.
func (w *Walker) decode(b []byte, loc Loc) (*record.Record, bool) {
	wanted := w.Record != nil && w.wants(loc)
	r, ok := &w.rec, false
	if wanted && !w.Told && !w.Skims {
		ok = record.Decode(b, r)
	} else {
		r = &w.skim.Record
		ok = w.skim.Skim(b)
	}
	if ok && wanted {
		w.Record(r, loc)
	}
	return r, ok
}

// broken handles a line that is not one whole record, t when it is trimmed.
func (w *Walker) broken(line, t []byte, loc Loc, framed bool, p *Part) {
	parts, damaged := record.Split(t)
	for i, b := range parts {
		at := loc.In(line, i, b)
		if r, ok := w.decode(b, at); ok {
			w.found(r, at, p)
		}
	}
	if len(parts) > 1 {
		p.Joined += len(parts) - 1
	}
	if framed && damaged {
		p.Damaged++
	}
	if damaged && w.Damage != nil {
		w.Damage(t, loc, framed)
	}
}

// found enters the record just decoded.
func (w *Walker) found(r *record.Record, loc Loc, p *Part) {
	if p.Off == 0 && loc.Line == 1 && loc.Part == 0 {
		p.clone = r.Type.Is("fork-context-ref")
	}
	why, said := record.NoOpening, true
	switch string(r.Type) {
	case "user":
		w.toolEvents(r, p)
		if r.IsMeta {
			p.resumed(r)
		}
		if r.IsCompactSummary {
			p.cuts = append(p.cuts, cut{line: loc.Line, summary: true, mode: r.CompactMode()})
		}
		if why = r.Opens(w.InLane); why == record.Rejection {
			p.refused = append(p.refused, loc)
		}
	case "assistant":
		w.toolEvents(r, p)
		if r.IsMeta {
			p.resumed(r)
		}
	case "system":
		said = false
		w.system(r, loc, p)
	default:
		said = false
	}
	p.rows.Mark(r, &p.ids)
	if r.UUID == nil && !said {
		return
	}
	if why != record.NoOpening {
		w.Told = false
		p.openers = append(p.openers, opener{node: int32(len(p.rows.Nodes)), why: why, at: r.Timestamp.String()})
	}
	p.rows.Add(r, loc.Line, why != record.NoOpening, &p.ids)
	p.locs = append(p.locs, loc)
}

// system enters what a record of the harness tells of others.
func (w *Walker) system(r *record.Record, loc Loc, p *Part) {
	switch {
	case r.Subtype.Is("scheduled_task_fire") && r.UUID != nil:
		if p.fires == nil {
			p.fires = map[string]bool{}
		}
		p.fires[r.UUID.String()] = true
		p.fired(r)
	case r.Subtype.Is("compact_boundary"):
		p.cuts = append(p.cuts, cut{line: loc.Line})
	}
}

// toolEvents enters the calls and results of a record that is about to become the next node.
func (w *Walker) toolEvents(r *record.Record, p *Part) {
	node := int32(len(p.rows.Nodes))
	for i := range r.Blocks {
		b := &r.Blocks[i]
		switch {
		case b.ID != nil && string(b.Type) == "tool_use":
			if w.names == nil {
				w.names = newNames()
			}
			p.tools = append(p.tools, toolEvent{id: toolHash(b.ID), node: node, name: w.names.number(b.Name)})
			p.names, p.named = w.names, w.names.all
			if b.Name.Is("ExitPlanMode") {
				if path := b.Input.Get("planFilePath").Str().String(); path != "" {
					if p.plans == nil {
						p.plans = map[string]string{}
					}
					p.plans[b.ID.String()] = path
				}
			}
		case b.ToolUseID != nil && string(b.Type) == "tool_result":
			p.tools = append(p.tools, toolEvent{id: toolHash(b.ToolUseID), node: node, result: true, failed: b.IsError})
			if r.Result.TaskID != nil || r.Result.AgentID != nil {
				p.started(r, b)
			}
		}
	}
}

func toolHash(id record.Str) uint64 {
	if jsonl.HasEscape(id) {
		return maphash.String(seed, id.String())
	}
	return maphash.Bytes(seed, id)
}
