package label

import (
	"slices"
	"strings"
)

// lineTypes maps the types of bookkeeping lines. summary is the title of sessions up
// to Claude Code 2.1.22, custom-title the one a person gave (from 2.1.78).
var lineTypes = map[string]Leaf{
	"last-prompt":               HarnessBookkeepingLastPrompt,
	"mode":                      HarnessBookkeepingMode,
	"permission-mode":           HarnessBookkeepingMode,
	"ai-title":                  HarnessBookkeepingName,
	"agent-name":                HarnessBookkeepingName,
	"custom-title":              HarnessBookkeepingName,
	"summary":                   HarnessBookkeepingName,
	"atis-latch":                HarnessBookkeepingAtis,
	"bridge-session":            HarnessBookkeepingBridge,
	"history-suppression":       HarnessBookkeepingSuppression,
	"pr-link":                   HarnessBookkeepingPrLink,
	"frame-link":                HarnessBookkeepingArtifact,
	"artifact-comment-monitor":  HarnessBookkeepingArtifact,
	"artifact-autoreact-ledger": HarnessBookkeepingArtifact,
	"file-history-snapshot":     HarnessBookkeepingFileHistory,
	"file-history-delta":        HarnessBookkeepingFileHistory,
	"cost-state":                HarnessBookkeepingCost,
	"fork-context-ref":          HarnessBookkeepingFork,
	"continued-in":              HarnessBookkeepingContinued,
	"queue-operation":           HarnessBookkeepingQueue,
}

// LineType returns the leaf of a line by its top-level type. A queue-operation whose
// content is the person's is UserQueued, which the type alone cannot say. ok is
// false for the four transcript types and for types that no leaf names.
func LineType(typ string) (l Leaf, ok bool) {
	l, ok = lineTypes[typ]
	return l, ok
}

// LineTypes returns the line types of l, none for a leaf that is not decided by the
// line type alone.
func LineTypes(l Leaf) []string { return keysOf(lineTypes, l) }

var systems = map[string]Leaf{
	"compact_boundary":          HarnessCompactionBoundary,
	"turn_duration":             HarnessTurnDuration,
	"stop_hook_summary":         HarnessTurnStopHooks,
	"away_summary":              HarnessTurnRecap,
	"scheduled_task_fire":       HarnessScheduleEvent,
	"model_refusal_fallback":    HarnessSystemRefusal,
	"model_refusal_no_fallback": HarnessSystemRefusal,
	"api_error":                 HarnessSystemApiError,
	"informational":             HarnessSystemNotice,
	"agents_killed":             HarnessSystemKill,
	"local_command":             HarnessSystemCommand,
}

// System returns the leaf of a system record by its subtype. ok is false for a
// subtype that no leaf names.
func System(subtype string) (l Leaf, ok bool) {
	l, ok = systems[subtype]
	return l, ok
}

// Subtypes returns the system subtypes of l.
func Subtypes(l Leaf) []string { return keysOf(systems, l) }

// notificationKinds are the first words of a task notification's summary, lower
// case, in the order they are tried.
var notificationKinds = []struct {
	prefix string
	leaf   Leaf
}{
	{"background command", HarnessNotificationBackgroundCommand},
	{"dynamic workflow", HarnessNotificationWorkflow},
	{"workflow", HarnessNotificationWorkflow},
	{"monitor", HarnessNotificationMonitor},
	{"scheduled", HarnessNotificationMonitor},
	{"cron", HarnessNotificationMonitor},
	{"agent", HarnessNotificationSubagent},
}

// Pulse returns the leaf of a task notification by its summary, and the word that
// names its kind in text, which is the leaf's last segment.
func Pulse(summary string) (l Leaf, kind string) {
	s := strings.TrimSpace(summary)
	for _, k := range notificationKinds {
		if len(s) >= len(k.prefix) && strings.EqualFold(s[:len(k.prefix)], k.prefix) {
			return k.leaf, k.leaf.Name()
		}
	}
	return HarnessNotificationTask, HarnessNotificationTask.Name()
}

// NotificationFrame starts the isMeta text that wraps a task notification (seen at
// 2.1.332); the leaf is the one of the notification inside.
const NotificationFrame = "[SYSTEM NOTIFICATION - NOT USER INPUT]"

// CoordinatorRelay starts the isMeta text that relays a message of the coordinator,
// when the record's origin says coordinator too.
const CoordinatorRelay = "The coordinator sent a message"

// WorkflowTask starts what a workflow's run tells its subagent: the request that started the run, relayed, and the task that
// a script computed, which no person typed (2.1.272 to 2.1.332; at 2.1.332 a record of its own behind the request).
const WorkflowTask = "[Workflow harness — "

// metaPrefixes are the first words of the texts that the client injects as isMeta
// user records.
var metaPrefixes = []struct {
	prefix string
	leaf   Leaf
}{
	{"# Autonomous loop check", HarnessScheduleWakeup},
	{"You're being invoked on a timer", HarnessScheduleWakeup},
	{"<<autonomous-loop-dynamic>>", HarnessScheduleWakeup},
	{"# Autonomous loop tick", HarnessScheduleTick},
	{"Run the autonomous check", HarnessScheduleTick},
	{"Continue from where you left off.", HarnessResumePrompt},
	{"<local-command-caveat>", HarnessCommandCaveat},
	{"Stop hook feedback:", HarnessHookFeedback},
	{"TeammateIdle hook feedback:", HarnessHookFeedback},
	{"TaskCreated hook feedback:", HarnessHookFeedback},
	{"TaskCompleted hook feedback:", HarnessHookFeedback},
	{"[structured-output-enforce]", HarnessEnforceStructuredOutput},
	{"You ended the turn without calling SendUserMessage.", HarnessEnforceBrief},
	{"[handback-send-enforce]", HarnessEnforceHandback},
	{"The last Edit failed because the target file was modified", HarnessEnforceRetry},
	{"Base directory for this skill: ", HarnessContextSkill},
	{"[Image: source:", HarnessContextImage},
	{"[Image: original", HarnessContextImage},
}

// classifierStop is the message after a safety classifier stopped a response; it
// comes with and without the sentence about a call that was running.
const classifierStop = "Your response above was stopped by a safety classifier — this is not a tool or API error. " +
	"The rest of it was withheld, and tool calls in it that had not finished did not run. " +
	"Do not produce that content again, even reworded."

// retries are the whole messages that make the model go on. The client keeps them in
// one list and compares by equality, so a message that quotes one is none.
var retries = map[string]bool{
	"The previous response failed to produce a valid tool call. Please retry the tool call now.":           true,
	"Your tool call was malformed and could not be parsed. Please retry.":                                  true,
	"[Your previous response had no visible output. Please continue and produce a user-visible response.]": true,
	"The PermissionDenied hook indicated you may retry this tool call.":                                    true,
	classifierStop: true,
	classifierStop + " Exception: a tool call whose result reads \"Interrupted\" was already running when the response was stopped; " +
		"it may have partially or fully completed.": true,
	"Output token limit hit. Resume directly — no apology, no recap of what you were doing. Pick up mid-thought if that is where " +
		"the cut happened. Break remaining work into smaller pieces.": true,
	"Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap. If none of it " +
		"survived, answer the request from the start.": true,
	"Your response above was cut off mid-stream and only your next message is delivered. Write the complete response again from " +
		"the start — no apology, no mention of the cut-off.": true,
}

// longestRetry bounds the texts worth looking up.
var longestRetry = func() int {
	n := 0
	for text := range retries {
		n = max(n, len(text))
	}
	return n
}()

// MetaText returns the leaf of an isMeta user record by its text, which is matched
// at its start after leading whitespace. It does not know the families decided by
// another field: a relayed person, a fired schedule, a peer, the coordinator.
func MetaText(text string) (l Leaf, ok bool) {
	text = strings.TrimSpace(text)
	for _, m := range metaPrefixes {
		if strings.HasPrefix(text, m.prefix) {
			return m.leaf, true
		}
	}
	if len(text) <= longestRetry && retries[text] {
		return HarnessEnforceRetry, true
	}
	return None, false
}

func keysOf(m map[string]Leaf, l Leaf) []string {
	var keys []string
	for k, v := range m {
		if v == l {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
