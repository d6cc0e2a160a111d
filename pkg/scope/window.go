package scope

import (
	"time"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/when"
)

// Window is what --since, --until and --turn leave in: a time and a range of turns of each transcript. The zero Window
// leaves everything in.
type Window struct {
	Since, Until time.Time  // zero: open at that end
	Turns        *addr.Spec // counted from 0; nil: all
}

// ParseWindow reads the values of the three flags, "" for one that was not given.
func ParseWindow(since, until, turn string, now time.Time) (w Window, err error) {
	for _, b := range []struct {
		flag, word string
		to         *time.Time
	}{{"--since", since, &w.Since}, {"--until", until, &w.Until}} {
		if b.word == "" {
			continue
		}
		if *b.to, err = when.Parse(b.word, now); err != nil {
			return w, cli.Errorf("%s: %w", b.flag, err)
		}
	}
	if turn != "" {
		spec, err := addr.ParseSpec(turn, 0)
		if err != nil {
			return w, cli.Errorf("--turn: %w", err)
		}
		w.Turns = &spec
	}
	return w, nil
}

// Timed reports whether --since or --until was given.
func (w *Window) Timed() bool { return !w.Since.IsZero() || !w.Until.IsZero() }

// Narrow reports whether anything is left out.
func (w *Window) Narrow() bool { return w.Timed() || w.Turns != nil }

// Holds reports whether an instant is between --since and --until, ends included. The zero time, of what has no instant,
// is in no window that has an end.
func (w *Window) Holds(t time.Time) bool {
	if !w.Timed() {
		return true
	}
	return !t.IsZero() && !t.Before(w.Since) && (w.Until.IsZero() || !t.After(w.Until))
}

// Meets reports whether a span of time has an instant between --since and --until. A span without an end meets none.
func (w *Window) Meets(first, last time.Time) bool {
	if !w.Timed() {
		return true
	}
	return !last.IsZero() && !last.Before(w.Since) && (w.Until.IsZero() || !first.After(w.Until))
}

// Of gives the turns of a transcript that has so many: from and to, both included; from > to is none.
func (w *Window) Of(turns int) (from, to int) {
	if w.Turns == nil {
		return 0, turns - 1
	}
	if lo, hi, ok := w.Turns.Resolve(turns); ok {
		return lo, hi
	}
	return 0, -1
}
