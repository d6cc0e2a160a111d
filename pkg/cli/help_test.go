package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// helped is a family whose help says something in every section.
func helped() Family {
	f := family(nil)
	t := f.Tools[0]
	t.Long = "One paragraph of words that goes on for a while so that it has to be wrapped at eighty columns.\n\nAnother:\n  kept line\n  kept   line"
	t.Examples = []Example{{"list . -il | csift search 'a | b' | jq -c . | show", "the examples are spelled as the tool was called"}}
	t.Rows = "Each session is one row."
	t.ExitStatus = "124  the time was up\n3  odd"
	t.See = []string{"agents", "search", "csift-list(1)"}
	f.Tools[1].Examples = []Example{{"agents .", "the subagents"}}
	return f
}

func TestHelp(t *testing.T) {
	tests := []struct {
		argv string
		want []string // in this order
		not  []string
	}{
		{"csift-list --help", []string{
			"csift-list: find list\n",
			"\nUsage:\n  csift-list [PATTERN] [TARGET...] [FLAG...]\n",
			"\nOne paragraph of words that goes on for a while so that it has to be wrapped at\neighty columns.\n",
			"\nAnother:\n  kept line\n  kept   line\n",
			"\nFlags:\n  -t, --label SEL           only hits with this label (may be repeated)\n",
			"      --max-count N         the earliest N, the latest N when negative (default\n                            0)\n",
			"      --sort size|time      what comes first\n",
			"      --sessions-from FILE|-\n                            ids of sessions\n",
			"\nFlags of every tool:\n      --claude-home DIR ", "  -h, --help                print this help\n",
			"\nVerbs of csift-list:\n  list        find list\n  agents      find agents\n",
			"\nExamples:\n  csift-list . -il | csift-search 'a | b' | jq -c . | csift-show\n      the examples",
			"\nRows:\n  In: without a target", "Each session is one row.\n",
			"\nExit status:\n  0     it worked", "\n  1     ", "\n  2     ", "\n  3     odd\n", "\n  124   the time was up\n", "\n  141   ",
			"\nEnvironment:\n  CLAUDE_CODE_SESSION_ID",
			"\nSee also:\n  csift-list agents, csift-search, csift-list(1)\n",
		}, []string{"additional-context"}},
		{"csift list --help", []string{"csift list: find list\n", "  csift list [PATTERN]", "  csift list . -il | csift search 'a | b' | jq -c . | csift show\n", "  csift agents, csift search"}, []string{"Verbs of"}},
		{"csift-list agents --help", []string{"csift-list agents: find agents\n", "Verbs of csift-list:", "  csift-list agents .\n"}, nil},
		{"csift-agents --help", []string{"csift-agents: find agents\n", "  csift-list agents .\n"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.argv, func(t *testing.T) {
			w := newWorld(t)
			if code := Main(helped(), strings.Fields(tt.argv), w.System); code != 0 {
				t.Fatalf("exit %d", code)
			}
			help := contents(t, w.out)
			rest := help
			for _, s := range tt.want {
				i := strings.Index(rest, s)
				if i < 0 {
					t.Fatalf("%q is missing, or not in its place:\n%s", s, help)
				}
				rest = rest[i+len(s)-1:]
			}
			for _, s := range tt.not {
				if strings.Contains(help, s) {
					t.Errorf("%q should not be there:\n%s", s, help)
				}
			}
			for _, l := range strings.Split(help, "\n") {
				if utf8.RuneCountInString(l) > helpWidth || strings.TrimRight(l, " ") != l {
					t.Errorf("line too wide, or with blanks at its end: %q", l)
				}
			}
		})
	}
}

func TestLint(t *testing.T) {
	if bad := Lint(helped()); len(bad) > 0 {
		t.Errorf("a good family: %q", bad)
	}
	f := helped()
	f.Tools[0].Summary = "Ends."
	f.Tools[0].Examples = []Example{{"list --zzz", "x"}, {"list . | agents --cap x", "y"}, {"list", ""}, {"list |  | show", "z"}, {"show | csift agents --cap y", "z"}}
	f.Tools[1].Examples = nil
	f.Tools[1].New = func() any {
		return &struct {
			X string `long:"xx" description:"With a period."`
			Y bool   `long:"format" description:"twin"`
		}{}
	}
	f.Tools = append(f.Tools, &Tool{Name: "stats", Summary: "count", Examples: []Example{{"stats", "counts"}}, New: func() any {
		return &struct {
			T []string `long:"type" description:"a type; may be repeated"`
		}{}
	}})
	f.Name = "csift-other"
	want := []string{"list: the summary", "list: names.go", `list: example "list --zzz": unknown flag`, `list: example "list . | agents --cap x"`, `list: example "show | csift agents --cap y"`,
		"stats: --type: that it may be repeated",
		`list: example "list": it is not said`, "agents: names.go", "agents: flag --format is declared twice"}
	bad := Lint(f)
	for _, s := range want {
		found := false
		for _, b := range bad {
			found = found || strings.HasPrefix(b, s)
		}
		if !found {
			t.Errorf("%q is not complained of: %q", s, bad)
		}
	}
}

func TestShellWords(t *testing.T) {
	got := shellWords(`search 'a b'  "c'd" e\ '' x"y z"`)
	if s := strings.Join(got, "|"); s != `search|a b|c'd|e\||xy z` {
		t.Errorf("%s", s)
	}
}
