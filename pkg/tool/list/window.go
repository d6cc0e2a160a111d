package list

import (
	"context"
	"slices"
	"time"

	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/target"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

const (
	// excerptLen is how much of a message a row shows, in characters.
	excerptLen = 200
	// minWindow is how many bytes of each end are looked at even when everything is
	// found sooner: Claude Code writes titles before the first and after the last
	// message.
	minWindow = 8 << 10
)

// message is something that was said.
type message struct {
	excerpt string // on one line, cut
	stamp   string // as the record has it
	said    bool
}

// says makes the message of a rendered text. The text is buf's until the next call.
func (r *reader) says(s *section.Section, rec *record.Record) message {
	r.text = s.Append(r.text[:0])
	return r.quotes(rec)
}

// quotes makes the message of the text at hand.
func (r *reader) quotes(rec *record.Record) message {
	r.cut, _ = excerpt.AppendMatch(r.cut[:0], r.text, excerptLen, -1, -1)
	return message{excerpt: string(r.cut), stamp: rec.Timestamp.String(), said: true}
}

func (m *message) time() time.Time {
	t, _ := when.Stamp(m.stamp)
	return t
}

// session is what the windows of one transcript tell.
type session struct {
	*target.Transcript
	lasting
	lineage
	open                opening
	cwd                 string
	version, versionEnd string // first and last seen
	branch, branchEnd   string
	entrypoint          string
	kinds               []string
	seed                message // what a subagent was started with
	first, last, agent  message
	began, active       time.Time // first and last activity
	skipped             int
	written             time.Time // when the file last was
	partly              bool      // between the windows is something that was not read
	side                transcript.Sidecar
	whole               *whole // what all of the file says, under --lineage
}

// lasting is what a session was last given: titles of each kind, nil for none, and the
// session that goes on from it.
type lasting struct {
	custom, ai, summary, continued *string
}

// take takes what a record gives. later says that records come forwards, so that each
// one takes the place of the one before.
func (l *lasting) take(rec *record.Record, later bool) {
	set := func(dst **string, v record.Str) {
		if v != nil && (later || *dst == nil) {
			t := excerpt.Fold(v.String())
			*dst = &t
		}
	}
	switch string(rec.Type) {
	case "custom-title":
		set(&l.custom, rec.CustomTitle)
	case "ai-title":
		set(&l.ai, rec.AITitle)
	case "summary":
		set(&l.summary, rec.Summary)
	case "continued-in":
		set(&l.continued, rec.ContinuedIn)
	}
}

// fill takes from o what is missing.
func (l *lasting) fill(o *lasting) {
	for _, v := range [...]struct{ dst, src **string }{
		{&l.custom, &o.custom}, {&l.ai, &o.ai}, {&l.summary, &o.summary}, {&l.continued, &o.continued},
	} {
		if *v.dst == nil {
			*v.dst = *v.src
		}
	}
}

func (s *session) kind(rec *record.Record) {
	if k := rec.SessionKind; len(k) > 0 && !slices.ContainsFunc(s.kinds, k.Is) {
		s.kinds = append(s.kinds, k.String())
	}
}

// keep sets dst when it is empty.
func keep(dst *string, v record.Str) {
	if *dst == "" && len(v) > 0 {
		*dst = v.String()
	}
}

// reader reads sessions, one after the other.
type reader struct {
	opts  jsonl.Options
	build section.Builder
	rec   record.Record
	spots []spot // of the lines under way
	over  []int64
	text  []byte // of the message under way
	cut   []byte // its excerpt
}

func newReader(slow bool) *reader { return &reader{opts: jsonl.Options{Slow: slow}} }

// session reads the windows of one transcript.
func (r *reader) session(ctx context.Context, t *target.Transcript) (*session, error) {
	f, err := r.opts.Open(t.Path)
	if err != nil {
		return nil, lane.FileError{Path: t.Path, Err: err}
	}
	defer f.Close()
	s := &session{Transcript: t, written: f.Written()}
	w := windows{reader: r, s: s, size: f.Size(), seed: -1, over: r.over[:0]}
	err = w.read(ctx, f)
	if r.over = w.over; err != nil {
		return nil, lane.FileError{Path: t.Path, Err: err}
	}
	if !t.IsSubagent && !t.Alone {
		s.side = *transcript.ReadSidecar(ctx, t.Path)
		_ = s.side.DropNative(ctx, f) // a dialog that could not be looked up stays pending
		s.skipped += s.side.Skipped
	}
	s.activity()
	return s, nil
}

// read reads the head, the tail, and when the tail of a subagent's file has words of
// the person that the head has not, on from the head to the first of them.
func (w *windows) read(ctx context.Context, f *jsonl.File) error {
	end, err := f.Head(ctx, w.headLine)
	if err != nil {
		return err
	}
	w.end, w.back = end, true
	w.off = w.size
	if _, err = f.TailRuns(ctx, w.tailRun); err != nil {
		return err
	}
	start := w.off
	w.s.partly = start > end
	if w.s.last.said && !w.s.first.said {
		w.back = false
		_, err = f.LinesFrom(ctx, end, func(off int64, line []byte) bool {
			w.line(line, false, off < start, atAGlance, func(m matter) bool { return m.sought(true, false) }, w.headRecord)
			return !w.s.first.said
		})
	}
	w.finish()
	return err
}

// activity spans the instants of the messages.
func (s *session) activity() {
	for _, m := range [...]*message{&s.seed, &s.first, &s.last, &s.agent} {
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
