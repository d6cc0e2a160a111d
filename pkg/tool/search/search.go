// Package search is the verb that finds records: it prints whole turns ("exchanges") with the records in them whose
// rendered text matches, or counts them, or lists who has them.
package search

import (
	"context"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/label"
	"csift/pkg/match"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
	"csift/pkg/when"
)

// Family is the csift-search binary.
var Family = cli.Family{
	Name:    "csift-search",
	Summary: "find records of Claude Code transcripts by regular expression",
	Tools:   []*cli.Tool{Tool},
	Home:    home.Root,
}

// options are the flags of search.
type options struct {
	Label      []string `short:"t" long:"label" value-name:"SELECTOR" words:"user,agent,harness" description:"only records with this label: a role (agent), a category (agent.tool), a leaf (agent.tool.use), or any of the first two with .*; several are OR-ed"`
	LabelNot   []string `short:"T" long:"label-not" value-name:"SELECTOR" words:"user,agent,harness" description:"leave out records with this label"`
	IgnoreCase bool     `short:"i" long:"ignore-case" description:"ignore case; without it a pattern without capital letters does so already"`
	Fixed      bool     `short:"F" long:"fixed-strings" description:"PATTERN is plain text, not a regular expression"`
	Multiline  bool     `long:"multiline" description:"let . match newlines and ^ $ match at line ends"`
	Since      string   `long:"since" value-name:"WHEN" description:"only records at or after WHEN: 90m, 3d, 2026-06-01, 2026-06-01T05:00:00, with Z or an offset"`
	Until      string   `long:"until" value-name:"WHEN" description:"only records at or before WHEN"`
	Turn       string   `long:"turn" value-name:"SPEC" description:"only these turns of each transcript, counted from 0: 4, 2..5, 7.., ..3, -1, -3.."`
	For        string   `long:"for" value-name:"ADDR" description:"only records that correspond to the record at ADDR (@ID:120, a uuid, or a line where one session is in scope): what answers it, reports on it, is attached to it, follows from it in its turn, and so on"`
	MaxCount   int      `long:"max-count" value-name:"N" default:"0" description:"print only the earliest N exchanges, or the latest N for -N; 0 is all"`

	Count    bool   `short:"c" long:"count-only" description:"print the number of matching exchanges only"`
	Sessions bool   `short:"l" long:"sessions-with-matches" description:"print the ids of the sessions that match only, sorted"`
	CountBy  string `long:"count-by" value-name:"AXIS" choice:"label" choice:"tool" choice:"turn" choice:"session" choice:"pairing" choice:"model" choice:"attachment" choice:"version" choice:"result" choice:"for-kind" description:"count matching records by AXIS instead of printing them"`
	Raw      bool   `long:"raw" description:"print the matching lines of the transcripts byte for byte"`

	Attachments bool `long:"attachments" description:"also search what the client attached to the conversation (files, listings, reminders, hook output), which is read without it only where -t names its label"`

	Siblings   bool `long:"siblings" description:"also print the other records of each matching turn, a few of each kind"`
	Persisted  bool `long:"resolve-persisted" description:"search and print outputs that Claude Code moved out of the transcript (<persisted-output>) as if they stood in it"`
	NoTruncate bool `long:"no-truncate" description:"print texts whole instead of excerpts of 400 characters; JSON rows then carry body"`

	scope.Flags

	Retired bool `long:"additional-context" hidden:"true"`
}

// Tool is the verb.
var Tool = &cli.Tool{
	Name:    "search",
	Summary: "find records by regular expression, whole turns at a time",
	Usage:   "[PATTERN] [TARGET...] [FLAG...]",
	Long:    long,
	New:     func() any { return &options{} },
	Run:     func(ctx context.Context, env *cli.Env, opts any) error { return run(ctx, env, opts.(*options)) },
	Payload: func(opts any) bool {
		o := opts.(*options)
		return o.Count || o.Sessions || o.Raw || o.CountBy != ""
	},
	Examples:     examples,
	Rows:         rows,
	ExitStatus:   exitStatus,
	See:          []string{"list", "show"},
	StdinTargets: true,
	Span:         true,
}

// job is one run of the verb.
type job struct {
	env     *cli.Env
	opt     *options
	pattern string
	set     *target.Set
	files   []scan.File
	query   *scan.Query
	res     *scan.Result
	ctx     context.Context
	notRead int      // what the upstream of a pipe left out under its cap
	unnamed int      // what it matched and named in no row
	torn    bool     // the upstream died, or some of what it wrote could not be read
	targets []string // as typed
	piped   bool     // the scope came from stdin
	about   forRecord

	probed  bool
	without *excluded
	chain   scope.Chain        // of the transcripts with hits
	unread  []scan.UnreadLines // where nothing matched: what a search does not read holds the pattern
	lost    lost
	sidecar bool // records of sidecars are in the answer
}

func run(ctx context.Context, env *cli.Env, o *options) error {
	j := &job{env: env, opt: o, ctx: ctx}
	words, err := j.words()
	if err != nil {
		return err
	}
	if err := j.plan(); err != nil {
		return err
	}
	words = j.scopeFor(words)
	set, src, err := scope.Resolve(ctx, env, words, o.Flags)
	if err != nil {
		return err
	}
	if src != nil {
		j.notRead, j.unnamed, j.torn = src.DroppedByCap, src.Unnamed, src.Torn || src.Bad > 0
	}
	j.set, j.targets, j.piped = set, words, src != nil || o.SessionsFrom == "-"
	j.warn(len(words) > 0 || src != nil || o.SessionsFrom != "")
	j.files = filesOf(set)
	if err = j.relate(); err != nil {
		return err
	}
	if j.res, err = scan.Run(ctx, j.files, j.query, j.progress()); err != nil {
		return err
	}
	j.chain = scope.NewChain(env.CrossCompactions)
	for i := range j.res.Files {
		if c := j.res.Files[i].Chain; c != nil {
			j.chain.Add(*c)
		}
	}
	j.tellFailures()
	return j.print()
}

// words splits off the pattern and checks the flags against each other.
func (j *job) words() ([]string, error) {
	o := j.opt
	if o.Retired {
		return nil, cli.WithHint(cli.Usagef("--additional-context is retired"), "say -t harness.hook.context")
	}
	if err := conflicts(o, j.env); err != nil {
		return nil, err
	}
	if len(j.env.Args) == 0 {
		return nil, nil
	}
	j.pattern = j.env.Args[0]
	literal := j.env.DashAt == 0
	if !literal && strings.HasPrefix(j.pattern, "@") {
		return nil, cli.WithHint(cli.Usagef("the first word is PATTERN, and %q looks like a target", j.pattern),
			"to search everything in it say "+j.env.Command("search", "", j.pattern),
			`to search for the text escape it (\@) or put it after --`)
	}
	if !literal && j.pattern == "-" {
		return nil, cli.WithHint(cli.Usagef("the first word is PATTERN, and - is a target"),
			"to search everything in the rows on stdin say "+j.env.Command("search", "", "-"))
	}
	if !literal && strings.HasPrefix(j.pattern, "-") {
		return nil, cli.WithHint(cli.Usagef("the first word is PATTERN, and %q looks like a flag or a project directory", j.pattern),
			"to search everything in that directory say "+j.env.Command("search", "", "@"+j.pattern),
			`to search for the text escape it (\-) or put it after --`)
	}
	return j.env.Args[1:], nil
}

func conflicts(o *options, env *cli.Env) error {
	modes := []struct {
		name string
		on   bool
		bars []string
	}{
		{"-l", o.Sessions, []string{"-c", "--siblings"}},
		{"--count-by", o.CountBy != "", []string{"-c", "-l", "--siblings", "--raw"}},
		{"--raw", o.Raw, []string{"--siblings", "-c", "-l", "--no-truncate"}},
	}
	on := map[string]bool{"-c": o.Count, "-l": o.Sessions, "--siblings": o.Siblings, "--raw": o.Raw, "--no-truncate": o.NoTruncate}
	for _, m := range modes {
		for _, b := range m.bars {
			if m.on && on[b] {
				return cli.Usagef("%s and %s contradict each other", m.name, b)
			}
		}
	}
	if o.Raw && env.FormatTyped && env.Format == stdio.JSON {
		return cli.Usagef("--raw prints the lines as they are and cannot be --format json")
	}
	return nil
}

// plan compiles the pattern and the filters.
func (j *job) plan() error {
	o := j.opt
	filter, err := label.ParseFilter(o.Label, o.LabelNot)
	if err != nil {
		return cli.Usage(err)
	}
	m, err := match.Compile(j.pattern, match.Options{IgnoreCase: o.IgnoreCase, Fixed: o.Fixed, Multiline: o.Multiline, Slow: j.env.Slow})
	if err != nil {
		return err
	}
	q := &scan.Query{Match: m, Filter: filter, Attachments: o.Attachments, Crossings: j.env.CrossCompactions, Since: scan.NoTime, Until: scan.NoTime,
		Count: scan.Axis(o.CountBy), Slow: j.env.Slow}
	window, err := scope.ParseWindow(o.Since, o.Until, o.Turn, j.env.Now)
	if err != nil {
		return err
	}
	if !window.Since.IsZero() {
		q.Since = when.Nanos(window.Since)
	}
	if !window.Until.IsZero() {
		q.Until = when.Nanos(window.Until)
	}
	q.Turn = window.Turns
	if o.For != "" {
		if j.about, err = parseFor(o.For); err != nil {
			return err
		}
	}
	q.Chain = j.env.Format == stdio.JSON
	q.NoTurns = o.Sessions && o.MaxCount == 0 && !q.Chain
	q.LinesOnly, q.Persisted = o.Raw, o.Persisted
	q.Exchanges = !o.Count && !o.Sessions && o.CountBy == ""
	j.query = q
	return nil
}

func filesOf(set *target.Set) []scan.File {
	files := make([]scan.File, len(set.Transcripts))
	for i := range set.Transcripts {
		t := &set.Transcripts[i]
		files[i].Ref = t.Ref()
		files[i].Sidecar = !t.IsSubagent && !t.Alone
		for _, n := range t.Narrow {
			files[i].Parts = append(files[i].Parts, scan.Part{Range: n.Range, Line: n.Line, UUID: n.UUID})
		}
	}
	return files
}

// warn tells what probably was not meant.
func (j *job) warn(targets bool) {
	o := j.opt
	if j.pattern == "" && o.Since == "" && o.Until == "" && o.Turn == "" && !j.query.Filter.Any() && !targets && o.CountBy == "" && o.For == "" {
		j.env.Note("the pattern is empty and nothing else narrows the search: every record of every project matches")
	}
	if addr.IsUUID(j.pattern) && !targets {
		j.env.Note("the pattern looks like a session id; to search in that session say %s", j.env.Command("search", "PATTERN", "@"+j.pattern))
	}
	for _, c := range j.query.Filter.EmptyFaces() {
		j.env.Note("-t %s reaches nothing: no leaf under it is visible; say -t '%s.*'", c, c)
	}
}

// owners gives the distinct ids of the sessions that own transcripts with hits, sorted.
func (j *job) owners() []string {
	var ids []string
	for i := range j.res.Files {
		if j.res.Files[i].Records > 0 {
			id := j.files[i].ParentSessionID
			if id == "" {
				id = j.files[i].SessionID
			}
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
