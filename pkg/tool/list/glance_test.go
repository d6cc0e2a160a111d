package list

import (
	"strings"
	"testing"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/target"
)

var glances = []struct {
	name, line string
	want       matter
}{
	{"prompt", user(1, "a"), personal},
	{"result", result(1, "t", "ok", ""), other},
	{"result of blocks", strings.Replace(result(1, "t", "ok", ""), `"content":"ok"`, `"content":[{"type":"text","text":"ok"}]`, 1), other},
	{"failed result", result(1, "t", "no such file", `,"is_error":true`), other},
	{"refusal", result(1, "t", "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nx", `,"is_error":true`), personal},
	{"answer", result(1, "t", "User has answered your questions: x", ""), personal},
	{"answer in the result alone", strings.Replace(result(1, "t", "ok", ""), `"message"`, `"toolUseResult":{"answers":{"a":"b"}},"message"`, 1), personal},
	{"call", call(1, "t", "Read", "{}"), agents},
	{"attachment", line("attachment", 1, `"attachment":{}`), personal},
	{"title", line("ai-title", 1, `"aiTitle":"x"`), naming},
	{"progress", line("progress", 1, `"data":{"message":{"role":"user","content":"x"}}`), other},
	{"no type", `{"message":{}}`, unclear},
	{"type twice, the last counts", `{"type":"assistant","type":"user","message":{"role":"user","content":"x"}}`, personal},
	{"message twice, the last counts", strings.Replace(result(1, "t", "ok", ""), `"message"`, `"message":{"content":"x"},"message"`, 1), other},
	{"content twice, the last counts", strings.Replace(result(1, "t", "ok", ""), `}]}`, `}],"content":"x"}`, 1), personal},
	{"escaped key in the message", strings.Replace(result(1, "t", "ok", ""), `}]}`, `}],"cont\u0065nt":"x"}`, 1), personal},
	{"result before the type", `{"toolUseResult":{"answers":{}},"message":{"content":[{"type":"tool_result"}]},"type":"user"}`, personal},
	{"message before the type", `{"message":{"content":[{"type":"tool_result"}]},"type":"user"}`, other},
	{"escaped key", `{"ty\u0070e":"user"}`, unclear},
	{"half a call and a prompt", strings.TrimSuffix(call(1, "t", "Read", "{}"), "}]}}\n") + user(2, "x"), unclear},
	{"a call and a prompt", strings.TrimSuffix(call(1, "t", "Read", "{}"), "\n") + user(2, "x"), unclear},
	{"torn", `{"type":"assistant","message":{"x":"}`, unclear},
}

func TestGlance(t *testing.T) {
	for _, tc := range glances {
		if got := glance(jsonl.Trim([]byte(tc.line), false)); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// What a glance passes over is one whole record without words of the person.
func FuzzGlance(f *testing.F) {
	for _, tc := range glances {
		f.Add([]byte(strings.TrimSpace(tc.line)))
	}
	w := windows{reader: newReader(true), s: &session{Transcript: &target.Transcript{}}}
	f.Fuzz(func(t *testing.T, line []byte) {
		m := glance(line)
		if m != other && m != agents && m != naming {
			return
		}
		var rec record.Record
		if !record.Decode(jsonl.Trim(line, false), &rec) {
			t.Fatalf("%q is passed over and is no record", line)
		}
		if said, is := w.person(&rec, false); is != noPart {
			t.Errorf("%q is passed over and says %q", line, said.excerpt)
		}
	})
}

func TestPromptBehindATornCallFarFromTheEnd(t *testing.T) {
	bulk := strings.Repeat(call(5, "t", "Read", `{}`)+result(6, "t", strings.Repeat("x", 4<<10), ""), 30)
	torn := strings.TrimSuffix(call(3, "t", "Read", "{}"), "}]}}\n")
	row := one(t, user(1, "first")+bulk+torn+user(4, "after the crash")+bulk+says(7, "end"))
	if got := words(row, "last_user"); got != "after the crash" || row["skipped_lines"] != 1.0 {
		t.Errorf("%q, %v skipped", got, row["skipped_lines"])
	}
}
