package lane

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Project is one project directory, listed.
type Project struct {
	Dir  string // its path, through the link when it is one
	Name string // its base name
	// Aliases are the names of the other links that lead to the same directory.
	Aliases  []string
	Sessions []File  // top-level transcripts
	Flat     []File  // subagents' transcripts beside them
	Groups   []Group // subagents' transcripts in the sessions' own directories
}

// Group is the subagents of one session.
type Group struct {
	ID     string
	Agents []File // never empty
	// NoTranscript says that the session's own transcript is not in the same project
	// directory.
	NoTranscript bool
}

// FileError is a path that could not be read, and why.
type FileError struct {
	Path string
	Err  error
}

func (e FileError) Error() string { return "cannot read " + e.Path + ": " + Cause(e.Err) }

// Unwrap gives the cause.
func (e FileError) Unwrap() error { return e.Err }

// Cause gives the text of an error without the operation and path in front.
func Cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// List lists every project directory under dir, by name. A link to a directory is
// followed once: of several names for one directory the one that is no link stands,
// else the first, and the others are its Aliases. It fails when dir itself cannot
// be read; what cannot be read below comes back as FileErrors, the rest listed.
// No file is opened and, where the system tells types with names, none looked at.
func List(dir string) ([]Project, []FileError, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, FileError{dir, err}
	}
	var failed []FileError
	projects := make([]Project, 0, len(entries))
	var links []string
	for _, e := range entries {
		switch {
		case e.IsDir():
			projects = append(projects, Project{Dir: filepath.Join(dir, e.Name()), Name: e.Name()})
		case e.Type()&fs.ModeSymlink != 0 || e.Type().IsRegular() && writtenLink(dir, e.Name()) != "":
			links = append(links, e.Name())
		}
	}
	if len(links) > 0 {
		projects, failed = follow(dir, links, projects)
	}
	errs := make([][]FileError, len(projects))
	Each(len(projects), func(i int) { errs[i] = projects[i].read() })
	for _, e := range errs {
		failed = append(failed, e...)
	}
	return projects, failed, nil
}

// writtenLink gives the directory that a file in place of a project directory names: git without core.symlinks, and
// archives that know no links, store a link as a file with its target as text. It is "" for every other entry.
func writtenLink(dir, name string) string {
	if !strings.HasPrefix(name, "-") && !(len(name) > 3 && name[1:3] == "--") || strings.Contains(name, ".") {
		return ""
	}
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > 4096 {
		return ""
	}
	b, err := os.ReadFile(path)
	to := strings.TrimSpace(string(b))
	if err != nil || to == "" || strings.ContainsAny(to, "\n\x00{") {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	if info, err := os.Stat(to); err != nil || !info.IsDir() {
		return ""
	}
	return to
}

// follow adds the directories that links lead to and that are not there already.
func follow(dir string, links []string, projects []Project) ([]Project, []FileError) {
	var failed []FileError
	infos := make([]fs.FileInfo, len(projects), len(projects)+len(links))
	for i := range projects {
		infos[i], _ = os.Stat(projects[i].Dir)
	}
next:
	for _, name := range links {
		path := filepath.Join(dir, name)
		if to := writtenLink(dir, name); to != "" {
			path = to
		}
		info, err := os.Stat(path)
		if err != nil {
			failed = append(failed, FileError{path, err})
			continue
		}
		if !info.IsDir() {
			continue
		}
		for i, known := range infos {
			if known != nil && os.SameFile(known, info) {
				projects[i].Aliases = append(projects[i].Aliases, name)
				continue next
			}
		}
		projects, infos = append(projects, Project{Dir: path, Name: name}), append(infos, info)
	}
	slices.SortFunc(projects, func(a, b Project) int { return strings.Compare(a.Name, b.Name) })
	return projects, failed
}

// read lists the project's directory and those of its sessions.
func (p *Project) read() []FileError {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return []FileError{{p.Dir, err}}
	}
	var failed []FileError
	dirs := map[string]bool{} // of sessions
	for _, e := range entries {
		name := e.Name()
		switch t := e.Type(); {
		case t.IsRegular() || t&fs.ModeSymlink != 0 && strings.HasSuffix(name, ext):
			if stem, ok := strings.CutSuffix(name, ext); !ok {
				continue
			} else if IsSessionID(stem) {
				p.Sessions = append(p.Sessions, File{Path: filepath.Join(p.Dir, name), ID: stem, Parent: stem})
			} else if id := agentID(name); id != "" {
				p.Flat = append(p.Flat, File{Path: filepath.Join(p.Dir, name), ID: id, Subagent: true, Flat: true})
			}
		case (t.IsDir() || t&fs.ModeSymlink != 0) && IsSessionID(name):
			dirs[name] = true
			g := Group{ID: name}
			failed = g.walk(filepath.Join(p.Dir, name, subagents), 0, failed)
			if len(g.Agents) > 0 {
				p.Groups = append(p.Groups, g)
			}
		}
	}
	for i := range p.Sessions {
		p.Sessions[i].Alone = !dirs[p.Sessions[i].ID]
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		_, has := slices.BinarySearchFunc(p.Sessions, g.ID, func(f File, id string) int { return strings.Compare(f.ID, id) })
		g.NoTranscript = !has
	}
	return failed
}

// maxNesting bounds the walk below subagents/; Claude Code goes two levels down
// (workflows/wf_<run>/, seen at 2.1.332).
const maxNesting = 8

func (g *Group) walk(dir string, depth int, failed []FileError) []FileError {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return failed
		}
		return append(failed, FileError{dir, err})
	}
	for _, e := range entries {
		name := e.Name()
		switch t := e.Type(); {
		case t.IsDir():
			if name != channelDir && depth < maxNesting {
				failed = g.walk(filepath.Join(dir, name), depth+1, failed)
			}
		case t.IsRegular() || t&fs.ModeSymlink != 0:
			if id := agentID(name); id != "" {
				g.Agents = append(g.Agents, File{Path: filepath.Join(dir, name), ID: id, Subagent: true, Parent: g.ID})
			}
		}
	}
	return failed
}

// Each runs fn for 0 to n-1 on as many goroutines as there are processors.
func Each(n int, fn func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			fn(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	wg.Wait()
}

// ListDir lists one directory as a project directory: for a transcript that was
// named by its path, wherever it lies.
func ListDir(dir string) (*Project, []FileError) {
	p := &Project{Dir: dir, Name: filepath.Base(dir)}
	failed := p.read()
	return p, failed
}
