package section

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// A unit is the same whether its values are kept in a space, which reads a record once, or each by itself.
func TestSpaceChangesNothing(t *testing.T) {
	samples(t, func(path string, b []byte) {
		var m Space
		line := int32(0)
		eachUnit(b, strings.HasPrefix(filepath.Base(path), "agent-"), func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			if loc.Line > line+3 {
				m.Reset()
				line = loc.Line
			}
			leaf := label.None
			if len(s.Labels) > 0 {
				leaf = s.Labels[0]
			}
			var want, got Unit
			Describe(&want, r, s, leaf, st, loc)
			m.Describe(&got, r, s, leaf, st, loc)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s:%d (-by itself +in a space):\n%s", path, loc.Line, d)
			}
		})
	})
}

// What all sections of a record say alike is read once for all of them: else a record of many blocks takes time that
// grows with their square.
func TestRecordReadOnce(t *testing.T) {
	var blocks, results []string
	for i := range 20 {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{}}`, i))
		results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","content":"x"}`, i))
	}
	for _, line := range []string{
		node("assistant", "a1", "a0", `"message":{"role":"assistant","content":[`+strings.Join(blocks, ",")+`]}`),
		node("user", "a1", "a0", `"message":{"role":"user","content":[`+strings.Join(results, ",")+`]}`),
	} {
		var m Space
		n := 0
		eachUnit([]byte(line+"\n"), false, func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			var u Unit
			if n++; n == 1 {
				m.Describe(&u, r, s, s.Labels[0], st, loc)
				m.record.images = []string{"read once"}
				return
			}
			m.Describe(&u, r, s, s.Labels[0], st, loc)
			if len(u.ImageIDs) != 1 {
				t.Fatalf("the record is read again for section %d", n)
			}
			m.Edges(r, s, st, loc)
			if len(m.record.images) != 1 {
				t.Fatalf("the record is read again for the relations of section %d", n)
			}
		})
		if n != 20 {
			t.Fatalf("%d sections of 20 blocks", n)
		}
		m.Reset()
		eachUnit([]byte(line+"\n"), false, func(st *transcript.Structure, r *record.Record, s *Section, loc transcript.Loc) {
			var u Unit
			if m.Describe(&u, r, s, s.Labels[0], st, loc); len(u.ImageIDs) != 0 {
				t.Fatal("what was read before Reset is still there")
			}
		})
	}
}

// A question's answer and note are those that Get finds.
func TestKeyed(t *testing.T) {
	for _, v := range []record.Raw{nil, record.Raw(`null`), record.Raw(`{}`), record.Raw(`{"a":1,"b":"x","a":{"notes":"y"},"\u0063":2,"":3,"\ud800":4}`), record.Raw(`["a"]`)} {
		got := keyed(v)
		for _, key := range []string{"a", "b", "c", "d", "", "\ufffd"} {
			if string(got[key]) != string(v.Get(key)) {
				t.Errorf("%q of %s: %s, want %s", key, v, got[key], v.Get(key))
			}
		}
	}
}
