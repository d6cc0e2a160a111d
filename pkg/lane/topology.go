package lane

import (
	"context"
	"path/filepath"
	"strings"
)

// The shapes of subagents, told by where the transcript lies and what its meta says.
const (
	ShapeTask     = "builtin-task"
	ShapeWorkflow = "workflow"
	ShapeTeammate = "teammate"
	// ShapeHarness is a lane that Claude Code runs for itself: compaction, prompt suggestions, side questions, and the
	// warm-ups of 2.0.x.
	ShapeHarness = "harness"
	// ShapeInline is a lane within the session's own file, see Inline.
	ShapeInline = "inline"
)

// Node is one subagent of a session and its place among the others.
type Node struct {
	File
	Meta  Meta
	Shape string
	Run   string // the workflow run it belongs to, "" for none
	// ParentAgent is the id of the agent that spawned it, "" when that is the session itself or not known. ParentNode is
	// that agent's index among the nodes, -1 when it is not there.
	ParentAgent string
	ParentNode  int
	Depth       int // 0 for a child of the session
	Spawn       *Spawn
	Ends        *Ends // where they were read
	Err         error // why the transcript could not be read
}

// Tree is the subagents of one session.
type Tree struct {
	Nodes   []Node
	Inlines []Inline
	Spawns  []Spawn // every call that starts subagents, as far as transcripts were read for them
	// Failed are the FileErrors of transcripts that could not be read, for their ends or their calls, and of meta files. One
	// path may stand there twice.
	Failed []error

	known map[string]bool // the ids of Spawns
}

// Want says how much of a Tree is needed.
type Want struct {
	Spawns bool // the calls that started the nodes; otherwise only what the links between nodes need
	Ends   bool // the two ends of each transcript
	Text   bool // with the newest text of each, and what came back for the calls
	Inline bool // lanes within the session's file
	Slow   bool
}

// ReadTree links the subagents of one session. transcript is the session's own, "" when it is gone. What the client
// states in meta files (parentAgentId, spawnDepth: 2.1.332) stands; the rest is found by the calls in the transcripts:
// by the id of the call, by the agent that its result names, by the name of a teammate, by the prompt. An agent's
// transcript is read for calls only when it is needed.
func ReadTree(ctx context.Context, transcript string, files []File, want Want) *Tree {
	t := &Tree{Nodes: make([]Node, len(files))}
	Each(len(files), func(i int) {
		n := &t.Nodes[i]
		*n = Node{File: files[i], Meta: ReadMeta(files[i].Path), ParentNode: -1}
		n.Shape, n.Run = shapeOf(n)
		if want.Ends {
			n.Ends, n.Err = ReadEnds(ctx, n.Path, want.Text, want.Slow)
		}
		n.warmUp()
	})
	for i := range t.Nodes {
		for _, err := range [...]error{t.Nodes[i].Meta.Err, t.Nodes[i].Err} {
			if err != nil {
				t.Failed = append(t.Failed, err)
			}
		}
	}
	t.calls(ctx, transcript, want)
	t.join(ctx, want)
	t.link()
	return t
}

// shapeOf tells the shape of a node, and its run.
func shapeOf(n *Node) (shape, run string) {
	if run = RunOf(n.Path); run != "" {
		return ShapeWorkflow, run
	}
	switch {
	case n.Meta.Teammate():
		return ShapeTeammate, ""
	case harnessID(n.ID):
		return ShapeHarness, ""
	}
	return ShapeTask, ""
}

// RunOf gives the workflow run that a subagent's transcript belongs to by its path, "" for none.
func RunOf(path string) string {
	dir := filepath.Dir(path)
	if run := filepath.Base(dir); strings.HasPrefix(run, "wf_") && filepath.Base(filepath.Dir(dir)) == "workflows" {
		return run
	}
	return ""
}

// harnessID reports whether an id is one that Claude Code gives to lanes of its own.
func harnessID(id string) bool {
	for _, p := range [...]string{"acompact-", "aprompt_suggestion-", "aside_question-"} {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}

// warmUp recognises the lanes with which Claude Code 2.0.x warmed up its agents: their only prompt is this word.
func (n *Node) warmUp() {
	if n.Flat && n.Ends != nil && n.Ends.Prompt == "Warmup" {
		n.Shape = ShapeHarness
	}
}

// stated reports whether the meta says where the node belongs.
func (n *Node) stated() bool {
	return n.Meta.ParentAgentID != "" || n.Meta.SpawnDepth == 0 || n.Meta.SpawnDepth == 1 || n.Shape == ShapeHarness
}

func (t *Tree) open() bool {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; !n.stated() && n.Spawn == nil {
			return true
		}
	}
	return false
}

// calls reads the transcripts whose calls are needed: the session's first, since a fork's file repeats calls that it
// did not make.
func (t *Tree) calls(ctx context.Context, transcript string, want Want) {
	if !want.Spawns && !t.open() && !want.Inline {
		return
	}
	seek := Seek{Results: want.Text || want.Inline || t.unnamed(), Slow: want.Slow}
	if transcript != "" && (len(t.Nodes) > 0 || want.Inline) {
		main := seek
		main.Inline = want.Inline
		if !t.open() {
			for i := range t.Nodes {
				if m := &t.Nodes[i].Meta; m.ParentAgentID == "" && m.ToolUseID != "" {
					main.Calls = append(main.Calls, m.ToolUseID)
				}
			}
		}
		t.add(ReadLaunches(ctx, transcript, "", main))
		t.assign()
	}
	all := t.open()
	parents := map[string]bool{} // those that a meta names
	for i := range t.Nodes {
		parents[t.Nodes[i].Meta.ParentAgentID] = true
	}
	var read []int
	for i := range t.Nodes {
		if all || want.Spawns && parents[t.Nodes[i].ID] {
			read = append(read, i)
		}
	}
	got, errs := make([]*Launches, len(read)), make([]error, len(read))
	Each(len(read), func(i int) {
		n := &t.Nodes[read[i]]
		got[i], errs[i] = ReadLaunches(ctx, n.Path, n.ID, seek)
	})
	for i := range read {
		t.add(got[i], errs[i])
	}
	t.assign()
}

// unnamed reports whether the call of a node can only be told by a result that names the node or its run.
func (t *Tree) unnamed() bool {
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Meta.ToolUseID == "" && n.Shape != ShapeHarness {
			return true
		}
	}
	return false
}

// add takes the calls of one transcript; of a call that was seen already the first one stands.
func (t *Tree) add(l *Launches, err error) {
	if err != nil {
		t.Failed = append(t.Failed, err)
		return
	}
	n := len(t.Spawns)
	for _, s := range l.Spawns {
		if !t.known[s.ID] {
			t.Spawns = append(t.Spawns, s)
		}
	}
	if t.known == nil {
		t.known = map[string]bool{}
	}
	for _, s := range t.Spawns[n:] {
		t.known[s.ID] = true
	}
	t.Inlines = append(t.Inlines, l.Inlines...)
}

// assign joins nodes to calls by what names them: the call's id, the result, a teammate's name, a run.
func (t *Tree) assign() {
	id, agent, name, run := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	first := func(m map[string]int, key string, i int) {
		if _, has := m[key]; !has && key != "" {
			m[key] = i
		}
	}
	for i := range t.Spawns {
		s := &t.Spawns[i]
		first(id, s.ID, i)
		first(agent, s.Agent, i)
		first(run, s.Run, i)
		if s.Tool != "Workflow" {
			first(name, s.Name, i)
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		at, ok := -1, false
		switch {
		case n.Meta.ToolUseID != "":
			at, ok = id[n.Meta.ToolUseID], has(id, n.Meta.ToolUseID)
		case n.Run != "":
			at, ok = run[n.Run], has(run, n.Run)
		default:
			if at, ok = agent[n.ID]; !ok && n.Shape == ShapeTeammate {
				at, ok = name[n.Meta.Name]
			}
		}
		n.Spawn = nil
		if ok {
			n.Spawn = &t.Spawns[at]
		}
	}
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

// join finds the calls of nodes that nothing names by their prompt: agents whose meta and result say nothing.
func (t *Tree) join(ctx context.Context, want Want) {
	taken := map[*Spawn]bool{}
	for i := range t.Nodes {
		if s := t.Nodes[i].Spawn; s != nil {
			taken[s] = true
		}
	}
	free := map[string][]*Spawn{} // per prompt the calls that are not taken, in order
	for k := range t.Spawns {
		if s := &t.Spawns[k]; !taken[s] && s.Agent == "" && s.Prompt != "" {
			free[s.Prompt] = append(free[s.Prompt], s)
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Spawn != nil || n.Meta.ToolUseID != "" || n.Shape == ShapeHarness || n.Shape == ShapeTeammate || len(t.Spawns) == 0 {
			continue
		}
		e := n.Ends
		if e == nil {
			var err error
			if e, err = ReadEnds(ctx, n.Path, false, want.Slow); err != nil {
				t.Failed = append(t.Failed, err)
				continue
			}
		}
		if calls := free[e.Prompt]; len(calls) > 0 {
			n.Spawn, free[e.Prompt] = calls[0], calls[1:]
		}
	}
}

// maxDepth bounds the walk up: links may form a circle.
const maxDepth = 64

// link fixes parents and depths.
func (t *Tree) link() {
	at := map[string]int{}
	for i := range t.Nodes {
		if _, has := at[t.Nodes[i].ID]; !has {
			at[t.Nodes[i].ID] = i
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch {
		case n.Meta.ParentAgentID != "":
			n.ParentAgent = n.Meta.ParentAgentID
		case n.Meta.SpawnDepth == 0 || n.Meta.SpawnDepth == 1:
		case n.Spawn != nil:
			n.ParentAgent = n.Spawn.Issuer
		}
		if n.ParentAgent == n.ID { // a fork's file repeats the call that made it
			n.ParentAgent = ""
		}
		n.ParentNode = -1
		if p, ok := at[n.ParentAgent]; ok && n.ParentAgent != "" {
			n.ParentNode = p
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		up := n.ParentNode
		for n.Depth = 0; up >= 0 && n.Depth <= maxDepth; n.Depth++ {
			up = t.Nodes[up].ParentNode
		}
		if n.ParentAgent != "" && n.ParentNode < 0 {
			n.Depth = max(1, n.Meta.SpawnDepth-1)
		}
	}
}

// Below reports for each node whether it is one of those at the indexes roots or below one of them.
func (t *Tree) Below(roots ...int) []bool {
	in, known := make([]bool, len(t.Nodes)), make([]bool, len(t.Nodes))
	for _, k := range roots {
		in[k], known[k] = true, true
	}
	var way []int // from a node up to one that is known
	for i := range t.Nodes {
		way = way[:0]
		k := i
		for ; k >= 0 && !known[k]; k = t.Nodes[k].ParentNode {
			known[k] = true
			way = append(way, k)
		}
		if k >= 0 && in[k] {
			for _, k := range way {
				in[k] = true
			}
		}
	}
	return in
}
