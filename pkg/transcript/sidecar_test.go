package transcript

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/chain"
)

// marker is one line of a sidecar; stamp "" leaves the timestamp out.
func marker(phase, kind, key, uuid, stamp string) string {
	return fmt.Sprintf(`{"csift":"elicitation-marker-v1","csiftPhase":%q,"csiftKind":%q,"csiftKey":%q,"uuid":%q,"timestamp":%q}`, phase, kind, key, uuid, stamp)
}

func at(second int) string { return fmt.Sprintf("2026-03-02T09:00:%02d.000Z", second) }

// beside writes the sidecar of a transcript.
func beside(t testing.TB, path string, lines ...string) {
	t.Helper()
	dir := strings.TrimSuffix(path, ".jsonl")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "elicitations.jsonl"), []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSidecar(t *testing.T) {
	const auq, plan, mcp = "AskUserQuestion", "ExitPlanMode", "mcp-elicitation"
	for _, c := range []struct {
		name    string
		native  []string
		lines   []string
		want    []string // uuids that stay pending, in order
		skipped int
	}{
		{name: "by time, undated last, then as they come", lines: []string{
			marker("pending", auq, "k1", "u1", at(9)), marker("pending", auq, "k2", "u2", ""), marker("pending", plan, "k3", "u3", at(4)), marker("pending", mcp, "k4", "u4", "soon")},
			want: []string{"u3", "u1", "u2", "u4"}},
		{name: "a zone counts", lines: []string{
			marker("pending", auq, "k1", "u1", "2026-03-02T09:00:30+02:00"), marker("pending", auq, "k2", "u2", "2026-03-02T07:00:10Z")},
			want: []string{"u2", "u1"}},
		{name: "resolved, before or after", lines: []string{
			marker("resolved", auq, "k1", "", at(1)), marker("pending", auq, "k1", "u1", at(2)), marker("pending", plan, "k2", "u2", at(2)), marker("resolved", plan, "k2", "", at(3))}},
		{name: "the latest of a key", lines: []string{marker("pending", mcp, "srv", "u1", at(1)), marker("pending", mcp, "srv", "u2", at(2))}, want: []string{"u2"}},
		{name: "no key is one key", lines: []string{marker("pending", mcp, "", "u1", at(1)), marker("pending", mcp, "", "u2", at(2))}, want: []string{"u2"}},
		{name: "damage is counted, strangers are not", lines: []string{"", "torn{", `{"csift":"other"}`, `{"a":1}`, "[1]",
			marker("asking", auq, "k1", "u1", at(1)), `{"csift":"elicitation-marker-v1","phase":"pending"}`, marker("pending", auq, "k2", "u2", at(1))[:60]}, skipped: 5},
		{name: "two on a line", lines: []string{marker("pending", auq, "k1", "u1", at(1)) + marker("pending", auq, "k2", "u2", at(2))}, want: []string{"u1", "u2"}},
		{name: "marks before, behind", lines: []string{"\xEF\xBB\xBF" + marker("pending", auq, "k1", "u1", at(1)) + "\r"}, want: []string{"u1"}},
		{name: "a call in the transcript", native: []string{user("u", "", "q"), call("a", "u", "k1", auq), reply("b", "a", "the key is k2"), result("r", "a", "k3")}, lines: []string{
			marker("pending", auq, "k1", "u1", at(1)), marker("pending", plan, "k2", "u2", at(2)), marker("pending", plan, "k3", "u3", at(3)), marker("pending", mcp, "k1x", "u4", at(4))},
			want: []string{"u2", "u4"}},
		{name: "a server named like a call", native: []string{call("a", "", "srv", "Bash")}, lines: []string{marker("pending", mcp, "srv", "u1", at(1))}, want: []string{"u1"}},
		{name: "an escaped spelling", native: []string{strings.Replace(call("a", "", "k1", auq), `"k1"`, `"\u006b1"`, 1)}, lines: []string{marker("pending", auq, "k1", "u1", at(1))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := save(t, append([]string{user("u0", "", "hi")}, c.native...)...)
			beside(t, path, c.lines...)
			s := ReadSidecar(context.Background(), path)
			f, _ := open(t, path, Options{})
			if err := s.DropNative(context.Background(), f.File); err != nil || s.Err != nil {
				t.Fatal(err, s.Err)
			}
			var got []string
			for i := range s.Pending {
				got = append(got, s.Pending[i].UUID)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || s.Skipped != c.skipped || !s.Present {
				t.Errorf("%s\nskipped %d, want %d; present %v", diff, s.Skipped, c.skipped, s.Present)
			}
		})
	}
}

func TestNoSidecar(t *testing.T) {
	path := save(t, user("u0", "", "hi"))
	if diff := cmp.Diff(&Sidecar{}, ReadSidecar(context.Background(), path), cmp.AllowUnexported(Sidecar{})); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(strings.TrimSuffix(path, ".jsonl"), nil, 0o600); err != nil { // a file where the directory would be
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Sidecar{}, ReadSidecar(context.Background(), path), cmp.AllowUnexported(Sidecar{})); diff != "" {
		t.Error(diff)
	}
	var none *Sidecar
	if err := none.DropNative(context.Background(), nil); err != nil {
		t.Error(err)
	}
	// What is there and is no file is said, and nothing hangs.
	path = save(t, user("u0", "", "hi"))
	if err := os.MkdirAll(filepath.Join(strings.TrimSuffix(path, ".jsonl"), "elicitations.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if s := ReadSidecar(context.Background(), path); !s.Present || s.Err == nil {
		t.Errorf("%+v", s)
	}
}

func TestTurnOf(t *testing.T) {
	opener := func(id, parent string, second int) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%s,"timestamp":%q,"message":{"role":"user","content":"q"}}`, id, parent, at(second))
	}
	_, s := open(t, save(t, opener("u1", "null", 10), reply("a1", "u1", "x"), opener("u2", `"a1"`, 20), reply("a2", "u2", "x"), opener("u3", `"a2"`, 30)), Options{})
	for _, c := range []struct {
		stamp string
		want  int
	}{{at(10), 0}, {at(19), 0}, {at(20), 1}, {at(25), 1}, {at(59), 2}, {at(5), 2}, {"", 2}, {"soon", 2}} {
		if got := s.TurnOf(&Pending{Stamp: c.stamp}); got != c.want {
			t.Errorf("%q is of turn %d, want %d", c.stamp, got, c.want)
		}
	}
	_, s = open(t, save(t, reply("a1", "", "no opener")), Options{})
	if got := s.TurnOf(&Pending{Stamp: at(1)}); got != 0 {
		t.Error(got)
	}
}

func FuzzSidecar(f *testing.F) {
	f.Add([]byte(marker("pending", "AskUserQuestion", "k", "u", at(1)) + "\n" + marker("resolved", "x", "k", "", "")))
	f.Add([]byte(`{"csift":"elicitation-marker-v1","csiftPhase":7}` + "\x00\n{{"))
	dir := f.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	if err := os.MkdirAll(filepath.Join(dir, "s"), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, "s", "elicitations.jsonl"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		s := ReadSidecar(context.Background(), path)
		for i := range s.Pending {
			if p := &s.Pending[i]; p.Key == "" || len(p.Line) == 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}

// The turn of a dialog, and the dialog that an id names, are those that a look at all of them gives.
func TestDialogsAgainstAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 7))
	stamps := []string{"", "soon"}
	for i := range 8 {
		stamps = append(stamps, at(i))
	}
	for range 200 {
		var lines []string
		for k := range rnd.IntN(9) {
			lines = append(lines, strings.Replace(user(fmt.Sprintf("u%d", k), "", "hi"), "{", fmt.Sprintf(`{"timestamp":%q,`, stamps[rnd.IntN(len(stamps))]), 1))
		}
		_, s := open(t, save(t, lines...), Options{})
		side := &Sidecar{}
		for range rnd.IntN(6) {
			side.Pending = append(side.Pending, Pending{Key: fmt.Sprint("k", rnd.IntN(4)), UUID: []string{"", "k1", "u1", "u2"}[rnd.IntN(4)], Stamp: stamps[rnd.IntN(len(stamps))]})
		}
		for _, id := range []string{"", "k0", "k1", "k2", "u1", "u2", "u3"} {
			k := slices.IndexFunc(side.Pending, func(p Pending) bool { return p.Is(id) })
			if got := side.Find(id); k < 0 && got != nil || k >= 0 && got != &side.Pending[k] {
				t.Fatalf("%q names %+v of %+v", id, got, side.Pending)
			}
		}
		for i := range side.Pending {
			p := &side.Pending[i]
			want := max(0, len(s.res.Opener)-1)
			for turn := len(s.res.Opener) - 1; turn >= 0 && p.time() != chain.NoTime; turn-- {
				if o := s.res.Opener[turn]; o != chain.None && s.nodes[o].Time != chain.NoTime && s.nodes[o].Time <= p.time() {
					want = turn
					break
				}
			}
			if got := s.TurnOf(p); got != want {
				t.Fatalf("a dialog of %q is in turn %d, want %d of\n%s", p.Stamp, got, want, strings.Join(lines, "\n"))
			}
		}
	}
}
