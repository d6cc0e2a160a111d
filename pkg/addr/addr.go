// Package addr is the grammar of targets: the words a person types, a row carries
// or a line of text starts with to name sessions, subagents, projects, and lines
// or turns of them. It parses and prints and nothing else: it never looks at the
// file system, so a Token says what was named, not that it exists.
//
// The one invariant: a word that starts with @ either parses or is an error. It is
// never taken for a path, so a mistyped id cannot widen into something else.
package addr

import (
	"fmt"
	"strings"
)

// Kind says what sort of thing a Token names.
type Kind uint8

// The kinds of token. The zero Kind belongs to no parsed token.
const (
	// Session is @<uuid>: one top-level session. ID is the uuid.
	Session Kind = iota + 1
	// Prefix is @<4 to 11 hex> or @<beginning of a uuid past its first dash>. ID is
	// the prefix. It ranges over sessions and subagents alike.
	Prefix
	// Agent is @<agent-id>: a subagent. ID is the agent id.
	Agent
	// Teammate is @<Name>@<Team>. ID is "Name@Team".
	Teammate
	// Main is @main, the calling session.
	Main
	// Trap is @trap:<marker>, the calling lane. ID is the marker.
	Trap
	// Project is @<encoded project directory>. ID is the directory name.
	Project
	// All is @all: every project.
	All
	// Stdin is "-".
	Stdin
	// EncodedDir is an encoded project directory without the sigil. ID is its name.
	// When it does not start with a dash (C--Users-x) and no such directory exists,
	// it is a path.
	EncodedDir
	// JSONLPath is a path that ends in .jsonl. ID is the path.
	JSONLPath
	// Path is any other path. ID is the path.
	Path
)

// Token is one parsed target word.
type Token struct {
	Kind  Kind
	Text  string // the word as typed
	ID    string // what it names, without sigil and range; "" for Main, All, Stdin
	Range Range  // lines or turns of it; NoRange for the whole
}

// Grammar says in one line what may follow an @.
const Grammar = "@<uuid>, @<4 to 11 leading hex digits of an id>, @<agent-id>, @<Name>@<Team>, @main, @trap:<marker>, " +
	"@all or @<encoded project directory>; the ones that name a transcript take :LINES (:120, :120..140) or :tTURNS (:t7, :t-3..)"

// ext is what the path of a transcript ends in.
const ext = ".jsonl"

// Parse reads one target word. Every error quotes the word.
func Parse(word string) (Token, error) {
	t := Token{Text: word}
	switch {
	case word == "":
		return t, fmt.Errorf("an empty target names nothing; for the current directory write .")
	case word == "-":
		t.Kind = Stdin
		return t, nil
	case word[0] == '@':
		return parseSigil(t, word[1:])
	case strings.HasPrefix(word, "--"):
		return t, fmt.Errorf("target %q looks like a flag; a project directory that starts with two dashes is written @%s", word, word)
	case IsEncodedDir(word):
		t.Kind, t.ID = EncodedDir, word
		return t, nil
	}
	if s, ok := Suggest(word); ok {
		id, _, _ := strings.Cut(word, ":")
		return t, fmt.Errorf("target %q is an id without its sigil; write %s (a file or directory of that name is written ./%s)", word, s, id)
	}
	return parsePath(t, word)
}

// Suggest returns the @ form that a word without a sigil was probably meant as:
// a whole uuid or agent id, with or without a range.
func Suggest(word string) (string, bool) {
	id, spec, ranged := strings.Cut(word, ":")
	if !IsUUID(id) && !IsAgentID(id) {
		return "", false
	}
	if ranged {
		if _, err := ParseRange(spec); err != nil {
			return "", false
		}
	}
	return "@" + word, true
}

// parsePath reads a path. Only a .jsonl file takes a range, so that neither a
// drive letter's colon nor one in a directory name is taken for an address.
func parsePath(t Token, word string) (Token, error) {
	t.Kind, t.ID = Path, word
	if strings.HasSuffix(word, ext) {
		t.Kind = JSONLPath
		return t, nil
	}
	cut := strings.LastIndexByte(word, ':')
	if cut < 0 || !strings.HasSuffix(word[:cut], ext) {
		return t, nil
	}
	r, err := ParseRange(word[cut+1:])
	if err != nil {
		return t, fmt.Errorf("target %q: %w", word, err)
	}
	t.Kind, t.ID, t.Range = JSONLPath, word[:cut], r
	return t, nil
}

// parseSigil reads what follows the @.
func parseSigil(t Token, s string) (Token, error) {
	if isAbsTranscript(s) {
		p, err := parsePath(t, s)
		if err == nil && p.Kind != JSONLPath {
			err = fmt.Errorf("target %q is no address; an address is %s", t.Text, Grammar)
		}
		return p, err
	}
	if marker, ok := strings.CutPrefix(s, "trap:"); ok {
		marker, spec, ranged := strings.Cut(marker, ":")
		if err := CheckMarker(marker); err != nil {
			return t, err
		}
		t.Kind, t.ID = Trap, marker
		return withRange(t, spec, ranged)
	}
	id, spec, ranged := strings.Cut(s, ":")
	switch {
	case id == "main":
		t.Kind = Main
		return withRange(t, spec, ranged)
	case id == "all":
		t.Kind = All
	case IsUUID(id):
		t.Kind, t.ID = Session, id
	case IsPrefix(id):
		t.Kind, t.ID = Prefix, id
	case IsAgentID(id):
		t.Kind, t.ID = Agent, id
	case isRouting(id):
		t.Kind, t.ID = Teammate, id
	case IsEncodedDir(id):
		t.Kind, t.ID = Project, id
	case allHex(id):
		return t, fmt.Errorf("target %q is too short for the beginning of an id: that takes 4 to 11 hex digits", t.Text)
	default:
		return t, fmt.Errorf("target %q is no address; an address is %s", t.Text, Grammar)
	}
	return withRange(t, spec, ranged)
}

func withRange(t Token, spec string, ranged bool) (Token, error) {
	if !ranged {
		return t, nil
	}
	if t.Kind == All || t.Kind == Project {
		return t, fmt.Errorf("target %q: lines and turns belong to one transcript; name it by its id", t.Text)
	}
	r, err := ParseRange(spec)
	if err != nil {
		return t, fmt.Errorf("target %q: %w", t.Text, err)
	}
	t.Range = r
	return t, nil
}

// isAbsTranscript reports whether s is the absolute path of a .jsonl file, perhaps
// with a range: the address of a transcript whose name is no id.
func isAbsTranscript(s string) bool {
	if i := strings.LastIndex(s, ext); i < 0 || i+len(ext) < len(s) && s[i+len(ext)] != ':' {
		return false
	}
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\\`) ||
		len(s) > 2 && isLetter(s[0]) && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// String spells t so that Parse reads back a Token equal in all but Text.
func (t Token) String() string {
	s := ""
	switch t.Kind {
	case Session, Prefix, Agent, Teammate, Project:
		s = "@" + t.ID
	case Main:
		s = "@main"
	case Trap:
		s = "@trap:" + t.ID
	case All:
		s = "@all"
	case Stdin:
		s = "-"
	case EncodedDir, JSONLPath, Path:
		s = t.ID
	}
	if t.Range.Kind != NoRange {
		s += ":" + t.Range.String()
	}
	return s
}

// Pins reports whether t names particular transcripts by id or file, so that
// naming none is an error rather than an empty answer.
func (t Token) Pins() bool {
	switch t.Kind {
	case Session, Prefix, Agent, Teammate, Main, Trap, JSONLPath:
		return true
	}
	return false
}

// Is reports whether id is exactly the id that t spells. Hex ids are compared
// without regard to case.
func (t Token) Is(id string) bool {
	switch t.Kind {
	case Session, Prefix:
		return strings.EqualFold(t.ID, id)
	case Agent:
		return t.ID == id || allHex(t.ID) && strings.EqualFold(t.ID, id)
	}
	return false
}

// Begins reports whether id begins with what t spells: a Prefix without dashes is
// compared to id without its dashes, every other spelling as it stands.
func (t Token) Begins(id string) bool {
	switch t.Kind {
	case Prefix, Session, Agent:
	default:
		return false
	}
	if t.Kind == Prefix && len(t.ID) > 8 && !strings.Contains(t.ID, "-") && IsUUID(id) {
		id = id[:8] + id[9:13] + id[14:]
	}
	return len(id) >= len(t.ID) && strings.EqualFold(id[:len(t.ID)], t.ID)
}
