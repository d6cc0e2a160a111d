package label

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, include, exclude string) Filter {
	t.Helper()
	f, err := ParseFilter(strings.Fields(include), strings.Fields(exclude))
	if err != nil {
		t.Fatalf("ParseFilter(%q, %q): %v", include, exclude, err)
	}
	return f
}

func TestPick(t *testing.T) {
	const live, gone, withheld = "live", "abandoned", "withheld"
	answer := []Leaf{UserAnswer, AgentToolResult}
	for _, c := range []struct {
		include, exclude string
		leaves           []Leaf
		state            string
		want             Leaf
	}{
		{"", "", answer, live, UserAnswer},
		{"", "", answer, gone, UserAnswer},
		{"", "", answer, withheld, UserAnswer},
		{"", "", nil, live, None},
		{"", "", []Leaf{None}, live, None},
		{"user", "", answer, live, UserAnswer},
		{"agent", "", answer, live, AgentToolResult},
		{"agent.tool", "", answer, live, AgentToolResult},
		{"agent.tool.result", "", answer, live, AgentToolResult},
		{"agent.tool.use", "", answer, live, None},
		{"", "user", answer, live, AgentToolResult},
		{"", "user.answer", answer, live, AgentToolResult},
		{"user agent", "user.answer", answer, live, AgentToolResult},
		{"user", "user.message", answer, live, UserAnswer},

		// The face: visible, delivered, not abandoned. A glob and a leaf reach all.
		{"user", "", []Leaf{UserUnsent}, live, None},
		{"user.*", "", []Leaf{UserUnsent}, gone, UserUnsent},
		{"user.unsent", "", []Leaf{UserUnsent}, gone, UserUnsent},
		{"user", "", []Leaf{UserMessage}, gone, None},
		{"user.message", "", []Leaf{UserMessage}, gone, UserMessage},
		{"agent.message", "", []Leaf{AgentMessagePlain}, withheld, None},
		{"agent.message.*", "", []Leaf{AgentMessagePlain}, withheld, AgentMessagePlain},
		{"agent.message", "", []Leaf{AgentMessageStructured}, withheld, AgentMessageStructured},
		{"agent", "", []Leaf{AgentMessageStructured}, withheld, AgentMessageStructured},
		{"agent", "", []Leaf{AgentMessageStructured}, gone, None},
		{"harness.hook", "", []Leaf{HarnessHookOutcome}, live, None},
		{"harness.system", "", []Leaf{HarnessSystemCommand}, live, HarnessSystemCommand},

		// An excluded face leaves what is outside it.
		{"", "user", []Leaf{UserMessage}, gone, UserMessage},
		{"", "user", []Leaf{UserUnsent}, gone, UserUnsent},
		{"", "user.*", []Leaf{UserUnsent}, gone, None},
		{"user.*", "user", []Leaf{UserMessage}, live, None},
		{"user.*", "user", []Leaf{UserMessage}, gone, UserMessage},
		{"", "agent.message", []Leaf{AgentMessageStructured}, withheld, None},
	} {
		f := parse(t, c.include, c.exclude)
		got, ok := f.Pick(c.leaves, c.state != withheld, c.state == gone)
		if got != c.want || ok != (c.want != None) {
			t.Errorf("-t %q -T %q on %v, %s: %v, %v; want %v", c.include, c.exclude, c.leaves, c.state, got, ok, c.want)
		}
	}
	if l, ok := (Filter{}).Pick(answer, true, false); l != UserAnswer || !ok {
		t.Errorf("the zero Filter picks %v, %v", l, ok)
	}
}

func TestReads(t *testing.T) {
	for _, c := range []struct {
		include, exclude   string
		leaf               Leaf
		reads, attachments bool // without and with all attachments
	}{
		{"", "", UserMessage, true, true},
		{"", "", HarnessTurnDuration, false, false},
		{"", "", HarnessHookContext, false, true},
		{"", "", AgentMessageStructured, true, true},
		{"", "", HarnessCompactionBoundary, true, true},
		{"", "user", HarnessTurnDuration, false, false},
		{"", "harness.hook.*", HarnessHookContext, false, false},
		{"harness.turn.duration", "", HarnessTurnDuration, true, true},
		{"harness.turn.*", "", HarnessTurnDuration, true, true},
		{"harness.turn", "", HarnessTurnDuration, false, false},
		{"harness", "", HarnessTurnDuration, false, false},
		{"harness", "", HarnessSystemCommand, true, true},
		{"harness.system", "", HarnessSystemCommand, true, true},
		{"harness.system", "", HarnessSystemKill, false, false},
		{"harness", "", HarnessHookContext, true, true},
		{"harness", "", HarnessHookOutcome, false, false},
		{"harness.hook.*", "harness.hook.outcome", HarnessHookOutcome, false, false},
		{"user", "", HarnessHookContext, false, false},
		{"user", "", UserQueued, false, false},
		{"user.*", "", UserQueued, true, true},
		{"user", "", AgentMessageStructured, false, false},
	} {
		f := parse(t, c.include, c.exclude)
		if f.Reads(c.leaf, false) != c.reads || f.Reads(c.leaf, true) != c.attachments {
			t.Errorf("-t %q -T %q: Reads(%v) = %v, %v", c.include, c.exclude, c.leaf, f.Reads(c.leaf, false), f.Reads(c.leaf, true))
		}
	}
	for _, c := range []struct {
		include            string
		leaf               Leaf
		reads, attachments bool
	}{
		{"", UserMessage, true, true},
		{"", AgentMessageStructured, true, true},
		{"", HarnessContextSkill, false, true},
		{"", HarnessContextFile, false, true},
		{"harness.context", HarnessContextSkill, true, true},
		{"user", HarnessContextSkill, false, false},
		{"agent", UserMessage, false, false},
		{"", None, false, false},
	} {
		f := parse(t, c.include, "")
		if f.ReadsPayload(c.leaf, false) != c.reads || f.ReadsPayload(c.leaf, true) != c.attachments {
			t.Errorf("-t %q: ReadsPayload(%v) = %v, %v", c.include, c.leaf, f.ReadsPayload(c.leaf, false), f.ReadsPayload(c.leaf, true))
		}
	}
	if got := len(parse(t, "", "").Unread(false)); got != 32 {
		t.Errorf("a plain scan leaves %d gated leaves unread, want 32", got)
	}
	if got := len(parse(t, "", "").Unread(true)); got != 23 {
		t.Errorf("a scan of attachments leaves %d gated leaves unread, want 23", got)
	}
	if got := parse(t, "user.* agent.* harness.*", "").Unread(false); got != nil {
		t.Errorf("a scan for everything leaves %v unread", got)
	}
}

func TestFilterSays(t *testing.T) {
	f := parse(t, "user harness.bookkeeping", "user.queued")
	if !f.Any() || parse(t, "", "").Any() || !parse(t, "", "user").Any() || (Filter{}).Any() {
		t.Error("Any is wrong")
	}
	if d := cmp.Diff([]string{"user", "harness.bookkeeping"}, f.Included()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"user.queued"}, f.Excluded()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"harness.bookkeeping"}, f.EmptyFaces()); d != "" {
		t.Error(d)
	}
	if got := parse(t, "harness.bookkeeping.* harness.turn.*", "").EmptyFaces(); got != nil {
		t.Errorf("globs have empty faces: %v", got)
	}
	// Two categories have no visible leaf; no role is without one.
	if got := parse(t, "user agent harness harness.turn harness.bookkeeping", "").EmptyFaces(); !cmp.Equal(got, []string{"harness.turn", "harness.bookkeeping"}) {
		t.Errorf("EmptyFaces = %v", got)
	}
}

func TestFilterErrors(t *testing.T) {
	for _, c := range []struct{ include, exclude, want string }{
		{"user", "user.*", "takes away every label"},
		{"user", "user", "takes away every label"},
		{"user.message", "user.message", "takes away every label"},
		{"user.message", "user.*", "takes away every label"},
		{"agent.tool", "agent.tool.use agent.tool.result", "takes away every label"},
		{"", "user.* agent.* harness.*", "leaves no label"},
		{"harness.meta", "", "harness.hook"},
		{"harness.meta.*", "", "harness.system.*"},
		{"harness.meta.loop", "", "harness.schedule.wakeup"},
		{"harness.meta.snapshot", "", "harness.bookkeeping.file-history"},
		{"harness.meta.anything", "", "harness.bookkeeping.*"},
		{"thinking", "", "agent.thinking"},
		{"tool", "", "agent.tool.use"},
		{"tool-response", "", "agent.tool.result"},
		{"harness.schedule.continuation", "", "harness.resume.prompt"},
		{"", "thinking", "-T thinking"},
		{"", "nonsense", "-T \"nonsense\""},
		{"User", "", "did you mean user?"},
		{"message", "", "did you mean agent.message or user.message?"},
		{"use", "", "did you mean agent.tool.use?"},
		{"agent.tol.use", "", "did you mean agent.tool.use?"},
		{"user,agent", "", "once for each"},
		{"user.message.*", "", "did you mean user.message?"},
		{"*", "", "valid: user, agent, harness"},
		{".*", "", "valid: "},
		{"agent.", "", "valid: "},
		{"agent.to", "", "valid: "},
		{"agent.*.use", "", "valid: "},
		{"nonsense", "", "harness.bookkeeping.queue"},
	} {
		_, err := ParseFilter(strings.Fields(c.include), strings.Fields(c.exclude))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("-t %q -T %q: %v; want an error with %q", c.include, c.exclude, err, c.want)
		}
	}
	if _, err := ParseFilter([]string{""}, nil); err == nil {
		t.Error("an empty selector gave no error")
	}
	for _, ok := range [][2]string{
		{"user", "user.message"}, {"user.*", "user"}, {"harness.bookkeeping", ""}, {"harness.bookkeeping", "user.*"},
		{"user harness.bookkeeping", "harness.bookkeeping.*"},
	} {
		parse(t, ok[0], ok[1])
	}
}

func FuzzParseFilter(f *testing.F) {
	f.Add("user agent.tool", "user.message")
	f.Add("harness.meta.x.*", "*")
	f.Fuzz(func(t *testing.T, include, exclude string) {
		filter, err := ParseFilter(strings.Split(include, " "), strings.Fields(exclude))
		if err != nil {
			return
		}
		for _, l := range All() {
			if filter.Keeps(l, true, false) && !filter.Reaches(l) {
				t.Fatalf("-t %q -T %q keeps %v and does not reach it", include, exclude, l)
			}
		}
	})
}

func BenchmarkPick(b *testing.B) {
	f, err := ParseFilter([]string{"agent"}, []string{"agent.tool.use"})
	if err != nil {
		b.Fatal(err)
	}
	leaves := []Leaf{UserAnswer, AgentToolResult}
	for b.Loop() {
		f.Pick(leaves, true, false)
	}
}
