package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"csift/pkg/stdio"
)

// TestUnread tells and counts a path once, however often and in whatever wrapping it comes, and says nothing of a stop.
func TestUnread(t *testing.T) {
	var told, out strings.Builder
	e := &Env{Prog: "csift", Stderr: &told, Out: stdio.NewOut(&out)}
	cause := errors.New("broken")
	e.Unread("/a", nil)
	e.Unread("/a", fmt.Errorf("reading /a: %w", context.Canceled))
	if e.failed || e.UnreadFiles() != 0 || told.Len() > 0 {
		t.Errorf("what was read counts: %d, %q", e.UnreadFiles(), told.String())
	}
	e.Unread("/a", cause)
	e.Unread("/a", fmt.Errorf("a second look: %w", cause))
	e.Unread("/b", cause)
	if got, want := told.String(), "csift: cannot read /a: broken\ncsift: cannot read /b: broken\n"; got != want || e.UnreadFiles() != 2 || !e.failed {
		t.Errorf("%d counted, %q told", e.UnreadFiles(), got)
	}
}
