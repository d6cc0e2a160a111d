package recover

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/fileops"
	"csift/pkg/home"
	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

// editRow is what one transcript did to one plan file.
type editRow struct {
	Kind      string  `json:"kind"`
	row.Ref           // its path is the plan file
	Line      int     `json:"line"` // of its last change
	UUID      *string `json:"uuid"`
	Owner     string  `json:"owner_session_id"` // the session that changed it, itself or by a subagent
	Mutations int     `json:"mutations"`
	Bound     bool    `json:"bound_by_owner"`    // the owner, or a subagent of it, is or was bound to the file
	Binder    *string `json:"binder_session_id"` // the first transcript bound to it, of the owner's where it is
	BinderAt  *int    `json:"binder_line"`       // the record that says so
}

type auditSummary struct {
	Kind       string `json:"kind"`
	Bindings   int    `json:"bindings"`
	Touched    int    `json:"plan_files_touched"`
	Warnings   int    `json:"warnings"`
	Skipped    int    `json:"skipped_lines"`
	Unreadable int    `json:"unreadable_files"`
}

// planEdit collects what one transcript did to one plan file.
type planEdit struct {
	t       *target.Transcript
	file    string
	last    replay.Place
	n       int
	bound   bool
	binders []planBinding // of the owner alone where there are any, else of everybody
}

const editKind = "plan-edit"

// audit compares the changes of the scope with the plan files of the whole home.
func (a *planAnswer) audit(ctx context.Context) error {
	corpus, read, err := a.corpus(ctx)
	if err != nil {
		return err
	}
	binders := map[string][]planBinding{}
	var own []planned
	var bindings []planBinding
	inScope := map[string]bool{}
	for i := range a.set.Transcripts {
		inScope[a.set.Transcripts[i].Path] = true
	}
	for i := range read {
		p := &read[i]
		for k, b := range a.dirs.history(p) {
			binders[planKey(b.File)] = append(binders[planKey(b.File)], b)
			if k == 0 && inScope[p.t.Path] {
				own, bindings = append(own, *p), append(bindings, b)
			}
		}
	}
	a.set.PrefixLen = max(a.set.PrefixLen, corpus.PrefixLen)
	edits, skipped := a.edits(ctx, binders)
	if err := ctx.Err(); err != nil {
		return err
	}
	sum := auditSummary{Kind: row.SummaryKind, Bindings: len(bindings), Skipped: skipped, Unreadable: a.env.UnreadFiles()}
	if err := a.printAudit(own, bindings, edits, sum); err != nil {
		return err
	}
	for i := range read { // what is damaged may bind a file that was changed
		a.tellDamage(&read[i])
	}
	return nil
}

// corpus reads what every transcript of the home says about plans, and those of the scope that lie elsewhere.
func (a *planAnswer) corpus(ctx context.Context) (*target.Set, []planned, error) {
	set, err := target.Resolve(target.Request{Subagents: true, Root: a.dirs.root, Cwd: a.env.Cwd, Getenv: a.env.Getenv})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range set.Failed {
		a.env.Unread(f.Path, f.Err)
	}
	there := map[string]bool{}
	for i := range set.Transcripts {
		there[set.Transcripts[i].Path] = true
	}
	for i := range a.set.Transcripts {
		if t := &a.set.Transcripts[i]; !there[t.Path] {
			set.Transcripts = append(set.Transcripts, *t)
		}
	}
	return set, readPlans(ctx, a.env, set, nil), ctx.Err()
}

// edits gives what the transcripts of the scope did to files that somebody binds, in their order.
func (a *planAnswer) edits(ctx context.Context, binders map[string][]planBinding) (all []*planEdit, skipped int) {
	srcs := make([]fileops.Source, len(a.set.Transcripts))
	for i := range a.set.Transcripts {
		t := &a.set.Transcripts[i]
		srcs[i] = fileops.Source{Path: t.Path, InLane: t.IsSubagent, ID: t.ID}
	}
	changes, errs := fileops.Survey(ctx, srcs, fileops.Options{Slow: a.env.Slow, Crossings: a.env.CrossCompactions})
	for i, c := range changes {
		t := &a.set.Transcripts[i]
		if errs[i] != nil {
			a.env.Unread(t.Path, errs[i])
			continue
		}
		skipped += c.Skipped
		of := map[string]*planEdit{}
		for k := range c.Mutations {
			m := &c.Mutations[k]
			key := planKey(m.Path)
			if !m.Structured() || len(binders[key]) == 0 {
				continue
			}
			e := of[key]
			if e == nil {
				e = &planEdit{t: t, file: m.Path}
				e.bound, e.binders = bindersOf(t, binders[key])
				of[key] = e
				all = append(all, e)
			}
			e.n++
			e.last = m.At
		}
	}
	return all, skipped
}

// bindersOf gives the transcripts of the owner that are bound to a file, or, where there are none, everybody's.
func bindersOf(t *target.Transcript, all []planBinding) (bound bool, binders []planBinding) {
	for _, b := range all {
		if ownerOf(b.t) == ownerOf(t) {
			binders = append(binders, b)
		}
	}
	if len(binders) > 0 {
		return true, binders
	}
	return false, all
}

// ownerOf gives the session of a lane.
func ownerOf(t *target.Transcript) string {
	if t.IsSubagent && t.ParentID != "" {
		return t.ParentID
	}
	return t.ID
}

// planKey gives one spelling of a path, for comparison.
func planKey(path string) string {
	if home.IsWindowsPath(path) {
		return strings.ToLower(norm.NFC.String(home.CleanWindows(path)))
	}
	return norm.NFC.String(filepath.Clean(path))
}

func (a *planAnswer) printAudit(own []planned, bindings []planBinding, edits []*planEdit, sum auditSummary) error {
	if err := a.start(); err != nil {
		return err
	}
	for i := range bindings {
		if err := a.print(bindingKind, &own[i], &bindings[i]); err != nil {
			return err
		}
	}
	touched := map[string]bool{}
	for _, e := range edits {
		touched[planKey(e.file)] = true
		if !e.bound {
			sum.Warnings++
		}
		if err := a.printEdit(e); err != nil {
			return err
		}
	}
	sum.Touched = len(touched)
	switch {
	case a.env.Format == stdio.JSON:
	case len(edits)+len(bindings) == 0:
		if err := a.env.Nothing(row.NoPlanEdits); err != nil {
			return err
		}
		if words := scope.Unread(a.env); words != "" {
			fmt.Fprintln(a.env.Banner, words)
		}
	case len(edits) == 0:
		fmt.Fprintf(a.env.Banner, "%s%s\n", row.NoPlanEdits, scope.ButUnread(a.env))
	default:
		fmt.Fprintf(a.env.Banner, "%s · %s touched · %s · edits by Bash commands are not looked at%s\n", scope.Count(sum.Bindings, "binding"),
			scope.Count(sum.Touched, "plan file"), scope.Count(sum.Warnings, "warning"), scope.ButUnread(a.env))
	}
	return a.end(sum)
}

func (a *planAnswer) printEdit(e *planEdit) error {
	first := &e.binders[0]
	if a.env.Format == stdio.JSON {
		return a.rows.Write(editRow{
			Kind: editKind, Ref: refWith(e.t, e.file), Line: e.last.SourceLine, UUID: scope.OrNull(e.last.UUID), Owner: ownerOf(e.t),
			Mutations: e.n, Bound: e.bound, Binder: &first.t.ID, BinderAt: &first.Line,
		})
	}
	word, verdict := "PLAN EDIT", "its own"
	if !e.bound {
		word, verdict = "WARN PLAN EDIT", "the plan of another session"
	}
	out := a.heading(e.t, e.last.SourceLine, word, e.file)
	out = fmt.Appendf(out, "    %-10s%s\n", laneWord(e.t), laneOf(e.t))
	out = fmt.Appendf(out, "    %-10s%s · %s\n", "changes", scope.Count(e.n, "mutation"), verdict)
	var who []string
	for i := range e.binders {
		b := &e.binders[i]
		who = append(who, addr.Line(b.t.Token(a.set.PrefixLen), b.Line)+" ("+b.Source()+")")
	}
	out = fmt.Appendf(out, "    %-10s%s\n", "bound by", excerpt.SafeLine(few(who, ", ")))
	_, err := a.env.Out.Write(out)
	return err
}

// refWith names a transcript and the file that a row is about.
func refWith(t *target.Transcript, file string) row.Ref {
	r := t.Ref()
	r.Path = file
	return r
}
