package jsonl

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// spotsOf collects what next finds in b.
func spotsOf(b []byte, next func(b []byte, at int) (int, uint64)) (got []int) {
	for at := 0; at < len(b); {
		i, m := next(b, at)
		for ; m != 0; m &= m - 1 {
			got = append(got, i+bits.TrailingZeros64(m))
		}
		at = i + step
	}
	return got
}

var (
	someWords = NewValues("user", "attachment", "ai-title")
	someKeys  = NewKeys("type", "id", "user")
)

// checkSpots compares the spots of b with what each byte says by itself.
func checkSpots(t *testing.T, b []byte) {
	t.Helper()
	var values, keys []int
	for i := range b {
		if someWords.spot(b, i) {
			values = append(values, i)
		}
		if someKeys.spot(b, i) {
			keys = append(keys, i)
		}
	}
	if got := spotsOf(b, someWords.Next); !slices.Equal(got, values) {
		t.Fatalf("%q: values at %v, want %v", b, got, values)
	}
	if got := spotsOf(b, someKeys.Next); !slices.Equal(got, keys) {
		t.Fatalf("%q: keys at %v, want %v", b, got, keys)
	}
}

func TestSpots(t *testing.T) {
	b := []byte(`{"type":"user","c\"d":"aim \u0041","e" : "attached","user":"assistant","f\\":"us` + "\r\n")
	show := func(at []int) (out []string) {
		for _, i := range at {
			out = append(out, string(b[max(0, i-2):min(i+3, len(b))]))
		}
		return out
	}
	want := []string{`":"us`, `":"ai`, ` \u00`, `: "at`, `":"us`, "s\r\n"}
	if got := show(spotsOf(b, someWords.Next)); !slices.Equal(got, want) {
		t.Errorf("values: %q, want %q", got, want)
	}
	want = []string{`pe":"`, ` \u00`, `er":"`, "s\r\n"}
	if got := show(spotsOf(b, someKeys.Next)); !slices.Equal(got, want) {
		t.Errorf("keys: %q, want %q", got, want)
	}
	for _, s := range []string{"", `"`, `":`, `:"`, `:"u`, `\u`, `\`, "\n", "\"\r\n", `\u0041`, `\u001b`, `\u0`, `type":`, `\id" `, `id\":`} {
		for n := range 3 * step {
			checkSpots(t, []byte(strings.Repeat("x", n)+s))
			checkSpots(t, []byte(strings.Repeat("x", n)+s+strings.Repeat("x", 2*step)))
		}
		checkSpots(t, []byte(strings.Repeat(s, 200)))
	}
	const letters = "\"\"\"\\\\:: \t\r\nuasti\xa2\xdczfu0014depyr"
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s := make([]byte, r.IntN(300))
		dense := 1 + r.IntN(len(letters))
		for i := range s {
			s[i] = letters[min(r.IntN(len(letters)*len(letters)/dense), len(letters)-1)]
		}
		checkSpots(t, s)
	}
}

func FuzzSpots(f *testing.F) {
	f.Add([]byte(`{"a":"b\":\u0041","c" :{"d":"user"}}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		checkSpots(t, b)
		checkSpots(t, bytes.Repeat(b, 1+200/(len(b)+1)))
	})
}

func BenchmarkSpots(b *testing.B) {
	line := []byte(strings.Repeat(`{"parentUuid":"a","type":"user","message":{"role":"user","content":"`+strings.Repeat(`fmt.Println(\"x\\n\") and more `, 80)+`"}}`+"\n", 40))
	for name, next := range map[string]func([]byte, int) (int, uint64){"words": someWords.Next, "keys": someKeys.Next} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				for at := 0; at < len(line); {
					i, _ := next(line, at)
					at = i + step
				}
			}
		})
	}
}
