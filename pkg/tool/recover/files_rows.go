package recover

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// The kinds of rows of files. The first three are rolled up.
const (
	bucketKind   = "bucket"
	dirKind      = "dir"
	fileKind     = "file"
	mutationKind = "mutation"
	boundaryKind = "boundary"
)

// mutationRow is one change.
type mutationRow struct {
	Kind          string  `json:"kind"`
	row.Ref               // path is the changed file
	Line          int     `json:"line"`
	UUID          *string `json:"uuid"`
	Op            string  `json:"op"`
	UTC           *string `json:"ts_utc"`
	Local         *string `json:"ts_local"`
	Turn          *int    `json:"turn_index"`
	Survival      string  `json:"survival"`
	AbandonedRoot *int    `json:"abandoned_root_line"`
	Create        bool    `json:"is_create"`
	Heuristic     bool    `json:"heuristic"`
	Verb          *string `json:"verb"` // of a shell command's row
	Resolution    *string `json:"resolution"`
	Verbatim      *string `json:"path_verbatim"`
	Errored       bool    `json:"command_errored"`
	Detail        *string `json:"detail"`
}

func mutationRowOf(u *touched, m *fileops.Mutation) mutationRow {
	r := mutationRow{
		Kind: mutationKind, Ref: u.Ref(), Line: m.At.SourceLine, UUID: scope.OrNull(m.At.UUID), Op: string(m.Op), Turn: m.At.Turn, Survival: m.At.Survival,
		AbandonedRoot: m.At.AbandonedRoot, Create: m.Create, Heuristic: m.Heuristic, Verb: scope.OrNull(m.Verb), Resolution: scope.OrNull(m.Resolution),
		Verbatim: scope.OrNull(m.Verbatim), Errored: m.Errored, Detail: scope.OrNull(m.Detail),
	}
	r.Path = m.Path
	r.UTC, r.Local = when.Pair(m.At.Stamp)
	return r
}

// boundaryRow is an edit that was turned down.
type boundaryRow struct {
	Kind          string  `json:"kind"`
	row.Ref               // path is the file of the edit
	Line          int     `json:"line"`
	UUID          *string `json:"uuid"`
	Turn          *int    `json:"turn_index"`
	Survival      string  `json:"survival"`
	AbandonedRoot *int    `json:"abandoned_root_line"`
	Cause         string  `json:"cause"`
	UTC           *string `json:"ts_utc"`
	Local         *string `json:"ts_local"`
}

func boundaryRowOf(u *touched, b *fileops.Boundary) boundaryRow {
	r := boundaryRow{Kind: boundaryKind, Ref: u.Ref(), Line: b.At.SourceLine, UUID: scope.OrNull(b.At.UUID), Turn: b.At.Turn, Survival: b.At.Survival,
		AbandonedRoot: b.At.AbandonedRoot, Cause: b.Cause}
	r.Path = b.Path
	r.UTC, r.Local = when.Pair(b.At.Stamp)
	return r
}

// tally is what a transcript did below one path.
type tally struct {
	path                                                string
	write, edit, bash, multiEdit, notebookEdit, outside int
	abandoned, created                                  int
	heuristic                                           bool
	verbs                                               []string // of the bash rows, in order of appearance
	files                                               map[string]bool
	first, last                                         *fileops.Mutation // by time; nil when nothing is dated
}

func (t *tally) total() int {
	return t.write + t.edit + t.bash + t.multiEdit + t.notebookEdit + t.outside
}

func (t *tally) add(m *fileops.Mutation) {
	switch m.Op {
	case fileops.Write:
		t.write++
	case fileops.Edit:
		t.edit++
	case fileops.Bash:
		t.bash++
		if m.Verb != "" && !slices.Contains(t.verbs, m.Verb) {
			t.verbs = append(t.verbs, m.Verb)
		}
	case fileops.MultiEdit:
		t.multiEdit++
	case fileops.NotebookEdit:
		t.notebookEdit++
	case fileops.External:
		t.outside++
	}
	if m.At.Survival == "abandoned" {
		t.abandoned++
	}
	if m.Create {
		t.created++
	}
	t.heuristic = t.heuristic || m.Heuristic
	if !m.Marker {
		t.files[fileops.PathKey(m.Path)] = true
	}
	if m.At.Time.IsZero() {
		return
	}
	if t.first == nil || m.At.Time.Before(t.first.At.Time) {
		t.first = m
	}
	if t.last == nil || m.At.Time.After(t.last.At.Time) {
		t.last = m
	}
}

// tallyRow is a tally as a row. abandoned and created are shares of total.
type tallyRow struct {
	Kind          string  `json:"kind"`
	row.Ref               // path is what the row is rolled up by
	Write         int     `json:"write"`
	Edit          int     `json:"edit"`
	Bash          int     `json:"bash"`
	MultiEdit     int     `json:"multi_edit"`
	NotebookEdit  int     `json:"notebook_edit"`
	ExternalWrite int     `json:"external_write"`
	Total         int     `json:"total"`
	Abandoned     int     `json:"abandoned"`
	Created       int     `json:"created"`
	DistinctFiles int     `json:"distinct_files"`
	FirstUTC      *string `json:"first_utc"`
	FirstLocal    *string `json:"first_local"`
	LastUTC       *string `json:"last_utc"`
	LastLocal     *string `json:"last_local"`
}

func tallyRowOf(u *touched, kind string, t *tally) tallyRow {
	r := tallyRow{
		Kind: kind, Ref: u.Ref(), Write: t.write, Edit: t.edit, Bash: t.bash, MultiEdit: t.multiEdit, NotebookEdit: t.notebookEdit, ExternalWrite: t.outside,
		Total: t.total(), Abandoned: t.abandoned, Created: t.created, DistinctFiles: len(t.files),
	}
	r.Path = t.path
	if t.first != nil {
		r.FirstUTC, r.FirstLocal = when.Pair(t.first.At.Stamp)
		r.LastUTC, r.LastLocal = when.Pair(t.last.At.Stamp)
	}
	return r
}

// rolled gives the tallies of a transcript by path, in the order of the paths. Of several spellings the first stands.
func rolled(u *touched, by func(m *fileops.Mutation) string) []*tally {
	at := map[string]*tally{}
	var out []*tally
	for i := range u.mutations {
		m := &u.mutations[i]
		path := by(m)
		key := fileops.PathKey(path)
		t := at[key]
		if t == nil {
			t = &tally{path: path, files: map[string]bool{}}
			at[key] = t
			out = append(out, t)
		}
		t.add(m)
	}
	slices.SortFunc(out, func(a, b *tally) int { return strings.Compare(a.path, b.path) })
	return out
}

// level gives the kind of the rows of a level of detail, and what they are rolled up by.
func level(by string) (kind string, key func(m *fileops.Mutation) string) {
	switch by {
	case byDir:
		return dirKind, dirOf
	case byFile:
		return fileKind, fileOf
	}
	return bucketKind, bucketOf
}

func fileOf(m *fileops.Mutation) string { return m.Path }

// below gives, for each part of the tree that a transcript changed, the files in it.
func below(u *touched) map[string][]*tally {
	in := map[string]string{}
	for i := range u.mutations {
		if m := &u.mutations[i]; !m.Marker {
			in[fileops.PathKey(m.Path)] = fileops.PathKey(bucketOf(m))
		}
	}
	out := map[string][]*tally{}
	for _, t := range rolled(u, fileOf) {
		if part, ok := in[fileops.PathKey(t.path)]; ok {
			out[part] = append(out[part], t)
		}
	}
	return out
}

// elsewhere is the directory of what has none that is known: a relative path, or one that the shell makes up.
const elsewhere = "./"

// dirOf gives the directory of a file, by either kind of slash. A class of commands has none and stays itself.
func dirOf(m *fileops.Mutation) string {
	if m.Marker {
		return m.Path
	}
	switch i := strings.LastIndexAny(m.Path, `/\`); {
	case i < 0:
		return elsewhere
	case i == 0:
		return m.Path[:1]
	default:
		return m.Path[:i]
	}
}

// bucketDepth is how many components of a directory a bucket keeps: /home/u/project/part.
const bucketDepth = 4

// bucketOf gives the part of the tree that a file lies in.
func bucketOf(m *fileops.Mutation) string {
	if m.Marker {
		return m.Path
	}
	dir := dirOf(m)
	if m.Resolution == "unresolved" || !(path.IsAbs(m.Path) || strings.HasPrefix(m.Path, `\\`) || len(m.Path) > 2 && m.Path[1] == ':') {
		return elsewhere
	}
	n := 0
	for i := 1; i < len(dir); i++ {
		if dir[i] != '/' && dir[i] != '\\' {
			continue
		}
		if n++; n == bucketDepth {
			return dir[:i]
		}
	}
	return dir
}

// filesSummary is the last row.
type filesSummary struct {
	Kind       string `json:"kind"`
	Sessions   int    `json:"sessions"`
	Files      int    `json:"distinct_files"`
	Mutations  int    `json:"total_mutations"`
	Boundaries int    `json:"edit_before_read_boundaries"`
	Skipped    int    `json:"skipped_lines"`
	Unreadable int    `json:"unreadable_files"`
	Level      string `json:"detail_level"`

	*scope.Crossing
}

// summary adds up the answer.
func (j *filesJob) summary() filesSummary {
	s := filesSummary{Kind: row.SummaryKind, Skipped: j.skipped, Unreadable: j.env.UnreadFiles(), Level: cmp.Or(j.opt.By, bySummary), Crossing: j.chain.Crossing()}
	owners, files := map[string]bool{}, map[string]bool{}
	for _, u := range j.touched {
		owners[ownerOf(u.Transcript)] = true
		s.Mutations += len(u.mutations)
		s.Boundaries += len(u.boundaries)
		for i := range u.mutations {
			if m := &u.mutations[i]; !m.Marker {
				files[fileops.PathKey(m.Path)] = true
			}
		}
	}
	s.Sessions, s.Files = len(owners), len(files)
	return s
}

// timeline puts the changes of a transcript in order of time, those without one last.
func timeline(u *touched) []fileops.Mutation {
	out := slices.Clone(u.mutations)
	slices.SortStableFunc(out, func(a, b fileops.Mutation) int {
		switch {
		case a.At.Time.IsZero() != b.At.Time.IsZero():
			if a.At.Time.IsZero() {
				return 1
			}
			return -1
		default:
			return a.At.Time.Compare(b.At.Time)
		}
	})
	return out
}

// rows gives the rows of a transcript.
func (j *filesJob) rows(u *touched) (out []any) {
	if j.opt.By == byTimeline {
		for _, m := range timeline(u) {
			out = append(out, mutationRowOf(u, &m))
		}
	} else {
		kind, key := level(j.opt.By)
		var files map[string][]*tally
		if j.opt.By == "" {
			files = below(u)
		}
		for _, t := range rolled(u, key) {
			out = append(out, tallyRowOf(u, kind, t))
			for _, f := range files[fileops.PathKey(t.path)] {
				out = append(out, tallyRowOf(u, fileKind, f))
			}
		}
	}
	for i := range u.boundaries {
		out = append(out, boundaryRowOf(u, &u.boundaries[i]))
	}
	return out
}

func (j *filesJob) printJSON() error {
	w := row.NewWriter(j.env.Out)
	if err := w.Write(scope.HeaderOf("files", j.set)); err != nil {
		return err
	}
	for _, u := range j.touched {
		for _, r := range j.rows(u) {
			if err := w.Write(r); err != nil {
				return err
			}
		}
	}
	return w.Write(j.summary())
}
