package label

import (
	"fmt"
	"slices"
	"strings"
)

// set is a set of leaves.
type set [2]uint64

func (s *set) add(l Leaf)     { s[l>>6] |= 1 << (l & 63) }
func (s set) has(l Leaf) bool { return s[l>>6]>>(l&63)&1 != 0 }
func (s set) empty() bool     { return s == set{} }

// selection is what a list of selectors selects: whole leaves, and leaves that are
// selected as the face of a bare role or category only.
type selection struct{ full, face set }

func (s selection) matches(l Leaf, delivered, abandoned bool) bool {
	if s.full.has(l) {
		return true
	}
	// agent.message.structured is what the model wrote, carried by a record the model
	// does not get back: it stays in the faces of its role and category.
	return s.face.has(l) && !abandoned && (delivered || l == AgentMessageStructured)
}

// Filter is a parsed pair of -t and -T. The zero Filter selects everything. It is a
// value, safe for any number of goroutines.
type Filter struct {
	include, exclude     selection
	includes, excludes   []string
	hasInclude, hasLabel bool
}

// ParseFilter reads the selectors of -t (include) and -T (exclude), any number of
// each, joined by OR; no include selects everything. A selector is a role, a
// category or a leaf, or a role or category followed by ".*". The bare role or
// category selects its face: visible leaves, on records that were delivered and not
// abandoned. An unknown selector is an error that lists the valid ones, a retired
// one an error that names its successor, and excluding all that is included an
// error too.
func ParseFilter(include, exclude []string) (Filter, error) {
	f := Filter{
		includes: slices.Clone(include), excludes: slices.Clone(exclude),
		hasInclude: len(include) > 0, hasLabel: len(include)+len(exclude) > 0,
	}
	for _, s := range include {
		if err := f.include.selectBy(s, "-t"); err != nil {
			return Filter{}, err
		}
	}
	for _, s := range exclude {
		if err := f.exclude.selectBy(s, "-T"); err != nil {
			return Filter{}, err
		}
	}
	if !f.hasInclude {
		for _, l := range All() {
			f.include.full.add(l)
		}
	}
	if f.cancelled() {
		if !f.hasInclude {
			return Filter{}, fmt.Errorf("-T %s leaves no label to match", strings.Join(exclude, " -T "))
		}
		return Filter{}, fmt.Errorf("-T %s takes away every label that -t %s selects", strings.Join(exclude, " -T "), strings.Join(include, " -t "))
	}
	return f, nil
}

// selectBy adds what one selector selects.
func (s *selection) selectBy(selector, flag string) error {
	if l, ok := ByName(selector); ok {
		s.full.add(l)
		return nil
	}
	prefix, glob := strings.CutSuffix(selector, ".*")
	if !isGroup(prefix) {
		return selectorError(selector, flag)
	}
	for _, l := range All() {
		if !strings.HasPrefix(l.String(), prefix+".") {
			continue
		}
		if glob {
			s.full.add(l)
		} else if l.Visible() {
			s.face.add(l)
		}
	}
	return nil
}

// isGroup reports whether s is a role or a category.
func isGroup(s string) bool {
	return s == "user" || s == "agent" || s == "harness" || slices.Contains(Categories(), Category(s))
}

// cancelled reports whether the exclusion takes all that was included. Selectors
// that select nothing by themselves (a category whose face is empty) are no
// cancellation.
func (f *Filter) cancelled() bool {
	if f.include.full.empty() && f.include.face.empty() {
		return false
	}
	for _, l := range All() {
		if f.Reaches(l) {
			return false
		}
	}
	return true
}

// Any reports whether a selector was given at all.
func (f Filter) Any() bool { return f.hasLabel }

// Included returns the selectors of -t as typed.
func (f Filter) Included() []string { return f.includes }

// Excluded returns the selectors of -T as typed.
func (f Filter) Excluded() []string { return f.excludes }

// Keeps reports whether f selects leaf l of a record, given whether the record was
// delivered to the model and whether it is off the chain.
func (f Filter) Keeps(l Leaf, delivered, abandoned bool) bool {
	if l == None || l >= count {
		return false
	}
	return (!f.hasInclude || f.include.matches(l, delivered, abandoned)) && !f.exclude.matches(l, delivered, abandoned)
}

// Pick returns the first of a record's leaves that f keeps. ok is false when it
// keeps none.
func (f Filter) Pick(leaves []Leaf, delivered, abandoned bool) (l Leaf, ok bool) {
	for _, l := range leaves {
		if f.Keeps(l, delivered, abandoned) {
			return l, true
		}
	}
	return None, false
}

// Reaches reports whether f keeps l on some record.
func (f Filter) Reaches(l Leaf) bool {
	for _, delivered := range [...]bool{true, false} {
		if f.Keeps(l, delivered, !delivered) {
			return true
		}
	}
	return false
}

// Reads reports whether a scan under f reads lines for the sake of l: what f
// reaches, and of the gated leaves only what an explicit -t reaches, or any
// attachment when attachments is set.
func (f Filter) Reads(l Leaf, attachments bool) bool {
	if !f.Reaches(l) {
		return false
	}
	switch l.Gate() {
	case GateSelector:
		return f.hasInclude
	case GateAttachment:
		return f.hasInclude || attachments
	}
	return true
}

// ReadsPayload is Reads for an attachment line of leaf l. It differs for the leaves
// that an injected text carries too: such a text is read by every scan, such an
// attachment is not.
func (f Filter) ReadsPayload(l Leaf, attachments bool) bool {
	if l == UserMessage || l.Gate() == GateNeedle {
		return f.Reaches(l)
	}
	return f.Reaches(l) && (f.hasInclude || attachments)
}

// Unread returns the gated leaves that a scan under f does not read.
func (f Filter) Unread(attachments bool) []Leaf {
	var out []Leaf
	for _, l := range All() {
		if g := l.Gate(); (g == GateSelector || g == GateAttachment) && !f.Reads(l, attachments) {
			out = append(out, l)
		}
	}
	return out
}

// EmptyFaces returns the selectors of -t that are a bare role or category without a
// visible leaf: legal, and matching nothing. Their ".*" form is what was meant.
func (f Filter) EmptyFaces() []string {
	var out []string
	for _, s := range f.includes {
		var sel selection
		if err := sel.selectBy(s, "-t"); err == nil && sel == (selection{}) {
			out = append(out, s)
		}
	}
	return out
}
