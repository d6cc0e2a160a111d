package list

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/lane"
	"csift/pkg/scope"
	"csift/pkg/target"
)

const whoamiLong = `Says which lane calls: the main thread of a session or one of its subagents. Claude Code tells a program its session ` +
	`(CLAUDE_CODE_SESSION_ID) and nothing about the lane: in a subagent it names the session above all the same. So without a target, ` +
	`and with @main, the lane stays unknown. @trap:<marker> finds it: invent a marker of three capitalised words and four digits and ` +
	`write it into this very command; the one transcript with that command is the caller's. The record of the command may be written ` +
	`up to three seconds after it starts, so it is looked for during four. What is above the caller follows, up to the session.

@<agent-id> and @<Name>@<Team> answer the same for another lane. depth is 0 for the caller and counts upwards; in the self row it is ` +
	`the number of lanes above.

The state of a subagent is what the end of its transcript says: in-flight (a call without a result), generating, or settled. ` +
	`Whether a session is alive cannot be told from its transcript and is null.

Outside Claude Code there is no answer: that is said on stdout, and the exit is 1. Nothing is guessed from what changed last. Builds ` +
	`up to 2.0.77 do not tell the session; there @trap looks at all transcripts that changed in the last ten minutes.`

var whoamiTool = cli.Tool{
	Name:    "whoami",
	Summary: "say which session and lane calls",
	Usage:   "[@main | @trap:MARKER | @AGENT-ID | @NAME@TEAM]",
	Long:    whoamiLong,
	New:     func() any { return &struct{}{} },
	Run:     func(ctx context.Context, env *cli.Env, _ any) error { return runWhoami(ctx, env) },
	Examples: []cli.Example{
		{Command: "whoami", Text: "the calling session; its lane is not known"},
		{Command: "whoami @trap:JollyShinyBrook4283", Text: "the calling lane and what is above it; this very marker is refused, invent your own"},
		{Command: "whoami @aScout-bdd061dedd8f0f64", Text: "the same for a subagent"},
	},
	Rows: "reads: one row, id or address line for -. prints: header, identity... (the caller, then what is above it), self, parent, " +
		"lane... (live subagents below it), summary",
	ExitStatus:   "1  there is no calling session, or a target does not exist",
	See:          []string{"agents", "list"},
	StdinTargets: true,
	NeedsDash:    true,
}

// How a lane was found.
const (
	viaEnv  = "env"
	viaMain = "main"
	viaTrap = "trap"
	viaLane = "lane"
)

// identity is who calls.
type identity struct {
	env     *cli.Env
	via     string
	exact   bool // the lane is known, not its session alone
	session string
	path    string // of the session's transcript, "" when it is not found
	chain   []link // self first, the session last
	tree    *lane.Tree
	self    int // index of the caller among the nodes, -1 for the session
	others  int // live lanes that are not below the caller
	below   []int
}

// link is one lane of the ancestry.
type link struct {
	id, path string
	sub      bool
	node     *lane.Node // nil for a session, and for an agent that is not there
	ends     *lane.Ends // of the caller, where they could be read
}

func runWhoami(ctx context.Context, env *cli.Env) error {
	w := &identity{env: env, self: -1}
	t, err := w.word(ctx)
	if err != nil {
		return err
	}
	if t == nil || t.Kind == addr.Main {
		if w.session, _ = target.Caller(env.Getenv); w.session == "" {
			return w.nobody()
		}
		return w.fromEnv(ctx, t != nil)
	}
	return w.fromLane(ctx, *t)
}

// word gives the one target, nil for none.
func (w *identity) word(ctx context.Context) (*addr.Token, error) {
	words, src, err := w.env.Targets(ctx, w.env.Args, false)
	if err != nil {
		return nil, err
	}
	if src != nil {
		for _, it := range src.Items {
			word := "@" + it.ID
			if it.ID == "" && it.Token.Kind != 0 {
				word = it.Token.String()
			}
			words = append(words, word)
		}
		if len(words) == 0 {
			return nil, cli.Errorf("stdin names no lane")
		}
	}
	switch len(words) {
	case 0:
		return nil, nil
	case 1:
	default:
		return nil, cli.Errorf("whoami answers for one lane, not for %d", len(words))
	}
	t, err := addr.Parse(words[0])
	if err != nil {
		return nil, cli.Errorf("%w", err)
	}
	switch t.Kind {
	case addr.Main, addr.Trap, addr.Agent, addr.Teammate, addr.Prefix:
		return &t, nil
	case addr.Session:
		return nil, w.noLane(words[0])
	}
	return nil, cli.Errorf("%s names no lane: whoami takes @main, @trap:<marker>, @<agent-id> or @<Name>@<Team>", words[0])
}

func (w *identity) noLane(word string) error {
	return cli.WithHint(cli.Errorf("%s is a session, and which of its lanes is meant cannot be told", word),
		"who is in it: "+w.env.Command("agents", word))
}

// resolve finds one transcript by a target word.
func (w *identity) resolve(word string) (*target.Set, *target.Transcript, error) {
	set, err := target.Resolve(target.Request{Tokens: []string{word}, Root: scope.Root(w.env), Cwd: w.env.Cwd, Getenv: w.env.Getenv})
	if err != nil {
		return nil, nil, err
	}
	if len(set.Transcripts) == 0 {
		return nil, nil, fmt.Errorf("%s names no transcript", word)
	}
	// Of several copies the one of the working directory, else the first.
	t := &set.Transcripts[0]
	for i := range set.Transcripts {
		for _, dir := range home.Realpath(w.env.Cwd, w.env.Cwd) {
			if home.Match(filepath.Base(filepath.Dir(set.Transcripts[i].Path)), home.Encode(dir), false) {
				t = &set.Transcripts[i]
			}
		}
	}
	return set, t, nil
}

// fromEnv answers with what the environment tells: the session, and not the lane.
func (w *identity) fromEnv(ctx context.Context, typed bool) error {
	_, variable := target.Caller(w.env.Getenv)
	w.via = viaEnv
	l := link{id: w.session}
	if _, t, err := w.resolve("@" + w.session); err == nil {
		l.path, w.path = t.Path, t.Path
		if !t.IsSubagent {
			w.read(ctx, t)
		}
	}
	w.env.Note("the session is what %s says; it says the same in a subagent, so the lane is not known: @trap:<marker> tells it", variable)
	if typed {
		w.via = viaMain
		w.env.Note("@main is session %s; whether its main thread or a subagent of it is calling cannot be told", w.session)
	}
	w.chain = []link{l}
	return w.print(ctx)
}

// fromLane answers for a lane that a marker or an id tells.
func (w *identity) fromLane(ctx context.Context, t addr.Token) error {
	set, at, err := w.resolve(strings.TrimSuffix(t.Text, rangeOf(t)))
	if err != nil {
		return err
	}
	w.via, w.exact = viaLane, true
	if t.Kind == addr.Trap {
		w.via = viaTrap
	} else if !at.IsSubagent {
		return w.noLane(t.Text)
	}
	for _, n := range set.Notes {
		w.env.Note("%s", n)
	}
	w.session = at.ParentID
	w.read(ctx, at)
	w.climb(at)
	return w.print(ctx)
}

func rangeOf(t addr.Token) string {
	if t.Range.Kind == addr.NoRange {
		return ""
	}
	i := strings.LastIndexByte(t.Text, ':')
	return t.Text[i:]
}

// read links the subagents of the session that at belongs to.
func (w *identity) read(ctx context.Context, at *target.Transcript) {
	f := &family{id: at.ParentID, members: []*target.Transcript{at}}
	if dir := sessionDirOf(at); at.IsSubagent && dir != "" {
		f.dirs = []string{dir}
	}
	set, err := target.Resolve(target.Request{Tokens: []string{"@" + at.ParentID}, Subagents: true, Root: scope.Root(w.env), Cwd: w.env.Cwd, Getenv: w.env.Getenv})
	if err == nil {
		for _, g := range families(set) {
			if g.id == at.ParentID {
				f = g
			}
		}
	}
	files, _ := f.files()
	w.path = f.path
	w.tree = lane.ReadTree(ctx, f.path, files, lane.Want{Ends: true, Slow: w.env.Slow})
	for i := range w.tree.Nodes {
		if w.tree.Nodes[i].Path == at.Path {
			w.self = i
		}
	}
	for i := range w.tree.Nodes {
		n := &w.tree.Nodes[i]
		switch {
		case i == w.self || !alive(n):
		case w.self < 0 && n.Depth == 0, w.self >= 0 && n.ParentNode == w.self:
			w.below = append(w.below, i)
		default:
			w.others++
		}
	}
}

// alive reports whether the end of a lane's transcript leaves it open.
func alive(n *lane.Node) bool { return stateOf(n) != settled }

// The states of a lane by its transcript.
const (
	settled    = "settled"
	inFlight   = "in-flight"
	generating = "generating"
)

func stateOf(n *lane.Node) string {
	switch e := n.Ends; {
	case e == nil:
		return settled
	case e.Pending != nil:
		return inFlight
	case e.Settled || n.Meta.Finished || e.Last == "":
		return settled
	}
	return generating
}

// climb fills the chain from the lane up to its session.
func (w *identity) climb(at *target.Transcript) {
	if at.IsSubagent {
		if w.self < 0 { // its family could not be listed
			w.chain = append(w.chain, link{id: at.ID, path: at.Path, sub: true})
		}
		seen := map[int]bool{}
		for i := w.self; i >= 0 && !seen[i]; {
			seen[i] = true
			n := &w.tree.Nodes[i]
			w.chain = append(w.chain, link{id: n.ID, path: n.Path, sub: true, node: n})
			if i = n.ParentNode; i < 0 && n.ParentAgent != "" {
				w.chain = append(w.chain, link{id: n.ParentAgent, sub: true})
			}
		}
	}
	w.chain = append(w.chain, link{id: w.session, path: w.path})
}

// nobody answers where nothing tells a session.
func (w *identity) nobody() error {
	inside := w.env.Getenv("CLAUDECODE") == "1"
	if err := w.printNobody(inside); err != nil {
		return err
	}
	w.env.Partial()
	return nil
}

func (l *link) kind() string {
	switch {
	case !l.sub:
		return "session"
	case l.node != nil:
		return l.node.Shape
	}
	return lane.ShapeTask
}

func (l *link) last() time.Time {
	if l.ends == nil {
		return time.Time{}
	}
	return stampOf(l.ends.Last)
}
