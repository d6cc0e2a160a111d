package target

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
	"csift/pkg/row"
)

const (
	idA   = "5d0c1f3e-0000-4000-8000-00000000a001"
	idB   = "77aa01bc-0000-4000-8000-00000000b002"
	idC   = "77aa01bc-0000-4000-8000-00000000c003"
	agent = "a1b2c3d4e5f607189"
	mate  = "aScout-bdd061dedd8f0f64"
)

// at makes the records of a transcript that was recorded in cwd by session id.
func at(cwd, id string, texts ...string) string {
	var b strings.Builder
	for _, t := range append([]string{"hello"}, texts...) {
		fmt.Fprintf(&b, `{"type":"user","cwd":%q,"sessionId":%q,"message":{"role":"user","content":%q}}`+"\n", cwd, id, t)
	}
	return b.String()
}

// homeOf makes a claude home whose projects directory holds files: slash paths with
// their content. Content that starts with "-> " makes a link.
func homeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		name = filepath.Join(root, "projects", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(content, "-> "); ok {
			if err := os.Symlink(to, name); err != nil {
				t.Skip("no symlinks here:", err)
			}
			continue
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// ask resolves with the usual request: subagents spanned, a cwd that is elsewhere.
func ask(root string, windows bool, change func(*Request), tokens ...string) (*Set, error) {
	req := Request{Tokens: tokens, Subagents: true, Root: root, Cwd: root, Getenv: func(string) string { return "" }}
	if change != nil {
		change(&req)
	}
	return resolve(req, windows)
}

// names gives the transcripts of a set, relative to the projects directory.
func names(root string, s *Set) []string {
	var out []string
	for _, t := range s.Transcripts {
		rel, err := filepath.Rel(filepath.Join(root, "projects"), t.Path)
		if err != nil {
			rel = t.Path
		}
		for _, n := range t.Narrow {
			rel += fmt.Sprintf(" %s%d%s", n.Range, n.Line, n.UUID)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out
}

const (
	fileA      = "-home-dev-app/" + idA + ".jsonl"
	fileAgent  = "-home-dev-app/" + idA + "/subagents/agent-" + agent + ".jsonl"
	fileMate   = "-home-dev-app/" + idA + "/subagents/workflows/wf_1/agent-" + mate + ".jsonl"
	fileFlat   = "-home-dev-app/agent-afcdcc3.jsonl"
	fileB      = "-home-dev-lib/" + idB + ".jsonl"
	fileOrphan = "-home-dev-lib/" + idC + "/subagents/agent-c19ccccccccccccc1.jsonl"
)

func usual(t *testing.T) string {
	return homeOf(t, map[string]string{
		fileA:      at("/home/dev/app", idA),
		fileAgent:  at("/home/dev/app", idA),
		fileMate:   at("/home/dev/app", idA),
		fileFlat:   at("/home/dev/app", idA),
		fileB:      at("/home/dev/lib", idB),
		fileOrphan: at("/home/dev/lib", idC),
		"-home-dev-app/" + idA + "/subagents/workflows/wf_1/journal.jsonl": "{}\n",
		"-home-dev-app/" + idA + "/elicitations.jsonl":                     `{"csift":"elicitation-marker-v1"}` + "\n",
	})
}

func TestTokens(t *testing.T) {
	root := usual(t)
	projects := filepath.Join(root, "projects")
	everything := []string{fileA, fileAgent, fileMate, fileFlat, fileB, fileOrphan}
	slices.Sort(everything)
	app := []string{fileA, fileAgent, fileMate, fileFlat}
	for _, tc := range []struct {
		name    string
		tokens  []string
		want    []string
		wantErr string
	}{
		{"none", nil, everything, ""},
		{"all", []string{"@all"}, everything, ""},
		{"uuid spans its subagents, flat ones too", []string{"@" + idA}, app, ""},
		{"prefix", []string{"@5d0c"}, app, ""},
		{"dashed prefix", []string{"@5d0c1f3e-0000-4000"}, app, ""},
		{"dashless prefix beyond the first group", []string{"@5d0c1f3e000"}, app, ""},
		{"two tokens are one set", []string{"@5d0c", "@" + idA, "@" + agent}, app, ""},
		{"agent alone", []string{"@" + agent}, []string{fileAgent}, ""},
		{"agent by its beginning", []string{"@a1b2c3d4e5f6"}, []string{fileAgent}, ""},
		{"agent by a prefix", []string{"@a1b2c3"}, []string{fileAgent}, ""},
		{"agent with a name", []string{"@" + mate}, []string{fileMate}, ""},
		{"short agent id is exact", []string{"@afcdcc3"}, []string{fileFlat}, ""},
		{"address narrows and spans nothing", []string{"@5d0c:3..4", "@5d0c:t-1"}, []string{fileA + " 3..40 t-10"}, ""},
		{"whole wins over a part", []string{"@" + agent + ":3", "@" + agent}, []string{fileAgent}, ""},
		{"project by sigil", []string{"@-home-dev-app"}, app, ""},
		{"project by bare name", []string{"-home-dev-lib"}, []string{fileB, fileOrphan}, ""},
		{"project by path", []string{filepath.Join(projects, "-home-dev-app")}, app, ""},
		{"cwd gone from disk", []string{"/home/dev/app"}, app, ""},
		{"cwd with dots", []string{"/home/dev/x/../app/"}, app, ""},
		{"transcript by path", []string{filepath.Join(projects, fileA)}, app, ""},
		{"subagent by relative path", []string{"projects/" + fileAgent}, []string{fileAgent}, ""},
		{"session that left only subagents", []string{"@" + idC}, []string{fileOrphan}, ""},

		{"ambiguous prefix", []string{"@77aa01bc"}, nil, "@77aa01bc is ambiguous, 2 ids begin with it:\n  @" + idB},
		{"unknown uuid", []string{"@11111111-0000-4000-8000-000000000000"}, nil, "looked in the 2 project directories of " + projects},
		{"unknown prefix", []string{"@1111"}, nil, "no transcript has an id that begins with 1111"},
		{"too short", []string{"@ab"}, nil, "too short"},
		{"bare uuid", []string{idA}, nil, "@" + idA},
		{"main without a session", []string{"@main"}, nil, "CLAUDE_CODE_SESSION_ID is not set"},
		{"unknown project", []string{"-home-x"}, nil, "no project directory " + filepath.Join(projects, "-home-x")},
		{"unknown cwd", []string{"/home/dev/app/sub"}, nil, "no directory " + filepath.Join(projects, "-home-dev-app-sub") + "; the nearest directory above with transcripts is /home/dev/app"},
		{"the projects directory", []string{projects}, nil, "@all"},
		{"teammate", []string{"@Scout@session-5d0c1f3e"}, nil, "no teammate has the address"},
		{"sidecar", []string{"projects/-home-dev-app/" + idA + "/elicitations.jsonl"}, nil, "elicitation sidecar"},
		{"journal", []string{"projects/-home-dev-app/" + idA + "/subagents/workflows/wf_1/journal.jsonl"}, nil, "journal"},
		{"no such file", []string{"x.jsonl"}, nil, "cannot read " + filepath.Join(root, "x.jsonl")},
		{"address of what is gone", []string{"@" + idC + ":3"}, nil, "the transcript of session " + idC + " is gone"},
		{"one bad target fails all", []string{"@" + idA, "@1111"}, nil, "1111"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, err := ask(root, false, nil, tc.tokens...)
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Errorf("error %v, want one with %q", err, tc.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, names(root, set)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOwnersAndCounts(t *testing.T) {
	root := usual(t)
	set, err := ask(root, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if set.TopLevel != 2 || set.Subagent != 4 {
		t.Errorf("%d + %d", set.TopLevel, set.Subagent)
	}
	for _, tr := range set.Transcripts {
		rel, _ := filepath.Rel(filepath.Join(root, "projects"), tr.Path)
		parent, missing := idA, false
		switch rel {
		case fileB:
			parent = idB
		case fileOrphan:
			parent, missing = idC, true
		}
		if tr.ParentID != parent || tr.ParentMissing != missing || tr.IsSubagent != (rel != fileA && rel != fileB) {
			t.Errorf("%+v", tr)
		}
	}
	set, err = ask(root, false, func(r *Request) { r.Subagents = false })
	if err != nil || set.Subagent != 0 || set.TopLevel != 2 {
		t.Errorf("%+v %v", set, err)
	}
	if _, err = ask(root, false, func(r *Request) { r.Subagents = false }, "@"+idC); err == nil {
		t.Error("a session that left only subagents is found without them")
	}
	set, err = ask(root, false, func(r *Request) { r.Subagents = false }, "@"+agent)
	if err != nil || set.Subagent != 1 {
		t.Errorf("an agent that was named: %+v %v", set, err)
	}
}

func TestMain(t *testing.T) {
	root := usual(t)
	env := func(k string) string { return map[string]string{"CODEX_COMPANION_SESSION_ID": idB}[k] }
	set, err := ask(root, false, func(r *Request) { r.Getenv = env }, "@main:t-1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{fileB + " t-10"}, names(root, set)); diff != "" || len(set.Notes) != 1 {
		t.Error(diff, set.Notes)
	}
}

func TestOne(t *testing.T) {
	root := usual(t)
	for _, tc := range []struct {
		name    string
		tokens  []string
		want    []string
		wantErr string
	}{
		{"session alone", []string{"@5d0c"}, []string{fileA}, ""},
		{"the only session of a project", []string{"/home/dev/app"}, []string{fileA}, ""},
		{"addresses keep their order", []string{"@" + idB + ":1", "@5d0c:3", "@" + idB + ":t0"}, []string{fileB + " 10 t00", fileA + " 30"}, ""},
		{"two plain targets", []string{"@5d0c", "@" + idB}, nil, "exactly one"},
		{"plain and an address elsewhere", []string{"@5d0c", "@" + idB + ":1"}, nil, "exactly one"},
		{"plain and an address of it", []string{"@5d0c", "@5d0c:1"}, []string{fileA + " 10"}, ""},
		{"an address and its whole", []string{"@5d0c:t4", "@" + idA, "@5d0c:1"}, []string{fileA + " t40 10"}, ""},
		{"subagents alone", []string{"@" + idC}, nil, "is gone"},
	} {
		set, err := ask(root, false, func(r *Request) { r.One = true }, tc.tokens...)
		if tc.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
				t.Errorf("%s: error %v, want one with %q", tc.name, err, tc.wantErr)
			}
			continue
		}
		if err != nil {
			t.Fatal(tc.name, err)
		}
		if diff := cmp.Diff(tc.want, names(root, set)); diff != "" {
			t.Error(tc.name, diff)
		}
	}
}

func TestLists(t *testing.T) {
	root := usual(t)
	set, err := ask(root, false, func(r *Request) { r.SessionsFromGiven = true })
	if err != nil || len(set.Transcripts) != 0 {
		t.Errorf("an empty list: %+v, %v", set, err)
	}
	set, err = ask(root, false, func(r *Request) { r.ItemsGiven = true })
	if err != nil || len(set.Transcripts) != 0 {
		t.Errorf("rows that name nothing: %+v, %v", set, err)
	}
	set, err = ask(root, false, func(r *Request) { r.SessionsFromGiven, r.SessionsFrom = true, []string{idA, "@" + idB} })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{fileA, fileAgent, fileMate, fileFlat, fileB}, names(root, set)); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"nonsense", "11111111", "@all"} {
		if _, err = ask(root, false, func(r *Request) { r.SessionsFromGiven, r.SessionsFrom = true, []string{bad} }); err == nil {
			t.Errorf("%q in a list is no error", bad)
		}
	}
}

func TestItems(t *testing.T) {
	root := usual(t)
	abs := func(rel string) string { return filepath.Join(root, "projects", rel) }
	tok := func(s string) addr.Token {
		t.Helper()
		tk, err := addr.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return tk
	}
	items := []row.Item{
		{Ref: row.Ref{SessionID: idB, Transcript: abs(fileB)}, Kind: "session"},
		{Ref: row.Ref{SessionID: idA, Transcript: abs(fileA)}, Line: 7, UUID: "u7"},
		{Token: tok("@5d0c:9"), ID: "5d0c", Range: tok("@5d0c:9").Range},
		{Ref: row.Ref{SessionID: "afcdcc3", IsSubagent: true, ParentSessionID: idB, Transcript: abs(fileFlat)}, Line: 1},
		{Ref: row.Ref{SessionID: idA, Transcript: abs("-home-dev-old/" + idA + ".jsonl")}, Line: 8},
	}
	set, err := ask(root, false, func(r *Request) { r.Items, r.ItemsGiven = items, true })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fileA + " 7u7 90 8", fileFlat + " 1", fileB}
	got := names(root, set)
	for i := range got { // Range prints nothing for a line or uuid
		got[i] = strings.ReplaceAll(got[i], "  ", " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(set.Notes) != 1 || !strings.Contains(set.Notes[0], "is gone; reading") {
		t.Errorf("%q", set.Notes)
	}
	if set.Transcripts[1].ParentID != idB {
		t.Errorf("the row's owner is not taken: %+v", set.Transcripts[1])
	}
	gone := []row.Item{{Ref: row.Ref{SessionID: "x", Transcript: "/no/such.jsonl"}}}
	if _, err := ask(root, false, func(r *Request) { r.Items, r.ItemsGiven = gone, true }); err == nil {
		t.Error("a row whose file is gone is no error")
	}
	// Rows can come from a home that is not the one at hand.
	set, err = ask(t.TempDir(), false, func(r *Request) { r.Items, r.ItemsGiven = items[:2], true })
	if err != nil || len(set.Transcripts) != 2 {
		t.Errorf("%+v %v", set, err)
	}
}

func TestUnreadableProjectDoesNotStopTheRest(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	root := usual(t)
	locked := filepath.Join(root, "projects", "-home-dev-lib")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o755) })
	set, err := ask(root, false, nil)
	if err != nil || len(set.Failed) != 1 || set.TopLevel != 1 {
		t.Errorf("%+v %v", set, err)
	}
	if set, err = ask(root, false, nil, "@5d0c"); err != nil || len(set.Failed) != 0 {
		t.Errorf("a directory that has nothing to do with the answer: %+v %v", set, err)
	}
	if _, err = ask(root, false, nil, "@"+idB); err == nil || !strings.Contains(err.Error(), "could not be read") {
		t.Errorf("%v", err)
	}
	if _, err = ask(root, false, nil, "-home-dev-lib"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("%v", err)
	}
}

func TestPrefixLen(t *testing.T) {
	for name, tc := range map[string]struct {
		ids  []string
		want int
	}{
		"apart":             {[]string{idA, idB}, 8},
		"empty":             {nil, 8},
		"same first group":  {[]string{"77aa01bc-1000-4000-8000-000000000000", "77aa01bc-2000-4000-8000-000000000000"}, 13},
		"same to the third": {[]string{"77aa01bc-1000-4000-8000-000000000000", "77aa01bc-1000-4001-8000-000000000000"}, 18},
		"apart at the end":  {[]string{idB, idC}, 36},
	} {
		files := map[string]string{}
		for _, id := range tc.ids {
			files["-p/"+id+".jsonl"] = ""
		}
		files["-p/agent-"+mate+".jsonl"] = ""
		set, err := ask(homeOf(t, files), false, nil)
		if err != nil || set.PrefixLen != tc.want {
			t.Errorf("%s: %d, want %d (%v)", name, set.PrefixLen, tc.want, err)
			continue
		}
		for _, id := range tc.ids {
			if _, err := ask(homeOf(t, files), false, nil, "@"+addr.Short(id, set.PrefixLen)); err != nil {
				t.Errorf("%s: the short form of %s: %v", name, id, err)
			}
		}
	}
}
