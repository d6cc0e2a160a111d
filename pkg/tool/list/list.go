// Package list is the family of verbs that say what there is: list, the sessions of
// projects with their first and last words.
//
// It is not a search: list reads the beginning and the end of each transcript and
// never the middle, unless it is asked to (--lineage) or a file's beginning says that
// its origin stands in the middle of a sibling (/clear, a clone).
//
// The invariant: the rows and their order depend on the files alone, not on how many
// goroutines read them.
package list

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

// Family is the small binary csift-list.
var Family = cli.Family{
	Name:    "csift-list",
	Summary: "say which sessions there are",
	Tools:   []*cli.Tool{&listTool, &whoamiTool, &agentsTool, &statsTool},
	Home:    home.Root,
}

// guard is how many sessions list prints when nobody said which: for people and
// models, never for the next tool.
const guard = 50

type options struct {
	Since        string `long:"since" value-name:"WHEN" description:"only sessions active at or after WHEN: 45s 90m 2h 3d 1w 2mo 1y ago, a date, or an ISO time"`
	Until        string `long:"until" value-name:"WHEN" description:"only sessions active at or before WHEN"`
	MaxCount     *int   `long:"max-count" value-name:"N" description:"the N most recently active sessions; 0 is all of them (default: 50 in text when no target is given, else all)"`
	SessionsFrom string `long:"sessions-from" value-name:"FILE" description:"also the sessions whose ids stand in FILE; - is stdin"`
	Lineage      bool   `long:"lineage" description:"read whole files: exact titles, handoffs, forks, and records that other sessions wrote"`
	Subagents    bool   `long:"subagents" description:"with the subagents of each session (this is the default)"`
	NoSubagents  bool   `long:"no-subagents" description:"without the subagents of the sessions"`
}

var listTool = cli.Tool{
	Name:    "list",
	Summary: "list sessions with their first and last words",
	Usage:   "[TARGET...] [FLAG...]",
	Long: `Prints one row for each session and subagent: where it ran, what it is called, the first and last thing ` +
		`the person said and the last thing the agent said. Without a target that is every project. The ` +
		`rows come in the order of the files' paths, not of time: --max-count and --since choose by time.

Only the beginning and the end of each transcript are read, so a title that was given in the middle of a long session ` +
		`and a damaged line there are not seen; --lineage looks at whole files. Titles are, in this order, the one the person gave ` +
		`(custom-title), the one Claude Code made up (ai-title, summary), the first prompt.

` + lineageHelp + `

A row's address (@5d0c1f3e) is a target for every other tool.`,
	New: func() any { return &options{} },
	Run: func(ctx context.Context, env *cli.Env, opts any) error { return run(ctx, env, opts.(*options)) },
	Examples: []cli.Example{
		{Command: "list .", Text: "the sessions of the current directory"},
		{Command: "list --since 2d --no-subagents", Text: "what was worked on in the last two days, everywhere"},
		{Command: "list @all --max-count 0 --format json", Text: "every session as rows"},
		{Command: "search TODO -l | csift list --sessions-from -", Text: "the sessions that a search found, subagents included; none is an answer too, where - would find stdin empty"},
	},
	Rows:         "reads: rows, ids and address lines for - (each stands for its own transcript). prints: header, session..., summary",
	ExitStatus:   "1  something named does not exist or could not be read, or a time cannot be read; what could be answered was",
	See:          []string{"agents", "stats", "search", "show"},
	StdinTargets: true,
	NeedsDash:    true,
	Span:         true,
}

func run(ctx context.Context, env *cli.Env, o *options) error {
	window, err := scope.ParseWindow(o.Since, o.Until, "", env.Now)
	if err != nil {
		return err
	}
	if o.Subagents && o.NoSubagents {
		return cli.Usagef("--subagents and --no-subagents exclude each other")
	}
	if o.MaxCount != nil && *o.MaxCount < 0 {
		return cli.Usagef("--max-count takes a whole number from 0 up, not %d", *o.MaxCount)
	}
	set, bare, err := o.resolve(ctx, env)
	if err != nil {
		return err
	}
	for _, n := range set.Notes {
		env.Note("%s", n)
	}
	for _, f := range set.Failed {
		env.Unread(f.Path, f.Err)
	}
	if set.Narrowed() {
		env.Note("an address names its whole transcript here; its lines and turns were ignored")
	}
	a := answer{env: env, set: set, guarded: o.MaxCount == nil}
	sessions := a.read(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	sessions = slices.DeleteFunc(sessions, func(s *session) bool { return !window.Meets(s.began, s.active) })
	most := 0
	switch {
	case o.MaxCount != nil:
		most = *o.MaxCount
	case bare && env.Format == stdio.Text && !env.TextInFIFO:
		most = guard
	}
	all := sessions
	sessions, a.dropped = latest(sessions, most)
	a.sessions = a.trace(ctx, all, sessions, o.Lineage)
	if err := ctx.Err(); err != nil {
		return err
	}
	return a.print(ctx)
}

// resolve finds the transcripts; bare says that nothing named them.
func (o *options) resolve(ctx context.Context, env *cli.Env) (set *target.Set, bare bool, err error) {
	words, src, err := env.Targets(ctx, env.Args, o.SessionsFrom != "")
	if err != nil {
		return nil, false, err
	}
	req := target.Request{
		Tokens: words, Subagents: !o.NoSubagents,
		Root: scope.Root(env), Cwd: env.Cwd, Getenv: env.Getenv,
	}
	if src != nil {
		req.Items, req.ItemsGiven = src.Items, true
	}
	if o.SessionsFrom != "" {
		req.SessionsFromGiven = true
		if req.SessionsFrom, err = env.SessionList(ctx, o.SessionsFrom); err != nil {
			return nil, false, err
		}
	}
	set, err = target.Resolve(req)
	return set, len(words) == 0 && src == nil && !req.SessionsFromGiven, err
}

// latest keeps the most recently active sessions, in their order; 0 keeps all.
func latest(sessions []*session, most int) (kept []*session, dropped int) {
	if most == 0 || len(sessions) <= most {
		return sessions, 0
	}
	byTime := slices.Clone(sessions)
	slices.SortStableFunc(byTime, func(a, b *session) int { return b.active.Compare(a.active) })
	keep := map[*session]bool{}
	for _, s := range byTime[:most] {
		keep[s] = true
	}
	kept = slices.DeleteFunc(slices.Clone(sessions), func(s *session) bool { return !keep[s] })
	return kept, len(sessions) - most
}

// workers is how many goroutines work at a time.
func (a *answer) workers() int {
	if a.env.Slow {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// read looks at every transcript of the set. What cannot be read is told and counted.
func (a *answer) read(ctx context.Context) (sessions []*session) {
	all := make([]*session, len(a.set.Transcripts))
	errs := make([]error, len(all))
	var next, done atomic.Int64
	progress := a.env.Progress(func() string { return progressLine(int(done.Load()), len(all)) })
	defer progress.Stop()
	sweep := a.sweeping()
	var expired atomic.Int64
	work := func() {
		r := newReader(a.env.Slow)
		for i := int(next.Add(1)) - 1; i < len(all) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			all[i], errs[i] = r.session(ctx, &a.set.Transcripts[i])
			if sweep.takes(&a.set.Transcripts[i], all[i]) {
				expired.Add(1)
			}
			done.Add(1)
		}
	}
	var wg sync.WaitGroup
	for range min(a.workers(), len(all)) {
		wg.Go(work)
	}
	wg.Wait()
	a.retention = sweep.retention
	a.retention.expired = int(expired.Load())
	for i, err := range errs {
		switch {
		case err == nil:
			if all[i] != nil {
				sessions = append(sessions, all[i])
				a.sidecar(all[i])
			}
		default:
			a.env.Unread(a.set.Transcripts[i].Path, err)
		}
	}
	return sessions
}
