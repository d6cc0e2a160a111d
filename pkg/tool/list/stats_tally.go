package list

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"csift/pkg/jsonl"
)

// tally counts things by name. The zero value is empty.
type tally struct {
	names []string
	n     []int64
	index map[string]int // of names, once there are many
}

const (
	// unnamed is the name of what a record does not name: a line without a type, an answer without a model, a call
	// without a tool.
	unnamed = "(none)"
	// manyNames is from how many names on a map finds one sooner than looking at each.
	manyNames = 16
)

// add counts one more of a name that stands on a line as raw; nil is none.
func (t *tally) add(raw []byte) {
	if raw == nil {
		t.n[t.place(unnamed)]++
		return
	}
	if i := t.find(raw); i >= 0 {
		t.n[i]++
		return
	}
	t.n[t.place(string(jsonl.Unescape(nil, raw)))]++
}

// find gives the place of a name, -1 when it is not there.
func (t *tally) find(name []byte) int {
	if t.index != nil {
		if i, ok := t.index[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range t.names {
		if t.names[i] == string(name) {
			return i
		}
	}
	return -1
}

// place gives the place of a name, entering it.
func (t *tally) place(name string) int {
	if i := t.find([]byte(name)); i >= 0 {
		return i
	}
	i := len(t.names)
	t.names, t.n = append(t.names, name), append(t.n, 0)
	switch {
	case t.index != nil:
		t.index[name] = i
	case i == manyNames:
		t.index = make(map[string]int, 2*manyNames)
		for k, v := range t.names {
			t.index[v] = k
		}
	}
	return i
}

// merge adds what another tally counted.
func (t *tally) merge(o *tally) {
	if t.names == nil {
		*t = tally{names: slices.Clone(o.names), n: slices.Clone(o.n), index: maps.Clone(o.index)}
		return
	}
	for i, name := range o.names {
		k := t.place(name)
		t.n[k] = sum(t.n[k], o.n[i])
	}
}

// total is all that was counted.
func (t *tally) total() (n int64) {
	for _, v := range t.n {
		n = sum(n, v)
	}
	return n
}

// row gives the counts by name.
func (t *tally) row() map[string]int64 {
	m := make(map[string]int64, len(t.names))
	for i, name := range t.names {
		m[name] = t.n[i]
	}
	return m
}

// text spells the counts, the largest first, equal ones by name: "Bash×40 · Read×22".
func (t *tally) text() string {
	order := make([]int, len(t.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.n[b], t.n[a]), cmp.Compare(t.names[a], t.names[b]))
	})
	var b []byte
	for k, i := range order {
		if k > 0 {
			b = append(b, " · "...)
		}
		b = append(b, t.names[i]...)
		b = append(b, "×"...)
		b = strconv.AppendInt(b, t.n[i], 10)
	}
	return string(b)
}

// sum adds two counts that are not negative. It stays at the largest number where they would go beyond it.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
