package record

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	one   = `{"type":"user","uuid":"u1","message":{"role":"user","content":"first {\"x\": [1]} text"}}`
	two   = `{"type":"assistant","uuid":"u2","message":{"content":[{"type":"text","text":"second, with {\"type\":\"user\"}"}]}}`
	three = `{"type":"mode","mode":"default","sessionId":"s"}`
	// nests holds what looks like a record inside its data, as progress lines did up to 2.1.81.
	nests = `{"type":"progress","data":{"message":{"type":"user","uuid":"inner","message":{"role":"user","content":"nested"}}},"uuid":"u9"}`
	inner = `{"type":"user","uuid":"inner","message":{"role":"user","content":"nested"}}`
)

// upTo cuts s in front of mark.
func upTo(s, mark string) string {
	return s[:strings.Index(s, mark)]
}

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       []string
		damaged    bool
	}{
		{"one", one, []string{one}, false},
		{"two whole", one + two, []string{one, two}, false},
		{"three whole, blanks between", one + " \t" + two + "\r" + three, []string{one, two, three}, false},
		{"NULs between", one + "\x00\x00\x00" + two, []string{one, two}, false},
		{"NULs before and behind", "\x00" + one + "\x00\x00", []string{one}, false},
		{"whole objects of any kind at the start", `{"a":1}{"b":2}`, []string{`{"a":1}`, `{"b":2}`}, false},
		{"nothing", "", nil, false},
		{"NULs alone", "\x00\x00 \x00", nil, false},

		{"whole and half", one + upTo(two, "second"), []string{one}, true},
		{"whole and garbage", one + "}", []string{one}, true},
		{"whole, comma, whole", one + "," + two, []string{one, two}, true},
		{"half alone", upTo(one, "first"), nil, true},
		{"garbage", "Killed", nil, true},
		{"an array of records is no record", "[" + one + "," + two + "]", nil, true},
		{"a JSON string", quote(one), nil, true},
		{"NULs in a string", `{"type":"user","uuid":"u1","x":"a` + "\x00\x00" + `b"}`, nil, true},

		{"half and whole", upTo(one, "first") + two, []string{two}, true},
		{"half, whole, whole", upTo(one, "first") + two + three, []string{two, three}, true},
		{"half, half, whole", upTo(one, "first") + upTo(two, "second") + three, []string{three}, true},
		{"half, whole, half", upTo(one, "first") + two + upTo(three, "default"), []string{two}, true},
		{"half, whole, half, whole", upTo(one, "first") + two + upTo(one, "text") + three, []string{two, three}, true},
		{"whole, half, whole", one + upTo(two, "second") + three, []string{one, three}, true},
		{"tail of a record and whole", "rst text\"}}" + two, []string{two}, true},
		{"half, NULs, whole", upTo(one, "first") + "\x00\x00\x00" + two, []string{two}, true},
		{"half, blanks, whole", upTo(one, "first") + "  " + two, []string{two}, true},

		{"cut before the first key", "{" + two, []string{two}, true},
		{"cut in a key", `{"type":"user","messa` + two, []string{two}, true},
		{"cut behind a key", `{"type":"user","message"` + two, []string{two}, true},
		{"cut behind a value", `{"type":"user"` + two, []string{two}, true},
		{"cut behind a comma", `{"type":"user",` + two, []string{two}, true},
		{"cut in a number", `{"type":"user","n":12` + two, []string{two}, true},
		{"cut in a literal", `{"type":"user","n":tr` + two, []string{two}, true},
		{"cut behind a minus", `{"type":"user","n":-` + two, []string{two}, true},
		{"cut behind a backslash", `{"type":"user","n":"a\` + two, []string{two}, true},
		{"cut in an escape", `{"type":"user","n":"a\u00` + two, []string{two}, true},
		{"cut behind a bracket", `{"type":"user","n":[1]` + two, []string{two}, true},
		{"cut behind text that ends with a brace", `{"type":"user","n":"func main() {",` + `"m":"x` + two, []string{two}, true},
		{"cut in text full of braces", `{"type":"user","n":"{{{{ {} {a} ` + two, []string{two}, true},
		{"spaced out by another writer", `{ "type": "user", "n": "a` + strings.ReplaceAll(three, `{"`, `{ "`), []string{strings.ReplaceAll(three, `{"`, `{ "`)}, true},

		// The object could be the value that the cut record was waiting for.
		{"cut behind a colon", `{"type":"user","message":` + two, nil, true},
		{"cut in an array", `{"type":"user","list":[1,` + two, nil, true},
		{"the same, and a record behind", `{"type":"user","message":` + two + three, []string{three}, true},

		{"nested, cut right behind it", upTo(nests, inner) + inner, nil, true},
		{"nested, cut a little later", upTo(nests, inner) + inner + "}", nil, true},
		{"nested, cut late", nests[:len(nests)-1], nil, true},
		{"nested in the front of a half", upTo(nests, `,"uuid":"u9"`) + two, []string{two}, true},
		{"nested in a headless half", nests[20:], nil, true},
		{"nested behind damage", "x" + nests[20:] + two, []string{two}, true},
		{"nested in a record with a hole", strings.Replace(nests, `"data"`, "\x00\x00", 1), nil, true},
		{"a block behind damage is no record", `x{"type":"text","text":"y"}`, nil, true},
		{"an object without a type behind damage", `x{"uuid":"u1"}`, nil, true},
		{"a whole record inside text", `{"type":"user","n":"` + strings.ReplaceAll(two, `"`, `\"`), nil, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			parts, damaged := Split([]byte(tc.line))
			var got []string
			for _, p := range parts {
				got = append(got, string(p))
			}
			if d := cmp.Diff(tc.want, got); d != "" || damaged != tc.damaged {
				t.Errorf("damaged %v; -want +got:\n%s\nof %s", damaged, d, tc.line)
			}
		})
	}
}

// A record that is cut anywhere, with a whole one written behind it, never hides that one but where it could be a value
// of the cut one, and nothing of the cut one is taken.
func TestSplitEveryCut(t *testing.T) {
	for _, first := range []string{one, two, nests, `{"type":"user","n":[1,-2.5e3,true,null,{"a":[]}],"s":"\u00e9\\\"x","o":{}}`} {
		for cut := 1; cut < len(first); cut++ {
			head := first[:cut]
			parts, damaged := Split([]byte(head + three))
			trimmed := strings.TrimRight(head, " ")
			awaits := strings.ContainsAny(trimmed[len(trimmed)-1:], ":[,")
			switch {
			case !damaged:
				t.Errorf("cut at %d: not damaged: %s", cut, head)
			case len(parts) == 1 && string(parts[0]) == three:
			case len(parts) == 0 && awaits:
			default:
				t.Errorf("cut at %d: %q of %s", cut, parts, head+three)
			}
		}
	}
}

// Lines of any shape cost a small multiple of their length: half a megabyte of each take milliseconds when they
// do, and hours when they do not.
func TestSplitIsLinear(t *testing.T) {
	size := 512 << 10
	if testing.Short() {
		size = 64 << 10
	}
	for _, unit := range []string{
		`{"a":`, `{"a":"`, `{"`, `{`, `[`, `{"a":1`, `{"a":1}`, `x{"a":1},`, `{"type":"x","uuid":"y"}z`, `{"a":[1,`, `"`, `\"`, "\x00", `{"a":"{`, `{"a":{"b":1}x`, `{"a":"\x`, `1,`, `{"a":1,`, `{"{"`,
	} {
		for _, tail := range []string{"", "%", three} {
			line := []byte(strings.Repeat(unit, size/len(unit)) + tail)
			start := time.Now()
			parts, _ := Split(line)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%q repeated, then %q: %v", unit, tail, took)
			}
			for _, p := range parts {
				if !json.Valid(p) {
					t.Fatalf("%q repeated: a part is not JSON", unit)
				}
			}
		}
	}
}

// checkSplit holds Split against what it promises of any line.
func checkSplit(t *testing.T, line []byte) {
	t.Helper()
	parts, damaged := Split(line)
	at := 0
	left := []byte{}
	var r Record
	for _, p := range parts {
		k := bytes.Index(line[at:], p)
		if k < 0 {
			t.Fatalf("%q is no part of %q behind %d", p, line, at)
		}
		left = append(left, line[at:at+k]...)
		at += k + len(p)
		if !Decode(p, &r) {
			t.Fatalf("%q is no record, of %q", p, line)
		}
	}
	left = append(left, line[at:]...)
	if len(bytes.Trim(left, padding)) > 0 && !damaged {
		t.Fatalf("%q belongs to no record of %q", left, line)
	}
	ink := func(all ...[]byte) (n int) {
		for _, b := range all {
			n += len(b)
			for _, c := range b {
				if strings.IndexByte(padding, c) >= 0 {
					n--
				}
			}
		}
		return n
	}
	broken := Damage(line)
	if len(broken) > 0 != damaged || ink(line) != ink(parts...)+ink(broken...) {
		t.Fatalf("the damage of %q is %q, beside %q", line, broken, parts)
	}
}

func TestDamage(t *testing.T) {
	for _, tc := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{" \x00", nil},
		{one, nil},
		{one + "\x00 " + two, nil},
		{"xyz " + one, []string{"xyz"}},
		{"\ufeff" + one + "\r", []string{"\ufeff"}},
		{one + " tail\r", []string{"tail"}},
		{one[:40] + one + two + "," + three, []string{one[:40], ","}},
		{"no record", []string{"no record"}},
	} {
		var got []string
		for _, b := range Damage([]byte(tc.line)) {
			got = append(got, string(b))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", tc.line, d)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{one + two, upTo(one, "first") + two, nests[20:] + three, "\x00" + one + "\x00", `{"a":{"type":"user","uuid":"u"}`, `{"":"{"`, "{\"a\":\"\x01{\"b\":1}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(checkSplit)
}

func TestSplitRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{one, two, three, nests, inner, "{", "}", `"`, ",", ":", "[", "]", "\\", "\x00", " ", "x", `{"a":`, `"uuid":"u"`, "tru"}
	for range 20000 {
		var line []byte
		for range 1 + rng.IntN(6) {
			p := pieces[rng.IntN(len(pieces))]
			a := rng.IntN(len(p) + 1)
			b := a + rng.IntN(len(p)-a+1)
			line = append(line, p[a:b]...)
		}
		checkSplit(t, line)
	}
}

// FuzzDecode: never a panic, the verdict of encoding/json on objects, and the texts of encoding/json where it agrees
// with csift on what they are.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{one, two, three, nests, `{"a":1}{`, `{"message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]},"toolUseResult":"x"}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"x"}]},"toolUseResult":{"answers":{"a":"b"}}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Record
		whole := Decode(line, &r)
		object := len(line) > 0 && line[0] == '{' && line[len(line)-1] == '}'
		if want := object && json.Valid(line); whole != want {
			t.Fatalf("whole %v, encoding/json says %v: %q", whole, want, line)
		}
		r.Opens(false)
		r.Opens(true)
		r.UserText()
		r.RejectionWords()
		r.AnswerBlock()
		if !whole {
			return
		}
		var std map[string]any
		if err := json.Unmarshal(line, &std); err != nil {
			return // numbers out of range
		}
		text, isString := std["uuid"].(string)
		if isString != (r.UUID != nil) || r.UUID.String() != text {
			t.Fatalf("uuid %q, encoding/json says %q: %q", r.UUID, text, line)
		}
		meta, _ := std["isMeta"].(bool)
		if r.IsMeta != meta {
			t.Fatalf("isMeta %v: %q", r.IsMeta, line)
		}
	})
}
