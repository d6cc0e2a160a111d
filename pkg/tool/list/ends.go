package list

import (
	"slices"

	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/section"
)

// windows reads the two ends of one file: the head forwards, then the tail backwards
// to where the head ended.
type windows struct {
	*reader
	s    *session
	size int64

	// Of the head.
	end    int64 // where it ended
	opened bool  // the first opener was seen
	clone  bool  // the file goes on from another lane: it has no prompt of its own
	plans  map[string]string

	// Of the tail: what was found there. What was not is the head's.
	back session
	plan unplanned
}

// unplanned is a refused tool call in the tail whose own record, further back, may
// name a plan.
type unplanned struct {
	use  string // the call's id, "" when nothing is sought
	line []byte // the record of the refusal
	left int    // how many more lines are looked at
}

// headLine takes one line of the head and reports whether it goes on: until the first
// words of the person, in a subagent's file the first opener, are found.
func (w *windows) headLine(off int64, line []byte) bool {
	if records(line, off == 0, false, &w.rec, w.headRecord) {
		w.s.skipped++
	}
	found := w.s.first.said || w.s.IsSubagent && w.opened
	return !found || off+int64(len(line)) < minWindow
}

func (w *windows) headRecord(rec *record.Record) {
	s := w.s
	keep(&s.cwd, rec.CWD)
	keep(&s.version, rec.Version)
	keep(&s.branch, rec.GitBranch)
	keep(&s.entrypoint, rec.Entrypoint)
	renew(&s.versionEnd, rec.Version)
	renew(&s.branchEnd, rec.GitBranch)
	renew(&s.continuedIn, rec.ContinuedIn)
	s.titles.take(rec, true)
	s.kind(rec)
	w.clone = w.clone || rec.Type.Is("fork-context-ref")
	w.notePlans(rec)
	seed := s.IsSubagent && !w.opened && !w.clone
	switch w.said(rec, seed) {
	case userPart:
		if !s.first.said {
			s.first.take(&w.item)
		}
		s.last.take(&w.item)
	case agentPart:
		s.agent.take(&w.item)
	case seedPart:
		s.seed.take(&w.item)
	}
	w.opened = w.opened || rec.Opens(s.IsSubagent) != record.NoOpening
}

// tailLine takes one line of the tail and reports whether it goes on: until the last
// words of the person and of the agent are found. A subagent's file seldom has any of
// the person.
func (w *windows) tailLine(off int64, line []byte) bool {
	if off < w.end {
		return false
	}
	if records(line, false, true, &w.rec, w.tailRecord) {
		w.s.skipped++
	}
	if w.plan.use != "" {
		if w.plan.left--; w.plan.left == 0 {
			w.plan.use = ""
		}
	}
	b := &w.back
	found := b.agent.said && (b.last.said || w.s.IsSubagent) && w.plan.use == ""
	return !found || w.size-off < minWindow
}

func (w *windows) tailRecord(rec *record.Record) {
	b := &w.back
	keep(&b.versionEnd, rec.Version)
	keep(&b.branchEnd, rec.GitBranch)
	keep(&b.continuedIn, rec.ContinuedIn)
	earlier(&b.cwd, w.s.cwd, rec.CWD)
	earlier(&b.version, w.s.version, rec.Version)
	earlier(&b.branch, w.s.branch, rec.GitBranch)
	earlier(&b.entrypoint, w.s.entrypoint, rec.Entrypoint)
	b.titles.take(rec, false)
	w.s.kind(rec)
	w.seekPlan(rec)
	switch w.said(rec, false) {
	case userPart:
		if !w.s.first.said {
			b.first.take(&w.item)
		}
		if !b.last.said {
			b.last.take(&w.item)
			w.refusal(rec)
		}
	case agentPart:
		if !b.agent.said {
			b.agent.take(&w.item)
		}
	}
}

// finish lets what the tail found stand before what the head found.
func (w *windows) finish() {
	s, b := w.s, &w.back
	if w.plan.use != "" && w.plans[w.plan.use] != "" {
		w.planned()
	}
	for _, m := range [...]struct{ dst, src *message }{{&s.first, &b.first}, {&s.last, &b.last}, {&s.agent, &b.agent}} {
		if m.src.said {
			*m.dst = *m.src
		}
	}
	for _, v := range [...]struct{ dst, src *string }{
		{&s.versionEnd, &b.versionEnd}, {&s.branchEnd, &b.branchEnd}, {&s.continuedIn, &b.continuedIn},
		{&s.cwd, &b.cwd}, {&s.version, &b.version}, {&s.branch, &b.branch}, {&s.entrypoint, &b.entrypoint},
	} {
		if *v.src != "" {
			*v.dst = *v.src
		}
	}
	for _, t := range [...]struct{ dst, src **string }{{&s.custom, &b.custom}, {&s.ai, &b.ai}, {&s.summary, &b.summary}} {
		if *t.src != nil {
			*t.dst = *t.src
		}
	}
	slices.Sort(s.kinds)
}

// records calls fn for each whole record of a line, the last one first when back is
// set. damaged tells that some of the line belongs to none.
func records(line []byte, first, back bool, rec *record.Record, fn func(*record.Record)) (damaged bool) {
	line = jsonl.Trim(line, first)
	if len(line) == 0 {
		return false
	}
	if record.Decode(line, rec) {
		fn(rec)
		return false
	}
	parts, damaged := record.Split(line)
	if back {
		slices.Reverse(parts)
	}
	for _, p := range parts {
		if record.Decode(p, rec) {
			fn(rec)
		}
	}
	return damaged
}

// part says what a record is for a row.
type part uint8

const (
	noPart part = iota
	userPart
	agentPart
	seedPart // the prompt that a subagent was started with
)

// said finds what the person or the agent says in a record and leaves it in item. Of
// several pieces of the person the first counts, of the agent the last. seed says
// that an opener is the prompt of a subagent.
func (w *windows) said(rec *record.Record, seed bool) part {
	inLane := w.s.IsSubagent
	if rec.IsSidechain && !inLane || !rec.Type.Is("user") && !rec.Type.Is("assistant") && !rec.Type.Is("attachment") {
		return noPart
	}
	seed = seed && rec.Opens(inLane) == record.Prompt
	found := noPart
	for _, s := range w.build.Sections(rec, &section.Context{Seed: seed, Plan: w.planFile}) {
		if len(s.Labels) == 0 {
			continue
		}
		is := noPart
		switch s.Labels[0] {
		case label.UserMessage, label.UserAnswer, label.UserRejection:
			is = userPart
		case label.AgentMessagePlain:
			is = agentPart
		case label.AgentCommunicationInbox:
			if seed {
				is = seedPart
			}
		}
		if is != noPart && (found == noPart || is == agentPart) {
			found = is
			w.item.text = s.Append(w.item.text[:0])
		}
	}
	if found != noPart {
		w.item.stamp, w.item.said = rec.Timestamp.String(), true
	}
	return found
}

func (w *windows) planFile(use string) string { return w.plans[use] }

// notePlans keeps the plan files that ExitPlanMode calls name, by the call's id.
func (w *windows) notePlans(rec *record.Record) {
	for i := range rec.Blocks {
		b := &rec.Blocks[i]
		if !b.Name.Is("ExitPlanMode") || !b.Type.Is("tool_use") {
			continue
		}
		if p := b.Input.Get("planFilePath").Str(); len(p) > 0 {
			if w.plans == nil {
				w.plans = map[string]string{}
			}
			w.plans[b.ID.String()] = p.String()
		}
	}
}

// refusal remembers the last words of the person when they refuse a tool call.
func (w *windows) refusal(rec *record.Record) {
	if rec.Opens(w.s.IsSubagent) != record.Rejection {
		return
	}
	for i := range rec.Blocks {
		if b := &rec.Blocks[i]; b.IsError && len(b.ToolUseID) > 0 {
			w.plan = unplanned{use: b.ToolUseID.String(), line: slices.Clone(rec.Raw), left: planReach}
			return
		}
	}
}

// seekPlan looks whether a record is the call that was refused.
func (w *windows) seekPlan(rec *record.Record) {
	if w.plan.use == "" {
		return
	}
	for i := range rec.Blocks {
		if b := &rec.Blocks[i]; b.Type.Is("tool_use") && b.ID.Is(w.plan.use) {
			w.notePlans(rec)
			if w.plans[w.plan.use] != "" {
				w.planned()
			}
			w.plan.use = ""
			return
		}
	}
}

// planned renders the refusal again, with the plan it points at.
func (w *windows) planned() {
	var rec record.Record
	if record.Decode(w.plan.line, &rec) && w.said(&rec, false) == userPart {
		w.back.last.take(&w.item)
	}
}

// take copies what another message says.
func (m *message) take(o *message) {
	m.text, m.stamp, m.said = append(m.text[:0], o.text...), o.stamp, o.said
}

// titles are the last of each kind; nil is none.
type titles struct {
	custom, ai, summary *string
}

// take takes the title that a record gives. later says that records come forwards, so
// that each one takes the place of the one before.
func (s *titles) take(rec *record.Record, later bool) {
	set := func(dst **string, v record.Str) {
		if v != nil && (later || *dst == nil) {
			t := excerpt.Fold(v.String())
			*dst = &t
		}
	}
	switch string(rec.Type) {
	case "custom-title":
		set(&s.custom, rec.CustomTitle)
	case "ai-title":
		set(&s.ai, rec.AITitle)
	case "summary":
		set(&s.summary, rec.Summary)
	}
}

func (s *session) kind(rec *record.Record) {
	if k := rec.SessionKind; len(k) > 0 && !slices.ContainsFunc(s.kinds, k.Is) {
		s.kinds = append(s.kinds, k.String())
	}
}

// keep sets dst when it is empty, renew when there is something to set, earlier when
// the head knows nothing.
func keep(dst *string, v record.Str) {
	if *dst == "" && len(v) > 0 {
		*dst = v.String()
	}
}

func renew(dst *string, v record.Str) {
	if len(v) > 0 {
		*dst = v.String()
	}
}

func earlier(dst *string, head string, v record.Str) {
	if head == "" {
		renew(dst, v)
	}
}
