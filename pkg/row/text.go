package row

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"csift/pkg/addr"
)

// readText reads a text answer of csift, or a list of addresses, one a line or several. A last line without its line end
// was cut: an address that lost its end would name another record.
func (s *Source) readText(in *lines, first []byte) error {
	opening := append([]byte(nil), first...)
	heading := -1 // index in Items of a heading that no hit has followed yet
	for line := first; line != nil; {
		switch t, rest, ok := leading(line); {
		case in.torn && s.Form == TextForm && !isUUID(line):
			s.cut(line, heading)
		case s.addSeveral(line, rest, false):
			s.Form, heading = TextForm, -1
		case ok && in.torn && !addr.Alone(rest):
			s.cut(line, heading)
		case ok:
			s.Form = TextForm
			s.Rows++
			heading = s.addToken(t, rest, heading)
		case isBanner(line):
			s.Form = TextForm
		case s.Form == NoForm:
			return strange(opening)
		case line[0] == '{':
			s.bad(in, line)
		case line[0] != ' ' && line[0] != '\t':
			s.passed++
		}
		var err error
		if line, err = in.nextFilled(); err != nil {
			return err
		}
	}
	return nil
}

// cut notes that the last line is cut. It is not taken, and neither is a heading of which it may be the first hit.
func (s *Source) cut(line []byte, heading int) {
	s.Form, s.Torn = TextForm, true
	if heading >= 0 && line[0] != ' ' && line[0] != '\t' {
		s.Items = s.Items[:heading]
	}
}

// isUUID knows a whole session id, as -l and other programs write them: nothing of it can be missing.
func isUUID(line []byte) bool { return addr.IsUUID(string(bytes.TrimRight(line, " \t"))) }

// addSeveral adds the addresses of a line that holds several and nothing else, rest being what follows the first of them;
// of a list, the transcripts that they are in.
func (s *Source) addSeveral(line []byte, rest string, list bool) bool {
	if line[0] != '@' {
		return false
	}
	i := bytes.IndexAny(line, " \t")
	if i < 0 || !strings.HasPrefix(rest, "@") && !bytes.HasPrefix(bytes.TrimLeft(line[i:], " \t"), []byte{'@'}) {
		return false // most rows
	}
	all := addr.Several(string(line))
	for _, t := range all {
		if list {
			t.Range = addr.Range{}
		}
		s.Items = append(s.Items, Item{Token: t, ID: t.ID, Range: t.Range})
	}
	if len(all) > 0 {
		s.Rows++
	}
	return len(all) > 0
}

// leading reads the address at column 0. Very long lines are bodies, not worth a copy.
func leading(line []byte) (addr.Token, string, bool) {
	if line[0] == ' ' || line[0] == '\t' || line[0] == '{' {
		return addr.Token{}, "", false
	}
	const most = 8 << 10
	return addr.LeadingAddress(string(line[:min(len(line), most)]))
}

// addToken adds what an address line names. The first hit line below a heading
// takes the heading's place.
func (s *Source) addToken(t addr.Token, rest string, heading int) int {
	it := Item{Token: t, ID: t.ID, Range: t.Range}
	switch {
	case t.Range.Kind == addr.NoRange:
		it.UUID = addr.CutUUID(rest)
	case t.Range.Kind == addr.LineRange && t.Range.Spec.Single() && t.Range.Spec.Explicit():
		if it.UUID = addr.CutUUID(rest); it.UUID != "" {
			it.Line, _, _ = t.Range.Spec.Resolve(math.MaxInt)
		}
	}
	if i := strings.LastIndex(rest, FileMark); i >= 0 {
		it.Path = fileIn(rest[i+len(FileMark):])
	}
	heads := headsUnit(rest)
	if heading >= 0 && !heads && (t.Range.Kind == addr.LineRange || it.UUID != "" || it.Path != "") && s.Items[heading].ID == t.ID {
		s.Items = s.Items[:heading]
	}
	s.Items = append(s.Items, it)
	if t.Range.Kind == addr.TurnRange && t.Range.Spec.Single() && rest != "" || heads {
		return len(s.Items) - 1
	}
	return -1
}

// Words behind the address that heads what a conversation went on without. Such a unit has no turn number, so its heading
// carries the address of the record that starts it, and like that of a turn it stands for the hits below it.
const (
	DraftWord     = "·draft"
	RewoundWord   = "·rewound turn"
	AbandonedWord = "·abandoned"
)

// FilesWord behind an address heads what a transcript did to files, and stands for the rows below it that have an address.
const FilesWord = "·files"

// FileMark stands before the file that a row is about, which ends the line. Excerpts have no two blanks in a row.
const FileMark = "  ·file "

// FileText gives the end of a text row that is about a file: FileMark and the path. A path that would not be read back as
// it is (control characters, blanks at an end, a mark of its own) is quoted as Go quotes strings.
func FileText(path string) string {
	switch {
	case strings.Contains(path, FileMark):
		return FileMark + strconv.QuoteToASCII(path)
	case !plainPath(path):
		return FileMark + strconv.Quote(path)
	}
	return FileMark + path
}

func plainPath(path string) bool {
	if path == "" || path[0] == '"' || strings.TrimSpace(path) != path || !utf8.ValidString(path) {
		return false
	}
	return !strings.ContainsFunc(path, func(r rune) bool { return !strconv.IsPrint(r) })
}

// fileIn reads what FileText wrote behind the mark.
func fileIn(s string) string {
	if path, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return path
	}
	return s
}

func headsUnit(rest string) bool {
	for _, word := range [...]string{DraftWord, RewoundWord, AbandonedWord, FilesWord} {
		if after, ok := strings.CutPrefix(rest, word); ok && (after == "" || after[0] == ' ') {
			return true
		}
	}
	return false
}

// isBanner knows the lines that a text answer puts around its rows when it is not
// written into a pipe, so that a saved answer can be read back. It takes no words that
// only begin like them: an input of them alone is an empty answer, which is believed.
func isBanner(line []byte) bool {
	switch string(bytes.TrimPrefix(line, []byte("  "))) {
	case NoExchanges, NoSessions, NoRecords, NoAgents, NoForks, NoHistory, NoBackups, NoChanges, NoTranscripts, NoFiles, NoPlans, NoBinders, NoPlanEdits,
		NoCaller, UntoldCaller:
		return true
	}
	if isAgentsHeading(line) {
		return true
	}
	for _, b := range banners {
		if bytes.HasPrefix(line, b.word) {
			return b.line().Match(line)
		}
	}
	return false
}

// What a text answer says when it has no rows. Into a pipe it stands indented, since what starts at column 0 there is an
// address; a reader takes it for an empty answer, as it takes a header without rows.
const (
	NoExchanges = "no matching exchanges"
	NoSessions  = "no sessions"
	NoRecords   = "no records"
	NoForks     = "no branch points"
	NoAgents    = "no subagents found"
	NoHistory   = "no record of the file"
	NoBackups   = "no backups found"
	NoChanges   = "no file mutations found"

	NoTranscripts = "no transcripts in scope"
	NoFiles       = "no file was recovered"
	NoPlans       = "no plan file is bound"
	NoBinders     = "no session is bound to the plan file"
	NoPlanEdits   = "no plan file was changed with Write, Edit, MultiEdit or NotebookEdit; edits by Bash commands are not looked at"
	NoCaller      = "lane     none: Claude Code did not start this program, so it has no session, no lane and no hooks"
	UntoldCaller  = "lane     not known: Claude Code started this program (CLAUDECODE=1), but this build does not tell its session"
)

// Words of recover for a file that it has no bytes of. Its line names no transcript and is indented.
const (
	NoHistoryWord = "no-history"
	AmbiguousWord = "ambiguous"
)

// AgentsHeading gives the line over the subagents of a session, which is no row: they are what the answer names.
func AgentsHeading(session string, runs, agents int) string {
	return fmt.Sprintf("%s%s  runs %d · agents %d", agentsWord, session, runs, agents)
}

const agentsWord = "SESSION "

// isAgentsHeading knows what AgentsHeading wrote, whatever stands behind it.
func isAgentsHeading(line []byte) bool {
	if !bytes.HasPrefix(line, []byte(agentsWord)) {
		return false
	}
	id, rest, _ := strings.Cut(string(line[len(agentsWord):]), "  ")
	var runs, agents int
	n, _ := fmt.Sscanf(rest, "runs %d · agents %d", &runs, &agents)
	return n == 2 && !strings.Contains(id, " ")
}

// banners are the lines around rows, each by the word it begins with: what target.Set.Banner and CopiesLine write, the
// lines above and below the answer of a search, and what recover has no bytes of.
var banners = [...]struct {
	word []byte
	line func() *regexp.Regexp
}{
	{[]byte("scope  "), pattern(`^scope  \d+ sessions? in scope \(\d+ top-level \+ \d+ subagent\)$`)},
	{[]byte("copies  "), pattern(`^copies  ` + copies + `( · ` + copies + `)*$`)},
	{[]byte("matches  "), pattern(`^matches  ` + exchanges + ` · oldest first($| · )`)},
	{[]byte("matched "), pattern(`^matched ` + exchanges + ` · label=.`)},
	{[]byte("  " + NoHistoryWord + "  "), pattern(`  \S`)},
	{[]byte("  " + AmbiguousWord + "  "), pattern(`  \S`)},
}

const (
	copies    = `(\d+ duplicates? merged \(\d+ records?\)|\d+ transcripts? with other content elsewhere|(1 copy|\d+ copies) unreadable)`
	exchanges = `\d+ exchanges? · \d+ sessions?`
)

// pattern compiles when it is first asked for.
func pattern(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// readList reads words that are ids. Once a line has turned out to be a row of a text
// answer, indented lines are its body, and a last line without its end was cut.
func (s *Source) readList(in *lines, first []byte) error {
	s.Form = TextForm
	answer := false
	for line := first; line != nil; {
		indented := line[0] == ' ' || line[0] == '\t'
		switch {
		case answer && in.torn:
			s.Torn = true
		case answer && indented, isBanner(line):
		case s.addIDs(line):
		default:
			t, rest, ok := leading(line)
			if s.addSeveral(line, rest, true) {
				break
			}
			if !ok {
				return strange(line)
			}
			if answer = true; in.torn && !addr.Alone(rest) {
				s.Torn = true
				break
			}
			t.Range = addr.Range{}
			s.Rows++
			s.Items = append(s.Items, Item{Token: t, ID: t.ID})
		}
		var err error
		if line, err = in.nextFilled(); err != nil {
			return err
		}
	}
	return nil
}

// addIDs adds the words of line if every one of them is an id. Among several, one with
// a range is the address of a row ("@5d0c1f3e:t4  2026").
func (s *Source) addIDs(line []byte) bool {
	var items []Item
	words := bytes.Fields(line)
	for _, w := range words {
		t, err := addr.ParseID(string(w))
		if err != nil || !t.Pins() || len(words) > 1 && t.Range.Kind != addr.NoRange {
			return false
		}
		items = append(items, Item{Token: t, ID: t.ID, Range: t.Range})
	}
	s.Rows++
	s.Items = append(s.Items, items...)
	return true
}
