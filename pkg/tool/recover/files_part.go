package recover

import (
	"maps"
	"math"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/fileops"
	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/target"
)

// filesPart is the part of a transcript that addresses and rows named. A record is asked for by either side of a call: the
// one that makes a change, or the result that tells of it.
type filesPart struct {
	all          bool
	lines, turns []addr.Run // joined
	uuids        map[string]bool
	about        map[int]bool // turns of the records that were asked for
}

// asks puts a transcript, and what was named of it, to the survey.
func asks(t *target.Transcript) fileops.Source {
	src := fileops.Source{Path: t.Path, InLane: t.IsSubagent, ID: t.ID}
	for _, n := range t.Narrow {
		switch {
		case n.Range.Kind == addr.TurnRange:
			src.Turned = true
		case n.Range.Kind == addr.NoRange:
			src.Wanted = append(src.Wanted, fileops.Record{Line: n.Line, UUID: n.UUID})
		case n.Range.Spec.Explicit():
			if lo, hi, ok := n.Range.Spec.Resolve(math.MaxInt32); ok && lo == hi {
				src.Wanted = append(src.Wanted, fileops.Record{Line: lo})
			}
		}
	}
	return src
}

// part resolves what was named of a transcript. A part that it does not have was pinned, so it is an error, and the rest is
// answered.
func (j *filesJob) part(t *target.Transcript, c *fileops.Changes) *filesPart {
	p := &filesPart{all: len(t.Narrow) == 0, uuids: map[string]bool{}, about: map[int]bool{}}
	for _, turn := range c.Asked {
		p.about[turn] = true
	}
	for i, r := range asks(t).Wanted {
		switch {
		case c.Asked[i] >= 0 && r.UUID != "":
			p.uuids[r.UUID] = true
		case c.Asked[i] >= 0:
			p.lines = append(p.lines, addr.Run{Lo: r.Line, Hi: r.Line})
		case r.UUID != "":
			j.env.Fail(cli.Errorf("no such record: @%s uuid %s", t.ID, r.UUID))
		default:
			j.env.Fail(cli.Errorf("no such record: @%s:%d", t.ID, r.Line))
		}
	}
	for _, n := range t.Narrow {
		of := c.Turns
		if n.Range.Kind == addr.LineRange {
			of = c.Lines
		}
		lo, hi, ok := n.Range.Spec.Resolve(of)
		switch {
		case n.Range.Kind == addr.NoRange:
		case !ok && n.Range.Spec.Explicit() && !n.Range.Spec.Single():
			j.env.Fail(cli.Errorf("no such record: @%s:%s", t.ID, n.Range.String()))
		case !ok && n.Range.Kind == addr.TurnRange && n.Range.Spec.Explicit():
			j.env.Fail(cli.Errorf("no such turn: @%s:%s", t.ID, n.Range.String()))
		case ok && n.Range.Kind == addr.TurnRange:
			p.turns = append(p.turns, addr.Run{Lo: lo, Hi: hi})
		case ok:
			p.lines = append(p.lines, addr.Run{Lo: lo, Hi: hi})
		}
	}
	p.lines, p.turns = addr.Join(p.lines), addr.Join(p.turns)
	return p
}

// filesNamed gives the files that rows of files --by file name, per transcript. A transcript that any other row or address
// names is not in it: all that it did is asked for then.
func filesNamed(items []row.Item, set *target.Set) map[string]map[string]bool {
	out, whole := map[string]map[string]bool{}, map[string]bool{}
	at := named(set)
	for i := range items {
		it := &items[i]
		isFile := it.Kind == fileKind || it.Kind == "" && it.Path != "" && it.Range.Kind == addr.NoRange
		for _, t := range at.of(it) {
			switch {
			case it.Kind == bucketKind || it.Kind == dirKind: // the rows of its files say which
			case !isFile:
				whole[t.Path] = true
			case out[t.Path] == nil:
				out[t.Path] = map[string]bool{fileops.PathKey(it.Path): true}
			default:
				out[t.Path][fileops.PathKey(it.Path)] = true
			}
		}
	}
	maps.DeleteFunc(out, func(path string, _ map[string]bool) bool { return whole[path] })
	return out
}

// names finds the transcripts of a set by what rows and addresses call them.
type names struct {
	byPath map[string][]*target.Transcript // where copies lie as well
	byID   []*target.Transcript            // sorted
}

func named(set *target.Set) *names {
	n := &names{byPath: make(map[string][]*target.Transcript, len(set.Transcripts))}
	for k := range set.Transcripts {
		t := &set.Transcripts[k]
		n.byID = append(n.byID, t)
		n.byPath[t.Path] = append(n.byPath[t.Path], t)
		for _, p := range t.AlsoAt {
			n.byPath[p] = append(n.byPath[p], t)
		}
	}
	slices.SortFunc(n.byID, func(a, b *target.Transcript) int { return strings.Compare(a.ID, b.ID) })
	return n
}

// of gives the transcripts that an item names: at its path, or whose ids begin with its id.
func (n *names) of(it *row.Item) []*target.Transcript {
	if it.Transcript != "" {
		return n.byPath[it.Transcript]
	}
	i, _ := slices.BinarySearchFunc(n.byID, it.ID, func(t *target.Transcript, id string) int { return strings.Compare(t.ID, id) })
	k := i
	for k < len(n.byID) && strings.HasPrefix(n.byID[k].ID, it.ID) {
		k++
	}
	return n.byID[i:k]
}

// typed reports whether a target was given besides what stdin brings.
func typed(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w != "-" })
}

// near reports whether a change that was not asked for stands in the turn of a record that was.
func (p *filesPart) near(m *fileops.Mutation) bool { return p.about[m.At.OrderTurn] }

// has reports whether a change was asked for.
func (p *filesPart) has(m *fileops.Mutation) bool {
	return p.holds(&m.At, m.Done, m.Copies)
}

func (p *filesPart) hasBoundary(b *fileops.Boundary) bool {
	return p.holds(&b.At, b.Called, b.Copies)
}

func (p *filesPart) holds(at *replay.Place, other fileops.Record, copies []int) bool {
	if p.all || at.UUID != "" && p.uuids[at.UUID] || other.UUID != "" && p.uuids[other.UUID] {
		return true
	}
	in := addr.Within
	return in(p.turns, at.OrderTurn) || in(p.lines, at.SourceLine) || in(p.lines, other.Line) ||
		slices.ContainsFunc(copies, func(l int) bool { return in(p.lines, l) })
}
