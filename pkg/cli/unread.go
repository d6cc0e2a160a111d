package cli

import (
	"context"
	"errors"
)

// Unread tells of a file or a directory that could not be read, and lets the work go on; the program will end with 1. One
// run may meet the same path several times, in the listing and in each pass over it: it is told once and counted once.
// That a run was stopped is not told.
func (e *Env) Unread(path string, err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	e.mu.Lock()
	again := e.unread[path]
	if e.unread == nil {
		e.unread = map[string]bool{}
	}
	e.unread[path] = true
	e.mu.Unlock()
	if !again {
		e.Fail(CannotRead(path, err))
	}
}

// UnreadFiles is how many paths Unread was told of: unreadable_files of a summary.
func (e *Env) UnreadFiles() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.unread)
}
