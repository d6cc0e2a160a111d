package record

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math/bits"
)

// ID is a record's uuid, its first sixteen digits in Hi; the zero ID means none. Claude Code writes canonical lower-case
// uuids; any other spelling still gets an ID of its own through an Interner.
type ID struct{ Hi, Lo uint64 }

// IsZero reports whether the ID names nothing. The all-zero uuid that Claude Code writes for "before the first record"
// (seen at 2.1.332 after a rewind to the start) is the zero ID as well.
func (id ID) IsZero() bool { return id.Hi|id.Lo == 0 }

// String spells a canonical uuid. An interned ID has no spelling here; see Interner.Spell.
func (id ID) String() string {
	b := id.spelled()
	return string(b[:])
}

func (id ID) spelled() (b [36]byte) {
	binary.LittleEndian.PutUint64(b[:], hexOf(uint32(id.Hi>>32)))
	mid, low := hexOf(uint32(id.Hi)), hexOf(uint32(id.Lo>>32))
	binary.LittleEndian.PutUint32(b[9:], uint32(mid))
	binary.LittleEndian.PutUint32(b[14:], uint32(mid>>32))
	binary.LittleEndian.PutUint32(b[19:], uint32(low))
	binary.LittleEndian.PutUint32(b[24:], uint32(low>>32))
	binary.LittleEndian.PutUint64(b[28:], hexOf(uint32(id.Lo)))
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return b
}

// hexOf spells v in eight lower-case hex digits, the first one lowest.
func hexOf(v uint32) uint64 {
	x := uint64(bits.ReverseBytes32(v))
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x>>4 | x<<8) & (ones * 0xf)
	return x + ones*'0' + (x+ones*6)>>4&ones*('a'-'0'-10)
}

// canonical reads s as 8-4-4-4-12 lower-case hex. Those that would read as an odd ID are refused.
func canonical(s []byte) (id ID, ok bool) {
	if len(s) != 36 {
		return ID{}, false
	}
	_ = s[35]
	// 01234567 -9ab-cde f-0123-4 56789abc def: the words as they lie there, the first byte lowest.
	a, b, c, d, e := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[8:]), binary.LittleEndian.Uint64(s[16:]),
		binary.LittleEndian.Uint64(s[24:]), uint64(binary.LittleEndian.Uint32(s[32:]))
	const dash = uint64('-')
	if b&(0xff|0xff<<40) != dash|dash<<40 || c&(0xff<<16|0xff<<56) != dash<<16|dash<<56 {
		return ID{}, false
	}
	b, c, d = b>>8&0xffffffff|b>>48<<32|c<<48, c>>24&0xffffffff|d<<32, d>>32|e<<32
	v, bad1 := hex8(a)
	w, bad2 := hex8(b)
	x, bad3 := hex8(c)
	y, bad4 := hex8(d)
	if (bad1|bad2|bad3|bad4)&highs != 0 {
		return ID{}, false
	}
	id = ID{uint64(v)<<32 | uint64(w), uint64(x)<<32 | uint64(y)}
	return id, !id.odd()
}

const ones, highs = 0x0101010101010101, 0x8080808080808080

// hex8 reads eight lower-case hex digits, the first one lowest in w; bad has a byte's high bit when it is none.
func hex8(w uint64) (v uint32, bad uint64) {
	// Above 127 minus a limit carries into the high bit: is each byte at least '0', above '9', at least 'a', above 'f'?
	letter := w + ones*(0x80-'a')
	bad = w | ^((w+ones*(0x80-'0'))&^(w+ones*(0x7f-'9')) | letter&^(w+ones*(0x7f-'f')))
	n := w&(ones*0xf) + (letter&highs)>>7*9
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff // two digits in every other byte
	n |= n >> 8
	return bits.ReverseBytes32(uint32(n&0xffff | n>>16&0xffff0000)), bad
}

// Interner gives IDs to uuids and remembers the spelling of those that are not canonical. IDs of one spelling are equal
// whichever Interner gave them. It is not safe for concurrent use.
type Interner struct {
	names  map[ID]string
	last   [36]byte // the uuid that Link read last, when it was canonical
	lastID ID
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

// Link gives the IDs of a record and of its parent. Most often the parent is the record that was asked for before, whose
// uuid need not be read again.
func (in *Interner) Link(uuid, parent Str) (id, up ID) {
	if len(parent) == len(in.last) && string(parent) == string(in.last[:]) && !in.lastID.IsZero() {
		up = in.lastID
	} else if parent != nil {
		up = in.ID(parent)
	}
	id, ok := canonical(uuid)
	if ok {
		copy(in.last[:], uuid)
		in.lastID = id
	} else if uuid != nil {
		id = in.Of(uuid.String())
	}
	return id, up
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
	sum := sha256.Sum256([]byte(s))
	id := ID{oddPrefix<<32 | uint64(binary.BigEndian.Uint32(sum[:])), binary.BigEndian.Uint64(sum[4:])}
	if in.names == nil {
		in.names = map[ID]string{}
	}
	in.names[id] = s
	return id
}

func (id ID) odd() bool { return id.Hi>>32 == oddPrefix }

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

// AppendSpelling appends what Spell gives.
func (in *Interner) AppendSpelling(dst []byte, id ID) []byte {
	switch {
	case id.IsZero():
		return dst
	case id.odd():
		return append(dst, in.names[id]...)
	}
	b := id.spelled()
	return append(dst, b[:]...)
}

// Merge takes over what another Interner remembers.
func (in *Interner) Merge(other *Interner) {
	if in.names == nil && len(other.names) > 0 {
		in.names = map[ID]string{}
	}
	maps.Copy(in.names, other.names)
}
