package target

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/lane"
	"csift/pkg/record"
)

// The variables by which a program learns the session it was started in, the
// canonical one first.
var sessionVars = [...]string{"CLAUDE_CODE_SESSION_ID", "CODEX_COMPANION_SESSION_ID"}

// span asks for the subagents of a session, or of a whole project.
type span struct {
	id      string        // of the session, "" for every one of the project
	project *lane.Project // nil for every project
	drop    map[string]bool
}

// token puts what one word names into the answer.
func (r *resolver) token(t addr.Token) error {
	switch t.Kind {
	case addr.All:
		if err := r.listed(); err != nil {
			return err
		}
		r.spanned[""] = true
		for i := range r.projects {
			p := &r.projects[i]
			r.addSessions(p, nil)
			r.spans = append(r.spans, span{project: p})
		}
		return nil
	case addr.Session, addr.Prefix, addr.Agent:
		k, err := r.pinned(t)
		if err != nil {
			return err
		}
		return r.pin(t, k)
	case addr.Main:
		k, err := r.main(t)
		if err != nil {
			return err
		}
		return r.pin(t, k)
	case addr.Project:
		return r.encoded(t)
	case addr.EncodedDir:
		if home.IsDriveName(t.ID) && len(r.named(t.ID)) == 0 {
			return r.path(t)
		}
		return r.encoded(t)
	case addr.JSONLPath:
		return r.jsonlPath(t)
	case addr.Path:
		return r.path(t)
	case addr.Trap:
		k, err := r.trap(t)
		if err != nil {
			return err
		}
		return r.pin(t, k)
	case addr.Teammate:
		k, err := r.teammate(t)
		if err != nil {
			return err
		}
		return r.pin(t, k)
	}
	return fmt.Errorf("%q names no transcript", t.Text)
}

// pinned gives the one id that a token means.
func (r *resolver) pinned(t addr.Token) (*known, error) {
	if err := r.listed(); err != nil {
		return nil, err
	}
	found := r.index.named(t)
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		word := "has the id"
		if t.Kind == addr.Prefix {
			word = "has an id that begins with"
		}
		return nil, fmt.Errorf("no transcript %s %s: looked in %s%s", word, t.ID, r.where(), r.unread())
	}
	return nil, fmt.Errorf("%s is ambiguous, %d ids begin with it:%s", t, len(found), candidates(found))
}

// where says how much was searched.
func (r *resolver) where() string {
	if n := len(r.projects); n != 1 {
		return fmt.Sprintf("the %d project directories of %s", n, r.dir)
	}
	return r.projects[0].Dir
}

func (r *resolver) unread() string {
	if len(r.failed) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of the directories there could not be read: %s)", len(r.failed), r.failed[0].Path)
}

// maxListed bounds the candidates of an error.
const maxListed = 10

func candidates(found []*known) string {
	var b strings.Builder
	for i, k := range found {
		if i == maxListed {
			fmt.Fprintf(&b, "\n  and %d more", len(found)-i)
			break
		}
		fmt.Fprintf(&b, "\n  @%s", k.id)
		switch {
		case len(k.at) > 0:
			fmt.Fprintf(&b, "  %s", k.at[0].Path)
		case len(k.groups) > 0:
			fmt.Fprintf(&b, "  subagents alone, %s", filepath.Dir(k.groups[0].Agents[0].Path))
		}
	}
	return b.String()
}

// refuse is show's answer to a transcript that lies in several places.
func refuse(t addr.Token, at []loc) error {
	var b strings.Builder
	for _, l := range at {
		b.WriteString("\n  " + l.Path)
	}
	return fmt.Errorf("%s lies in %d places; name one of the files:%s", t, len(at), b.String())
}

// gone is the answer for a session of which only subagents are left.
func (r *resolver) gone(t addr.Token, k *known) error {
	g := k.groups[0]
	return fmt.Errorf("the transcript of session %s is gone, but subagents of it are left in %s, the first is @%s",
		k.id, filepath.Dir(g.Agents[0].Path), g.Agents[0].ID)
}

// pin adds a transcript that was named by its id, in all its copies, and asks for
// its subagents.
func (r *resolver) pin(t addr.Token, k *known) error {
	narrow := part(t)
	if r.req.One && len(k.at) > 1 {
		return refuse(t, k.at)
	}
	if len(k.at) == 0 && (r.req.One || len(narrow) > 0 || !r.req.Subagents) {
		return r.gone(t, k)
	}
	session := len(k.at) == 0
	for _, l := range k.at {
		r.add(l, narrow...)
		session = session || !l.Subagent
		if l.Subagent && len(narrow) == 0 {
			r.below(l)
		}
	}
	if session && (len(narrow) == 0 || r.req.Lanes) {
		r.spans = append(r.spans, span{id: k.id})
		for _, l := range k.at {
			if !l.Subagent {
				r.spanned[home.SessionDir(l.Path)] = true
			}
		}
		for _, g := range k.groups {
			r.spanned[filepath.Join(g.project.Dir, k.id)] = true
		}
	}
	return nil
}

// main gives the calling session.
func (r *resolver) main(t addr.Token) (*known, error) {
	if id, name := r.session(); id != "" {
		if !addr.IsUUID(id) {
			return nil, fmt.Errorf("@main: %s holds %q, which is no session id", name, id)
		}
		k, err := r.pinned(addr.Token{Kind: addr.Session, Text: "@main", ID: id})
		if err != nil {
			return nil, fmt.Errorf("@main: %w", err)
		}
		r.note("@main is session %s; whether its main thread or a subagent of it is calling cannot be told", id)
		return k, nil
	}
	return nil, fmt.Errorf("@main: %s is not set; Claude Code gives it to the programs it starts, and builds up to 2.0.77 do not", sessionVars[0])
}

// named gives the projects with that directory name, or with a link of that name.
func (r *resolver) named(name string) []*lane.Project {
	return r.matching(func(dir string) bool { return dir == name }, func(dir string) bool { return r.windows && strings.EqualFold(dir, name) })
}

// matching gives the projects one of whose names the first test accepts, or if there
// is none, the second.
func (r *resolver) matching(tests ...func(dir string) bool) []*lane.Project {
	var out []*lane.Project
	for _, ok := range tests {
		for i := range r.projects {
			p := &r.projects[i]
			hit := ok(p.Name)
			for _, a := range p.Aliases {
				hit = hit || ok(a)
			}
			if hit {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// encoded adds the project that a token names by its directory.
func (r *resolver) encoded(t addr.Token) error {
	if err := r.listed(); err != nil {
		return err
	}
	found := r.named(t.ID)
	if len(found) == 0 {
		return fmt.Errorf("no project directory %s%s", filepath.Join(r.dir, t.ID), r.unread())
	}
	for _, p := range found {
		if err := r.project(p, nil); err != nil {
			return err
		}
	}
	return nil
}

// project adds the sessions of a named project but those in drop, and asks for
// their subagents. A project without any transcript is an error.
func (r *resolver) project(p *lane.Project, drop map[string]bool) error {
	for _, f := range r.failed {
		if f.Path == p.Dir {
			return f
		}
	}
	r.spanned[p.Dir] = true
	n := r.addSessions(p, drop)
	if r.req.One {
		if n == 1 {
			return nil
		}
		return fmt.Errorf("%s holds %d sessions, and a target must name exactly one transcript:%s", p.Dir, n, sessionsOf(p, drop))
	}
	r.spans = append(r.spans, span{project: p, drop: drop})
	if n > 0 || r.req.Subagents && len(p.Groups)+len(p.Flat) > 0 {
		return nil
	}
	if len(p.Groups)+len(p.Flat) > 0 {
		return fmt.Errorf("no session under %s: only transcripts of subagents are there, which --no-subagents leaves out", p.Dir)
	}
	return fmt.Errorf("no transcript under %s", p.Dir)
}

func sessionsOf(p *lane.Project, drop map[string]bool) string {
	var list []*known
	for _, f := range p.Sessions {
		if !drop[f.ID] {
			list = append(list, &known{id: f.ID, at: []loc{{f, p}}})
		}
	}
	return candidates(list)
}

func (r *resolver) addSessions(p *lane.Project, drop map[string]bool) (n int) {
	for _, f := range p.Sessions {
		if !drop[f.ID] {
			r.add(loc{f, p})
			n++
		}
	}
	return n
}

// jsonlPath adds the transcript at a path, and asks for its subagents.
func (r *resolver) jsonlPath(t addr.Token) error {
	l, err := r.file(t)
	if err != nil {
		return err
	}
	narrow := part(t)
	r.add(l, narrow...)
	if l.Subagent && len(narrow) == 0 {
		r.below(l)
	}
	if l.Subagent || len(narrow) > 0 && !r.req.Lanes || r.req.One || !r.req.Subagents {
		return nil
	}
	r.spanAt(l)
	return nil
}

// spanAt asks for the subagents of the session whose transcript lies at l, once.
func (r *resolver) spanAt(l loc) {
	if r.spansAt[l.Path] {
		return
	}
	if r.spansAt == nil {
		r.spansAt = map[string]bool{}
	}
	r.spansAt[l.Path] = true
	p := l.project
	if p == nil {
		p = r.listOutside(filepath.Dir(l.Path))
	}
	r.spanned[home.SessionDir(l.Path)] = true
	r.spans = append(r.spans, span{id: l.ID, project: p})
}

// listOutside lists a directory that is none of the home, once.
func (r *resolver) listOutside(dir string) *lane.Project {
	p, ok := r.outside[dir]
	if !ok {
		var failed []FileError
		p, failed = lane.ListDir(dir)
		r.failed = append(r.failed, failed...)
		if r.outside == nil {
			r.outside = map[string]*lane.Project{}
		}
		r.outside[dir] = p
	}
	return p
}

// file finds the transcript at the path of a token. One that the listing has keeps
// the path it has there.
func (r *resolver) file(t addr.Token) (loc, error) {
	path := home.Expand(t.ID, r.req.Getenv)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.req.Cwd, path)
	}
	path = filepath.Clean(path)
	if why := lane.Excluded(path); why != "" {
		return loc{}, fmt.Errorf("%s is no transcript: %s", path, why)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return loc{}, FileError{Path: path, Err: err}
	case info.IsDir():
		return loc{}, fmt.Errorf("%s is no transcript but a directory", path)
	}
	if isMarkers(path) {
		return loc{}, fmt.Errorf("%s is no transcript: its lines are markers of an elicitation sidecar, which is read with its session", path)
	}
	l := loc{File: lane.Of(path)}
	if k := r.index.byID(l.ID); k != nil {
		for _, at := range k.at {
			if at.Path == path {
				return at, nil
			}
		}
		for _, at := range k.at {
			if other, err := os.Stat(at.Path); err == nil && os.SameFile(info, other) {
				return at, nil
			}
		}
	}
	return l, nil
}

// isMarkers reports whether every record of a file is csift's own. It reads no further
// than the first that is not.
func isMarkers(path string) bool {
	f, err := jsonl.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	marks, others := 0, 0
	_, err = f.Head(context.Background(), func(off int64, line []byte) bool {
		raw := record.Raw(jsonl.Trim(line, off == 0))
		switch p := jsonl.NewPull(raw); {
		case p.Skip() == nil || !p.Done(): // blank or damaged
		case raw.Get("csift") != nil:
			marks++
		default:
			others++
		}
		return others == 0
	})
	return err == nil && marks > 0 && others == 0
}
