package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is what a set says about copies.
type told struct {
	Names                                      []string
	Relation                                   string
	Duplicates, Dropped, Divergent, Unreadable int
	Notes                                      int
}

func tell(root string, s *Set) told {
	d := told{names(root, s), "", s.Duplicates, s.DuplicateRecordsDropped, s.Divergent, s.UnreadableCopies, len(s.Notes)}
	for _, t := range s.Transcripts {
		if t.Relation != "" {
			d.Relation = t.Relation
		}
	}
	return d
}

func TestCopies(t *testing.T) {
	one := at("/home/dev/b", idA)
	two := one + "\n" + at("/home/dev/b", idA, "more")
	other := at("/home/dev/b", idA, "something else")
	a, b, c := "-home-dev-a/"+idA+".jsonl", "-home-dev-b/"+idA+".jsonl", "-home-dev-c/"+idA+".jsonl"
	for name, tc := range map[string]struct {
		files map[string]string
		want  told
	}{
		"identical: the directory of the recorded cwd stands": {map[string]string{a: one, b: one, c: one},
			told{[]string{b}, Identical, 2, 2, 0, 0, 1}},
		"identical, cwd elsewhere: the first path stands": {map[string]string{a: one, c: one},
			told{[]string{a}, Identical, 1, 1, 0, 0, 1}},
		"prefix: the longest stands": {map[string]string{a: two, b: one},
			told{[]string{a}, Prefix, 1, 1, 0, 0, 1}},
		"prefix with a torn end": {map[string]string{a: two, b: strings.TrimSuffix(two, "\n")[:len(two)-20]},
			told{[]string{a}, Prefix, 1, 3, 0, 0, 1}},
		"an empty copy": {map[string]string{a: "", b: one},
			told{[]string{b}, Prefix, 1, 0, 0, 0, 1}},
		"divergent: all stand": {map[string]string{a: two, b: other},
			told{[]string{a, b}, Divergent, 0, 0, 2, 0, 1}},
		"one of three diverges: all stand": {map[string]string{a: two, b: other, c: one},
			told{[]string{a, b, c}, Divergent, 0, 0, 3, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			root := homeOf(t, tc.files)
			for _, tokens := range [][]string{nil, {"@" + idA}, {"@all", "@5d0c"}} {
				set, err := ask(root, false, nil, tokens...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, tell(root, set)); diff != "" {
					t.Errorf("%q:\n%s\n%s", tokens, diff, set.Notes)
				}
				for _, tr := range set.Transcripts {
					if len(tr.AlsoAt) != len(tc.files)-1 {
						t.Errorf("also at %q", tr.AlsoAt)
					}
				}
			}
			if _, err := ask(root, false, func(r *Request) { r.One = true }, "@"+idA); err == nil || !strings.Contains(err.Error(), a) {
				t.Errorf("one transcript: %v", err)
			}
		})
	}
}

func TestCopyThatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	a, b := "-home-dev-a/"+idA+".jsonl", "-home-dev-b/"+idA+".jsonl"
	root := homeOf(t, map[string]string{a: at("/x", idA), b: at("/x", idA)})
	if err := os.Chmod(filepath.Join(root, "projects", a), 0); err != nil {
		t.Fatal(err)
	}
	set, err := ask(root, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told{[]string{a, b}, Unknown, 0, 0, 0, 1, 1}, tell(root, set)); diff != "" {
		t.Error(diff)
	}
}

// A project directory that was copied carries the subagents with it. The sessions'
// note speaks for them, but nothing that only the copy has gets lost.
func TestCopiedProjectWithSubagents(t *testing.T) {
	side := "/" + idA + "/subagents/agent-"
	same, more := at("/home/dev/a", idA), at("/home/dev/a", idA, "more")
	files := map[string]string{
		"-home-dev-a/" + idA + ".jsonl":         same,
		"-home-dev-b/" + idA + ".jsonl":         same,
		"-home-dev-a" + side + agent + ".jsonl": same,
		"-home-dev-b" + side + agent + ".jsonl": same,
	}
	want := told{[]string{"-home-dev-a/" + idA + ".jsonl", "-home-dev-a" + side + agent + ".jsonl"}, Identical, 1, 1, 0, 0, 1}
	root := homeOf(t, files)
	for _, tokens := range [][]string{nil, {"@5d0c"}} {
		set, err := ask(root, false, nil, tokens...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, tell(root, set)); diff != "" {
			t.Error(diff)
		}
	}
	files["-home-dev-b"+side+agent+".jsonl"] = strings.Replace(more, "hello", "hallo", 1)
	files["-home-dev-b"+side+mate+".jsonl"] = more
	root = homeOf(t, files)
	set, err := ask(root, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Transcripts) != 4 || set.Divergent != 2 {
		t.Errorf("%+v", tell(root, set))
	}
	// The agent named by its id is merged too.
	set, err = ask(homeOf(t, map[string]string{
		"-home-dev-a" + side + agent + ".jsonl": same,
		"-home-dev-b" + side + agent + ".jsonl": same,
	}), false, nil, "@"+agent)
	if err != nil || len(set.Transcripts) != 1 || set.Duplicates != 1 {
		t.Errorf("%+v %v", set, err)
	}
}
