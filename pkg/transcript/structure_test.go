package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// save writes a transcript of the given lines.
func save(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string, opt Options) (*File, *Structure) {
	t.Helper()
	f, err := Open(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Structure(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f, s
}

// user, reply, call and result are records with a uuid and a parent ("" is null).
func user(id, parent, text string) string {
	return node("user", id, parent, fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func reply(id, parent, text string) string {
	return node("assistant", id, parent, fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"text","text":%q}]}`, text))
}

func call(id, parent, use, name string) string {
	return node("assistant", id, parent, fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":{}}]}`, use, name))
}

func result(id, parent, use string) string {
	return node("user", id, parent, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]}`, use))
}

func node(kind, id, parent, more string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"timestamp":"2026-03-02T09:00:00.%s",%s}`, kind, id, p, stampOf(id), more)
}

// stampOf makes a timestamp's end that tells records apart.
func stampOf(id string) string { return fmt.Sprintf("%03dZ", int(id[len(id)-1])) }

// placed is where a record stands, as a test states it.
type placed struct {
	Line, Turn, Hops int // Hops -1: not reached
	Opens            bool
}

func places(s *Structure) (out []placed) {
	for _, l := range s.locs {
		p := placed{Line: int(l.Line), Turn: s.Turn(l.Line, l.Part), Hops: -1, Opens: s.Opens(l.Line, l.Part)}
		if n, ok := s.Hops(l.Line, l.Part); ok {
			p.Hops = n
		}
		out = append(out, p)
	}
	return out
}

func linesOf(locs []Loc) (out []int) {
	for _, l := range locs {
		out = append(out, int(l.Line))
	}
	return out
}

func TestTurns(t *testing.T) {
	_, s := open(t, save(t,
		`{"type":"mode","mode":"default","sessionId":"s"}`,
		node("system", "a0", "", `"subtype":"informational","content":"lead"`),
		user("a1", "a0", "first"),
		call("a2", "a1", "t1", "Bash"),
		`{"type":"last-prompt","leafUuid":"a6","sessionId":"s"}`,
		result("a3", "a2", "t1"),
		user("a4", "a3", "[Request interrupted by user]"),
		user("a5", "a4", "second"),
		reply("a6", "a5", "done"),
		reply("a7", "zz", "nobody's child"),
	), Options{})
	want := []placed{{2, 0, -1, false}, {3, 0, 0, true}, {4, 0, 1, false}, {6, 0, 2, false}, {7, 0, 3, false}, {8, 1, 0, true}, {9, 1, 1, false}, {10, 1, -1, false}}
	if d := cmp.Diff(want, places(s)); d != "" {
		t.Errorf("places (-want +got):\n%s", d)
	}
	if s.Turns() != 2 || s.Lines != 10 {
		t.Errorf("%d turns, %d lines", s.Turns(), s.Lines)
	}
	for line, turn := range map[int32]int{1: 0, 5: 0, 10: 1, 99: 1} {
		if got := s.Turn(line, 0); got != turn {
			t.Errorf("line %d is in turn %d, want %d", line, got, turn)
		}
	}
	loc, why, ok := s.Opener(1)
	if loc.Line != 8 || why != record.Prompt || !ok || s.OpenerUUID(1) != "a5" || s.OpenedAt(1) != "2026-03-02T09:00:00."+stampOf("a5") {
		t.Errorf("opener %v %v %v %q %q", loc, why, ok, s.OpenerUUID(1), s.OpenedAt(1))
	}
	if first, last, ok := s.Span(0); first != 2 || last != 7 || !ok {
		t.Errorf("span %d..%d %v", first, last, ok)
	}
	if d := cmp.Diff([]string{"a1", "a0", "a2", "a3", "a4"}, s.UUIDs(0)); d != "" {
		t.Errorf("the opener comes first (-want +got):\n%s", d)
	}
	if s.IsTurn(2) || s.Unit(10, 0) != 2 || !s.IsTurn(1) {
		t.Error("the last record hangs nowhere: it is a unit, no turn")
	}
	for _, turn := range []int{-1, 3, 99} {
		_, _, ok := s.Opener(turn)
		_, _, spans := s.Span(turn)
		if ok || spans || s.Records(turn) != nil && len(s.Records(turn)) > 0 || s.OpenedAt(turn) != "" || s.OpenerUUID(turn) != "" {
			t.Errorf("there is a turn %d", turn)
		}
	}
}

func TestTurnsWithoutOpener(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lines []string
		turns int
	}{
		{"nothing", nil, 0},
		{"blank lines and damage", []string{"", "  ", "Killed"}, 0},
		{"lines that are no part of the conversation", []string{`{"type":"summary","summary":"x","leafUuid":"u"}`}, 1},
		{"replies alone", []string{reply("a1", "", "hi"), reply("a2", "a1", "ho")}, 1},
		{"the session's prompt is an inline lane's", []string{node("user", "a1", "", `"isSidechain":true,"message":{"role":"user","content":"go"}`)}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, s := open(t, save(t, tc.lines...), Options{})
			if s.Turns() != tc.turns {
				t.Errorf("%d turns, want %d", s.Turns(), tc.turns)
			}
			if _, _, ok := s.Opener(0); ok {
				t.Error("there is an opener")
			}
			for _, l := range s.locs {
				if s.Turn(l.Line, l.Part) != 0 {
					t.Errorf("line %d is in turn %d", l.Line, s.Turn(l.Line, l.Part))
				}
			}
			if got := len(s.Records(0)); got != len(s.locs) {
				t.Errorf("%d records in turn 0, want %d", got, len(s.locs))
			}
		})
	}
	_, s := open(t, save(t, node("user", "a1", "", `"isSidechain":true,"message":{"role":"user","content":"go"}`)), Options{InLane: true})
	if !s.Opens(1, 0) || s.OpenerUUID(0) != "a1" {
		t.Error("a lane's own prompt opens nothing")
	}
}

// Claude Code 2.1.258 wrote the first reply and call of a session before the prompt that they answer.
func TestReadingOrder(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/versions/2.1.258/autocompact/projects/*/*.jsonl")
	if len(paths) != 1 {
		t.Fatalf("transcripts: %v", paths)
	}
	_, s := open(t, paths[0], Options{})
	if d := cmp.Diff([]int{10, 11, 12, 13, 7, 8, 14, 15, 16, 17}, linesOf(s.Records(0))); d != "" {
		t.Errorf("turn 0 (-want +got):\n%s", d)
	}
	for line, want := range map[int32]int{7: 4, 8: 5, 10: 0, 13: 3, 14: 6} {
		if n, ok := s.Hops(line, 0); !ok || n != want {
			t.Errorf("line %d: %d hops (%v), want %d", line, n, ok, want)
		}
	}
	hits := InOrder(s, 0, []int32{7, 8, 9, 10, 14}, func(l int32) Loc { return Loc{Line: l} })
	if d := cmp.Diff([]int32{10, 7, 8, 9, 14}, hits); d != "" {
		t.Errorf("hits (-want +got):\n%s", d)
	}
	if got := linesOf(s.Records(1)); got[0] != 19 || !sorted(got) {
		t.Errorf("turn 1 reads %v", got)
	}
}

func sorted(n []int) bool {
	for i := 1; i < len(n); i++ {
		if n[i] <= n[i-1] {
			return false
		}
	}
	return true
}

func TestReadingOrderOddChains(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lines []string
		want  [][]int
	}{
		{"a whole branch before its prompt", []string{user("a1", "", "one"), reply("b3", "b2", "z"), reply("b2", "b1", "y"), user("b1", "a1", "two")}, [][]int{{1}, {4, 3, 2}}},
		{"two children wait for one parent, in file order", []string{reply("a2", "a1", "x"), reply("a3", "a1", "y"), user("a1", "", "one")}, [][]int{{3, 1, 2}}},
		{"a parent later in the same turn", []string{user("a1", "", "one"), reply("a3", "a2", "y"), reply("a2", "a1", "x"), reply("a4", "a3", "z")}, [][]int{{1, 3, 2, 4}}},
		{"a cycle is read as it stands", []string{user("a1", "", "one"), reply("a2", "a3", "x"), reply("a3", "a2", "y")}, [][]int{{1, 2, 3}}},
		{"its own parent", []string{user("a1", "a1", "one"), reply("a2", "a2", "x")}, [][]int{{1, 2}}},
		{"the lead follows the opener", []string{reply("l1", "", "lead"), user("a1", "", "one"), reply("a2", "a1", "x")}, [][]int{{2, 1, 3}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, s := open(t, save(t, tc.lines...), Options{})
			var got [][]int
			for turn := range s.Turns() {
				got = append(got, linesOf(s.Records(turn)))
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestReplayCopies(t *testing.T) {
	_, s := open(t, "../../testdata/cases/29-compaction-replay-in-file/projects/-home-dev-app/0000001d-0000-4000-8000-000000000aaa.jsonl", Options{})
	if s.Turns() != 4 || s.Copies() != 4 {
		t.Errorf("%d turns, %d copies", s.Turns(), s.Copies())
	}
	for line, of := range map[int32]int{1: 9, 2: 10, 3: 11, 4: 12, 9: 0, 7: 0} {
		n, ok := s.CopyOf(line, 0)
		if n != of || ok != (of != 0) {
			t.Errorf("line %d is a copy of %d (%v), want %d", line, n, ok, of)
		}
		if ok && s.Opens(line, 0) {
			t.Errorf("line %d is a copy and opens", line)
		}
	}
	loc, ok := s.Find("0000001d-0000-4000-8000-000000000001")
	if !ok || loc.Line != 9 {
		t.Errorf("the uuid is found on line %d", loc.Line)
	}
	if loc, ok = s.FindAt("0000001d-0000-4000-8000-000000000001", 1); !ok || loc.Line != 1 {
		t.Errorf("and where it is asked for, on line %d", loc.Line)
	}
	for line, want := range map[int]int{1: 1, 9: 1, 0: 1, 99: 1} {
		if all := s.FindAll("0000001d-0000-4000-8000-000000000001", line); len(all) != want {
			t.Errorf("line %d: %v", line, all)
		}
	}
	if _, ok = s.Find("0000001d-0000-4000-8000-0000000000ff"); ok {
		t.Error("an unknown uuid is found")
	}
	if _, ok = s.Find(""); ok {
		t.Error("the empty uuid is found")
	}
}

// TestFindAll finds each record of a uuid on a line: a row about one of them cannot say which.
func TestFindAll(t *testing.T) {
	_, s := open(t, save(t, user("a", "", "one")+user("b", "", "two")+user("a", "", "three"), user("a", "", "four")), Options{})
	for line, want := range map[int][]int32{1: {0, 2}, 2: {0}, 0: {0}} {
		var parts []int32
		for _, l := range s.FindAll("a", line) {
			parts = append(parts, l.Part)
		}
		if !slices.Equal(parts, want) {
			t.Errorf("line %d: parts %v, want %v", line, parts, want)
		}
	}
	if all := s.FindAll("c", 1); all != nil {
		t.Errorf("an unknown uuid is found: %v", all)
	}
}

func TestCompactMode(t *testing.T) {
	boundary := func(id string) string { return node("system", id, "", `"subtype":"compact_boundary","content":"x"`) }
	summary := func(id, more string) string {
		return node("user", id, "", `"isCompactSummary":true`+more+`,"message":{"role":"user","content":"x"}`)
	}
	_, s := open(t, save(t,
		boundary("b1"), user("a1", "", "between"), summary("s1", ""), summary("s2", `,"summarizeMetadata":{"direction":"from"}`),
		boundary("b2"), boundary("b3"), summary("s3", `,"summarizeMetadata":{"direction":"from"}`),
		boundary("b4"), summary("s4", `,"summarizeMetadata":{"direction":"up_to"}`),
		boundary("b5"), summary("s5", `,"summarizeMetadata":{"direction":"sideways"}`), boundary("b6")), Options{})
	for line, want := range map[int32]string{1: "compact", 5: "", 6: "summarize-from-here", 8: "summarize-up-to-here", 10: "", 12: "", 3: ""} {
		if got := s.CompactMode(line); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	plan := node("assistant", "a2", "a1", `"message":{"content":[{"type":"tool_use","id":"p1","name":"ExitPlanMode","input":{"plan":"x","planFilePath":"/plans/x.md"}}]}`)
	no := node("user", "a3", "a2", `"message":{"content":[{"type":"tool_result","tool_use_id":"p1","is_error":true,"content":`+
		`"The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nkeep it"}]}`)
	fire := node("system", "f1", "a3", `"subtype":"scheduled_task_fire","content":"Running scheduled task (noon)"`)
	notFire := node("user", "f2", "a3", `"subtype":"scheduled_task_fire","message":{}`)
	_, s := open(t, save(t, `{"type":"fork-context-ref","agentId":"x"}`, user("a1", "", "go"), plan, no, fire, notFire), Options{InLane: true})
	if !s.Clone || s.Plans["p1"] != "/plans/x.md" || !s.Fires["f1"] || s.Fires["f2"] || len(s.Refused) != 1 || s.Refused[0].Line != 4 {
		t.Errorf("clone %v, plans %v, fires %v, refused %v", s.Clone, s.Plans, s.Fires, s.Refused)
	}
	if _, s = open(t, save(t, user("a1", "", "go"), `{"type":"fork-context-ref"}`), Options{}); s.Clone {
		t.Error("a fork-context-ref on line 2 makes a clone")
	}
}

func TestPairs(t *testing.T) {
	_, s := open(t, save(t,
		user("a1", "", "go"),
		call("a2", "a1", "t1", "Bash"),                                    // 2
		call("a3", "a2", "t2", "Read"),                                    // 3
		result("a4", "a3", "t2"),                                          // 4
		result("a5", "a2", "t1"),                                          // 5
		call("a6", "a5", "t3", "Edit"),                                    // 6: no result
		result("a7", "a6", "t4"),                                          // 7: no call
		call("b1", "a7", "t5", "Grep"),                                    // 8: the block of 8 and 9 is replayed as 10 and 11
		result("b2", "b1", "t5"),                                          // 9
		call("b1", "a7", "t5", "Grep"),                                    // 10
		result("b2", "b1", "t5"),                                          // 11
		result("c1", "b2", "t6"),                                          // 12: before its call
		call("c2", "c1", "t6", "Late"),                                    // 13
		strings.Replace(result("c3", "c2", "t7"), `"t7"`, `"\u00747"`, 1), // 14
		call("c4", "c3", "t7", "Odd"),                                     // 15
		node("assistant", "d1", "c4", `"message":{"content":[{"type":"tool_use","id":"t8","name":"Server"},{"type":"tool_result","tool_use_id":"t8","is_error":true}]}`), // 16
	), Options{})
	for _, tc := range []struct {
		id     string
		line   int32
		result bool
		want   Pair
		other  int32
	}{
		{"t1", 2, false, Pair{Name: "Bash", Found: true}, 5},
		{"t1", 5, true, Pair{Name: "Bash", Found: true}, 2},
		{"t2", 4, true, Pair{Name: "Read", Found: true}, 3},
		{"t3", 6, false, Pair{Name: "Edit"}, 0},
		{"t4", 7, true, Pair{}, 0},
		{"t5", 8, false, Pair{Name: "Grep", Found: true}, 9},
		{"t5", 9, true, Pair{Name: "Grep", Found: true}, 8},
		{"t5", 10, false, Pair{Name: "Grep", Found: true}, 11},
		{"t5", 11, true, Pair{Name: "Grep", Found: true}, 10},
		{"t6", 12, true, Pair{Name: "Late", Found: true}, 13},
		{"t6", 13, false, Pair{Name: "Late", Found: true}, 12},
		{"t7", 14, true, Pair{Name: "Odd", Found: true}, 15},
		{"t8", 16, false, Pair{Name: "Server", Found: true, Failed: true}, 16},
		{"t9", 1, false, Pair{}, 0},
		{"", 1, true, Pair{}, 0},
	} {
		got := s.Call(tc.id, tc.line, tc.result)
		other := got.Other.Line
		got.Other = Loc{}
		if d := cmp.Diff(tc.want, got); d != "" || other != tc.other {
			t.Errorf("%s on line %d: the other side is on line %d, want %d (-want +got):\n%s", tc.id, tc.line, other, tc.other, d)
		}
	}
}

func TestDamage(t *testing.T) {
	one, two := user("a1", "", "one"), user("a2", "a1", "two")
	half := two[:len(two)-20]
	path := save(t, "\xef\xbb\xbf"+one+"\r", "", half, half+reply("a3", "a1", "x"), reply("a4", "a3", "y")+two, "\x00\x00"+reply("a5", "a2", "z")+"\x00", `{"type":"user",}`)
	f, s := open(t, path, Options{})
	if s.Lines != 7 || s.Blank != 1 || s.Unframed != 1 || s.Damaged != 2 || s.Joined != 1 {
		t.Errorf("lines %d, blank %d, unframed %d, damaged %d, joined %d", s.Lines, s.Blank, s.Unframed, s.Damaged, s.Joined)
	}
	want := []placed{{1, 0, 0, true}, {4, 0, 1, false}, {5, 0, 2, false}, {5, 1, 0, true}, {6, 1, 1, false}}
	if d := cmp.Diff(want, places(s)); d != "" {
		t.Errorf("places (-want +got):\n%s", d)
	}
	var r record.Record
	var buf []byte
	var err error
	for i, uuid := range []string{"a1", "a3", "a4", "a2", "a5"} {
		if buf, err = f.Record(s.locs[i], &r, buf); err != nil || !r.UUID.Is(uuid) {
			t.Errorf("record %d is %s: %v", i, r.UUID, err)
		}
	}
	loc := s.locs[3]
	if loc.Part != 1 || loc.Line != 5 {
		t.Errorf("the second record of the line stands at %+v", loc)
	}
	for _, by := range []int32{-1, 1, 30} {
		moved := loc
		moved.At += by
		if _, err = f.Record(moved, &r, buf); !errors.Is(err, ErrMoved) {
			t.Errorf("a record %d bytes further on: %v", by, err)
		}
	}
	var damage []string
	w := Walker{Damage: func(line []byte, loc Loc, framed bool) { damage = append(damage, fmt.Sprint(loc.Line, framed)) }}
	b, _ := os.ReadFile(path)
	w.Chunk(jsonl.Chunk{B: b, First: true, Last: true}, &Part{})
	if d := cmp.Diff([]string{"3 false", "4 true", "7 true"}, damage); d != "" {
		t.Errorf("damage told (-want +got):\n%s", d)
	}
}

// transcripts calls fn with every sample transcript.
func transcripts(t *testing.T, fn func(path string, b []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && len(b) > 0 {
			n++
			fn(path, b)
		}
		return err
	})
	if err != nil || n < 100 {
		t.Fatalf("%d sample transcripts: %v", n, err)
	}
}

// state is all that a structure answers.
func state(s *Structure) any {
	type at struct {
		Loc    Loc
		Turn   int
		Hops   int
		Reach  bool
		Opens  bool
		CopyOf int
	}
	var out []at
	for _, l := range s.locs {
		a := at{Loc: l, Turn: s.Turn(l.Line, l.Part), Opens: s.Opens(l.Line, l.Part)}
		a.Hops, a.Reach = s.Hops(l.Line, l.Part)
		a.CopyOf, _ = s.CopyOf(l.Line, l.Part)
		out = append(out, a)
	}
	var turns []any
	for t := range s.Turns() {
		turns = append(turns, []any{linesOf(s.Records(t)), s.UUIDs(t), s.OpenedAt(t), s.OpenerUUID(t)})
	}
	var pairs []Pair
	for i := range s.tools {
		e := &s.tools[i]
		pairs = append(pairs, Pair{Name: s.names.all[e.name], Found: e.result, Failed: e.failed, Other: s.locs[e.node]})
	}
	return []any{s.Lines, s.Blank, s.Unframed, s.Damaged, s.Joined, s.Clone, s.Plans, s.Fires, s.Refused, out, turns, pairs, s.modes, s.tasks, s.resumes, s.instants, s.scheduled}
}

// chunksOf cuts b into chunks of whole lines that start within size bytes.
func chunksOf(b []byte, size int) (out []jsonl.Chunk) {
	for off := 0; off < len(b); {
		end := min(off+size, len(b))
		if k := bytes.IndexByte(b[end-1:], '\n'); k >= 0 {
			end += k
		} else {
			end = len(b)
		}
		out = append(out, jsonl.Chunk{Seq: len(out), Off: int64(off), B: b[off:end], First: off == 0, Last: end == len(b)})
		off = end
	}
	return out
}

// joinSoon walks b with three goroutines that take its chunks in some order.
func joinSoon(b []byte, lane bool, size int) *Structure {
	chunks := chunksOf(b, size)
	rand.New(rand.NewPCG(1, uint64(size))).Shuffle(len(chunks), func(i, k int) { chunks[i], chunks[k] = chunks[k], chunks[i] })
	j := NewJoiner(int64(len(b)), lane)
	var wg sync.WaitGroup
	for n := range 3 {
		wg.Go(func() {
			w := Walker{InLane: lane}
			for k := n; k < len(chunks); k += 3 {
				p := j.Part()
				w.Chunk(chunks[k], p)
				j.Add(p)
			}
		})
	}
	wg.Wait()
	return j.Structure()
}

// Cut into parts at any newline, a file has the same structure.
func TestPartsOfAnySize(t *testing.T) {
	transcripts(t, func(path string, b []byte) {
		lane := strings.Contains(filepath.Base(path), "agent-")
		whole := func(size int) *Structure {
			w := Walker{InLane: lane}
			var parts []*Part
			for _, c := range chunksOf(b, size) {
				p := &Part{}
				w.Chunk(c, p)
				parts = append([]*Part{p}, parts...) // any order
			}
			return Join(parts, lane)
		}
		want := state(whole(len(b)))
		for _, size := range []int{1, 777, 20000} {
			if d := cmp.Diff(want, state(whole(size))); d != "" {
				t.Fatalf("%s in parts of %d bytes (-want +got):\n%s", path, size, d)
			}
			if d := cmp.Diff(want, state(joinSoon(b, lane, size))); d != "" {
				t.Fatalf("%s in parts of %d bytes, joined as they come (-want +got):\n%s", path, size, d)
			}
		}
		_, s := open(t, path, Options{InLane: lane, Workers: 3})
		if d := cmp.Diff(want, state(s)); d != "" {
			t.Fatalf("%s opened (-want +got):\n%s", path, d)
		}
	})
}

// What stands on several lines is no record, and the lines behind it keep their numbers.
func TestLinesOfAnObject(t *testing.T) {
	b := "{\"type\":\"user\",\n\"uuid\":\"00000000-0000-4000-8000-00000000000a\"}\n" +
		"{\"type\":\"user\",\"uuid\":\"00000000-0000-4000-8000-00000000000b\",\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n"
	var p Part
	var w Walker
	w.Chunk(jsonl.Chunk{B: []byte("{}\n" + b), First: true, Last: true}, &p)
	s := Join([]*Part{&p}, false)
	loc, ok := s.Find("00000000-0000-4000-8000-00000000000b")
	if !ok || loc.Line != 4 || s.Lines != 4 || s.Unframed != 2 {
		t.Errorf("%v %v, %d lines, %d without a frame", loc, ok, s.Lines, s.Unframed)
	}
}
