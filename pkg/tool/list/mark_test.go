package list

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/target"
)

// written is a tool result with its keys in Claude Code's order.
func written(second int, content, more string) string {
	return fmt.Sprintf(`{"parentUuid":"p","isSidechain":false,"cwd":"/home/u/demo","sessionId":%q,"version":"2.1.258","gitBranch":"main","type":"user",`+
		`"message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":%s}]},"uuid":"00000000-0000-4000-8000-%012d","timestamp":"2026-03-02T09:00:%02d.000Z"%s}`+"\n",
		idA, content, second, second, more)
}

const plainly = marked | carrier | called

var ok = written(1, `"ok"`, "")

// traits are lines with the traits that a survey shows.
var traits = map[string]trait{
	user(1, "a"):               marked,
	result(1, "t", "ok", ""):   marked,
	says(1, "a"):               0,
	call(1, "t", "Read", `{}`): 0,
	line("attachment", 1, `"attachment":{"type":"hook_success"}`):          0,
	line("attachment", 1, `"attachment":{"type":"queued_command"}`):        marked,
	line("progress", 1, `"data":{"message":{"role":"user"}}`):              0,
	line("progress", 1, `"data":["user","x",{"user":1}]`):                  0,
	line("ai-title", 1, `"aiTitle":"x"`):                                   marked,
	line("custom-title", 1, `"customTitle":"x"`):                           marked,
	line("summary", 1, `"summary":"x"`):                                    marked,
	line("continued-in", 1, `"continuedInSessionId":"x"`):                  marked,
	line("fork-context-ref", 1, ``):                                        marked,
	line("mode", 1, `"mode":"user of the attachment"`):                     0,
	says(1, "a \"user\" says"):                                             0,
	says(1, "a :\"user\" says"):                                            0,
	`{"type" : "user"}`:                                                    marked,
	"{\"type\"\t:\t\"user\"}":                                              marked,
	`{"type":"us\u0065r"}`:                                                 hiding,
	`{"type":"\u0075ser"}`:                                                 hiding,
	`{"type":"ai\u002Dtitle"}`:                                             hiding,
	`{"type":"x","a":"\\u0065 \u001b \u0041 \u2065 \u003c \\\\u0065 \u0"}`: 0,
	`{"type":"x","a":"\\\u0065"}`:                                          hiding,
	`{"type":"assistant","x":"half{"type":"user"}`:                         marked,
	`{"type":"assistant","x":"half{"type":"assistant"}`:                    0,

	ok:                               plainly,
	written(1, `"    12→x"`, ""):     plainly,
	written(1, `"say \"user\""`, ""): plainly,
	written(1, `[{"type":"text","text":"ok"},{"type":"image","source":{}}]`, ""):                                           plainly,
	written(1, `"ok"`, `,"toolUseResult":{"type":"text","file":{"content":"a"}}`):                                          plainly,
	written(1, `"ok","is_error":false`, ""):                                                                                plainly,
	written(1, `"\u001b[1m"`, ""):                                                                                          marked,
	written(1, `"User has answered your questions: x"`, ""):                                                                marked,
	written(1, `"  The user answered: x"`, ""):                                                                             marked,
	written(1, `[{"type":"text","text":"Your questions have been answered: x"}]`, ""):                                      plainly | signed,
	written(1, `"no","is_error":true`, ""):                                                                                 plainly,
	written(1, `"no","is_error" : true`, ""):                                                                               plainly,
	written(1, `"The user doesn't want","is_error":true`, ""):                                                              plainly | signed,
	written(1, `"x","is_error":true`, `,"y":"The user doesn't"`):                                                           plainly,
	written(1, `"The user doesn't want"`, ""):                                                                              plainly,
	written(1, `"no","is_\u0065rror":true`, ""):                                                                            plainly | hiding,
	written(1, `"ok"`, `,"toolUseResult":{"answers":{"a":"b"}}`):                                                           plainly | signed,
	written(1, `"ok"`, `,"toolUseResult":{"response" :"b"}`):                                                               plainly | signed,
	written(1, `"ok"`, `,"toolUseResult":{"note":"\"answers\": none"}`):                                                    plainly,
	written(1, `"ok"`, `,"message":{"content":"x"}`):                                                                       plainly | signed,
	strings.Replace(ok, `}]}`, `}],"content":"x"}`, 1):                                                                     plainly | signed,
	strings.Replace(ok, `}]}`, `},{"tool_use_id":"b"}]}`, 1):                                                               plainly | signed,
	strings.Replace(ok, `"tool_use_id":"toolu_1","type":"tool_result"`, `"type":"tool_result","tool_use_id":"toolu_1"`, 1): plainly,
	strings.Replace(ok, `"tool_use_id":"toolu_1","type":"tool_result","content":"ok"`, `"type":"tool_result","content":"ok","tool_use_id":"toolu_1"`, 1): plainly,
	strings.TrimSpace(ok) + user(2, "x"):                                                  plainly | signed,
	`{"type":"user","message":{"x":"half` + ok:                                            marked,
	`{"type":"x","y":"\` + ok[1:]:                                                         plainly,
	strings.Replace(ok, `{"tool_use_id"`, `{"type":"text","text":"x"},{"tool_use_id"`, 1): marked,
}

// agentTraits are those of lines where words of the agent are sought.
var agentTraits = map[string]trait{
	user(1, "a"):                marked,
	ok:                          plainly,
	says(1, "a"):                spoken | worded,
	says(1, "a \"tool_use\" b"): spoken | worded,
	call(1, "t", "Read", `{}`):  spoken | silent,
	call(1, "t", "Read", `{"a":[{"type":"text"}]}`):                                                     spoken | silent | worded,
	line("assistant", 1, `"message":{"role":"assistant","content":"words"}`):                            spoken,
	line("assistant", 1, `"message":{"role":"assistant","content":[{"type":"thinking"}]}`):              spoken | silent,
	line("assistant", 1, `"message":{"role":"assistant","content":[{"type" : "text","text":"words"}]}`): spoken | worded,
	line("assistant", 1, `"message":{"content":[{"type":"t\u0065xt","text":"words"}]}`):                 spoken | hiding,
	line("system", 1, `"subtype":"turn_duration"`):                                                      0,
}

func TestTraits(t *testing.T) {
	for _, tc := range []struct {
		lines map[string]trait
		agent bool
	}{{traits, false}, {agentTraits, true}} {
		fast, slow := newReader(false), newReader(true)
		var run []byte
		var want []spot
		for l, is := range tc.lines {
			l = strings.TrimSpace(l)
			for _, r := range []*reader{fast, slow} {
				if got := r.survey(nil, []byte(l), 0, len(l), tc.agent); len(got) != 1 || got[0].trait != is {
					t.Errorf("%s\nhas %b, want %b (slow: %v)", l, got[0].trait, is, r.opts.Slow)
				}
			}
			want = append(want, spot{start: len(run), end: len(run) + len(l), trait: is})
			run = append(run, l+"\n"...)
		}
		for _, r := range []*reader{fast, slow} {
			if diff := cmp.Diff(want, r.survey(nil, run, 0, len(run), tc.agent), cmp.AllowUnexported(spot{})); diff != "" {
				t.Errorf("as one run: %s", diff)
			}
			for from := 0; from < len(want); from += 3 {
				part := want[from:min(from+5, len(want))]
				to := min(part[len(part)-1].end+1, len(run))
				if diff := cmp.Diff(part, r.survey(nil, run, part[0].start, to, tc.agent), cmp.AllowUnexported(spot{})); diff != "" {
					t.Errorf("a part of a run: %s", diff)
				}
			}
		}
	}
}

func TestLastLines(t *testing.T) {
	for _, tc := range []struct {
		run  string
		n    int
		want string
	}{
		{"a\nbb\nccc\n", 4, "ccc\n"},
		{"a\nbb\nccc\n", 3, "ccc\n"},
		{"a\nbb\nccc\n", 5, "ccc\n"},
		{"a\nbb\nccc\n", 7, "bb\nccc\n"},
		{"a\nbb\nccc", 1, "ccc"},
		{"a\nbb\nccc\n", 100, "a\nbb\nccc\n"},
		{"long line\n", 2, "long line\n"},
		{"a\nlong line\n", 2, "long line\n"},
		{"a\n\n\n", 1, "\n"},
		{"\n", 1, "\n"},
	} {
		if got := tc.run[lastLines([]byte(tc.run), tc.n):]; got != tc.want {
			t.Errorf("%q, %d: %q, want %q", tc.run, tc.n, got, tc.want)
		}
	}
}

// What is passed over has nothing that a row still needs, whole or not, and it is the same
// whether it is looked for plainly or not.
func FuzzTraits(f *testing.F) {
	for l := range agentTraits {
		f.Add([]byte(strings.TrimSpace(l)))
	}
	for l := range traits {
		f.Add([]byte(strings.TrimSpace(l)))
		f.Add([]byte(l + l))
	}
	fast, slow := newReader(false), newReader(true)
	w := windows{reader: slow, s: &session{Transcript: &target.Transcript{}}, back: true}
	var rec record.Record
	f.Fuzz(func(t *testing.T, run []byte) {
		spots := slow.survey(nil, run, 0, len(run), false)
		if got := fast.survey(nil, run, 0, len(run), false); !slices.Equal(got, spots) {
			t.Fatalf("%q: %v, plainly %v", run, got, spots)
		}
		spots = slow.survey(nil, run, 0, len(run), true)
		if got := fast.survey(nil, run, 0, len(run), true); !slices.Equal(got, spots) {
			t.Fatalf("%q: %v, plainly %v", run, got, spots)
		}
		for _, p := range spots {
			line := jsonl.Trim(run[p.start:p.end], false)
			if !p.trait.plain(true) {
				continue
			}
			if m := glance(line); p.trait&carrier != 0 && m != other && json.Valid(line) && !repeats(line) && !jsonl.HasEscape(line) {
				t.Errorf("%q is passed over, at a glance it is %d", line, m)
			}
			records(line, true, &rec, func(r *record.Record) {
				if repeats(r.Raw) {
					return
				}
				if said, is := w.person(r, false); is != noPart || matterOf(r.Type) == naming {
					t.Errorf("%q is passed over and has %q %q", line, r.Type, said.excerpt)
				}
				if said := w.agent(r); said.said {
					t.Errorf("%q is passed over and has %q", line, said.excerpt)
				}
			})
		}
	})
}

// repeats reports whether an object has a key twice, which no encoder writes.
func repeats(b []byte) bool {
	d := json.NewDecoder(bytes.NewReader(b))
	var seen []map[string]bool // of the containers around; nil for an array
	key := false
	for {
		tok, err := d.Token()
		if err != nil {
			return false
		}
		switch v := tok.(type) {
		case json.Delim:
			switch v {
			case '{':
				seen, key = append(seen, map[string]bool{}), true
				continue
			case '[':
				seen, key = append(seen, nil), false
				continue
			}
			seen = seen[:len(seen)-1]
		case string:
			if key {
				if top := seen[len(seen)-1]; top[v] {
					return true
				} else {
					top[v] = true
				}
				key = false
				continue
			}
		}
		key = len(seen) > 0 && seen[len(seen)-1] != nil
	}
}

func TestResultsFarFromTheEndAreNotParsed(t *testing.T) {
	torn := strings.Replace(written(3, `"x"`, ""), `"cwd":`, `"cwd"`, 1)
	for _, slow := range []string{"CSIFT_SLOW=", "CSIFT_SLOW=1"} {
		bulk := strings.Repeat(written(5, `"`+strings.Repeat("x", 4<<10)+`"`, ""), 30)
		row := one(t, user(1, "first")+user(2, "second")+bulk+torn+bulk+says(7, "end"), slow)
		if got := words(row, "last_user"); got != "second" || row["skipped_lines"] != 0.0 {
			t.Errorf("%q, %v skipped", got, row["skipped_lines"])
		}

	}
}
