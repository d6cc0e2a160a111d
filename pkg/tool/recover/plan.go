package recover

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/match"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
	"csift/pkg/when"
)

type planOptions struct {
	Reverse *string `long:"reverse" value-name:"PLAN_FILE" description:"which sessions are, or were, bound to this plan file; without a target every project is looked at"`
	Audit   bool    `long:"audit" description:"which plan files the sessions changed with a file tool, and a warning where the plan is another session's"`

	scope.Flags
}

const planLong = `Says which plan file a session is bound to: the file that plan mode reads and writes. It says where the file is, and prints none ` +
	`of it: "recover --file @plan" does. Without a target it answers for the calling session (CLAUDE_CODE_SESSION_ID); standard ` +
	`input is read only for "-".

binding_source says how that is known. plan_mode: a record of plan mode states the path, one of the attachments plan_mode, ` +
	`plan_mode_exit, plan_mode_reentry and plan_file_reference, or the input of an ExitPlanMode call (2.1.101 to 2.1.332). The path ` +
	`that was stated last is the binding.

slug-only: no record states a path, but records carry a slug, and the plan file is <plans directory>/<slug>.md, for a subagent ` +
	`<slug>-agent-<id>.md. The first slug counts; a later one is told in a note. Some builds make a slug up at the first answer (2.0.77), ` +
	`others at plan mode or at a compaction (2.1.258, 2.1.332), which minted_at_compaction tells.

A session that /clear started has no plan file until plan mode is entered in it; it inherits none. A session that only edits ` +
	`another's plan file is not bound to it.

The plans directory is the setting plansDirectory (.claude/settings.local.json of the project, then .claude/settings.json, then ` +
	`settings.json of the Claude home), relative to the first directory that the session recorded, if it stays inside it; otherwise ` +
	`plans in the Claude home. [missing] is no error: a name is made up before the file is written, and Claude Code deletes old plans.

Plan files that a session was bound to before are rows too, of kind plan-history, in text EARLIER PLAN, the newest first.

--reverse takes the path of a plan file, made absolute first, and gives the bindings of exactly that path.

--audit compares what the sessions in scope did with Write, Edit, MultiEdit and NotebookEdit against the plan files of all sessions of ` +
	`the Claude home. A session that changed a plan file to which neither it nor a subagent of it was ever bound is a warning. What Bash ` +
	`commands did is not looked at.`

var planTool = cli.Tool{
	Name:    "plan",
	Summary: "say which plan file a session is bound to, or which sessions a plan file",
	Usage:   "[TARGET...] [--reverse PLAN_FILE | --audit] [FLAG...]",
	Long:    planLong,
	New:     func() any { return &planOptions{} },
	Run:     func(ctx context.Context, env *cli.Env, opts any) error { return runPlan(ctx, env, opts.(*planOptions)) },
	Examples: []cli.Example{
		{Command: "plan", Text: "the plan file of the calling session"},
		{Command: "plan . --no-subagents", Text: "those of the sessions of this directory"},
		{Command: "plan --reverse ~/.claude/plans/calm-testing-otter.md", Text: "whose plan that is"},
		{Command: "plan @all --audit", Text: "which sessions changed the plan of another"},
		{Command: "list . | plan -", Text: "the plans of the sessions that list names"},
		{Command: "recover @5d0c1f3e --file @plan", Text: "the text of a plan, out of the transcript"},
		{Command: "plan . --format json | recover - --out-dir plans", Text: "all plans of this directory's sessions, out of the transcripts"},
	},
	Rows: "reads: rows, ids and address lines for - (each stands for its own transcript). prints: header, plan or plan-history... " +
		"(each names the record that says so), summary; with --audit: header, binding..., plan-edit..., summary",
	ExitStatus:   "1  there is no target and no calling session, a target does not exist, or a transcript could not be read. No binding is 0",
	See:          []string{"recover", "files", "whoami", "show"},
	StdinTargets: true,
	NeedsDash:    true,
	Span:         true,
}

// planHeader is the header of plan: it has no scope.
type planHeader struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
}

// The kinds of rows.
const (
	planKind    = "plan"
	historyKind = "plan-history"
	bindingKind = "binding"
)

type planRow struct {
	Kind     string  `json:"kind"`
	row.Ref          // its path is the plan file
	Line     int     `json:"line"` // of the record that says so
	UUID     *string `json:"uuid"`
	PlanFile string  `json:"plan_file"`
	Exists   bool    `json:"plan_exists"`
	Slug     *string `json:"slug"`
	Source   string  `json:"binding_source"`
	Minted   bool    `json:"minted_at_compaction"`
	StatedBy string  `json:"stated_by"` // the attachment's type, ExitPlanMode, or slug
	UTC      *string `json:"ts_utc"`
	Local    *string `json:"ts_local"`
}

type planSummary struct {
	Kind       string `json:"kind"`
	Plans      int    `json:"plans"`
	History    int    `json:"plan_history"`
	Unreadable int    `json:"unreadable_files"`
}

// planAnswer is one run of plan over a set.
type planAnswer struct {
	env  *cli.Env
	set  *target.Set
	dirs *planDirs
	rows *row.Writer
}

func runPlan(ctx context.Context, env *cli.Env, o *planOptions) error {
	switch {
	case o.Reverse != nil && o.Audit:
		return cli.Usagef("--reverse and --audit ask for different answers: one of them at a time")
	case o.Reverse != nil && *o.Reverse == "":
		return cli.Usagef("--reverse takes the path of a plan file")
	}
	words := env.Args
	if len(words) == 0 && o.SessionsFrom == "" && o.Reverse == nil {
		me, err := callingSession(env)
		if err != nil {
			return planEmpty(env, o.Audit, err)
		}
		words = []string{me}
	}
	set, _, err := scope.Resolve(ctx, env, words, o.Flags)
	if err != nil {
		return err
	}
	if set.Narrowed() {
		env.Note("an address names its whole transcript here; its lines and turns were ignored")
	}
	a := &planAnswer{env: env, set: set, dirs: newPlanDirs(ctx, env), rows: row.NewWriter(env.Out)}
	switch {
	case o.Audit:
		return a.audit(ctx)
	case o.Reverse != nil:
		return a.reverse(ctx, *o.Reverse)
	}
	return a.forward(ctx)
}

// planEmpty answers where nobody is known to call: rows that hold nothing, and the error.
func planEmpty(env *cli.Env, audit bool, err error) error {
	switch {
	case env.Format == stdio.JSON:
	case env.TextInFIFO:
		return cmp.Or(env.Nothing(row.NoPlans), err)
	default:
		return err
	}
	rows := row.NewWriter(env.Out)
	var summary any = planSummary{Kind: row.SummaryKind}
	if audit {
		summary = auditSummary{Kind: row.SummaryKind}
	}
	for _, r := range []any{planHeader{row.HeaderKind, "plan"}, summary} {
		if e := rows.Write(r); e != nil {
			return e
		}
	}
	return err
}

// forward prints what each transcript is and was bound to.
func (a *planAnswer) forward(ctx context.Context) error {
	read := readPlans(ctx, a.env, a.set, nil)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.start(); err != nil {
		return err
	}
	sum := planSummary{Kind: row.SummaryKind, Unreadable: a.env.UnreadFiles()}
	var bare []*planned
	for i := range read {
		p := &read[i]
		all := a.dirs.history(p)
		if len(all) == 0 {
			bare = append(bare, p)
		}
		for k := range all {
			kind := planKind
			if k > 0 {
				kind = historyKind
				sum.History++
			} else {
				sum.Plans++
			}
			if err := a.print(kind, p, &all[k]); err != nil {
				return err
			}
		}
		a.tellDamage(p)
	}
	if sum.Plans == 0 {
		if err := a.nothing(row.NoPlans, scope.Count(len(read), "transcript")+" looked at"+scope.ButUnread(a.env)); err != nil {
			return err
		}
	}
	a.tellBare(bare)
	return a.end(sum)
}

// reverse prints the bindings of one file.
func (a *planAnswer) reverse(ctx context.Context, file string) error {
	paths := home.Realpath(home.Expand(file, a.env.Getenv), a.env.Cwd)
	read := readPlans(ctx, a.env, a.set, mentions(ctx, stemGate(paths[0])))
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.start(); err != nil {
		return err
	}
	sum := planSummary{Kind: row.SummaryKind, Unreadable: a.env.UnreadFiles()}
	var near []string
	for i := range read {
		p := &read[i]
		for k, b := range a.dirs.history(p) {
			if !isAny(b.File, paths) {
				if baseOf(b.File) == baseOf(paths[0]) {
					near = append(near, a.address(p.t, b.Line)+" "+b.File)
				}
				continue
			}
			kind := planKind
			if k > 0 {
				kind = historyKind
				sum.History++
			} else {
				sum.Plans++
			}
			if err := a.print(kind, p, &b); err != nil {
				return err
			}
		}
	}
	if sum.Plans+sum.History == 0 {
		if err := a.nothing(row.NoBinders, "looked for "+paths[0]+scope.ButUnread(a.env)); err != nil {
			return err
		}
		if len(near) > 0 {
			a.env.Note("a plan file of that name lies elsewhere: %s", few(near, "; "))
		}
	}
	return a.end(sum)
}

// nothing says that an answer has no rows, and of what. Rows have no place for the words, so a note has them, and a text
// answer has them alone, as the next tool knows them: there the note has the rest.
func (a *planAnswer) nothing(words, of string) error {
	if a.env.Format == stdio.JSON {
		a.env.Note("%s (%s)", words, of)
		return nil
	}
	if err := a.env.Nothing(words); err != nil {
		return err
	}
	a.env.Note("%s", of)
	return nil
}

func (a *planAnswer) start() error {
	if a.env.Format != stdio.JSON {
		return nil
	}
	return a.rows.Write(planHeader{row.HeaderKind, "plan"})
}

func (a *planAnswer) end(summary any) error {
	if a.env.Format != stdio.JSON {
		return nil
	}
	return a.rows.Write(summary)
}

func (a *planAnswer) print(kind string, p *planned, b *planBinding) error {
	if a.env.Format == stdio.JSON {
		return a.rows.Write(rowOfPlan(kind, b))
	}
	_, err := a.env.Out.Write(a.text(kind, p, b))
	return err
}

func rowOfPlan(kind string, b *planBinding) planRow {
	r := planRow{
		Kind: kind, Ref: refWith(b.t, b.File), Line: b.Line, UUID: scope.OrNull(b.UUID), PlanFile: b.File, Exists: planExists(b.File), Slug: scope.OrNull(b.Slug),
		Source: b.Source(), Minted: b.Minted, StatedBy: b.By,
	}
	r.UTC, r.Local = when.Pair(b.Stamp)
	return r
}

func isAny(file string, paths []string) bool {
	for _, p := range paths {
		if home.SamePath(file, p) {
			return true
		}
	}
	return false
}

// baseOf gives the last part of a path of any system.
func baseOf(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// stemGate finds the transcripts that can be bound to a plan file: they spell its name, or for a subagent's the slug that
// it starts with. It is nil where bytes do not tell: a name may be spelled in several ways beyond ASCII.
func stemGate(path string) *match.Prefilter {
	stem := strings.TrimSuffix(filepath.Base(baseOf(path)), ".md")
	stem, _, _ = strings.Cut(stem, "-agent-")
	for i := 0; i < len(stem); i++ {
		if stem[i] >= 0x80 {
			return nil
		}
	}
	m, err := match.Compile(stem, match.Options{Fixed: true, IgnoreCase: true})
	if err != nil || stem == "" {
		return nil
	}
	return m.Prefilter(nil)
}
