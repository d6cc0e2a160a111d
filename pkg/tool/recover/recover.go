package recover

import (
	"context"

	"csift/pkg/cli"
	"csift/pkg/scope"
)

// recoverOptions are the flags of recover.
type recoverOptions struct {
	File     string `long:"file" value-name:"PATH|@plan" description:"the file that is wanted: its absolute path, or a trailing part of it that starts at a component (app.py, src/app.py); @plan is the plan file that the session is bound to"`
	Salvage  bool   `long:"salvage" description:"print every line that is known at the end, numbered, with the gaps named; never refuses"`
	Patches  bool   `long:"patches" description:"print what happened to the file as unified diffs with every known line, one a stretch that nothing outside the transcript cuts"`
	At       string `long:"at" value-name:"WHEN|@turn:N|@line:N|@latest" description:"print every known line as of then: an instant, the end of turn N, line N of the transcript (both included), or the end"`
	Coverage bool   `long:"coverage" description:"print how much of the file can be recovered, from what, and what stands in the way, and no content"`
	DryRun   bool   `long:"dry-run" description:"the same as --coverage"`
	Backups  bool   `long:"list-backups" description:"list the copies of the file that Claude Code keeps in its file-history; reads no transcript"`

	Out       string `long:"out" value-name:"FILE" description:"write the file there instead of printing it, whole or not at all; with --salvage and --at the file too, or what is known of it, with --patches the diffs; - is stdout"`
	FileLines string `long:"file-lines" value-name:"SPEC" description:"only these lines of the file, counted from 1: 40, 1..80, 200.., ..20, -1, -10..; for --salvage, --at, --patches and --coverage"`
	Turn      string `long:"turn" value-name:"SPEC" description:"replay only what happened in these turns of each transcript, counted from 0: 4, 2..5, 7.., ..3, -1, -3.."`
	Since     string `long:"since" value-name:"WHEN" description:"replay only what happened at or after WHEN: 90m, 3d, 2026-06-01, 2026-06-01T05:00:00, with Z or an offset"`
	Until     string `long:"until" value-name:"WHEN" description:"replay only what happened at or before WHEN"`

	FilesFrom string `long:"files-from" value-name:"LIST|-" description:"recover every file that LIST names, a path a line (# starts a comment; - is stdin), into --out-dir"`
	OutDir    string `long:"out-dir" value-name:"DIR" description:"where the files of --files-from, or of the rows on stdin, are written, each under its own path, with recovery-report.tsv"`
	Force     bool   `long:"force" description:"with --out-dir: overwrite files that are there already"`

	scope.Flags
}

const recoverVerb = "recover"

// toStdout is the value of --out for standard output.
const toStdout = "-"

func (o *recoverOptions) toStdout() bool { return o.Out == toStdout || o.Out == "/dev/stdout" }

var recoverTool = cli.Tool{
	Name:    recoverVerb,
	Summary: "give back a file that a transcript saw, byte for byte, or say what is missing",
	Usage:   "[TARGET...] --file PATH [--salvage | --patches | --at WHEN | --coverage | --list-backups] [FLAG...]",
	Long:    recoverLong,
	New:     func() any { return &recoverOptions{} },
	Run: func(ctx context.Context, env *cli.Env, opts any) error {
		return runRecover(ctx, env, opts.(*recoverOptions))
	},
	Payload: func(opts any) bool {
		o := opts.(*recoverOptions)
		switch {
		case o.OutDir != "" || o.FilesFrom != "" || o.Coverage || o.DryRun || o.Backups:
			return false
		case o.Salvage || o.Patches || o.At != "":
			return o.toStdout()
		}
		return o.Out == "" || o.toStdout()
	},
	Examples:     recoverExamples,
	Rows:         recoverRows,
	ExitStatus:   recoverExit,
	See:          []string{"files", "plan", "show"},
	StdinTargets: true,
	Span:         true,
}
