package recover

import (
	"context"
	"time"

	"csift/pkg/replay"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// cutoff gives the place of --at in the history of a story.
func (j *recoverJob) cutoff(s *story) replay.Cutoff {
	switch c := j.ask.at; c.kind {
	case asOfTime:
		return replay.Cutoff{Time: &c.time}
	case asOfLine:
		return replay.Cutoff{Line: c.n}
	case asOfTurn:
		return j.endOfTurn(s, c.n)
	}
	return replay.Cutoff{}
}

// endOfTurn gives the end of a turn, counted from the end where n is negative. The turns are those of the session where it
// is in scope: what its subagents did belongs to the turn by time. A subagent alone has turns of its own.
func (j *recoverJob) endOfTurn(s *story, n int) replay.Cutoff {
	main := s.group.parts[0]
	if len(s.parts) == 1 && (s.parts[0] == main || main.IsSubagent) {
		if n < 0 {
			n += s.parts[0].recall.Turns
		}
		return replay.Cutoff{Turn: &n}
	}
	end, ok := j.turnEnd(main, n)
	switch {
	case !ok:
		return replay.Cutoff{Turn: &n}
	case end.IsZero():
		return replay.Cutoff{}
	}
	return replay.Cutoff{Time: &end}
}

// turnEnd gives the last instant before the turn behind the n-th opens, the zero time where there is none. ok is false
// where the transcript does not tell.
func (j *recoverJob) turnEnd(p *part, n int) (end time.Time, ok bool) {
	f, err := transcript.Open(p.Path, transcript.Options{InLane: p.IsSubagent, Slow: j.env.Slow})
	if err != nil {
		return end, false
	}
	defer f.Close()
	st, err := f.Structure(context.Background())
	if err != nil {
		return end, false
	}
	st.Cross(j.env.CrossCompactions)
	if n < 0 {
		n += st.Turns()
	}
	if n+1 >= st.Turns() {
		return end, true
	}
	at, ok := when.Stamp(st.OpenedAt(max(n+1, 0)))
	return at.Add(-time.Nanosecond), ok
}

// within reports whether a place lies before a cutoff. A command of a merged history has no line there, so its time
// decides.
func (s *story) within(c *replay.Cutoff, p *replay.Place) bool {
	if c.Turn != nil && p.OrderTurn > *c.Turn || c.Time != nil && p.Time.After(*c.Time) {
		return false
	}
	if c.Line == 0 {
		return true
	}
	if !s.merged && len(s.parts) == 1 && p.Session == s.parts[0].ID {
		return p.SourceLine <= c.Line
	}
	var last time.Time
	for i := range s.events {
		if at := &s.events[i].At; at.Line <= c.Line && at.Time.After(last) {
			last = at.Time
		}
	}
	return !p.Time.After(last)
}
