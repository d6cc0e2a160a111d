package scope

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestWindow(t *testing.T) {
	const a, b = "2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"
	early, at, between, late := "2026-03-02T08:59:59Z", a, "2026-03-02T09:30:00Z", "2026-03-02T10:00:01Z"
	for _, c := range []struct {
		since, until string
		holds        map[string]bool // "" is what has no instant
	}{
		{"", "", map[string]bool{"": true, early: true, late: true}},
		{a, "", map[string]bool{"": false, early: false, at: true, between: true, late: true}},
		{"", b, map[string]bool{"": false, early: true, b: true, late: false}},
		{a, b, map[string]bool{"": false, early: false, at: true, between: true, b: true, late: false}},
		{b, a, map[string]bool{"": false, at: false, between: false, b: false}},
		{"3h", "150m", map[string]bool{early: false, at: true, between: true, b: false}},
	} {
		w, err := ParseWindow(c.since, c.until, "", noon)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := w.Timed(), c.since+c.until != ""; got != want || w.Narrow() != want {
			t.Errorf("%q..%q is timed: %v, narrow: %v", c.since, c.until, got, w.Narrow())
		}
		for s, want := range c.holds {
			var at time.Time
			if s != "" {
				at, _ = time.Parse(time.RFC3339, s)
			}
			if got := w.Holds(at); got != want {
				t.Errorf("%q..%q holds %q: %v", c.since, c.until, s, got)
			}
			if got := w.Meets(at, at); got != want {
				t.Errorf("%q..%q meets %q: %v", c.since, c.until, s, got)
			}
		}
	}
}

// TestWindowMeets: a span of time is met where any instant of it is, also when both its ends are outside.
func TestWindowMeets(t *testing.T) {
	w, err := ParseWindow("3h", "2h", "", noon)
	if err != nil {
		t.Fatal(err)
	}
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	for _, c := range []struct {
		first, last time.Time
		want        bool
	}{
		{ago(5 * time.Hour), ago(time.Hour), true},
		{ago(5 * time.Hour), ago(3 * time.Hour), true},
		{ago(2 * time.Hour), ago(time.Hour), true},
		{ago(5 * time.Hour), ago(4 * time.Hour), false},
		{ago(time.Hour), ago(0), false},
		{time.Time{}, time.Time{}, false},
	} {
		if got := w.Meets(c.first, c.last); got != c.want {
			t.Errorf("%v to %v: %v", c.first, c.last, got)
		}
	}
}

func TestWindowOf(t *testing.T) {
	for _, c := range []struct {
		spec     string
		turns    int
		from, to int
	}{
		{"", 5, 0, 4}, {"", 0, 0, -1}, {"2", 5, 2, 2}, {"1..3", 5, 1, 3}, {"-2..", 5, 3, 4}, {"..", 5, 0, 4}, {"7", 5, 0, -1},
	} {
		w, err := ParseWindow("", "", c.spec, noon)
		if err != nil {
			t.Fatal(err)
		}
		if from, to := w.Of(c.turns); from != c.from || to != c.to {
			t.Errorf("%q of %d turns: %d to %d, want %d to %d", c.spec, c.turns, from, to, c.from, c.to)
		}
		if w.Narrow() != (c.spec != "") {
			t.Errorf("%q is narrow: %v", c.spec, w.Narrow())
		}
	}
}

func TestWindowErrors(t *testing.T) {
	for _, c := range [][4]string{
		{"soon", "", "", "--since: "}, {"", "3 days", "", "--until: "}, {"", "", "2-5", "--turn: "}, {"", "", "5..2", "--turn: "},
	} {
		if _, err := ParseWindow(c[0], c[1], c[2], noon); err == nil || !strings.HasPrefix(err.Error(), c[3]) {
			t.Errorf("%q: %v, want %s...", c[:3], err, c[3])
		}
	}
}
