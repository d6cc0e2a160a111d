package record

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"

	"csift/pkg/jsonl"
)

// ID is a record's uuid in 16 bytes; the zero ID means none. Claude Code writes canonical lower-case uuids; any other
// spelling still gets an ID of its own through an Interner.
type ID [16]byte

// IsZero reports whether the ID names nothing. The all-zero uuid that Claude Code writes for "before the first record"
// (seen at 2.1.332 after a rewind to the start) is the zero ID as well.
func (id ID) IsZero() bool { return id == ID{} }

const hexDigits = "0123456789abcdef"

// String spells a canonical uuid. An interned ID has no spelling here; see Interner.Spell.
func (id ID) String() string {
	var b [36]byte
	j := 0
	for i, c := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			b[j] = '-'
			j++
		}
		b[j], b[j+1] = hexDigits[c>>4], hexDigits[c&15]
		j += 2
	}
	return string(b[:])
}

// nibble maps a lower-case hex digit to its value and anything else to 0xff.
var nibble = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 16 {
		t[hexDigits[i]] = byte(i)
	}
	return t
}()

// canonical reads s as 8-4-4-4-12 lower-case hex. Those that would read as an odd ID are refused.
func canonical(s []byte) (id ID, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, false
	}
	j := 0
	for i := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			j++
		}
		h, l := nibble[s[j]], nibble[s[j+1]]
		if h|l == 0xff {
			return ID{}, false
		}
		id[i] = h<<4 | l
		j += 2
	}
	return id, !id.odd()
}

// Interner gives IDs to uuids and remembers the spelling of those that are not canonical. IDs of one spelling are equal
// whichever Interner gave them. It is not safe for concurrent use.
type Interner struct {
	names map[ID]string
}

// oddPrefix marks the IDs of uuids in another spelling.
const oddPrefix = 0xffffffff

// ID gives the ID of a raw uuid; absent and empty give the zero ID.
func (in *Interner) ID(s Str) ID {
	if jsonl.HasEscape(s) {
		return in.Of(s.String())
	}
	if id, ok := canonical(s); ok {
		return id
	}
	return in.intern(s.String())
}

// Of gives the ID of a uuid as text.
func (in *Interner) Of(uuid string) ID {
	if id, ok := canonical([]byte(uuid)); ok {
		return id
	}
	return in.intern(uuid)
}

func (in *Interner) intern(s string) ID {
	if s == "" {
		return ID{}
	}
	var id ID
	sum := sha256.Sum256([]byte(s))
	binary.BigEndian.PutUint32(id[:], oddPrefix)
	copy(id[4:], sum[:])
	if in.names == nil {
		in.names = map[ID]string{}
	}
	in.names[id] = s
	return id
}

func (id ID) odd() bool { return binary.BigEndian.Uint32(id[:]) == oddPrefix }

// Spell gives the uuid of an ID as it was written, "" for the zero ID.
func (in *Interner) Spell(id ID) string {
	switch {
	case id.IsZero():
		return ""
	case id.odd():
		return in.names[id]
	}
	return id.String()
}

// Merge takes over what another Interner remembers.
func (in *Interner) Merge(other *Interner) {
	if in.names == nil && len(other.names) > 0 {
		in.names = map[ID]string{}
	}
	maps.Copy(in.names, other.names)
}
