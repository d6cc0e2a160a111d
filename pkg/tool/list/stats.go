package list

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"csift/pkg/cli"
	"csift/pkg/scope"
	"csift/pkg/target"
)

type statsOptions struct {
	Since    string `long:"since" value-name:"WHEN" description:"count only records at or after WHEN: 45s 90m 2h 3d 1w 2mo 1y ago, a date, or an ISO time"`
	Until    string `long:"until" value-name:"WHEN" description:"count only records at or before WHEN"`
	Turn     string `long:"turn" value-name:"SPEC" description:"count only these turns of each transcript, from 0: 4, 2..5, 7.., ..3, -1, -3.."`
	MaxCount int    `long:"max-count" value-name:"N" default:"0" description:"only the N most recently active transcripts; 0 is all of them"`
	scope.Flags
}

const statsLong = `stats reads every line of the transcripts and prints, for each session and subagent, how many lines of which ` +
	`type it has, how many turns, which tools were called how often, and how many tokens each model used; then the total. ` +
	`Without a TARGET that is every project.

Tokens: Claude Code writes one record for each part of an answer and repeats the usage on each, growing while it is ` +
	`streamed. Here an answer counts once a transcript: of each number the largest that any record with its message id ` +
	`states. Cache writes are the flat field or the sum of its split, whichever says more; the split by lifetime (5 minutes, ` +
	`1 hour) stands beside it, since the two are priced differently. Where no record of an answer has a stop_reason its final ` +
	`usage was never written, as in an interrupted or still running answer and in most before Claude Code 2.1.97: the output ` +
	`is at least what is said (≥, tokens_lower_bound).

The total adds up the transcripts, so an answer that a fork or a clone took along counts in both. Where that is so ` +
	`"shared" counts each message id once over all of them (tokens_by_message; shared_messages is how many are in more than one).

Turns are those that search and show number. A prompt that the conversation went on without is none of them: ` +
	`abandoned_turns counts those, rewound_turns the ones among them that had been answered, abandoned_records ` +
	`all records off the conversation. The chain line also tells how many compactions the walk up the conversation crossed, as far as --cross-compactions lets it.

Lines: lines = those of all types + skipped + blank - joined, for every transcript. A skipped line holds a part that is no ` +
	`whole record, a joined record shares its line with another. Every line is read and validated, so the numbers are exact. A ` +
	`record that stands in a transcript twice (a replay copy: a later line has its uuid) is two lines and two records, and its ` +
	`tokens, calls and compactions count once.

Windows: --since, --until and --turn choose the records from which turns, records, compactions, span, tokens, thinking and ` +
	`tools are counted; lines, line types and copies stay those of the whole transcript. A turn counts when it has a record in ` +
	`the window. A record without a timestamp is outside every time, and a transcript without a record in the window has no ` +
	`row (outside_window counts them).`

var statsTool = cli.Tool{
	Name:    "stats",
	Summary: "count lines, turns, tools and tokens of sessions",
	Usage:   "[TARGET...] [FLAG...]",
	Long:    statsLong,
	New:     func() any { return &statsOptions{} },
	Run: func(ctx context.Context, env *cli.Env, opts any) error {
		return runStats(ctx, env, opts.(*statsOptions))
	},
	Examples: []cli.Example{
		{Command: "stats .", Text: "what the sessions of this directory come to"},
		{Command: "stats @5d0c1f3e --turn -1", Text: "what the last turn used, in the session and in each of its subagents"},
		{Command: "stats @all --since 1d --max-count 10", Text: "the ten most recently active transcripts, as far as they are of the last day"},
		{Command: "stats @all --format json | tail -1 | jq .tokens_by_message", Text: "tokens of every project, each answer once"},
		{Command: "search TODO -l | csift stats --sessions-from -", Text: "the sessions that a search found, subagents included; none is an answer too, where - would find stdin empty"},
	},
	Rows: "reads: rows, ids and address lines for - (each stands for its own transcript). prints: header, session..., summary. " +
		"tokens is {MODEL: {input, output, cache_read, cache_creation, cache_creation_5m, cache_creation_1h}}",
	ExitStatus: `0  everything in scope was counted
1  a transcript could not be read, a target does not exist, or --turn or a time cannot be read
2  the command line is wrong`,
	See:          []string{"list", "search", "show"},
	StdinTargets: true,
	NeedsDash:    true,
	Span:         true,
}

func runStats(ctx context.Context, env *cli.Env, o *statsOptions) error {
	if o.MaxCount < 0 {
		return cli.Usagef("--max-count takes a whole number from 0 up, not %d", o.MaxCount)
	}
	r, err := o.reader(env)
	if err != nil {
		return err
	}
	set, _, err := scope.Resolve(ctx, env, env.Args, o.Flags)
	if err != nil {
		return err
	}
	if set.Narrowed() {
		env.Note("an address names its whole transcript here; its lines and turns were ignored")
	}
	a := &statsAnswer{env: env, set: set, windowed: r.windowed(), again: o.again(env.Args)}
	a.read(ctx, r)
	if err := ctx.Err(); err != nil {
		return err
	}
	a.accounts, a.dropped = latestAccounts(a.accounts, o.MaxCount)
	return a.print(sumUp(a.accounts, r.models, r.crossings))
}

// again gives the words that ask the same without a cap.
func (o *statsOptions) again(targets []string) []string {
	words := slices.Clone(targets)
	for _, f := range [...]struct{ name, value string }{
		{"--sessions-from", o.SessionsFrom}, {"--since", o.Since}, {"--until", o.Until}, {"--turn", o.Turn},
	} {
		if f.value != "" {
			words = append(words, f.name+"="+f.value)
		}
	}
	if o.NoSubagents {
		words = append(words, "--no-subagents")
	}
	return append(words, "--max-count=0")
}

// reader checks the window.
func (o *statsOptions) reader(env *cli.Env) (*statsReader, error) {
	window, err := scope.ParseWindow(o.Since, o.Until, o.Turn, env.Now)
	if err != nil {
		return nil, err
	}
	return &statsReader{slow: env.Slow, window: window, models: newModels(), crossings: env.CrossCompactions}, nil
}

// statsAnswer is what stats found.
type statsAnswer struct {
	env      *cli.Env
	set      *target.Set
	windowed bool
	again    []string // the words that ask the same without a cap
	accounts []*account
	dropped  int // transcripts beyond the cap
	outside  int // transcripts without a record in the window
}

// read reads the transcripts. What cannot be read is told and counted.
func (a *statsAnswer) read(ctx context.Context, r *statsReader) {
	var done atomic.Int64
	all := a.set.Transcripts
	progress := a.env.Progress(func() string { return fmt.Sprintf("%d of %d transcripts read", done.Load(), len(all)) })
	accounts, errs := r.read(ctx, all, &done)
	progress.Stop()
	for i, acc := range accounts {
		switch {
		case errs[i] != nil:
			a.env.Unread(all[i].Path, errs[i])
		case acc == nil:
		case a.windowed && acc.users+acc.assistants == 0:
			a.outside++
		default:
			a.accounts = append(a.accounts, acc)
		}
	}
}

// latestAccounts keeps the most recently active transcripts, in their order; 0 keeps all.
func latestAccounts(all []*account, most int) (kept []*account, dropped int) {
	if most == 0 || len(all) <= most {
		return all, 0
	}
	byTime := slices.Clone(all)
	slices.SortStableFunc(byTime, func(a, b *account) int { return b.last.at.Compare(a.last.at) })
	keep := map[*account]bool{}
	for _, a := range byTime[:most] {
		keep[a] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(a *account) bool { return !keep[a] }), len(all) - most
}
