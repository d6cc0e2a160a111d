package target

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
	"csift/pkg/row"
)

// Rows name the records of a transcript one by one, as many as it has: each part stands once, in order, as when every part
// is looked for among those before it.
func TestPartsOnce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		var e entry
		var plain []Narrow
		for range n {
			part := Narrow{Line: rnd.IntN(1 + n/2), UUID: []string{"", "u"}[rnd.IntN(2)]}
			if rnd.IntN(4) == 0 {
				part = Narrow{Range: addr.TurnAt(rnd.IntN(1 + n/4))}
			}
			e.addParts([]Narrow{part})
			if !slices.Contains(plain, part) {
				plain = append(plain, part)
			}
		}
		if !slices.Equal(e.narrow, plain) || len(plain) > 100 && len(e.parts) < len(plain) {
			t.Fatalf("%d parts: %v, want %v; %d looked up", n, e.narrow, plain, len(e.parts))
		}
	}
}

// What many rows and addresses of one transcript ask for is found once: the directory, the subagents, what is said.
func TestManyRowsOfOne(t *testing.T) {
	root := usual(t)
	abs := filepath.Join(root, "projects", fileA)
	work := func(n int, change func(*Request)) (spans, dirs, notes int, parts []int) {
		var items []row.Item
		for i := range n {
			tok := func(word string) row.Item {
				tk, err := addr.Parse(fmt.Sprintf("%s:%d", word, i+1))
				if err != nil {
					t.Fatal(err)
				}
				return row.Item{Token: tk, ID: tk.ID, Range: tk.Range}
			}
			items = append(items,
				row.Item{Ref: row.Ref{SessionID: idA, Transcript: abs}, Line: i + 1},
				row.Item{Ref: row.Ref{SessionID: idB, Transcript: "/gone/" + idB + ".jsonl"}, Line: i + 1},
				tok("@5d0c"), tok("@"+abs), tok("@main"))
		}
		req := Request{Items: items, ItemsGiven: true, Subagents: true, Lanes: true, Root: root, Cwd: root, Getenv: func(name string) string {
			return map[string]string{"CLAUDE_CODE_SESSION_ID": idB}[name]
		}}
		if change != nil {
			change(&req)
		}
		r := newResolver(req, false)
		if err := r.collect(); err != nil {
			t.Fatal(err)
		}
		set := r.finish()
		for i := range set.Transcripts {
			parts = append(parts, len(set.Transcripts[i].Narrow))
		}
		return len(r.spans), len(r.outside), len(set.Notes), parts
	}
	elsewhere := func(r *Request) { // none of the rows' transcripts lies in the home then
		r.Root = t.TempDir()
		r.Items = slices.DeleteFunc(r.Items, func(it row.Item) bool { return it.Transcript != abs })
	}
	for _, tc := range []struct {
		name               string
		change             func(*Request)
		spans, dirs, notes int
	}{{"of the home", nil, 2, 0, 2}, {"of elsewhere", elsewhere, 1, 1, 0}} {
		spans, dirs, notes, parts := work(100, tc.change)
		if spans != tc.spans || dirs != tc.dirs || notes != tc.notes {
			t.Errorf("%s: %d spans, %d directories, %d notes, parts %v", tc.name, spans, dirs, notes, parts)
		}
	}
	_, _, _, parts := work(100, nil)
	if want := []int{200, 0, 0, 0, 200}; !cmp.Equal(parts, want) { // as lines of rows and as ranges of addresses
		t.Errorf("parts %v, want %v", parts, want)
	}
}

// Agents of one session that are named one by one cost one tree of them.
func TestManyAgentsOfOne(t *testing.T) {
	files := map[string]string{fileA: at("/home/dev/app", idA)}
	var tokens, want []string
	want = append(want, fileA[:len(fileA)-len(".jsonl")]+"/subagents/agent-affffffffffffffff.jsonl")
	for i := range 20 {
		id := fmt.Sprintf("a%016x", i)
		name := "-home-dev-app/" + idA + "/subagents/agent-" + id + ".jsonl"
		files[name] = at("/home/dev/app", idA)
		tokens, want = append(tokens, "@"+id), append(want, name)
	}
	files[want[0]] = at("/home/dev/app", idA)
	files["-home-dev-app/"+idA+"/subagents/agent-affffffffffffffff.meta.json"] = `{"parentAgentId":"a0000000000000003","spawnDepth":2}`
	slices.Sort(want)
	root := homeOf(t, files)
	r := newResolver(Request{Tokens: tokens, Subagents: true, Root: root, Cwd: root, Getenv: func(string) string { return "" }}, false)
	if err := r.collect(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, names(root, r.finish())); diff != "" || r.treesRead != 1 {
		t.Errorf("%d trees read %s", r.treesRead, diff)
	}
}
