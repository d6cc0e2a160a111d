package list

import (
	"os"
	"strings"

	"csift/pkg/lane"
)

// The lifecycle of a subagent, as far as files tell: there is no word for failed.
const (
	completed = "completed"
	running   = "running"
	unknown   = "unknown"
)

// What a status rests on.
const (
	byPending = "unreturned-tool-use" // a call without a result at the end
	byJournal = "workflow-journal"    // the run has a result of it
	byText    = "final-text"          // the last message is text of the agent
	byMeta    = "meta-finished"       // the client says so beside the transcript
	byOpenEnd = "open-end"            // nothing ends it
)

// Where a returned message is from.
const (
	fromJournal = "workflow-journal"
	fromResult  = "sync-tool-result"
	fromTail    = "async-child-tail"
)

// judge tells the instants, the status and what was returned.
func (a *agentsAnswer) judge(f *family, g *member) *member {
	e := g.Ends
	if e == nil {
		g.status, g.evidence = unknown, ""
		return g
	}
	g.started, g.last = stampOf(e.Started), stampOf(e.Last)
	g.trigger = g.started
	if g.Spawn != nil && g.Shape != lane.ShapeWorkflow {
		if t := stampOf(g.Spawn.Stamp); !t.IsZero() {
			g.trigger = t
		}
	}
	run := f.run(g.Run)
	journal := false
	if run != nil {
		_, journal = run.Returned(g.ID)
	}
	switch {
	case e.Pending != nil:
		g.status, g.evidence = running, byPending
	case journal:
		g.status, g.evidence = completed, byJournal
	case e.Settled:
		g.status, g.evidence = completed, byText
	case g.Meta.Finished:
		g.status, g.evidence = completed, byMeta
	case !g.started.IsZero() || !g.last.IsZero():
		g.status, g.evidence = running, byOpenEnd
	default:
		g.status = unknown
	}
	if a.returned {
		g.takeReturned(run)
	}
	return g
}

// takeReturned finds what the parent received.
func (g *member) takeReturned(run *lane.Run) {
	set := func(text, by string) {
		g.returned, g.returnedBy = &text, by
	}
	if run != nil {
		if text, ok := run.Returned(g.ID); ok {
			set(text, fromJournal)
			return
		}
	}
	if s := g.Spawn; s != nil && s.Answered && s.Tool != "Workflow" && !launched(s.Text) {
		set(s.Text, fromResult)
		return
	}
	if s := g.Spawn; s != nil && s.Answered && g.Ends != nil && g.Ends.Text != "" {
		set(g.Ends.Text, fromTail)
	}
}

// launched reports whether the result of a call only says that a subagent was started: in the background (2.0.77 to
// 2.1.332), or as a teammate.
func launched(result string) bool {
	return strings.HasPrefix(result, "Async agent launched") || strings.HasPrefix(result, "Spawned successfully")
}

// agentType gives the type: a teammate's meta has its name in that place.
func (g *member) agentType() string {
	spawn := ""
	if g.Spawn != nil {
		spawn = g.Spawn.AgentType
	}
	if g.Shape == lane.ShapeTeammate {
		return first(spawn, g.Meta.SpawnedAgentType, g.Meta.AgentType)
	}
	return first(g.Meta.AgentType, spawn)
}

func (g *member) description() string {
	if g.Meta.Description == "" && g.Spawn != nil {
		return g.Spawn.Description
	}
	return g.Meta.Description
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// inline makes an agent of a lane within the session's own file: the call is the one with its prompt.
func (f *family) inline(i int, returned bool) *member {
	l := &f.tree.Inlines[i]
	n := &lane.Node{File: lane.File{Path: f.path}, Meta: lane.Meta{SpawnDepth: -1}, Shape: lane.ShapeInline, ParentNode: -1}
	g := &member{Node: n, inline: l, script: f.script, started: stampOf(l.Started), last: stampOf(l.Last), evidence: byOpenEnd, status: running}
	n.Ends = &lane.Ends{Started: l.Started, Last: l.Last, Prompt: l.Prompt, Text: l.Text, Settled: l.Settled, ForkLength: -1}
	nth := 0
	for k := range f.tree.Inlines[:i] {
		if f.tree.Inlines[k].Prompt == l.Prompt {
			nth++
		}
	}
	for k := range f.tree.Spawns {
		if s := &f.tree.Spawns[k]; s.Prompt == l.Prompt {
			if nth == 0 {
				n.Spawn = s
				break
			}
			nth--
		}
	}
	g.trigger = g.started
	if n.Spawn != nil {
		g.trigger = stampOf(n.Spawn.Stamp)
	}
	switch {
	case l.Pending != nil:
		n.Ends.Pending, g.evidence = l.Pending, byPending
	case l.Settled:
		g.status, g.evidence = completed, byText
	case g.started.IsZero():
		g.status, g.evidence = unknown, ""
	}
	if returned {
		g.takeReturned(nil)
	}
	return g
}

func present(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
