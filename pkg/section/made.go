package section

import (
	"slices"

	"csift/pkg/label"
)

// Made are words of section texts that stand in no record: csift puts them there. A search that passes over lines by what
// stands in them has to look at every line with one of Marks when its pattern touches one of Words.
//
// Words are given between blanks or JSON punctuation; "*" is a neighbour that comes from the record, "#" a number, "%" a
// hexadecimal digit.
type Made struct {
	Leaves []label.Leaf // those of the texts, where a search does not read them unless it is asked to; nil: it always does
	Marks  []string     // literal pieces of the raw line; each line that gives such a text has one of them
	Words  []string
}

// made lists them all. A text that is made anew belongs here.
var made = []Made{
	{ // boundaryText
		Marks: []string{"compact_boundary"},
		Words: []string{"compaction", "boundary", "trigger=*", "preTokens=*", "postTokens=*", "durationMs=*", "messagesSummarized=*",
			"cumulativeDroppedTokens=*", "preserved=#", "uuids", "#", "allUuids", "anchor", "%%%%%%%%", "segment=*", "*..*", "*..%%%%%%%%",
			"segment=%%%%%%%%..%%%%%%%%", "logicalParent=*"},
	},
	{ // pulse
		Marks: []string{"task-notification"},
		Words: []string{"background-command", "monitor", "workflow", "subagent", "task", "?", "completed", "(orphan", "reconciliation", "*)"},
	},
	{ // answerText
		Marks: []string{`"answers"`, `"response"`, "answered"},
		Words: []string{"AskUserQuestion", "·", "#", "question", "questions", "Q#", "(*", "*)", "-", "A#", "note", "response"},
	},
	{ // a command that the person typed behind !
		Marks: []string{"bash-input"},
		Words: []string{"!*"},
	},
	{ // durationHead
		Leaves: []label.Leaf{label.HarnessTurnDuration},
		Marks:  []string{"turn_duration"},
		Words:  slices.Concat([]string{"turn", "duration", "?", "·", "*ms"}, spelled(), assigned(durationKeys...)),
	},
	{ // stopHooksText
		Leaves: []label.Leaf{label.HarnessTurnStopHooks},
		Marks:  []string{"stop_hook_summary"},
		Words:  slices.Concat([]string{"stop", "hooks", "(*"}, assigned("count", "errors", "prevented", "label")),
	},
	{ // systemText
		Leaves: []label.Leaf{label.HarnessScheduleEvent, label.HarnessSystemRefusal, label.HarnessSystemNotice, label.HarnessSystemKill, label.HarnessSystemCommand},
		Marks:  []string{"scheduled_task_fire", "model_refusal", "informational", "agents_killed", "local_command"},
		Words: slices.Concat([]string{"scheduled", "refusal", "notice", "kill", "command"},
			assigned("task", "cron", "prompt", "originalModel", "fallbackModel", "apiRefusalCategory")),
	},
	{ // apiErrorText
		Leaves: []label.Leaf{label.HarnessSystemApiError},
		Marks:  []string{"api_error"},
		Words:  slices.Concat([]string{"api-error", "retry", "in", "?", "*ms"}, assigned("status", "type")),
	},
	{ // Builder.keeping
		Leaves: keepingLeaves(),
		Marks:  keepingMarks(),
		Words:  slices.Concat([]string{"*…", "*@v*"}, assigned(headKeys...)),
	},
}

// assigned gives the words that heads make of keys and their values.
func assigned(keys ...string) (out []string) {
	for _, k := range keys {
		out = append(out, k+"=*")
	}
	return out
}

func keepingLeaves() (out []label.Leaf) {
	for _, l := range label.All() {
		if l.Category() == "harness.bookkeeping" {
			out = append(out, l)
		}
	}
	return out
}

// keepingMarks gives the types of bookkeeping lines in quotes: some are common words.
func keepingMarks() (out []string) {
	for _, l := range keepingLeaves() {
		for _, t := range label.LineTypes(l) {
			out = append(out, `"`+t+`"`)
		}
	}
	return out
}

// Marks gives the literals of the lines that have to be looked at for a pattern. touches says whether the pattern may
// match by help of a word, reads whether a leaf is looked for at all.
func Marks(touches func(word string) bool, reads func(label.Leaf) bool) (marks []string) {
	for i := range made {
		if made[i].Leaves == nil || slices.ContainsFunc(made[i].Leaves, reads) {
			if slices.ContainsFunc(made[i].Words, touches) {
				marks = append(marks, made[i].Marks...)
			}
		}
	}
	return marks
}
