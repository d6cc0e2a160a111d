package fileops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// step is one call and what came of it.
type step struct {
	tool   string
	input  obj
	failed bool
	text   string
}

func steps(rnd *rand.Rand) (out []step) {
	path := func() string { return []string{"/w/a", "/w/d/a", "/w/d/b"}[rnd.IntN(3)] }
	for i := range 1 + rnd.IntN(12) {
		s := step{text: "ok"}
		switch rnd.IntN(5) {
		case 0:
			s.tool, s.input = "Write", obj{"file_path": path(), "content": fmt.Sprintf("one\ntext %d\n", i)}
		case 1:
			s.tool, s.input = "Edit", obj{"file_path": path(), "old_string": "one", "new_string": fmt.Sprint("two ", i)}
		case 2:
			s.tool, s.input = "Read", obj{"file_path": path()}
			s.text = fmt.Sprintf("     1\tone\n     2\ttext %d", i)
		case 3:
			s.tool, s.input, s.text = "Bash", obj{"command": "rm " + path() + "; cargo fmt"}, ""
		default:
			s.tool, s.input, s.text = "Bash", obj{"command": "rm -r /w/d"}, ""
		}
		if rnd.IntN(4) == 0 {
			s.failed, s.text = true, []string{modifiedSince + ", by a linter", "no"}[rnd.IntN(2)]
		}
		out = append(out, s)
	}
	return out
}

// A record may hold thousands of calls or results, and a line thousands of records. Each call is then read from its own
// bytes, and each record of results once; what is told is what is told of one call a record and one record a line.
func TestManyCallsInARecord(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		all := steps(rnd)
		apart, together := newStory(t), newStory(t)
		apart.says("go")
		together.says("go")
		var calls, results []any
		for i, s := range all {
			id := fmt.Sprint("t", i)
			apart.call(id, s.tool, s.input)
			apart.answer(id, s.text, s.failed, nil)
			calls = append(calls, obj{"type": "tool_use", "id": id, "name": s.tool, "input": s.input})
			results = append(results, obj{"type": "tool_result", "tool_use_id": id, "content": s.text, "is_error": s.failed})
		}
		together.add(obj{"type": "assistant", "message": obj{"role": "assistant", "id": "m", "content": calls}})
		together.add(obj{"type": "user", "message": obj{"role": "user", "content": results}})
		glued := newStory(t)
		glued.raw(strings.Join(apart.lines, strings.Repeat(" ", rnd.IntN(2))))
		want := retold(apart)
		for name, s := range map[string]*story{"one record": together, "one line": glued} {
			if d := cmp.Diff(want, retold(s)); d != "" {
				t.Fatalf("%s (-one a line +):\n%s\n%s", name, d, strings.Join(s.lines, "\n"))
			}
		}
	}
}

// retold gives what a story tells of files, without its places.
func retold(s *story) (out []string) {
	r := s.events("/w/a", "/w/d/a", "/w/d/b")
	for _, h := range r.Files {
		for _, e := range h.Events {
			out = append(out, fmt.Sprintf("%s %v %q %q %q %v", h.Path, e.Kind, e.Text, e.Detail, e.Note, e.Edits))
		}
	}
	for _, c := range r.Opaque {
		out = append(out, "opaque "+c.Class+" "+c.Text)
	}
	c := s.survey()
	for _, m := range c.Mutations {
		out = append(out, fmt.Sprintf("%s %s %s %v %v", m.Op, m.Path, m.Call, m.Errored, m.Done.Line > 0))
	}
	for _, b := range c.Boundaries {
		out = append(out, fmt.Sprintf("%s %s %s", b.Cause, b.Path, b.Call))
	}
	slices.Sort(out)
	return out
}
