package row

import (
	"strings"
	"testing"

	"github.com/segmentio/encoding/json"
)

// slow is how Append writes a value.
func slow(v any) string {
	b, err := json.Append(nil, v, json.SortMapKeys)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func checkString(t *testing.T, s string) {
	t.Helper()
	if got, want := string(AppendString([]byte("x"), s)), "x"+slow(s); got != want {
		t.Fatalf("%q:\n got %s\nwant %s", s, got, want)
	}
}

// Every byte and some characters, at each place within and behind a word of eight.
func TestAppendStringAsAppend(t *testing.T) {
	odd := []string{"", "\xff", "\xed\xa0\x80", "\u2028", "\u2029", "\u2027", "\ufffd", "é", "日本", "👩‍💻", "\x80\"", "\\\xc3", "\"\u007f", "!\x22", "\x1f "}
	for c := range 256 {
		odd = append(odd, string([]byte{byte(c)}))
	}
	for _, o := range odd {
		for n := range 18 {
			checkString(t, strings.Repeat("a", n)+o)
			checkString(t, strings.Repeat("~", n)+o+"tail of it, long enough")
			checkString(t, strings.Repeat(o, n))
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("why \"not\"\n\\ \u2028 \xff 日本")
	f.Fuzz(checkString)
}

func TestMembers(t *testing.T) {
	type values struct {
		Text   *string  `json:"text"`
		Number *int     `json:"number"`
		Truth  *bool    `json:"truth"`
		Texts  []string `json:"texts"`
	}
	text, number, truth := "a \"b\"", -12, true
	for _, v := range []values{{}, {&text, &number, &truth, []string{"a", "\n"}}, {Texts: []string{}}} {
		got := Text([]byte("{"), `"text":`, v.Text)
		got = Number(got, `,"number":`, v.Number)
		got = Truth(got, `,"truth":`, v.Truth)
		got = append(Texts(got, `,"texts":`, v.Texts), '}')
		if want := slow(v); string(got) != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	for _, r := range []Ref{{}, {SessionID: "s", IsSubagent: true, ParentSessionID: "p", Transcript: "/a \"b\"/c.jsonl", Path: "/d\n"}} {
		if got, want := "{"+string(r.Members(nil))+"}", slow(r); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	s := strings.Repeat("an excerpt of \"some\" text, with a path /a/b/c.go and a few words. ", 6)
	buf := make([]byte, 0, 2*len(s))
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		buf = AppendString(buf[:0], s)
	}
}
