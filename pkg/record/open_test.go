package record

import (
	"encoding/json"
	"testing"
)

// line makes a record of the given top-level members around a message.
func decode(t *testing.T, line string) *Record {
	t.Helper()
	var r Record
	if !Decode([]byte(line), &r) {
		t.Fatalf("not a whole object: %s", line)
	}
	return &r
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// said is a user record with string content; keys are more members of the record, each with a comma before it.
func said(text, keys string) string {
	return `{"type":"user","message":{"role":"user","content":` + quote(text) + `}` + keys + `}`
}

// blocks is a user record with an array as content.
func blocks(content, keys string) string {
	return `{"type":"user","message":{"role":"user","content":[` + content + `]}` + keys + `}`
}

func textBlock(s string) string { return `{"type":"text","text":` + quote(s) + `}` }

func result(text string) string {
	return `{"type":"tool_result","tool_use_id":"t1","content":` + quote(text) + `}`
}

func failed(text string) string {
	return `{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":` + quote(text) + `}`
}

type openCase struct {
	name, line string
	want       Opening
}

func checkOpens(t *testing.T, inLane bool, cases []openCase) {
	t.Helper()
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := decode(t, tc.line).Opens(inLane); got != tc.want {
				t.Errorf("opens as %d, want %d: %s", got, tc.want, tc.line)
			}
		})
	}
}

func TestOpensPrompt(t *testing.T) {
	checkOpens(t, false, []openCase{
		{"string", said("fix it", ""), Prompt},
		{"text block", blocks(textBlock("fix it"), ""), Prompt},
		{"text beside an image", blocks(`{"type":"image","source":{}},`+textBlock("what is this"), ""), Prompt},
		{"slash inside prose", said("run /compact later", ""), Prompt},
		{"a tag in prose", said("what is a <local-command-stdout> line?", ""), Prompt},
		{"interrupt marker with more behind it", said("[Request interrupted by user] why?", ""), Prompt},
		{"notification pulse", said("<task-notification>\n<summary>Agent done</summary>\n</task-notification>", ""), Prompt},
		{"an open notification tag of the person's", said("<task-notification> is what kind of tag?", ""), Prompt},
		{"bash input", said("<bash-input>ls</bash-input>", ""), Prompt},
		{"flags that are false", said("hi", `,"isMeta":false,"turnCompanion":false,"isCompactSummary":false`), Prompt},
		{"flags of the wrong type", said("hi", `,"isMeta":"true","turnCompanion":1,"isCompactSummary":{}`), Prompt},
		{"escaped key and values", `{"\u0074ype":"us\u0065r","message":{"r\u006fle":"\u0075ser","content":"hi"}}`, Prompt},
		{"coordinator words without isMeta", said("The coordinator sent a message: hello", ""), Prompt},

		{"assistant", `{"type":"assistant","message":{"role":"user","content":"hi"}}`, NoOpening},
		{"no type", `{"message":{"role":"user","content":"hi"}}`, NoOpening},
		{"role assistant", `{"type":"user","message":{"role":"assistant","content":"hi"}}`, NoOpening},
		{"no role", `{"type":"user","message":{"content":"hi"}}`, NoOpening},
		{"api-request-blob", `{"type":"api-request-blob","message":{"role":"user","content":"hi"}}`, NoOpening},
		{"progress", `{"type":"progress","data":{"message":{"type":"user","message":{"role":"user","content":"hi"}}}}`, NoOpening},
		{"no message", `{"type":"user"}`, NoOpening},
		{"message is a string", `{"type":"user","message":"hi"}`, NoOpening},
		{"null content", `{"type":"user","message":{"role":"user","content":null}}`, NoOpening},
		{"empty array", blocks("", ""), NoOpening},
		{"image only", blocks(`{"type":"image","source":{}}`, ""), NoOpening},
		{"text beside a result", blocks(result("ok")+","+textBlock("note"), ""), NoOpening},
		{"isMeta", said("hi", `,"isMeta":true`), NoOpening},
		{"turnCompanion", said("hi", `,"turnCompanion":true`), NoOpening},
		{"compaction summary", said("This session is being continued", `,"isCompactSummary":true`), NoOpening},
		{"relayed person", said("hi", `,"isMeta":true,"origin":{"kind":"human"}`), NoOpening},
		{"coordinator relay", said("The coordinator sent a message while you were working:\nhello", `,"isMeta":true,"origin":{"kind":"coordinator"}`), NoOpening},
		{"sidechain in a session's file", said("hi", `,"isSidechain":true`), NoOpening},
	})
	checkOpens(t, true, []openCase{
		{"sidechain in its own file", said("hi", `,"isSidechain":true`), Prompt},
	})
}

func TestOpensSynthetic(t *testing.T) {
	for _, text := range []string{
		"[Request interrupted by user]",
		"[Request interrupted by user for tool use]",
		" [Request interrupted by user]\n",
		"<local-command-stdout>done</local-command-stdout>",
		"<local-command-stderr>failed</local-command-stderr>",
		"\n<local-command-stdout></local-command-stdout>",
		"<bash-stdout>out</bash-stdout><bash-stderr></bash-stderr>",
		"<bash-stderr>err</bash-stderr>",
		"<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>",
		"<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args>Ada</command-args>",
		"  <command-name>/x</command-name>",
		`Background agent "Survey the code" was stopped by the user`,
		"Background agent \"Survey\" (a1b2)\nwas stopped by the\nuser.",
		"1 background agent was stopped by the user: Survey",
		"12 background agents were stopped by the user: Survey, Count",
	} {
		checkOpens(t, false, []openCase{
			{"string " + text, said(text, ""), NoOpening},
			{"block " + text, blocks(textBlock(text), ""), NoOpening},
		})
	}
	checkOpens(t, false, []openCase{
		{"stopped by somebody else", said(`Background agent "Survey" was stopped by itself`, ""), Prompt},
		{"no count", said("background agents were stopped by the user", ""), Prompt},
		{"count of something else", said("2 background commands were stopped by the user", ""), Prompt},
	})
}

func TestOpensAnswer(t *testing.T) {
	answers := `,"toolUseResult":{"questions":[{"question":"Q"}],"answers":{"Q":"A"}}`
	checkOpens(t, false, []openCase{
		{"answers", blocks(result("anything"), answers), Answer},
		{"answers, content as items", blocks(`{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"x"}]}`, answers), Answer},
		{"answers, no content", blocks(`{"type":"tool_result","tool_use_id":"t1"}`, answers), Answer},
		{"is_error false", blocks(`{"type":"tool_result","tool_use_id":"t1","is_error":false,"content":"x"}`, answers), Answer},
		{"response", blocks(result("x"), `,"toolUseResult":{"questions":[],"answers":{},"response":"keep it"}`), Answer},
		{"first sentence", blocks(result(`User has answered your questions: "Q"="A"`), ""), Answer},
		{"second sentence", blocks(result(`Your questions have been answered: "Q"="A". You can now continue.`), ""), Answer},
		{"third sentence", blocks(result(`The user answered: "Q"="MariaDB"`), ""), Answer},
		{"sentence behind blanks", blocks(result(" \n\u00a0User has answered your questions: x"), ""), Answer},
		{"sentence in an item", blocks(`{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"Your questions have been answered: x"}]}`, ""), Answer},
		{"sentence spelled with escapes", blocks(`{"type":"tool_result","tool_use_id":"t1","content":"\u0055ser has answered your questions: x"}`, ""), Answer},
		{"sentence beside toolUseResult as string", blocks(result("User has answered your questions: x"), `,"toolUseResult":"User has answered your questions: x"`), Answer},
		{"sentence beside toolUseResult as array", blocks(result("User has answered your questions: x"), `,"toolUseResult":[1]`), Answer},
		{"sentence beside null", blocks(result("User has answered your questions: x"), `,"toolUseResult":null`), Answer},
		{"answers of the wrong type read as absent", blocks(result("User has answered your questions: x"), `,"toolUseResult":{"questions":[],"answers":"A"}`), Answer},
		{"no role is needed", `{"type":"user","message":{"content":[` + result("x") + `]}` + answers + `}`, Answer},
		{"second result says it", blocks(result("ok")+","+result("Your questions have been answered: x"), ""), Answer},

		{"empty answers", blocks(result("User has answered your questions: ."), `,"toolUseResult":{"answers":{}}`), NoOpening},
		{"blank response", blocks(result("User has answered your questions: ."), `,"toolUseResult":{"response":" \n"}`), NoOpening},
		{"did not answer", blocks(result("The user did not answer the questions."), ""), NoOpening},
		{"did not answer, with answers", blocks(result("The user did not answer the questions."), answers), NoOpening},
		{"timed out", blocks(result("No response after 60s"), `,"toolUseResult":{"answers":{"Q":"A"},"afkTimeoutMs":60000}`), NoOpening},
		{"timed out, by its words", blocks(result("No response after 60s"), answers), NoOpening},
		{"timed out, sentence", blocks(result("User has answered your questions: x"), `,"toolUseResult":{"questions":[],"afkTimeoutMs":60000}`), NoOpening},
		{"null timeout is none", blocks(result("x"), `,"toolUseResult":{"answers":{"Q":"A"},"afkTimeoutMs":null}`), Answer},
		{"cancelled", blocks(result("Cancelled by the user"), answers), NoOpening},
		{"tool error", blocks(result("<tool_use_error>bad input</tool_use_error>"), answers), NoOpening},
		{"failed", blocks(failed("User has answered your questions: x"), answers), NoOpening},
		{"one of two failed", blocks(result("User has answered your questions: x")+","+failed("no"), answers), NoOpening},
		{"the sentence further in", blocks(result("It says: User has answered your questions"), ""), NoOpening},
		{"the third sentence needs its colon", blocks(result("The user answered the door"), ""), NoOpening},
		{"what another tool printed", blocks(result("User has answered your questions: x"), `,"toolUseResult":{"stdout":"x","stderr":""}`), NoOpening},
		{"no result", said("User has answered your questions: x", answers), Prompt},
		{"summary", blocks(result("x"), answers+`,"isCompactSummary":true`), NoOpening},
		{"inline lane", blocks(result("x"), answers+`,"isSidechain":true`), NoOpening},
	})
}

const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "

func TestOpensRejection(t *testing.T) {
	words := refusal + "To tell you how to proceed, the user said:\nuse the word small\ninstead\n"
	checkOpens(t, false, []openCase{
		{"typed words", blocks(failed(words), ""), Rejection},
		{"as items", blocks(`{"type":"tool_result","tool_use_id":"t","is_error":true,"content":[{"type":"text","text":`+quote(words)+`}]}`, ""), Rejection},
		{"second of two", blocks(failed("Exit code 1")+","+failed(words), ""), Rejection},
		{"beside a good one", blocks(result("ok")+","+failed(words), ""), Rejection},

		{"bare", blocks(failed(refusal+"STOP what you are doing and wait for the user to tell you how to proceed."), ""), NoOpening},
		{"nothing typed", blocks(failed(refusal+"To tell you how to proceed, the user said:\n \n"), ""), NoOpening},
		{"no newline behind the delimiter", blocks(failed(refusal+"To tell you how to proceed, the user said: go"), ""), NoOpening},
		{"other refusal", blocks(failed("Permission denied. To tell you how to proceed, the user said:\ngo"), ""), NoOpening},
		{"no error", blocks(result(words), ""), NoOpening},
		{"is_error as a string", blocks(`{"type":"tool_result","tool_use_id":"t","is_error":"true","content":`+quote(words)+`}`, ""), NoOpening},
		{"a prompt that quotes it", said(words, ""), Prompt},
	})
	for _, tc := range []struct{ text, want string }{
		{words, "use the word small\ninstead"},
		{refusal + saidAfter + "a\n" + saidAfter + "b", "a\n" + saidAfter + "b"},
		{refusal + saidAfter + "\t\u00a0", ""},
	} {
		if got := decode(t, blocks(failed(tc.text), "")).RejectionWords(); got != tc.want {
			t.Errorf("words %q, want %q", got, tc.want)
		}
	}
}

func TestOpensPeer(t *testing.T) {
	mate := "<teammate-message teammate_id=\"Scout\" color=\"blue\" summary=\"a -> b\">\nready\n</teammate-message>"
	pulse := "<task-notification>\n<task-id>b1</task-id>\n<summary>Agent done</summary>\n</task-notification>"
	quoted := "<task-notification>\n<result>" + mate + "</result>\n</task-notification>"
	checkOpens(t, false, []openCase{
		{"teammate", said(mate, ""), Peer},
		{"agent", said(`<agent-message from="a1">hi</agent-message>`, ""), Peer},
		{"cross-session", said(`<cross-session-message from="uds:/x" from-name="app">hi</cross-session-message>`, ""), Peer},
		{"no attributes", said("<agent-message>hi</agent-message>", ""), Peer},
		{"unclosed", said("<agent-message from=\"a1\">hi", ""), Peer},
		{"lead sentence", said("Another Claude session sent a message:\n"+mate, ""), Peer},
		{"lead sentence, working", said("Another Claude session sent a message while you were working:\n\n"+mate, ""), Peer},
		{"lead sentence, peer", said("A peer session sent a message while you were working: "+mate, ""), Peer},
		{"behind a notification", said(pulse+"\n"+mate, ""), Peer},
		{"behind another", said(mate+mate, ""), Peer},
		{"isMeta does not matter", said(mate, `,"isMeta":true,"origin":{"kind":"peer"}`), Peer},
		{"turnCompanion does not matter", said(mate, `,"turnCompanion":true`), Peer},
		{"as blocks", blocks(textBlock("Another Claude session sent a message:")+","+textBlock(mate), ""), Peer},
		{"no role is needed", `{"type":"user","message":{"content":` + quote(mate) + `}}`, Peer},
		{"escaped in the JSON", `{"type":"user","message":{"role":"user","content":"\u003cagent-message from=\u0022x\u0022\u003ehi\u003c/agent-message\u003e"}}`, Peer},

		{"quoted in prose", said("what does "+mate+" mean?", ""), Prompt},
		{"behind prose that ends with a colon", said("He wrote:\n"+mate, ""), Prompt},
		{"inside a notification", said(quoted, ""), Prompt},
		{"inside an isMeta notification", said(quoted, `,"isMeta":true`), NoOpening},
		{"another tag that starts the same", said("<agent-messages>hi</agent-messages>", ""), Prompt},
		{"in a tool result", blocks(result(mate), ""), NoOpening},
		{"in a compaction summary", said("Another Claude session sent a message:\n"+mate, `,"isCompactSummary":true`), NoOpening},
		{"assistant", `{"type":"assistant","message":{"role":"assistant","content":` + quote(mate) + `}}`, NoOpening},
	})
}

// What is taken for ordinary by its raw text is neither a peer's message nor synthetic.
func FuzzOrdinary(f *testing.F) {
	for _, s := range []string{"", "fix it", "Background agent \"x\" was stopped by the user", "3 background agents were stopped by the user", " x", "<bash-input>ls</bash-input>",
		"Another Claude session sent a message:\n<teammate-message from=\"a\">x</teammate-message>", `Another Claude session sent a message:<teammate\u002dmessage>x`, "[Request interrupted by user]",
		"a</agent-message><agent-message>b</agent-message>", "\u00a0[Request interrupted by user]", `x \u005b`, "Bring it"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if raw := Str(s); ordinary(raw) && (hasPeerSection(raw.String()) || synthetic(raw.String())) {
			t.Fatalf("%q", s)
		}
		if r := decode(t, said(s, "")); r.Opens(false) != opensSlowly(r) {
			t.Fatalf("%q: %d", s, r.Opens(false))
		}
	})
}

// opensSlowly is Opens for a record of a person with a text.
func opensSlowly(r *Record) Opening {
	switch text := r.UserText(); {
	case hasPeerSection(text):
		return Peer
	case synthetic(text):
		return NoOpening
	}
	return Prompt
}

// A refusal is found in its decoded text, however the line spells it.
func TestMayRefuse(t *testing.T) {
	for _, raw := range []string{rejected, `\u0054he user doesn't want to proceed with this tool use`, `The user doesn\u0027t want to proceed with this tool use`, `The\u0020user doesn't want to proceed with this tool use`,
		`\nThe user \u0064oesn\u0027t want`} {
		if !mayRefuse(Raw(`"` + raw + `"`)) {
			t.Errorf("%s is turned away", raw)
		}
	}
	if mayRefuse(Raw(`"exit code 1\n\u001b[31mthe user does not\u001b[0m"`)) {
		t.Error("a failure is looked at closely")
	}
}
