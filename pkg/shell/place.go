package shell

import (
	"path"
	"strings"
)

// A place is where a command runs, as far as the text tells.
type place struct {
	dir      string
	known    bool
	inferred bool // the command itself went there
	shaky    bool // a cd that may have failed without a word stands behind it
}

// A scope is the part of a shell's state that decides where relative names
// lie. A subshell gets a copy.
type scope struct {
	cur   place
	prev  place   // for cd -
	stack []place // for popd
}

func newScope(cwd string) *scope {
	if !absolute(cwd) {
		return &scope{}
	}
	return &scope{cur: place{dir: clean(cwd), known: true}}
}

// fork copies s for a subshell.
func (s *scope) fork() *scope {
	c := *s
	c.stack = append([]place(nil), s.stack...)
	return &c
}

// lost forgets where the shell is.
func (s *scope) lost() { s.prev, s.cur = s.cur, place{} }

// to goes where w says.
func (s *scope) to(w word, shaky bool) {
	next := place{}
	if dir, ok := w.literal(); ok {
		switch {
		case dir == "":
			return
		case absolute(dir):
			next = place{dir: clean(dir), known: true, inferred: true}
		case s.cur.known:
			next = place{dir: join(s.cur.dir, dir), known: true, inferred: true, shaky: s.cur.shaky}
		}
	}
	if len(next.dir) > maxPath {
		next = place{}
	}
	next.shaky = next.shaky || shaky
	s.prev, s.cur = s.cur, next
}

// maxPath is longer than a path may be on any system.
const maxPath = 1 << 13

// back is cd -.
func (s *scope) back() {
	s.prev, s.cur = s.cur, s.prev
	s.cur.inferred = true
}

// same says whether both shells stand at one place.
func (s *scope) same(o *scope) bool {
	return s.cur.known == o.cur.known && s.cur.dir == o.cur.dir
}

// merge makes s what is true after either of two ways: where they differ, the
// place is not known.
func (s *scope) merge(o *scope) {
	shaky := s.cur.shaky || o.cur.shaky
	if !s.same(o) {
		s.cur, s.prev, s.stack = place{}, place{}, nil
	}
	s.cur.shaky = shaky
	s.cur.inferred = s.cur.inferred || o.cur.inferred
}

// absolute says whether a name is absolute as typed: from the root, from a
// Windows drive, or a UNC share.
func absolute(name string) bool {
	return strings.HasPrefix(name, "/") || windows(name)
}

// windows says whether name has a form that only Windows knows: C:\x, C:/x,
// \\server\share.
func windows(name string) bool {
	if len(name) >= 3 && name[1] == ':' && (name[2] == '\\' || name[2] == '/') {
		c := name[0] | 0x20
		return c >= 'a' && c <= 'z'
	}
	return len(name) > 2 && strings.HasPrefix(name, `\\`) && name[2] != '\\'
}

// clean cleans an absolute name lexically. A Windows name keeps its separators.
func clean(name string) string {
	if !windows(name) {
		return path.Clean(name)
	}
	sep := `\`
	root, rest := name[:2], name[2:] // a drive, or the two backslashes of a share
	if root != `\\` && rest[0] == '/' && !strings.Contains(rest, `\`) {
		sep = "/"
	}
	var parts []string
	for _, p := range strings.FieldsFunc(rest, func(c rune) bool { return c == '/' || c == '\\' }) {
		switch p {
		case ".":
		case "..":
			if len(parts) > 0 {
				parts = parts[:len(parts)-1]
			}
		default:
			parts = append(parts, p)
		}
	}
	if root == `\\` {
		return root + strings.Join(parts, sep)
	}
	return root + sep + strings.Join(parts, sep)
}

func join(dir, name string) string {
	if windows(dir) {
		return clean(dir + `\` + name)
	}
	return path.Join(dir, name)
}

// resolve says where w lies for a command that runs at p.
func (p place) resolve(w word) (name, verbatim, resolution string) {
	text, ok := w.literal()
	switch {
	case !ok:
		return text, "", Unresolved
	case absolute(text):
		name, resolution = clean(text), Absolute
	case !p.known:
		return text, "", Unresolved
	case p.inferred:
		name, resolution = join(p.dir, text), CdTracked
	default:
		name, resolution = join(p.dir, text), CwdJoined
	}
	if name != text {
		verbatim = text
	}
	return name, verbatim, resolution
}

// mayBe says whether a name that could not be resolved may stand for file, an
// absolute path, or for a directory above it. Only a last component that is
// spelled out can rule that out.
func mayBe(unresolved, file string) bool {
	last := unresolved
	if i := strings.LastIndexAny(last, `/\`); i >= 0 {
		last = last[i+1:]
	}
	if last == "" || last == "." || last == ".." || strings.ContainsAny(last, "$`~{}!@+(") {
		return true
	}
	for _, part := range strings.FieldsFunc(file, func(c rune) bool { return c == '/' || c == '\\' }) {
		if ok, err := path.Match(last, part); ok || err != nil {
			return true
		}
	}
	return false
}

// above says whether dir is a directory that file lies in.
func above(dir, file string) bool {
	if !strings.HasPrefix(file, dir) || len(file) == len(dir) {
		return false
	}
	return strings.HasSuffix(dir, "/") || strings.HasSuffix(dir, `\`) || file[len(dir)] == '/' || file[len(dir)] == '\\'
}
