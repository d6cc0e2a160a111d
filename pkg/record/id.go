package record

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math/bits"
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

// canonical reads s as 8-4-4-4-12 lower-case hex. Those that would read as an odd ID are refused.
func canonical(s []byte) (id ID, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, false
	}
	half := func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(s[i:])) }
	a, bad1 := hex8(binary.LittleEndian.Uint64(s))
	b, bad2 := hex8(half(9) | half(14)<<32)
	c, bad3 := hex8(half(19) | half(24)<<32)
	d, bad4 := hex8(binary.LittleEndian.Uint64(s[28:]))
	if bad1|bad2|bad3|bad4 != 0 {
		return ID{}, false
	}
	binary.BigEndian.PutUint32(id[:], a)
	binary.BigEndian.PutUint32(id[4:], b)
	binary.BigEndian.PutUint32(id[8:], c)
	binary.BigEndian.PutUint32(id[12:], d)
	return id, !id.odd()
}

// hex8 reads eight lower-case hex digits, the first one lowest in w; bad is not 0 when one of them is none.
func hex8(w uint64) (v uint32, bad uint64) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	// Above 127 minus a limit carries into the high bit: is each byte at least '0', above '9', at least 'a', above 'f'?
	digit := (w + ones*(0x80-'0')) &^ (w + ones*(0x7f-'9'))
	letter := (w + ones*(0x80-'a')) &^ (w + ones*(0x7f-'f'))
	bad = w&highs | ^(digit|letter)&highs
	n := w&(ones*0xf) + (letter&highs)>>7*9
	n = (n<<4 | n>>8&(ones*0xf)) & 0x00ff00ff00ff00ff // two digits in every other byte
	n = (n | n>>8) & 0x0000ffff0000ffff
	return bits.ReverseBytes32(uint32(n | n>>16)), bad
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
	if id, ok := canonical(s); ok || s == nil {
		return id
	}
	return in.Of(s.String())
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
