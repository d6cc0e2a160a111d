package fileops

import (
	"context"

	"csift/pkg/chain"
	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/replay"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// place tells where the record at a place stands and what became of it.
func (t *telling) place(l transcript.Loc, stamp string) replay.Place {
	p := replay.Place{
		Line: int(l.Line), Session: t.src.ID, SourceLine: int(l.Line), Part: int(l.Part), Stamp: stamp,
		UUID: t.s.UUID(l.Line, l.Part), OrderTurn: t.s.Turn(l.Line, l.Part),
	}
	state := t.s.Survival(l.Line, l.Part)
	p.Survival = state.String()
	if state != chain.Abandoned {
		turn := p.OrderTurn
		p.Turn = &turn
	} else if root, _, ok := t.s.Root(l.Line, l.Part); ok {
		line := int(root.Line)
		p.AbandonedRoot = &line
	}
	if at, ok := when.Stamp(stamp); ok {
		p.Time = at
	}
	return p
}

// stampAt gives the timestamp of the record at a place, or another where it cannot be read. The record may hold thousands
// of calls or results that ask for it, so it is read once.
func (t *telling) stampAt(l transcript.Loc, or string) string {
	stamp, known := t.stamps[l]
	if !known {
		r, err := t.record(l)
		if err != nil {
			return or
		}
		if t.stamps == nil {
			t.stamps = map[transcript.Loc]string{}
		}
		stamp = r.Timestamp.String()
		t.stamps[l] = stamp
	}
	return stamp
}

// start gives the working directory that the session started in, "" when none of the first records has one. Claude Code
// tracks files relative to it.
func (t *telling) start() string {
	const most = 64 // lines
	if t.started {
		return t.first
	}
	t.started = true
	n := 0
	var r record.Record
	// An error leaves it unknown; the file was read before.
	_, _ = t.file.LinesFrom(context.Background(), 0, func(off int64, line []byte) bool {
		if record.Decode(jsonl.Trim(line, off == 0), &r) {
			t.first = r.CWD.String()
		}
		n++
		return t.first == "" && n < most
	})
	return t.first
}

// facts are what is known of the transcript as a whole.
func (t *telling) facts() Facts {
	f := Facts{Lines: t.lines, Skipped: t.skipped}
	if t.s == nil {
		return f
	}
	f.Found, f.Turns, f.Chain = true, t.s.Turns(), t.s.Chain()
	for _, r := range t.src.Wanted {
		turn := -1
		if r.UUID == "" && r.Line >= 1 && r.Line <= t.lines {
			turn = t.s.Turn(int32(r.Line), 0)
		} else if l, ok := t.s.FindAt(r.UUID, r.Line); ok && r.UUID != "" {
			turn = t.s.Turn(l.Line, l.Part)
		}
		f.Asked = append(f.Asked, turn)
	}
	return f
}
