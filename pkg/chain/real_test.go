package chain

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"csift/pkg/record"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// readRows reads a transcript line by line, the plain way.
func readRows(t testing.TB, path string) *Rows {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lane := strings.HasPrefix(filepath.Base(path), "agent-")
	var (
		rows Rows
		in   record.Interner
		r    record.Record
	)
	for n, line := range bytes.Split(b, []byte("\n")) {
		if record.Decode(bytes.TrimSpace(line), &r) {
			rows.Mark(&r, &in)
			opens := r.Opens(lane) != record.NoOpening
			if r.UUID != nil || opens || r.Type.Is("user") || r.Type.Is("assistant") {
				rows.Add(&r, int32(n+1), opens, &in)
			}
		}
	}
	return &rows
}

const data = "../../testdata/"

// all lists the transcripts in testdata.
func all(t *testing.T) (paths []string) {
	t.Helper()
	for _, root := range []string{"versions", "cases"} {
		err := filepath.WalkDir(data+root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

func TestRealTranscriptsEqualNaive(t *testing.T) {
	files, abandoned := 0, 0
	for _, path := range all(t) {
		rows := readRows(t, path)
		if len(rows.Nodes) > 2000 {
			continue
		}
		files++
		for _, budget := range []int{0, 1, AllCrossings} {
			got := Resolve(rows, Options{Crossings: budget})
			n := newNaive(rows, budget)
			states, roots, lost, leaf, source := n.resolve()
			if got.Root == nil {
				got.Root = slices.Repeat([]int32{None}, len(rows.Nodes))
			}
			openers, of := n.turns(states)
			for _, d := range []string{
				cmp.Diff(leaf, int(got.Leaf)), cmp.Diff(source, got.Source), cmp.Diff(n.cross, got.Crossing), cmp.Diff(states, got.State, cmpopts.EquateEmpty()),
				cmp.Diff(roots, got.Root, cmpopts.EquateEmpty()), cmp.Diff(lost, got.Lost), cmp.Diff(openers, got.Opener), cmp.Diff(of, got.Of, cmpopts.EquateEmpty()),
			} {
				if d != "" {
					t.Errorf("%s, budget %d (-naive +got):\n%s", path, budget, d)
				}
			}
			abandoned += got.Abandoned
		}
	}
	if files < 100 || abandoned < 20 {
		t.Errorf("%d files with %d abandoned records: too few to mean something", files, abandoned)
	}
}

// lines gives runs of the lines whose records have a verdict: "20-39 44".
func lines(rows *Rows, r *Result, verdict string) string {
	var runs []string
	from, to, last := int32(0), int32(0), 0
	flush := func() {
		if from > 0 {
			runs = append(runs, fmt.Sprintf("%d-%d", from, to))
		}
		from = 0
	}
	for i := range rows.Nodes {
		if r.Verdict(int32(i)) != verdict {
			continue
		}
		if from > 0 && i == last+1 {
			to, last = rows.Nodes[i].Line, i
			continue
		}
		flush()
		from, to, last = rows.Nodes[i].Line, rows.Nodes[i].Line, i
	}
	flush()
	return strings.Join(runs, " ")
}

// openerLines gives the lines of the numbered openers.
func openerLines(rows *Rows, r *Result) (out []int32) {
	for _, o := range r.Opener {
		out = append(out, rows.Nodes[o].Line)
	}
	return out
}

func TestRealTranscripts(t *testing.T) {
	for _, tc := range []struct {
		path                        string
		openers                     []int32
		precut, rewound, lost, rest string
	}{
		// Asked, edited and asked a third time, rewound to before the edit, asked a fourth and a fifth time, summarized from
		// the fifth on. Claude Code shows the fourth question as the second turn.
		{"versions/2.1.258/clear/*/*/8416a074*", []int32{8, 40, 55, 70, 80}, "55-62", "20-39", "",
			"leaf 86 by tail; floor 67 boundary-loop; crossed 0; drafts 0, rewound 2, copies 0"},
		// The same session branched: the preserved part stands twice.
		{"versions/2.1.258/clear/*/*/0849d47f*", []int32{27, 37, 48, 56, 71}, "", "", "",
			"leaf 84 by last-prompt; floor 23 boundary-loop; crossed 0; drafts 0, rewound 0, copies 22"},
		// Compacted in the middle of the second turn: its last records are preserved, its prompt is not. The reply in lines 7
		// and 8 stands before its prompt.
		{"versions/2.1.258/autocompact/*/*/*", []int32{10, 19, 36, 45}, "7-20", "", "",
			"leaf 51 by last-prompt; floor 30 boundary-loop; crossed 0; drafts 0, rewound 0, copies 0"},
		{"versions/2.1.258/queue/*/*/*", []int32{6, 27, 34, 39, 46, 56, 61, 66}, "", "", "",
			"leaf 78 by last-prompt; floor 6 head; crossed 0; drafts 0, rewound 0, copies 0"},
		// Compacted by hand, then twice by itself. What the last compaction kept stands in lines 131 to 137.
		{"versions/2.1.332/compact/*/*/*", []int32{6, 33, 57, 83, 118, 129, 168, 183}, "6-129", "", "",
			"leaf 189 by last-prompt; floor 138 boundary-loop; crossed 0; drafts 0, rewound 0, copies 0"},
		{"versions/2.1.332/session/*/*/3fb8b2b5*", []int32{3, 34, 46}, "", "", "",
			"leaf 52 by last-prompt; floor 3 head; crossed 0; drafts 0, rewound 0, copies 0"},
		{"versions/2.1.332/session/*/*/6a1d8a83*", []int32{6, 22, 27, 32}, "", "", "",
			"leaf 44 by last-prompt; floor 6 head; crossed 0; drafts 0, rewound 0, copies 0"},
		// Its first parent is in another file.
		{"versions/1.0.128/session/*/*/c4436e27*", []int32{2}, "", "", "",
			"leaf 6 by tail; floor 2 dangling-parent; crossed 0; drafts 0, rewound 0, copies 0"},
		{"cases/29-*/*/*/*", []int32{7, 9, 11, 15}, "", "", "",
			"leaf 16 by tail; floor 9 head; crossed 2; drafts 0, rewound 0, copies 4"},
		{"cases/31-*/*/*/*", []int32{1, 5}, "", "", "3-3",
			"leaf 6 by last-prompt; floor 1 head; crossed 0; drafts 0, rewound 0, copies 0"},
		{"cases/33-*/*/*/*", []int32{1, 3}, "1-2", "", "",
			"leaf 4 by tail; floor 3 dangling-parent; crossed 0; drafts 0, rewound 0, copies 0"},
	} {
		t.Run(tc.path, func(t *testing.T) {
			paths, _ := filepath.Glob(data + tc.path + ".jsonl")
			if len(paths) != 1 {
				t.Fatalf("files: %v", paths)
			}
			rows := readRows(t, paths[0])
			r := Resolve(rows, Options{Crossings: DefaultCrossings})
			if d := cmp.Diff(tc.openers, openerLines(rows, r)); d != "" {
				t.Errorf("openers (-want +got):\n%s", d)
			}
			for verdict, want := range map[string]string{"pre-cut": tc.precut, "rewound": tc.rewound, "abandoned": tc.lost} {
				if got := lines(rows, r, verdict); got != want {
					t.Errorf("%s: lines %s, want %s", verdict, got, want)
				}
			}
			rest := fmt.Sprintf("leaf %d by %s; floor %d %s; crossed %d; drafts %d, rewound %d, copies %d", rows.Nodes[r.Leaf].Line, r.Source,
				rows.Nodes[r.Crossing.Floor].Line, r.Crossing.Cause, r.Crossing.Crossed, r.Drafts, r.Rewound, r.Copies)
			if rest != tc.rest {
				t.Errorf("got %s, want %s", rest, tc.rest)
			}
		})
	}
}

func TestRealBranchPoints(t *testing.T) {
	for _, tc := range []struct{ path, want string }{
		{"versions/2.1.258/clear/*/*/8416a074*", "18: 20 rewound, 40 live; live 40, 12.445 s\n"},
		{"versions/2.1.258/clear/*/*/0849d47f*", ""},
		{"versions/2.1.332/compact/*/*/*", ""},
		{"cases/31-*/*/*/*", "1: 2 live, 3 abandoned; live 2, 5 s\n"},
		{"cases/33-*/*/*/*", ""},
		{"cases/35-*/*/*/*", ""},
		{"cases/49-*/*/*/*", ""},
	} {
		paths, _ := filepath.Glob(data + tc.path + ".jsonl")
		if len(paths) != 1 {
			t.Fatalf("files: %v", paths)
		}
		rows := readRows(t, paths[0])
		r := Resolve(rows, Options{Crossings: DefaultCrossings})
		var got strings.Builder
		for _, b := range r.BranchPoints() {
			fmt.Fprintf(&got, "%d:", rows.Nodes[b.Node].Line)
			for k, c := range b.Children {
				if k > 0 {
					got.WriteByte(',')
				}
				fmt.Fprintf(&got, " %d %s", rows.Nodes[c].Line, r.Verdict(c))
			}
			live := int32(0)
			if b.Live != None {
				live = rows.Nodes[b.Live].Line
			}
			fmt.Fprintf(&got, "; live %d, %v s\n", live, float64(b.Gap)/1000)
		}
		if got.String() != tc.want {
			t.Errorf("%s: got %q, want %q", tc.path, got.String(), tc.want)
		}
	}
}
