package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/row"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// script saves a transcript of the given lines.
func script(t testing.TB, name string, lines ...string) File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return File{Ref: row.Ref{SessionID: name, Transcript: path, Path: path}}
}

// places gives the related records of a seed as line or line.part, sorted.
func places(t testing.TB, f File, seed Seed) string {
	t.Helper()
	var got []string
	for _, slow := range []bool{false, true} {
		files := []File{f}
		if err := Relate(context.Background(), files, seed, &Query{Slow: slow, Crossings: -1}); err != nil {
			return err.Error()
		}
		got = append(got, spell(files[0].Related))
	}
	if got[0] != got[1] {
		t.Errorf("fast %s, slow %s", got[0], got[1])
	}
	return got[0]
}

func spell(r Related) string {
	var all []Place
	for p := range r {
		all = append(all, p)
	}
	slices.SortFunc(all, Place.compare)
	var words []string
	for _, p := range all {
		if p.Part == 0 {
			words = append(words, fmt.Sprint(p.Line))
		} else {
			words = append(words, fmt.Sprintf("%d.%d", p.Line, p.Part))
		}
	}
	return strings.Join(words, " ")
}

// says, asks, calls and answers are records with a uuid and a parent.
func says(id, parent string) string {
	return linked("assistant", id, parent, `"message":{"content":[{"type":"text","text":"x"}]}`)
}

func asks(id, parent string) string {
	return linked("user", id, parent, `"message":{"role":"user","content":"go"}`)
}

func calls(id, parent, use, name string) string {
	return linked("assistant", id, parent, `"message":{"content":[{"type":"tool_use","id":"`+use+`","name":"`+name+`","input":{}}]}`)
}

func answers(id, parent, use, more string) string {
	return linked("user", id, parent, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+use+`","content":"ok"}]}`+more)
}

func linked(kind, id, parent, more string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return `{"type":"` + kind + `","uuid":"` + id + `","parentUuid":` + p + `,` + more + `}`
}

func TestRelate(t *testing.T) {
	pulse := linked("user", "p1", "a4", `"message":{"role":"user","content":"<task-notification><tool-use-id>t1</tool-use-id><summary>Background command x</summary></task-notification>"}`)
	auq := `,"toolUseResult":{"answers":{"Which?":"A"}}`
	for _, tc := range []struct {
		name  string
		lines []string
		seed  Seed
		want  string
	}{
		{"the rest of its turn", []string{asks("a1", ""), says("a2", "a1"), says("a3", "a2"), asks("b1", "a3"), says("b2", "b1")}, Seed{Line: 1}, "2 3"},
		{"by its uuid", []string{asks("a1", ""), says("a2", "a1"), says("a3", "a2"), asks("b1", "a3"), says("b2", "b1")}, Seed{UUID: "a2"}, "3"},
		{"the last one of its turn", []string{asks("a1", ""), says("a2", "a1"), asks("b1", "a2"), says("b2", "b1")}, Seed{Line: 2}, ""},
		{"a call's result and report", []string{asks("a1", ""), calls("a2", "a1", "t1", "Bash"), answers("a3", "a2", "t1", ""), says("a4", "a3"), pulse, says("p2", "p1"), asks("b1", "p2"), says("b2", "b1")}, Seed{Line: 2}, "3 4 5 6"},
		{"a result", []string{asks("a1", ""), calls("a2", "a1", "t1", "Bash"), answers("a3", "a2", "t1", ""), says("a4", "a3"), pulse, says("p2", "p1")}, Seed{Line: 3}, "4"},
		{"an answer opens another turn", []string{asks("a1", ""), calls("a2", "a1", "t1", "AskUserQuestion"), answers("a3", "a2", "t1", auq), says("a4", "a3"), asks("b1", "a4")}, Seed{Line: 1}, "2 3 4"},
		{"a cycle of parents", []string{asks("a1", ""), says("a2", "a3"), says("a3", "a2"), says("a4", "a3")}, Seed{Line: 2}, "3 4"},
		{"its own parent", []string{asks("a1", "a1"), says("a2", "a1")}, Seed{Line: 1}, "2"},
		{"boundary and summary name each other", []string{asks("a1", ""),
			linked("system", "b1", "", `"subtype":"compact_boundary","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"a1","anchorUuid":"b2","tailUuid":"a1"}}`),
			linked("user", "b2", "b1", `"isCompactSummary":true,"message":{"role":"user","content":"sum"}`), says("b3", "b2"), asks("c1", "b3")}, Seed{Line: 2}, "3 4"},
		{"the boundary above what it keeps", []string{asks("a1", ""),
			linked("system", "b1", "", `"subtype":"compact_boundary","logicalParentUuid":"a1","compactMetadata":{"preservedSegment":{"headUuid":"a1","anchorUuid":"b2","tailUuid":"a1"}}`),
			linked("user", "b2", "b1", `"isCompactSummary":true,"message":{"role":"user","content":"sum"}`)}, Seed{Line: 1}, "2 3"},
		{"lines that are no part of the conversation", []string{asks("a1", ""), says("a2", "a1"), `{"type":"last-prompt","leafUuid":"a2"}`, `{"type":"file-history-snapshot","messageId":"a2"}`, `{"type":"last-prompt","leafUuid":"a1"}`}, Seed{Line: 2}, "3 4"},
		{"nothing leads to such a line", []string{asks("a1", ""), `{"type":"last-prompt","leafUuid":"a1"}`}, Seed{Line: 2}, ""},
		{"two records on its line", []string{asks("a1", ""), says("a2", "a1") + says("a3", "a1"), says("a4", "a3"), says("a5", "a2")}, Seed{Line: 2}, "3 4"},
		{"the second record of a line", []string{asks("a1", ""), says("a2", "a1") + says("a3", "a2")}, Seed{UUID: "a2"}, "2.1"},
		{"a child before its parent", []string{says("a2", "a1"), asks("a1", "")}, Seed{Line: 2}, "1"},
		{"a replay copy is asked after with its survivor", []string{asks("a1", ""), says("a2", "a1"), asks("a1", ""), says("a2", "a1"), says("a3", "a2")}, Seed{Line: 2}, "5"},
		{"and answers for it", []string{asks("a1", ""), says("a2", "a1"), asks("a1", ""), says("a2", "a1"), says("a3", "a2")}, Seed{Line: 4}, "2 5"},
		{"a rewound prompt and its branch", []string{asks("a1", ""), says("a2", "a1"), asks("l1", "a2"), says("l2", "l1"), asks("r1", "a2"), says("r2", "r1")}, Seed{Line: 5}, "3 4 6"},
		{"damage around it", []string{asks("a1", ""), "{broken", "", says("a2", "a1")[3:], says("a3", "a1")}, Seed{Line: 1}, "5"},
		{"no such line", []string{asks("a1", "")}, Seed{Line: 2}, ErrNoRecord.Error()},
		{"a line that is no record", []string{asks("a1", ""), "{broken"}, Seed{Line: 2}, ErrNoRecord.Error()},
		{"no such uuid", []string{asks("a1", "")}, Seed{UUID: "zz"}, ErrNoRecord.Error()},
		{"words that are no uuid", []string{asks("a1", "")}, Seed{UUID: "go"}, ErrNoRecord.Error()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, places(t, script(t, "s", tc.lines...), tc.seed)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// A uuid that several files carry is asked after in all of them, and files without it are left with nothing.
func TestRelateFiles(t *testing.T) {
	lines := []string{asks("a1", ""), says("a2", "a1")}
	files := []File{script(t, "one", lines...), script(t, "two", asks("b1", ""), says("b2", "b1")), script(t, "three", append(lines, says("a3", "a2"))...)}
	if err := Relate(context.Background(), files, Seed{UUID: "a1"}, &Query{Crossings: -1}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range files {
		got = append(got, spell(files[i].Related))
	}
	if d := cmp.Diff([]string{"2", "", "2 3"}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for _, a := range []ask{{}, {labels: []string{"agent"}}, {pattern: "x", bare: true}, {turn: "0"}, {turn: "1"}, {count: ByForKind}, {count: ByLabel}} {
		a.crossings = -1
		agree(t, files, a, 2)
	}
	q, _ := ask{crossings: -1}.query(false, 2)
	res, err := Run(context.Background(), files, q, nil)
	if err != nil || res.Records != 3 || res.Files[1].Records != 0 {
		t.Errorf("%d records found: %v", res.Records, err)
	}
	files[0].Transcript += "x"
	if err := Relate(context.Background(), files, Seed{UUID: "a1"}, q); err != nil {
		t.Errorf("one file that is not there hides the others: %v", err)
	}
	if err := Relate(context.Background(), files, Seed{File: 0, Line: 1}, q); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file it is asked for in: %v", err)
	}
}

func TestRelateCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Relate(ctx, []File{script(t, "s", asks("a1", ""))}, Seed{Line: 1}, &Query{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// naive follows the relations the plain way: over and over, until nothing is added.
func naive(t *testing.T, file *File, seed Place) Related {
	b, err := os.ReadFile(file.Transcript)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonl.Chunk{B: b, First: true, Last: true}
	var part transcript.Part
	w := transcript.Walker{InLane: file.IsSubagent}
	w.Chunk(c, &part)
	s := transcript.Join([]*transcript.Part{&part}, file.IsSubagent)
	var links []link
	var sec section.Builder
	w.Record = func(r *record.Record, loc transcript.Loc) {
		ctx := ContextFor(s, loc)
		secs := append(slices.Clone(sec.Sections(r, &ctx)), section.Section{Block: -1})
		if len(secs) > 1 {
			secs = secs[:len(secs)-1]
		}
		for i := range secs {
			for _, e := range (*section.Space)(nil).Edges(r, &secs[i], s, loc) {
				crosses := e.Kind == section.EdgeParent && s.Unit(loc.Line, loc.Part) != s.Unit(e.At.Line, e.At.Part)
				if e.Line != nil && !crosses {
					links = append(links, link{Place{e.At.Line, e.At.Part}, Place{loc.Line, loc.Part}})
				}
			}
		}
	}
	w.Chunk(c, &transcript.Part{})
	out := Related{seed: true}
	for more := true; more; {
		more = false
		for _, l := range links {
			if out[l.to] && !out[l.from] {
				out[l.from], more = true, true
			}
		}
	}
	delete(out, seed)
	return out
}

func TestRelateSamples(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../../testdata/versions", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		b, _ := os.ReadFile(path)
		f := File{Ref: row.Ref{Transcript: path, IsSubagent: strings.HasPrefix(filepath.Base(path), "agent-")}}
		lines := bytes.Count(b, []byte("\n"))
		for line := 1 + n%7; line <= lines; line += max(1, lines/3) {
			files := []File{f}
			err := Relate(context.Background(), files, Seed{Line: line}, &Query{Crossings: -1})
			if errors.Is(err, ErrNoRecord) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			n++
			if loc := (Place{Line: int32(line)}); copyOf(t, path, line) == 0 {
				if d := cmp.Diff(spell(naive(t, &f, loc)), spell(files[0].Related)); d != "" {
					t.Errorf("%s:%d (-naive +got):\n%s", path, line, d)
				}
			}
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Fatalf("%d records: %v", n, err)
	}
}

func copyOf(t *testing.T, path string, line int) int {
	f, err := transcript.Open(path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Structure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	n, _ := s.CopyOf(int32(line), 0)
	return n
}

// The census by relation counts a record once for each word, and agrees with the edges of the records it counts.
func TestForKind(t *testing.T) {
	f := script(t, "s", asks("a1", ""), calls("a2", "a1", "t1", "Bash"),
		linked("assistant", "a3", "a2", `"message":{"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}`),
		answers("a4", "a3", "t1", ""), says("a5", "zz"))
	q, err := ask{count: ByForKind, crossings: -1}.query(false, 2)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), []File{f}, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"parent 4", "result_of 1"}, answerOf(res, q).Counts); d != "" || res.Excluded != 1 {
		t.Errorf("%d outside (-want +got):\n%s", res.Excluded, d)
	}
	agree(t, []File{f}, ask{count: ByForKind, crossings: -1}, 2)
}
