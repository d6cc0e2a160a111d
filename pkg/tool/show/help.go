package show

import "csift/pkg/cli"

const long = `show prints records of one transcript by their address: a physical line, a uuid, or a turn. search finds, show fetches: every address that csift prints is a target here (@ID:120, @ID:120..140, @ID:t4, @ID:t-3..), and equal to the longer @ID --line 120 or @ID --turn 4. Where several records share a line, text of search and show ends the address with the uuid of the one it means (@ID:120 --uuid UUID), and a pipe takes that one; typed, it is @ID --uuid UUID. Addresses of files, recover and plan name the line, and all records on it.

By line and by uuid a record is printed whole, one unit for each of its parts, whatever it is: a record that no label names is shown by its type and its keys (unmodeled). By turn, the records of the turn are printed as excerpts of 400 characters. Of a record that no label names, members named headers or data are never printed but by --raw, which gives the bytes of the lines; bookkeeping and what tools were given and gave back is printed as it stands.

A question, a plan or a server's dialog that still waits for its answer stands in no transcript; where a hook keeps an elicitation sidecar beside the session, show prints it by its uuid, without a line.

TARGET is @ID or the first characters of an id, @main, or a .jsonl file; it names exactly one transcript and brings no subagents along (a subagent's own transcript is @AGENT-ID). Addresses and rows may name several, printed in the order they come.

What the conversation went on without (a prompt that was taken back, with its answers; a draft) is printed like any record and says so; it belongs to no turn, and turns are counted without it. --branch-points lists where that happened: each record after which the conversation went more than one way, and what became of each way. A record above the place where the conversation can no longer be followed up is pre-cut; --cross-compactions says how many compactions the walk may cross.

What was named and is not there is an error and nothing is printed; ranges that are open or count from the end (7.., -3..) take what there is.`

const rows = `csift-search X | csift-show prints the records that were found. A session row names no record: give --line or --turn with csift-list | csift-show. Called as csift-show into a pipe, show prints rows: a header, one record row a unit, a summary whose refetch_remainder is the command that prints what the cap dropped.`

const exitStatus = `0  everything that was asked for was printed, or dropped by the cap and said so
1  a record, turn or transcript does not exist or could not be read, or a range cannot be read
2  the command line is wrong`

var examples = []cli.Example{
	{Command: "show @5d0c1f3e:90", Text: "the record on line 90, whole"},
	{Command: "show @5d0c1f3e --line 90..95,120", Text: "several lines"},
	{Command: "show @5d0c1f3e --turn -3..", Text: "the last three turns"},
	{Command: "show @main --turn -1", Text: "the turn that is running"},
	{Command: "show @5d0c1f3e:90 --raw", Text: "the line byte for byte"},
	{Command: "show @5d0c1f3e --branch-points", Text: "where prompts were taken back or sent again"},
}
