package match

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"time"
)

var random = flag.Duration("random", 0, "how long the random tests run, instead of a fixed number of rounds; with a fresh seed")

// rounds calls f with a source of randomness until it is enough.
func rounds(t *testing.T, n int, f func(r *rand.Rand)) {
	t.Helper()
	if *random == 0 {
		r := rand.New(rand.NewPCG(1, 2))
		if testing.Short() { // the race detector runs with it
			n /= 10
		}
		for range n {
			f(r)
		}
		return
	}
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	count := 0
	for end := time.Now().Add(*random); time.Now().Before(end); count++ {
		f(r)
	}
	t.Log(count, "rounds")
}

// both compiles a pattern for the fast way and the slow one.
func both(pattern string, o Options) (fast, slow *Matcher, err error) {
	if fast, err = Compile(pattern, o); err != nil {
		return nil, nil, err
	}
	o.Slow = true
	slow, err = Compile(pattern, o)
	return fast, slow, err
}

// agree fails unless both ways say the same of the text and its spellings, and
// the prefilter finds every spelling of a match.
func agree(t *testing.T, r *rand.Rand, pattern string, o Options, fast, slow *Matcher, pre *Prefilter, text []byte) {
	t.Helper()
	s, e := slow.Find(text)
	if fs, fe := fast.Find(text); fs != s || fe != e {
		t.Fatalf("%q %+v: Find(%q) = %d, %d, want %d, %d", pattern, o, text, fs, fe, s, e)
	}
	if got := fast.Match(text); got != (s >= 0) {
		t.Fatalf("%q %+v: Match(%q) = %v", pattern, o, text, got)
	}
	for _, raw := range spellings(r, text) {
		want := slow.Match(unescape(nil, raw))
		if got := fast.MatchRaw(raw); got != want {
			t.Fatalf("%q %+v: MatchRaw(%s) = %v", pattern, o, raw, got)
		}
		if got := slow.MatchRaw(raw); got != want {
			t.Fatalf("%q %+v: slow MatchRaw(%s) = %v", pattern, o, raw, got)
		}
		folded := slow.Match(fold(text))
		if pre == nil || !want && !folded {
			continue
		}
		line := append(append([]byte(`{"a":"`), raw...), `"}`...)
		if pre.Index(line) < 0 {
			t.Fatalf("%q %+v: prefilter %v loses %s", pattern, o, pre, line)
		}
	}
}

func TestFastIsSlow(t *testing.T) {
	rounds(t, 700, func(r *rand.Rand) {
		pattern, o := randomPattern(r, 4), randomOptions(r)
		fast, slow, err := both(pattern, o)
		if err != nil {
			return
		}
		if r.IntN(3) == 0 { // a cache that is dropped all the time
			fast.automaton().limit, fast.automaton().first = 500+r.IntN(1000), r.IntN(20)
		}
		pre := fast.Prefilter(nil)
		if r.IntN(3) == 0 {
			pre = fast.Prefilter([]string{`"turn_duration"`, "zz"})
		}
		for range 12 {
			agree(t, r, pattern, o, fast, slow, pre, randomText(r, r.IntN(3) == 0))
		}
	})
}

func FuzzFastIsSlow(f *testing.F) {
	for _, p := range []string{"foo", `\bfunc\s+\w+\(`, `[A-Z]{3}-\d{4}`, "error.*timeout", "x.?y", `\p{Han}{4,}`, "(a|b)*c{1,50}", "^a$", `\Bé`} {
		f.Add(p, []byte("func foo() ABC-1234 error\ttimeout xy 超时超时 abcc é\xff"), uint8(0))
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, mode uint8) {
		if len(pattern) > 100 || len(text) > 1000 {
			return
		}
		o := Options{IgnoreCase: mode&1 != 0, Fixed: mode&2 != 0, Multiline: mode&4 != 0}
		fast, slow, err := both(pattern, o)
		if err != nil {
			return
		}
		agree(t, rand.New(rand.NewPCG(uint64(mode), 1)), pattern, o, fast, slow, fast.Prefilter(nil), text)
	})
}

// Places where an escape begins and ends, and where a match may have begun long
// before it is decided.
func TestFastIsSlowAtEdges(t *testing.T) {
	pad := strings.Repeat("xyz ", 20)
	for _, c := range []struct{ pattern, raw string }{
		{"abcd", pad + `\\uabcd`},
		{"abcd", pad + `\uabcd` + pad},
		{"abcd", pad + `\u0061bcd`},
		{"nfoo", pad + `\nfoo`},
		{"nfoo", pad + `\\nfoo`},
		{"nfoo", pad + `\\\nfoo`},
		{"u0041", pad + `\u0041`},
		{"u0041", pad + `\\u0041`},
		{"00e9", `\u00e9` + pad},
		{"A", strings.Repeat("é", 40) + `\\\u0041`},
		{"[ab]", pad + `\\\\\u0061`},
		{`\\n`, pad + `\\n`},
		{`\\n`, pad + `\n`},
		{`a\n`, pad + `a\\n`},
		{`zanzi\\nbar`, pad + `zanzi\nbar`},
		{`zanzi\\nbar`, pad + `zanzi\\nbar`},
		{`q\\u`, pad + `q\\u`},
		{"😀", pad + `\ud83d\ude00`},
		{"\ufffd", pad + `\ud83d`},
		{"\ufffd", pad + "\xff"},
		{"\ufffdde", pad + `\ud83d\u0064e`},
		{"a*b", pad + strings.Repeat("a", 200) + "b"},
		{"(aa)*b", pad + strings.Repeat("a", 201) + "b"},
		{"x(yz )*q|z", strings.Repeat("xyz ", 50)},
		{`(?s)the.*zz|e`, "the " + pad + pad + "e"},
		{`(?m)^xyz$`, pad + `\nxyz\n` + pad},
		{`(?m:^)\Bxyz`, pad + `\nxyz`},
		{`\bé`, strings.Repeat("é", 90) + " é"},
	} {
		fast, slow, err := both(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := unescape(nil, []byte(c.raw))
		if got, want := fast.MatchRaw([]byte(c.raw)), slow.Match(text); got != want {
			t.Errorf("%q: MatchRaw(%s) = %v", c.pattern, c.raw, got)
		}
		agree(t, rand.New(rand.NewPCG(1, 1)), c.pattern, Options{}, fast, slow, fast.Prefilter(nil), text)
		agree(t, rand.New(rand.NewPCG(1, 1)), c.pattern, Options{}, fast, slow, fast.Prefilter(nil), []byte(c.raw))
	}
}

// With the word characters of package regexp the simulation is package regexp.
func TestSimulationIsRegexp(t *testing.T) {
	rounds(t, 700, func(r *rand.Rand) {
		p, tree, err := parse(randomPattern(r, 4), randomOptions(r))
		if err != nil {
			return
		}
		re := regexp.MustCompile(p)
		prog, err := newProgram(tree)
		if err != nil {
			t.Fatal(err)
		}
		sim := newNFA(prog)
		sim.word = syntax.IsWordChar
		for range 10 {
			text := randomText(r, true)
			want := re.FindIndex(text)
			if want == nil {
				want = []int{-1, -1}
			}
			if s, e := sim.find(text, 0); s != want[0] || e != want[1] {
				t.Fatalf("%q on %q: %d, %d, want %v", p, text, s, e, want)
			}
		}
	})
}

func TestWordBoundaries(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		start, end    int
	}{
		{`\bété\b`, "l'été!", 2, 7},
		{`\bété\b`, "détés", -1, -1},
		{`\bслово\b`, "в слово,", 3, 13},
		{`\b超时\b`, "超时", 0, 6},
		{`\b超时\b`, "请求超时了", -1, -1},
		{`\bfoo\b`, "éfoo foo", 6, 9},
		{`\Bfoo`, "éfoo", 2, 5},
		{`foo\b`, "foo\xff", 0, 3},
		{`\b`, "—é", 3, 3},
	} {
		fast, slow, err := both(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Matcher{fast, slow} {
			if s, e := m.Find([]byte(c.text)); s != c.start || e != c.end {
				t.Errorf("%s on %q: %d, %d, want %d, %d", c.pattern, c.text, s, e, c.start, c.end)
			}
			if got := m.Match([]byte(c.text)); got != (c.start >= 0) {
				t.Errorf("%s on %q: %v", c.pattern, c.text, got)
			}
		}
	}
}

// Patterns whose automaton or expansion is as large as they come stay within
// bounds of time.
func TestHardPatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var letters, words []byte
	size := 100 << 10
	if testing.Short() {
		size = 4 << 10
	}
	for len(letters) < size {
		letters = append(letters, "ab"[r.IntN(2)])
		words = append(words, pick(r, "a", "b", "ccc", " ", "超时", "x=", "1", "abab", `\n`, "é")...)
	}
	texts := [][]byte{letters, words, bytes.Repeat([]byte("c"), size)}
	for _, pattern := range []string{
		`(a|b)*c{1,500}`, `(a|b)*c{500}z`, `(x+x+)+y`, `[ab]*a[ab]{14}c`, `a.{40}z`, `(a?){500}a{500}`, `(\w+\s?){30}!`, `\w{1,1000}z{5}`,
		`(?:a|b|ab)*z`, `.*.*.*=.*z`, `((a*)*)*z`, `(.{1,30}){1,30}zz`, `\pL{0,300}\d{0,300}zz`, `(?i)(超|时|é|ß|k|s|\w){0,100}zz`,
		`\w{0,1000}\d{0,1000}\w{0,1000}\d{0,1000}[^x]{0,1000}zz`,
	} {
		fast, slow, err := both(pattern, Options{})
		if err != nil {
			t.Fatal(pattern, err)
		}
		for i, text := range texts {
			began := time.Now()
			got := fast.automaton().match(text, false)
			fast.automaton().match(text, true)
			start, _ := fast.Find(text)
			if took := time.Since(began); took > time.Minute { // not a measure of speed: what blows up takes hours
				t.Errorf("%s: %v for %d bytes", pattern, took, len(text))
			} else {
				t.Logf("%-40s text %d: %v", pattern, i, took.Round(time.Millisecond))
			}
			if got != (start >= 0) {
				t.Errorf("%s: Match %v, Find %d", pattern, got, start)
			}
			short := text[:1000]
			if fast.Match(short) != slow.Match(short) {
				t.Errorf("%s: fast and slow differ", pattern)
			}
		}
	}
	if _, err := Compile(`((a{100}){100}){100}`, Options{}); err == nil {
		t.Error("a repeat of a million compiles")
	}
}
