package show

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// want is something to fetch: a run of lines, or one record.
type want struct {
	lo, hi   int            // physical lines, inclusive; with rec: unused
	explicit bool           // the line was named by itself: a miss is an error
	rec      transcript.Loc // one record
	one      bool
	excerpt  bool                // shown as an excerpt, as the records of a turn are
	pending  *transcript.Pending // a dialog of the sidecar, on no line
}

// addressed reports a transcript of which nothing was asked for.
func (j *job) addressed(x *fetched) error {
	if len(j.lines) > 0 || len(j.uuids) > 0 || j.turn != nil || len(x.t.Narrow) > 0 || j.opt.Forks {
		return nil
	}
	return cli.WithHint(cli.Errorf("no address: it is not said which records of %s", x.t.Path),
		"say which records: --line 120, --line 120..140, --uuid UUID, --turn 4, --turn -3..; or where it branched: --branch-points",
		"or as part of the target: "+j.env.Command("show", j.id(x)+":120")+", "+j.env.Command("show", j.id(x)+":t-3.."))
}

// settle turns the flags and the parts of a target into wants, and names what is not there.
func (j *job) settle(x *fetched) (missing []miss) {
	for _, spec := range j.lines {
		missing = append(missing, x.addLines(spec)...)
	}
	for _, u := range j.uuids {
		missing = append(missing, j.addUUID(x, u, 0, false)...)
	}
	if j.turn != nil {
		missing = append(missing, x.addTurns(*j.turn)...)
	}
	for _, p := range x.t.Narrow {
		switch {
		case p.Range.Kind == addr.LineRange:
			missing = append(missing, x.addLines(p.Range.Spec)...)
		case p.Range.Kind == addr.TurnRange:
			missing = append(missing, x.addTurns(p.Range.Spec)...)
		case p.UUID != "":
			missing = append(missing, j.addUUID(x, p.UUID, p.Line, true)...)
		default:
			missing = append(missing, x.addLines(addr.Item(p.Line))...)
		}
	}
	if len(missing) == 0 {
		missing = append(missing, j.unreadable(x)...)
	}
	for i := range missing {
		missing[i].x = x
	}
	return missing
}

// load learns as much of the file as the request needs.
func (j *job) load(x *fetched) error {
	linesOnly := j.opt.Raw && len(j.uuids) == 0 && j.turn == nil
	for _, p := range x.t.Narrow {
		linesOnly = linesOnly && p.UUID == "" && p.Range.Kind != addr.TurnRange
	}
	var err error
	if !linesOnly {
		if x.s, err = x.f.Structure(j.ctx); err != nil {
			return cannotRead(x, err)
		}
		x.s.Cross(j.env.CrossCompactions)
	}
	if x.ix, err = x.f.Index(j.ctx); err != nil {
		return cannotRead(x, err)
	}
	return nil
}

func (x *fetched) addLines(spec addr.Spec) (missing []miss) {
	n := x.ix.Lines
	lo, hi, ok := spec.Resolve(n)
	if from, to, gone := spec.Missing(n); gone {
		if from == to {
			return []miss{{where: strconv.Itoa(from), why: theLines(n)}}
		}
		return []miss{{where: fmt.Sprintf("%d..%d", from, to), why: theLines(n)}}
	}
	if !ok {
		return []miss{{where: spec.String(), why: theLines(n)}}
	}
	x.want = append(x.want, want{lo: lo, hi: hi, explicit: spec.Single() && spec.Explicit()})
	return nil
}

func (x *fetched) addTurns(spec addr.Spec) (missing []miss) {
	n := x.s.Turns()
	if from, to, gone := spec.Missing(n); gone {
		if from == to {
			return []miss{{turn: true, where: strconv.Itoa(from), why: theTurns(n)}}
		}
		return []miss{{turn: true, where: fmt.Sprintf("%d..t%d", from, to), why: theTurns(n)}}
	}
	lo, hi, ok := spec.Resolve(n)
	if !ok {
		return []miss{{turn: true, where: spec.String(), why: theTurns(n)}}
	}
	for turn := lo; turn <= hi; turn++ {
		for _, loc := range x.s.Records(turn) {
			x.want = append(x.want, want{rec: loc, one: true, excerpt: true})
		}
	}
	return nil
}

// theTurns and theLines say what a transcript of n of them has.
func theTurns(n int) string {
	if n == 0 {
		return " (the transcript has no turns)"
	}
	return " (the turns are t0..t" + strconv.Itoa(n-1) + ")"
}

func theLines(n int) string {
	if n == 0 {
		return " (the transcript has no lines)"
	}
	return " (the lines are L1..L" + strconv.Itoa(n) + ")"
}

// unreadable names the lines that were named by themselves and hold no record.
func (j *job) unreadable(x *fetched) (missing []miss) {
	if j.opt.Raw {
		return nil
	}
	for _, w := range x.want {
		if !w.explicit || w.one {
			continue
		}
		x.f.EachLine(j.ctx, x.ix, w.lo, w.lo, func(loc transcript.Loc, line []byte) bool {
			if n, _ := recordsOn(line, loc); n == 0 {
				missing = append(missing, miss{where: strconv.Itoa(w.lo), why: " is no record; its bytes: " + j.env.Command("show", j.id(x), "--line", strconv.Itoa(w.lo), "--raw")})
			}
			return false
		})
	}
	return missing
}

// recordsOn counts the whole records on a line and tells whether a part of it is damaged.
func recordsOn(line []byte, loc transcript.Loc) (n int, damaged bool) {
	t := jsonl.Trim(line, loc.Off == 0)
	if jsonl.ShapeOf(t) == jsonl.Blank {
		return 0, false
	}
	var r record.Record
	if record.Decode(t, &r) {
		return 1, false
	}
	parts, damaged := record.Split(t)
	return len(parts), damaged
}

// miss is something that was named and is not there.
type miss struct {
	x     *fetched
	turn  bool
	where string // a line, a turn, or a range of them
	uuid  string
	why   string
}

func (j *job) notThere(missing []miss) error {
	var recs, turns []string
	for i, m := range missing {
		if i+1 < len(missing) && missing[i+1].x == m.x && missing[i+1].why == m.why {
			m.why = "" // said once, behind the last of them
		}
		word := m.uuid
		switch id := j.short(m.x); {
		case m.uuid != "" && j.multi():
			word = id + " " + m.uuid
		case m.uuid != "":
		case m.turn && j.multi():
			word = id + ":t" + m.where
		case m.turn:
			word = "t" + m.where
		case j.multi():
			word = id + ":" + m.where
		default:
			word = "L" + m.where
		}
		if m.turn {
			turns = append(turns, word+m.why)
		} else {
			recs = append(recs, word+m.why)
		}
	}
	if len(recs) == 0 {
		return cli.Errorf("no such turn(s): %s", strings.Join(turns, ", "))
	}
	return cli.Errorf("no such record(s): %s", strings.Join(append(recs, turns...), ", "))
}

// merged gives the wants of a transcript in the order they are shown: the records of turns as they read, everything
// else in file order, nothing twice.
func (x *fetched) merged() []want {
	for _, w := range x.want {
		if w.excerpt {
			return x.want
		}
	}
	out := slices.Clone(x.want)
	start := func(w want) int {
		if w.pending != nil {
			return math.MaxInt
		}
		if w.one {
			return int(w.rec.Line)
		}
		return w.lo
	}
	slices.SortStableFunc(out, func(a, b want) int { return cmp.Compare(start(a), start(b)) })
	return out
}

// wholes are the records that were asked for by line or by uuid.
type wholes struct {
	lines []addr.Run // joined
	recs  map[transcript.Loc]bool
}

// wholes gives those of a transcript of which turns are asked for as well, else nil: nothing is an excerpt then, or all is.
func (x *fetched) wholes() *wholes {
	excerpts := 0
	for _, w := range x.want {
		if w.excerpt {
			excerpts++
		}
	}
	if excerpts == 0 || excerpts == len(x.want) {
		return nil
	}
	all := &wholes{recs: map[transcript.Loc]bool{}}
	for _, w := range x.want {
		switch {
		case w.excerpt || w.pending != nil:
		case w.one:
			all.recs[w.rec] = true
		default:
			all.lines = append(all.lines, addr.Run{Lo: w.lo, Hi: w.hi})
		}
	}
	all.lines = addr.Join(all.lines)
	return all
}

func (a *wholes) has(loc transcript.Loc) bool {
	return a != nil && (addr.Within(a.lines, int(loc.Line)) || a.recs[loc])
}

func cannotRead(x *fetched, err error) error {
	return cli.CannotRead(x.t.Path, err)
}
