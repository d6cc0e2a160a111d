package list

import (
	"context"
	"time"

	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/target"
	"csift/pkg/when"
)

const (
	// excerptLen is how much of a message a row shows, in characters.
	excerptLen = 200
	// minWindow is how much of each end is looked at even when everything is found
	// sooner: Claude Code writes titles before the first and after the last message.
	minWindow = 8 << 10
	// planReach is how many lines before a refused tool call its own record is sought.
	planReach = 64
)

// message is something that was said.
type message struct {
	text  []byte // rendered
	stamp string // as the record has it
	said  bool
}

func (m *message) set(text []byte, r *record.Record) {
	m.text, m.stamp, m.said = append(m.text[:0], text...), r.Timestamp.String(), true
}

func (m *message) time() time.Time {
	t, _ := when.Stamp(m.stamp)
	return t
}

// excerpt gives the text on one line, cut.
func (m *message) excerpt() string { return excerpt.Match(string(m.text), excerptLen, -1, -1).Text }

// session is what the windows of one transcript tell.
type session struct {
	*target.Transcript
	cwd                 string
	version, versionEnd string // first and last seen
	branch, branchEnd   string
	entrypoint          string
	titles
	continuedIn        string
	kinds              []string
	seed               message // the opener of a subagent
	first, last, agent message
	began, active      time.Time // first and last activity
	skipped            int
	partly             bool // between the windows is something that was not read
	side               sidecar
	whole              *whole // what all of the file says, under --lineage
}

// reader reads sessions, one after the other.
type reader struct {
	opts  jsonl.Options
	build section.Builder
	rec   record.Record
	item  message // what the record under way says
}

func newReader(slow bool) *reader { return &reader{opts: jsonl.Options{Slow: slow}} }

// session reads the windows of one transcript, and under whole all of it.
func (r *reader) session(ctx context.Context, t *target.Transcript, whole bool) (*session, error) {
	f, err := r.opts.Open(t.Path)
	if err != nil {
		return nil, lane.FileError{Path: t.Path, Err: err}
	}
	defer f.Close()
	s := &session{Transcript: t}
	w := windows{reader: r, s: s, size: f.Size()}
	w.end, err = f.Head(ctx, w.headLine)
	if err == nil && w.end < w.size {
		var start int64
		start, err = f.Tail(ctx, w.tailLine)
		s.partly = start > w.end
	}
	if err == nil && whole {
		s.whole, err = walk(ctx, f, t.ID, t.ParentID)
	}
	if err != nil {
		return nil, lane.FileError{Path: t.Path, Err: err}
	}
	w.finish()
	if !t.IsSubagent {
		s.side = readSidecar(ctx, f)
		s.skipped += s.side.skipped
	}
	s.activity()
	return s, nil
}

// activity spans the instants of the messages.
func (s *session) activity() {
	for _, m := range []*message{&s.seed, &s.first, &s.last, &s.agent} {
		t := m.time()
		if t.IsZero() {
			continue
		}
		if s.began.IsZero() || t.Before(s.began) {
			s.began = t
		}
		if t.After(s.active) {
			s.active = t
		}
	}
}
