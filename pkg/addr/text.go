package addr

import (
	"strconv"
	"strings"
)

// loneLen is how many hex digits a bare or commented prefix needs before a line of
// text is believed to be an address: the shortest ids Claude Code wrote have seven.
const loneLen = 7

// For returns the address of the transcript with that id and path: "@id", or
// "@path" when the id is none that Parse would read (a .jsonl file of any name).
func For(id, path string) string {
	if !IsID(id) && isAbsTranscript(path) {
		return "@" + path
	}
	return "@" + id
}

// Short returns the first n characters of a hex id, for an address that stays
// unique at that length. A named agent id and one that is no longer than n come
// back whole, as does everything when n is too short for a prefix.
func Short(id string, n int) string {
	if n < minPrefix || n >= len(id) || !IsUUID(id) && !allHex(id) {
		return id
	}
	return id[:n]
}

// Line returns the address of one physical line: Line("5d0c1f3e", 120) is
// "@5d0c1f3e:120". The id may carry its @ already.
func Line(id string, line int) string { return sigil(id) + ":" + strconv.Itoa(line) }

// Turn returns the address of one turn: Turn("5d0c1f3e", 4) is "@5d0c1f3e:t4".
func Turn(id string, turn int) string { return sigil(id) + ":t" + strconv.Itoa(turn) }

// Record returns the address of a record that stands on no line, by its uuid: Record("5d0c1f3e", "7c…") is
// "@5d0c1f3e --uuid 7c…", the words that show takes. ok is false for a uuid that is no plain word.
func Record(id, uuid string) (address string, ok bool) {
	if !plainWord(uuid) {
		return "", false
	}
	return sigil(id) + " " + uuidFlag + uuid, true
}

// Among returns the address of a record that shares its line with others: Among("5d0c1f3e", 3, "7c…") is
// "@5d0c1f3e:3 --uuid 7c…". A uuid that is no plain word stays away, and the address names all of the line.
func Among(id string, line int, uuid string) string {
	if !plainWord(uuid) {
		return Line(id, line)
	}
	return Line(id, line) + " " + uuidFlag + uuid
}

// CutUUID reads the uuid that follows an address of a transcript or of a line, rest being what LeadingAddress left; ""
// when there is none.
func CutUUID(rest string) string {
	after, ok := strings.CutPrefix(rest, uuidFlag)
	if !ok {
		return ""
	}
	if word, _, _ := strings.Cut(after, " "); plainWord(word) {
		return word
	}
	return ""
}

// Alone reports whether rest, what LeadingAddress left, is nothing but what belongs to the address: no row says so little.
func Alone(rest string) bool { return strings.TrimPrefix(rest, uuidFlag) == CutUUID(rest) }

const uuidFlag = "--uuid "

// plainWord reports whether a uuid can stand in a line of text and be read back.
func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '.', c == '-' && i > 0:
		default:
			return false
		}
	}
	return s != "" && len(s) <= 128
}

func sigil(id string) string {
	if strings.HasPrefix(id, "@") {
		return id
	}
	return "@" + id
}

// ParseID reads one word of a list of ids: a uuid, a prefix or an agent id, with or
// without its @.
func ParseID(word string) (Token, error) {
	id, _, _ := strings.Cut(word, ":")
	if IsID(id) {
		t, err := Parse("@" + word)
		t.Text = word
		return t, err
	}
	return Parse(word)
}

// LeadingAddress reads the address at the start of a text row: "@5d0c1f3e:90  ▸ …"
// gives the token, the text after it and true. A line that is nothing but an id or
// an address is one too, there without the @ as well. ok is false for every other
// line; a line whose first word only looks like an address is such a line.
func LeadingAddress(line string) (t Token, rest string, ok bool) {
	line = strings.TrimRight(line, " \t\r\n")
	if line == "" {
		return Token{}, "", false
	}
	if line[0] != '@' {
		id, _, _ := strings.Cut(line, ":")
		if !IsID(id) || len(id) < loneLen {
			return Token{}, "", false
		}
		t, err := ParseID(line)
		return t, "", err == nil
	}
	word, rest := cutAddress(line)
	t, err := Parse(word)
	if err != nil {
		return Token{}, "", false
	}
	if rest == "" {
		return t, "", true
	}
	// "@face it" is prose; a row that says more than its address has a longer id.
	if t.Kind == Session || t.Kind == Agent || t.Kind == JSONLPath || t.Kind == Prefix && len(t.ID) >= loneLen {
		return t, rest, true
	}
	return Token{}, "", false
}

// Several reads a line of two or more words that are all addresses or ids with their @, as `echo` writes a list. It gives
// none for every other line.
func Several(line string) []Token {
	line = strings.TrimRight(line, " \t\r\n")
	if line == "" || line[0] != '@' {
		return nil
	}
	word, rest := cutAddress(line)
	if rest == "" || rest[0] != '@' {
		return nil
	}
	var out []Token
	for {
		t, err := Parse(word)
		if err != nil {
			return nil
		}
		out = append(out, t)
		if rest == "" {
			return out
		}
		if rest[0] != '@' {
			return nil
		}
		word, rest = cutAddress(rest)
	}
}

// cutAddress splits a line after its first word, or after the path and range of
// an address made of a path, which may hold blanks.
func cutAddress(line string) (word, rest string) {
	from := 0
	if s := line[1:]; strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\\`) || len(s) > 2 && s[1] == ':' {
		for i := 0; ; {
			j := strings.Index(line[i:], ext)
			if j < 0 {
				break
			}
			i += j + len(ext)
			if i == len(line) || line[i] == ':' || line[i] == ' ' || line[i] == '\t' {
				from = i
				break
			}
		}
	}
	if i := strings.IndexAny(line[from:], " \t"); i >= 0 {
		return line[:from+i], strings.TrimLeft(line[from+i:], " \t")
	}
	return line, ""
}
