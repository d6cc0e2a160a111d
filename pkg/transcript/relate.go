package transcript

import (
	"strings"
	"sync"

	"csift/pkg/chain"
	"csift/pkg/record"
)

// related is what the relations between records need beyond turns, pairs and survival. Each part is built when first
// asked for; several goroutines may ask.
type related struct {
	compacted struct {
		once  sync.Once
		other map[int32]int32 // boundary -> summary and back, by node
		named map[int32]bool  // nodes of both sides where the boundary names its summary
	}
	messages struct {
		once sync.Once
		last map[uint64]int32 // per message id: the last record with a part of that reply
	}
}

// Parent gives the place of the record that the parent link of the record at a place leads to.
func (s *Structure) Parent(line, part int32) (Loc, bool) {
	if i := s.node(line, part); i >= 0 {
		if p := s.res.ParentOf(int32(i)); p != chain.None {
			return s.locs[p], true
		}
	}
	return Loc{}, false
}

// Message gives the place of the last record that carries a part of the reply with a message id.
func (s *Structure) Message(id record.Str) (Loc, bool) {
	m := &s.rel.messages
	m.once.Do(func() {
		m.last = map[uint64]int32{}
		for i := range s.nodes {
			if k := s.nodes[i].Message; k != 0 {
				m.last[k] = int32(i)
			}
		}
	})
	if i, ok := m.last[chain.MessageKey(id)]; ok {
		return s.locs[i], true
	}
	return Loc{}, false
}

// Counterpart gives the other side of a compaction: the summary of the boundary at a place, or the boundary of the
// summary there. named says that the boundary names its summary; else it is the first summary behind the boundary and
// before the next one.
func (s *Structure) Counterpart(line, part int32) (other Loc, named, ok bool) {
	i := int32(s.node(line, part))
	c := &s.rel.compacted
	c.once.Do(s.pairCompactions)
	k, ok := c.other[i]
	if !ok {
		return Loc{}, false, false
	}
	return s.locs[k], c.named[i], true
}

func (s *Structure) pairCompactions() {
	c := &s.rel.compacted
	c.other, c.named = map[int32]int32{}, map[int32]bool{}
	pair := func(boundary, summary int32) { c.other[boundary], c.other[summary] = summary, boundary }
	for k := range s.rows.Compactions {
		b := &s.rows.Compactions[k]
		if a := s.res.Find(b.Anchor); a != chain.None && s.nodes[a].Flags&chain.Summary != 0 {
			pair(b.Node, a)
			c.named[b.Node], c.named[a] = true, true
		}
	}
	open := chain.None
	for i := range s.nodes {
		switch k := int32(i); {
		case s.nodes[i].Flags&chain.Boundary != 0:
			if open = k; c.named[k] {
				open = chain.None
			}
		case s.nodes[i].Flags&chain.Summary != 0 && open != chain.None && !c.named[k]:
			pair(open, k)
			open = chain.None
		}
	}
}

// Between gives the places of the records from head to tail, as the parent links of tail lead up to head; nil when they
// do not.
func (s *Structure) Between(head, tail string) []Loc {
	var in record.Interner
	top, at := s.res.Find(in.Of(head)), s.res.Find(in.Of(tail))
	if top == chain.None {
		return nil
	}
	var up []int32
	for len(up) < len(s.nodes) && at != chain.None {
		up = append(up, at)
		if at == top {
			out := make([]Loc, 0, len(up))
			for k := len(up) - 1; k >= 0; k-- {
				out = append(out, s.locs[up[k]])
			}
			return out
		}
		at = s.res.ParentOf(at)
	}
	return nil
}

// ScheduledAt gives the instant that a scheduled_task_fire record speaks of, as it is written there ("Nov 30 4:45pm");
// "" when the uuid names none, or it speaks of none.
func (s *Structure) ScheduledAt(uuid string) string { return s.instants[uuid] }

// ResumesAt reports whether the uuid names what Claude Code wrote in the person's place to resume a turn.
func (s *Structure) ResumesAt(uuid string) bool { return s.resumes[uuid] }

// Scheduled reports whether a trimmed text is the prompt of a task that was scheduled and fired.
func (s *Structure) Scheduled(text string) bool { return s.scheduled[text] }

// TaskCall gives the tool use id of the call that started a task (a command, a monitor, a workflow or an agent), as its
// result says; "" when none does.
func (s *Structure) TaskCall(task string) string { return s.tasks[task] }

// AgentOf gives the id of the agent that a call started, as its result says; "" when none does.
func (s *Structure) AgentOf(use string) string { return s.agents[use] }

// resumed keeps the uuid of a record that is not the person's where it resumes a turn.
func (p *Part) resumed(r *record.Record) {
	if r.UUID == nil || !r.IsResumePrompt() {
		return
	}
	if p.resumes == nil {
		p.resumes = map[string]bool{}
	}
	p.resumes[r.UUID.String()] = true
}

// fired keeps the prompt of a scheduled_task_fire record and the instant that it speaks of.
func (p *Part) fired(r *record.Record) {
	if prompt := strings.TrimSpace(r.Raw.Get("prompt").Str().String()); prompt != "" {
		if p.scheduled == nil {
			p.scheduled = map[string]bool{}
		}
		p.scheduled[prompt] = true
	}
	at := trailing(r.Raw.Get("content").Str().String())
	if at == "" {
		return
	}
	if p.instants == nil {
		p.instants = map[string]string{}
	}
	p.instants[r.UUID.String()] = at
}

// started keeps which call started the task that its result names. The first one counts: later calls ask after it.
func (p *Part) started(r *record.Record, b *record.Block) {
	use, agent := b.ToolUseID.String(), r.Result.AgentID.String()
	for _, task := range [...]string{r.Result.TaskID.String(), agent} {
		p.tasks = keepFirst(p.tasks, task, use)
	}
	if agent != "" {
		p.agents = keepFirst(p.agents, use, agent)
	}
}

func keepFirst(m map[string]string, key, v string) map[string]string {
	if key == "" {
		return m
	}
	if m == nil {
		m = map[string]string{}
	}
	if _, ok := m[key]; !ok {
		m[key] = v
	}
	return m
}

// trailing gives what stands in the parentheses that end a text.
func trailing(s string) string {
	s = strings.TrimSpace(s)
	i := strings.LastIndexByte(s, '(')
	if i < 0 || !strings.HasSuffix(s, ")") {
		return ""
	}
	return strings.TrimSpace(s[i+1 : len(s)-1])
}
