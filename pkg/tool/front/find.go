package front

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"csift/pkg/cli"
)

// look lists the directories where programs are looked for, in order: the one that
// $CSIFT_EXEC_PATH names, the one of this program with links resolved, the ones it was
// reached by, ../libexec/csift of each, and PATH.
func (f *front) look(argv []string) {
	var beside []string
	if exe, err := f.host.executable(); err == nil {
		if f.self, err = os.Stat(exe); err != nil {
			f.self = nil
		}
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			beside = append(beside, filepath.Dir(real))
		}
		beside = append(beside, filepath.Dir(exe))
	}
	// On Linux the system gives the resolved path alone, so the name it was called by
	// tells where the link is.
	if len(argv) > 0 && filepath.Base(argv[0]) != argv[0] {
		if abs, err := filepath.Abs(argv[0]); err == nil {
			beside = append(beside, filepath.Dir(abs))
		}
	}
	f.places = nil
	add := func(dir string) {
		// A relative directory would mean another program in every working directory.
		if filepath.IsAbs(dir) && !slices.Contains(f.places, filepath.Clean(dir)) {
			f.places = append(f.places, filepath.Clean(dir))
		}
	}
	if dir := f.sys.Getenv("CSIFT_EXEC_PATH"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			add(abs)
		}
	}
	for _, dir := range beside {
		add(dir)
	}
	for _, dir := range beside {
		add(filepath.Join(dir, "..", "libexec", "csift"))
	}
	for _, dir := range filepath.SplitList(f.sys.Getenv("PATH")) {
		add(dir)
	}
}

// found is how the search for one program ended.
type found struct {
	name   string
	path   string // the program, "" when there is none
	denied string // a file of that name that is not executable
	self   string // a file of that name that is this program
}

// find looks for a program by its name.
func (f *front) find(name string) found {
	at := found{name: name}
	for _, dir := range f.places {
		for _, file := range fileNames(name, f.sys.Getenv) {
			path := filepath.Join(dir, file)
			info, err := os.Stat(path)
			switch {
			case err != nil || !info.Mode().IsRegular(): // a directory or a socket is no tool
			case f.self != nil && os.SameFile(info, f.self):
				at.self = path
			case !isExecutable(info):
				if at.denied == "" {
					at.denied = path
				}
			default:
				at.path = path
				return at
			}
		}
	}
	return at
}

// isVerbName reports whether a word may be looked for as csift-WORD: it must not
// wander through directories.
func isVerbName(word string) bool {
	for i := 0; i < len(word); i++ {
		c := word[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || i > 0 && (c == '-' || c == '_' || c == '.')) {
			return false
		}
	}
	return word != ""
}

// An entry is one verb that can be called.
type entry struct {
	name, summary, path string
}

// entries lists what there is: the table, then the programs called csift-WORD that are
// no family of it.
func (f *front) entries() []entry {
	var all []entry
	seen := map[string]bool{}
	for _, v := range f.verbs {
		seen[v.Binary] = true
		seen[cli.FrontName+"-"+v.Name] = true
		if v.Hidden {
			continue
		}
		e := entry{name: v.Name, summary: v.Summary}
		if f.inside != nil {
			e.path, _ = f.host.executable()
		} else if e.path = f.find(v.Binary).path; e.path == "" {
			e.path = "(not installed)"
		}
		all = append(all, e)
	}
	var foreign []string
	for _, dir := range f.places {
		files, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, file := range files {
			name := programOf(file.Name(), f.sys.Getenv)
			if verb, ok := strings.CutPrefix(name, cli.FrontName+"-"); ok && isVerbName(verb) && !seen[name] {
				seen[name] = true
				foreign = append(foreign, verb)
			}
		}
	}
	slices.Sort(foreign)
	for _, verb := range foreign {
		if at := f.find(cli.FrontName + "-" + verb); at.path != "" {
			all = append(all, entry{verb, "", at.path})
		}
	}
	return all
}

// execPath is the directory where the families are.
func (f *front) execPath() string {
	if dir := f.sys.Getenv("CSIFT_EXEC_PATH"); dir != "" {
		return dir
	}
	exe, err := f.host.executable()
	if err != nil {
		return ""
	}
	if f.inside == nil {
		for _, v := range f.verbs {
			if path := f.find(v.Binary).path; path != "" {
				return filepath.Dir(path)
			}
		}
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return filepath.Dir(exe)
}
