package section

import (
	"unsafe"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// Space is where the values of units are kept that are made one after the other and soon printed: a search describes
// tens of thousands, and one by one their small values are most of what it allocates. It serves one goroutine. A nil
// Space is right for the others: each value is kept by itself.
type Space struct {
	bytes   []byte // of the texts
	words   []string
	numbers []int
	edges   []Edge

	opener     transcript.Loc // of the last root, in the transcript openerIn
	openerIn   *transcript.Structure
	openerUUID *string

	record recordFacts // of the last record
}

// maxSpace is how many bytes of texts, and how many words, a Space keeps room for.
const maxSpace = 1 << 20

// Reset takes back all that was given: units that were described since the last Reset must not be looked at any more.
func (m *Space) Reset() {
	if cap(m.bytes) > maxSpace || cap(m.words) > maxSpace/16 {
		*m = Space{}
	}
	m.bytes, m.words, m.numbers, m.edges = m.bytes[:0], m.words[:0], m.numbers[:0], m.edges[:0]
	m.openerIn, m.record.st = nil, nil
}

// word keeps a string.
func (m *Space) word(s string) *string {
	if m == nil {
		return ptr(s)
	}
	m.words = append(m.words, s)
	return &m.words[len(m.words)-1]
}

// number keeps a number.
func (m *Space) number(n int) *int {
	if m == nil {
		return ptr(n)
	}
	m.numbers = append(m.numbers, n)
	return &m.numbers[len(m.numbers)-1]
}

// text keeps the decoded text of a string of a record, nil for nil.
func (m *Space) text(s record.Str) *string {
	if s == nil {
		return nil
	}
	if m == nil {
		return ptr(s.String())
	}
	n := len(m.bytes)
	m.bytes = s.Append(m.bytes)
	return m.word(m.since(n))
}

// since gives the text that was appended to m.bytes from n on. Nothing changes it before the next Reset.
func (m *Space) since(n int) string {
	return unsafe.String(unsafe.SliceData(m.bytes[n:]), len(m.bytes)-n)
}

// Text keeps a copy of a text.
func (m *Space) Text(b []byte) string {
	if m == nil {
		return string(b)
	}
	n := len(m.bytes)
	m.bytes = append(m.bytes, b...)
	return m.since(n)
}

// Keep is Text where a row has a pointer.
func (m *Space) Keep(b []byte) *string { return m.word(m.Text(b)) }

// labels names leaves.
func (m *Space) labels(leaves []label.Leaf) []string {
	if m == nil {
		out := make([]string, len(leaves))
		for i, l := range leaves {
			out[i] = l.String()
		}
		return out
	}
	if len(leaves) == 0 {
		return []string{}
	}
	n := len(m.words)
	for _, l := range leaves {
		m.words = append(m.words, l.String())
	}
	return m.words[n:len(m.words):len(m.words)]
}

// pair keeps a timestamp as a row has it, see when.Pair.
func (m *Space) pair(stamp record.Str) (utc, local *string) {
	if m == nil || stamp == nil {
		return when.Pair(stamp.String())
	}
	utc = m.text(stamp)
	t, ok := when.Stamp(*utc)
	if !ok {
		return nil, nil
	}
	n := len(m.bytes)
	m.bytes = when.AppendLocal(m.bytes, t)
	return utc, m.word(m.since(n))
}

// uuidOf keeps the uuid of the record that opened a unit. Units of a turn come together, and have the same one.
func (m *Space) uuidOf(st *transcript.Structure, opener transcript.Loc) *string {
	if m != nil && m.openerIn == st && m.opener == opener {
		return m.openerUUID
	}
	var uuid *string
	if id := st.UUID(opener.Line, opener.Part); id != "" {
		uuid = m.word(id)
	}
	if m != nil {
		m.openerIn, m.opener, m.openerUUID = st, opener, uuid
	}
	return uuid
}

// truth gives a pointer to a truth value, which nobody may write to.
func truth(v bool) *bool {
	if v {
		return &yes
	}
	return &no
}

var yes, no = true, false
