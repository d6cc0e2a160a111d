package recover

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/cli"
	"csift/pkg/jsonl"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

func TestValidSlug(t *testing.T) {
	for s, want := range map[string]bool{
		"calm-testing-otter": true, "7": true, "a": true, "a--": true, "pure-drifting-Knuth": true,
		strings.Repeat("a", 120): true, strings.Repeat("a", 121): false,
		"": false, "-a": false, "A": false, "a/b": false, `a\b`: false, "..": false, "a.b": false, "a b": false, "ä": false, "aä": false, "a\x00": false,
	} {
		if validSlug(s) != want {
			t.Errorf("validSlug(%q) = %v", s, !want)
		}
	}
}

func TestNamesFile(t *testing.T) {
	for s, want := range map[string]bool{
		"/home/u/.claude/plans/x.md": true, `C:\p\x.md`: true, "C:/p/x": true, "/home/u/plan": true, "docs/x.md": true, "~/x.md": true,
		"[harness text, 61 characters]": false, "none": false,
	} {
		if namesFile(s) != want {
			t.Errorf("namesFile(%q) = %v", s, !want)
		}
	}
}

// planLineOf gives a line of about any kind that can stand in a transcript.
func planLineOf(r *rand.Rand) string {
	slug := [...]string{"calm-otter", "bold-plan", "../x", "calm-otter", "calm-otter"}[r.IntN(5)]
	path := fmt.Sprintf("/p/%s-%d.md", slug, r.IntN(3))
	switch r.IntN(14) {
	case 0:
		return fmt.Sprintf(`{"type":"attachment","uuid":"u%d","attachment":{"type":"plan_mode","planFilePath":"%s"},"slug":"%s"}`, r.IntN(99), path, slug)
	case 1:
		return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"ExitPlanMode","input":{"plan":"p","planFilePath":"%s"}}]}}`, path)
	case 2:
		return `{"type":"tools-used","tools":["ExitPlanMode","Read"],"sessionId":"s"}`
	case 3:
		return fmt.Sprintf(`{"type":"user","planContent":"# Plan","slug":"%s"}`, slug)
	case 4:
		return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Write","input":{"slug":"%s"}}]},"slug":"calm-otter"}`, slug)
	case 5:
		return fmt.Sprintf(`{"type":"user","message":{"content":"\"slug\":\"%s\""},"sl\u0075g":"%s"}`, slug, slug)
	case 6:
		return fmt.Sprintf(`{"type":"attachment","attachment":{"type":"plan_mode","planFilePath":"%s"`, path) // torn
	case 7:
		return fmt.Sprintf(`{"type":"user","slug":"%s"}{"type":"user","slug":"bold-plan","uuid":"x"}`, slug)
	case 8:
		return fmt.Sprintf(`{"type":"user", "slug" : "%s"}`, slug)
	case 9:
		return ""
	case 10:
		return `{"type":"user","message":{"content":"` + strings.Repeat("words and words ", r.IntN(900)) + `"},"slug":"calm-otter"}` + "\r"
	case 11:
		return `{"type":"attachment","attachment":{"type":"plan_mode","planFilePath":"[harness text]"}}`
	case 12:
		return `{"type":"system","subtype":"compact_boundary","slug":"` + slug + `"}`
	}
	return `{"type":"user","slug":"calm-otter","timestamp":"2026-03-02T09:00:00.000Z","forkedFrom":{"sessionId":"f"}}`
}

// What the gate lets through and what several goroutines read is what one finds who parses every line.
func TestReadPlanNotesEqualsSlow(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		var b bytes.Buffer
		if seed%2 == 1 {
			b.WriteString("\ufeff")
		}
		for size := r.IntN(5 << 20); b.Len() < size; {
			b.WriteString(planLineOf(r) + "\n")
		}
		b.WriteString(planLineOf(r))
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		slow, err := readPlanNotes(context.Background(), path, true, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 4} {
			fast, err := readPlanNotes(context.Background(), path, false, workers)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(slow, fast, places); diff != "" {
				t.Fatalf("seed %d, %d workers: %s", seed, workers, diff)
			}
		}
		if len(slow.Said) == 0 && b.Len() > 1<<20 {
			t.Errorf("seed %d says nothing", seed)
		}
	}
}

// Lines are counted over the whole file.
func TestPlanLines(t *testing.T) {
	text := "\n" + `{"type":"user"}` + "\n" + `{"type":"user","slug":"one"}` + "\r\n\r\n" +
		`{"type":"attachment","uuid":"u","timestamp":"2026-03-02T09:00:00.000Z","attachment":{"type":"plan_mode_exit","planFilePath":"/p/x.md"},"slug":"two"}`
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := readPlanNotes(context.Background(), path, false, 2)
	if err != nil {
		t.Fatal(err)
	}
	at := planPlace{Line: 5, UUID: "u", Stamp: "2026-03-02T09:00:00.000Z"}
	want := &planNotes{
		Said:  []planStatement{{planPlace: at, Path: "/p/x.md", By: "plan_mode_exit", Slug: "two"}},
		Slugs: []slugMark{{planPlace: planPlace{Line: 3}, Slug: "one"}, {planPlace: at, Slug: "two"}},
	}
	if diff := cmp.Diff(want, got, places); diff != "" {
		t.Error(diff)
	}
}

// places lets tests look at where records stand.
var places = cmp.AllowUnexported(planStatement{}, slugMark{})

func FuzzPlanGate(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 40 {
		f.Add([]byte(planLineOf(r) + "\n" + planLineOf(r)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := jsonl.Chunk{B: b, First: true, Last: true}
		var fast, slow planPart
		var one, two planReader
		one.gated(c, &fast)
		two.every(c, &slow)
		if diff := cmp.Diff(slow.planNotes, fast.planNotes, places); diff != "" {
			t.Error(diff)
		}
	})
}

func saidAt(line int, path, by string) planStatement {
	return planStatement{planPlace: planPlace{Line: line}, Path: path, By: by}
}

func TestHistory(t *testing.T) {
	d := newPlanDirs(context.Background(), planTestEnv(t, nil))
	for name, c := range map[string]struct {
		notes planNotes
		want  []string // path, line and what says so
	}{
		"nothing": {},
		"the last statement is the binding": {
			planNotes{Said: []planStatement{saidAt(1, "/a.md", "plan_mode"), saidAt(5, "/b.md", "plan_mode")}},
			[]string{"/b.md:5 plan_mode", "/a.md:1 plan_mode"},
		},
		"each file once, by its newest record": {
			planNotes{Said: []planStatement{saidAt(1, "/a.md", "plan_mode"), saidAt(5, "/b.md", "plan_mode"), saidAt(9, "/a.md", "plan_mode"), saidAt(12, "/a.md", "plan_mode")}},
			[]string{"/a.md:12 plan_mode", "/b.md:5 plan_mode"},
		},
		"plan_mode stands for others": {
			planNotes{Said: []planStatement{saidAt(1, "/a.md", "plan_mode"), saidAt(3, "/a.md", "plan_mode"), saidAt(5, "/a.md", exitPlanMode), saidAt(6, "/a.md", "plan_mode_exit")}},
			[]string{"/a.md:3 plan_mode"},
		},
		"without one the newest": {
			planNotes{Said: []planStatement{saidAt(5, "/a.md", exitPlanMode), saidAt(6, "/a.md", "plan_mode_exit")}},
			[]string{"/a.md:6 plan_mode_exit"},
		},
		"another spelling is no other file": {
			planNotes{Said: []planStatement{saidAt(1, "/x/../a.md", "plan_mode"), saidAt(5, "/a.md", "plan_mode")}},
			[]string{"/a.md:5 plan_mode"},
		},
		"a statement outweighs a slug": {
			planNotes{Said: []planStatement{saidAt(5, "/a.md", "plan_mode")}, Slugs: []slugMark{{planPlace: planPlace{Line: 1}, Slug: "s"}}},
			[]string{"/a.md:5 plan_mode"},
		},
	} {
		p := planned{t: &target.Transcript{ID: "s1", Path: "/none"}, notes: &c.notes}
		var got []string
		for _, b := range d.history(&p) {
			got = append(got, fmt.Sprintf("%s:%d %s", b.File, b.Line, b.By))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// planTestEnv gives an environment with a home that holds files, and no session that calls.
func planTestEnv(t *testing.T, files map[string]string) *cli.Env {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &cli.Env{
		Prog: "csift", Verb: "plan", Front: true, Home: root, Cwd: root, Getenv: func(string) string { return "" },
		Out: stdio.NewOut(nil), Stderr: io.Discard, Banner: io.Discard,
	}
}

func TestBoundPlan(t *testing.T) {
	const one, two, three = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	plan := func(path string) string {
		return `{"type":"user","cwd":"/p","message":{"content":"x"}}` + "\n" +
			`{"type":"attachment","attachment":{"type":"plan_mode","planFilePath":"` + path + `"}}` + "\n"
	}
	env := planTestEnv(t, map[string]string{
		"projects/-p/" + one + ".jsonl":                            plan("/plans/old.md") + plan("/plans/a.md"),
		"projects/-p/" + one + "/subagents/agent-a111111111.jsonl": plan("/plans/a-agent-a111111111.md"),
		"projects/-p/" + two + ".jsonl":                            `{"type":"user","cwd":"/p","slug":"calm"}` + "\n",
		"projects/-p/" + three + ".jsonl":                          `{"type":"user","cwd":"/p"}` + "\n",
		"projects/-p/" + three + "/subagents/agent-a3333333.jsonl": plan("/plans/c-agent-a3333333.md"),
	})
	for name, c := range map[string]struct {
		words []string
		want  string
		err   string
	}{
		"the session's own before its subagents'": {[]string{"@" + one}, "/plans/a.md", ""},
		"a slug":             {[]string{"@" + two}, filepath.Join(env.Home, "plans", "calm.md"), ""},
		"only a subagent's":  {[]string{"@" + three}, "/plans/c-agent-a3333333.md", ""},
		"one with, one not":  {[]string{"@" + one, "@" + three}, "/plans/a.md", ""},
		"different ones":     {[]string{"@" + one, "@" + two}, "", "2 different plan files are bound here: @11111111 /plans/a.md, @22222222 "},
		"a subagent by name": {[]string{"@a111111111"}, "/plans/a-agent-a111111111.md", ""},
	} {
		set, err := target.Resolve(target.Request{Tokens: c.words, Subagents: true, Root: env.Home, Cwd: env.Cwd, Getenv: env.Getenv})
		if err != nil {
			t.Fatal(err)
		}
		got, err := boundPlan(context.Background(), env, set)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := boundPlan(context.Background(), env, &target.Set{}); err == nil || !strings.Contains(err.Error(), "no plan file is bound") {
		t.Errorf("an empty scope: %v", err)
	}
}

func TestStemGate(t *testing.T) {
	gate := stemGate("/p/calm-testing-otter.md")
	for line, want := range map[string]bool{
		`{"slug":"calm-testing-otter"}`:              true,
		`{"slug":"calm-testing-otter","x":1}`:        true,
		`{"planFilePath":"/P/CALM-Testing-otter.md"`: true,
		`{"slug":"calm\u002dtesting-otter"}`:         true,
		`{"slug":"calm-testing-ox"}`:                 false,
	} {
		if got := gate.Index([]byte(line)) >= 0; got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	// A subagent's file is found by the slug before its id; what has several spellings by nothing.
	if stemGate("/p/calm-agent-a0c3784.md").Index([]byte(`{"slug":"calm"}`)) < 0 {
		t.Error("the slug of a subagent is not found")
	}
	for _, none := range []string{"/p/plän.md", "/p/.md", "/"} {
		if stemGate(none) != nil {
			t.Errorf("%s has a gate", none)
		}
	}
}

func TestFew(t *testing.T) {
	var all []string
	for i := range 10 {
		all = append(all, fmt.Sprint(i))
	}
	if got := few(all[:8], ", "); got != "0, 1, 2, 3, 4, 5, 6, 7" {
		t.Error(got)
	}
	if got := few(all, ", "); got != "0, 1, 2, 3, 4, 5, 6, 7, and 2 more" {
		t.Error(got)
	}
}

func TestPlanKey(t *testing.T) {
	for _, pair := range [][2]string{
		{"/a/./b.md", "/a/b.md"}, {`C:\P\x.md`, `c:/p/X.md`}, {"/a/e\u0301.md", "/a/\u00e9.md"},
	} {
		if planKey(pair[0]) != planKey(pair[1]) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
	if planKey("/a/B.md") == planKey("/a/b.md") {
		t.Error("case is told apart on Unix")
	}
}
