// Package chain places the records of one transcript: which turn each belongs to, how far it stands from the turn's
// opener, and whether Claude Code's own conversation still reaches it. It works on small structs only; it opens no file
// and reads no text.
//
// The invariant: nodes are in file order, and every answer is decided over the whole file, because a child may be
// written before its parent (Claude Code 2.1.258), uuids repeat and parent links may form cycles. Of several lines with
// one uuid the last one counts; the others are replay copies of it.
package chain

import "csift/pkg/record"

// Kind is what a record is to the conversation.
type Kind uint8

// The kinds. Only the named ones are judged; any other record with a uuid is a mere link between its child and its
// parent. Progress records (2.1.9 to 2.1.81) stand in the chain between a call and its result.
const (
	Other Kind = iota
	User
	Assistant
	Attachment
	System
	Progress
)

// Flags are facts of a record that the rules ask for.
type Flags uint8

// The flags of a node.
const (
	Sidechain Flags = 1 << iota // isSidechain
	Meta                        // isMeta
	Summary                     // isCompactSummary
	Carrier                     // a user record with a tool_result block
	Boundary                    // a compact_boundary; its facts are in Rows.Boundaries
)

// Node is one record of a transcript: enough of it to place it.
type Node struct {
	ID, Parent record.ID // zero: the record has none
	Time       int64     // timestamp in ms since 1970; NoTime when there is none
	Message    uint64    // hash of message.id; 0: none
	Line       int32     // 1-based physical line
	Kind       Kind
	Flags      Flags
	Opens      bool // the record opens a turn by its own content
}

// NoTime is the time of a record without a timestamp.
const NoTime = int64(-1 << 63)

// None marks an absent index, turn or hop count.
const None = int32(-1)

// conversation reports whether the record is of the person or of the model.
func (n *Node) conversation() bool { return n.Kind == User || n.Kind == Assistant }

// admitted reports whether Claude Code takes the record into its map.
func (n *Node) admitted() bool { return n.Kind != Other && !n.ID.IsZero() }

// Compaction is what a compact_boundary record says beyond its node.
type Compaction struct {
	Node    int32     // index of the boundary
	Logical record.ID // logicalParentUuid: where the conversation stood
	// Messages says that there is a preservedMessages object with a list of uuids, Kept; Segment that there is a
	// preservedSegment from Head to Tail. Anchor is the record after which the preserved ones go.
	Messages, Segment  bool
	Anchor, Head, Tail record.ID
	Kept               []record.ID
}

// LeafMark is a last-prompt line: where Claude Code says the conversation stands.
type LeafMark struct {
	At       int32     // how many nodes stand before the line
	Leaf     record.ID // leafUuid; zero when absent, null or all zeros
	Explicit bool      // the person chose it
}

// Root is an opener without a parent. Rewinding to the start of a session makes a second one in the same session; a file
// with records of two sessions has one of each.
type Root struct {
	Node    int32
	Session uint64 // hash of its sessionId
}

// Rows is one transcript as the chain needs it. All lists are in file order.
type Rows struct {
	Nodes       []Node
	Compactions []Compaction
	Leaves      []LeafMark
	Roots       []Root

	clock clock // of Add
	swept sweep // of the nodes that Append has joined
}
