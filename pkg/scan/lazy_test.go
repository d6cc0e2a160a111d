package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"csift/pkg/addr"
	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// A talker makes transcripts of long turns that are linked as a client links them, with a branch now and then.
type talker struct {
	bytes.Buffer
	n    int
	last string
}

func (t *talker) say(kind, parent, text string) (id string) {
	t.n++
	id = fmt.Sprintf("%08x-0000-4000-8000-000000000000", t.n)
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	content := fmt.Sprintf("%q", text)
	if kind == "assistant" {
		content = fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
	}
	fmt.Fprintf(t, `{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-03-02T%02d:%02d:%02d.000Z","message":{"role":%q,"content":%s}}`+"\n",
		kind, id, up, t.n/3600%24, t.n/60%60, t.n%60, kind, content)
	t.last = id
	return id
}

// turn adds a prompt and n replies that hold a text.
func (t *talker) turn(prompt string, n int, text string) {
	t.say("user", t.last, prompt)
	for range n {
		t.say("assistant", t.last, text)
	}
}

func (t *talker) save(tb testing.TB, name string) File {
	w := &writer{}
	w.out.Write(t.Bytes())
	return w.save(tb, name, false)
}

// bareTurns asks the fast way for the number of turns alone.
func bareTurns(tb testing.TB, a ask, workers int, files ...File) *Result {
	tb.Helper()
	a.bare = true
	q, err := a.query(false, workers)
	if err != nil {
		tb.Fatal(err)
	}
	res, err := Run(tb.Context(), files, q, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

// Turns are counted by what is in them, however the candidates lie: one that only looks like it is no hit,
// and what belongs to a turn by its parents does not belong to the one it stands in.
func TestTurnsAlone(t *testing.T) {
	for _, tc := range []struct {
		name string
		make func(*talker)
		want int
	}{
		{"each turn", func(k *talker) {
			for range 5 {
				k.turn("ask", 20, "a needle stands here")
			}
		}, 5},
		{"a hit at the end of a turn full of candidates", func(k *talker) {
			k.turn("ask", 10, "a needle stands here")
			k.turn("ask", 30, "needles xneedle")
			k.say("assistant", k.last, "the needle")
			k.turn("ask", 30, "needles xneedle")
		}, 2},
		{"the prompt alone", func(k *talker) {
			k.turn("a needle", 10, "needles")
			k.turn("needle", 10, "needles")
			k.turn("needles", 10, "needles")
		}, 2},
		{"replies to an earlier turn", func(k *talker) {
			k.turn("ask", 3, "needles")
			first := k.last
			k.turn("ask", 10, "a needle")
			last := k.last
			k.say("assistant", first, "late: needle") // abandoned: the end below is linked to the second turn
			k.say("assistant", k.last, "needle again")
			k.say("assistant", last, "a needle")
		}, 2},
		{"rewound turns", func(k *talker) {
			k.turn("ask", 10, "a needle")
			fork := k.last
			k.turn("needle", 10, "a needle")
			k.last = fork
			k.turn("ask", 10, "needles")
		}, 2},
	} {
		k := &talker{}
		tc.make(k)
		f := k.save(t, "s")
		a := ask{pattern: `\bneedle\b`, bare: true}
		for workers := 1; workers < 3; workers++ {
			agree(t, []File{f}, a, workers)
		}
		if got := bareTurns(t, a, 1, f); got.Matched != tc.want {
			t.Errorf("%s: %d turns, want %d", tc.name, got.Matched, tc.want)
		}
	}
}

// What a worker knows of a turn ends with its file.
func TestTurnsOfNextFile(t *testing.T) {
	full, candidate := &talker{}, &talker{}
	full.turn("ask", 40, "a needle stands here")
	candidate.turn("ask", 100, "nothing of note")
	candidate.turn("ask", 1, "needles")
	files := []File{full.save(t, "a"), candidate.save(t, "b"), candidate.save(t, "c")}
	a := ask{pattern: `\bneedle\b`, bare: true}
	agree(t, files, a, 1)
	if got := bareTurns(t, a, 1, files...); got.Matched != 1 {
		t.Errorf("%d turns, want 1", got.Matched)
	}
}

// looks counts the records that are pulled apart to count turns: in the walk, and once the file is known.
func looks(t *testing.T, f File, a ask) (walked, late int) {
	t.Helper()
	q, err := a.query(false, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Transcript)
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{q: q, files: []File{f}, res: make([]FileResult, 1)}
	w := newWorker(q, q.Match.Prefilter(q.marks()), &r.seen)
	w.walk.Record = func(rec *record.Record, loc transcript.Loc) {
		if !w.walk.Told {
			walked++
		}
		w.record(rec, loc)
	}
	p := w.chunk(jsonl.Chunk{B: b, First: true, Last: true}, false, new(atomic.Int64))
	err = r.settle(t.Context(), 0, []*piece{p}, []*worker{w}, func() (*transcript.Structure, error) {
		if !p.whole {
			t.Error("the walk left lines out")
		}
		return transcript.Join([]*transcript.Part{&p.part}, false), nil
	}, func(l transcript.Loc, _ *[]byte) ([]byte, error) {
		late++
		return b[l.Off : l.Off+int64(l.Len)], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return walked, late
}

// Where only turns are counted a few records of each are looked into, otherwise all that may match.
func TestFewLooks(t *testing.T) {
	const turns, replies = 10, 200
	k := &talker{}
	for range turns {
		k.turn("ask", replies, "a needle stands here")
	}
	f := k.save(t, "s")
	for _, pattern := range []string{"needle", `\bneedle\b`, "."} {
		if walked, late := looks(t, f, ask{pattern: pattern, bare: true}); walked > 3*turns || late > turns {
			t.Errorf("%q: %d and %d records of %d turns were looked into", pattern, walked, late, turns)
		}
	}
	if walked, _ := looks(t, f, ask{pattern: "needle", count: ByTurn}); walked < turns*replies {
		t.Errorf("records are counted, and only %d of %d were looked into", walked, turns*replies)
	}
	// A filter has every hit confirmed; of the others none.
	if walked, late := looks(t, f, ask{pattern: "needle", bare: true, labels: []string{"agent"}}); walked > 3*turns || late > 3*turns {
		t.Errorf("filtered: %d and %d records of %d turns were looked into", walked, late, turns)
	}
	if walked, late := looks(t, f, ask{pattern: `\bneedle\b`, bare: true, noTurns: true}); walked != 1 || late != 0 {
		t.Errorf("one hit is wanted: %d and %d records were looked into", walked, late)
	}
	// What no turn has is looked for in all of them.
	k = &talker{}
	k.turn("ask", 10, "a needle")
	k.turn("ask", replies, "needles")
	if walked, late := looks(t, k.save(t, "s"), ask{pattern: `\bneedle\b`, bare: true}); walked < replies || late > 10 {
		t.Errorf("%d and %d records were looked into", walked, late)
	}
}

// FuzzTurnsAlone compares the two ways to count turns on random transcripts, filters and parts, several files a run.
func FuzzTurnsAlone(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if testing.Short() && seed > 1 {
			t.Skip("short")
		}
		r := rand.New(rand.NewPCG(seed, 2))
		var files []File
		var texts []string
		for i := range 2 + r.IntN(4) {
			w := &writer{Rand: r}
			for range 1 + r.IntN(3) {
				w.plain = r.IntN(2) == 0
				w.transcript(r.IntN(60) + 1)
				w.plain = false
				w.transcript(r.IntN(150) + 1)
			}
			file := w.save(t, fmt.Sprintf("s%d", i), r.IntN(4) == 0)
			texts = append(texts, textsOf(t, file)...)
			if r.IntN(4) == 0 {
				file.Parts = append(file.Parts, Part{Range: addr.Range{Kind: []addr.RangeKind{addr.LineRange, addr.TurnRange}[r.IntN(2)], Spec: spec(t, "2..9", 0)}})
			}
			if r.IntN(6) == 0 {
				file.Related = Related{}
				for range 60 {
					file.Related[Place{int32(r.IntN(200)), 0}] = true
				}
			}
			files = append(files, file)
		}
		for n := 0; n < 30 && len(texts) > 0 && !t.Failed(); n++ {
			a := ask{pattern: pattern(r, texts)}
			switch r.IntN(6) {
			case 0, 1, 2:
				a.pattern = strings.Split(`the a o e \bo \ba\b .`, " ")[r.IntN(7)]
			case 3:
				a.pattern = ""
			}
			vary(r, &a)
			a.count, a.bare, a.chain, a.noTurns = NoAxis, true, r.IntN(4) == 0, r.IntN(6) == 0
			agree(t, files, a, 1+r.IntN(3))
		}
	})
}
