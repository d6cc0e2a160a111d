package target

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/home"
	"csift/pkg/lane"
)

// path adds the sessions of a working directory, or of a project directory that is
// named by its own path.
func (r *resolver) path(t addr.Token) error {
	spellings := home.Realpath(home.Expand(t.ID, r.req.Getenv), r.req.Cwd)
	if p, ok := r.inside(spellings); ok {
		if p == nil {
			return fmt.Errorf("%s is the directory of all projects; for every project say @all", spellings[0])
		}
		return r.project(p, nil)
	}
	if err := r.listed(); err != nil {
		return err
	}
	found := r.ofPath(spellings)
	if len(found) == 0 {
		return r.noProject(t, spellings)
	}
	other := &others{}
	var failure error
	any := false
	for _, p := range found {
		drop, all := r.elsewhere(p, spellings, other)
		if all {
			continue
		}
		if err := r.project(p, drop); err != nil {
			failure = err
			continue
		}
		any = true
	}
	switch {
	case any && other.n > 0:
		r.note("left out %s of %s, recorded in %s: it shares its directory name with %s (to read all of them: @%s)",
			plural(other.n, "transcript"), found[0].Dir, other.list(), spellings[0], found[0].Name)
	case any:
	case failure != nil:
		return failure
	default:
		return fmt.Errorf("no transcript was recorded in %s: what lies in %s was recorded in %s; name that directory, or @%s for all of it",
			spellings[0], found[0].Dir, other.list(), found[0].Name)
	}
	return nil
}

// inside recognises a path that lies in the projects directory: the project it is or
// is part of, or nil for the directory itself.
func (r *resolver) inside(spellings []string) (*lane.Project, bool) {
	for _, root := range home.Realpath(r.dir, r.req.Cwd) {
		for _, s := range spellings {
			rel, err := filepath.Rel(root, s)
			if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				continue
			}
			if rel == "." {
				return nil, true
			}
			if found := r.named(rel); len(found) > 0 {
				return found[0], true
			}
		}
	}
	return nil, false
}

// ofPath gives the projects that a working directory may have.
func (r *resolver) ofPath(spellings []string) []*lane.Project {
	var out []*lane.Project
	for _, s := range spellings {
		enc, fold := home.Encode(s), r.fold(s)
		for _, p := range r.matching(func(dir string) bool { return home.Match(dir, enc, fold) }) {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// fold reports whether the name of a path is compared without case.
func (r *resolver) fold(path string) bool { return r.windows || home.IsWindowsPath(path) }

// noProject names what was looked for, and what may have been meant: the id that the
// word is without its sigil, else the nearest directory above that has transcripts.
func (r *resolver) noProject(t addr.Token, spellings []string) error {
	var tried []string
	for _, s := range spellings {
		enc := home.Encode(s)
		if len(enc) > home.MaxName {
			enc = enc[:home.MaxName] + "-*"
		}
		tried = append(tried, filepath.Join(r.dir, enc))
	}
	near := ""
	if id, err := addr.Parse("@" + t.Text); err == nil && addr.IsID(id.ID) && len(r.index.named(id)) > 0 {
		near = "; the id that begins so is written @" + t.Text
	}
	for dir := spellings[0]; near == ""; {
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		if dir = up; len(r.ofPath([]string{dir})) > 0 {
			near = "; the nearest directory above with transcripts is " + dir
			break
		}
	}
	return fmt.Errorf("no transcripts of %s: there is no directory %s%s%s", spellings[0], strings.Join(tried, " or "), near, r.unread())
}

// others counts what a path target leaves out, and the directories it was recorded in.
type others struct {
	n    int
	dirs []string
}

func (o *others) list() string {
	const most = 3
	slices.Sort(o.dirs)
	dirs := slices.Compact(o.dirs)
	if len(dirs) > most {
		return fmt.Sprintf("%s and %d other directories", strings.Join(dirs[:most], ", "), len(dirs)-most)
	}
	return strings.Join(dirs, ", ")
}

// elsewhere finds the transcripts of a project that were recorded in another
// directory than the one asked for, though both encode to this name: their ids, and
// whether that is all there are. A transcript whose directory would encode to
// another name was moved or copied here with its project and stays, and so does one
// that names no directory.
func (r *resolver) elsewhere(p *lane.Project, spellings []string, other *others) (drop map[string]bool, all bool) {
	var ids, paths []string
	for _, f := range p.Sessions {
		ids, paths = append(ids, f.ID), append(paths, f.Path)
	}
	for _, f := range p.Flat {
		ids, paths = append(ids, f.ID), append(paths, f.Path)
	}
	for _, g := range p.Groups {
		if g.NoTranscript {
			ids, paths = append(ids, g.ID), append(paths, g.Agents[0].Path)
		}
	}
	origins, _ := lane.ReadOrigins(paths)
	drop = map[string]bool{}
	for i, o := range origins {
		if o.CWD != "" && r.collides(p, o.CWD, spellings) {
			drop[ids[i]] = true
			other.n++
			other.dirs = append(other.dirs, o.CWD)
		}
	}
	return drop, len(ids) > 0 && len(drop) == len(ids)
}

// collides reports whether cwd is another directory than the one asked for and has
// the same directory name.
func (r *resolver) collides(p *lane.Project, cwd string, spellings []string) bool {
	for _, s := range spellings {
		if home.SamePath(cwd, s) || r.windows && strings.EqualFold(filepath.Clean(cwd), filepath.Clean(s)) {
			return false
		}
	}
	enc, fold := home.Encode(cwd), r.fold(cwd)
	return home.Match(p.Name, enc, fold) || slices.ContainsFunc(p.Aliases, func(a string) bool { return home.Match(a, enc, fold) })
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if word == "copy" {
		return fmt.Sprintf("%d copies", n)
	}
	return fmt.Sprintf("%d %ss", n, word)
}
