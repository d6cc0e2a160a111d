package row

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

type sample struct {
	Kind string `json:"kind"`
	Ref
	Line int             `json:"line"`
	UUID string          `json:"uuid"`
	Text string          `json:"text"`
	Raw  json.RawMessage `json:"raw,omitempty"`
}

func TestWriter(t *testing.T) {
	ref := Ref{SessionID: "5d0c1f3e", ParentSessionID: "5d0c1f3e", Transcript: "/p/x.jsonl", Path: "/p/x.jsonl"}
	tests := []struct {
		name string
		row  any
		want string
	}{
		{"kind first, then the trio and the path", sample{Kind: "record", Ref: ref, Line: 3, UUID: "u", Text: "a<b>&c"},
			`{"kind":"record","session_id":"5d0c1f3e","is_subagent":false,"parent_session_id":"5d0c1f3e","transcript":"/p/x.jsonl","path":"/p/x.jsonl","line":3,"uuid":"u","text":"a<b>&c"}`},
		{"broken UTF-8 in a short string", map[string]string{"t": "\xff"}, `{"t":"\ufffd"}`},
		{"broken UTF-8 in a long string", map[string]string{"t": "abcdefghijkl\xc3mno"}, `{"t":"abcdefghijkl\ufffdmno"}`},
		{"surrogates as bytes", map[string]string{"t": "\xed\xa0\x80"}, `{"t":"\ufffd\ufffd\ufffd"}`},
		{"line breaks and broken UTF-8 in raw JSON", map[string]json.RawMessage{"r": json.RawMessage("{\n\"a\": \"\xff\"\r\n}")}, "{\"r\":{ \"a\": \"\uFFFD\"  }}"},
		{"map keys in order", map[string]int{"b": 1, "a": 2, "c": 3}, `{"a":2,"b":1,"c":3}`},
		{"control characters", map[string]string{"t": "\x00\x1b[0m\u2028"}, `{"t":"\u0000\u001b[0m\u2028"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := NewWriter(&b).Write(tt.row); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != tt.want+"\n" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

type countingWriter struct{ writes int }

func (w *countingWriter) Write(b []byte) (int, error) { w.writes++; return len(b), nil }

func TestWriterOneWriteARow(t *testing.T) {
	var c countingWriter
	w := NewWriter(&c)
	for range 3 {
		if err := w.Write(sample{Text: strings.Repeat("x", 100_000)}); err != nil {
			t.Fatal(err)
		}
	}
	if c.writes != 3 {
		t.Errorf("%d writes for 3 rows", c.writes)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriterErrors(t *testing.T) {
	if err := NewWriter(brokenWriter{}).Write(sample{}); err != errBroken {
		t.Errorf("got %v, want the error of the stream", err)
	}
	var b bytes.Buffer
	if err := NewWriter(&b).Write(map[string]float64{"x": math.NaN()}); err == nil || b.Len() > 0 {
		t.Errorf("NaN gave %v and %q, want an error and nothing written", err, b.String())
	}
}

func TestAppendString(t *testing.T) {
	if got := string(AppendString([]byte("x"), "a\"\xff\n")); got != `x"a\"\ufffd\n"` {
		t.Errorf("got %s", got)
	}
	if got := string(Append([]byte("x"), func() {})); got != "xnull" {
		t.Errorf("got %s", got)
	}
}

// FuzzRoundTrip: what a Writer prints is one valid line and reads back as it was.
func FuzzRoundTrip(f *testing.F) {
	f.Add("5d0c1f3e-0000-4000-8000-00000000a001", "/p/x.jsonl", "u-1", "text\n\xff", 12, true)
	f.Add("", "", "", "", 0, false)
	f.Add("a\u2028", "\xed\xa0\x80", "\"", "\\", -1, true)
	f.Fuzz(func(t *testing.T, id, path, uuid, body string, line int, sub bool) {
		in := sample{Kind: "record", Ref: Ref{SessionID: id, IsSubagent: sub, ParentSessionID: id, Transcript: path, Path: path}, Line: line, UUID: uuid, Text: body}
		var b bytes.Buffer
		w := NewWriter(&b)
		w.Write(map[string]string{"kind": "header", "command": "show"})
		if err := w.Write(in); err != nil {
			t.Fatal(err)
		}
		w.Write(map[string]string{"kind": "summary"})
		if n := strings.Count(b.String(), "\n"); n != 3 || !utf8.Valid(b.Bytes()) {
			t.Fatalf("%d lines, valid UTF-8 %v: %q", n, utf8.Valid(b.Bytes()), b.String())
		}
		for _, l := range bytes.Split(bytes.TrimSuffix(b.Bytes(), []byte("\n")), []byte("\n")) {
			if !json.Valid(l) {
				t.Fatalf("not JSON: %q", l)
			}
		}
		src, err := Read(&b)
		if err != nil || src.Bad > 0 || src.Torn {
			t.Fatalf("read back: %v, %+v", err, src)
		}
		valid := func(s string) string { return strings.Map(func(r rune) rune { return r }, s) }
		id, path, uuid = valid(id), valid(path), valid(uuid)
		if id == "" && path == "" {
			if src.Skipped != 1 || len(src.Items) > 0 {
				t.Fatalf("a row about no transcript gave %+v", src)
			}
			return
		}
		want := Item{Ref: Ref{SessionID: id, IsSubagent: sub, ParentSessionID: id, Transcript: path, Path: path}, Kind: "record", ID: id, Line: max(line, 0), UUID: uuid}
		if diff := cmp.Diff([]Item{want}, src.Items, cmpItems); diff != "" {
			t.Fatal(diff)
		}
	})
}
