package label

// The leaves, in the order of the taxonomy. The zero Leaf is None: a shape that no
// leaf names.
const (
	None                                 Leaf = iota
	UserMessage                               // user.message
	UserAnswer                                // user.answer
	UserRejection                             // user.rejection
	UserUnsent                                // user.unsent
	UserRewound                               // user.rewound
	UserQueued                                // user.queued
	AgentMessagePlain                         // agent.message.plain
	AgentMessageStructured                    // agent.message.structured
	AgentThinkingSummary                      // agent.thinking.summary
	AgentThinkingNarration                    // agent.thinking.narration
	AgentThinkingOmitted                      // agent.thinking.omitted
	AgentThinkingRedacted                     // agent.thinking.redacted
	AgentToolUse                              // agent.tool.use
	AgentToolResult                           // agent.tool.result
	AgentCommunicationInbox                   // agent.communication.inbox
	AgentCommunicationSent                    // agent.communication.sent
	AgentCommunicationSignal                  // agent.communication.signal
	AgentCommunicationChannel                 // agent.communication.channel
	HarnessNotificationWorkflow               // harness.notification.workflow
	HarnessNotificationMonitor                // harness.notification.monitor
	HarnessNotificationSubagent               // harness.notification.subagent
	HarnessNotificationBackgroundCommand      // harness.notification.background-command
	HarnessNotificationTask                   // harness.notification.task
	HarnessCompactionSummary                  // harness.compaction.summary
	HarnessCompactionBoundary                 // harness.compaction.boundary
	HarnessCommandInvocation                  // harness.command.invocation
	HarnessCommandStdout                      // harness.command.stdout
	HarnessCommandCaveat                      // harness.command.caveat
	HarnessInterruptUser                      // harness.interrupt.user
	HarnessInterruptTool                      // harness.interrupt.tool
	HarnessScheduleWakeup                     // harness.schedule.wakeup
	HarnessScheduleEvent                      // harness.schedule.event
	HarnessScheduleFire                       // harness.schedule.fire
	HarnessScheduleTick                       // harness.schedule.tick
	HarnessResumePrompt                       // harness.resume.prompt
	HarnessResumePlaceholder                  // harness.resume.placeholder
	HarnessHookContext                        // harness.hook.context
	HarnessHookOutcome                        // harness.hook.outcome
	HarnessHookFeedback                       // harness.hook.feedback
	HarnessContextReminder                    // harness.context.reminder
	HarnessContextListing                     // harness.context.listing
	HarnessContextPrompt                      // harness.context.prompt
	HarnessContextFile                        // harness.context.file
	HarnessContextMode                        // harness.context.mode
	HarnessContextIde                         // harness.context.ide
	HarnessContextTask                        // harness.context.task
	HarnessContextImage                       // harness.context.image
	HarnessContextSkill                       // harness.context.skill
	HarnessEnforceStructuredOutput            // harness.enforce.structured-output
	HarnessEnforceBrief                       // harness.enforce.brief
	HarnessEnforceHandback                    // harness.enforce.handback
	HarnessEnforceRetry                       // harness.enforce.retry
	HarnessTurnDuration                       // harness.turn.duration
	HarnessTurnStopHooks                      // harness.turn.stop-hooks
	HarnessTurnRecap                          // harness.turn.recap
	HarnessSystemRefusal                      // harness.system.refusal
	HarnessSystemApiError                     // harness.system.api-error
	HarnessSystemNotice                       // harness.system.notice
	HarnessSystemKill                         // harness.system.kill
	HarnessSystemCommand                      // harness.system.command
	HarnessBookkeepingLastPrompt              // harness.bookkeeping.last-prompt
	HarnessBookkeepingMode                    // harness.bookkeeping.mode
	HarnessBookkeepingName                    // harness.bookkeeping.name
	HarnessBookkeepingAtis                    // harness.bookkeeping.atis
	HarnessBookkeepingBridge                  // harness.bookkeeping.bridge
	HarnessBookkeepingSuppression             // harness.bookkeeping.suppression
	HarnessBookkeepingPrLink                  // harness.bookkeeping.pr-link
	HarnessBookkeepingArtifact                // harness.bookkeeping.artifact
	HarnessBookkeepingFileHistory             // harness.bookkeeping.file-history
	HarnessBookkeepingCost                    // harness.bookkeeping.cost
	HarnessBookkeepingFork                    // harness.bookkeeping.fork
	HarnessBookkeepingContinued               // harness.bookkeeping.continued
	HarnessBookkeepingQueue                   // harness.bookkeeping.queue

	count // one more than the last leaf
)

// leafInfo is one row of the table of leaves.
type leafInfo struct {
	name    string
	visible bool
	gate    Gate
	shape   string
}

// visible and hidden name the visible column of the table.
const (
	visible = true
	hidden  = false
)

// leaves is the taxonomy: each leaf, whether the model receives such a record as a
// rule, what makes a scan read its lines, and the shape on disk it stands for.
var leaves = [count]leafInfo{
	UserMessage:                          {"user.message", visible, GateDefault, "what a person typed; a slash command with its arguments; a queued_command attachment of origin human"},
	UserAnswer:                           {"user.answer", visible, GateDefault, "a tool result that carries the person's answers to AskUserQuestion"},
	UserRejection:                        {"user.rejection", visible, GateDefault, "an error tool result that carries the words a person typed when refusing a tool"},
	UserUnsent:                           {"user.unsent", hidden, GateDefault, "a turn opener off the chain that nothing answered"},
	UserRewound:                          {"user.rewound", hidden, GateDefault, "a turn opener off the chain that was answered"},
	UserQueued:                           {"user.queued", hidden, GateSelector, "a queue-operation line whose content is the person's"},
	AgentMessagePlain:                    {"agent.message.plain", visible, GateDefault, "a text block of an assistant record"},
	AgentMessageStructured:               {"agent.message.structured", visible, GateNeedle, "a structured_output attachment"},
	AgentThinkingSummary:                 {"agent.thinking.summary", visible, GateDefault, "a thinking block with text"},
	AgentThinkingNarration:               {"agent.thinking.narration", visible, GateDefault, "a thinking block whose signature says narration"},
	AgentThinkingOmitted:                 {"agent.thinking.omitted", hidden, GateDefault, "a signed thinking block without text"},
	AgentThinkingRedacted:                {"agent.thinking.redacted", hidden, GateDefault, "a redacted_thinking block"},
	AgentToolUse:                         {"agent.tool.use", visible, GateDefault, "a tool_use block; a pending elicitation marker"},
	AgentToolResult:                      {"agent.tool.result", visible, GateDefault, "a tool_result block"},
	AgentCommunicationInbox:              {"agent.communication.inbox", visible, GateDefault, "a message of a peer or of the coordinator; a pulse with a result; what a subagent returned; the prompt that opens a subagent, the task of a workflow's"},
	AgentCommunicationSent:               {"agent.communication.sent", visible, GateDefault, "a tool_use of SendMessage, or one that spawns: Task, Agent, Workflow"},
	AgentCommunicationSignal:             {"agent.communication.signal", visible, GateDefault, "a control payload of a teammate, in either direction"},
	AgentCommunicationChannel:            {"agent.communication.channel", visible, GateNeedle, "a hook_additional_context attachment that starts with [csift-channel v1"},
	HarnessNotificationWorkflow:          {"harness.notification.workflow", visible, GateDefault, "a task notification about a workflow"},
	HarnessNotificationMonitor:           {"harness.notification.monitor", visible, GateDefault, "a task notification about a monitor or a schedule"},
	HarnessNotificationSubagent:          {"harness.notification.subagent", visible, GateDefault, "a task notification about an agent; the notice that agents were stopped"},
	HarnessNotificationBackgroundCommand: {"harness.notification.background-command", visible, GateDefault, "a task notification about a background command"},
	HarnessNotificationTask:              {"harness.notification.task", visible, GateDefault, "any other task notification"},
	HarnessCompactionSummary:             {"harness.compaction.summary", visible, GateDefault, "a user record with isCompactSummary"},
	HarnessCompactionBoundary:            {"harness.compaction.boundary", hidden, GateDefault, "a system record compact_boundary"},
	HarnessCommandInvocation:             {"harness.command.invocation", visible, GateDefault, "the wrapper of a slash command"},
	HarnessCommandStdout:                 {"harness.command.stdout", visible, GateDefault, "user text that starts with <local-command-stdout>, <bash-stdout> or <bash-stderr>"},
	HarnessCommandCaveat:                 {"harness.command.caveat", visible, GateDefault, "isMeta text that starts with <local-command-caveat>"},
	HarnessInterruptUser:                 {"harness.interrupt.user", visible, GateDefault, "[Request interrupted by user]"},
	HarnessInterruptTool:                 {"harness.interrupt.tool", visible, GateDefault, "[Request interrupted by user for tool use]"},
	HarnessScheduleWakeup:                {"harness.schedule.wakeup", visible, GateDefault, "isMeta text of a loop that woke itself"},
	HarnessScheduleEvent:                 {"harness.schedule.event", hidden, GateSelector, "a system record scheduled_task_fire"},
	HarnessScheduleFire:                  {"harness.schedule.fire", visible, GateDefault, "an isMeta user record whose parent is a scheduled_task_fire record"},
	HarnessScheduleTick:                  {"harness.schedule.tick", visible, GateDefault, "isMeta text of a loop's tick"},
	HarnessResumePrompt:                  {"harness.resume.prompt", visible, GateDefault, "isMeta text that starts with Continue from where you left off."},
	HarnessResumePlaceholder:             {"harness.resume.placeholder", visible, GateDefault, "an assistant record of the model <synthetic> that says No response requested."},
	HarnessHookContext:                   {"harness.hook.context", visible, GateAttachment, "a hook_additional_context attachment"},
	HarnessHookOutcome:                   {"harness.hook.outcome", hidden, GateAttachment, "an attachment with the outcome of a hook: hook_success, hook_blocking_error and the like"},
	HarnessHookFeedback:                  {"harness.hook.feedback", visible, GateDefault, "isMeta text that starts with the name of a hook and hook feedback:"},
	HarnessContextReminder:               {"harness.context.reminder", visible, GateAttachment, "an attachment that reminds: token_usage, date_change and the like"},
	HarnessContextListing:                {"harness.context.listing", visible, GateAttachment, "an attachment that lists: skill_listing, deferred_tools_delta and the like"},
	HarnessContextPrompt:                 {"harness.context.prompt", visible, GateAttachment, "an attachment that prompts: a queued_command that is not the person's, agent_mention and the like"},
	HarnessContextFile:                   {"harness.context.file", visible, GateAttachment, "an attachment with a file: file, edited_text_file, nested_memory and the like"},
	HarnessContextMode:                   {"harness.context.mode", visible, GateAttachment, "an attachment about a mode: plan_mode, auto_mode, output_style and the like"},
	HarnessContextIde:                    {"harness.context.ide", visible, GateAttachment, "an attachment of the editor: selected_lines_in_ide, diagnostics and the like"},
	HarnessContextTask:                   {"harness.context.task", visible, GateAttachment, "an attachment about tasks: task_reminder, task_status and the like"},
	HarnessContextImage:                  {"harness.context.image", visible, GateDefault, "an isMeta user record of images alone; isMeta text that starts with [Image: source: or [Image: original"},
	HarnessContextSkill:                  {"harness.context.skill", visible, GateDefault, "isMeta text that starts with Base directory for this skill:; the attachments invoked_skills and dynamic_skill"},
	HarnessEnforceStructuredOutput:       {"harness.enforce.structured-output", visible, GateDefault, "isMeta text that starts with [structured-output-enforce]"},
	HarnessEnforceBrief:                  {"harness.enforce.brief", visible, GateDefault, "isMeta text that starts with You ended the turn without calling SendUserMessage."},
	HarnessEnforceHandback:               {"harness.enforce.handback", visible, GateDefault, "isMeta text that starts with [handback-send-enforce]"},
	HarnessEnforceRetry:                  {"harness.enforce.retry", visible, GateDefault, "one of nine isMeta messages that make the model go on"},
	HarnessTurnDuration:                  {"harness.turn.duration", hidden, GateSelector, "a system record turn_duration"},
	HarnessTurnStopHooks:                 {"harness.turn.stop-hooks", hidden, GateSelector, "a system record stop_hook_summary"},
	HarnessTurnRecap:                     {"harness.turn.recap", hidden, GateSelector, "a system record away_summary"},
	HarnessSystemRefusal:                 {"harness.system.refusal", hidden, GateSelector, "a system record model_refusal_fallback or model_refusal_no_fallback"},
	HarnessSystemApiError:                {"harness.system.api-error", hidden, GateSelector, "a system record api_error"},
	HarnessSystemNotice:                  {"harness.system.notice", hidden, GateSelector, "a system record informational"},
	HarnessSystemKill:                    {"harness.system.kill", hidden, GateSelector, "a system record agents_killed"},
	HarnessSystemCommand:                 {"harness.system.command", visible, GateSelector, "a system record local_command"},
	HarnessBookkeepingLastPrompt:         {"harness.bookkeeping.last-prompt", hidden, GateSelector, "a last-prompt line"},
	HarnessBookkeepingMode:               {"harness.bookkeeping.mode", hidden, GateSelector, "a mode or permission-mode line"},
	HarnessBookkeepingName:               {"harness.bookkeeping.name", hidden, GateSelector, "an ai-title, agent-name, custom-title or summary line"},
	HarnessBookkeepingAtis:               {"harness.bookkeeping.atis", hidden, GateSelector, "an atis-latch line"},
	HarnessBookkeepingBridge:             {"harness.bookkeeping.bridge", hidden, GateSelector, "a bridge-session line"},
	HarnessBookkeepingSuppression:        {"harness.bookkeeping.suppression", hidden, GateSelector, "a history-suppression line"},
	HarnessBookkeepingPrLink:             {"harness.bookkeeping.pr-link", hidden, GateSelector, "a pr-link line"},
	HarnessBookkeepingArtifact:           {"harness.bookkeeping.artifact", hidden, GateSelector, "a frame-link, artifact-comment-monitor or artifact-autoreact-ledger line"},
	HarnessBookkeepingFileHistory:        {"harness.bookkeeping.file-history", hidden, GateSelector, "a file-history-snapshot or file-history-delta line"},
	HarnessBookkeepingCost:               {"harness.bookkeeping.cost", hidden, GateSelector, "a cost-state line"},
	HarnessBookkeepingFork:               {"harness.bookkeeping.fork", hidden, GateSelector, "a fork-context-ref line"},
	HarnessBookkeepingContinued:          {"harness.bookkeeping.continued", hidden, GateSelector, "a continued-in line"},
	HarnessBookkeepingQueue:              {"harness.bookkeeping.queue", hidden, GateSelector, "a queue-operation line that is not the person's text"},
}
