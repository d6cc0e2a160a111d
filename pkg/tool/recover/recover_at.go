package recover

import (
	"strconv"
	"strings"
	"time"

	"csift/pkg/cli"
	"csift/pkg/when"
)

// asOf says what a cutoff counts.
type asOf uint8

const (
	asOfLatest asOf = iota // the end: no cutoff
	asOfTime
	asOfTurn
	asOfLine
)

// cutoff is the value of --at: the state after all that happened up to it, itself included. The zero value is the end.
type cutoff struct {
	kind asOf
	n    int // a turn from 0 (negative: from the end), a line from 1
	time time.Time
	text string // as typed
}

const (
	latestWord = "@latest"
	turnPrefix = "@turn:"
	linePrefix = "@line:"
)

// parseCutoff reads a value of --at; "" is the end.
func parseCutoff(s string, now time.Time) (cutoff, error) {
	c := cutoff{text: s}
	switch {
	case s == "" || s == latestWord:
		return c, nil
	case strings.HasPrefix(s, turnPrefix):
		c.kind = asOfTurn
		n, err := strconv.Atoi(s[len(turnPrefix):])
		if err != nil {
			return c, cli.Errorf("--at: %q is no turn: say %s7, counted from 0, or %s-1 for the last", s, turnPrefix, turnPrefix)
		}
		c.n = n
	case strings.HasPrefix(s, linePrefix):
		c.kind = asOfLine
		n, err := strconv.Atoi(s[len(linePrefix):])
		if err != nil || n < 1 {
			return c, cli.Errorf("--at: %q is no line: say %s120, a line of the transcript counted from 1", s, linePrefix)
		}
		c.n = n
	case strings.HasPrefix(s, "@"):
		return c, cli.Errorf("--at takes an instant, %sN, %sN or %s, not %q", turnPrefix, linePrefix, latestWord, s)
	default:
		t, err := when.Parse(s, now)
		if err != nil {
			return c, cli.Errorf("--at: %w", err)
		}
		c.kind, c.time = asOfTime, t
	}
	return c, nil
}

// words says when that is.
func (c cutoff) words() string {
	switch c.kind {
	case asOfTurn:
		if c.n < 0 {
			return "at the end of turn " + strconv.Itoa(c.n) + " (from the end)"
		}
		return "at the end of turn " + strconv.Itoa(c.n)
	case asOfLine:
		return "at line " + strconv.Itoa(c.n)
	case asOfTime:
		return "at " + when.Text(c.time, false)
	}
	return "at the latest state"
}
