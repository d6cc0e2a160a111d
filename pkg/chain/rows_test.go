package chain

import (
	"testing"
	"time"

	"csift/pkg/record"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func decode(t testing.TB, line string) *record.Record {
	t.Helper()
	var r record.Record
	if !record.Decode([]byte(line), &r) {
		t.Fatalf("not a record: %s", line)
	}
	return &r
}

const (
	u1 = "11111111-1111-4111-8111-111111111111"
	u2 = "22222222-2222-4222-8222-222222222222"
	u3 = "33333333-3333-4333-8333-333333333333"
)

func TestAdd(t *testing.T) {
	var in record.Interner
	of := func(s string) record.ID { return in.ID(record.Str(s)) }
	var rows Rows
	for n, line := range []string{
		`{"type":"user","uuid":"` + u1 + `","parentUuid":null,"sessionId":"s","timestamp":"2026-03-02T09:12:05.478Z","message":{"role":"user","content":"hi"}}`,
		`{"type":"assistant","uuid":"` + u2 + `","parentUuid":"` + u1 + `","message":{"id":"m\u0031","content":[]}}`,
		`{"type":"assistant","uuid":"` + u3 + `","isSidechain":true,"message":{"id":"m1"}}`,
		`{"type":"user","uuid":"a","isMeta":true,"message":{"content":[{"type":"text"},{"type":"tool_result"}]}}`,
		`{"type":"user","uuid":"b","isCompactSummary":true}`,
		`{"type":"last-prompt","leafUuid":"` + u2 + `","explicit":true}`,
		`{"type":"last-prompt","leafUuid":"00000000-0000-0000-0000-000000000000","explicit":true}`,
		`{"type":"last-prompt","lastPrompt":"x"}`,
		`{"type":"summary","leafUuid":"` + u2 + `"}`,
		`{"type":"system","subtype":"compact_boundary","uuid":"c","parentUuid":null,"logicalParentUuid":"b","compactMetadata":{"preservedSegment":{"headUuid":"h","anchorUuid":"a","tailUuid":"t"},"preservedMessages":{"anchorUuid":"a","uuids":["` + u1 + `",7],"allUuids":[]}}}`,
		`{"type":"system","subtype":"compact_boundary","uuid":"d","compactMetadata":{"preservedSegment":{"headUuid":"` + u1 + `","anchorUuid":"d","tailUuid":"` + u2 + `"},"preservedMessages":[]}}`,
		`{"type":"system","subtype":"compact_boundary","uuid":"e","compactMetadata":"x"}`,
		`{"type":"progress","uuid":"f"}`, `{"type":"attachment","uuid":"g"}`, `{"type":"novel","uuid":"h"}`, `{"type":"user","message":{"content":"no uuid"}}`,
	} {
		r := decode(t, line)
		rows.Mark(r, &in)
		if r.UUID != nil || r.Type.Is("user") {
			rows.Add(r, int32(n+1), r.Opens(false) != record.NoOpening, &in)
		}
	}
	m1 := hash(record.Str("m1"))
	want := Rows{
		Nodes: []Node{
			{ID: of(u1), Time: time.Date(2026, 3, 2, 9, 12, 5, 478e6, time.UTC).UnixMilli(), Line: 1, Kind: User, Opens: true},
			{ID: of(u2), Parent: of(u1), Time: NoTime, Message: m1, Line: 2, Kind: Assistant},
			{ID: of(u3), Time: NoTime, Message: m1, Line: 3, Kind: Assistant, Flags: Sidechain},
			{ID: of("a"), Time: NoTime, Line: 4, Kind: User, Flags: Meta | Carrier},
			{ID: of("b"), Time: NoTime, Line: 5, Kind: User, Flags: Summary},
			{ID: of("c"), Time: NoTime, Line: 10, Kind: System, Flags: Boundary},
			{ID: of("d"), Time: NoTime, Line: 11, Kind: System, Flags: Boundary},
			{ID: of("e"), Time: NoTime, Line: 12, Kind: System, Flags: Boundary},
			{ID: of("f"), Time: NoTime, Line: 13, Kind: Progress},
			{ID: of("g"), Time: NoTime, Line: 14, Kind: Attachment},
			{ID: of("h"), Time: NoTime, Line: 15, Kind: Other},
			{Time: NoTime, Line: 16, Kind: Other},
		},
		Compactions: []Compaction{
			{Node: 5, Logical: of("b"), Messages: true, Anchor: of("a"), Kept: []record.ID{of(u1), {}}},
			{Node: 6, Segment: true, Anchor: of("d"), Head: of(u1), Tail: of(u2)},
			{Node: 7},
		},
		Leaves: []LeafMark{{At: 5, Leaf: of(u2), Explicit: true}, {At: 5, Explicit: true}},
		Roots:  []Root{{Node: 0, Session: hash(record.Str("s"))}},
	}
	if d := cmp.Diff(want, rows, cmpopts.IgnoreUnexported(Rows{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Parts that are joined give the rows of the whole.
func TestAppend(t *testing.T) {
	for _, path := range all(t) {
		whole := readRows(t, path)
		for _, cut := range []int{0, len(whole.Nodes) / 3, len(whole.Nodes)} {
			a, b := split(whole, cut)
			a.Append(b, 100)
			if d := cmp.Diff(whole, a, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Rows{})); d != "" {
				t.Fatalf("%s, cut at %d (-whole +joined):\n%s", path, cut, d)
			}
		}
	}
}

// split undoes Append.
func split(rows *Rows, cut int) (a, b *Rows) {
	a, b = &Rows{}, &Rows{}
	for i, n := range rows.Nodes {
		if i < cut {
			a.Nodes = append(a.Nodes, n)
			continue
		}
		n.Line -= 100
		b.Nodes = append(b.Nodes, n)
	}
	c := int32(cut)
	for _, x := range rows.Compactions {
		if x.Node < c {
			a.Compactions = append(a.Compactions, x)
			continue
		}
		x.Node -= c
		b.Compactions = append(b.Compactions, x)
	}
	for _, x := range rows.Leaves {
		if x.At < c {
			a.Leaves = append(a.Leaves, x)
			continue
		}
		x.At -= c
		b.Leaves = append(b.Leaves, x)
	}
	for _, x := range rows.Roots {
		if x.Node < c {
			a.Roots = append(a.Roots, x)
			continue
		}
		x.Node -= c
		b.Roots = append(b.Roots, x)
	}
	return a, b
}

func FuzzMillis(f *testing.F) {
	for _, s := range []string{"2026-03-02T09:12:05.478Z", "2024-02-29T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z",
		"2026-03-02T09:12:05Z", "2026-03-02T09:12:05.478+02:00", "2023-02-29T00:00:00.000Z", "2026-13-02T09:12:05.478Z", "2026-03-02T24:12:05.478Z", "", "yesterday", "20a6-03-02T09:12:05.478Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := NoTime
		raw := record.Str(s)
		if at, err := time.Parse(time.RFC3339Nano, raw.String()); err == nil {
			want = at.UnixMilli()
		}
		if got := millis(raw); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
		var c clock
		for range 2 {
			if got := c.millis(raw); got != want {
				t.Errorf("%q by a clock: %d, want %d", s, got, want)
			}
		}
	})
}

// A clock reads every timestamp as it reads alone, whatever it has read before.
func TestClock(t *testing.T) {
	var c clock
	for _, s := range []string{"2026-03-02T09:12:05.478Z", "2026-03-02T09:12:59.000Z", "2026-03-02T09:12:60.000Z", "2026-03-02T09:12:0a.478Z", "2026-03-02T09:12:07.47aZ",
		"2026-03-02T09:13:07.471Z", "2026-03-02T09:12:07.471Z", "2026-03-02T09:12:07,471Z", "2024-02-29T09:12:07.471Z", "2024-02-29T09:12:08.471Z", "2023-02-29T09:12:07.471Z",
		"2026-03-02T24:00:00.000Z", "2026-03-02T24:00:01.000Z", "0001-01-01T00:00:00.000Z", "0001-01-01T00:00:01.000Z", "2026-03-02T09:12:05.478+02:00", "", "2026-03-02T09:12:05.478Z"} {
		want := NoTime
		if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
			want = at.UnixMilli()
		}
		if got := c.millis(record.Str(s)); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
