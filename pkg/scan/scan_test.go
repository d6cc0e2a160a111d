package scan

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
	"csift/pkg/jsonl"
	"csift/pkg/label"
	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/row"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// An ask is a query as it is typed.
type ask struct {
	pattern      string
	opt          match.Options
	labels, nots []string
	since, until int64
	turn         string
	count        Axis
	bare         bool // only the number is wanted, as of -c and -l
	noTurns      bool // not even that of the turns, as of -l
	chain        bool
	attachments  bool
	crossings    int
}

func (a ask) String() string {
	return fmt.Sprintf("%q %+v -t %q -T %q since %d until %d turn %q by %q bare %v no turns %v chain %v attachments %v crossings %d", a.pattern, a.opt, a.labels, a.nots, a.since, a.until,
		a.turn, a.count, a.bare, a.noTurns, a.chain, a.attachments, a.crossings)
}

func (a ask) query(slow bool, workers int) (*Query, error) {
	opt := a.opt
	opt.Slow = slow
	m, err := match.Compile(a.pattern, opt)
	if err != nil {
		return nil, err
	}
	f, err := label.ParseFilter(a.labels, a.nots)
	if err != nil {
		return nil, err
	}
	q := &Query{Match: m, Filter: f, Since: NoTime, Until: NoTime, Count: a.count, Exchanges: a.count == NoAxis && !a.bare, Slow: slow, Workers: workers,
		Attachments: a.attachments, Crossings: a.crossings, NoTurns: a.noTurns, Chain: a.chain}
	if a.since > 0 {
		q.Since = a.since
	}
	if a.until > 0 {
		q.Until = a.until
	}
	if a.turn != "" {
		spec, err := addr.ParseSpec(a.turn, 0)
		if err != nil {
			return nil, err
		}
		q.Turn = &spec
	}
	return q, nil
}

// answer is what of a Result can be compared.
type answer struct {
	Exchanges                  []Exchange
	Matched, Records, Excluded int
	Counts                     []string
	Files                      []string
	Chains                     []transcript.Chain
	Unread                     []UnreadLines
}

// answerOf gives it. Numbers that the query does not ask for are cut in r to whether there is any.
func answerOf(r *Result, q *Query) answer {
	if q.lazy() {
		r.Records = min(r.Records, 1)
		for i := range r.Files {
			f := &r.Files[i]
			f.Records = min(f.Records, 1)
			if q.NoTurns {
				r.Matched -= f.Exchanges - min(f.Exchanges, 1)
				f.Exchanges = min(f.Exchanges, 1)
			}
		}
	}
	a := answer{Exchanges: r.Exchanges, Matched: r.Matched, Records: r.Records, Excluded: r.Excluded}
	for _, c := range r.Counts {
		a.Counts = append(a.Counts, fmt.Sprintf("%s %d", c.Key, c.Records))
	}
	for i := range r.Files {
		f := &r.Files[i]
		a.Files = append(a.Files, fmt.Sprintf("exchanges %d records %d skipped %d damaged %d first %d missing %v err %v",
			f.Exchanges, f.Records, f.Skipped, f.Damaged, f.Hurt, f.Missing, f.Err))
		if f.Chain != nil {
			a.Chains = append(a.Chains, *f.Chain)
		}
	}
	return a
}

// agree runs a query the fast way and the slow one and compares; false when the pattern is none.
func agree(t *testing.T, files []File, a ask, workers int) bool {
	t.Helper()
	slow, err := a.query(true, 1)
	if err != nil {
		return false
	}
	fast, err := a.query(false, workers)
	if err != nil {
		t.Fatalf("%v: only the fast matcher refuses: %v", a, err)
	}
	want, err := Run(context.Background(), files, slow, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(context.Background(), files, fast, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y := answerOf(want, fast), answerOf(got, fast)
	if want.Records == 0 {
		if x.Unread, err = Unread(context.Background(), files, slow, want); err != nil {
			t.Fatal(err)
		}
		if y.Unread, err = Unread(context.Background(), files, fast, got); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(x, y); diff != "" {
		t.Errorf("%v with %d workers: slow (-) and fast (+) differ:\n%s", a, workers, diff)
	}
	return true
}

// pattern makes a pattern: a word, a piece of a text that is there, or either bent a little.
func pattern(r *rand.Rand, texts []string) string {
	var p string
	switch r.IntN(5) {
	case 0:
		p = vocabulary[r.IntN(len(vocabulary))]
	case 1:
		p = vocabulary[r.IntN(len(vocabulary))] + "|" + vocabulary[r.IntN(len(vocabulary))]
		if _, err := regexp.Compile(p); err == nil {
			return p
		}
	default:
		s := []rune(texts[r.IntN(len(texts))])
		if len(s) > 0 {
			i := r.IntN(len(s))
			s = s[i:min(len(s), i+1+r.IntN(14))]
		}
		p = string(s)
	}
	p = regexp.QuoteMeta(p)
	switch r.IntN(10) {
	case 0:
		return "(?i)" + p
	case 1:
		return strings.ReplaceAll(p, " ", `\s+`)
	case 2:
		return strings.ReplaceAll(p, "a", ".")
	case 3:
		return strings.ReplaceAll(p, "e", "[a-z]")
	case 4:
		return `\b` + p
	case 5:
		return strings.ToLower(p)
	}
	return p
}

// textsOf gives the texts of a transcript as they are matched.
func textsOf(t testing.TB, f File) (texts []string) {
	t.Helper()
	var b section.Builder
	walk := transcript.Walker{InLane: f.IsSubagent, Record: func(r *record.Record, _ transcript.Loc) {
		for _, s := range b.Sections(r, nil) {
			texts = append(texts, string(s.Append(nil)))
		}
	}}
	file, err := jsonl.Open(f.Transcript)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := jsonl.ReadAll(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	var part transcript.Part
	walk.Chunk(jsonl.Chunk{B: all, First: true, Last: true}, &part)
	return texts
}

// FuzzFastEqualsSlow compares the two ways on random transcripts and random queries.
func FuzzFastEqualsSlow(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if testing.Short() && seed > 3 {
			t.Skip("short")
		}
		r := rand.New(rand.NewPCG(seed, 1))
		var files []File
		var texts []string
		for i := range 1 + r.IntN(3) {
			w := &writer{Rand: r}
			// Long stretches of filler make a chunk sparse, as most chunks are.
			for range 1 + r.IntN(4) {
				w.plain = true
				w.transcript(r.IntN(120) + 1)
				w.plain = false
				w.transcript(r.IntN(60) + 1)
			}
			f := w.save(t, fmt.Sprintf("s%d", i), r.IntN(4) == 0)
			files = append(files, f)
			texts = append(texts, textsOf(t, f)...)
		}
		for n := 0; n < 25 && len(texts) > 0 && !t.Failed(); n++ {
			a := ask{pattern: pattern(r, texts)}
			vary(r, &a)
			agree(t, files, a, 1+r.IntN(3))
		}
	})
}

// TestRealTexts does the same with pieces of the texts of real transcripts, the made ones among them.
func TestRealTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	n, tries := 0, 8
	if testing.Short() {
		tries = 2
	}
	for _, dir := range []string{"../../testdata/versions", "../../testdata/cases", "../../testdata/home"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			f := File{Ref: row.Ref{SessionID: "s", IsSubagent: strings.Contains(path, "subagents"), Transcript: path, Path: path}}
			texts := textsOf(t, f)
			for range min(tries, len(texts)) {
				n++
				agree(t, []File{f}, ask{pattern: pattern(r, texts)}, 2)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 60*tries {
		t.Errorf("only %d pieces", n)
	}
}

// vary adds flags.
func vary(r *rand.Rand, a *ask) {
	a.opt = match.Options{IgnoreCase: r.IntN(5) == 0, Multiline: r.IntN(8) == 0}
	if r.IntN(3) == 0 {
		a.labels = append(a.labels, []string{"user", "agent", "agent.tool.result", "harness.*", "user.message", "agent.communication", "harness.notification", "user.*",
			"user.unsent", "user.rewound", "harness.bookkeeping.*", "harness.context", "harness.hook.outcome"}[r.IntN(13)])
	}
	if r.IntN(5) == 0 {
		a.nots = append(a.nots, []string{"agent.tool", "user.message", "agent.thinking.*", "harness", "user", "user.unsent"}[r.IntN(6)])
	}
	a.attachments, a.crossings = r.IntN(8) == 0, []int{-1, -1, 0, 1}[r.IntN(4)]
	at := func(minutes int) int64 { return time.Date(2026, 3, 2, 0, minutes, 0, 0, time.UTC).UnixNano() }
	if r.IntN(6) == 0 {
		a.since = at(r.IntN(6))
	}
	if r.IntN(6) == 0 {
		a.until = at(r.IntN(6))
	}
	if r.IntN(6) == 0 {
		a.turn = []string{"0", "-1", "-3..", "1..2", "5..", ".."}[r.IntN(6)]
	}
	switch r.IntN(4) {
	case 0:
		a.count = Axes()[r.IntN(len(Axes()))]
	case 1:
		a.bare = true
	}
}

// TestBigFile does the same on a file of several chunks, one of which is full of candidates.
func TestBigFile(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	w := &writer{Rand: r}
	filler := func(mb int) {
		w.plain = true
		for until := w.out.Len() + mb<<20; w.out.Len() < until; {
			w.line()
		}
		w.plain = false
	}
	filler(1)
	w.transcript(300)
	w.out.WriteString("\n")
	filler(2)
	w.out.WriteString(w.assistant(w.block("text", "text", `"`+strings.Repeat("one line longer than a chunk, with a needle at its end ", 30000)+`xyzzy"`)) + "\n")
	for range 2500 {
		w.line()
	}
	filler(1)
	w.out.WriteString(w.user(`"the last word is plugh"`))
	f := w.save(t, "big", false)
	if w.out.Len() < jsonl.BigFile+1<<20 {
		t.Fatalf("%d bytes are no big file", w.out.Len())
	}
	patterns := []string{"xyzzy", "plugh", "carry", "the", "background-command", "preTokens=1", "A1:", "timeout|panic", "日本語", `\d{4}-\d\d`, "no such words"}
	if testing.Short() {
		patterns = patterns[:3]
	}
	for i, p := range patterns {
		agree(t, []File{f}, ask{pattern: p}, 1+i%3)
	}
	agree(t, []File{f}, ask{pattern: "carry", bare: true}, 2)
	agree(t, []File{f}, ask{pattern: "plugh", bare: true}, 2)
	agree(t, []File{f}, ask{pattern: "carry", labels: []string{"user"}, turn: "-5..", count: ByLabel}, 3)
	f.Parts = []Part{{Range: addr.Range{Kind: addr.LineRange, Spec: spec(t, "-3..", 1)}}, {Line: 40}}
	agree(t, []File{f}, ask{pattern: "plugh|the"}, 2)
}

func spec(t *testing.T, s string, base int) addr.Spec {
	t.Helper()
	out, err := addr.ParseSpec(s, base)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
