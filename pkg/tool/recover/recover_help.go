package recover

import "csift/pkg/cli"

const recoverLong = `recover builds a file again from what a transcript saw of it: reads, writes and edits by Claude Code's tools, and the few shell commands that state the bytes themselves (cat > F <<'EOF', cat F). It never guesses. A line is given back only when the transcript proves it, and a file only when every line of it is proven; else recover refuses, names what is covered and what is missing, and --salvage prints what there is.

What happened to the file outside these tools is told by what the transcript says about it. Where Claude Code found the file changed (modified_since_read), showed the change (external_edit), named it after a command (hint_modified) or kept a newer copy that no tool wrote (external_write), all that was known is void from there on: a hard boundary, ⚠. A shell command that names the file, or an edit whose original does not agree, is a soft one, ~: what is known stays known, and the answer says so. A change that leaves no trace cannot be seen: recover tells how many commands of the kind that rewrite files unnamed (formatters, package managers, scripts, git checkout) ran, and how to look at them.

--file takes the absolute path or a trailing part of it: app.py means any app.py, src/app.py one in a directory src. Where several files of that name were worked on, restoring needs more of the path. @plan is the plan file that the session is bound to. Rows of files on stdin name files and transcripts, and need no --file.

TARGET says where to look: @ID or the first characters of an id, @main (the calling session), a directory, a .jsonl file, @all; without one every project. A session brings its subagents along unless --no-subagents is given: what they did to the file is merged by time. Where several sessions worked on the file, restoring takes the one that wrote it last and says which; the other modes answer for each.

Without a mode the file itself is printed, byte for byte, with its line ends and the end of its last line as they were, and nothing else on stdout. What the transcript does not show of them is said on stderr: a Read shows CRLF as plain newlines, and what a command printed shows neither whether the last line ends in one nor blank lines at both ends. --out writes the file instead: whole or not at all, and over the file that is there. --at and --salvage print the known lines with their numbers, and gaps as ??? lines A..B unknown; with --out they write the file itself where all of it is known, else that list (--out - prints it). --patches prints a unified diff for each stretch, with every known line as context.

--at @line:N counts lines of the transcript; where a session and its subagents are merged, the lines of the merged history, which --patches and the boundaries name as line (source_line is the line of the record). --at @turn:N is the state when turn N of the session was over.

--turn, --since and --until replay only what happened then, and tell what they left out. What the conversation went on without (a rewound turn) was still done to the file, so it is replayed, and marked.

--files-from recovers every file of a list into --out-dir, as far as it is known, and writes recovery-report.tsv: status, known_lines, total_lines, boundaries, bash_file, bash_opaque, target, written_to. The status is complete, partial (gaps stand as ??? lines A..B unknown in the file), invalidated, no-history, ambiguous, failed (it could not be written), or skipped-exists, which --force overrules.

--list-backups lists the copies in the file-history directory of the Claude Code home, which are never mixed into a recovered file unless a transcript vouches for them.`

const recoverRows = `reads: rows of files (path and transcript of each), ids and addresses (the transcripts). ` +
	`prints: the file itself; with --format json header, restore, summary. --salvage and --at: header, snapshot..., summary; ` +
	`--patches: header, segment and boundary..., summary; --coverage: header, coverage..., summary; --list-backups: header, backup..., summary; ` +
	`--out-dir: header, restored..., summary. A boundary's line counts in the replayed history, source_line in the transcript of source_session_id`

const recoverExit = `0  the file was printed or written whole; every other mode: the question was answered
1  the file cannot be restored whole, a transcript could not be read, a target does not exist, or a time or a range cannot be read
2  the command line is wrong`

var recoverExamples = []cli.Example{
	{Command: "recover @5d0c1f3e --file src/app.py", Text: "the file as the session left it, to stdout"},
	{Command: "recover . --file src/app.py --out src/app.py", Text: "back into its place, from the session of this directory that wrote it last"},
	{Command: "recover . --file app.py --coverage", Text: "what each session knows of it"},
	{Command: "recover @5d0c1f3e --file app.py --salvage", Text: "every known line, and where the gaps are"},
	{Command: "recover @5d0c1f3e --file app.py --at @turn:3 --out - | diff - src/app.py", Text: "against what it was when turn 3 was over"},
	{Command: "recover @5d0c1f3e --file app.py --patches --since 2h", Text: "what happened to it in the last two hours"},
	{Command: "recover @main --file @plan", Text: "the plan of the calling session"},
	{Command: "files . --by file --format json | csift recover --out-dir /tmp/back", Text: "every file that the sessions of this directory worked on"},
	{Command: "recover @all --files-from list.txt --out-dir back", Text: "the files of a list, each from the session that wrote it last"},
	{Command: "recover @all --file /home/u/app/notes.md --list-backups", Text: "the copies that Claude Code kept of it"},
}
