package scan

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
)

// small is a transcript of four turns: a prompt on each odd line, a reply on each even one, all of them "word N".
func small(t *testing.T) File {
	t.Helper()
	w := &writer{}
	for n := 1; n <= 8; n++ {
		kind, role := "user", "user"
		content := fmt.Sprintf(`"word %d"`, n)
		if n%2 == 0 {
			kind, role = "assistant", "assistant"
			content = fmt.Sprintf(`[{"type":"text","text":"word %d"}]`, n)
		}
		fmt.Fprintf(&w.out, `{"type":"%s","uuid":"%08d-0000-4000-8000-000000000000","parentUuid":"%08d-0000-4000-8000-000000000000","message":{"role":"%s","content":%s}}`+"\n",
			kind, n, n-1, role, content)
	}
	return w.save(t, "small", false)
}

func TestParts(t *testing.T) {
	lines := func(s string) Part { return Part{Range: addr.Range{Kind: addr.LineRange, Spec: spec(t, s, 1)}} }
	turns := func(s string) Part { return Part{Range: addr.Range{Kind: addr.TurnRange, Spec: spec(t, s, 0)}} }
	uuid := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	for _, tt := range []struct {
		name    string
		parts   []Part
		want    []int32
		missing int
	}{
		{"nothing asked: all of it", nil, []int32{1, 2, 3, 4, 5, 6, 7, 8}, 0},
		{"a line", []Part{lines("3")}, []int32{3}, 0},
		{"lines", []Part{lines("3..5")}, []int32{3, 4, 5}, 0},
		{"the last lines", []Part{lines("-2..")}, []int32{7, 8}, 0},
		{"a turn", []Part{turns("1")}, []int32{3, 4}, 0},
		{"the last turn", []Part{turns("-1")}, []int32{7, 8}, 0},
		{"several, each once", []Part{lines("1"), turns("0"), lines("..2")}, []int32{1, 2}, 0},
		{"a record by its line", []Part{{Line: 4}}, []int32{4}, 0},
		{"a record by its uuid", []Part{{UUID: uuid(4)}}, []int32{4}, 0},
		{"a record by both", []Part{{Line: 4, UUID: uuid(4)}}, []int32{4}, 0},
		{"a record that moved", []Part{{Line: 2, UUID: uuid(4)}}, []int32{4}, 0},
		{"a record that is gone", []Part{{Line: 2, UUID: uuid(9)}, {Line: 5, UUID: uuid(5)}}, []int32{5}, 1},
		{"a line that is not there", []Part{lines("99"), lines("8")}, []int32{8}, 1},
		{"a line number that is not there", []Part{{Line: 9}}, nil, 1},
		{"a turn that is not there", []Part{turns("4")}, nil, 1},
		{"an open range beyond the end", []Part{lines("9..")}, nil, 0},
		{"an open range that reaches in", []Part{turns("-9..")}, []int32{1, 2, 3, 4, 5, 6, 7, 8}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, slow := range []bool{false, true} {
				f := small(t)
				f.Parts = tt.parts
				q, err := ask{pattern: "word"}.query(slow, 2)
				if err != nil {
					t.Fatal(err)
				}
				res, err := Run(t.Context(), []File{f}, q, nil)
				if err != nil {
					t.Fatal(err)
				}
				var got []int32
				for _, x := range res.Exchanges {
					for _, h := range x.Hits {
						got = append(got, h.Loc.Line)
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
				if n := len(res.Files[0].Missing); n != tt.missing {
					t.Errorf("%d parts missing, want %d", n, tt.missing)
				}
			}
		})
	}
}

// A file that cannot be read is told and the others are answered.
func TestUnreadable(t *testing.T) {
	good, dir, gone := small(t), small(t), small(t)
	dir.Transcript = t.TempDir()
	gone.Transcript += ".gone"
	for _, slow := range []bool{false, true} {
		q, err := ask{pattern: "word"}.query(slow, 2)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Run(t.Context(), []File{dir, good, gone}, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.Matched != 4 || res.Files[0].Err == nil || !errors.Is(res.Files[2].Err, fs.ErrNotExist) || res.Files[1].Err != nil {
			t.Errorf("slow %v: %+v", slow, answerOf(res, q))
		}
	}
}

// The order is that of the openers' instants, whatever file they are from.
func TestOrderOfExchanges(t *testing.T) {
	at := func(name, stamp string) File {
		w := &writer{}
		fmt.Fprintf(&w.out, `{"type":"user","timestamp":%q,"message":{"role":"user","content":"word"}}`+"\n", stamp)
		return w.save(t, name, false)
	}
	files := []File{at("c", "2026-03-02T12:00:00Z"), at("a", "no time"), at("b", "2026-03-02T11:00:00.5Z"), at("d", "2026-03-02T11:00:00.5Z")}
	q, err := ask{pattern: "word"}.query(false, 3)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Run(t.Context(), files, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	var order strings.Builder
	for _, x := range res.Exchanges {
		order.WriteString(files[x.File].SessionID)
	}
	if order.String() != "bdca" {
		t.Errorf("order %s", order.String())
	}
}

func TestDistinct(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 4))
	var d distinct
	var want []string
	for range 2000 {
		w := fmt.Sprint(rnd.IntN(300))
		d.add(w)
		if !slices.Contains(want, w) {
			want = append(want, w)
		}
		if len(d.words) != len(want) {
			t.Fatalf("%d words, want %d", len(d.words), len(want))
		}
	}
	if !slices.Equal(d.words, want) {
		t.Errorf("%v, want %v", d.words, want)
	}
}
