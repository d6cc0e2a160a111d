package lane

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Spawn is a call that starts subagents, and what came back for it.
type Spawn struct {
	ID, Tool    string // of the tool_use: Task (up to 2.0.x), Agent, or Workflow
	Issuer      string // the agent whose transcript it stands in, "" for the session
	Stamp       string
	Name        string // input.name
	AgentType   string // input.subagent_type
	Description string
	Prompt      string

	Answered bool
	Failed   bool   // the result is an error
	Text     string // of the result, as the parent received it
	Agent    string // the id of the agent that the result names
	Run      string // the workflow run that the result names

	at place // for the order
}

// place is where a record stands: its line, by number or by offset, and which of the records of that line it is.
type place struct {
	line int64
	part int
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.part, q.part))
}

// Inline is a lane within a session's own file, as Claude Code 1.0.x wrote subagents: records with isSidechain between
// a call and its result.
type Inline struct {
	Line          int // of its first record
	UUID, Prompt  string
	Started, Last string // timestamps
	Settled       bool   // its last message is text of the agent
	Text          string // the newest text of the agent
	Pending       *Pending
	Calls         []string // the ids of its calls
}

// Launches is what one transcript says about the subagents that were started in it.
type Launches struct {
	Spawns  []Spawn
	Inlines []Inline // only of a session's file, and only when asked for
}

// The names of the tools that start subagents, as they stand on a line: quoted, so that one within a text, where the
// quote is escaped, does not look the same.
var spawnNames = [...][]byte{[]byte(`"Task"`), []byte(`"Agent"`), []byte(`"Workflow"`)}

var (
	toolUse   = []byte(`"tool_use"`)
	resultKey = []byte(`"tool_use_id"`)
)

// launchReader reads one transcript for its Launches.
type launchReader struct {
	out Launches
	Seek
	issuer string
	sought map[string]bool // calls of Seek.Calls that were not seen yet
	byID   map[string]int
	lane   map[string]int // of records of inline lanes, by uuid
	rec    record.Record
	line   int   // lines so far, where all are read
	at     place // of the record under way
}

// Seek says what is read of a transcript's Launches.
type Seek struct {
	Results bool // with what came back for the calls
	Inline  bool // with the lanes within a session's own file
	// Calls are the ids of the only calls that are wanted: once they are found, and no results are, reading ends.
	Calls []string
	Slow  bool
}

// errFound ends a walk that has found all it looked for.
var errFound = errors.New("found")

// ReadLaunches finds the calls of a transcript that start subagents. issuer is the agent it belongs to. Lines without the
// name of such a tool, or the id of such a call, are not taken apart.
func ReadLaunches(ctx context.Context, path, issuer string, seek Seek) (*Launches, error) {
	f, err := jsonl.Options{Slow: seek.Slow}.Open(path)
	if err != nil {
		return nil, FileError{path, err}
	}
	defer f.Close()
	r := &launchReader{Seek: seek, issuer: issuer, sought: map[string]bool{}, byID: map[string]int{}, lane: map[string]int{}}
	for _, id := range seek.Calls {
		r.sought[id] = true
	}
	most := len(r.sought)
	err = f.Chunks(ctx, 1, func(_ int, c jsonl.Chunk) error {
		r.chunk(&c)
		if most > 0 && len(r.sought) == 0 && !r.Results && !r.Inline && !r.Slow {
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return nil, FileError{path, err}
	}
	slices.SortStableFunc(r.out.Spawns, func(a, b Spawn) int { return a.at.compare(b.at) })
	return &r.out, nil
}

func (r *launchReader) chunk(c *jsonl.Chunk) {
	if r.Inline || r.Slow {
		first := c.First
		for b := c.B; len(b) > 0; first = false {
			line := b
			if i := bytes.IndexByte(b, '\n'); i >= 0 {
				line, b = b[:i], b[i+1:]
			} else {
				b = nil
			}
			r.line++
			r.at.line = int64(r.line)
			r.records(jsonl.Trim(line, first), true, r.Results)
		}
		return
	}
	eachLine(c, toolUse, func(off int64, line []byte, _ int) {
		for _, name := range spawnNames {
			if bytes.Contains(line, name) {
				r.at.line = off
				r.records(line, true, false)
				return
			}
		}
	})
	if len(r.byID) == 0 || !r.Results {
		return
	}
	eachLine(c, resultKey, func(off int64, line []byte, at int) {
		r.at.line = off
		for rest := line[at:]; len(rest) > 0; {
			if _, ok := r.byID[string(quoted(rest[len(resultKey):]))]; ok {
				r.records(line, false, true)
				return
			}
			i := bytes.Index(rest[1:], resultKey)
			if i < 0 {
				return
			}
			rest = rest[i+1:]
		}
	})
}

// eachLine calls fn for each line of a chunk that holds needle, once, with the line's offset and the place of the first needle in it.
func eachLine(c *jsonl.Chunk, needle []byte, fn func(off int64, line []byte, at int)) {
	for from := 0; from < len(c.B); {
		i := bytes.Index(c.B[from:], needle)
		if i < 0 {
			return
		}
		i += from
		start := bytes.LastIndexByte(c.B[:i], '\n') + 1
		end := len(c.B)
		if n := bytes.IndexByte(c.B[i:], '\n'); n >= 0 {
			end = i + n
		}
		line := jsonl.Trim(c.B[start:end], c.First && start == 0)
		if at := bytes.Index(line, needle); at >= 0 {
			fn(c.Off+int64(start), line, at)
		}
		from = end
	}
}

// quoted gives the string value that follows a key, as it stands on the line.
func quoted(b []byte) []byte {
	b = bytes.TrimLeft(b, " \t:")
	if len(b) == 0 || b[0] != '"' {
		return nil
	}
	b = b[1:]
	if i := bytes.IndexByte(b, '"'); i >= 0 {
		return b[:i]
	}
	return nil
}

// records takes the whole records of a line.
func (r *launchReader) records(line []byte, calls, results bool) {
	if len(line) == 0 {
		return
	}
	parts := [][]byte{line}
	if !record.Decode(line, &r.rec) {
		parts, _ = record.Split(line)
	}
	for i, p := range parts {
		if !record.Decode(p, &r.rec) {
			continue
		}
		r.at.part = i
		if calls && r.rec.Type.Is("assistant") {
			r.calls()
		}
		if results && r.rec.Type.Is("user") {
			r.results()
		}
		if r.Inline && r.rec.IsSidechain {
			r.sidechain()
		}
	}
}

func (r *launchReader) calls() {
	for i := range r.rec.Blocks {
		b := &r.rec.Blocks[i]
		if !b.Type.Is("tool_use") || len(b.ID) == 0 {
			continue
		}
		tool := string(b.Name)
		if tool != "Task" && tool != "Agent" && tool != "Workflow" {
			continue
		}
		id := b.ID.String()
		if _, known := r.byID[id]; known {
			continue
		}
		r.byID[id] = len(r.out.Spawns)
		delete(r.sought, id)
		text := func(key string) string { return b.Input.Get(key).Str().String() }
		r.out.Spawns = append(r.out.Spawns, Spawn{ID: id, Tool: tool, Issuer: r.issuer, Stamp: r.rec.Timestamp.String(),
			Name: text("name"), AgentType: text("subagent_type"), Description: text("description"), Prompt: text("prompt"), at: r.at})
	}
}

func (r *launchReader) results() {
	for i := range r.rec.Blocks {
		b := &r.rec.Blocks[i]
		if !b.Type.Is("tool_result") {
			continue
		}
		at, ok := r.byID[b.ToolUseID.String()]
		if !ok || r.out.Spawns[at].Answered || r.at.compare(r.out.Spawns[at].at) < 0 {
			continue // of no call above it
		}
		s := &r.out.Spawns[at]
		s.Answered, s.Failed, s.Text = true, b.IsError, b.ResultText()
		s.Agent, s.Run = r.rec.Result.AgentID.String(), r.rec.Result.Raw.Get("runId").Str().String()
		if s.Agent == "" {
			s.Agent = namedAgent(s.Text)
		}
	}
}

// namedAgent finds the agent that a result names in its text: results within a subagent's transcript have no
// toolUseResult (2.1.332), and before 2.1 only the text names it.
func namedAgent(text string) string {
	for _, key := range [...]string{"\nagentId: ", "\nagent_id: "} {
		i := bytes.LastIndex([]byte("\n"+text), []byte(key))
		if i < 0 {
			continue
		}
		rest := ("\n" + text)[i+len(key):]
		n := 0
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] == '-' || rest[n] == '_') {
			n++
		}
		if n > 0 {
			return rest[:n]
		}
	}
	return ""
}

// sidechain takes a record of a lane within a session's file.
func (r *launchReader) sidechain() {
	rec := &r.rec
	at, ok := r.lane[rec.ParentUUID.String()]
	if !ok || len(rec.ParentUUID) == 0 {
		if !rec.Type.Is("user") {
			return
		}
		at = len(r.out.Inlines)
		r.out.Inlines = append(r.out.Inlines, Inline{Line: r.line, UUID: rec.UUID.String(), Prompt: rec.UserText(), Started: rec.Timestamp.String()})
	}
	if len(rec.UUID) > 0 {
		r.lane[rec.UUID.String()] = at
	}
	l := &r.out.Inlines[at]
	if len(rec.Timestamp) > 0 {
		l.Last = rec.Timestamp.String()
	}
	switch {
	case rec.Type.Is("assistant"):
		if text := rec.UserText(); text != "" {
			l.Text, l.Settled = text, true
		}
		for i := range rec.Blocks {
			if b := &rec.Blocks[i]; b.Type.Is("tool_use") {
				l.Pending, l.Settled = pendingOf(rec, b), false
				l.Calls = append(l.Calls, l.Pending.ID)
			}
		}
	case rec.Type.Is("user"):
		for i := range rec.Blocks {
			if b := &rec.Blocks[i]; b.Type.Is("tool_result") && l.Pending != nil && b.ToolUseID.Is(l.Pending.ID) {
				l.Pending = nil
			}
		}
		l.Settled = false
	}
}
