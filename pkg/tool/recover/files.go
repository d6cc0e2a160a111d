package recover

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"csift/pkg/cli"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

// The levels of detail. Without one it is the summary, with each file below its part of the tree.
const (
	bySummary  = "summary"
	byDir      = "dir"
	byFile     = "file"
	byTimeline = "timeline"
)

// filesOptions are the flags of files.
type filesOptions struct {
	By    string `long:"by" value-name:"LEVEL" choice:"summary" choice:"dir" choice:"file" choice:"timeline" description:"how much detail: one row for a part of the tree, for a directory, for a file, or for each change; without it, parts of the tree and the files in them"`
	Regex string `long:"regex" value-name:"RE" description:"only files whose path matches this regular expression, anywhere in it; case counts"`
	Glob  string `long:"glob" value-name:"PATTERN" description:"only files whose whole path matches this pattern: * stays within a component, ** crosses them (**/*.go)"`
	Turn  string `long:"turn" value-name:"SPEC" description:"only these turns of each transcript, counted from 0: 4, 2..5, 7.., ..3, -1, -3.."`
	Since string `long:"since" value-name:"WHEN" description:"only what was done at or after WHEN: 90m, 3d, 2026-06-01, 2026-06-01T05:00:00, with Z or an offset"`
	Until string `long:"until" value-name:"WHEN" description:"only what was done at or before WHEN"`

	scope.Flags
}

var filesTool = cli.Tool{
	Name:    "files",
	Summary: "say which files sessions changed, and how",
	Usage:   "[TARGET...] [FLAG...]",
	Long:    filesLong,
	New:     func() any { return &filesOptions{} },
	Run: func(ctx context.Context, env *cli.Env, opts any) error {
		return runFiles(ctx, env, opts.(*filesOptions))
	},
	Examples:     filesExamples,
	Rows:         filesRows,
	ExitStatus:   filesExit,
	See:          []string{"recover", "plan", "search", "show"},
	StdinTargets: true,
	Span:         true,
}

// filesJob is one run of files.
type filesJob struct {
	env  *cli.Env
	opt  *filesOptions
	set  *target.Set
	sift sift
	only map[string]map[string]bool // per transcript that rows name some files of: the files

	touched []*touched // transcripts with something to tell, in the order of the set
	chain   scope.Chain
	skipped int
	many    bool // more files than the text of an answer without --by names
	left    int  // changes that the filters left out
	beside  int  // changes in the turns of records that were asked for, made by other records
}

// sift is what the flags let through.
type sift struct {
	paths  *fileops.PathFilter
	window scope.Window
}

// touched is one transcript and what it did to files.
type touched struct {
	*target.Transcript
	mutations  []fileops.Mutation
	boundaries []fileops.Boundary
}

func runFiles(ctx context.Context, env *cli.Env, o *filesOptions) error {
	j := &filesJob{env: env, opt: o, chain: scope.NewChain(env.CrossCompactions)}
	var err error
	if j.sift, err = o.sift(env.Now); err != nil {
		return err
	}
	var src *row.Source
	if j.set, src, err = scope.Resolve(ctx, env, env.Args, o.Flags); err != nil {
		return err
	}
	if src != nil && o.SessionsFrom == "" && !typed(env.Args) {
		j.only = filesNamed(src.Items, j.set)
	}
	if err := j.read(ctx); err != nil {
		return err
	}
	if env.Format == stdio.JSON {
		err = j.printJSON()
	} else {
		err = j.printText()
	}
	if err != nil {
		return err
	}
	if err := env.Out.Flush(); err != nil {
		return err
	}
	j.advise()
	return nil
}

// sift reads the flags that narrow.
func (o *filesOptions) sift(now time.Time) (s sift, err error) {
	if s.paths, err = fileops.NewPathFilter(o.Regex, o.Glob); err != nil {
		return s, cli.Errorf("%w", err)
	}
	s.window, err = scope.ParseWindow(o.Since, o.Until, o.Turn, now)
	return s, err
}

// windowOf is what the flags leave in of a transcript of so many turns.
func windowOf(w *scope.Window, turns int) fileops.Window {
	f := fileops.Window{Timed: w.Timed(), Since: w.Since, Until: w.Until, Turned: w.Turns != nil}
	f.From, f.To = w.Of(turns)
	return f
}

// read surveys the transcripts and keeps what was asked for.
func (j *filesJob) read(ctx context.Context) error {
	all := j.set.Transcripts
	srcs := make([]fileops.Source, len(all))
	for i := range all {
		srcs[i] = asks(&all[i])
	}
	var done atomic.Int64
	opt := fileops.Options{Slow: j.env.Slow, Crossings: j.env.CrossCompactions, Root: scope.Root(j.env), Done: func() { done.Add(1) }}
	p := j.env.Progress(func() string { return fmt.Sprintf("%d of %s", done.Load(), scope.Count(len(srcs), "transcript")) })
	changes, errs := fileops.Survey(ctx, srcs, opt)
	p.Stop()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range all {
		if errs[i] != nil {
			j.env.Unread(all[i].Path, errs[i])
			continue
		}
		j.keep(&all[i], changes[i])
	}
	return nil
}

// keep takes from a transcript's changes what the flags and the addresses let through.
func (j *filesJob) keep(t *target.Transcript, c *fileops.Changes) {
	j.skipped += c.Skipped
	part := j.part(t, c)
	only := j.only[t.Path]
	w := windowOf(&j.sift.window, c.Turns)
	u := &touched{Transcript: t}
	for i := range c.Mutations {
		m := &c.Mutations[i]
		switch {
		case only != nil && !only[fileops.PathKey(m.Path)]:
		case !w.Has(&m.At) || !j.sift.paths.Keeps(m.Path, m.Marker):
			j.left++
		case part.has(m):
			u.mutations = append(u.mutations, *m)
		case part.near(m):
			j.beside++
		}
	}
	for i := range c.Boundaries {
		if b := &c.Boundaries[i]; (only == nil || only[fileops.PathKey(b.Path)]) && w.Has(&b.At) && j.sift.paths.Keeps(b.Path, false) && part.hasBoundary(b) {
			u.boundaries = append(u.boundaries, *b)
		}
	}
	if len(u.mutations)+len(u.boundaries) > 0 {
		j.touched = append(j.touched, u)
		j.chain.Add(c.Chain)
	}
}

// advise says where the answer may not be what was meant.
func (j *filesJob) advise() {
	if len(j.touched) > 0 {
		return
	}
	if j.beside > 0 {
		j.env.Note("the records that were asked for changed no file; %s by others of their turns, which the address of a turn (@ID:t4) asks for", wereMade(j.beside))
	}
	if j.left == 0 {
		return
	}
	j.env.Note("%s left out by the filters", wereLeft(j.left))
	if g := j.opt.Glob; g != "" && g[0] != '/' && g[0] != '*' {
		j.env.Note("--glob matches the whole path: say %s", cli.Quote("**/"+g))
	} else if g != "" && g[0] == '*' && (len(g) == 1 || g[1] != '*') {
		j.env.Note("* does not cross a slash and --glob matches the whole path: say %s", cli.Quote("**/"+g))
	}
}

func wereLeft(n int) string {
	if n == 1 {
		return "1 change was"
	}
	return scope.Count(n, "change") + " were"
}

func wereMade(n int) string { return wereLeft(n) + " made" }

// banners prints what stands before a text answer.
func (j *filesJob) banners() {
	io.WriteString(j.env.Banner, j.set.Banner())
	io.WriteString(j.env.Banner, j.set.CopiesLine())
}
