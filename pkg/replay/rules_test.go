package replay

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// digest writes what is known on one line: ? is a line that is not, … an end that is not.
func digest(b *Buffer) string {
	n, seen := b.Seen()
	var all []string
	for k := 1; k <= n; k++ {
		s, ok := b.Known(k)
		if !ok {
			s = "?"
		}
		all = append(all, s)
	}
	switch yes, known := b.FinalNewline(); {
	case !seen:
		all = append(all, "…")
	case !known && b.Whole():
		all = append(all, "¶?")
	case yes:
		all = append(all, "¶")
	}
	return strings.Join(all, "|")
}

// told writes the boundaries, hard ones with a mark.
func told(r *Result) (all []string) {
	for _, b := range r.Boundaries {
		s := b.Cause
		if b.Hard {
			s += "!"
		}
		all = append(all, s)
	}
	return all
}

// counted writes the counters that are not zero.
func counted(r *Result) string {
	var all []string
	for _, c := range r.Counts() {
		if c.N > 0 {
			all = append(all, fmt.Sprintf("%s %d", c.Key, c.N))
		}
	}
	return strings.Join(all, ", ")
}

func at(events ...Event) []Event {
	for i := range events {
		events[i].At = Place{Line: i + 1, SourceLine: i + 1, Session: "s", OrderTurn: i / 2}
	}
	return events
}

func readOf(text string, start, count, total int) Event {
	return Event{Kind: Read, Text: text, HasText: true, Start: start, Count: count, Total: total}
}

func full(text string) Event {
	n := strings.Count(text, "\n") + 1
	return readOf(text, 1, n, n)
}

func writeOf(text string) Event { return Event{Kind: Write, Text: text, HasText: true} }

func editOf(old, new string, hunks ...Hunk) Event {
	return Event{Kind: Edit, Edits: []Replacement{{Old: old, New: new}}, Hunks: hunks}
}

func all(e Event) Event { e.Edits[0].All = true; return e }

func on(original string, e Event) Event { e.Original, e.HasOriginal = original, true; return e }

func hunkOf(start, new int, lines ...string) Hunk {
	h := Hunk{OldStart: start, NewStart: new, Lines: lines}
	for _, l := range lines {
		if l[0] == ' ' || l[0] == '-' {
			h.OldLines++
		}
		if l[0] == ' ' || l[0] == '+' {
			h.NewLines++
		}
	}
	return h
}

const noNewline = `\ No newline at end of file`

func cat(text string, start, count int) Event {
	return Event{Kind: ShellRead, Label: "bash-cat", Text: text, HasText: true, Start: start, Count: count}
}

func cutCat(text string) Event {
	e := cat(text, 1, 0)
	e.Cut = true
	return e
}

// blankAbove is an edit of line 2 of a file with a blank line 1.
var blankAbove = Event{Kind: Edit, Edits: []Replacement{{Old: "x", New: "X"}},
	Hunks: []Hunk{{OldStart: 1, OldLines: 3, NewStart: 1, NewLines: 3, Lines: []string{" ", "-x", "+X", " y"}}}}

func kind(k Kind) Event { return Event{Kind: k} }

func version(n int) Event { return Event{Kind: History, Version: n} }

func stored(n int, text string) Event {
	return Event{Kind: History, Version: n, Text: text, HasText: true}
}

var rules = []struct {
	name   string
	events []Event
	want   string
	told   []string
	counts string
}{
	// Reads.
	{"a full read, as Claude Code counts", at(full("a\nb\n")), "a|b|¶", nil, "read_full 1"},
	{"no final newline", at(full("a\nb")), "a|b", nil, "read_full 1"},
	{"a file that is one newline", at(full("\n")), "|¶", nil, "read_full 1"},
	{"an empty file", at(readOf("", 1, 0, 0)), "", nil, "read_full 1"},
	{"counted without the rest behind the newline", at(readOf("a\nb\n", 1, 2, 2)), "a|b|¶", nil, "read_full 1"},
	{"a window", at(readOf("b\nc", 2, 2, 5)), "?|b|c|?|?", nil, "read_windowed 1"},
	{"a window at the end", at(readOf("d\n", 4, 2, 5)), "?|?|?|d|¶", nil, "read_windowed 1"},
	{"windows that meet", at(readOf("a\nb", 1, 2, 4), readOf("c\n", 3, 2, 4)), "a|b|c|¶", nil, "read_windowed 2"},
	{"a window without a total", at(readOf("b", 2, 1, 0)), "?|b|…", nil, "read_windowed 1"},
	{"asked behind the end", at(readOf("", 50, 0, 3)), "?|?|?", nil, "read_windowed 1"},
	{"blanked", at(full("a\nb"), readOf("", 1, 2, 2), Event{Kind: Read}), "a|b", []string{"blanked_read", "blanked_read"}, "read_full 1, blanked_read 2"},
	{"counts that do not fit", at(readOf("a", 1, 3, 9)), "…", []string{"blanked_read"}, "blanked_read 1"},
	{"capped inside the file", at(Event{Kind: Read, HasText: true, Text: "a\nb", Start: 1, Count: 2, Total: 9, Cut: true}), "a|b|?|?|?|?|?|?|?", nil, "read_windowed 1"},
	{"capped in the last line", at(Event{Kind: Read, HasText: true, Text: "a\nbb\nc", Start: 1, Count: 3, Total: 3, Cut: true}), "a|bb|?", nil, "read_windowed 1"},
	{"capped in the only line", at(Event{Kind: Read, HasText: true, Text: "a", Start: 1, Count: 1, Total: 1, Cut: true}), "?", nil, "read_windowed 1"},
	{"a window that contradicts", at(full("a\nb\nc\n"), readOf("x", 2, 1, 4)), "?|x|?|?", []string{"external_write!"}, "read_full 1, read_windowed 1"},
	{"another length", at(full("a\nb\nc\n"), readOf("b", 2, 1, 9)), "?|b|?|?|?|?|?|?|?", []string{"external_write!"}, "read_full 1, read_windowed 1"},
	{"a window behind a command", at(full("a\nb\nc\n"), kind(Mutation), readOf("x", 2, 1, 4)), "?|x|?|?", []string{"bash_mutation"}, "read_full 1, read_windowed 1, bash 1"},
	{"read again, changed", at(full("a\nb"), full("x\n")), "x|¶", nil, "read_full 2"},

	// Writes, commands that state bytes, and what goes wrong.
	{"a write", at(full("x"), writeOf("a\r\nb\r\n")), "a\r|b\r|¶", nil, "read_full 1, write 1"},
	{"a read shows no carriage returns", at(writeOf("a\r\nb\r\n"), full("a\nb\n")), "a\r|b\r|¶", nil, "read_full 1, write 1"},
	{"but after a command it is believed", at(writeOf("a\r\nb"), kind(Mutation), full("a\nb")), "a|b", []string{"bash_mutation"}, "read_full 1, write 1, bash 1"},
	{"a here-document", at(Event{Kind: ShellWrite, Text: "a\n", HasText: true, Label: "bash-heredoc"}), "a|¶", nil, "bash_write_anchor 1"},
	{"appended", at(writeOf("a\n"), Event{Kind: ShellAppend, Text: "b\n", HasText: true}), "a|b|¶", nil, "write 1, bash_append 1"},
	{"appended to an empty file", at(writeOf(""), Event{Kind: ShellAppend, Text: "b", HasText: true}), "b", nil, "write 1, bash_append 1"},
	{"appended to a line", at(writeOf("a\nb"), Event{Kind: ShellAppend, Text: "c\n", HasText: true}), "a|…", []string{"bash_append_unplaced"}, "write 1"},
	{"appended to a window", at(readOf("a", 1, 1, 3), Event{Kind: ShellAppend, Text: "c\n", HasText: true}), "a|?|…", []string{"bash_append_unplaced"}, "read_windowed 1"},
	{"appended after a removal", at(writeOf("a\n"), kind(Mutation), Event{Kind: ShellAppend, Text: "c\n", HasText: true}), "a|…", []string{"bash_mutation", "bash_append_unplaced"}, "write 1, bash 1"},
	{"refused calls are counted", at(full("a\n"), Event{Kind: Failed, Note: "string_not_found"}, Event{Kind: Failed, Note: "not_read"}), "a|¶", nil, "read_full 1, not_read 1, string_not_found 1"},

	// What a command printed.
	{"cat", at(cat("a\nb", 1, 0)), "a|b|¶?", nil, "bash_read_anchor 1"},
	{"cat of what is known", at(full("\na\n\n"), cat("a", 1, 0)), "|a||¶", nil, "read_full 1, bash_read_anchor 1"},
	{"head", at(cat("a\nb", 1, 2)), "a|b|…", nil, "bash_read_anchor 1"},
	{"head of a short file", at(cat("a\nb", 1, 20)), "a|b|¶?", nil, "bash_read_anchor 1"},
	{"head that starts or ends in a blank line, or at the end", at(cat("a\nb", 1, 3)), "…", nil, "bash_read_unplaced 1"},
	{"head of a file whose first line is known", at(readOf("a", 1, 1, 0), cat("a\nb", 1, 3)), "a|b|…", nil, "read_windowed 1, bash_read_anchor 1"},
	{"head of a file whose first line is another", at(readOf("x", 1, 1, 0), cat("a\nb", 1, 3)), "…", []string{"external_write!"}, "read_windowed 1, bash_read_unplaced 1"},
	{"head that is short, and a window below it", at(cat("x", 1, 3), readOf("\nx\ny\nz", 2, 4, 5)), "?||x|y|z", nil, "read_windowed 1, bash_read_unplaced 1"},
	{"more was printed than is kept", at(cutCat("a\nb")), "…", nil, "bash_read_unplaced 1"},
	{"more was printed, from a known line on", at(readOf("a", 1, 1, 0), cutCat("a\nb")), "a|b|…", nil, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and a patch that shows a blank line above", at(cat("x\ny", 1, 0), blankAbove), "|X|y|¶?", nil, "edit 1, bash_read_anchor 1"},
	{"cat, and a window that shows a blank line above", at(cat("x\ny", 1, 0), readOf("\nx", 1, 2, 4)), "|x|y|¶?", nil, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and a window with the text lower down", at(cat("x\ny", 1, 0), readOf("x\ny\n", 3, 3, 5)), "?|?|x|y|¶", nil, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and a window that may stand at several places", at(cat("x\nx", 1, 0), readOf("x", 2, 1, 0)), "?|x|…", nil, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and a window with other text", at(cat("x\ny", 1, 0), readOf("z", 2, 1, 0)), "?|z|…", []string{"external_write!"}, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and only a length", at(cat("x\ny", 1, 0), readOf("", 50, 0, 4)), "x|y|¶?", nil, "read_windowed 1, bash_read_anchor 1"},
	{"cat of a file whose length is known, and appended", at(readOf("", 50, 0, 4), cat("x\ny", 1, 0), Event{Kind: ShellAppend, Text: "z", HasText: true}), "x|…", []string{"bash_append_unplaced"}, "read_windowed 1, bash_read_anchor 1"},
	{"cat, and an original with blank lines above", at(cat("x\ny", 1, 0), Event{Kind: Write, HasText: true, Text: "n", HasOriginal: true, Original: "\n\nx\ny\n"}), "n", nil, "write 1, bash_read_anchor 1"},
	{"sed", at(cat("b\nc", 2, 2)), "?|b|c|…", nil, "bash_read_anchor 1"},
	{"sed that may start with a blank line", at(cat("b\nc", 2, 3)), "…", nil, "bash_read_unplaced 1"},
	{"sed to the end", at(cat("b\nc", 2, 0)), "…", nil, "bash_read_unplaced 1"},
	{"sed to the known end", at(readOf("a", 1, 1, 3), cat("b\nc", 2, 0)), "a|b|c", nil, "read_windowed 1, bash_read_anchor 1"},
	{"more than asked", at(cat("a\nb", 1, 1)), "…", nil, "bash_read_unplaced 1"},
	{"blanks behind the last line are not printed", at(full("a\nb \t\nc\n"), cat("a\nb", 1, 2)), "a|b \t|c|¶", nil, "read_full 1, bash_read_anchor 1"},
	{"nor after a command", at(full("a\nb  "), kind(Mutation), cat("a\nb", 1, 0)), "a|b  ", []string{"bash_mutation"}, "read_full 1, bash 1, bash_read_anchor 1"},
	{"nor at the known end", at(readOf("a\nb\nc  ", 1, 3, 4), cat("b\nc", 2, 2)), "a|b|c  |?", nil, "read_windowed 1, bash_read_anchor 1"},
	{"but other text is", at(full("a\nb\nc\n"), cat("a\nb2", 1, 2)), "a|b2|…", []string{"external_write!"}, "read_full 1, bash_read_anchor 1"},
	{"nothing", at(cat("", 1, 0)), "…", nil, "bash_read_unplaced 1"},

	// Boundaries.
	{"a removal leaves the state before it", at(full("a\n"), Event{Kind: Mutation, Detail: "rm"}), "a|¶", []string{"bash_mutation"}, "read_full 1, bash 1"},
	{"modified since read", at(full("a\nb\nc\n"), kind(Rejected), readOf("x", 1, 1, 4)), "x|?|?|?", []string{"modified_since_read!"}, "read_full 1, read_windowed 1"},
	{"a hint", at(full("a\n"), kind(Hint)), "…", []string{"hint_modified!"}, "read_full 1, stale_hint 1"},
	{"an external edit", at(full("a\n"), kind(External)), "…", []string{"external_edit!"}, "read_full 1, external_edit 1"},
	{"a notebook", at(full("a\n"), kind(Notebook)), "…", []string{"notebook_edit!"}, "read_full 1, notebook_edit 1"},

	// File history.
	{"a rise without a write", at(full("a\n"), version(1), version(2)), "…", []string{"external_write!"}, "read_full 1, history_snapshot 2"},
	{"a rise with a write", at(full("a\n"), version(1), writeOf("b\n"), version(2)), "b|¶", nil, "read_full 1, write 1, history_snapshot 2"},
	{"a repeated entry", at(full("a\n"), version(1), writeOf("b\n"), version(1), version(2)), "b|¶", nil, "read_full 1, write 1, history_snapshot 3"},
	{"a new generation", at(full("a\n"), version(4), version(1)), "a|¶", nil, "read_full 1, history_snapshot 2"},
	{"a rise that is told of, and a look since", at(full("a\n"), version(1), kind(External), full("b\n"), version(2)), "b|¶", []string{"external_edit!"}, "read_full 2, external_edit 1, history_snapshot 2"},
	{"a rise that is told of, and none", at(full("a\n"), version(1), kind(Mutation), version(2)), "…", []string{"bash_mutation", "external_write!"}, "read_full 1, bash 1, history_snapshot 2"},
	{"a stored version that differs", at(full("a\n"), version(1), stored(2, "x\ny")), "x|y", []string{"external_write!"}, "read_full 1, history_snapshot 2, snapshot_rebase 1"},
	{"a stored version that agrees", at(readOf("a", 1, 1, 3), version(1), stored(2, "a\nb\n")), "a|b|¶", nil, "read_windowed 1, history_snapshot 2"},
}

func TestRules(t *testing.T) {
	for _, c := range rules {
		t.Run(c.name, func(t *testing.T) {
			r := Run(c.events, Options{Segments: true})
			if diff := cmp.Diff(c.want, digest(r.Buffer)); diff != "" {
				t.Error("known", diff)
			}
			if diff := cmp.Diff(c.told, told(r)); diff != "" {
				t.Error("boundaries", diff)
			}
			if diff := cmp.Diff(c.counts, counted(r)); diff != "" {
				t.Error("counts", diff)
			}
		})
	}
}

var edits = []struct {
	name   string
	events []Event
	want   string
	told   []string
	bad    int
}{
	{"a patch", at(full("a\nb\nc\n"), editOf("b", "x\ny", hunkOf(1, 1, " a", "-b", "+x", "+y", " c"))), "a|x|y|c|¶", nil, 0},
	{"one without context", at(full("L1\nL2\nL3"), editOf("L2", "L2 ok", hunkOf(2, 2, "-L2", "+L2 ok"))), "L1|L2 ok|L3", nil, 0},
	{"two hunks", at(full("a\nb\nc\nd\n"), all(editOf("x", "y", hunkOf(1, 1, "-a", "+a1", "+a2"), hunkOf(4, 5, "-d", "+d1")))), "a1|a2|b|c|d1|¶", nil, 0},
	{"many in one", at(full("a\nb\n"), Event{Kind: Edit, Edits: []Replacement{{"a", "x", false}, {"b", "y", false}}, Hunks: []Hunk{hunkOf(1, 1, "-a", "-b", "+x", "+y")}}), "x|y|¶", nil, 0},
	{"in a gap", at(readOf("a\nb", 1, 2, 9), editOf("f", "x\ny", hunkOf(6, 6, "-f", "+x", "+y"))), "a|b|?|?|?|?|?|?|?|?", nil, 1},
	{"in a gap above what is known", at(readOf("h", 8, 1, 9), editOf("b", "", hunkOf(2, 2, "-b"))), "?|?|?|?|?|?|h|?", nil, 1},
	{"half in a gap", at(readOf("a\nb", 1, 2, 9), editOf("c", "x", hunkOf(1, 1, " a", " b", "-c", "+x", " d"))), "a|b|x|d|?|?|?|?|?", nil, 0},
	{"it shows other lines", at(full("a\nb\nc\n"), editOf("b", "x", hunkOf(1, 1, " a", "-B", "+x", " c"))), "…", []string{"external_write!"}, 1},
	{"behind the end", at(full("a\n"), editOf("b", "x", hunkOf(7, 7, "-b", "+x"))), "…", []string{"external_write!"}, 1},
	{"the newline goes", at(full("a\nb\n"), editOf("b\n", "b", hunkOf(1, 1, " a", "-b", "+b", noNewline))), "a|b", nil, 0},
	{"the newline comes", at(full("a\nb"), editOf("b", "b\n", hunkOf(1, 1, " a", "-b", noNewline, "+b"))), "a|b|¶", nil, 0},
	{"no newline stays", at(full("a\nb"), editOf("b", "c", hunkOf(1, 1, " a", "-b", noNewline, "+c", noNewline))), "a|c", nil, 0},
	{"no newline, unmarked", at(full("a\nb"), editOf("a", "c", hunkOf(1, 1, "-a", "+c", " b"))), "c|b", nil, 0},
	{"no newline, unmarked, in the last line", at(full("a\nb"), editOf("b", "c", hunkOf(1, 1, " a", "-b", "+c"))), "a|c", nil, 0},
	{"the same without its strings", at(full("a\nb"), Event{Kind: Edit, Hunks: []Hunk{hunkOf(1, 1, " a", "-b", "+c")}}), "a|c|¶?", nil, 0},
	{"all of it goes", at(full("a"), editOf("a", "", hunkOf(1, 1, "-a", noNewline))), "", nil, 0},
	{"all of it goes, and its newline", at(full("a\n"), editOf("a", "", hunkOf(1, 1, "-a", noNewline))), "", nil, 0},
	{"all lines of it go", at(full("a\nb\n"), editOf("a\nb", "", hunkOf(1, 1, "-a", "-b", noNewline))), "", nil, 0},
	{"a window learns the end", at(readOf("a", 1, 1, 3), editOf("a", "x", hunkOf(1, 1, "-a", "+x", " b", " c", noNewline))), "x|b|c", nil, 0},
	{"CRLF", at(writeOf("a\r\nb\r\n"), editOf("b", "x\ny", hunkOf(1, 1, " a", "-b", "+x", "+y"))), "a\r|x\r|y\r|¶", nil, 0},

	// Tabs: a patch shows two spaces for each at a line's start.
	{"a tab kept", at(full("if x {\n\ty()\n}\n"), editOf("y()", "z()", hunkOf(1, 1, " if x {", "-  y()", "+  z()", " }"))), "if x {|\tz()|}|¶", nil, 0},
	{"a tab added", at(full("all:\n"), editOf("all:", "all:\n\tgo build", hunkOf(1, 1, " all:", "+  go build"))), "all:|\tgo build|¶", nil, 0},
	{"spaces added", at(full("all:\n"), editOf("all:", "all:\n  go build", hunkOf(1, 1, " all:", "+  go build"))), "all:|  go build|¶", nil, 0},
	{"a tab or spaces", at(full("all:\n"), Event{Kind: Edit, Hunks: []Hunk{hunkOf(1, 1, " all:", "+  go build")}}), "all:|?|¶", nil, 0},
	{"a patch with tabs", at(full("all:\n"), Event{Kind: Edit, Hunks: []Hunk{hunkOf(1, 1, " all:", "+\tgo", "+  build")}}), "all:|\tgo|  build|¶", nil, 0},
	{"only tabs change", at(full("\ta\n\tb\n"), editOf("\ta", "  a")), "  a|\tb|¶", nil, 0},
	{"lines that differ in tabs alone", at(full("  a\n\ta\nb\n"), editOf("\ta\n", "", hunkOf(1, 1, "-  a", "   a", " b"))), "  a|b|¶", nil, 0},

	// No patch.
	{"strings", at(full("a\nb\nc\n"), editOf("b\nc", "x")), "a|x|¶", nil, 0},
	{"strings, all", at(full("a b\nb\n"), all(editOf("b", "x\ny"))), "a x|y|x|y|¶", nil, 0},
	{"deleted with its newline", at(full("a\nb\nc\n"), editOf("b", "")), "a|c|¶", nil, 0},
	{"deleted inside a line", at(full("a\nb c\n"), editOf("b ", "")), "a|c|¶", nil, 0},
	{"not there", at(full("a\n"), editOf("b", "x")), "…", []string{"edit_unplaced!"}, 1},
	{"at two places", at(full("a\na\n"), editOf("a", "x")), "…", []string{"edit_unplaced!"}, 1},
	{"in a line not known", at(readOf("a", 1, 1, 3), editOf("b", "x")), "a|?|?", nil, 1},
	{"somewhere below", at(readOf("a\nb", 1, 2, 9), editOf("e", "x\ny")), "a|b|…", nil, 1},
	{"all, in known lines", at(readOf("a b\nb", 1, 2, 4), all(editOf("b", "x"))), "a x|x|?|?", nil, 0},
	{"all, and lines move", at(readOf("a b\nb", 1, 2, 4), all(editOf("b", "x\ny"))), "…", []string{"edit_unplaced!"}, 1},
	{"neither patch nor strings", at(full("a\n"), Event{Kind: Edit}), "…", []string{"edit_unplaced!"}, 1},
	{"a new file", at(editOf("", "a\nb\n", hunkOf(1, 1, "+a", "+b"))), "a|b|¶", nil, 0},
	{"a new file, and on", at(Event{Kind: Edit, Edits: []Replacement{{"", "a\nb\n", false}, {"b", "c", false}}}), "a|c|¶", nil, 0},

	// The original.
	{"the original confirms", at(full("a\nb\n"), kind(Mutation), on("a\nb\n", editOf("b", "c", hunkOf(1, 1, " a", "-b", "+c")))), "a|c|¶", []string{"bash_mutation"}, 0},
	{"the original disagrees", at(full("a\nb\nc\n"), kind(Mutation), on("a\nB\nc\n", editOf("c", "x", hunkOf(1, 1, " a", " B", "-c", "+x")))), "a|B|x|¶", []string{"bash_mutation", "original_file_disagreement"}, 0},
	{"the original is longer", at(full("a\nb\n"), on("a\nb\nc\n", editOf("a", "x", hunkOf(1, 1, "-a", "+x", " b", " c")))), "x|b|c|…", []string{"original_file_disagreement"}, 0},
	{"the original never fills", at(readOf("a", 1, 1, 3), on("a\nb\n", editOf("a", "x", hunkOf(1, 1, "-a", "+x")))), "x|?|?", nil, 0},
	{"a write's original", at(full("a\n"), on("b\n", writeOf("c\n"))), "c|¶", []string{"original_file_disagreement"}, 0},
	{"stale, but recovered", at(full("a\n"), Event{Kind: Edit, Stale: true, Edits: []Replacement{{Old: "a", New: "b"}}}), "b|¶", []string{"stale_recovered"}, 0},
}

func TestEdits(t *testing.T) {
	for _, c := range edits {
		t.Run(c.name, func(t *testing.T) {
			r := Run(c.events, Options{Segments: true})
			if diff := cmp.Diff(c.want, digest(r.Buffer)); diff != "" {
				t.Error("known", diff)
			}
			if diff := cmp.Diff(c.told, told(r)); diff != "" {
				t.Error("boundaries", diff)
			}
			if got := r.Count("edit_unanchorable"); got != c.bad {
				t.Errorf("%d unanchorable, want %d", got, c.bad)
			}
		})
	}
}

func TestHintOfItsOwnWrite(t *testing.T) {
	for _, swap := range []bool{false, true} {
		events := at(full("x\n"), kind(Hint), Event{Kind: ShellWrite, Text: "a\n", HasText: true})
		events[2].At = events[1].At
		if swap {
			events[1], events[2] = events[2], events[1]
		}
		r := Run(events, Options{})
		if digest(r.Buffer) != "a|¶" || len(r.Boundaries) > 0 || r.Count("stale_hint") != 1 {
			t.Errorf("%s %v", digest(r.Buffer), told(r))
		}
	}
}

// The first version inside a window is compared with the one before the window.
func TestHistoryAcrossAWindow(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []Event // the last two are in the window
		told   []string
	}{
		{"nothing wrote it", at(version(1), full("a\n"), version(2)), []string{"external_write!"}},
		{"written before the window", at(version(1), writeOf("a\n"), full("a\n"), version(2)), nil},
		{"told of before the window", at(version(1), kind(External), full("a\n"), full("a\n"), version(2)), nil},
		{"risen before the window", at(version(1), version(2), full("a\n"), version(2)), nil},
	} {
		first := len(c.events) - 1
		r := Run(c.events, Options{Keep: func(e *Event) bool { return e.At.Line >= first }})
		if diff := cmp.Diff(c.told, told(r)); diff != "" {
			t.Error(c.name, diff)
		}
	}
}

func TestCutoffs(t *testing.T) {
	events := at(full("0"), writeOf("1"), writeOf("2"), writeOf("3"), writeOf("4"))
	day := time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC)
	for i := range events {
		if i != 2 { // undated, goes with the one before it
			events[i].At.Time = day.Add(time.Duration(i) * time.Minute)
		}
	}
	when := func(minutes int) *time.Time { t := day.Add(time.Duration(minutes) * time.Minute); return &t }
	turn := func(n int) *int { return &n }
	for _, c := range []struct {
		cut  Cutoff
		want string
	}{
		{Cutoff{}, "4"}, {Cutoff{Line: 2}, "1"}, {Cutoff{Line: 99}, "4"}, {Cutoff{Time: when(1)}, "2"}, {Cutoff{Time: when(3)}, "3"},
		{Cutoff{Time: when(-1)}, "…"}, {Cutoff{Turn: turn(0)}, "1"}, {Cutoff{Turn: turn(1)}, "3"}, {Cutoff{Turn: turn(1), Line: 1}, "0"},
	} {
		r := Run(events, Options{Cutoff: c.cut})
		if got := digest(r.Buffer); got != c.want {
			t.Errorf("%+v: %s, want %s", c.cut, got, c.want)
		}
		// The events are numbered by what they write.
		if last := r.Last; last == nil && c.want != "…" || last != nil && fmt.Sprint(last.Line-1) != c.want || r.Shown != (last != nil) {
			t.Errorf("%+v: the last is %+v, shown %v", c.cut, last, r.Shown)
		}
	}
	r := Run(events, Options{Keep: InTurns(1, 1)})
	if digest(r.Buffer) != "3" || r.Excluded != 2 || r.Events != 2 {
		t.Errorf("turn 1: %s, %d left out of %d", digest(r.Buffer), r.Excluded, r.Events)
	}
	r = Run(events, Options{Keep: Between(when(0), when(1)), Cutoff: Cutoff{Line: 4}})
	if digest(r.Buffer) != "1" || r.Excluded != 2 {
		t.Errorf("two minutes: %s, %d left out", digest(r.Buffer), r.Excluded)
	}
	if r = Run(events, Options{Keep: Between(nil, nil)}); digest(r.Buffer) != "4" {
		t.Error("no bounds keep all")
	}
}

// InTurns keeps the events that stand in live turns lo to hi, abandoned ones by the turn that they follow.
func InTurns(lo, hi int) func(*Event) bool {
	return func(e *Event) bool { return lo <= e.At.OrderTurn && e.At.OrderTurn <= hi }
}

// Between keeps the events from since to until, both inclusive, nil for no bound. An undated event is in no bounded window.
func Between(since, until *time.Time) func(*Event) bool {
	return func(e *Event) bool {
		if since == nil && until == nil {
			return true
		}
		t := e.At.Time
		return !t.IsZero() && (since == nil || !t.Before(*since)) && (until == nil || !t.After(*until))
	}
}
