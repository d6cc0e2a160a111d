package record

import (
	"bytes"
	"strings"

	"csift/pkg/jsonl"
)

// Member is a key of a record that no field is named after, with its value as it stands on the line.
type Member struct {
	Key   string
	Value Raw
}

// memberKey gives the name of a key that Decode keeps in Record.Members, "" for any other.
func memberKey(k []byte) string {
	switch string(k) {
	case "attributionSkill":
		return "attributionSkill"
	case "attributionAgent":
		return "attributionAgent"
	case "attributionPlugin":
		return "attributionPlugin"
	case "attributionMcpServer":
		return "attributionMcpServer"
	case "attributionMcpTool":
		return "attributionMcpTool"
	case "apiBlockIndex":
		return "apiBlockIndex"
	case "toolEndsTurn":
		return "toolEndsTurn"
	case "userFeedback":
		return "userFeedback"
	case "error":
		return "error"
	case "apiErrorStatus":
		return "apiErrorStatus"
	case "quotaLimits":
		return "quotaLimits"
	case "truncatedAfterOutput":
		return "truncatedAfterOutput"
	case "isAbortedMidStream":
		return "isAbortedMidStream"
	case "scheduledTaskId":
		return "scheduledTaskId"
	case "scheduledFireId":
		return "scheduledFireId"
	case "toolUseID":
		return "toolUseID"
	case "sourceToolUseID":
		return "sourceToolUseID"
	case "refusedUserMessageUuid":
		return "refusedUserMessageUuid"
	case "renderedRole":
		return "renderedRole"
	case "parentLastUuid":
		return "parentLastUuid"
	case "parentSessionId":
		return "parentSessionId"
	}
	return ""
}

// Member gives the value of one of the kept keys, the last one when it is repeated; nil when the record lacks it.
func (r *Record) Member(key string) Raw {
	for i := len(r.Members) - 1; i >= 0; i-- {
		if r.Members[i].Key == key {
			return r.Members[i].Value
		}
	}
	return nil
}

// ResumePrompt starts what Claude Code writes in the person's place when a session is resumed in the middle of a turn.
const ResumePrompt = "Continue from where you left off."

// IsResumePrompt reports whether the record is that prompt.
func (r *Record) IsResumePrompt() bool {
	if !r.IsMeta || !r.Type.Is("user") {
		return false
	}
	first := r.Text
	for i := 0; first == nil && i < len(r.Blocks); i++ {
		first = r.Blocks[i].Text
	}
	first = bytes.TrimLeft(first, " ")
	if head := first[:min(len(first), len(ResumePrompt))]; string(head) != ResumePrompt && !jsonl.HasEscape(head) {
		return false
	}
	return strings.HasPrefix(strings.TrimSpace(r.UserText()), ResumePrompt)
}
