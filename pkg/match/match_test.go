package match

import (
	"fmt"
	"sync"
	"testing"
)

// Clones work side by side, and a Prefilter for all of them.
func TestClones(t *testing.T) {
	m, err := Compile(`(foo|bar)\d+\b`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := m.Prefilter([]string{"marker"})
	var wg sync.WaitGroup
	for g := range 4 {
		c := m.Clone()
		wg.Go(func() {
			for i := range 500 {
				text := fmt.Appendf(nil, "x é %d foo%d超 bar%d. %060d", g, i, i, i)
				want := fmt.Sprintf("bar%d", i)
				if !c.Match(text) || !c.MatchRaw(text) || p.Index(text) < 0 {
					t.Errorf("no match in %s", text)
				}
				if s, e := c.Find(text); s < 0 || string(text[s:e]) != want {
					t.Errorf("%s: found %d, %d", text, s, e)
				}
			}
		})
	}
	wg.Wait()
}

func TestEmptyPattern(t *testing.T) {
	for _, o := range []Options{{}, {Slow: true}, {Fixed: true}} {
		m, err := Compile("", o)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Empty() || !m.Match(nil) || !m.MatchRaw([]byte(`\n`)) || m.Prefilter(nil) != nil {
			t.Errorf("%+v: the empty pattern has to match everything", o)
		}
		if s, e := m.Find([]byte("ab")); s != 0 || e != 0 {
			t.Errorf("%+v: found %d, %d", o, s, e)
		}
	}
	if m, err := Compile("(?i)", Options{}); err != nil || m.Empty() || !m.Match(nil) {
		t.Error("(?i) is a pattern that happens to match everything")
	}
}

// What the hot paths do not do.
func TestNoAllocation(t *testing.T) {
	for _, pattern := range []string{"Zanzibar", "tasks", "x.?y", `\p{Han}{4,}`, `\w+@\w+`} {
		m, err := Compile(pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Prefilter(nil)
		text := []byte(`some text, é 超时 and \n escapes \u001b[0m and Tas\u212as x yy, long enough for every path there is to take`)
		if n := testing.AllocsPerRun(100, func() {
			m.Match(text)
			m.MatchRaw(text)
			m.Find(text)
			if p != nil {
				p.Index(text)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", pattern, n)
		}
	}
}
