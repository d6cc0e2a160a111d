package search

import (
	"strings"

	"csift/pkg/cli"
	"csift/pkg/section"
)

// words lists the relations that text tells, or those that only rows carry.
func words(text bool) string {
	var out []string
	for _, k := range section.EdgeKinds() {
		if k.Text == text {
			out = append(out, string(k.Kind))
		}
	}
	return strings.Join(out, ", ")
}

var long = `search reads the transcripts that Claude Code writes and prints every turn in which a record matches PATTERN, oldest first, with the matching records in it. Matching is on the text as it is shown: prompts on one line, replies and thinking as written, tool calls as their name and their input in compact JSON, tool results as their text. Nothing is ranked and nothing is indexed.

PATTERN is a regular expression of the RE2 kind (no look-around, no back-references); \d, \w, \s and \b know all of Unicode. Without a capital letter it ignores case. An empty PATTERN ('') matches everything that the filters let through. A PATTERN that begins with @ or - is written \@ or \-, or put after --.

TARGET says where to look: @ID or the first characters of an id, @main (the calling session), a directory (. is its sessions), a directory name under projects/, a .jsonl file, @all, or an address that csift printed (@ID:120, @ID:120..140, @ID:t4). Without a TARGET every project is searched, unless a pipe brings rows. A session brings its subagents along unless --no-subagents is given.

Labels say who a record is from: user.message, user.answer, user.rejection, agent.message.plain, agent.thinking.*, agent.tool.use, agent.tool.result, agent.communication.*, harness.notification.*, harness.compaction.*, harness.command.*, harness.interrupt.* and more. A bare role or category reaches what the model was shown and the conversation kept; with .* it reaches all of it.

What the client writes for itself is left unread, since it would bury what was said: titles, modes, costs, snapshots (harness.bookkeeping.*), prompts in the queue (user.queued), hook output (harness.hook.*), files, listings and reminders (harness.context.*), turn and error records (harness.turn.*, harness.system.*). A -t that names such a label reads it, --attachments reads all that the client attached. Where PATTERN stands nowhere else, search says where it stands and how to reach it.

What the conversation went on without is found and marked. A prompt that was sent again before an answer came is a draft (user.unsent), one that was taken back with its answers a rewound turn (user.rewound); each is an exchange of its own without a turn number, and says how far it is from what was sent. A record above the place where the conversation can no longer be followed up is pre-cut; --cross-compactions says how many compactions the walk may cross.

Two things stand beside a transcript. A question, a plan or a server's dialog that waits for its answer is found where a hook keeps an elicitation sidecar beside the session: a call without a result, in the turn that was under way. An output that was too long for the transcript is only pointed at from it; --resolve-persisted reads the file (up to 64 MiB for a result), also where the transcript was brought here from another machine with the files beside it.

Every record says what it is for. [root L90 +2] is the opener of its turn and how many parent links away it is; [for: reports L95] is another record it answers for, and by which word: ` + words(true) + `. Rows carry these in for_root and for, which has ` + words(false) + ` as well. --for ADDR asks the other way round: it keeps the records that answer for the one at ADDR, for one of those, and so on; the link to a parent counts within a turn only. It takes an address (@ID:120), the uuid of a record, or a line where one session is in scope. --count-by for-kind counts records by word.

Nothing is left out silently: lines that are no whole record are counted, damage that contains PATTERN is named with the command that prints it, and what a limit drops is said.`

const rows = `Called as csift-search into a pipe, search prints rows: a header, one exchange a turn (its hits carry session_id, transcript, line and uuid), a summary. Rows and addresses on stdin narrow the search: csift-list @all | csift-search X searches those transcripts, csift-search X | csift-search Y those records, csift-search X | csift-show shows them. A pipe on stdin is read where no TARGET is given; - says so outright; @all never reads stdin. -c, -l, --raw and --count-by print the bare payload; -c, -l and --count-by give rows with --format json.`

const exitStatus = `0  the search was done, whether or not anything matched
1  a transcript could not be read, a target or the record of --for does not exist, PATTERN is no regular expression, or --turn or a time cannot be read
2  the command line is wrong`

var examples = []cli.Example{
	{Command: "search carry .", Text: "turns of this directory's sessions in which anything says carry"},
	{Command: "search 'panic: .*nil' @all -t agent.tool.result", Text: "tool results of every project"},
	{Command: "search '' @5d0c1f3e -t user --turn -3..", Text: "what the person said in the last three turns"},
	{Command: "search -F 'a[0]' . --since 2d -c", Text: "how many turns of the last two days hold the plain text a[0]"},
	{Command: "search TODO . --siblings --max-count -5", Text: "the latest five turns, with the records around the hits"},
	{Command: "search '' --for @5d0c1f3e:120", Text: "what answers the record on line 120, reports on it, or follows from it"},
	{Command: "search '' @main --count-by tool", Text: "which tools the calling session used"},
	{Command: "search '' . -t user.unsent -t user.rewound", Text: "what was typed and taken back"},
	{Command: "search 'exit status 2' @main --resolve-persisted", Text: "also in outputs that were too long for the transcript"},
	{Command: "search 'rm -rf' @all -l", Text: "which sessions ran it"},
}
