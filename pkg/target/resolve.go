package target

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/home"
	"csift/pkg/lane"
	"csift/pkg/row"
)

// entry is one transcript on its way into the Set.
type entry struct {
	loc
	whole    bool // named without a part
	narrow   []Narrow
	parts    map[Narrow]bool // of narrow, where there are many
	shadow   bool            // subagent of a session copy that was merged away
	dropped  bool            // a copy that was merged away
	alsoAt   []string
	relation string
}

// resolver holds one Resolve.
type resolver struct {
	req      Request
	windows  bool   // file names are compared without case
	dir      string // the projects directory
	projects []lane.Project
	failed   []FileError
	listErr  error
	index    index

	entries []*entry
	free    []entry // for the next ones
	byPath  map[string]*entry
	spans   []span
	trees   []loc                      // agents that targets name with what is below them
	spanned map[string]bool            // directories whose failures concern the answer; "" is all
	lost    map[string]bool            // paths of copies that were merged away
	owned   map[*lane.Project][]string // see flatOwners
	set     Set

	// What many rows ask for again and again is found once.
	ofToken   map[tokenKey][]loc       // transcripts of item tokens
	ofRow     map[string]loc           // of rows, by their path
	spansAt   map[string]bool          // paths of sessions whose subagents are asked for
	outside   map[string]*lane.Project // directories that are none of the home
	groups    map[*lane.Project]map[string][]*lane.Group
	treesRead int                                // trees of agents that were built
	flats     map[*lane.Project]map[string][]int // indexes of flat files by their session
}

// Resolve finds the transcripts that a Request names.
func Resolve(req Request) (*Set, error) {
	return resolve(req, runtime.GOOS == "windows")
}

func resolve(req Request, windows bool) (*Set, error) {
	r := newResolver(req, windows)
	if err := r.collect(); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

func newResolver(req Request, windows bool) *resolver {
	if req.Getenv == nil {
		req.Getenv = os.Getenv
	}
	r := &resolver{req: req, windows: windows, dir: home.Projects(req.Root), byPath: map[string]*entry{},
		spanned: map[string]bool{}, lost: map[string]bool{}, owned: map[*lane.Project][]string{}}
	r.projects, r.failed, r.listErr = lane.List(r.dir)
	r.index = newIndex(r.projects)
	return r
}

// collect fills entries with what was named, sessions first: copies of sessions are
// merged before their subagents are gathered.
func (r *resolver) collect() error {
	tokens, err := r.tokens()
	if err != nil {
		return err
	}
	if len(tokens) == 0 && !r.req.ItemsGiven && len(r.req.Items) == 0 && !r.req.SessionsFromGiven {
		tokens = append(tokens, addr.Token{Kind: addr.All, Text: "@all"})
	}
	for _, t := range tokens {
		if err := r.token(t); err != nil {
			return err
		}
	}
	if err := r.items(r.req.Items); err != nil {
		return err
	}
	if r.req.One {
		return r.onePlain(tokens)
	}
	r.merge(func(e *entry) bool { return !e.Subagent })
	r.gather()
	r.gatherTrees()
	r.merge(func(e *entry) bool { return e.Subagent })
	return nil
}

// tokens parses the typed words and those of the list.
func (r *resolver) tokens() ([]addr.Token, error) {
	var out []addr.Token
	for _, w := range r.req.Tokens {
		t, err := addr.Parse(w)
		if err != nil {
			return nil, err
		}
		if t.Kind != addr.Stdin {
			out = append(out, t)
		}
	}
	for _, w := range r.req.SessionsFrom {
		t, err := addr.ParseID(w)
		if err != nil {
			return nil, err
		}
		if !t.Pins() {
			return nil, fmt.Errorf("%q in the list of sessions is no session or agent id", w)
		}
		out = append(out, t)
	}
	return out, nil
}

// add puts a transcript into the answer, once for each path.
func (r *resolver) add(l loc, narrow ...Narrow) *entry {
	e := r.byPath[l.Path]
	if e == nil {
		if len(r.free) == 0 {
			r.free = make([]entry, min(max(1, len(r.entries)), 512))
		}
		e, r.free = &r.free[0], r.free[1:]
		e.loc = l
		r.byPath[l.Path] = e
		r.entries = append(r.entries, e)
	}
	if len(narrow) == 0 {
		e.whole = true
	}
	e.addParts(narrow)
	return e
}

// addParts adds parts, each once.
func (e *entry) addParts(narrow []Narrow) {
	const few = 16
	for _, n := range narrow {
		if len(e.narrow) < few {
			if !slices.Contains(e.narrow, n) {
				e.narrow = append(e.narrow, n)
			}
			continue
		}
		if e.parts == nil { // a pipe may name thousands
			e.parts = map[Narrow]bool{}
			for _, m := range e.narrow {
				e.parts[m] = true
			}
		}
		if !e.parts[n] {
			e.parts[n] = true
			e.narrow = append(e.narrow, n)
		}
	}
}

// part gives the Narrow of a token, none when it names the whole.
func part(t addr.Token) []Narrow {
	if t.Range.Kind == addr.NoRange {
		return nil
	}
	return []Narrow{{Range: t.Range}}
}

// items adds what rows and address lines named, each its own transcript and no
// other.
func (r *resolver) items(items []row.Item) error {
	for i := range items {
		it := &items[i]
		var narrow []Narrow
		switch {
		case it.Line > 0 || it.UUID != "":
			narrow = []Narrow{{Line: it.Line, UUID: it.UUID}}
		case it.Range.Kind != addr.NoRange:
			narrow = []Narrow{{Range: it.Range}}
		}
		if it.Transcript != "" {
			l, err := r.rowFile(it)
			if err != nil {
				return err
			}
			r.add(l, narrow...)
			r.lanes(l)
			continue
		}
		at, err := r.itemToken(it)
		if err != nil {
			return err
		}
		for _, l := range at {
			r.add(l, narrow...)
			r.lanes(l)
		}
	}
	return nil
}

// lanes asks for the subagents of a session that a row names, where a session stands for them.
func (r *resolver) lanes(l loc) {
	if r.req.Lanes && !l.Subagent {
		r.spanAt(l)
	}
}

// itemToken finds the transcript of an item that has no path.
func (r *resolver) itemToken(it *row.Item) ([]loc, error) {
	t := it.Token
	if t.Kind == 0 {
		var err error
		if t, err = addr.ParseID(it.ID); err != nil {
			return nil, err
		}
	}
	key := tokenKey{t.Kind, t.ID}
	at, ok := r.ofToken[key]
	if !ok {
		var err error
		if at, err = r.findItem(t); err != nil {
			return nil, err
		}
		if r.ofToken == nil {
			r.ofToken = map[tokenKey][]loc{}
		}
		r.ofToken[key] = at
	}
	return at, nil
}

// tokenKey is what a token names, whatever part of it.
type tokenKey struct {
	kind addr.Kind
	id   string
}

// findItem looks for the transcript of a token on stdin.
func (r *resolver) findItem(t addr.Token) ([]loc, error) {
	switch t.Kind {
	case addr.Session, addr.Prefix, addr.Agent:
		k, err := r.pinned(t)
		if err != nil {
			return nil, err
		}
		if len(k.at) == 0 {
			return nil, r.gone(t, k)
		}
		if r.req.One && len(k.at) > 1 {
			return nil, refuse(t, k.at)
		}
		return k.at, nil
	case addr.JSONLPath:
		l, err := r.file(t)
		return []loc{l}, err
	case addr.Main:
		k, err := r.main(t)
		if err != nil {
			return nil, err
		}
		return k.at, nil
	case addr.Teammate:
		k, err := r.teammate(t)
		if err != nil {
			return nil, err
		}
		return k.at, nil
	}
	return nil, fmt.Errorf("%s on stdin names no transcript", t)
}

// rowFile finds the transcript that a row names by its path.
func (r *resolver) rowFile(it *row.Item) (loc, error) {
	if e := r.byPath[it.Transcript]; e != nil {
		return e.loc, nil
	}
	l, ok := r.ofRow[it.Transcript]
	if !ok {
		var err error
		if l, err = r.findRowFile(it); err != nil {
			return l, err
		}
		if r.ofRow == nil {
			r.ofRow = map[string]loc{}
		}
		r.ofRow[it.Transcript] = l
	}
	return l, nil
}

// findRowFile looks for it. A file that is no longer there may have moved with its project: then its id decides.
func (r *resolver) findRowFile(it *row.Item) (loc, error) {
	l := loc{File: lane.Of(it.Transcript)}
	k := r.index.byID(l.ID)
	if k != nil {
		for _, at := range k.at {
			if at.Path == it.Transcript {
				l = at
				if l.Flat && l.Parent == "" && it.IsSubagent {
					l.Parent = it.ParentSessionID
				}
				return l, nil
			}
		}
	}
	if _, err := os.Stat(it.Transcript); err != nil {
		if k != nil && len(k.at) == 1 {
			r.note("%s is gone; reading %s instead", it.Transcript, k.at[0].Path)
			return k.at[0], nil
		}
		return loc{}, FileError{Path: it.Transcript, Err: err}
	}
	if l.Flat && it.IsSubagent {
		l.Parent = it.ParentSessionID
	}
	return l, nil
}

// onePlain holds show's rule: a target without a part is the only transcript.
func (r *resolver) onePlain(tokens []addr.Token) error {
	plain := 0
	for _, t := range tokens {
		if t.Range.Kind == addr.NoRange {
			plain++
		}
	}
	if plain > 0 && len(r.entries) > 1 {
		return fmt.Errorf("these targets name %d transcripts, and a plain target is exactly one; to name several write an address for each: %s",
			len(r.entries), addr.Line("@"+r.entries[0].ID, 1)+" "+addr.Line("@"+r.entries[1].ID, 1))
	}
	return nil
}

// finish fixes owners, order and counts.
func (r *resolver) finish() *Set {
	r.owners()
	if !r.req.One {
		slices.SortFunc(r.entries, func(a, b *entry) int { return strings.Compare(a.Path, b.Path) })
	}
	set := &r.set
	set.Transcripts = make([]Transcript, 0, len(r.entries))
	for _, e := range r.entries {
		t := Transcript{Path: e.Path, ID: e.ID, IsSubagent: e.Subagent, ParentID: e.Parent, Alone: e.Alone, AlsoAt: e.alsoAt, Relation: e.relation}
		k := r.index.byID(e.ID)
		t.ByPath = k == nil || len(k.at) != 1 || k.at[0].Path != e.Path
		if e.Subagent {
			set.Subagent++
			t.ParentMissing = !r.hasSession(e)
		} else {
			set.TopLevel++
		}
		if !e.whole || r.req.One { // a whole holds its parts; to show a target alone says nothing of what
			t.Narrow = e.narrow
		}
		set.Transcripts = append(set.Transcripts, t)
	}
	for _, f := range r.failed {
		switch {
		case !r.concerns(f.Path):
		case errors.Is(f.Err, os.ErrNotExist):
			r.note("%s is a link that leads nowhere", f.Path)
		default:
			set.Failed = append(set.Failed, f)
		}
	}
	set.PrefixLen = r.index.prefixLen()
	return set
}

// owners reads the parents of flat files that are not known yet.
func (r *resolver) owners() {
	var todo []*entry
	var paths []string
	for _, e := range r.entries {
		if e.Flat && e.Parent == "" {
			todo, paths = append(todo, e), append(paths, e.Path)
		}
	}
	origins, _ := lane.ReadOrigins(paths)
	for i, e := range todo {
		e.Parent = origins[i].SessionID
	}
}

// hasSession reports whether the session that a subagent belongs to has a
// transcript, in the home or in the project directory the file lies in.
func (r *resolver) hasSession(e *entry) bool {
	if e.Parent == "" {
		return false
	}
	if r.index.session(e.Parent) != nil {
		return true
	}
	if e.project != nil {
		return false
	}
	dir := filepath.Dir(e.Path)
	if !e.Flat {
		for filepath.Base(dir) != e.Parent && filepath.Dir(dir) != dir {
			dir = filepath.Dir(dir)
		}
		dir = filepath.Dir(dir)
	}
	_, err := os.Stat(filepath.Join(dir, e.Parent+".jsonl"))
	return err == nil
}

// concerns reports whether a path that could not be read may hold part of the
// answer. What lies below a project directory holds subagents.
func (r *resolver) concerns(path string) bool {
	if (r.req.One || !r.req.Subagents) && filepath.Dir(path) != r.dir {
		return false
	}
	if r.spanned[""] {
		return true
	}
	for dir := path; !r.spanned[dir]; {
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
	return true
}

func (r *resolver) note(format string, a ...any) {
	r.set.Notes = append(r.set.Notes, fmt.Sprintf(format, a...))
}

// listed reports an unusable projects directory, once something depends on it.
func (r *resolver) listed() error {
	if r.listErr == nil {
		return nil
	}
	if errors.Is(r.listErr, os.ErrNotExist) {
		return fmt.Errorf("no transcripts here: there is no directory %s", r.dir)
	}
	return r.listErr
}
