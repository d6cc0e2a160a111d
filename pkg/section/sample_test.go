package section

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// samples calls fn with every sample transcript.
func samples(t *testing.T, fn func(path string, b []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		b, err := os.ReadFile(path)
		n++
		fn(path, b)
		return err
	})
	if err != nil || n < 100 {
		t.Fatalf("%d sample transcripts: %v", n, err)
	}
}

// sampleRecords calls fn with every whole record of the sample transcripts and its line.
func sampleRecords(t *testing.T, fn func(path string, n int, line []byte, r *record.Record)) {
	t.Helper()
	samples(t, func(path string, b []byte) {
		var r record.Record
		for n, line := range bytes.Split(b, []byte("\n")) {
			if line = jsonl.Trim(line, n == 0); record.Decode(line, &r) {
				fn(path, n+1, line, &r)
			}
		}
	})
}

// The text of a section is valid UTF-8, and the same whether or not the file around it is known; but for the plan of a
// typed rejection. Labels change only where a section says that they may. Of a line of the queue there may be two texts, of
// which context leaves one.
func TestContextChangesNoText(t *testing.T) {
	plans, changed := 0, 0
	samples(t, func(path string, b []byte) {
		lane := strings.HasPrefix(filepath.Base(path), "agent-")
		var walker transcript.Walker
		walker.InLane = lane
		var part transcript.Part
		walker.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, &part)
		st := transcript.Join([]*transcript.Part{&part}, lane)
		var bare, full Builder
		again := transcript.Walker{InLane: lane, Record: func(r *record.Record, loc transcript.Loc) {
			c := ContextOf(st, loc)
			want, got := bare.Sections(r, nil), full.Sections(r, &c)
			if r.Type.Is("queue-operation") && len(want) == 2 && len(got) == 1 && want[0].Loose && want[1].Loose {
				want = slices.DeleteFunc(want, func(s Section) bool { return s.Labels[0] != got[0].Labels[0] })
			}
			if len(want) != len(got) {
				t.Fatalf("%s:%d: %d sections without context, %d with it", path, loc.Line, len(want), len(got))
			}
			for i := range got {
				w, g := string(want[i].Append(nil)), string(got[i].Append(nil))
				if plan := strings.Index(g, " [plan: "); w != g && plan > 0 && g[:plan] == w && r.Opens(true) == record.Rejection {
					plans++
				} else if w != g {
					t.Errorf("%s:%d: context changes the text %q to %q", path, loc.Line, w, g)
				}
				if !utf8.ValidString(g) {
					t.Errorf("%s:%d: not UTF-8: %q", path, loc.Line, g)
				}
				if want[i].Block != got[i].Block || want[i].OneRow != got[i].OneRow {
					t.Errorf("%s:%d: context moves section %d", path, loc.Line, i)
				}
				if g := parts(got[i : i+1]); cmp.Diff(parts(want[i : i+1])[0].Labels, g[0].Labels) != "" {
					if changed++; !want[i].Loose {
						t.Errorf("%s:%d: context changes the labels to %s", path, loc.Line, g[0].Labels)
					}
				}
				if want[i].OneRow && strings.ContainsAny(w, "\n\t") {
					t.Errorf("%s:%d: %q is not on one row", path, loc.Line, w)
				}
			}
		}}
		again.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, &transcript.Part{})
	})
	if plans == 0 || changed == 0 {
		t.Errorf("%d plans, %d labels that context changes: the samples do not show what this test is for", plans, changed)
	}
}

// A file that another program wrote again, with blanks between tokens and escapes it need not have, says the same.
func TestRespeltRecords(t *testing.T) {
	var one, other Builder
	sampleRecords(t, func(path string, n int, line []byte, r *record.Record) {
		if n%3 != 0 || len(line) > 100_000 || bytes.Contains(line, []byte("\\ud")) || !utf8.Valid(line) {
			return
		}
		want := parts(one.Sections(r, nil))
		for every := 1; every < 4; every += 2 {
			again := decode(t, strings.TrimSpace(string(respell(line, every))))
			if d := cmp.Diff(want, parts(other.Sections(again, nil))); d != "" {
				t.Fatalf("%s:%d (-as written +written again):\n%s", path, n, d)
			}
			for _, lane := range []bool{false, true} {
				if r.Opens(lane) != again.Opens(lane) {
					t.Fatalf("%s:%d opens as %d, written again as %d", path, n, r.Opens(lane), again.Opens(lane))
				}
			}
			if Delivered(r) != Delivered(again) || cmp.Diff(Images(r, 1), Images(again, 1)) != "" {
				t.Fatalf("%s:%d: facts differ when written again", path, n)
			}
		}
	})
}

// checkSections holds the sections of any record against what the package promises.
func checkSections(t *testing.T, line []byte) {
	t.Helper()
	var r record.Record
	if !record.Decode(line, &r) {
		return
	}
	var bare, full Builder
	c := known()
	c.Seed = r.Opens(true) == record.Prompt
	c.Inline = true
	want, got := bare.Sections(&r, nil), full.Sections(&r, c)
	if len(want) != len(got) {
		t.Fatalf("%d sections without context, %d with it: %q", len(want), len(got), line)
	}
	for i := range got {
		w, g := string(want[i].Append(nil)), string(got[i].Append(nil))
		if !utf8.ValidString(w) || !utf8.ValidString(g) {
			t.Fatalf("not UTF-8: %q of %q", g, line)
		}
		if w != g && !(r.Opens(true) == record.Rejection && strings.HasPrefix(g, w+" [plan: ")) {
			t.Fatalf("context changes %q to %q: %q", w, g, line)
		}
	}
	if !bytes.Contains(line, []byte("\\u")) {
		if bad := unmade(string(line), want, map[string]bool{}); len(bad) > 0 {
			t.Fatalf("%q stand neither in the line nor among the made words: %q", bad, line)
		}
	}
	Delivered(&r)
	Images(&r, 1)
}

func FuzzSections(f *testing.F) {
	for _, tc := range specimens {
		f.Add([]byte(tc.line))
	}
	f.Fuzz(checkSections)
}
