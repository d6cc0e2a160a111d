package section

// EdgeKind is what one record is to another that it answers for: one of 27 words.
type EdgeKind string

// The relations.
const (
	EdgeParent     EdgeKind = "parent"
	EdgeResultOf   EdgeKind = "result_of"
	EdgeSupersedes EdgeKind = "supersedes"
	EdgeContinues  EdgeKind = "continues"
	EdgeReplays    EdgeKind = "replays"
	EdgeBranches   EdgeKind = "branches"

	EdgePairs     EdgeKind = "pairs"
	EdgePrecedes  EdgeKind = "precedes"
	EdgePreserves EdgeKind = "preserves"
	EdgeRepairs   EdgeKind = "repairs"
	EdgeReports   EdgeKind = "reports"

	EdgeLeaf        EdgeKind = "leaf"
	EdgeVersions    EdgeKind = "versions"
	EdgeForkedFrom  EdgeKind = "forked_from"
	EdgeContinuedIn EdgeKind = "continued_in"

	EdgeRefused EdgeKind = "refused"
	EdgeWraps   EdgeKind = "wraps"
	EdgeArmedBy EdgeKind = "armed_by"
	EdgeBanner  EdgeKind = "banner"

	EdgeRedoes     EdgeKind = "redoes"
	EdgeBlocked    EdgeKind = "blocked"
	EdgeFires      EdgeKind = "fires"
	EdgeAttachedTo EdgeKind = "attached_to"
	EdgeForToolUse EdgeKind = "for_tool_use"
	EdgeRepliesTo  EdgeKind = "replies_to"

	EdgeInterrupted EdgeKind = "interrupted"
	EdgeHookRun     EdgeKind = "hook_run"
)

// Basis is how a relation is known.
type Basis string

// The bases. ByInference is for relations that are worked out rather than read; none is so far.
const (
	ByKey       Basis = "key"      // the record names the other one
	ByPosition  Basis = "position" // it stands where the other one was the last, by a link or by its place
	ByInference Basis = "inferred"
)

// EdgeInfo is one row of the table of relations.
type EdgeInfo struct {
	Kind  EdgeKind
	Basis []Basis // what it may rest on; none: the record says that there is one, and not which
	Text  bool    // it is edgeTold in text as well; the others repeat what the unit shows anyway
	From  string  // whose relation it is
	To    string  // what it leads to, and by which key
}

var edgeKinds = [...]EdgeInfo{
	{EdgeParent, by(ByPosition), false, "any record", "the record that parentUuid names; left out where another relation names the same one"},
	{EdgeResultOf, by(ByKey), false, "a tool result", "the call that tool_use_id names"},
	{EdgeSupersedes, by(ByPosition), false, "an abandoned prompt that nobody answered", "the prompt sent in its place"},
	{EdgeContinues, by(ByPosition), false, "a rewound prompt", "the prompt that the conversation went on with"},
	{EdgeReplays, by(ByKey), false, "a replay copy", "the line that carries the same uuid last"},
	{EdgeBranches, by(ByPosition), false, "an abandoned record", "the topmost record of its branch"},

	{EdgePairs, by(ByKey, ByPosition), true, "a compaction boundary; a compaction summary", "the summary that preservedSegment.anchorUuid names, else the next one; the summary's boundary"},
	{EdgePrecedes, by(ByKey), true, "a compaction boundary", "the record that logicalParentUuid names, where the conversation stood"},
	{EdgePreserves, by(ByKey), true, "a compaction boundary", "each record that preservedMessages.uuids or preservedSegment keeps"},
	{EdgeRepairs, by(ByPosition), true, "a paired resume placeholder", "the resume prompt that it answers, its parent"},
	{EdgeReports, by(ByKey), true, "a task notification", "the call that tool-use-id names, else the one that started the task-id"},

	{EdgeLeaf, by(ByKey), true, "a last-prompt or summary line", "the record that leafUuid names"},
	{EdgeVersions, by(ByKey), true, "a file-history line", "the record that messageId names"},
	{EdgeForkedFrom, by(ByKey), true, "a fork-context-ref line", "the record that parentLastUuid names, in the session parentSessionId"},
	{EdgeContinuedIn, by(ByKey), true, "a continued-in line", "the session continuedInSessionId"},

	{EdgeRefused, by(ByKey), true, "a refusal", "the prompt that refusedUserMessageUuid names"},
	{EdgeWraps, by(ByPosition), true, "a local command", "its parent"},
	{EdgeArmedBy, nil, true, "a scheduled task that fired", ""},
	{EdgeBanner, nil, true, "a reply served by a fallback model", ""},

	{EdgeRedoes, by(ByPosition), true, "a nudge that makes the model go on", "the reply it is about, its parent"},
	{EdgeBlocked, by(ByPosition), true, "the feedback of a hook", "the reply it is about, its parent"},
	{EdgeFires, by(ByKey, ByPosition), true, "the prompt of a scheduled task", "the event that scheduledFireId names, else its parent"},
	{EdgeAttachedTo, by(ByPosition), true, "an attachment; any other text the harness wrote in the person's place", "its parent"},
	{EdgeForToolUse, by(ByKey), true, "an attachment; a text that a call brought in", "the call that toolUseID or sourceToolUseID names"},
	{EdgeRepliesTo, nil, true, "a message that the coordinator or a peer relayed", ""},

	{EdgeInterrupted, by(ByKey), true, "an interruption", "the last record of the reply that interruptedMessageId names"},
	{EdgeHookRun, by(ByKey), true, "a stop-hook summary; an attachment of a hook that is about no call", "the run of the hooks, by its id"},
}

func by(b ...Basis) []Basis { return b }

// EdgeKinds gives the table of relations in its order.
func EdgeKinds() []EdgeInfo { return edgeKinds[:] }

var edgeTold = func() map[EdgeKind]bool {
	m := map[EdgeKind]bool{}
	for _, k := range edgeKinds {
		m[k.Kind] = k.Text
	}
	return m
}()

// Told reports whether text tells the relation.
func (k EdgeKind) Told() bool { return edgeTold[k] }

// Why an edge leads nowhere.
const (
	whyArmed       = "its taskId stands in a tool result, under no uuid"
	whyBanner      = "the banner hangs below the reply and is named nowhere"
	whyCoordinator = "its origin names the coordinator and no message"
	whyPeer        = "its origin names the sender and no message"
)
