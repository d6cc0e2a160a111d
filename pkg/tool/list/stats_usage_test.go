package list

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadUsage(t *testing.T) {
	for _, tc := range []struct {
		name, raw string
		want      tokens
		some      bool
	}{
		{"whole", `{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4}`, tokens{1, 2, 3, 4, 0, 0}, true},
		{"split equals flat", `{"cache_creation_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20}}`, tokens{0, 0, 0, 30, 10, 20}, true},
		{"flat is 0", `{"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_1h_input_tokens":700}}`, tokens{0, 0, 0, 700, 0, 700}, true},
		{"flat says more", `{"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":1}}`, tokens{0, 0, 0, 9, 1, 0}, true},
		{"zeros are stated", `{"input_tokens":0}`, tokens{}, true},
		{"nothing", `{}`, tokens{}, false},
		{"no object", `[1]`, tokens{}, false},
		{"other keys only", `{"service_tier":"standard","server_tool_use":{"input_tokens":5}}`, tokens{}, false},
		{"wrong types", `{"input_tokens":"7","output_tokens":null,"cache_read_input_tokens":[1],"cache_creation":8}`, tokens{}, false},
		{"fraction, exponent, sign", `{"input_tokens":1.5,"output_tokens":1e99,"cache_read_input_tokens":-3,"cache_creation_input_tokens":6}`, tokens{0, 0, 0, 6, 0, 0}, true},
		{"beyond 64 bits", `{"input_tokens":9223372036854775808,"output_tokens":9223372036854775807}`, tokens{0, math.MaxInt64, 0, 0, 0, 0}, true},
		{"a split beyond 64 bits", `{"cache_creation":{"ephemeral_5m_input_tokens":9223372036854775807,"ephemeral_1h_input_tokens":1}}`,
			tokens{0, 0, 0, math.MaxInt64, math.MaxInt64, 1}, true},
		{"the last of two", `{"output_tokens":9,"output_tokens":4,"input_tokens":3,"input_tokens":"x"}`, tokens{0, 4, 0, 0, 0, 0}, true},
		{"escaped keys", `{"outp\u0075t_tokens":4}`, tokens{0, 4, 0, 0, 0, 0}, true},
		{"space between", "{ \"output_tokens\" :\t4 , \"cache_creation\" : { } }", tokens{0, 4, 0, 0, 0, 0}, true},
	} {
		u, some := readUsage([]byte(tc.raw))
		if got := u.tokens(); got != tc.want || some != tc.some {
			t.Errorf("%s: %+v %v, want %+v %v", tc.name, got, some, tc.want, tc.some)
		}
	}
}

func TestSumsStayInRange(t *testing.T) {
	var b bill
	huge := tokens{math.MaxInt64, math.MaxInt64, 1, 0, 0, 0}
	b.add("m", huge, false)
	b.add("m", huge, true)
	b.add("n", tokens{Output: 1}, false)
	var sum bill
	sum.merge(&b)
	sum.merge(&b)
	want := map[string]tokens{"m": {Input: math.MaxInt64, Output: math.MaxInt64, CacheRead: 4}, "n": {Output: 2}}
	if diff := cmp.Diff(want, sum.row()); diff != "" {
		t.Error(diff)
	}
	if !sum.open[0] || sum.open[1] {
		t.Errorf("which model's output is open is lost: %v", sum.open)
	}
	if huge.all() != math.MaxInt64 {
		t.Error("the sum of a model wraps")
	}
}

func TestTally(t *testing.T) {
	var a, b tally
	for i := range 3 * manyNames {
		name := []byte{'a' + byte(i%26), '0' + byte(i/26)}
		for range i + 1 {
			a.add(name)
		}
	}
	a.add(nil)
	a.add([]byte(`\u0061\u0030`)) // a0
	a.add([]byte("\xff"))
	a.add([]byte("\xff"))
	b.add([]byte("a0"))
	b.merge(&a)
	got := b.row()
	if len(got) != 3*manyNames+2 || got["a0"] != 3 || got["b0"] != 2 || got[unnamed] != 1 || got["\ufffd"] != 2 {
		t.Error(got)
	}
	if got := (&tally{names: []string{"b", "c", "a"}, n: []int64{2, 9, 2}}).text(); got != "c×9 · a×2 · b×2" {
		t.Error(got)
	}
}
