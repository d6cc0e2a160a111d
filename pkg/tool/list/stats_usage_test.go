package list

import (
	"bytes"
	"encoding/json"
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
		{"an empty key, an escape before a quote", `{"":1,"a\"b":{"input_tokens":9},"output_tokens":4}`, tokens{0, 4, 0, 0, 0, 0}, true},
		{"19 digits that fit, and fractions of many", `{"input_tokens":1000000000000000000,"output_tokens":1234567890123456789.5,"cache_read_input_tokens":0}`, tokens{1e18, 0, 0, 0, 0, 0}, true},
		{"numbers at the end", `{"cache_creation":{"ephemeral_5m_input_tokens":2 },"input_tokens":3	}`, tokens{3, 0, 0, 2, 2, 0}, true},
		{"not there", ``, tokens{}, false},
		{"null", `null`, tokens{}, false},
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

// FuzzUsage holds readUsage against the decoder of the standard library.
func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"input_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":6960,"ephemeral_1h_input_tokens":0},"output_tokens":2540,"service_tier":"standard"}`))
	f.Add([]byte(`{"input_t\u006fkens":1e2,"a\\":[{"output_tokens":3}],"output_tokens":99999999999999999999}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var m map[string]json.RawMessage
		if !json.Valid(raw) {
			return
		}
		raw = bytes.TrimSpace(raw) // a value as it stands in a record
		json.Unmarshal(raw, &m)
		some := false
		get := func(m map[string]json.RawMessage, key string) (n int64) {
			if err := json.Unmarshal(m[key], &n); err != nil || m[key][0] == '-' || m[key][0] == 'n' {
				return 0
			}
			some = true
			return n
		}
		var split map[string]json.RawMessage
		json.Unmarshal(m["cache_creation"], &split)
		want := usage{get(m, "input_tokens"), get(m, "output_tokens"), get(m, "cache_read_input_tokens"), get(m, "cache_creation_input_tokens"),
			get(split, "ephemeral_5m_input_tokens"), get(split, "ephemeral_1h_input_tokens")}
		if got, ok := readUsage(raw); got != want || ok != some {
			t.Errorf("%s: %+v %v, want %+v %v", raw, got, ok, want, some)
		}
	})
}
