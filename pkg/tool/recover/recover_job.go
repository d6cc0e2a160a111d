package recover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync/atomic"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

// recoverJob is one run of recover.
type recoverJob struct {
	env *cli.Env
	ask *ask
	set *target.Set
	src *row.Source // what a pipe brought, nil without

	groups   []*group
	skipped  int
	lost     int // transcripts that could not be read
	excluded int // events that the window left out and that matter
	chain    scope.Chain
	alike    []string // files that have the name of one that nobody knows
}

// group is a session and its subagents: what they did to a file is one history.
type group struct {
	owner string // id of the session
	parts []*part
}

// part is one transcript and what it says about the files.
type part struct {
	*target.Transcript
	recall *fileops.Recall // nil when it could not be read
	window fileops.Window
}

func runRecover(ctx context.Context, env *cli.Env, o *recoverOptions) error {
	a, err := o.understand(env.Now)
	if err != nil {
		return err
	}
	if a.toStdout() {
		if a.Out = toStdout; env.Payload && env.Format == stdio.JSON {
			return cli.Usagef("--out - prints the file as it is and cannot be --format json")
		}
		if a.mode == modeRestore {
			a.Out = ""
		}
	}
	j := &recoverJob{env: env, ask: a, chain: scope.NewChain(env.CrossCompactions)}
	if a.mode == modeBackups {
		return j.backups(ctx)
	}
	if j.set, j.src, err = scope.Resolve(ctx, env, env.Args, a.Flags); err != nil {
		return err
	}
	j.tellNarrowed()
	list, err := j.wishes(ctx)
	if err != nil {
		return err
	}
	if a.mode == modeRestore && len(list) > 1 {
		return cli.WithHint(cli.Usagef("the rows on stdin name %d files, and only one can be printed", len(list)),
			"--out-dir DIR writes all of them", "--salvage prints what is known of each")
	}
	if err := j.read(ctx, list); err != nil {
		return err
	}
	stories := j.stories(list)
	if err := j.readShells(ctx, stories); err != nil {
		return err
	}
	for _, s := range stories {
		j.replay(s)
	}
	stories = j.happened(stories)
	switch {
	case a.mode == modeBatch:
		return j.batch(list, stories)
	case a.mode == modeRestore && len(stories) == 0 && len(list) == 1:
		j.namesakes(ctx, &list[0])
	}
	return j.answer(list, stories)
}

// happened leaves out the stories that have nothing to tell by the time and in the window that were asked for, unless none
// has: then the file is known to be unknown.
func (j *recoverJob) happened(stories []*story) []*story {
	some := false
	for _, s := range stories {
		j.excluded += s.res.Excluded
		some = some || s.res.Events > 0
	}
	if !some {
		return stories
	}
	return slices.DeleteFunc(stories, func(s *story) bool { return s.res.Events == 0 })
}

// tellNarrowed says that a typed address names its whole transcript here: a file is the work of many records.
func (j *recoverJob) tellNarrowed() {
	for _, w := range j.env.Args {
		if t, err := addr.Parse(w); err == nil && t.Range.Kind != addr.NoRange {
			j.env.Note("an address names its whole transcript here; --turn, --since and --until choose what is replayed, --at where it stops")
			return
		}
	}
}

// read takes from each transcript in scope what it says about the files.
func (j *recoverJob) read(ctx context.Context, list []wish) error {
	targets := make([]fileops.Target, len(list))
	for i := range list {
		targets[i] = list[i].target
	}
	all := j.set.Transcripts
	srcs := make([]fileops.Source, len(all))
	for i := range all {
		srcs[i] = sourceFor(&all[i])
	}
	var done atomic.Int64
	p := j.env.Progress(func() string { return fmt.Sprintf("%d of %s", done.Load(), scope.Count(len(srcs), "transcript")) })
	recalls, errs := fileops.Events(ctx, srcs, targets, j.reading(func() { done.Add(1) }))
	p.Stop()
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := make([]*part, len(all))
	for i := range all {
		parts[i] = &part{Transcript: &all[i], recall: recalls[i]}
		if errs[i] != nil {
			j.env.Unread(all[i].Path, errs[i])
			parts[i].recall, j.lost = nil, j.lost+1
		}
		if r := parts[i].recall; r != nil {
			j.tellCopies(r)
			parts[i].window = windowOf(&j.ask.Window, r.Turns)
			if j.skipped += r.Skipped; r.Found {
				j.chain.Add(r.Chain)
			}
		}
	}
	j.groups = groupsOf(parts)
	return nil
}

// tellCopies tells of copies of a file that could not be read.
func (j *recoverJob) tellCopies(r *fileops.Recall) {
	for _, err := range r.Copies {
		if lost := (*fs.PathError)(nil); errors.As(err, &lost) {
			j.env.Unread(lost.Path, lost.Err)
		}
	}
}

// namesakes learns which other files of that name there are, for whoever gave more of a path than fits.
func (j *recoverJob) namesakes(ctx context.Context, w *wish) {
	name := fileops.NewTarget(w.target.Name())
	if name.Name() == w.text {
		return
	}
	srcs := make([]fileops.Source, len(j.set.Transcripts))
	for i := range srcs {
		srcs[i] = sourceFor(&j.set.Transcripts[i])
	}
	recalls, _ := fileops.Events(ctx, srcs, []fileops.Target{name}, j.reading(nil)) // what could not be read was told
	seen := map[string]bool{}
	for _, r := range recalls {
		for i := 0; r != nil && i < len(r.Files); i++ {
			if p := r.Files[i].Path; !seen[fileops.PathKey(p)] {
				seen[fileops.PathKey(p)] = true
				j.alike = append(j.alike, p)
			}
		}
	}
	slices.Sort(j.alike)
}

func sourceFor(t *target.Transcript) fileops.Source {
	return fileops.Source{Path: t.Path, InLane: t.IsSubagent, ID: t.ID}
}

func (j *recoverJob) reading(done func()) fileops.Options {
	return fileops.Options{Slow: j.env.Slow, Crossings: j.env.CrossCompactions, Root: scope.Root(j.env), Done: done}
}

// readShells learns what shells were called in the transcripts of a history that do not mention the file: a formatter that
// the session ran may have rewritten what its subagent wrote.
func (j *recoverJob) readShells(ctx context.Context, stories []*story) error {
	var silent []*part
	var srcs []fileops.Source
	for _, g := range groupsIn(stories) {
		for _, p := range g.parts {
			if p.recall != nil && len(p.recall.Files) == 0 {
				silent, srcs = append(silent, p), append(srcs, sourceFor(p.Transcript))
			}
		}
	}
	if len(srcs) == 0 {
		return nil
	}
	opt := j.reading(nil)
	opt.Shells = true
	recalls, _ := fileops.Events(ctx, srcs, nil, opt) // what could not be read was told
	for i, p := range silent {
		if recalls[i] != nil {
			p.recall.Shell = recalls[i].Shell
			p.window = windowOf(&j.ask.Window, recalls[i].Turns)
		}
	}
	return ctx.Err()
}
