package section

import (
	"strconv"

	"csift/pkg/record"
)

// Exposed is what a record states about the call to the API behind it, or about what set it off: the values of eighteen
// of its keys, each under its own name in snake case. A key that the record lacks, or that has a value of another type, is
// left out. All sections of a record say the same.
type Exposed struct {
	AttributionSkill     *string `json:"attribution_skill,omitempty"`
	AttributionAgent     *string `json:"attribution_agent,omitempty"`
	AttributionPlugin    *string `json:"attribution_plugin,omitempty"`
	AttributionMCPServer *string `json:"attribution_mcp_server,omitempty"`
	AttributionMCPTool   *string `json:"attribution_mcp_tool,omitempty"`
	RequestID            *string `json:"request_id,omitempty"`
	APIBlockIndex        *int    `json:"api_block_index,omitempty"`
	ToolEndsTurn         *bool   `json:"tool_ends_turn,omitempty"`
	UserFeedback         *string `json:"user_feedback,omitempty"`
	Error                *string `json:"error,omitempty"`
	APIErrorStatus       *int    `json:"api_error_status,omitempty"`
	QuotaLimits          *Quota  `json:"quota_limits,omitempty"`
	TruncatedAfterOutput *bool   `json:"truncated_after_output,omitempty"`
	IsAbortedMidStream   *bool   `json:"is_aborted_mid_stream,omitempty"`
	InterruptedMessageID *string `json:"interrupted_message_id,omitempty"`
	ScheduledTaskID      *string `json:"scheduled_task_id,omitempty"`
	ScheduledFireID      *string `json:"scheduled_fire_id,omitempty"`
	HookRunID            *string `json:"hook_run_id,omitempty"` // toolUseID, which is no tool_use_id where it stands on a record
}

// Quota is what is told of the limit that a call ran into.
type Quota struct {
	ResetsAt      *int    `json:"resets_at"` // seconds since 1970
	RateLimitType *string `json:"rate_limit_type"`
}

// exposed reads the keys.
func (m *Space) exposed(r *record.Record) (x Exposed) {
	x.RequestID, x.InterruptedMessageID = m.text(r.RequestID), m.text(r.InterruptedMessageID)
	for i := range r.Members { // the last one of a repeated key counts
		switch v := r.Members[i].Value; r.Members[i].Key {
		case "attributionSkill":
			x.AttributionSkill = m.text(v.Str())
		case "attributionAgent":
			x.AttributionAgent = m.text(v.Str())
		case "attributionPlugin":
			x.AttributionPlugin = m.text(v.Str())
		case "attributionMcpServer":
			x.AttributionMCPServer = m.text(v.Str())
		case "attributionMcpTool":
			x.AttributionMCPTool = m.text(v.Str())
		case "apiBlockIndex":
			x.APIBlockIndex = m.whole(v)
		case "toolEndsTurn":
			x.ToolEndsTurn = truthIn(v)
		case "userFeedback":
			x.UserFeedback = m.text(v.Str())
		case "isAbortedMidStream": // on replies that are no error as well (2.1.258)
			x.IsAbortedMidStream = truthIn(v)
		case "scheduledTaskId":
			x.ScheduledTaskID = m.text(v.Str())
		case "scheduledFireId":
			x.ScheduledFireID = m.text(v.Str())
		case "toolUseID":
			if r.Subtype.Is("stop_hook_summary") {
				x.HookRunID = m.text(v.Str())
			}
		default:
			if r.IsAPIError {
				m.failure(&x, r.Members[i].Key, v)
			}
		}
	}
	return x
}

// failure reads what only says something on the reply that stands for a failed call.
func (m *Space) failure(x *Exposed, key string, v record.Raw) {
	switch key {
	case "error":
		x.Error = m.text(v.Str())
	case "apiErrorStatus":
		x.APIErrorStatus = m.whole(v)
	case "quotaLimits":
		x.QuotaLimits = nil
		if v.IsObject() {
			x.QuotaLimits = &Quota{ResetsAt: m.whole(v.Get("resetsAt")), RateLimitType: m.text(v.Get("rateLimitType").Str())}
		}
	case "truncatedAfterOutput":
		x.TruncatedAfterOutput = truthIn(v)
	}
}

// whole reads a number without a fraction that is not negative.
func (m *Space) whole(v record.Raw) *int {
	if len(v) == 0 || v[0] < '0' || v[0] > '9' {
		return nil
	}
	n, err := strconv.ParseUint(string(v), 10, 53)
	if err != nil {
		return nil
	}
	return m.number(int(n))
}

func truthIn(v record.Raw) *bool {
	switch string(v) {
	case "true", "false":
		return truth(v.True())
	}
	return nil
}
