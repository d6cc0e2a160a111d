package list

import (
	"encoding/json"
	"time"

	"csift/pkg/lane"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// familyRow leads the subagents of a session. A tool that reads the answer passes it over: see row.Read.
type familyRow struct {
	Kind string `json:"kind"`
	row.Ref
	Missing bool `json:"transcript_missing"` // of the session: its path is where it would be
	Runs    int  `json:"runs"`
	Agents  int  `json:"agents"`
}

// runRow is one run of a workflow.
type runRow struct {
	Kind string `json:"kind"`
	row.Ref
	RunID        string  `json:"run_id"`
	TaskID       *string `json:"task_id"`
	WorkflowName *string `json:"workflow_name"`
	Status       *string `json:"status"`
	AgentCount   *int    `json:"agent_count"`
	DurationMS   *int    `json:"duration_ms"`
	Tokens       *int    `json:"total_tokens"`
	ToolCalls    *int    `json:"total_tool_calls"`
	DefaultModel *string `json:"default_model"`
	StartedUTC   *string `json:"started_utc"`
	StartedLocal *string `json:"started_local"`
}

// agentRow is one subagent. Line and uuid are those of an inline lane's first record, else null.
type agentRow struct {
	Kind string `json:"kind"`
	row.Ref
	ParentMissing bool    `json:"parent_missing"`
	AgentID       *string `json:"agent_id"`
	Shape         string  `json:"shape"`
	ParentAgentID *string `json:"parent_agent_id"`
	SpawnID       *string `json:"spawn_tool_use_id"`
	SpawnTool     *string `json:"spawn_tool"`
	WorkflowID    *string `json:"workflow_id"`
	AgentType     *string `json:"agent_type"`
	Name          *string `json:"name"`
	TeamName      *string `json:"team_name"`
	RoutingID     *string `json:"routing_id"`
	Description   *string `json:"description"`
	ForkParent    *string `json:"fork_parent_last_uuid"`
	ForkLength    *int    `json:"fork_context_length"`

	TriggerUTC     *string `json:"trigger_utc"`
	TriggerLocal   *string `json:"trigger_local"`
	StartedUTC     *string `json:"started_utc"`
	StartedLocal   *string `json:"started_local"`
	CompletedUTC   *string `json:"completed_utc"`
	CompletedLocal *string `json:"completed_local"`
	LastUTC        *string `json:"last_activity_utc"`
	LastLocal      *string `json:"last_activity_local"`
	Duration       *string `json:"duration"`
	Depth          int     `json:"depth"`
	Status         string  `json:"status"`
	Evidence       *string `json:"status_evidence"`

	PendingID      *string `json:"pending_tool_use_id"`
	PendingTool    *string `json:"pending_tool_name"`
	PendingClass   *string `json:"pending_classification"`
	PendingReason  *string `json:"pending_reason"`
	PendingChecker *string `json:"pending_checker"`
	PendingUTC     *string `json:"pending_since_utc"`
	PendingLocal   *string `json:"pending_since_local"`

	Line    *int    `json:"line"`
	UUID    *string `json:"uuid"`
	Skipped int     `json:"skipped_lines"`
	Hint    string  `json:"control_hint,omitempty"`

	Returned   json.RawMessage `json:"returned_message,omitempty"` // a string or null, absent when it was not asked for
	ReturnedBy json.RawMessage `json:"returned_message_source,omitempty"`
	Files      json.RawMessage `json:"files_changed,omitempty"` // an array of paths, null when the transcript cannot be read whole, absent when not asked for
}

type agentsSummary struct {
	Kind       string `json:"kind"`
	Sessions   int    `json:"sessions"`
	Runs       int    `json:"runs"`
	Agents     int    `json:"agents"`
	Skipped    int    `json:"skipped_lines"` // of the lines that were read
	Unreadable int    `json:"unreadable_files"`
}

// controlHint says how a teammate is reached.
const controlHint = `a teammate runs inside its lead's process: SendMessage to its NAME steers it, {"type":"shutdown_request"} ends it; ` +
	`TaskStop takes its name or name@team from Claude Code 2.1.198 on; the a<Name>-<hex> id is csift's target and no task id; never kill a process for it`

// span gives an instant in both its forms; null when it is not known.
func span(t time.Time) (utc, local *string) {
	if t.IsZero() {
		return nil, nil
	}
	u, l := t.UTC().Format("2006-01-02T15:04:05.000Z"), when.Local(t)
	return &u, &l
}

func (a *agentsAnswer) row(f *family, g *member) *agentRow {
	r := &agentRow{
		Kind: "agent", Ref: g.script.Ref(), ParentMissing: g.script.ParentMissing, AgentID: scope.OrNull(g.ID), Shape: g.Shape,
		ParentAgentID: scope.OrNull(g.ParentAgent), WorkflowID: scope.OrNull(g.Run), AgentType: scope.OrNull(g.agentType()),
		Name: scope.OrNull(g.Meta.Name), TeamName: scope.OrNull(g.Meta.TeamName), RoutingID: scope.OrNull(g.Meta.Routing()), Description: scope.OrNull(g.description()),
		Depth: g.Depth, Status: g.status, Evidence: scope.OrNull(g.evidence),
	}
	if s := g.Spawn; s != nil {
		r.SpawnID, r.SpawnTool = scope.OrNull(s.ID), scope.OrNull(s.Tool)
	} else {
		r.SpawnID = scope.OrNull(g.Meta.ToolUseID)
	}
	r.TriggerUTC, r.TriggerLocal = span(g.trigger)
	r.StartedUTC, r.StartedLocal = span(g.started)
	r.LastUTC, r.LastLocal = span(g.last)
	if g.status == completed {
		r.CompletedUTC, r.CompletedLocal = span(g.last)
		r.Duration = g.duration()
	}
	if e := g.Ends; e != nil {
		r.ForkParent, r.Skipped = scope.OrNull(e.ForkParent), e.Skipped
		if e.ForkLength >= 0 {
			r.ForkLength = &e.ForkLength
		}
		if p := e.Pending; p != nil {
			class, reason, checker := forecast(p)
			r.PendingID, r.PendingTool, r.PendingClass, r.PendingReason, r.PendingChecker = scope.OrNull(p.ID), scope.OrNull(p.Tool), &class, &reason, scope.OrNull(checker)
			r.PendingUTC, r.PendingLocal = span(stampOf(p.Stamp))
		}
	}
	if l := g.inline; l != nil {
		r.Line, r.UUID = &l.Line, scope.OrNull(l.UUID)
	}
	if g.Shape == lane.ShapeTeammate {
		r.Hint = controlHint
	}
	if a.returned {
		r.Returned, r.ReturnedBy = json.RawMessage("null"), json.RawMessage("null")
		if g.returned != nil {
			r.Returned, r.ReturnedBy = row.AppendString(nil, *g.returned), row.AppendString(nil, g.returnedBy)
		}
	}
	if a.opts.WithFiles {
		r.Files = row.Append(nil, g.files)
	}
	return r
}

// duration is the time from the trigger to the end.
func (g *member) duration() *string {
	if g.trigger.IsZero() || g.last.IsZero() || g.last.Before(g.trigger) {
		return nil
	}
	s := when.Length(g.last.Sub(g.trigger))
	return &s
}

// ref gives the keys of the session.
func (f *family) ref() row.Ref {
	path := f.path
	if path == "" && len(f.dirs) > 0 {
		path = f.dirs[0] + ".jsonl"
	}
	return row.Ref{SessionID: f.id, ParentSessionID: f.id, Transcript: path, Path: path}
}

func runRowOf(f *family, r *lane.Run) *runRow {
	out := &runRow{
		Kind: "run", Ref: f.ref(), RunID: r.ID, TaskID: scope.OrNull(r.TaskID), WorkflowName: scope.OrNull(r.Name), Status: scope.OrNull(r.Status),
		AgentCount: r.Agents, DurationMS: r.Duration, Tokens: r.Tokens, ToolCalls: r.Calls, DefaultModel: scope.OrNull(r.Model),
	}
	out.StartedUTC, out.StartedLocal = span(r.Started)
	return out
}
