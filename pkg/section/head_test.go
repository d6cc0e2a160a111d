package section

import (
	"slices"
	"strings"
	"testing"

	"csift/pkg/label"
)

// kept is the text of a bookkeeping line: its head, and below it the line.
func kept(head, line string) string { return "[" + head + "]\n" + line }

func init() {
	type specimen = struct {
		name, line string
		ctx        *Context
		want       []part
	}
	add := func(name, line, labels, text string) {
		specimens = append(specimens, specimen{name, line, nil, []part{{labels, text}}})
	}
	keeps := func(name, line, labels, head string) { add(name, line, labels, kept(head, line)) }

	add("turn duration", system("turn_duration", `,"durationMs":90125999,"messageCount":94,"pendingBackgroundAgentCount":1,"pendingWorkflowCount":0,"budgetTokens":500,"isMeta":false`),
		"harness.turn.duration", "[turn duration: 1d 1h 2m 5s · durationMs=90125999 messageCount=94 pendingBackgroundAgentCount=1 pendingWorkflowCount=0 budgetTokens=500]")
	add("a short turn", system("turn_duration", `,"messageCount":2,"durationMs":115`), "harness.turn.duration", "[turn duration: 115ms · messageCount=2 durationMs=115]")
	add("a turn of an unknown length", system("turn_duration", `,"durationMs":"long"`), "harness.turn.duration", "[turn duration: ? · durationMs=long]")
	add("stop hooks", system("stop_hook_summary", `,"hookCount":2,"hookInfos":[{"command":"make lint","durationMs":119},{"command":"true"}],"hookErrors":["lint failed"],"hookAdditionalContext":["see log"],`+
		`"preventedContinuation":true,"stopReason":"fix it first","hookLabel":"Stop"`),
		"harness.turn.stop-hooks", "[stop hooks: count=2 errors=1 prevented=true label=Stop]\nmake lint (119ms)\ntrue\nlint failed\nsee log\nfix it first")
	add("stop hooks that say nothing", system("stop_hook_summary", ""), "harness.turn.stop-hooks", "[stop hooks: count=0 errors=0 prevented=false]")
	add("recap", system("away_summary", `,"content":"While you were\naway"`), "harness.turn.recap", "While you were\naway")
	add("scheduled fire", system("scheduled_task_fire", `,"content":"Running scheduled task (Nov 30 4:45pm)","taskId":"9cecab2b","cron":"* * * * *","prompt":"check\nthe build"`),
		"harness.schedule.event", "[scheduled (Nov 30 4:45pm)] task=9cecab2b cron=* * * * * prompt=check the build\nRunning scheduled task (Nov 30 4:45pm)")
	add("scheduled fire without an instant", system("scheduled_task_fire", `,"taskId":"t"`), "harness.schedule.event", "[scheduled] task=t")
	add("refusal", system("model_refusal_fallback", `,"content":"Answered by another model","originalModel":"a-1","fallbackModel":"b-2","apiRefusalCategory":"x","apiRefusalExplanation":"because"`),
		"harness.system.refusal", "[refusal model_refusal_fallback] originalModel=a-1 fallbackModel=b-2 apiRefusalCategory=x\nAnswered by another model\nbecause")
	add("refusal without another model", system("model_refusal_no_fallback", `,"content":"Refused","originalModel":"a-1","fallbackModel":null`),
		"harness.system.refusal", "[refusal model_refusal_no_fallback] originalModel=a-1 fallbackModel=none\nRefused")
	add("API error with the client's words", system("api_error", `,"error":{"message":"raw","status":529,"formatted":"Overloaded","connection":null},"retryInMs":500.5,"retryAttempt":1,"maxRetries":10`),
		"harness.system.api-error", "[api-error status=529 retry 1/10 in 500.5ms]\nOverloaded")
	add("API error as the server gave it: headers are never text", system("api_error", `,"error":{"status":529,"headers":{"x-key":"secret"},"error":{"type":"error","error":{"type":"overloaded_error","message":"Over"}}},"maxRetries":10`),
		"harness.system.api-error", "[api-error status=529 type=overloaded_error retry ?/10]\nOver")
	add("API error that says nothing", system("api_error", `,"error":{"headers":{"x-key":"secret"}}`), "harness.system.api-error", "[api-error]")
	add("API error in a word", system("api_error", `,"error":"offline","retryInMs":3`), "harness.system.api-error", "[api-error retry ?/? in 3ms]\noffline")
	add("notice", system("informational", `,"level":"warning","content":"Unknown command: /x"`), "harness.system.notice", "[notice warning]\nUnknown command: /x")
	add("notice without a level", system("informational", `,"content":"x"`), "harness.system.notice", "[notice]\nx")
	add("kill", system("agents_killed", ""), "harness.system.kill", "[kill]")
	add("local command", system("local_command", `,"content":"<command-name>/context</command-name>"`), "harness.system.command", "[command]\n<command-name>/context</command-name>")

	name := "harness.bookkeeping."
	keeps("title", `{"type":"custom-title","customTitle":"my  own","sessionId":"s"}`, name+"name", "custom-title customTitle=my own")
	keeps("summary line", `{"type":"summary","summary":"old title","leafUuid":"335da17e-20e3-4dc4-aa5a-a1a4a0049211"}`, name+"name", "summary summary=old title leafUuid=335da17e")
	keeps("mode", `{"type":"mode","mode":"plan","sessionId":"s"}`, name+"mode", "mode mode=plan")
	keeps("last prompt", `{"type":"last-prompt","lastPrompt":"`+strings.Repeat("word ", 20)+`","leafUuid":null,"explicit":true}`, name+"last-prompt",
		"last-prompt lastPrompt="+strings.Repeat("word ", 16)+"… leafUuid=null explicit=true")
	keeps("cut in a word", `{"type":"last-prompt","lastPrompt":"`+strings.Repeat("x", 90)+`"}`, name+"last-prompt", "last-prompt lastPrompt="+strings.Repeat("x", 80)+"…")
	keeps("cost", `{"type":"cost-state","sessionId":"s","totalCostUSD":0.25,"modelUsage":{"b":{"x":1},"a":{}}}`, name+"cost", "cost-state totalCostUSD=0.25 modelUsage={a,b}")
	keeps("a member of no known name", `{"type":"mode","mode":"plan","novel":1}`, name+"mode", "mode mode=plan")
	keeps("artifacts", `{"type":"artifact-comment-monitor","v":1,"artifacts":[1,2,3]}`, name+"artifact", "artifact-comment-monitor v=1 artifacts=(3)")
	keeps("snapshot", `{"type":"file-history-snapshot","messageId":"m1","snapshot":{"trackedFileBackups":{"a/b.go":{"version":2},"c.go":{}}},"isSnapshotUpdate":false}`, name+"file-history",
		"file-history-snapshot messageId=m1 snapshot={trackedFileBackups} isSnapshotUpdate=false a/b.go@v2")
	keeps("delta", `{"type":"file-history-delta","trackingPath":"README.md","backup":{"version":1}}`, name+"file-history", "file-history-delta trackingPath=README.md backup={version} README.md@v1")
	keeps("nothing queued", `{"type":"queue-operation","operation":"dequeue","content":" "}`, name+"queue", "queue-operation operation=dequeue content=")
	keeps("an empty line of its type", `{"type":"atis-latch"}`, name+"atis", "atis-latch")
	keeps("bridge", `{"type":"bridge-session","bridgeSessionId":"b","lastSequenceNum":7}`, name+"bridge", "bridge-session bridgeSessionId=b lastSequenceNum=7")
	keeps("suppression", `{"type":"history-suppression","cause":"x","vetoedAgainstAccountUuid":"335da17e-20e3-4dc4-aa5a-a1a4a0049211"}`, name+"suppression",
		"history-suppression cause=x vetoedAgainstAccountUuid=335da17e")
	keeps("pull request", `{"type":"pr-link","prNumber":12,"prUrl":"https://x/12"}`, name+"pr-link", "pr-link prNumber=12 prUrl=https://x/12")
	keeps("fork", `{"type":"fork-context-ref","parentSessionId":"335da17e-20e3-4dc4-aa5a-a1a4a0049211","contextLength":45}`, name+"fork", "fork-context-ref parentSessionId=335da17e contextLength=45")
	keeps("continued", `{"type":"continued-in","continuedInSessionId":"335da17e-20e3-4dc4-aa5a-a1a4a0049211"}`, name+"continued", "continued-in continuedInSessionId=335da17e")

	add("message of a channel", attached(`{"type":"hook_additional_context","content":["[csift-channel v1 from=x] hi","there"]}`, ""), "agent.communication.channel harness.hook.context",
		"[csift-channel v1 from=x] hi\nthere")
	add("hook that printed", attached(`{"type":"hook_success","stdout":"ok\n","content":""}`, ""), "harness.hook.outcome", "ok\n")
	add("hook that was cancelled", attached(`{"type":"hook_cancelled", "hookName":"Stop"}`, ""), "harness.hook.outcome", `{"type":"hook_cancelled","hookName":"Stop"}`)
	for leaf, payload := range map[string]string{"context.listing": "skill_listing", "context.mode": "plan_mode", "context.ide": "diagnostics", "context.task": "task_status", "context.skill": "invoked_skills"} {
		add("attachment without a text: "+payload, attached(`{"type":"`+payload+`","n":1}`, ""), "harness."+leaf, `{"type":"`+payload+`","n":1}`)
	}
	for leaf, text := range map[string]string{
		"schedule.wakeup": "# Autonomous loop check\nGo on", "schedule.tick": "# Autonomous loop tick", "hook.feedback": "Stop hook feedback:\nno",
		"enforce.structured-output": "[structured-output-enforce] x", "enforce.brief": "You ended the turn without calling SendUserMessage. x", "enforce.handback": "[handback-send-enforce] x",
		"enforce.retry": "Your tool call was malformed and could not be parsed. Please retry.",
	} {
		add("injected: "+leaf, said(text, `,"isMeta":true`), "harness."+leaf, text)
	}
}

// Every leaf has a specimen, but for those that only a whole file can tell.
func TestEveryLeaf(t *testing.T) {
	seen := map[label.Leaf]bool{label.UserUnsent: true, label.UserRewound: true}
	var b Builder
	for _, tc := range specimens {
		for _, s := range b.Sections(decode(t, tc.line), tc.ctx) {
			for _, l := range s.Labels {
				seen[l] = true
			}
		}
	}
	var none []string
	for _, l := range label.All() {
		if !seen[l] {
			none = append(none, l.String())
		}
	}
	if len(none) > 0 {
		t.Errorf("no specimen of %s", strings.Join(none, " "))
	}
}

// Each line type, subtype and payload that a leaf is named for gives a section of that leaf, even with nothing in it.
func TestEveryShape(t *testing.T) {
	var b Builder
	has := func(line string, l label.Leaf) {
		t.Helper()
		if !slices.ContainsFunc(b.Sections(decode(t, line), nil), func(s Section) bool { return slices.Contains(s.Labels, l) }) {
			t.Errorf("%s is no %v", line, l)
		}
	}
	for _, l := range label.All() {
		for _, typ := range label.LineTypes(l) {
			has(`{"type":"`+typ+`"}`, l)
		}
		for _, sub := range label.Subtypes(l) {
			if l != label.HarnessTurnRecap {
				has(system(sub, ""), l)
			}
		}
		for _, p := range label.AttachmentTypes(l) {
			has(attached(`{"type":"`+p+`"}`, ""), l)
		}
	}
}
