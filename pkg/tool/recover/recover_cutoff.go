package recover

import (
	"context"
	"time"

	"csift/pkg/replay"
	"csift/pkg/scope"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// cutoff gives the place of --at in the history of a story.
func (j *recoverJob) cutoff(s *story) replay.Cutoff {
	switch c := j.ask.at; c.kind {
	case asOfTime:
		return replay.Cutoff{Time: &c.time}
	case asOfLine:
		if last := s.lastLine(); c.n > last {
			j.env.Note("%s: %s has no line %d; this is the state at its end, line %d", s.file, s.history(j.set.PrefixLen), c.n, last)
		}
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
		turns := s.parts[0].recall.Turns
		j.noTurn(s, n, turns)
		if n < 0 {
			n += turns
		}
		return replay.Cutoff{Turn: &n}
	}
	end, turns, ok := j.turnEnd(main, n)
	if ok {
		j.noTurn(s, n, turns)
	}
	switch {
	case !ok:
		return replay.Cutoff{Turn: &n}
	case end.IsZero():
		return replay.Cutoff{}
	}
	return replay.Cutoff{Time: &end}
}

// noTurn says that a session has no such turn, where that is so.
func (j *recoverJob) noTurn(s *story, n, turns int) {
	switch {
	case n >= turns && turns == 0:
		j.env.Note("%s: %s has no turns; this is the state at its end", s.file, s.history(j.set.PrefixLen))
	case n >= turns:
		j.env.Note("%s: %s has no turn %d; this is the state at its end, turn %d", s.file, s.history(j.set.PrefixLen), n, turns-1)
	case n < -turns:
		j.env.Note("%s: %s has no turn %d, it has %s", s.file, s.history(j.set.PrefixLen), n, scope.Count(turns, "turn"))
	}
}

// history names what the lines of --at count in.
func (s *story) history(n int) string {
	if s.merged {
		return "the merged history of " + s.token(n)
	}
	return s.token(n)
}

// lastLine is the last line of the history: of the transcript, or where several are merged of what they tell.
func (s *story) lastLine() int {
	if !s.merged {
		return s.parts[0].recall.Lines
	}
	last := 0
	for i := range s.events {
		last = max(last, s.events[i].At.Line)
	}
	return last
}

// turnEnd gives the last instant before the turn behind the n-th opens, the zero time where there is none, and how many
// turns there are. ok is false where the transcript does not tell.
func (j *recoverJob) turnEnd(p *part, n int) (end time.Time, turns int, ok bool) {
	f, err := transcript.Open(p.Path, transcript.Options{InLane: p.IsSubagent, Slow: j.env.Slow})
	if err != nil {
		return end, 0, false
	}
	defer f.Close()
	st, err := f.Structure(context.Background())
	if err != nil {
		return end, 0, false
	}
	st.Cross(j.env.CrossCompactions)
	turns = st.Turns()
	if n < 0 {
		n += turns
	}
	if n+1 >= turns {
		return end, turns, true
	}
	at, ok := when.Stamp(st.OpenedAt(max(n+1, 0)))
	return at.Add(-time.Nanosecond), turns, ok
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
