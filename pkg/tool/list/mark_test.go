package list

import (
	"strings"
	"testing"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

var markLines = map[string]bool{
	user(1, "a"):                             true,
	result(1, "t", "ok", ""):                 true,
	says(1, "a"):                             false,
	call(1, "t", "Read", `{}`):               false,
	line("attachment", 1, `"attachment":{}`): true,
	line("progress", 1, `"data":{"message":{"role":"user"}}`):              true,
	line("ai-title", 1, `"aiTitle":"x"`):                                   true,
	line("custom-title", 1, `"customTitle":"x"`):                           true,
	line("summary", 1, `"summary":"x"`):                                    true,
	line("continued-in", 1, `"continuedInSessionId":"x"`):                  true,
	line("fork-context-ref", 1, ``):                                        true,
	line("mode", 1, `"mode":"user of the attachment"`):                     false,
	says(1, "a \"user\" says"):                                             false,
	`{"type" : "user"}`:                                                    true,
	`{"type":"us\u0065r"}`:                                                 true,
	`{"type":"\u0075ser"}`:                                                 true,
	`{"type":"ai\u002Dtitle"}`:                                             true,
	`{"type":"x","a":"\\u0065 \u001b \u0041 \u2065 \u003c \\\\u0065 \u0"}`: false,
	`{"type":"x","a":"\\\u0065"}`:                                          true,
	`{"type":"assistant","x":"half{"type":"user"}`:                         true,
	`{"type":"assistant","x":"half{"type":"assistant"}`:                    false,
}

func TestMarks(t *testing.T) {
	fast, slow := newReader(false), newReader(true)
	for l, want := range markLines {
		if got := fast.marked([]byte(l)); got != want {
			t.Errorf("%s: %v", l, got)
		}
		if got := slow.marked([]byte(l)); got != want {
			t.Errorf("%s: %v when slow", l, got)
		}
	}
}

// A line without a mark has no record that a row still needs, whole or not, and the
// filter finds all lines that have one.
func FuzzMarks(f *testing.F) {
	for l := range markLines {
		f.Add([]byte(strings.TrimSpace(l)))
	}
	fast := newReader(false)
	var rec record.Record
	f.Fuzz(func(t *testing.T, line []byte) {
		m := marked(line)
		if got := fast.marked(line); got != m {
			t.Fatalf("%q: %v, with the filter %v", line, m, got)
		}
		if m {
			return
		}
		records(jsonl.Trim(line, false), true, &rec, func(r *record.Record) {
			switch matterOf(r.Type) {
			case personal, naming:
				t.Errorf("%q is not marked and has %q", line, r.Type)
			}
		})
	})
}
