package replay

import "testing"

func TestAfterRemoval(t *testing.T) {
	at := func(n int) Place { return Place{Line: n, SourceLine: n, Session: "s"} }
	r := Run([]Event{
		{Kind: Read, At: at(3), Text: "rook one\nrook two\nend", HasText: true, Start: 1, Count: 3, Total: 3},
		{Kind: Edit, At: at(5), Edits: []Replacement{{Old: "end", New: "the end"}}},
		{Kind: Failed, At: at(7), Note: "string_not_found"},
		{Kind: Edit, At: at(9), Edits: []Replacement{{Old: "rook", New: "raven", All: true}}},
		{Kind: Mutation, At: at(11), Detail: "rm (cwd-joined)"},
	}, Options{Segments: true})
	b, ok := r.Buffer.Bytes()
	if want := "raven one\nraven two\nthe end"; !ok || string(b) != want {
		t.Fatalf("%q %v, want %q", b, ok, want)
	}
	for _, s := range r.Segments {
		t.Logf("%+v\n%s", s, Diff("a", "b", s.Before, s.After))
	}
	t.Log(r.Counts(), r.Boundaries)
}
