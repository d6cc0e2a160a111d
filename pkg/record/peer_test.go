package record

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSections(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Section
	}{
		{"none", "hello", nil},
		{"quoted", "see <agent-message from=\"a\">x</agent-message>", nil},
		{"attributes with brackets", `<teammate-message teammate_id="S" summary="a -> b"> x </teammate-message>`,
			[]Section{{Tag: "teammate-message", Attrs: `teammate_id="S" summary="a -> b"`, Body: "x", End: 73}}},
		{"a lone quote in the tag", `<agent-message from="a>x</agent-message>`,
			[]Section{{Tag: "agent-message", Attrs: `from="a`, Body: "x", End: 40}}},
		{"no bracket", `<agent-message from="a"`, []Section{{Tag: "agent-message", Attrs: `from="a"`, End: 23}}},
		{"two, and what stands between and behind", "<agent-message>a</agent-message>\n\n<agent-message>b</agent-message> tail <agent-message>c</agent-message>",
			[]Section{{Tag: "agent-message", Body: "a", End: 32}, {Tag: "agent-message", Body: "b", Start: 34, End: 66}}},
		{"a message inside a notification is part of it", "<task-notification><result><agent-message>x</agent-message></result></task-notification>",
			[]Section{{Tag: Pulse, Body: "<result><agent-message>x</agent-message></result>", End: 88}}},
		{"an unclosed notification is none", "<task-notification>x", nil},
		{"an unclosed message runs to the end", "<agent-message>x\ny ", []Section{{Tag: "agent-message", Body: "x\ny", End: 19}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, Sections(tc.text)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestAttr(t *testing.T) {
	s := Section{Attrs: `from="uds:/x.sock" from-session="s1" hop-chain="" from-name="app-22" note="from=no"`}
	for name, want := range map[string]string{"from": "uds:/x.sock", "from-session": "s1", "hop-chain": "", "from-name": "app-22", "session": "", "name": "", "x": ""} {
		if got := s.Attr(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	s.Attrs = `from="open`
	if got := s.Attr("from"); got != "" {
		t.Errorf("an open value reads as %q", got)
	}
}

func TestTags(t *testing.T) {
	text := "<task-id> b1 </task-id><task-id></task-id><task-id>b2</task-id><task-id>open"
	if d := cmp.Diff([]string{"b1", "b2"}, Tags(text, "task-id")); d != "" {
		t.Error(d)
	}
	for _, tc := range []struct{ text, want string }{
		{"<status>\ncompleted\n</status>", "completed"}, {"<status></status><status>x</status>", ""}, {"<status>open", ""}, {"</status><status>x</status>", "x"}, {"", ""},
	} {
		if got := Tag(tc.text, "status"); got != tc.want {
			t.Errorf("%q gives %q, want %q", tc.text, got, tc.want)
		}
	}
}

// Text of any shape costs a small multiple of its length.
func TestSectionsAreLinear(t *testing.T) {
	for _, unit := range []string{
		"</agent-message><task-notification>", "</agent-message><task-notification \"", "</agent-message><agent-message ", "<task-notification>", "<", "   <agent-message",
		"</task-notification><teammate-message a=\">\"",
	} {
		size := 4 << 20
		if testing.Short() {
			size = 256 << 10
		}
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		Sections(text)
		hasPeerSection(text)
		Tags(text, "task-notification")
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q repeated: %v", unit, took)
		}
	}
}

func FuzzSections(f *testing.F) {
	for _, s := range []string{"<task-notification><summary>x</summary></task-notification>\n<agent-message from=\"a\">hi</agent-message>", "<agent-message", "</agent-message> <cross-session-message \">\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range Sections(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("section %d..%d after %d in %q", s.Start, s.End, end, text)
			}
			if !strings.HasPrefix(text[s.Start:], "<"+s.Tag) || !strings.Contains(text[s.Start:s.End], s.Body) {
				t.Fatalf("%+v is not in %q", s, text)
			}
			end = s.End
			s.Attr("from")
		}
	})
}
