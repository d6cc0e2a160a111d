// Package label is the taxonomy of what stands in a transcript: 73 leaves named
// role.category.leaf, the selectors of -t and -T over them, and the tables that map
// a value on disk (a line type, a system subtype, an attachment's payload type, the
// first words of an injected text) to its leaf. It is data: it knows no record, and
// decides nothing that needs more than one value.
//
// The one invariant: a record's leaves are handed over richest first, and the first
// that survives the filter is the one that is shown.
package label

import "strings"

// Leaf is one of the 73 leaves, or None. Leaves order as the taxonomy does.
type Leaf uint8

// Role is who a leaf is about.
type Role uint8

// The three roles. The zero Role belongs to None.
const (
	User Role = iota + 1
	Agent
	Harness
)

// Category is the dotted path above a leaf: "agent.tool", or "user", whose leaves
// have no level between.
type Category string

// Gate says what makes a scan read the lines that carry a leaf.
type Gate uint8

// The gates.
const (
	// GateDefault: every scan.
	GateDefault Gate = iota
	// GateSelector: only an explicit -t that reaches the leaf, or an address.
	GateSelector
	// GateAttachment: as GateSelector, and a scan of all attachments.
	GateAttachment
	// GateNeedle: every scan, by a value of its own rather than by role.
	GateNeedle
)

// All returns the 73 leaves in the order of the taxonomy.
func All() []Leaf {
	all := make([]Leaf, 0, count-1)
	for l := None + 1; l < count; l++ {
		all = append(all, l)
	}
	return all
}

// Categories returns the 17 categories in the order of the taxonomy.
func Categories() []Category {
	var all []Category
	for l := None + 1; l < count; l++ {
		if c := l.Category(); len(all) == 0 || all[len(all)-1] != c {
			all = append(all, c)
		}
	}
	return all
}

var byName = func() map[string]Leaf {
	m := make(map[string]Leaf, count)
	for l := None + 1; l < count; l++ {
		m[l.String()] = l
	}
	return m
}()

// ByName returns the leaf of that dotted path.
func ByName(path string) (Leaf, bool) {
	l, ok := byName[path]
	return l, ok
}

// String returns the dotted path of l, "" for None.
func (l Leaf) String() string {
	if l >= count {
		return ""
	}
	return leaves[l].name
}

// Role returns the role of l.
func (l Leaf) Role() Role {
	switch {
	case l == None || l >= count:
		return 0
	case l <= UserQueued:
		return User
	case l <= AgentCommunicationChannel:
		return Agent
	}
	return Harness
}

// Category returns the category of l, "" for None.
func (l Leaf) Category() Category {
	path := l.String()
	return Category(path[:max(strings.LastIndexByte(path, '.'), 0)])
}

// Name returns the last segment of l: "use" of agent.tool.use.
func (l Leaf) Name() string {
	path := l.String()
	return path[strings.LastIndexByte(path, '.')+1:]
}

// Visible reports whether records of l reach the model unless something about the
// record says otherwise. It is the default of a record's delivery, and what a bare
// role or category selects.
func (l Leaf) Visible() bool { return l < count && leaves[l].visible }

// Gate returns what makes a scan read lines of l.
func (l Leaf) Gate() Gate {
	if l >= count {
		return GateDefault
	}
	return leaves[l].gate
}

// Shape says in a few words what l stands for on disk.
func (l Leaf) Shape() string {
	if l >= count {
		return ""
	}
	return leaves[l].shape
}

// String returns "user", "agent" or "harness".
func (r Role) String() string {
	switch r {
	case User:
		return "user"
	case Agent:
		return "agent"
	case Harness:
		return "harness"
	}
	return ""
}

// Glyph returns the mark that leads a row of the role; "?" for what no leaf names.
func (r Role) Glyph() string {
	switch r {
	case User:
		return "◂"
	case Agent:
		return "▸"
	case Harness:
		return "⚙"
	}
	return "?"
}
