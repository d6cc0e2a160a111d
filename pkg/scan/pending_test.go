package scan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
	"csift/pkg/row"
)

// besides writes a session of two turns with a sidecar, and what its results point at.
func besides(t *testing.T) File {
	t.Helper()
	dir := t.TempDir()
	const id = "5d0c1f3e-0000-4000-8000-00000000a001"
	write := func(name, b string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	native := func(kind, uuid, parent, second, content string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-03-02T09:%sZ","message":{"role":%q,"content":%s}}`+"\n", kind, uuid, parent, second, kind, content)
	}
	pointer := func(path string) string {
		return `[{"type":"tool_result","tool_use_id":"toolu_` + filepath.Base(path) + `","content":"<persisted-output>\nOutput too large (31.7KB). Full output saved to: ` + path + `\n</persisted-output>"}]`
	}
	write(id+".jsonl", native("user", "u1", "null", "00:00.000", `"first needle"`)+native("assistant", "a1", `"u1"`, "00:01.000", `[{"type":"text","text":"plain"}]`)+
		native("user", "r1", `"a1"`, "00:02.000", pointer("/nowhere/out.txt"))+native("user", "r2", `"r1"`, "00:03.000", pointer("/nowhere/gone.txt"))+
		native("user", "u2", `"r2"`, "01:00.000", `"second"`))
	write(id+"/tool-results/out.txt", "a needle in the output")
	marker := func(uuid, kind, key, second, rest string) string {
		return fmt.Sprintf(`{"uuid":%q,"timestamp":"2026-03-02T09:%sZ","csift":"elicitation-marker-v1","csiftPhase":"pending","csiftKind":%q,"csiftKey":%q,%s}`+"\n", uuid, second, kind, key, rest)
	}
	write(id+"/elicitations.jsonl", marker("p1", "AskUserQuestion", "k1", "00:30.000", `"type":"assistant","message":{"content":[{"type":"tool_use","id":"k1","name":"AskUserQuestion","input":{"q":"which needle?"}}]}`)+
		marker("p2", "mcp-elicitation", "srv", "02:00.000", `"type":"system","content":"a needle, please"`)+"{torn\n")
	path := filepath.Join(dir, id+".jsonl")
	return File{Ref: row.Ref{SessionID: id, ParentSessionID: id, Transcript: path, Path: path}, Sidecar: true}
}

// runBoth asks the fast way and the slow one, which have one answer.
func runBoth(t *testing.T, f File, a ask, change func(q *Query)) *Result {
	t.Helper()
	var res [2]*Result
	for i := range res {
		q, err := a.query(i == 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(q)
		}
		if res[i], err = Run(context.Background(), []File{f}, q, nil); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(told(res[1]), told(res[0])); diff != "" {
		t.Errorf("%v: slow (-) and fast (+) differ:\n%s", a, diff)
	}
	return res[0]
}

// told puts an answer into words: hits by turn, dialogs by their key.
func told(r *Result) string {
	var b strings.Builder
	f := &r.Files[0]
	fmt.Fprintf(&b, "%d exchanges %d records %d merged %d left out %d skipped %d unresolved %d missing:", r.Matched, r.Records, f.Merged, f.LeftOut, f.Skipped, f.Unresolved, len(f.Missing))
	for _, x := range r.Exchanges {
		fmt.Fprintf(&b, " t%d", x.Unit)
		for _, h := range x.Hits {
			if h.Pending != nil {
				fmt.Fprintf(&b, " %s", h.Pending.Key)
			} else {
				fmt.Fprintf(&b, " L%d", h.Loc.Line)
			}
		}
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, " %s=%d", c.Key, c.Records)
	}
	return b.String()
}

func TestPending(t *testing.T) {
	f := besides(t)
	for _, c := range []struct {
		name   string
		ask    ask
		change func(q *Query)
		parts  []Part
		want   string
	}{
		{name: "by text", ask: ask{pattern: "needle"}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 L1 k1 t1 srv"},
		{name: "only dialogs", ask: ask{pattern: "please"}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: t1 srv"},
		{name: "by label", ask: ask{pattern: "needle", labels: []string{"agent"}}, want: "2 exchanges 2 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 k1 t1 srv"},
		{name: "not by another", ask: ask{pattern: "needle", nots: []string{"agent.tool"}}, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 L1"},
		{name: "by turn", ask: ask{pattern: "needle", turn: "-1"}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: t1 srv"},
		{name: "by time", ask: ask{pattern: "needle", since: 1772442090e9}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: t1 srv"},
		{name: "a number", ask: ask{pattern: "needle", bare: true}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing:"},
		{name: "a number of one", ask: ask{pattern: "please", bare: true}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing:"},
		{name: "lines only", ask: ask{pattern: "needle"}, change: func(q *Query) { q.LinesOnly = true }, want: "1 exchanges 1 records 0 merged 2 left out 1 skipped 0 unresolved 0 missing: t0 L1"},
		{name: "lines only, of a turn", ask: ask{pattern: "needle", turn: "1"}, change: func(q *Query) { q.LinesOnly = true }, want: "0 exchanges 0 records 0 merged 1 left out 1 skipped 0 unresolved 0 missing:"},
		{name: "a part by uuid", ask: ask{}, parts: []Part{{UUID: "p2"}}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: t1 srv"},
		{name: "a part by key that does not match", ask: ask{pattern: "which"}, parts: []Part{{UUID: "srv"}}, want: "0 exchanges 0 records 0 merged 0 left out 1 skipped 0 unresolved 0 missing:"},
		{name: "a part by turn", ask: ask{pattern: "needle"}, parts: []Part{{Range: addr.TurnAt(0)}}, want: "1 exchanges 2 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 L1 k1"},
		{name: "a part by line", ask: ask{pattern: "needle"}, parts: []Part{{Range: addr.LineAt(1)}}, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 L1"},
		{name: "a part that is not there", ask: ask{pattern: "needle"}, parts: []Part{{UUID: "p3"}}, want: "0 exchanges 0 records 0 merged 0 left out 1 skipped 0 unresolved 1 missing:"},
		{name: "by tool", ask: ask{pattern: "needle", count: ByTool}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: AskUserQuestion=1 mcp-elicitation=1"},
		{name: "by pairing", ask: ask{pattern: "needle", count: ByPairing}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: pending=2"},
		{name: "by turn's number", ask: ask{pattern: "needle", count: ByTurn}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: t0=2 t1=1"},
		{name: "by leaf", ask: ask{pattern: "needle", count: ByLabel}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing: user.message=1 agent.tool.use=2"},
		{name: "by session", ask: ask{pattern: "please", count: BySession}, want: "1 exchanges 1 records 1 merged 0 left out 1 skipped 0 unresolved 0 missing: 5d0c1f3e-0000-4000-8000-00000000a001=1"},
		{name: "by model", ask: ask{pattern: "needle", count: ByModel}, want: "2 exchanges 3 records 2 merged 0 left out 1 skipped 0 unresolved 0 missing:"},
		{name: "outputs", ask: ask{pattern: "needle in the output"}, change: func(q *Query) { q.Persisted = true }, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 1 unresolved 0 missing: t0 L3"},
		{name: "outputs, by label", ask: ask{pattern: "needle", labels: []string{"agent.tool.result"}}, change: func(q *Query) { q.Persisted = true }, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 1 unresolved 0 missing: t0 L3"},
		{name: "outputs of results that are not wanted", ask: ask{pattern: "needle", labels: []string{"user"}}, change: func(q *Query) { q.Persisted = true }, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 0 unresolved 0 missing: t0 L1"},
		{name: "the note of an output that is gone", ask: ask{pattern: "could not resolve"}, change: func(q *Query) { q.Persisted = true }, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 1 unresolved 0 missing: t0 L4"},
		{name: "outputs by tool", ask: ask{pattern: "needle in", count: ByPairing}, change: func(q *Query) { q.Persisted = true }, want: "1 exchanges 1 records 0 merged 0 left out 1 skipped 1 unresolved 0 missing: orphan=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := f
			f.Parts = c.parts
			if diff := cmp.Diff(c.want, told(runBoth(t, f, c.ask, c.change))); diff != "" {
				t.Error(diff)
			}
		})
	}

	f.Sidecar = false
	if got := runBoth(t, f, ask{pattern: "please"}, nil); got.Records != 0 || got.Files[0].Skipped != 0 {
		t.Error("a file that is known to have no sidecar got one: " + told(got))
	}
	f.Sidecar = true
	side := filepath.Join(strings.TrimSuffix(f.Transcript, ".jsonl"), "elicitations.jsonl")
	if err := os.Remove(side); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(side, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := runBoth(t, f, ask{pattern: "needle"}, nil); got.Records != 1 || got.Files[0].SidecarErr == nil {
		t.Error(told(got), got.Files[0].SidecarErr)
	}
}

// The dialogs of a session are known where its turns are, whether or not they match.
func TestDialogs(t *testing.T) {
	got := runBoth(t, besides(t), ask{pattern: "second"}, nil)
	var keys []string
	for _, d := range got.Files[0].Dialogs {
		keys = append(keys, fmt.Sprint(d.Key, " of t", d.Turn))
	}
	if diff := cmp.Diff([]string{"k1 of t0", "srv of t1"}, keys); diff != "" {
		t.Error(diff)
	}
}
