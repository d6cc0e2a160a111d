package label

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// taxonomy is the whole tree, written out once more: leaves in order, a hidden one
// with a minus.
const taxonomy = `
user: message answer rejection -unsent -rewound -queued
agent.message: plain structured
agent.thinking: summary narration -omitted -redacted
agent.tool: use result
agent.communication: inbox sent signal channel
harness.notification: workflow monitor subagent background-command task
harness.compaction: summary -boundary
harness.command: invocation stdout caveat
harness.interrupt: user tool
harness.schedule: wakeup -event fire tick
harness.resume: prompt placeholder
harness.hook: context -outcome feedback
harness.context: reminder listing prompt file mode ide task image skill
harness.enforce: structured-output brief handback retry
harness.turn: -duration -stop-hooks -recap
harness.system: -refusal -api-error -notice -kill command
harness.bookkeeping: -last-prompt -mode -name -atis -bridge -suppression -pr-link -artifact -file-history -cost -fork -continued -queue`

func TestTaxonomy(t *testing.T) {
	var names, hiddenNames []string
	var categories []Category
	for _, line := range strings.Split(strings.TrimSpace(taxonomy), "\n") {
		category, list, _ := strings.Cut(line, ": ")
		categories = append(categories, Category(category))
		for _, name := range strings.Fields(list) {
			name, isHidden := strings.CutPrefix(name, "-")
			names = append(names, category+"."+name)
			if isHidden {
				hiddenNames = append(hiddenNames, category+"."+name)
			}
		}
	}
	if len(names) != 73 || len(categories) != 17 || len(hiddenNames) != 28 {
		t.Fatalf("the test's own tree has %d leaves, %d categories, %d hidden", len(names), len(categories), len(hiddenNames))
	}
	var got, gotHidden []string
	for _, l := range All() {
		got = append(got, l.String())
		if !l.Visible() {
			gotHidden = append(gotHidden, l.String())
		}
	}
	if d := cmp.Diff(names, got); d != "" {
		t.Errorf("leaves (-want +got):\n%s", d)
	}
	if d := cmp.Diff(hiddenNames, gotHidden); d != "" {
		t.Errorf("hidden leaves (-want +got):\n%s", d)
	}
	if d := cmp.Diff(categories, Categories()); d != "" {
		t.Errorf("categories (-want +got):\n%s", d)
	}
}

// The Go name of a leaf is its path in camel case, so that one can be found by the
// other.
func TestNamesFollowPaths(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "leaves.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || len(names) > 0 {
			continue
		}
		for _, spec := range g.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names[0].Name)
		}
	}
	want := []string{"None"}
	for _, l := range All() {
		name := ""
		for _, word := range strings.FieldsFunc(l.String(), func(r rune) bool { return r == '.' || r == '-' }) {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		want = append(want, name)
	}
	want = append(want, "count")
	if d := cmp.Diff(want, names); d != "" {
		t.Errorf("constants (-want +got):\n%s", d)
	}
}

func TestLeaf(t *testing.T) {
	for _, c := range []struct {
		leaf           Leaf
		path, category string
		role           Role
		name, glyph    string
		gate           Gate
	}{
		{UserMessage, "user.message", "user", User, "message", "◂", GateDefault},
		{UserQueued, "user.queued", "user", User, "queued", "◂", GateSelector},
		{AgentMessagePlain, "agent.message.plain", "agent.message", Agent, "plain", "▸", GateDefault},
		{AgentMessageStructured, "agent.message.structured", "agent.message", Agent, "structured", "▸", GateNeedle},
		{AgentCommunicationChannel, "agent.communication.channel", "agent.communication", Agent, "channel", "▸", GateNeedle},
		{HarnessNotificationWorkflow, "harness.notification.workflow", "harness.notification", Harness, "workflow", "⚙", GateDefault},
		{HarnessCompactionBoundary, "harness.compaction.boundary", "harness.compaction", Harness, "boundary", "⚙", GateDefault},
		{HarnessContextImage, "harness.context.image", "harness.context", Harness, "image", "⚙", GateDefault},
		{HarnessContextFile, "harness.context.file", "harness.context", Harness, "file", "⚙", GateAttachment},
		{HarnessBookkeepingQueue, "harness.bookkeeping.queue", "harness.bookkeeping", Harness, "queue", "⚙", GateSelector},
		{None, "", "", 0, "", "?", GateDefault},
		{255, "", "", 0, "", "?", GateDefault},
	} {
		l := c.leaf
		if l.String() != c.path || string(l.Category()) != c.category || l.Role() != c.role || l.Name() != c.name ||
			l.Role().Glyph() != c.glyph || l.Gate() != c.gate {
			t.Errorf("%d: %q %q %v %q %q %v", l, l.String(), l.Category(), l.Role(), l.Name(), l.Role().Glyph(), l.Gate())
		}
	}
	for _, l := range All() {
		if back, ok := ByName(l.String()); !ok || back != l {
			t.Errorf("ByName(%q) = %v, %v", l, back, ok)
		}
		if !strings.HasPrefix(l.String(), l.Role().String()+".") {
			t.Errorf("%v has role %v", l, l.Role())
		}
		if l.Shape() == "" {
			t.Errorf("%v names no shape", l)
		}
	}
	for _, s := range []string{"", "user", "agent.tool", "User.Message", "user.message.", "agent.tool.*"} {
		if l, ok := ByName(s); ok {
			t.Errorf("ByName(%q) = %v", s, l)
		}
	}
}

func TestGates(t *testing.T) {
	by := map[Gate]int{}
	for _, l := range All() {
		by[l.Gate()]++
		// Of the gated leaves, bookkeeping is never read unasked.
		if l.Category() == "harness.bookkeeping" && l.Gate() != GateSelector {
			t.Errorf("%v has gate %v", l, l.Gate())
		}
	}
	want := map[Gate]int{GateDefault: 39, GateSelector: 23, GateAttachment: 9, GateNeedle: 2}
	if d := cmp.Diff(want, by); d != "" {
		t.Errorf("leaves by gate (-want +got):\n%s", d)
	}
	// A leaf behind a selector is decided by the line type or the subtype alone, but
	// for the person's queued text.
	for _, l := range All() {
		if l.Gate() != GateSelector || l == UserQueued {
			continue
		}
		if len(LineTypes(l))+len(Subtypes(l)) == 0 {
			t.Errorf("no line type and no subtype leads to %v", l)
		}
	}
}

func TestFamilies(t *testing.T) {
	for typ, want := range map[string]Leaf{
		"custom-title": HarnessBookkeepingName, "summary": HarnessBookkeepingName, "ai-title": HarnessBookkeepingName,
		"permission-mode": HarnessBookkeepingMode, "queue-operation": HarnessBookkeepingQueue,
		"user": None, "assistant": None, "system": None, "attachment": None, "progress": None, "api-request": None,
		"tools-used": None, "": None,
	} {
		if l, ok := LineType(typ); l != want || ok != (want != None) {
			t.Errorf("LineType(%q) = %v, %v", typ, l, ok)
		}
	}
	if d := cmp.Diff([]string{"agent-name", "ai-title", "custom-title", "summary"}, LineTypes(HarnessBookkeepingName)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"model_refusal_fallback", "model_refusal_no_fallback"}, Subtypes(HarnessSystemRefusal)); d != "" {
		t.Error(d)
	}
	if len(lineTypes) != 20 || len(systems) != 11 {
		t.Errorf("%d bookkeeping types, %d subtypes", len(lineTypes), len(systems))
	}
	for sub, want := range map[string]Leaf{
		"compact_boundary": HarnessCompactionBoundary, "local_command": HarnessSystemCommand, "api_error": HarnessSystemApiError,
		"bridge_status": None, "microcompact_boundary": None, "": None,
	} {
		if l, ok := System(sub); l != want || ok != (want != None) {
			t.Errorf("System(%q) = %v, %v", sub, l, ok)
		}
	}
}

func TestAttachmentType(t *testing.T) {
	for _, c := range []struct {
		typ             string
		leaf            Leaf
		never           bool
		plain, rendered bool // delivered
	}{
		{"hook_additional_context", HarnessHookContext, false, true, true},
		{"hook_success", HarnessHookOutcome, false, false, true},
		{"hook_cancelled", HarnessHookOutcome, true, false, false},
		{"queued_command", HarnessContextPrompt, false, true, true},
		{"structured_output", AgentMessageStructured, true, false, false},
		{"nested_memory", HarnessContextFile, false, true, true},
		{"command_permissions", HarnessContextListing, true, false, false},
		{"dynamic_skill", HarnessContextSkill, false, true, true},
		{"prompt_snapshot", None, true, false, false},
		{"environment", None, false, true, true},
		{"never_heard_of", None, false, true, true},
	} {
		leaf, never := AttachmentType(c.typ)
		if leaf != c.leaf || never != c.never {
			t.Errorf("AttachmentType(%q) = %v, %v", c.typ, leaf, never)
		}
		if AttachmentDelivered(c.typ, false) != c.plain || AttachmentDelivered(c.typ, true) != c.rendered {
			t.Errorf("AttachmentDelivered(%q) = %v, %v", c.typ, AttachmentDelivered(c.typ, false), AttachmentDelivered(c.typ, true))
		}
	}
	leafed := 0
	for _, l := range All() {
		types := AttachmentTypes(l)
		leafed += len(types)
		attached := l.Gate() == GateAttachment || l == AgentMessageStructured || l == HarnessContextSkill
		if attached != (len(types) > 0) {
			t.Errorf("%v has payload types %v", l, types)
		}
	}
	if leafed != 64 {
		t.Errorf("%d payload types have a leaf", leafed)
	}
	if got := AttachmentTypes(None); got != nil {
		t.Errorf("AttachmentTypes(None) = %v", got)
	}
}

func TestPulse(t *testing.T) {
	for summary, want := range map[string]string{
		`Background command "Run the ticker" completed (exit code 0)`: "background-command",
		`background command "agent" failed`:                           "background-command",
		`Dynamic workflow "Survey two things" completed`:              "workflow",
		`Workflow done`:                       "workflow",
		`Monitor event: "Watch the log"`:      "monitor",
		`Scheduled task ran`:                  "monitor",
		`cron fired`:                          "monitor",
		"\n  Agent \"Named helper\" finished": "subagent",
		`An agent finished`:                   "task",
		`Background shell command didn't finish before the previous session ended`: "task",
		"": "task",
	} {
		leaf, kind := Pulse(summary)
		if kind != want || leaf.String() != "harness.notification."+want {
			t.Errorf("Pulse(%q) = %v, %q; want %s", summary, leaf, kind, want)
		}
	}
}

func TestMetaText(t *testing.T) {
	for text, want := range map[string]Leaf{
		"# Autonomous loop check\nmore":                                          HarnessScheduleWakeup,
		"<<autonomous-loop-dynamic>>":                                            HarnessScheduleWakeup,
		"You're being invoked on a timer.":                                       HarnessScheduleWakeup,
		"# Autonomous loop tick":                                                 HarnessScheduleTick,
		"Run the autonomous check now":                                           HarnessScheduleTick,
		"\n Continue from where you left off.":                                   HarnessResumePrompt,
		"<local-command-caveat>Caveat: x":                                        HarnessCommandCaveat,
		"Stop hook feedback:\nSTOP-BLOCK":                                        HarnessHookFeedback,
		"TeammateIdle hook feedback: x":                                          HarnessHookFeedback,
		"TaskCreated hook feedback:":                                             HarnessHookFeedback,
		"TaskCompleted hook feedback:":                                           HarnessHookFeedback,
		"[structured-output-enforce] x":                                          HarnessEnforceStructuredOutput,
		"You ended the turn without calling SendUserMessage. x":                  HarnessEnforceBrief,
		"[handback-send-enforce]":                                                HarnessEnforceHandback,
		"The last Edit failed because the target file was modified.":             HarnessEnforceRetry,
		"Base directory for this skill: /home/u":                                 HarnessContextSkill,
		"[Image: source: /tmp/1.png]":                                            HarnessContextImage,
		"[Image: original 2400x600, displayed at 2000x500.]":                     HarnessContextImage,
		" Your tool call was malformed and could not be parsed. Please retry.\n": HarnessEnforceRetry,
		classifierStop:                               HarnessEnforceRetry,
		classifierStop + " ":                         HarnessEnforceRetry,
		classifierStop + " x":                        None,
		"PreToolUse hook feedback: x":                None,
		"He said: Continue from where you left off.": None,
		"[Image #1] look":                            None,
		"":                                           None,
	} {
		if l, ok := MetaText(text); l != want || ok != (want != None) {
			t.Errorf("MetaText(%q) = %v, %v; want %v", text, l, ok, want)
		}
	}
	// Five of the nine carry a real dash, which a retyped one does not equal.
	if len(retries) != 9 {
		t.Errorf("%d retry messages", len(retries))
	}
	dashes := 0
	for text := range retries {
		if strings.Contains(text, "—") {
			dashes++
			if l, _ := MetaText(strings.ReplaceAll(text, "—", "-")); l != None {
				t.Errorf("MetaText takes a hyphen for a dash: %q", text)
			}
		}
	}
	if dashes != 5 {
		t.Errorf("%d retry messages carry a dash", dashes)
	}
}

func TestSelectors(t *testing.T) {
	all := Selectors()
	// 3 roles, 16 further categories, 73 leaves, and the globs of the first 19.
	if len(all) != 3+16+73+19 {
		t.Errorf("%d selectors", len(all))
	}
	for _, s := range all {
		if _, err := ParseFilter([]string{s}, nil); err != nil {
			t.Errorf("ParseFilter(%q): %v", s, err)
		}
	}
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(all) {
		t.Error("a selector is listed twice")
	}
}
