package recover

import "csift/pkg/cli"

const filesLong = `files tells what sessions did to files: every Write, Edit, MultiEdit and NotebookEdit, what the words of Bash commands say that they write, move and remove, and changes of Claude Code's own settings files that no call made. Each transcript has a heading of its own, subagents included.

TARGET says where to look: @ID or the first characters of an id, @main (the calling session), a directory (. is its sessions), a directory name under projects/, a .jsonl file, @all, or an address that csift printed. An address of a record (@ID:120) or of a turn (@ID:t4) narrows the answer to what that record or turn did; a change is asked for by its call or by the result of it. Without a TARGET every project is looked at, unless a pipe brings rows. A session brings its subagents along unless --no-subagents is given.

--by chooses the detail. summary has one row for a part of the tree (the first four components of the directory), dir one for a directory, file one for a file, timeline one for each change in order of time. Without --by the answer is the summary with the files of each part below it, in text as long as there are not more than 50. --regex and --glob keep files by their path, --turn, --since and --until keep what was done then; all of them count before anything is rolled up.

What a tool did is certain: a call whose result is an error is left out, and is_create says that the result speaks of a new file. What a Bash command did is read from its words, without running it, and such rows say heuristic. A relative name is joined to the directory that the record carries (cwd-joined) or that a cd in the command names (cd-tracked); a name with a variable, a glob or a ~ is kept as it was typed (unresolved). A command that changes files without naming them is a class instead of a path: git:checkout, fmt:prettier, interp:python, pkg:npm, extract:tar. A command that failed keeps its rows and says so, for what it did before it failed is not known. Where the result of a command names the files that it changed (bashEditDiff, Claude Code 2.1.269 and later), those rows are certain. PowerShell commands are not read.

An Edit-before-Read boundary is an edit that Claude Code turned down because the file had changed since the model read it ("File has been modified since read"). It means that something else wrote to the file.

A change on a branch that the conversation went on without is kept and marked: it was done to the disk all the same. --turn counts it to the turn that it stands in. A record that Claude Code wrote twice is told once.

external_write is a change of .claude/settings.json or .claude/settings.local.json that shows in the file history and that no call of the session made.`

const filesRows = `Called as csift-recover into a pipe, files prints rows: a header, for each transcript its bucket, dir, file or mutation rows and its boundary rows, a summary. path is the file or what it is rolled up by, transcript is where it was read. Rows and addresses on stdin say where to look: rows of csift-list and csift-agents stand for their transcripts, hits of csift-search for their records (csift-search X | csift-recover files), an exchange without hits for its turn, rows of files --by file for those files. csift-recover files . | csift-recover recover --salvage recovers the files that the rows name; in text those rows end with the file, so text does as well. A pipe on stdin is read where no TARGET is given; - says so outright; @all never reads stdin.`

const filesExit = `0  the transcripts were read, whether or not they changed files
1  a transcript could not be read, a target or an address does not exist, or --regex, --glob, --turn or a time cannot be read
2  the command line is wrong`

var filesExamples = []cli.Example{
	{Command: "files", Text: "which parts of the disk the sessions of every project changed"},
	{Command: "files . --by file", Text: "each file that the sessions of this directory changed"},
	{Command: "files @5d0c1f3e --by timeline --turn -3..", Text: "every change of the last three turns, one after the other"},
	{Command: "files @all --glob '**/go.mod' --since 2d --by timeline", Text: "who touched a go.mod in the last two days"},
	{Command: "files @main --regex '_test\\.go$' --by file", Text: "test files that the calling session changed"},
	{Command: "files . --by file --format json", Text: "rows, for jq or for recover"},
	{Command: "files @5d0c1f3e:t4 --by timeline", Text: "what turn 4 changed"},
}
