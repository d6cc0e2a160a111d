package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// view is what a test compares of a record.
type view struct {
	Type, UUID, Role, Text, Model, Cwd string
	Meta, HasMessage                   bool
	Blocks                             []string // type:first string found
}

func look(r *Record) view {
	v := view{Type: r.Type.String(), UUID: r.UUID.String(), Role: r.Role.String(), Text: r.Text.String(), Model: r.Model.String(), Cwd: r.CWD.String(),
		Meta: r.IsMeta, HasMessage: r.HasMessage}
	for _, b := range r.Blocks {
		s := b.Type.String() + ":"
		for _, f := range []Str{b.Text, b.Thinking, b.Name, b.ToolName, b.ID, b.ToolUseID, b.Data} {
			if f != nil {
				s += f.String()
				break
			}
		}
		v.Blocks = append(v.Blocks, s)
	}
	return v
}

func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		want       view
	}{
		{"all strings", `{"type":"user","uuid":"u","cwd":"/x","isMeta":true,"message":{"role":"user","content":"hi"}}`,
			view{Type: "user", UUID: "u", Cwd: "/x", Meta: true, Role: "user", Text: "hi", HasMessage: true}},
		{"a wrong type costs that field alone", `{"type":"user","uuid":7,"cwd":["/x"],"isMeta":"true","message":{"role":{},"model":null,"content":"hi"}}`,
			view{Type: "user", Text: "hi", HasMessage: true}},
		{"a type of the wrong type", `{"type":["user"],"uuid":"u"}`, view{UUID: "u"}},
		{"the last of a repeated key counts", `{"type":"user","uuid":"a","message":{"role":"user","content":"x"},"uuid":"b","message":{"role":"assistant","content":[{"type":"text","text":"y","text":"z"}]}}`,
			view{Type: "user", UUID: "b", Role: "assistant", HasMessage: true, Blocks: []string{"text:z"}}},
		{"even of the wrong type", `{"uuid":"a","isMeta":true,"message":{"content":"x"},"uuid":1,"isMeta":0,"message":[]}`, view{}},
		{"repeated content", `{"message":{"content":"x","content":[{"type":"text","text":"y"}]}}`, view{HasMessage: true, Blocks: []string{"text:y"}}},
		{"repeated content, string last", `{"message":{"content":[{"type":"text","text":"y"}],"content":"x"}}`, view{HasMessage: true, Text: "x"}},
		{"escaped keys and types", `{"\u0074ype":"us\u0065r","\u0075uid":"u","m\u0065ssage":{"\u0072ole":"user","c\u006fntent":[{"t\u0079pe":"te\u0078t","te\u0078t":"y"}]}}`,
			view{Type: "user", UUID: "u", Role: "user", HasMessage: true, Blocks: []string{"text:y"}}},
		{"keys are matched by case", `{"Type":"user","UUID":"u","isMETA":true}`, view{}},
		{"spaces and newlines around tokens", "{ \"type\" :\t\"user\" ,\r\n \"message\" : { \"content\" : [ { \"type\" : \"text\" , \"text\" : \"y\" } ] } }",
			view{Type: "user", HasMessage: true, Blocks: []string{"text:y"}}},
		{"numeric keys of a message", `{"type":"assistant","uuid":"u","message":{"0":"I","1":"b","content":[]}}`, view{Type: "assistant", UUID: "u", HasMessage: true}},
		{"null content", `{"type":"user","message":{"role":"user","content":null}}`, view{Type: "user", Role: "user", HasMessage: true}},
		{"number as content", `{"type":"user","message":{"role":"user","content":5}}`, view{Type: "user", Role: "user", HasMessage: true}},
		{"null message", `{"type":"user","message":null}`, view{Type: "user"}},
		{"array message", `{"type":"user","message":[{"role":"user"}]}`, view{Type: "user"}},
		{"blocks of all kinds", `{"message":{"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b","signature":"s"},{"type":"redacted_thinking","data":"c"},` +
			`{"type":"tool_use","id":"i","name":"d","input":{}},{"type":"tool_result","tool_use_id":"e"},{"type":"image","source":{}},{"type":"document","source":{}},` +
			`{"type":"fallback","from":"x","to":"y"},{"type":"tool_reference","tool_name":"g"},{"type":"new thing","x":1}]}}`,
			view{HasMessage: true, Blocks: []string{"text:a", "thinking:b", "redacted_thinking:c", "tool_use:d", "tool_result:e", "image:", "document:", "fallback:", "tool_reference:g", "new thing:"}}},
		{"what is no object in content carries nothing", `{"message":{"content":["x",1,null,[{"type":"text"}],{"type":"text","text":"y"}]}}`, view{HasMessage: true, Blocks: []string{"text:y"}}},
		{"wrong types in a block", `{"message":{"content":[{"type":"text","text":5},{"type":"tool_use","id":{},"name":"N","input":"x"},{"type":7,"text":"t"}]}}`,
			view{HasMessage: true, Blocks: []string{"text:", "tool_use:N", ":t"}}},
		{"a message inside other keys is not the message", `{"type":"progress","data":{"message":{"role":"user","content":"x"}},"normalizedMessages":[{"message":{}}]}`, view{Type: "progress"}},
		{"invalid UTF-8", "{\"type\":\"user\",\"message\":{\"content\":\"a\xb2b\"}}", view{Type: "user", Text: "a\ufffdb", HasMessage: true}},
		{"lone surrogate", `{"type":"user","message":{"content":"a\ud83db\ud83d\ude00"}}`, view{Type: "user", Text: "a\ufffdb😀", HasMessage: true}},
		{"a type that holds a backslash", `{"type":"us\\u0065r"}`, view{Type: `us\u0065r`}},
		{"empty object", `{}`, view{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := decode(t, tc.line)
			if d := cmp.Diff(tc.want, look(r)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if string(r.Raw) != tc.line {
				t.Error("the raw bytes are not those of the line")
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	var r Record
	for _, line := range []string{
		``, ` `, `[]`, `"x"`, `7`, `null`, `{`, `{"a":1`, `{"a":1}}`, `{"a":1} `, ` {"a":1}`, `{"a":1}{"b":2}`, `{a:1}`, `{"a":01}`, `{"a":1,}`, `{"a":tru}`, `{"a":"\x"}`, "{\"a\":\"\n\"}",
		"{\"a\":1}\x00", `{"type":"user","message":{"content":[{"type":"text","text":"x"}}}`, strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000),
	} {
		if Decode([]byte(line), &r) {
			t.Errorf("taken for a whole object: %.60q", line)
		}
	}
}

// A record is reused from line to line: nothing of the line before may stay.
func TestDecodeForgets(t *testing.T) {
	r := decode(t, `{"type":"user","uuid":"u","isMeta":true,"origin":{"kind":"human"},"message":{"role":"user","content":[{"type":"tool_result","is_error":true,"content":"x"}]},"toolUseResult":{"answers":{"a":"b"}}}`)
	if !Decode([]byte(`{"message":{"content":[{"type":"text"}]}}`), r) {
		t.Fatal("not decoded")
	}
	want := Record{Raw: r.Raw, HasMessage: true, Blocks: []Block{{Type: Str("text")}}}
	if d := cmp.Diff(want, plain(r), cmpopts.IgnoreUnexported(Record{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestDecodeKinds(t *testing.T) {
	for _, tc := range []struct{ value, origin, rendered, paste string }{
		{`{"kind":"human"}`, `{"kind":"human"}`, "", ""},
		{`["a"]`, "", `["a"]`, `["a"]`},
		{`"a"`, "", `"a"`, ""},
		{`null`, "", "", ""},
		{`7`, "", "", ""},
		{`true`, "", "", ""},
	} {
		r := decode(t, `{"origin":`+tc.value+`,"compactMetadata":`+tc.value+`,"summarizeMetadata":`+tc.value+`,"attachment":`+tc.value+`,"turnPosition":`+tc.value+
			`,"rendered":`+tc.value+`,"imagePasteIds":`+tc.value+`,"message":{"usage":`+tc.value+`}}`)
		for _, got := range []Raw{r.Origin, r.CompactMetadata, r.SummarizeMetadata, r.Attachment, r.TurnPosition, r.Usage} {
			if string(got) != tc.origin {
				t.Errorf("an object given as %s reads as %q", tc.value, got)
			}
		}
		if string(r.Rendered) != tc.rendered || string(r.ImagePasteIDs) != tc.paste {
			t.Errorf("%s: rendered %q, imagePasteIds %q", tc.value, r.Rendered, r.ImagePasteIDs)
		}
	}
}

func TestDecodeResult(t *testing.T) {
	for _, tc := range []struct {
		name, value string
		want        Result
	}{
		{"object", `{"answers":{"q":"a"},"questions":[1],"annotations":{},"response":"r","status":"async_launched","agentId":"a1","persistedOutputPath":"/p","isAsync":true,"afkTimeoutMs":60000}`,
			Result{Answers: Raw(`{"q":"a"}`), Questions: Raw(`[1]`), Annotations: Raw(`{}`), Response: Str("r"), Status: Str("async_launched"), AgentID: Str("a1"), PersistedPath: Str("/p"),
				IsAsync: true, TimedOut: true}},
		{"wrong types", `{"answers":"a","questions":{},"annotations":[],"response":{},"status":1,"agentId":null,"isAsync":"true","afkTimeoutMs":"60000"}`, Result{}},
		{"last counts", `{"answers":{"q":"a"},"answers":{}}`, Result{Answers: Raw(`{}`)}},
		{"deeper keys are not its own", `{"file":{"answers":{"q":"a"},"status":"x"}}`, Result{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.want.Raw = Raw(tc.value)
			if d := cmp.Diff(tc.want, decode(t, `{"toolUseResult":`+tc.value+`}`).Result); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	for value, want := range map[string]Result{
		`"Error: Exit code 1"`: {Raw: Raw(`"Error: Exit code 1"`), Text: Str("Error: Exit code 1")},
		`[{"type":"text"}]`:    {Raw: Raw(`[{"type":"text"}]`)},
		`7`:                    {Raw: Raw(`7`)},
		`null`:                 {},
	} {
		if d := cmp.Diff(want, decode(t, `{"toolUseResult":`+value+`}`).Result); d != "" {
			t.Errorf("%s: -want +got:\n%s", value, d)
		}
	}
	if d := cmp.Diff(Result{Raw: Raw(`"x"`), Text: Str("x")}, decode(t, `{"toolUseResult":{"status":"a"},"toolUseResult":"x"}`).Result); d != "" {
		t.Errorf("the last of two: %s", d)
	}
}

func TestRaw(t *testing.T) {
	v := Raw(`{"a":1,"b":{"a":2},"\u0061":"x\n","c":[1,{"type":"text","text":"t"},"s"]}`)
	if got := v.Get("a").Str().String(); got != "x\n" {
		t.Errorf("the last a is %q", got)
	}
	if got := string(v.Get("b").Get("a")); got != "2" {
		t.Errorf("b.a is %q", got)
	}
	if v.Get("nope") != nil || v.Get("c").Get("a") != nil || Raw(nil).Get("a") != nil || Raw(`"a"`).Get("a") != nil {
		t.Error("a key where there is none")
	}
	var keys, items []string
	v.Each(func(k string, _ Raw) { keys = append(keys, k) })
	v.Get("c").Items(func(it Raw) { items = append(items, string(it)) })
	if d := cmp.Diff([]string{"a", "b", "a", "c"}, keys); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"1", `{"type":"text","text":"t"}`, `"s"`}, items); d != "" {
		t.Error(d)
	}
	if b := v.Get("c").Blocks(nil); len(b) != 1 || !b[0].Text.Is("t") {
		t.Errorf("blocks %v", b)
	}
	for s, want := range map[string]bool{"": true, "{}": true, "[ ]": true, "{ \n}": true, `{"a":1}`: false, "[0]": false, `"x"`: true, "null": true} {
		if got := Raw(s).Empty(); got != want {
			t.Errorf("%q is empty: %v", s, got)
		}
	}
	// Values a caller made up must not crash it either.
	for _, s := range []string{"{", "[", "{]", `{"a"`, `{"a":}`, `"`, "[1,", "[{"} {
		r := Raw(s)
		r.Get("a")
		r.Each(func(string, Raw) {})
		r.Items(func(Raw) {})
		r.Blocks(nil)
		r.Str()
		r.Empty()
	}
}

func TestResultText(t *testing.T) {
	for content, want := range map[string]string{
		`"plain\ntext"`:              "plain\ntext",
		`[]`:                         "",
		`null`:                       "",
		`5`:                          "",
		`{"type":"text","text":"x"}`: "",
		`[{"type":"text","text":"a"},{"type":"image","source":{}},{"type":"text","text":"b"}]`:           "a\nb",
		`[{"type":"tool_reference","tool_name":"Monitor"},{"type":"tool_reference","tool_name":"Cron"}]`: "Monitor\nCron",
		`[{"type":"text","text":""},{"type":"text","text":"b"}]`:                                         "\nb",
		`["loose",{"type":"text","text":"b"}]`:                                                           "b",
	} {
		r := decode(t, `{"message":{"content":[{"type":"tool_result","content":`+content+`}]}}`)
		if got := r.Blocks[0].ResultText(); got != want {
			t.Errorf("%s gives %q, want %q", content, got, want)
		}
	}
}

func TestUserText(t *testing.T) {
	for line, want := range map[string]string{
		said("a\nb", ""): "a\nb",
		blocks(textBlock("a")+`,{"type":"image"},{"type":"text","text":7},`+textBlock("b"), ""): "a\nb",
		blocks(result("x"), ""): "",
		`{"type":"user"}`:       "",
	} {
		if got := decode(t, line).UserText(); got != want {
			t.Errorf("%s gives %q, want %q", line, got, want)
		}
	}
}
