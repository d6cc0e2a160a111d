package recover

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/scope"
	"csift/pkg/settings"
	"csift/pkg/target"
)

// boundPlan gives the path of the plan file that @plan stands for, as it was recorded: the one that the sessions of the
// set are bound to, or, where none of them is bound, the one that their subagents are. Only the binding of now counts, not
// what a session was bound to before. It is an error when nobody is bound, and when several files are meant; the error
// names them and asks for one session.
//
// Where nothing was typed the set must be the calling session's: see callingSession.
func boundPlan(ctx context.Context, env *cli.Env, set *target.Set) (string, error) {
	read := readPlans(ctx, env, set, nil)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	dirs := newPlanDirs(ctx, env)
	for _, lanes := range []bool{false, true} {
		var files, who []string
		for _, p := range read {
			if p.t.IsSubagent != lanes {
				continue
			}
			if b, ok := dirs.bind(&p); ok && !slices.ContainsFunc(files, func(f string) bool { return home.SamePath(f, b.File) }) {
				files, who = append(files, b.File), append(who, p.t.Token(set.PrefixLen)+" "+b.File)
			}
		}
		switch len(files) {
		case 0:
		case 1:
			return files[0], nil
		default:
			return "", cli.WithHint(cli.Errorf("@plan: %d different plan files are bound here: %s", len(files), strings.Join(who, ", ")),
				"name one session: @<uuid>")
		}
	}
	return "", cli.WithHint(cli.Errorf("@plan: no plan file is bound here%s", scope.ButUnread(env)), "which sessions have one: "+env.Command("plan", "@all"))
}

// callingSession gives the target word of the session that calls, for a verb whose scope without a target that is. It is
// an error that says how to name a session where the environment tells none.
func callingSession(env *cli.Env) (string, error) {
	if id, _ := target.Caller(env.Getenv); id != "" {
		return "@" + id, nil
	}
	err := cli.Errorf("no target, and no calling session: Claude Code did not start this program")
	if env.Getenv("CLAUDECODE") == "1" {
		err = cli.Errorf("no target, and the calling session is not known: builds up to 2.0.77 do not tell it (CLAUDE_CODE_SESSION_ID)")
		return "", cli.WithHint(err, "find it: "+env.Command("whoami", "@trap:<marker>")+", the marker three capitalised words and four digits of your own")
	}
	return "", cli.WithHint(err, "name a session: "+env.Command(env.Verb, "@<uuid>")+", those of this directory: "+env.Command(env.Verb, "."))
}

// A planBinding ties a transcript to a plan file.
type planBinding struct {
	t *target.Transcript
	planPlace
	File   string
	By     string // what says so: an attachment's type, ExitPlanMode, or slug
	Slug   string // "" when no record carries one
	Minted bool   // by the slug alone, and its first carrier is the boundary of a compaction
	From   string // the session that the record was copied from, "" for one of its own
}

// The values of binding_source, and of stated_by for a slug.
const (
	bySlugOnly = "slug-only"
	byPlanMode = "plan_mode"
	bySlug     = "slug"
)

// Source gives the law by which the binding holds.
func (b *planBinding) Source() string {
	if b.By == bySlug {
		return bySlugOnly
	}
	return byPlanMode
}

// planDirs knows where the plans of each project lie. It is for one goroutine.
type planDirs struct {
	ctx      context.Context
	env      *cli.Env
	root     string
	projects map[string]string            // by transcript: its first recorded cwd
	settings map[string]*settings.Cascade // by that
	noted    map[settings.Source]bool     // told already
}

func newPlanDirs(ctx context.Context, env *cli.Env) *planDirs {
	return &planDirs{ctx: ctx, env: env, root: scope.Root(env), projects: map[string]string{},
		settings: map[string]*settings.Cascade{}, noted: map[settings.Source]bool{}}
}

// bind gives the binding of now: the file that the last statement names, or without one the file that the first slug
// names. A slug that comes later moves nothing.
func (d *planDirs) bind(p *planned) (planBinding, bool) {
	if all := d.history(p); len(all) > 0 {
		return all[0], true
	}
	return planBinding{}, false
}

// history gives all files that a transcript was bound to, each once, the newest first. What a rewind took back counts as
// well: nothing shows that Claude Code gives a plan file up with the records that name it.
func (d *planDirs) history(p *planned) (all []planBinding) {
	said := p.notes.Said
	at := map[string]int{} // per file, where it stands in all
	for i := len(said) - 1; i >= 0; i-- {
		s := &said[i]
		key := home.PathKey(s.Path)
		k, known := at[key]
		if known && (all[k].By == planModeType || s.By != planModeType) {
			continue
		}
		b := planBinding{t: p.t, planPlace: s.planPlace, File: s.Path, By: s.By, Slug: s.Slug, From: s.From}
		if b.Slug == "" && len(p.notes.Slugs) > 0 {
			b.Slug = p.notes.Slugs[0].Slug
		}
		if known { // of the records that name a file, plan mode's own stands for it
			all[k] = b
		} else {
			at[key] = len(all)
			all = append(all, b)
		}
	}
	if len(all) > 0 || len(p.notes.Slugs) == 0 {
		return all
	}
	first := &p.notes.Slugs[0]
	return []planBinding{{
		t: p.t, planPlace: first.planPlace, File: d.fileOf(p.t, first.Slug), By: bySlug, Slug: first.Slug, Minted: first.Compaction, From: first.From,
	}}
}

// fileOf gives the file that a slug names.
func (d *planDirs) fileOf(t *target.Transcript, slug string) string {
	name := slug
	if t.IsSubagent {
		name += "-agent-" + t.ID
	}
	dir := d.dirOf(t)
	if home.IsWindowsPath(dir) {
		return home.CleanWindows(dir + `\` + name + ".md")
	}
	return filepath.Join(dir, name+".md")
}

// dirOf gives the directory of a transcript's plans and tells once what is wrong with the settings that name it.
func (d *planDirs) dirOf(t *target.Transcript) string {
	project := d.project(t)
	c := d.settings[project]
	if c == nil {
		c = settings.Load(d.root, project)
		d.settings[project] = c
	}
	dir, _ := c.PlansDirectory()
	for _, s := range c.Sources() {
		if s.Note != "" && !d.noted[s] {
			d.noted[s] = true
			d.env.Note("settings %s: %s", s.Path, s.Note)
		}
	}
	return dir
}

// project gives the root that plansDirectory is relative to: the first cwd that the session recorded. A subagent works
// in a directory of its own at times, and its plans lie where its session's do.
func (d *planDirs) project(t *target.Transcript) string {
	path := t.Path
	if t.IsSubagent {
		path = d.sessionOf(t)
	}
	if cwd, ok := d.projects[path]; ok {
		return cwd
	}
	cwd := firstCwd(d.ctx, path, d.env.Slow)
	if cwd == "" && path != t.Path {
		cwd = firstCwd(d.ctx, t.Path, d.env.Slow)
	}
	d.projects[path] = cwd
	return cwd
}

// sessionOf gives the transcript of a subagent's session, its own where there is none.
func (d *planDirs) sessionOf(t *target.Transcript) string {
	session := filepath.Join(filepath.Dir(t.Path), t.ParentID+".jsonl") // beside it, up to 2.0.77
	if path := filepath.ToSlash(t.Path); strings.Contains(path, "/subagents/") {
		session = filepath.FromSlash(path[:strings.LastIndex(path, "/subagents/")]) + ".jsonl"
	}
	if info, err := os.Stat(session); err != nil || !info.Mode().IsRegular() {
		return t.Path
	}
	return session
}

// firstCwd gives the first working directory that a transcript records, "" when it records none.
func firstCwd(ctx context.Context, path string, slow bool) (cwd string) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var rec record.Record
	_, _ = f.Head(ctx, func(off int64, line []byte) bool {
		if record.Decode(jsonl.Trim(line, off == 0), &rec) {
			cwd = rec.CWD.String()
		}
		return cwd == ""
	})
	return cwd
}

// namesFile reports whether a stated path can be that of a plan file.
func namesFile(path string) bool {
	return strings.HasSuffix(path, ".md") || strings.HasPrefix(path, "/") || home.IsWindowsPath(path)
}

// planExists reports whether a plan file is there. A path of another system is nowhere on this one.
func planExists(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
