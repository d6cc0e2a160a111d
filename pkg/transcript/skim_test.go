package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// A walk that is told of a turn gives skimmed records until the next one opens, whatever line they stand on, and the same
// structure.
func TestTold(t *testing.T) {
	b := []byte(strings.Join([]string{
		user("a1", "", "one"), reply("a2", "a1", "x"), " " + reply("a3", "a2", "x"), reply("a4", "a3", "x") + reply("a5", "a4", "x"), reply("a6", "a5", "x")[1:], reply("a7", "a5", "y"),
		user("b1", "a7", "two"), reply("b2", "b1", "x") + "\r", reply("b3", "b2", "x"),
		user("c1", "b3", "three"), user("c2", "c1", "four"), reply("c3", "c2", "x"),
	}, "\n"))
	var got []string
	hurt := 0
	var w Walker
	w.Want = func(l Loc) bool { return l.Line != 6 }
	w.Record = func(r *record.Record, l Loc) {
		got = append(got, fmt.Sprintf("%d.%d %s %v", l.Line, l.Part, r.UUID.String(), r.Skimmed))
		w.Told = w.Told || r.Type.Is("assistant")
	}
	w.Damage = func([]byte, Loc, bool) { hurt++ }
	p := &Part{}
	w.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, p)
	want := []string{"1.0 a1 false", "2.0 a2 false", "3.0 a3 true", "4.0 a4 true", "4.1 a5 true", "7.0 b1 true", "8.0 b2 false", "9.0 b3 true",
		"10.0 c1 true", "11.0 c2 false", "12.0 c3 false"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("records (-want +got):\n%s", d)
	}
	if hurt != 1 {
		t.Errorf("%d lines hurt, want 1", hurt)
	}
	if d := cmp.Diff(state(walkParts(b, false)), state(Join([]*Part{p}, false))); d != "" {
		t.Errorf("structure (-plain +told):\n%s", d)
	}
}
