package specimen

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIDs(t *testing.T) {
	for name, want := range map[string]string{
		"s1":           "73310000-0000-4000-8000-000000000000",
		"u12345":       "75313233-3435-4000-8000-000000000000",
		"a-longer-one": "",
	} {
		got := ID(name)
		if len(got) != 36 || got[14] != '4' || !strings.ContainsRune("89ab", rune(got[19])) {
			t.Errorf("ID(%q) = %s: not a uuid", name, got)
		}
		if want != "" && got != want {
			t.Errorf("ID(%q) = %s, want %s", name, got, want)
		}
	}
	if got := AgentID("ag"); got != "a6167000000000000" {
		t.Error(got)
	}
}

func TestParse(t *testing.T) {
	home, err := Parse(`
# a session and a lane of it
session s1 cwd=/home/u/app start=2026-03-02T09:00:00.000Z
user u1 "why?" promptSource=typed origin={"kind":"human"}
tool_use a1 Bash {"command":"ls"}
tool_result r1 a1 "no" is_error=true
user u2 - "again ${a1}" -gitBranch message.x=1
line last-prompt {"leafUuid":"${u2}"}
torn 5 user u3 "gone"
joined raw "x\xffy"
blank
raw {not json
set version=1.0.128
at +1h
user u4 "late"
nonl
agent g1 of=s1 type=Explore meta={"toolUseId":"toolu_a1"}
user q1 "go"
`)
	if err != nil {
		t.Fatal(err)
	}
	tail := func(v string) string {
		return `"userType":"external","entrypoint":"cli","cwd":"/home/u/app","sessionId":"73310000-0000-4000-8000-000000000000","version":"` + v + `"`
	}
	id := func(name string) string { return `"` + ID(name) + `"` }
	want := strings.Join([]string{
		`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"why?"},"uuid":` + id("u1") + `,"timestamp":"2026-03-02T09:00:00.000Z",` + tail("2.1.332") + `,"gitBranch":"main","promptSource":"typed","origin":{"kind":"human"}}`,
		`{"parentUuid":` + id("u1") + `,"isSidechain":false,"message":{"id":"msg_a1","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"toolu_a1","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":1000,"output_tokens":40}},"type":"assistant","uuid":` + id("a1") + `,"timestamp":"2026-03-02T09:00:01.000Z",` + tail("2.1.332") + `,"gitBranch":"main"}`,
		`{"parentUuid":` + id("a1") + `,"isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_a1","type":"tool_result","content":"no","is_error":true}]},"uuid":` + id("r1") + `,"timestamp":"2026-03-02T09:00:02.000Z",` + tail("2.1.332") + `,"gitBranch":"main"}`,
		`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"again ` + ID("a1") + `","x":1},"uuid":` + id("u2") + `,"timestamp":"2026-03-02T09:00:03.000Z",` + tail("2.1.332") + `}`,
		`{"type":"last-prompt","leafUuid":` + id("u2") + `,"sessionId":"73310000-0000-4000-8000-000000000000"}`,
		"{\"parx\xffy",
		``,
		`{not json`,
		`{"parentUuid":` + id("u3") + `,"isSidechain":false,"type":"user","message":{"role":"user","content":"late"},"uuid":` + id("u4") + `,"timestamp":"2026-03-02T10:00:05.000Z",` + tail("1.0.128") + `,"gitBranch":"main"}`,
	}, "\n")
	path := "projects/-home-u-app/73310000-0000-4000-8000-000000000000.jsonl"
	if diff := cmp.Diff(want, string(home.Files[path])); diff != "" {
		t.Error(diff)
	}
	lane := strings.TrimSuffix(path, ".jsonl") + "/subagents/agent-a6731000000000000"
	if got := string(home.Files[lane+".meta.json"]); got != `{"agentType":"Explore","toolUseId":"toolu_a1"}` {
		t.Error(got)
	}
	if got := string(home.Files[lane+".jsonl"]); !strings.HasPrefix(got, `{"parentUuid":null,"isSidechain":true,"agentId":"a6731000000000000","type":"user"`) {
		t.Error(got)
	}
	if home.Lines["u4"] != 9 || home.Lines["q1"] != 1 {
		t.Error(home.Lines)
	}
}

// TestLongText is the shape of a line that no fixed buffer holds.
func TestLongText(t *testing.T) {
	home, err := Parse("session s1\nuser u1 \"ab \"*99999\"ab\"\" \"*1\n")
	if err != nil {
		t.Fatal(err)
	}
	var rec struct{ Message struct{ Content string } }
	if err := json.Unmarshal(home.Files[home.Paths["s1"]], &rec); err != nil || len(rec.Message.Content) != 300000 {
		t.Error(err, len(rec.Message.Content))
	}
}

func TestMistakes(t *testing.T) {
	for _, src := range []string{
		"user u1 \"no place\"",
		"session",
		"session s1\nsession s1",
		"session s1 colour=red",
		"session s1\nuser u1",
		"session s1\nuser u1 \"a\" \"b\"",
		"session s1\nuser u1 \"a",
		"session s1\ntool_use a1 Bash",
		"session s1\ntool_use a1 Bash {\"a\":",
		"session s1\nuser u1 \"${nobody}\"",
		"session s1\nagent a1 of=s2",
		"session s1\nfrobnicate x",
		"session s1\nset colour=red",
		"session s1\nuser u1 \"a\" -nosuchkey",
	} {
		if _, err := Parse(src); err == nil {
			t.Errorf("no error: %q", src)
		}
	}
}

// TestSampleHome pins testdata/home to its notation: `make sample` writes it.
func TestSampleHome(t *testing.T) {
	src, err := os.ReadFile("../../testdata/home.txt")
	if err != nil {
		t.Fatal(err)
	}
	home, err := Parse(string(src))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range home.Files {
		got, err := os.ReadFile(filepath.Join("../../testdata/home", filepath.FromSlash(name)))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what testdata/home.txt says (%v): run make sample", name, err)
		}
	}
}
