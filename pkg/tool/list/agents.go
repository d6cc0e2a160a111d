package list

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/lane"
	"csift/pkg/scope"
	"csift/pkg/target"
	"csift/pkg/when"
)

type agentsOptions struct {
	Shape        []string `long:"shape" value-name:"SHAPE" description:"only subagents of this shape: builtin-task, workflow, teammate, harness or inline"`
	AgentType    []string `long:"agent-type" value-name:"TYPE" description:"only subagents of this type (Explore, general-purpose, fork, ...), spelled exactly"`
	Since        string   `long:"since" value-name:"WHEN" description:"only subagents whose instant (see --order-by) is at or after WHEN: 45s 90m 2h 3d 1w 2mo 1y ago, a date, or an ISO time"`
	Until        string   `long:"until" value-name:"WHEN" description:"only subagents whose instant is at or before WHEN"`
	OrderBy      string   `long:"order-by" value-name:"INSTANT" default:"trigger" description:"what siblings are sorted by, and windows compare: trigger (the call that spawned it, else its start), start, or completion (its last activity)"`
	Agent        string   `long:"agent" value-name:"ID" description:"this one subagent, with what it returned, whatever the other filters say"`
	WithFiles    bool     `long:"with-files" description:"with the files that each subagent changed, as far as its calls say: whole transcripts are read"`
	Returned     bool     `long:"returned-message" description:"with what each subagent returned, as its parent received it"`
	SessionsFrom string   `long:"sessions-from" value-name:"FILE|-" description:"also take the sessions listed in FILE (- is stdin): ids, csift rows or csift text; an empty list is an empty scope"`
	Subagents    bool     `long:"subagents" hidden:"true" description:"refused: subagents are what this verb lists"`
	NoSubagents  bool     `long:"no-subagents" hidden:"true" description:"refused: subagents are what this verb lists"`
}

const agentsLong = `Lists the subagents of sessions as a tree: who started whom, what for, of which type, whether they are done. A TARGET is ` +
	`the session they belong to; @<agent-id> is one subagent with those below it. Without a target that is every project.

Who started whom is what Claude Code states beside a transcript (parentAgentId, spawnDepth: 2.1.332); where it states nothing, ` +
	`the call whose id or result names the subagent. parent_agent_id is null for a child of the session itself.

Shapes: builtin-task (Task or Agent), workflow (an agent of a workflow's run), teammate, harness (lanes that Claude Code runs ` +
	`for itself: compaction, suggestions, side questions, warm-ups), inline (Claude Code 1.0.x: records within the session's own file).

Status: completed when the last message is text of the subagent or its run's journal has a result; running when there is a call ` +
	`without a result at the end (PENDING), or nothing that ends it; unknown without any instant. status_evidence names what it rests ` +
	`on. On disk a slow tool, one that waits for permission and a client that died look alike. Only the two ends of a subagent's ` +
	`transcript are read, and its session's transcript for the calls.

A PENDING Bash call is escalation-blocked when Claude Code asks the person before it removes what the command names, ` +
	`whatever the mode and the rules allow (rm -rf /usr, rm -rf "$D"/*); else awaiting-execution. It is a forecast by the rules of the ` +
	`record's version (they changed at 2.1.208 and 2.1.261): pending_checker names the check, lexical, structured or census, and ` +
	`pending_reason why; where the files of that time decide, it says so. Other tools are awaiting-execution.

What was returned is the text of the tool's result, of a workflow's agent the journal's result, and of a subagent in the ` +
	`background the newest text of its own. It may be older than a lane that runs again.

--with-files adds files_changed: the path of each file that a call of the subagent wrote, edited, moved or removed, a shell's ` +
	`commands by their words; see csift files for each change.`

var agentsTool = cli.Tool{
	Name:    "agents",
	Summary: "list subagents: who started whom, what for, and what came back",
	Usage:   "[TARGET...] [FLAG...]",
	Long:    agentsLong,
	New:     func() any { return &agentsOptions{} },
	Run: func(ctx context.Context, env *cli.Env, opts any) error {
		return runAgents(ctx, env, opts.(*agentsOptions))
	},
	Examples: []cli.Example{
		{Command: "agents .", Text: "the subagents of the sessions of this directory"},
		{Command: "agents @main --returned-message", Text: "what the subagents of the calling session returned"},
		{Command: "agents @main --with-files", Text: "which files each of them changed"},
		{Command: "agents @5d0c1f3e --shape teammate", Text: "its teammates, with the names that SendMessage takes"},
		{Command: "agents @5d0c1f3e | search TODO -", Text: "a search in its subagents alone"},
		{Command: "agents @5d0c1f3e --format json | jq -r 'select(.status==\"running\") | .agent_id'", Text: "those that are not done"},
	},
	Rows: "reads: rows, ids and address lines for - (a session stands for its subagents). prints: header, for each session session, " +
		"run..., agent..., then summary. An agent row is a target: the subagent's transcript, of an inline one its first record",
	ExitStatus:   "1  a transcript could not be read, a target or the --agent does not exist, or a time cannot be read",
	See:          []string{"list", "whoami", "search", "show"},
	StdinTargets: true,
	NeedsDash:    true,
}

// The axes of --order-by.
const (
	byTrigger    = "trigger"
	byStart      = "start"
	byCompletion = "completion"
)

func (o *agentsOptions) check() error {
	if o.Subagents || o.NoSubagents {
		return cli.Errorf("agents lists subagents: --subagents and --no-subagents mean nothing here; name the session, or @<agent-id> for one and those below it")
	}
	for _, s := range o.Shape {
		switch s {
		case lane.ShapeTask, lane.ShapeWorkflow, lane.ShapeTeammate, lane.ShapeHarness, lane.ShapeInline:
		default:
			return cli.Usagef("--shape takes builtin-task, workflow, teammate, harness or inline, not %q", s)
		}
	}
	switch o.OrderBy {
	case byTrigger, byStart, byCompletion:
	default:
		return cli.Usagef("--order-by takes trigger, start or completion, not %q", o.OrderBy)
	}
	return nil
}

func runAgents(ctx context.Context, env *cli.Env, o *agentsOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	a := &agentsAnswer{env: env, opts: o, returned: o.Returned || o.Agent != ""}
	var err error
	if a.window, err = scope.ParseWindow(o.Since, o.Until, "", env.Now); err != nil {
		return err
	}
	if a.set, _, err = scope.Resolve(ctx, env, env.Args, scope.Flags{SessionsFrom: o.SessionsFrom, Lanes: true}); err != nil {
		return err
	}
	if a.set.Narrowed() {
		env.Note("an address names its whole transcript here; its lines and turns were ignored")
	}
	a.read(ctx)
	if o.WithFiles {
		a.changedFiles(ctx)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.Agent != "" && a.count() == 0 {
		return cli.WithHint(cli.Errorf("no subagent %s in scope", o.Agent), "ids as they are printed by "+env.Command("agents", env.Args...))
	}
	return a.print()
}

// member is one subagent in the answer.
type member struct {
	*lane.Node
	inline     *lane.Inline
	script     *target.Transcript // its own, of an inline lane the session's
	parent     *member            // the nearest one above that is in the answer
	level      int                // below the session, as printed
	trigger    time.Time
	started    time.Time
	last       time.Time
	status     string
	evidence   string
	files      []string // what it changed; nil when that is not asked for or cannot be read
	returned   *string
	returnedBy string
}

// at gives the instant on an axis.
func (g *member) at(axis string) time.Time {
	switch axis {
	case byStart:
		return g.started
	case byCompletion:
		return g.last
	}
	return g.trigger
}

// family is a session with its subagents.
type family struct {
	id      string
	script  *target.Transcript // nil when it is not in scope
	path    string             // of the transcript, "" when it is gone
	members []*target.Transcript
	dirs    []string  // the session directories of the members
	agents  []*member // in the order they are printed
	runs    []lane.Run
	runAt   map[string]int // where each stands in runs; nil until it is asked for
	tree    *lane.Tree
	failed  []lane.FileError // what of it could not be read
}

// note keeps what could not be read, for whoever tells it.
func (f *family) note(err error) {
	var lost lane.FileError
	if errors.As(err, &lost) {
		f.failed = append(f.failed, lost)
	}
}

// families groups the set by session, in path order.
func families(set *target.Set) []*family {
	var out []*family
	byID := map[string]*family{}
	get := func(id string) *family {
		f := byID[id]
		if f == nil {
			f = &family{id: id}
			byID[id] = f
			out = append(out, f)
		}
		return f
	}
	for i := range set.Transcripts {
		t := &set.Transcripts[i]
		if !t.IsSubagent {
			if f := get(t.ID); f.script == nil {
				f.script, f.path = t, t.Path
				f.dirs = append(f.dirs, home.SessionDir(t.Path))
			}
			continue
		}
		f := get(t.ParentID)
		f.members = append(f.members, t)
		if dir := sessionDirOf(t); dir != "" && !slices.Contains(f.dirs, dir) {
			f.dirs = append(f.dirs, dir)
		}
	}
	return out
}

// sessionDirOf gives the directory of the session that a subagent's transcript lies in, or would: "" when not known.
func sessionDirOf(t *target.Transcript) string {
	if t.ParentID == "" {
		return ""
	}
	for dir := filepath.Dir(t.Path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == t.ParentID {
			return dir
		}
	}
	return filepath.Join(filepath.Dir(t.Path), t.ParentID)
}

// agentsAnswer is what agents found.
type agentsAnswer struct {
	env      *cli.Env
	opts     *agentsOptions
	set      *target.Set
	window   scope.Window
	returned bool
	families []*family
}

func (a *agentsAnswer) count() (n int) {
	for _, f := range a.families {
		n += len(f.agents)
	}
	return n
}

// read reads every family, several at a time.
func (a *agentsAnswer) read(ctx context.Context) {
	all := families(a.set)
	var done atomic.Int64
	progress := a.env.Progress(func() string { return progressLine(int(done.Load()), len(all)) })
	each := lane.Each
	if a.env.Slow {
		each = func(n int, fn func(int)) {
			for i := range n {
				fn(i)
			}
		}
	}
	each(len(all), func(i int) {
		if ctx.Err() == nil {
			a.family(ctx, all[i])
		}
		done.Add(1)
	})
	progress.Stop()
	for _, f := range all {
		for _, err := range f.failed {
			a.env.Unread(err.Path, err.Err)
		}
		if len(f.agents) > 0 || len(f.runs) > 0 {
			a.families = append(a.families, f)
		}
	}
}

// family reads one session's subagents and orders them.
func (a *agentsAnswer) family(ctx context.Context, f *family) {
	inline := false
	if f.path != "" && len(f.members) == 0 {
		version, err := lane.FirstVersion(ctx, f.path, a.env.Slow)
		f.note(err)
		inline = strings.HasPrefix(version, "1.")
	}
	if len(f.members) == 0 && !inline && (f.script == nil || f.script.Alone) {
		return
	}
	files, mine := f.files()
	if len(files) > 0 || inline {
		f.tree = lane.ReadTree(ctx, f.path, files, lane.Want{Spawns: true, Ends: true, Text: a.returned, Inline: inline, Slow: a.env.Slow})
	} else {
		f.tree = &lane.Tree{}
	}
	for _, err := range f.tree.Failed {
		f.note(err)
	}
	f.readRuns(ctx, a.env.Slow)
	var all []*member
	for i := range f.tree.Nodes {
		n := &f.tree.Nodes[i]
		if t := mine[n.Path]; t != nil {
			all = append(all, a.judge(f, &member{Node: n, script: t}))
		}
	}
	for i := range f.tree.Inlines {
		all = append(all, f.inline(i, a.returned))
	}
	f.agents = a.order(f, all)
	if a.filtered() {
		members := byRun(f.agents)
		f.runs, f.runAt = slices.DeleteFunc(f.runs, func(r lane.Run) bool { return members[r.ID] == nil }), nil
	}
}

// byRun gives subagents by the runs that they are part of, in their order.
func byRun(agents []*member) map[string][]*member {
	out := map[string][]*member{}
	for _, g := range agents {
		if g.Run != "" {
			out[g.Run] = append(out[g.Run], g)
		}
	}
	return out
}

// files gives every subagent of the family, those in scope by their path: the others are needed to link them.
func (f *family) files() (files []lane.File, mine map[string]*target.Transcript) {
	mine = map[string]*target.Transcript{}
	for _, t := range f.members {
		file := lane.Of(t.Path)
		file.Parent = t.ParentID
		files, mine[t.Path] = append(files, file), t
	}
	if f.script != nil {
		return files, mine
	}
	for _, dir := range f.dirs {
		if f.path == "" && present(dir+".jsonl") {
			f.path = dir + ".jsonl"
		}
		agents, failed := lane.SessionAgents(dir)
		for _, err := range failed {
			f.note(err)
		}
		for _, file := range agents {
			if mine[file.Path] == nil {
				files = append(files, file)
			}
		}
	}
	slices.SortStableFunc(files, func(a, b lane.File) int { return strings.Compare(a.Path, b.Path) })
	return files, mine
}

func (f *family) readRuns(ctx context.Context, slow bool) {
	if f.script != nil && f.script.Alone && len(f.members) == 0 {
		return
	}
	known := map[string]bool{}
	for _, dir := range f.dirs {
		var ids []string
		for i := range f.tree.Nodes {
			if n := &f.tree.Nodes[i]; n.Run != "" && strings.HasPrefix(n.Path, dir+string(filepath.Separator)) {
				ids = append(ids, n.Run)
			}
		}
		runs, failed := lane.ReadRuns(ctx, dir, ids, slow)
		for _, err := range failed {
			f.note(err)
		}
		for _, r := range runs {
			if !known[r.ID] {
				known[r.ID] = true
				f.runs = append(f.runs, r)
			}
		}
	}
}

func (f *family) run(id string) *lane.Run {
	if f.runAt == nil {
		f.runAt = make(map[string]int, len(f.runs))
		for i := range f.runs {
			f.runAt[f.runs[i].ID] = i
		}
	}
	if i, ok := f.runAt[id]; ok {
		return &f.runs[i]
	}
	return nil
}

func (a *agentsAnswer) filtered() bool {
	return len(a.opts.Shape)+len(a.opts.AgentType) > 0 || a.window.Timed() || a.opts.Agent != ""
}

// keeps reports whether the filters let a subagent through.
func (a *agentsAnswer) keeps(g *member) bool {
	o := a.opts
	if o.Agent != "" {
		return g.ID == strings.TrimPrefix(o.Agent, "@")
	}
	return (len(o.Shape) == 0 || slices.Contains(o.Shape, g.Shape)) &&
		(len(o.AgentType) == 0 || slices.Contains(o.AgentType, g.agentType())) && a.window.Holds(g.at(o.OrderBy))
}

// order puts the subagents that the filters keep into tree order: the agents of runs first, children behind their
// parents, siblings by the axis. What hangs in a circle of parents comes last.
func (a *agentsAnswer) order(f *family, all []*member) []*member {
	byNode := map[*lane.Node]*member{}
	for _, g := range all {
		byNode[g.Node] = g
	}
	children := map[*member][]*member{}
	var kept []*member
	for _, g := range all {
		if !a.keeps(g) {
			continue
		}
		kept = append(kept, g)
		up := g.ParentNode
		for hops := 0; up >= 0 && hops <= len(all); hops++ {
			n := &f.tree.Nodes[up]
			if p := byNode[n]; p != nil && p != g && a.keeps(p) {
				g.parent = p
				break
			}
			up = n.ParentNode
		}
		children[g.parent] = append(children[g.parent], g)
	}
	for _, list := range children {
		slices.SortStableFunc(list, func(x, y *member) int {
			t, u := x.at(a.opts.OrderBy), y.at(a.opts.OrderBy)
			if t.IsZero() || u.IsZero() {
				return cmp.Compare(b2i(t.IsZero()), b2i(u.IsZero()))
			}
			return t.Compare(u)
		})
	}
	var out []*member
	seen := map[*member]bool{}
	var walk func(g *member, level int)
	walk = func(g *member, level int) {
		if seen[g] {
			return
		}
		seen[g], g.level = true, level
		out = append(out, g)
		for _, c := range children[g] {
			walk(c, level+1)
		}
	}
	top := byRun(children[nil])
	for i := range f.runs {
		for _, g := range top[f.runs[i].ID] {
			walk(g, 0)
		}
	}
	for _, g := range children[nil] {
		walk(g, 0)
	}
	for _, g := range kept { // what hangs in a circle of parents
		walk(g, 0)
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func stampOf(s string) time.Time {
	t, _ := when.Stamp(s)
	return t
}
