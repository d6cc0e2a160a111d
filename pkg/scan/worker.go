package scan

import (
	"bytes"
	"math"
	"slices"
	"sync/atomic"

	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// worker is the state of one goroutine.
type worker struct {
	q    *Query
	m    *match.Matcher
	pre  *match.Prefilter
	walk transcript.Walker
	sec  section.Builder
	rec  record.Record
	buf  []byte // a small file
	line []byte // one line of a big one

	contexts section.Contexts
	space    section.Space // of the record under way

	cur   *piece
	put   int          // how many records will be put off, most likely
	seen  *atomic.Bool // some record matched, of any file
	bytes []byte       // the chunk that is searched, which starts at base in its file
	base  int64
	next  int64 // where the prefilter finds something next; -1: not looked for yet
}

// piece is what one chunk of a file gave.
type piece struct {
	part  transcript.Part
	whole bool // part knows every record of the chunk, not only the candidates
	found []found
	maybe []transcript.Loc // what was not looked into: its turn most likely has a hit already, see lazy
	hurt  []int32          // lines whose damage contains the pattern, numbered within the chunk
	bad   int              // lines to be counted as skipped

	unresolved, partly int // results whose output could not be read, or not all of it

	loose bool // some of what was found may be none: its name depends on other lines
	// unread counts what matches and is not read, as long as nothing else matches.
	unread int
}

// found is a record that matches as far as its line tells.
type found struct {
	loc   transcript.Loc
	at    int64
	unit  int32 // see Exchange; known once the file's structure is
	loose bool
}

func newWorker(q *Query, pre *match.Prefilter, seen *atomic.Bool) *worker {
	w := &worker{q: q, m: q.Match.Clone(), pre: pre, seen: seen}
	w.sec.Filter, w.sec.TextOnly = q.Filter, !q.Filter.Any() && q.Count == NoAxis
	w.walk.Record, w.walk.Want = w.record, w.candidate
	w.walk.Damage = w.damage
	w.walk.Skims = w.sec.TextOnly && !q.unread && !q.Slow
	return w
}

// chunk searches a run of whole lines. hits is how many records of the file were found so far, by all workers: from
// enough on, the whole file has to be known, and every line is walked at once.
func (w *worker) chunk(c jsonl.Chunk, inLane bool, hits *atomic.Int64) *piece {
	p := &piece{}
	w.cur = p
	w.walk.InLane, w.walk.Told = inLane, false
	w.chunkAt(c)
	if w.pre == nil || hits.Load() >= w.q.enough() || !w.sparse(c, p) {
		*p = piece{whole: true, maybe: make([]transcript.Loc, 0, min(w.put, 4096))}
		w.next = -1
		w.walk.Chunk(c, &p.part)
		w.put = len(p.maybe) * 9 / 8
	}
	hits.Add(int64(len(p.found)))
	w.cur = nil
	return p
}

// enough is how many hits in a file ask for its structure: one, but where only turns are counted a single hit is one
// turn, whichever it is.
func (q *Query) enough() int64 {
	switch {
	case q.Exchanges || q.Count != NoAxis || q.Filter.Any() || q.Turn != nil || q.Chain:
		return 1
	case q.NoTurns:
		return math.MaxInt64
	}
	return 2
}

// dense is how many candidates among so many lines make parsing every line the cheaper way.
const (
	denseCandidates = 8
	denseLines      = 4 * denseCandidates
)

// sparse looks only at lines that the prefilter finds, and at the shape of the others. It gives up, and returns false,
// when most lines are candidates, and when so much is found that every line has to be known. Where one hit is all that is
// wanted it only skims what may match behind it.
func (w *worker) sparse(c jsonl.Chunk, p *piece) bool {
	b := c.B
	p.part.Off = c.Off
	candidates := 0
	enough := w.q.enough()
	for at := 0; at < len(b); {
		n := bytes.IndexByte(b[at:], '\n')
		end := len(b)
		if n >= 0 {
			end = at + n
		}
		p.part.Lines++
		line := b[at:end]
		first := c.First && at == 0
		loc := transcript.Loc{Off: c.Off + int64(at), Len: int32(len(line)), Line: int32(p.part.Lines)}
		switch {
		case w.mayMatch(loc):
			if candidates++; candidates == denseCandidates && p.part.Lines <= denseLines && !w.walk.Told {
				return false
			}
			w.walk.Line(line, loc, first, &p.part)
			if int64(len(p.found)) >= enough {
				return false
			}
		case len(line) > 1 && line[0] == '{' && line[len(line)-1] == '}':
		default:
			switch jsonl.ShapeOf(jsonl.Trim(line, first)) {
			case jsonl.Blank:
				p.part.Blank++
			case jsonl.Damaged:
				p.part.Unframed++
				p.bad++
			}
		}
		at = end + 1
	}
	return true
}

// chunkAt says which bytes candidate looks at.
func (w *worker) chunkAt(c jsonl.Chunk) { w.bytes, w.base, w.next = c.B, c.Off, -1 }

// candidate reports whether a line is to be looked into, or put off: in a turn that has a hit any is, as most likely nobody
// will ask whether it matches. Lines are asked for in the order of the chunk.
func (w *worker) candidate(l transcript.Loc) bool {
	return w.walk.Told || w.mayMatch(l)
}

func (w *worker) mayMatch(l transcript.Loc) bool {
	if w.pre == nil {
		return true
	}
	if w.next < l.Off {
		w.next = math.MaxInt64
		if k := w.pre.Index(w.bytes[l.Off-w.base:]); k >= 0 {
			w.next = l.Off + int64(k)
		}
	}
	return w.next <= l.Off+int64(l.Len)
}

// holds is candidate for a line alone.
func (w *worker) holds(line []byte) bool { return w.pre == nil || w.pre.Index(line) >= 0 }

// damage is called for a line with a part that is no whole record. A line without a frame counts always, one with a
// broken interior where the pattern stands on it, so that the count does not depend on which lines were parsed. The
// pattern stands in the damage only where no whole record beside it holds it.
func (w *worker) damage(line []byte, loc transcript.Loc, framed bool) {
	hit := !w.m.Empty() && w.holds(line) && w.stands(line)
	if hit && slices.ContainsFunc(record.Damage(line), func(b []byte) bool { return w.stands(b) }) {
		w.cur.hurt = append(w.cur.hurt, loc.Line)
	}
	if !framed || hit || w.m.Empty() {
		w.cur.bad++
	}
}

// record is called for every whole record that may match: parsed, or skimmed where that is enough for the most part.
func (w *worker) record(r *record.Record, loc transcript.Loc) {
	if w.walk.Told {
		if !w.q.dated() || w.q.timely(instant(r)) {
			w.cur.maybe = append(w.cur.maybe, loc)
		}
		return
	}
	at := instant(r)
	if !w.q.timely(at) {
		return
	}
	if r.Skimmed && !w.enough(r) {
		if !record.Decode(r.Raw, &w.rec) {
			return
		}
		r = &w.rec
	}
	hit, loose := w.first(r)
	w.tally()
	if !hit {
		return
	}
	w.walk.Told = !loose && w.q.lazy() && (w.cur.whole || w.q.enough() == math.MaxInt64)
	w.cur.found = append(w.cur.found, found{loc: loc, at: at, loose: loose})
	w.cur.loose = w.cur.loose || loose
	if !w.seen.Load() {
		w.seen.Store(true)
	}
}

// enough reports whether nobody looks at more of a record than what is skimmed.
func (w *worker) enough(r *record.Record) bool {
	return w.sec.Enough(r) || !r.Type.Is("attachment") && !w.counts() && !w.q.reads(r)
}

// first reports whether a record matches as far as it can tell by itself. loose says that its context decides.
func (w *worker) first(r *record.Record) (hit, loose bool) {
	if w.q.unread {
		_, hit := w.overlooked(r, nil)
		return hit, true
	}
	if w.q.reads(r) {
		if hit, loose = w.matches(r, nil, false); hit {
			return hit, loose
		}
	}
	if w.counts() {
		if _, over := w.overlooked(r, nil); over {
			w.cur.unread++
		}
	}
	return false, false
}

func instant(r *record.Record) int64 {
	if r.Timestamp == nil {
		return NoTime
	}
	t, ok := when.StampBytes(r.Timestamp)
	if !ok && jsonl.HasEscape(r.Timestamp) {
		t, ok = when.Stamp(r.Timestamp.String())
	}
	if !ok {
		return NoTime
	}
	return when.Nanos(t)
}

func (q *Query) dated() bool { return q.Since != NoTime || q.Until != NoTime }

func (q *Query) timely(at int64) bool {
	if !q.dated() {
		return true
	}
	return at != NoTime && (q.Since == NoTime || at >= q.Since) && (q.Until == NoTime || at <= q.Until)
}

// matches reports whether some section of the record that the filter keeps matches. Without context the labels may still
// change, and abandoned is not known: what may be kept is, and loose says that context has to confirm it.
func (w *worker) matches(r *record.Record, ctx *section.Context, abandoned bool) (hit, loose bool) {
	secs := w.sec.Sections(r, ctx)
	delivered := w.q.Filter.Any() && section.Delivered(r)
	for i := range secs {
		s := &secs[i]
		kept := w.q.keeps(s, delivered, abandoned)
		switch {
		case kept:
		case ctx != nil, !s.Loose && !w.q.keeps(s, delivered, !abandoned):
			continue
		}
		if w.match(s) {
			if kept {
				return true, false
			}
			loose = true
		}
	}
	if len(secs) == 0 && w.q.bare() && w.m.Empty() && r.Type.Is("attachment") {
		return true, false
	}
	return loose, loose
}

// keeps reports whether the label filter keeps a section; delivered says whether the model received the record, abandoned
// whether the conversation went on without it.
func (q *Query) keeps(s *section.Section, delivered, abandoned bool) bool {
	if len(s.Labels) == 0 {
		return q.bare()
	}
	if !q.Filter.Any() {
		return true
	}
	_, ok := q.Filter.Pick(s.Labels, delivered, abandoned)
	return ok
}

// Pick gives the label under which a filter shows a section of a record that the conversation did not go on without; ok is
// false when it does not, as with a text that no leaf names.
func Pick(f label.Filter, s *section.Section, delivered bool) (label.Leaf, bool) {
	return f.Pick(s.Labels, delivered, false)
}

func (w *worker) match(s *section.Section) bool {
	if w.m.Empty() {
		return true
	}
	if s.Raw != nil {
		return w.m.MatchRaw(s.Raw)
	}
	return w.m.Match(s.Text)
}
