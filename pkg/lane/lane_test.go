package lane

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	idA = "5d0c1f3e-0000-4000-8000-00000000a001"
	idB = "77aa01bc-0000-4000-8000-00000000b002"
)

// tree makes the files named in paths, slash paths relative to a new directory.
// "a -> b" makes a link, any other content follows "=".
func tree(t *testing.T, paths ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, p := range paths {
		if link, to, ok := strings.Cut(p, " -> "); ok {
			if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
				t.Skip("no symlinks here:", err)
			}
			continue
		}
		name, content, _ := strings.Cut(p, "=")
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// paths gives the files of a listing relative to root, marked with what they are.
func paths(root string, projects []Project) []string {
	var out []string
	add := func(mark string, f File) {
		rel, _ := filepath.Rel(root, f.Path)
		out = append(out, mark+" "+filepath.ToSlash(rel)+" "+f.ID+" < "+f.Parent)
	}
	for _, p := range projects {
		for _, f := range p.Sessions {
			add("session", f)
		}
		for _, f := range p.Flat {
			add("flat", f)
		}
		for _, g := range p.Groups {
			mark := "agent"
			if g.NoTranscript {
				mark = "orphan"
			}
			for _, f := range g.Agents {
				add(mark, f)
			}
		}
	}
	return out
}

func TestList(t *testing.T) {
	root := tree(t,
		"-p/"+idA+".jsonl",
		"-p/"+idA+"/subagents/agent-a1b2c3d4e5f607189.jsonl",
		"-p/"+idA+"/subagents/agent-a1b2c3d4e5f607189.meta.json",
		"-p/"+idA+"/subagents/workflows/wf_1/agent-aScout-bdd061dedd8f0f64.jsonl",
		"-p/"+idA+"/subagents/workflows/wf_1/journal.jsonl",
		"-p/"+idA+"/subagents/csift-channel/agent-x.jsonl",
		"-p/"+idA+"/elicitations.jsonl",
		"-p/"+idA+"/tool-results/agent-no.jsonl",
		"-p/agent-afcdcc3.jsonl",
		"-p/agent-.jsonl",
		"-p/sessions-index.json",
		"-p/notes.jsonl",
		"-q/"+idB+"/subagents/agent-a19ccccccccccccc1.jsonl",
		"-r/"+idB+"/workflows/wf_1.json",
		"stray.jsonl",
	)
	projects, failed, err := List(root)
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	want := []string{
		"session -p/" + idA + ".jsonl " + idA + " < " + idA,
		"flat -p/agent-afcdcc3.jsonl afcdcc3 < ",
		"agent -p/" + idA + "/subagents/agent-a1b2c3d4e5f607189.jsonl a1b2c3d4e5f607189 < " + idA,
		"agent -p/" + idA + "/subagents/workflows/wf_1/agent-aScout-bdd061dedd8f0f64.jsonl aScout-bdd061dedd8f0f64 < " + idA,
		"orphan -q/" + idB + "/subagents/agent-a19ccccccccccccc1.jsonl a19ccccccccccccc1 < " + idB,
	}
	if diff := cmp.Diff(want, paths(root, projects)); diff != "" {
		t.Error(diff)
	}
	for _, p := range projects {
		for _, f := range append(p.Sessions, p.Flat...) {
			f.Alone = false // nothing is looked at by Of
			if diff := cmp.Diff(f, Of(f.Path)); diff != "" {
				t.Errorf("Of disagrees with List:\n%s", diff)
			}
		}
		for _, g := range p.Groups {
			for _, f := range g.Agents {
				if diff := cmp.Diff(f, Of(f.Path)); diff != "" {
					t.Errorf("Of disagrees with List:\n%s", diff)
				}
			}
		}
	}
}

func TestListFollowsLinksOnce(t *testing.T) {
	root := tree(t,
		"p/-real/"+idA+".jsonl",
		"store/"+idB+".jsonl",
		"p/-a -> -real",
		"p/-b -> ../store",
		"p/-c -> ../store",
		"p/-gone -> ../nowhere",
	)
	projects, failed, err := List(filepath.Join(root, "p"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"session p/-b/" + idB + ".jsonl " + idB + " < " + idB,
		"session p/-real/" + idA + ".jsonl " + idA + " < " + idA,
	}
	if diff := cmp.Diff(want, paths(root, projects)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"-c"}, {"-a"}}, [][]string{projects[0].Aliases, projects[1].Aliases}); diff != "" {
		t.Error(diff)
	}
	if len(failed) != 1 || filepath.Base(failed[0].Path) != "-gone" {
		t.Errorf("the link that leads nowhere is not reported: %v", failed)
	}
}

func TestListReportsWhatItCannotRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	root := tree(t, "-p/"+idA+".jsonl", "-q/"+idB+".jsonl")
	locked := filepath.Join(root, "-q")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(locked, 0o755) })
	projects, failed, err := List(root)
	if err != nil || len(failed) != 1 || failed[0].Path != locked || len(paths(root, projects)) != 1 {
		t.Errorf("%v %v %v", projects, failed, err)
	}
	if _, _, err := List(filepath.Join(root, "none")); err == nil {
		t.Error("a missing directory is no error")
	}
}

func TestOf(t *testing.T) {
	for path, want := range map[string]File{
		"/h/subagents/projects/-p/" + idA + ".jsonl": {ID: idA, Parent: idA},
		"/x/" + idA + "/subagents/odd.jsonl":         {ID: "odd", Parent: idA, Subagent: true},
		"/x/" + idA + "/subagents/" + idB + ".jsonl": {ID: idB, Parent: idB},
		"/x/agent-afcdcc3.jsonl":                     {ID: "afcdcc3", Subagent: true, Flat: true},
		"/x/rollout.jsonl":                           {ID: "rollout", Parent: "rollout"},
	} {
		want.Path = path
		if diff := cmp.Diff(want, Of(path)); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	for path, excluded := range map[string]bool{
		"/x/" + idA + "/elicitations.jsonl":                  true,
		"/x/" + idA + "/subagents/workflows/w/journal.jsonl": true,
		"/x/" + idA + "/csift-channel/in/1.jsonl":            true,
		"/x/" + idA + ".jsonl":                               false,
	} {
		if (Excluded(path) != "") != excluded {
			t.Errorf("Excluded(%q) = %q", path, Excluded(path))
		}
	}
}

func TestReadOrigin(t *testing.T) {
	big := strings.Repeat("x", 20<<10)
	for name, tc := range map[string]struct {
		content string
		want    Origin
	}{
		"first record":       {`{"cwd":"/a","sessionId":"s"}` + "\n", Origin{"s", "/a"}},
		"no line end":        {`{"cwd":"/a","sessionId":"s"}`, Origin{"s", "/a"}},
		"apart":              {`{"type":"summary"}` + "\n\n" + `{"sessionId":"s"}` + "\n" + `{"cwd":"/a","sessionId":"t"}`, Origin{"s", "/a"}},
		"nested is no fact":  {`{"x":{"cwd":"/no"},"cwd":"/a"}`, Origin{"", "/a"}},
		"behind a long line": {`{"m":"` + big + `"}` + "\n" + `{"m":"` + big + `","cwd":"/a","sessionId":"s"}` + "\n", Origin{"s", "/a"}},
		"torn line":          {`{"cwd":"/no","sessionId":"n` + "\n" + `{"cwd":"/a"}`, Origin{"", "/a"}},
		"two on one line":    {`{"type":"mode"}{"cwd":"/a","sessionId":"s"}`, Origin{"s", "/a"}},
		"mark, CR, escapes":  {"\xef\xbb\xbf" + `{"cwd":"C:\\x","sessionId":"s"}` + "\r\n", Origin{"s", `C:\x`}},
		"wrong type":         {`{"cwd":1,"sessionId":"s"}` + "\n" + `{"cwd":"/a"}`, Origin{"s", "/a"}},
		"last of two equal":  {`{"cwd":"/a","cwd":"/b"}`, Origin{"", "/b"}},
		"empty":              {"", Origin{}},
	} {
		path := filepath.Join(t.TempDir(), "t.jsonl")
		if err := os.WriteFile(path, []byte(tc.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadOrigin(path); err != nil || got != tc.want {
			t.Errorf("%s: got %v, %v; want %v", name, got, err, tc.want)
		}
	}
	if _, errs := ReadOrigins([]string{filepath.Join(t.TempDir(), "none")}); errs[0] == nil {
		t.Error("a missing file is no error")
	}
}

// A checkout without symbolic links leaves a file that holds the link's target.
func TestWrittenLink(t *testing.T) {
	home := t.TempDir()
	projects, store := filepath.Join(home, "projects"), filepath.Join(home, "store")
	const id = "0000001a-0000-4000-8000-000000000aaa"
	for _, dir := range []string{projects, store} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		store + "/" + id + ".jsonl": "{}\n", projects + "/-home-dev-linked": "../store", projects + "/-home-dev-again": "../store\n",
		projects + "/-home-dev-gone": "../nowhere", projects + "/-home-dev-text": "{}\n", projects + "/notes": "../store",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, failed, err := List(projects)
	if err != nil || len(failed) > 0 {
		t.Fatal(err, failed)
	}
	if len(got) != 1 || got[0].Name != "-home-dev-again" || len(got[0].Aliases) != 1 || len(got[0].Sessions) != 1 || got[0].Sessions[0].ID != id {
		t.Fatalf("%+v", got)
	}
}
