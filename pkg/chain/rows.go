package chain

import (
	"bytes"
	"hash/maphash"
	"time"

	"csift/pkg/record"
)

var seed = maphash.MakeSeed()

// Mark notes what a record without a place in the chain says about it: a last-prompt line. It must be called for every
// record, in file order, before Add.
func (rows *Rows) Mark(r *record.Record, in *record.Interner) {
	if r.LeafUUID == nil && !r.Explicit || !r.Type.Is("last-prompt") {
		return
	}
	rows.Leaves = append(rows.Leaves, LeafMark{At: int32(len(rows.Nodes)), Leaf: in.ID(r.LeafUUID), Explicit: r.Explicit})
}

// Add appends a record. Its line is that of the file, or of a part of it until Append joins the parts.
func (rows *Rows) Add(r *record.Record, line int32, opens bool, in *record.Interner) {
	at := int32(len(rows.Nodes))
	rows.Nodes = append(rows.Nodes, Node{Line: line, Opens: opens})
	n := &rows.Nodes[at]
	n.ID, n.Parent = in.Link(r.UUID, r.ParentUUID)
	n.Time = rows.clock.millis(r.Timestamp)
	if r.IsSidechain {
		n.Flags |= Sidechain
	}
	if !n.ID.IsZero() {
		switch string(r.Type) {
		case "assistant":
			n.Kind = Assistant
			if len(r.MessageID) > 0 {
				n.Message = hash(r.MessageID)
			}
		case "user":
			n.Kind = User
			n.Flags |= userFlags(r)
		case "attachment":
			n.Kind = Attachment
		case "system":
			n.Kind = System
			if r.Subtype.Is("compact_boundary") {
				n.Flags |= Boundary
				rows.Compactions = append(rows.Compactions, compaction(r, at, in))
			}
		case "progress":
			n.Kind = Progress
		}
	}
	if opens && n.Parent.IsZero() {
		rows.Roots = append(rows.Roots, Root{Node: at, Session: hash(r.SessionID)})
	}
}

// Append joins the rows of the next part of a file. Lines are numbered from line lines on. Rows without room for nodes take over
// those of the part.
func (rows *Rows) Append(next *Rows, lines int32) {
	base, from := int32(len(rows.Nodes)), len(rows.Nodes)
	if rows.Nodes == nil {
		rows.Nodes = next.Nodes
	} else {
		rows.Nodes = append(rows.Nodes, next.Nodes...)
	}
	for i := from; i < len(rows.Nodes); i++ {
		rows.Nodes[i].Line += lines
	}
	rows.swept.extend(rows.Nodes) // as long as they are near
	for _, c := range next.Compactions {
		c.Node += base
		rows.Compactions = append(rows.Compactions, c)
	}
	for _, l := range next.Leaves {
		l.At += base
		rows.Leaves = append(rows.Leaves, l)
	}
	for _, r := range next.Roots {
		r.Node += base
		rows.Roots = append(rows.Roots, r)
	}
}

// Empty gives rows without anything in them, which use the memory of these nodes for their own.
func (rows *Rows) Empty() Rows { return Rows{Nodes: rows.Nodes[:0], clock: rows.clock} }

func userFlags(r *record.Record) (f Flags) {
	if r.IsMeta {
		f |= Meta
	}
	if r.IsCompactSummary {
		f |= Summary
	}
	for i := range r.Blocks {
		if string(r.Blocks[i].Type) == "tool_result" {
			return f | Carrier
		}
	}
	return f
}

// compaction reads what a compact_boundary says of the records it keeps. Claude Code writes preservedSegment from
// 2.1.x on, and preservedMessages beside it at 2.1.258; 2.0.77 and older write neither.
func compaction(r *record.Record, node int32, in *record.Interner) Compaction {
	c := Compaction{Node: node, Logical: in.ID(r.LogicalParentUUID)}
	id := func(v record.Raw, key string) record.ID { return in.ID(v.Get(key).Str()) }
	if m := r.CompactMetadata.Get("preservedMessages"); m.Get("uuids").IsArray() {
		c.Messages, c.Anchor = true, id(m, "anchorUuid")
		m.Get("uuids").Items(func(v record.Raw) { c.Kept = append(c.Kept, in.ID(v.Str())) })
		return c
	}
	if s := r.CompactMetadata.Get("preservedSegment"); s.IsObject() {
		c.Segment, c.Anchor, c.Head, c.Tail = true, id(s, "anchorUuid"), id(s, "headUuid"), id(s, "tailUuid")
	}
	return c
}

// hash gives equal numbers for equal texts; never 0.
func hash(s record.Str) uint64 {
	if bytes.IndexByte(s, '\\') >= 0 {
		return maphash.String(seed, s.String()) | 1
	}
	return maphash.Bytes(seed, s) | 1
}

// clock reads timestamps; those of the minute it has read last in a fraction of the time.
type clock struct {
	minute [17]byte // as it is written, with the colon behind it
	start  int64
}

// millis reads a timestamp, NoTime when it is none.
func (c *clock) millis(s record.Str) int64 {
	if len(s) != 24 || s[19] != '.' || s[23] != 'Z' {
		return slowMillis(s)
	}
	second, ms := digits(s[17:19]), digits(s[20:23])
	if second < 0 || second > 59 || ms < 0 {
		return slowMillis(s)
	}
	if string(s[:17]) != string(c.minute[:]) {
		t := millis(s)
		if t != NoTime {
			copy(c.minute[:], s)
			c.start = t - second*1000 - ms
		}
		return t
	}
	return c.start + second*1000 + ms
}

// millis reads a timestamp, NoTime when it is none.
func millis(s record.Str) int64 {
	if len(s) != 24 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != '.' || s[23] != 'Z' {
		return slowMillis(s)
	}
	year, month, day := digits(s[0:4]), digits(s[5:7]), digits(s[8:10])
	hour, minute, second, ms := digits(s[11:13]), digits(s[14:16]), digits(s[17:19]), digits(s[20:23])
	if year < 1 || month < 1 || month > 12 || day < 1 || day > monthDays[month] || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || ms < 0 {
		return slowMillis(s)
	}
	if month <= 2 { // years that start in March have their leap day at the end
		year, month = year-1, month+12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
	return (((days*24+hour)*60+minute)*60+second)*1000 + ms
}

// monthDays leaves the leap day to the slow way.
var monthDays = [13]int64{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func slowMillis(s record.Str) int64 {
	t, err := time.Parse(time.RFC3339Nano, s.String())
	if err != nil {
		return NoTime
	}
	return t.UnixMilli()
}

// digits reads a run of digits; -1 when one of them is none.
func digits(s record.Str) int64 {
	v := int64(0)
	for _, c := range s {
		if c -= '0'; c > 9 {
			return -1
		}
		v = v*10 + int64(c)
	}
	return v
}
