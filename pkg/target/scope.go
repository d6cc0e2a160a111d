package target

import "fmt"

// Scope is the part of a header that every verb over several transcripts carries. It
// is meant to be embedded behind kind and command.
type Scope struct {
	Sessions         int `json:"sessions_in_scope"`
	TopLevel         int `json:"top_level_sessions"`
	Subagents        int `json:"subagent_sessions"`
	Duplicates       int `json:"duplicate_transcripts"`
	DuplicateRecords int `json:"duplicate_records_dropped"`
	Divergent        int `json:"divergent_transcripts"`
	Unreadable       int `json:"unreadable_transcripts"`
}

// Scope counts what is in the set.
func (s *Set) Scope() Scope {
	return Scope{
		Sessions: s.TopLevel + s.Subagent, TopLevel: s.TopLevel, Subagents: s.Subagent,
		Duplicates: s.Duplicates, DuplicateRecords: s.DuplicateRecordsDropped,
		Divergent: s.Divergent, Unreadable: s.UnreadableCopies,
	}
}

// Banner is the first line of a text answer over the set, with its line end; "" when
// no subagents are in it.
func (s *Set) Banner() string {
	if s.Subagent == 0 {
		return ""
	}
	return fmt.Sprintf("scope  %s in scope (%d top-level + %d subagent)\n", plural(s.TopLevel+s.Subagent, "session"), s.TopLevel, s.Subagent)
}

// CopiesLine is the text line beside the banner that says what became of copies, with
// its line end; "" when there are none.
func (s *Set) CopiesLine() string {
	line := ""
	add := func(n int, format string, a ...any) {
		if n == 0 {
			return
		}
		if line != "" {
			line += " · "
		}
		line += fmt.Sprintf(format, a...)
	}
	add(s.Duplicates, "%s merged (%s)", plural(s.Duplicates, "duplicate"), plural(s.DuplicateRecordsDropped, "record"))
	add(s.Divergent, "%s with other content elsewhere", plural(s.Divergent, "transcript"))
	add(s.UnreadableCopies, "%s unreadable", plural(s.UnreadableCopies, "copy"))
	if line == "" {
		return ""
	}
	return "copies  " + line + "\n"
}
