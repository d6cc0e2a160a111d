package replay

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func patches(r *Result) (all []string) {
	for _, s := range r.Segments {
		end := "end"
		if s.End != nil {
			end = s.End.Cause
		}
		all = append(all, fmt.Sprintf("%d L%d..L%d known %v changed %v %s to %s\n%s", s.Index, s.First.Line, s.Last.Line, s.PreKnown, s.Changed,
			s.Anchor, end, Diff("a", "b", s.Before, s.After)))
	}
	return all
}

// TestAfterRemoval is a file that was read, edited, edited in vain, edited everywhere and removed.
func TestAfterRemoval(t *testing.T) {
	r := Run(at(
		readOf("rook one\nrook two\nend", 1, 3, 3),
		editOf("end", "the end"),
		Event{Kind: Failed, Note: "string_not_found"},
		all(editOf("rook", "raven")),
		Event{Kind: Mutation, Detail: "rm (cwd-joined)"},
	), Options{Segments: true})
	b, ok := r.Buffer.Bytes()
	if want := "raven one\nraven two\nthe end"; !ok || string(b) != want {
		t.Fatalf("%q %v, want %q", b, ok, want)
	}
	want := []string{`1 L1..L4 known true changed true read to bash_mutation
--- a
+++ b
@@ -1,3 +1,3 @@
-rook one
-rook two
-end
\ No newline at end of file
+raven one
+raven two
+the end
\ No newline at end of file
`}
	if diff := cmp.Diff(want, patches(r)); diff != "" {
		t.Error(diff)
	}
	if r.LastWrite == nil || r.LastWrite.Line != 4 || r.Richer != nil || r.Fragments() != 1 || r.Soft() != 1 {
		t.Errorf("%+v %+v %d %d", r.LastWrite, r.Richer, r.Fragments(), r.Soft())
	}
}

func TestSegments(t *testing.T) {
	created := writeOf("a\nb\n")
	created.Create = true
	for _, c := range []struct {
		name   string
		events []Event
		want   []string
	}{
		{"a new file", at(created), []string{"1 L1..L1 known true changed true write to end\n--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n+b\n"}},
		{"written over what nobody saw", at(writeOf("a\n")), []string{"1 L1..L1 known false changed true write to end\n--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n"}},
		{
			"a window that comes later is no addition",
			at(readOf("a\nb", 1, 2, 6), editOf("a", "x\ny", hunkOf(1, 1, "-a", "+x", "+y", " b")), readOf("e", 6, 1, 7), editOf("e", "E", hunkOf(6, 6, "-e", "+E"))),
			[]string{"1 L1..L4 known true changed true read-window to end\n--- a\n+++ b\n@@ -1,2 +1,3 @@\n-a\n+x\n+y\n b\n@@ -5 +6 @@\n-e\n+E\n"},
		},
		{
			"no patch crosses a boundary",
			at(full("a\n"), writeOf("b\n"), kind(Mutation), full("c\n"), writeOf("d\n"), kind(Rejected), full("e\n"), writeOf("f\n")),
			[]string{
				"1 L1..L2 known true changed true write to bash_mutation\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
				"2 L4..L5 known true changed true write to modified_since_read\n--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n",
				"3 L7..L8 known true changed true write to end\n--- a\n+++ b\n@@ -1 +1 @@\n-e\n+f\n",
			},
		},
		{
			"a change that only a read shows is in no patch",
			at(full("a\n"), writeOf("b\n"), full("c\n"), writeOf("d\n")),
			[]string{
				"1 L1..L2 known true changed true write to end\n--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n",
				"2 L3..L4 known true changed true write to end\n--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n",
			},
		},
		{"only looked at", at(full("a\n")), []string{"1 L1..L1 known true changed false read to end\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, patches(Run(c.events, Options{Segments: true}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRicher(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []Event
		want   *Richer
	}{
		{"nothing was lost", at(full("a\n"), kind(Mutation)), nil},
		{"a file", at(full("a\nb\n"), kind(External), readOf("x", 1, 1, 3)), &Richer{Line: 1, Known: 2, Seen: 2, Complete: true}},
		{"found again", at(full("a\nb\n"), kind(External), full("x\n")), nil},
		{"the best of two", at(full("a\nb\n"), kind(External), readOf("x", 1, 1, 3), kind(Hint)), &Richer{Line: 1, Known: 2, Seen: 2, Complete: true}},
		{"the later of two alike", at(full("a\n"), kind(External), full("x\n"), kind(Hint)), &Richer{Line: 3, Known: 1, Seen: 1, Complete: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Run(c.events, Options{}).Richer
			if got != nil {
				got.Before = Boundary{}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	noon := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	event := func(session string, line, minute int) Event {
		e := Event{At: Place{Session: session, SourceLine: line}}
		if minute >= 0 {
			e.At.Time = noon.Add(time.Duration(minute) * time.Minute)
		}
		return e
	}
	main := []Event{event("m", 3, 0), event("m", 5, -1), event("m", 5, -1), event("m", 9, 9)}
	agent := []Event{event("x", 1, 0), event("x", 2, 7), event("x", 4, 5), event("x", 6, 9)}
	order := func(all []Event) (out []string) {
		for _, e := range all {
			out = append(out, fmt.Sprintf("%d=%s%d", e.At.Line, e.At.Session, e.At.SourceLine))
		}
		return out
	}
	// The agent's file has its record of 12:05 behind that of 12:07: what a file says first happened first.
	want := []string{"1=m3", "2=m5", "2=m5", "3=x1", "4=x2", "5=x4", "6=m9", "7=x6"}
	if diff := cmp.Diff(want, order(Merge(main, agent))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"3=m3", "5=m5", "5=m5", "9=m9"}, order(Merge(nil, main))); diff != "" {
		t.Error(diff)
	}
	if got := Merge(); len(got) != 0 {
		t.Error(got)
	}
}

func TestDiff(t *testing.T) {
	state := func(events ...Event) *Buffer { return Run(at(events...), Options{}).Buffer }
	for _, c := range []struct {
		name string
		a, b *Buffer
		want string
	}{
		{"the same", state(full("a\n")), state(full("a\n")), ""},
		{"nothing to nothing", state(), state(), ""},
		{"all lines are context", state(full("a\nb\nc\nd\ne\nf\n")), state(full("a\nb\nc\nd\ne\nF\n")), "@@ -1,6 +1,6 @@\n a\n b\n c\n d\n e\n-f\n+F\n"},
		{"the newline", state(full("a")), state(full("a\n")), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"emptied", state(full("a\n")), state(writeOf("")), "@@ -1 +0,0 @@\n-a\n"},
		{
			"around gaps",
			state(readOf("a\nb", 2, 2, 9), readOf("x", 8, 1, 9)), state(readOf("a\nb\nc", 2, 3, 10), readOf("y", 9, 1, 10)),
			"@@ -2,2 +2,3 @@\n a\n b\n+c\n@@ -8 +9 @@\n-x\n+y\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want != "" {
				want = "--- a\n+++ b\n" + want
			}
			if diff := cmp.Diff(want, Diff("a", "b", c.a, c.b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBytesWith(t *testing.T) {
	for _, c := range []struct {
		event   Event
		newline bool
		want    string
		ok      bool
	}{
		{cat("a\nb", 1, 0), true, "a\nb\n", true},
		{cat("a\nb", 1, 0), false, "a\nb", true},
		{full("a"), true, "a", true},
		{full("a\n"), false, "a\n", true},
		{readOf("", 1, 0, 0), true, "", true},
		{readOf("a", 1, 1, 2), true, "", false},
	} {
		b := Run(at(c.event), Options{}).Buffer
		if got, ok := b.BytesWith(c.newline); string(got) != c.want || ok != c.ok {
			t.Errorf("%q %v: %q %v", c.event.Text, c.newline, got, ok)
		}
	}
}
