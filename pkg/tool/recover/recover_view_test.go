package recover

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/addr"
	"csift/pkg/replay"
)

func at(line int) replay.Place { return replay.Place{Line: line, SourceLine: line, Session: "s"} }

func window(line, start, count, total int, text string) replay.Event {
	return replay.Event{Kind: replay.Read, At: at(line), Text: text, HasText: true, Start: start, Count: count, Total: total}
}

func TestView(t *testing.T) {
	known := replay.Run([]replay.Event{window(1, 2, 2, 9, "b\nc"), window(2, 6, 1, 9, "f")}, replay.Options{}).Buffer
	open := replay.Run([]replay.Event{
		{Kind: replay.ShellRead, At: at(1), Text: "a\nb", HasText: true, Start: 1, Count: 2, Label: "bash-cat"},
	}, replay.Options{}).Buffer
	if n, ok := open.Seen(); n != 2 || ok {
		t.Fatalf("a head of two lines leaves the length at %d, %v", n, ok)
	}
	whole := replay.Run([]replay.Event{{Kind: replay.Write, At: at(1), Text: "a\r\nb", HasText: true}}, replay.Options{}).Buffer
	none := replay.Run(nil, replay.Options{}).Buffer
	for _, tc := range []struct {
		name  string
		buf   *replay.Buffer
		lines string
		want  string
	}{
		{"gaps", known, "", "??? lines 1..1 unknown|2 b|3 c|??? lines 4..5 unknown|6 f|??? lines 7..9 unknown"},
		{"a range", known, "3..6", "3 c|??? lines 4..5 unknown|6 f"},
		{"the last", known, "-1", "??? lines 9..9 unknown"},
		{"beyond", known, "20..30", ""},
		{"an open end", open, "", "1 a|2 b|??? lines 3.. unknown"},
		{"asked for behind an open end", open, "2..4", "2 b|??? lines 3..4 unknown"},
		{"a start behind an open end", open, "2..", "2 b|??? lines 3.. unknown"},
		{"all of it", whole, "", "1 a\r|2 b"},
		{"nothing", none, "", "??? lines 1.. unknown"},
	} {
		var spec *addr.Spec
		if tc.lines != "" {
			s, err := addr.ParseSpec(tc.lines, 1)
			if err != nil {
				t.Fatal(err)
			}
			spec = &s
		}
		v := viewOf(tc.buf, spec)
		got := ""
		add := func(s string) {
			if got != "" {
				got += "|"
			}
			got += s
		}
		v.each(func(n int, text string) { add(string(rune('0'+n)) + " " + text) }, func(g [2]int) { add(gapText(g)) })
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}

	v := viewOf(whole, nil)
	if b, file := v.artifact(); string(b) != "a\r\nb" || !file {
		t.Errorf("the artifact of a whole file is %q, %v", b, file)
	}
	v = viewOf(known, nil)
	if b := string(v.patched()); b != "??? lines 1..1 unknown\nb\nc\n??? lines 4..5 unknown\nf\n??? lines 7..9 unknown\n" {
		t.Errorf("a partial file is written as %q", b)
	}
}

func TestFreshest(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	wrote := func(d int) *story {
		return &story{res: &replay.Result{LastWrite: &replay.Place{Time: day(d)}}}
	}
	saw := func(d int) *story {
		return &story{res: &replay.Result{}, events: []replay.Event{{At: replay.Place{Time: day(d)}}}}
	}
	a, b, c, d := wrote(2), wrote(5), saw(9), saw(3)
	for _, tc := range []struct {
		all  []*story
		want *story
	}{{[]*story{a, b, c, d}, b}, {[]*story{c, a}, a}, {[]*story{d, c}, c}, {[]*story{a}, a}, {[]*story{b, wrote(5)}, b}} {
		if got := freshest(tc.all); got != tc.want {
			t.Errorf("the freshest of %d is another", len(tc.all))
		}
	}
}
