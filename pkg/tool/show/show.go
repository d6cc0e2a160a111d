// Package show is the verb that fetches records by their address and prints them whole, or byte for byte.
package show

import (
	"context"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/home"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
	"csift/pkg/transcript"
)

// Family is the csift-show binary.
var Family = cli.Family{
	Name:    "csift-show",
	Summary: "fetch records of Claude Code transcripts by address",
	Tools:   []*cli.Tool{Tool},
	Home:    home.Root,
}

// options are the flags of show.
type options struct {
	Line     []string `long:"line" value-name:"SPEC" description:"physical lines, counted from 1: 120, 120..140, 120.., ..140, .., -1, -3..; also comma-separated"`
	UUID     []string `long:"uuid" value-name:"UUID" description:"records by uuid, whole; also comma-separated; a uuid that stands on several lines is the last of them"`
	Turn     string   `long:"turn" value-name:"SPEC" description:"all records of these turns, counted from 0, as excerpts: 4, 2..5, 7.., -1, -3.."`
	Raw      bool     `long:"raw" description:"print the lines byte for byte, damaged ones too"`
	Forks    bool     `long:"branch-points" description:"instead of records, the places after which the conversation went more than one way, the widest gap between the ways first, with what became of each"`
	MaxCount uint     `long:"max-count" value-name:"N" default:"200" description:"print the first N units (lines with --raw, places with --branch-points); 0 is all"`

	Subagents   bool `long:"subagents" hidden:"true"`
	NoSubagents bool `long:"no-subagents" hidden:"true"`
}

// Tool is the verb.
var Tool = &cli.Tool{
	Name:         "show",
	Summary:      "fetch records by line, uuid or turn",
	Usage:        "TARGET (--line SPEC | --uuid UUID | --turn SPEC | --branch-points) [FLAG...]",
	Long:         long,
	New:          func() any { return &options{} },
	Run:          func(ctx context.Context, env *cli.Env, opts any) error { return run(ctx, env, opts.(*options)) },
	Payload:      func(opts any) bool { return opts.(*options).Raw },
	Examples:     examples,
	Rows:         rows,
	ExitStatus:   exitStatus,
	See:          []string{"list", "search"},
	StdinTargets: true,
	OneTarget:    true,
}

// job is one run of the verb.
type job struct {
	ctx   context.Context
	env   *cli.Env
	opt   *options
	set   *target.Set
	files []*fetched

	lines []addr.Spec
	uuids []string
	turn  *addr.Spec

	left    int // units that may still be printed; negative: all
	dropped int
	shown   int
	merged  int // units that came from sidecars
	leftOut int // dialogs that --raw has no line for
}

// fetched is one transcript with what was asked of it.
type fetched struct {
	t    *target.Transcript
	f    *transcript.File
	s    *transcript.Structure // nil with --raw where lines alone are asked for
	ix   *transcript.LineIndex
	side *transcript.Sidecar // nil until it is asked for
	want []want

	nonRecords int
	damaged    int
	rest       []addr.Run // lines of what the cap dropped
	restIDs    []string   // and dialogs
	restSeen   map[string]bool
}

func run(ctx context.Context, env *cli.Env, o *options) error {
	j := &job{ctx: ctx, env: env, opt: o, left: -1}
	if o.MaxCount > 0 {
		j.left = int(o.MaxCount)
	}
	if err := j.check(); err != nil {
		return err
	}
	set, _, err := scope.One(ctx, env, env.Args)
	if err != nil {
		return err
	}
	j.set = set
	defer j.close()
	if err := j.open(); err != nil {
		return err
	}
	switch {
	case o.Forks:
		err = j.printForks()
	case o.Raw:
		err = j.printRaw()
	case env.Format == stdio.JSON:
		err = j.printJSON()
	default:
		err = j.printText()
	}
	if err != nil {
		return err
	}
	if err := env.Out.Flush(); err != nil {
		return err
	}
	j.after()
	return nil
}

// check reads the addresses in the flags.
func (j *job) check() error {
	o := j.opt
	if o.Subagents || o.NoSubagents {
		return cli.WithHint(cli.Errorf("show reads exactly one transcript and spans no subagents"), "to read a subagent's own transcript say "+j.env.Command("show", "@AGENT-ID"))
	}
	if o.Raw && j.env.FormatTyped && j.env.Format == stdio.JSON {
		return cli.Usagef("--raw prints the lines as they are and cannot be --format json")
	}
	if o.Forks {
		return j.checkForks()
	}
	if o.Turn != "" && (len(o.Line) > 0 || len(o.UUID) > 0) {
		return cli.Usagef("--turn goes with neither --line nor --uuid")
	}
	for _, v := range o.Line {
		for _, w := range strings.Split(v, ",") {
			spec, err := addr.ParseSpec(strings.TrimSpace(w), 1)
			if err != nil {
				return cli.Errorf("--line: %w", err)
			}
			j.lines = append(j.lines, spec)
		}
	}
	for _, v := range o.UUID {
		for _, w := range strings.Split(v, ",") {
			if w = strings.TrimSpace(w); w != "" {
				j.uuids = append(j.uuids, w)
			}
		}
	}
	window, err := scope.ParseWindow("", "", o.Turn, j.env.Now)
	j.turn = window.Turns
	return err
}

// open opens the transcripts and settles what is to be fetched of each. Whatever was named and is not there fails the
// run before anything is printed.
func (j *job) open() error {
	if len(j.set.Transcripts) == 0 && len(j.env.Args) == 0 && len(j.set.Failed) == 0 {
		return nil
	}
	var missing []miss
	for i := range j.set.Transcripts {
		x := &fetched{t: &j.set.Transcripts[i]}
		if err := j.addressed(x); err != nil {
			return err
		}
		err := j.reopen(x)
		if err == nil {
			err = j.load(x)
		}
		switch {
		case err == nil:
			j.files = append(j.files, x)
			if !j.opt.Forks {
				missing = append(missing, j.settle(x)...)
			}
		case len(j.set.Transcripts) == 1:
			return err
		default:
			j.env.Fail(err) // the others are shown
		}
		if err != nil || len(j.files) > mostOpen {
			x.close()
		}
	}
	if len(missing) > 0 {
		return j.notThere(missing)
	}
	return nil
}

// mostOpen is how many files are kept open between the settling and the printing.
const mostOpen = 16

// reopen opens the file of a transcript where it is not open.
func (j *job) reopen(x *fetched) error {
	if x.f != nil {
		return nil
	}
	f, err := transcript.Open(x.t.Path, transcript.Options{InLane: x.t.IsSubagent, Slow: j.env.Slow})
	if err != nil {
		return cannotRead(x, err)
	}
	x.f = f
	return nil
}

func (x *fetched) close() {
	if x.f != nil {
		x.f.Close()
		x.f = nil
	}
}

func (j *job) close() {
	for _, x := range j.files {
		x.close()
	}
}

// multi reports whether several transcripts are shown in one answer.
func (j *job) multi() bool { return len(j.files) > 1 }

// id is the target by which a transcript is named in commands.
func (j *job) id(x *fetched) string { return x.t.Token(0) }

// short is the address prefix of a transcript in text.
func (j *job) short(x *fetched) string {
	return excerpt.SafeLine(x.t.Token(j.set.PrefixLen))
}
