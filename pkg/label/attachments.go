package label

import "slices"

// payload is what is known of one attachment payload type.
type payload struct {
	leaf  Leaf
	never bool // the client's converter returns nothing for it: the model never sees it
}

// payloads maps attachment.type. The leafless ones at the end are types of Claude
// Code 2.1.332 that are never converted; every other type that is missing here is
// leafless and converted.
var payloads = func() map[string]payload {
	m := map[string]payload{}
	put := func(l Leaf, never bool, types ...string) {
		for _, t := range types {
			m[t] = payload{l, never}
		}
	}
	const converts, never = false, true
	put(HarnessHookContext, converts, "hook_additional_context")
	put(AgentMessageStructured, never, "structured_output")
	put(HarnessHookOutcome, converts, "hook_success", "hook_blocking_error", "hook_stopped_continuation", "async_hook_response")
	put(HarnessHookOutcome, never, "hook_cancelled", "hook_error_during_execution", "hook_non_blocking_error",
		"hook_system_message", "hook_permission_decision", "hook_deferred_tool")
	put(HarnessContextPrompt, converts, "queued_command", "agent_mention", "ultrathink_effort", "workflow_keyword_request")
	put(HarnessContextReminder, converts, "critical_system_reminder", "token_usage", "total_tokens_reminder",
		"output_token_usage", "budget_usd", "date_change", "tool_search_usage_reminder", "context_efficiency")
	put(HarnessContextReminder, never, "context_tip")
	put(HarnessContextListing, converts, "deferred_tools_delta", "agent_listing_delta", "mcp_instructions_delta", "skill_listing")
	put(HarnessContextListing, never, "command_permissions")
	put(HarnessContextFile, converts, "file", "directory", "edited_text_file", "compact_file_reference", "pdf_reference",
		"plan_file_reference", "nested_memory", "mcp_resource", "memory_update", "relevant_memories")
	put(HarnessContextFile, never, "already_read_file", "edited_image_file")
	put(HarnessContextMode, converts, "plan_mode", "plan_mode_exit", "plan_mode_reentry", "auto_mode", "auto_mode_exit",
		"output_style", "ultra_effort_enter", "ultra_effort_exit")
	put(HarnessContextIde, converts, "selected_lines_in_ide", "selected_lines_in_diff", "opened_file_in_ide", "diagnostics")
	put(HarnessContextTask, converts, "todo_reminder", "task_reminder", "task_status", "teammate_mailbox", "team_context")
	put(HarnessContextTask, never, "goal_status", "max_turns_reached", "teammate_shutdown_batch")
	// dynamic_skill was not converted at 2.1.197 and is at 2.1.332.
	put(HarnessContextSkill, converts, "invoked_skills", "dynamic_skill")
	put(None, never, "withheld_memory", "goals", "project_doc_reads", "message_pdf_reads", "whole_texts_withdrawn",
		"prompt_snapshot", "prompt_render_point", "thinking_stripped", "advisor_stripped", "thinking_drop", "tool_results_cut",
		"credential_org", "tool_offer_record", "deferred_tools_record", "tool_host_result_lines", "async_hook_response_batch",
		"batching_reminder_sent", "secondary_reminder_sent", "progress_reminder_sent", "prompt_as_file", "session_cron_carry",
		"projects_thread_ask")
	return m
}()

// AttachmentType returns the leaf of an attachment by its payload type, and whether
// the client never shows such a payload to the model. Two types need more than
// their name: hook_additional_context that starts with a csift-channel envelope is
// AgentCommunicationChannel before it is HarnessHookContext, and queued_command of
// origin human is UserMessage. A type that no leaf names gives None.
func AttachmentType(typ string) (l Leaf, never bool) {
	p := payloads[typ]
	return p.leaf, p.never
}

// AttachmentDelivered reports whether the model received an attachment of that
// payload type: never for types the client does not convert, and for hook_success
// only when the record carries a top-level rendered.
func AttachmentDelivered(typ string, rendered bool) bool {
	if typ == "hook_success" {
		return rendered
	}
	return !payloads[typ].never
}

// AttachmentTypes returns the payload types of l.
func AttachmentTypes(l Leaf) []string {
	var types []string
	for t, p := range payloads {
		if p.leaf == l && l != None {
			types = append(types, t)
		}
	}
	slices.Sort(types)
	return types
}
