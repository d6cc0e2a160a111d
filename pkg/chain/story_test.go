package chain

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"csift/pkg/record"
)

// story is a transcript in short notation, one line a record, with what must become of it behind "=>":
//
//	NAME KIND PARENT [options] => VERDICT [turn] [^root]
//
// Kinds: P a prompt, U another user record, M an isMeta one, S a summary, R a result, Q a result that opens a turn,
// A assistant, T attachment, Y system, B boundary, G progress, X a type nobody knows. A name that comes again is the same
// uuid; a parent that no line carries is lost; - is none. Options: t=SECONDS, m=MESSAGE, side, s=SESSION, log=NAME,
// keep=ANCHOR:NAME,NAME, seg=ANCHOR:HEAD..TAIL. A line "leaf NAME|- [explicit]" is a last-prompt.
type story struct {
	rows  Rows
	names []string
	want  []string
	ids   map[string]record.ID
}

func (s *story) id(name string) record.ID {
	if name == "-" {
		return record.ID{}
	}
	if s.ids[name].IsZero() {
		s.ids[name] = id(len(s.ids) + 1)
	}
	return s.ids[name]
}

var storyKinds = map[string]Node{
	"P": {Kind: User, Opens: true}, "U": {Kind: User}, "M": {Kind: User, Flags: Meta}, "S": {Kind: User, Flags: Summary},
	"R": {Kind: User, Flags: Carrier}, "Q": {Kind: User, Flags: Carrier, Opens: true}, "A": {Kind: Assistant}, "T": {Kind: Attachment},
	"Y": {Kind: System}, "B": {Kind: System, Flags: Boundary}, "G": {Kind: Progress}, "X": {Kind: Other},
}

func tell(t *testing.T, text string) *story {
	t.Helper()
	s := &story{ids: map[string]record.ID{}}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		in, want, _ := strings.Cut(line, "=>")
		f := strings.Fields(in)
		if f[0] == "leaf" {
			s.rows.Leaves = append(s.rows.Leaves, LeafMark{At: int32(len(s.names)), Leaf: s.id(f[1]), Explicit: len(f) > 2})
			continue
		}
		n, ok := storyKinds[f[1]]
		if !ok {
			t.Fatalf("no kind %q", f[1])
		}
		at := int32(len(s.names))
		n.ID, n.Parent, n.Line, n.Time = s.id(f[0]), s.id(f[2]), at+1, int64(at)*10_000
		c := Compaction{Node: at}
		session := uint64(1)
		for _, o := range f[3:] {
			key, val, _ := strings.Cut(o, "=")
			anchor, list, _ := strings.Cut(val, ":")
			num, _ := strconv.ParseFloat(val, 64)
			switch key {
			case "t":
				if n.Time = int64(num * 1000); val == "no" {
					n.Time = NoTime
				}
			case "m":
				n.Message = uint64(num)
			case "s":
				session = uint64(num)
			case "side":
				n.Flags |= Sidechain
			case "log":
				c.Logical = s.id(val)
			case "keep":
				c.Messages, c.Anchor = true, s.id(anchor)
				for _, k := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
					c.Kept = append(c.Kept, s.id(k))
				}
			case "seg":
				head, tail, _ := strings.Cut(list, "..")
				c.Segment, c.Anchor, c.Head, c.Tail = true, s.id(anchor), s.id(head), s.id(tail)
			default:
				t.Fatalf("no option %q", o)
			}
		}
		if n.Flags&Boundary != 0 {
			s.rows.Compactions = append(s.rows.Compactions, c)
		}
		if n.Opens && n.Parent.IsZero() {
			s.rows.Roots = append(s.rows.Roots, Root{Node: at, Session: session})
		}
		s.rows.Nodes = append(s.rows.Nodes, n)
		s.names, s.want = append(s.names, f[0]), append(s.want, strings.Join(strings.Fields(want), " "))
	}
	return s
}

func (s *story) name(i int32) string {
	if i == None {
		return "-"
	}
	return s.names[i]
}

// became says what became of a record, in the notation of a story.
func (s *story) became(r *Result, i int32) string {
	out := r.Verdict(i)
	if r.Of[i] != None {
		out += fmt.Sprintf(" t%d", r.Of[i])
	}
	if r.State[i] == Abandoned {
		out += " ^" + s.name(r.Root[i])
	}
	return out
}

// summary says the rest, in the order of the fields.
func (s *story) summary(r *Result) string {
	c := &r.Crossing
	out := fmt.Sprintf("leaf %s by %s; floor %s %s; crossed %d", s.name(r.Leaf), r.Source.Detail(), s.name(c.Floor), c.Cause, c.Crossed)
	if c.Above > 0 {
		out += fmt.Sprintf("; %d above", c.Above)
	}
	if c.Wider {
		out += "; wider helps"
	}
	if r.CutLine > 0 {
		out += fmt.Sprintf("; cut L%d", r.CutLine)
	}
	for _, l := range r.Lost {
		out += fmt.Sprintf("; %s lost to %s", s.name(l.Node), s.name(l.By))
	}
	return out
}

// run checks a story against its right column and its summary.
func run(t *testing.T, text string, budget int, summary string) {
	t.Helper()
	s := tell(t, text)
	r := Resolve(&s.rows, Options{Crossings: budget})
	for i := range s.names {
		if got := s.became(r, int32(i)); got != s.want[i] {
			t.Errorf("%s (line %d): %s, want %s", s.names[i], i+1, got, s.want[i])
		}
	}
	if got := s.summary(r); summary != "" && got != summary {
		t.Errorf("summary:\n got %s\nwant %s", got, summary)
	}
	n := newNaive(&s.rows, budget)
	states, _, _, leaf, _ := n.resolve()
	for i := range states {
		if states[i] != r.State[i] {
			t.Errorf("%s: the plain rules say %s", s.names[i], states[i])
		}
	}
	if leaf != int(r.Leaf) {
		t.Errorf("the plain rules end at %s", s.name(int32(leaf)))
	}
}
