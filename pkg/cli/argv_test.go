package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parsed parses args into fresh options the way Main does.
func parsed(args []string) (*searchOptions, line, error) {
	o := new(searchOptions)
	flags, err := bind(o, new(rootOptions))
	if err != nil {
		return o, line{}, err
	}
	l, err := splitArgs(flags, args)
	if err != nil {
		return o, l, err
	}
	for _, s := range l.settings {
		if err := s.apply(); err != nil {
			return o, l, err
		}
	}
	return o, l, nil
}

func TestArgs(t *testing.T) {
	with := func(f func(*searchOptions)) searchOptions {
		o := searchOptions{Cap: 200}
		f(&o)
		return o
	}
	none := with(func(*searchOptions) {})
	tests := []struct {
		args  string
		want  searchOptions
		words string
		dash  int
	}{
		{"", none, "", -1},
		{"P .", none, "P .", -1},
		{"P . -t user", with(func(o *searchOptions) { o.Label = []string{"user"} }), "P .", -1},
		{"-t user P --label=agent.tool .", with(func(o *searchOptions) { o.Label = []string{"user", "agent.tool"} }), "P .", -1},
		{"-tuser -Tagent.tool -t=x-y", with(func(o *searchOptions) { o.Label, o.LabelNot = []string{"user", "x-y"}, []string{"agent.tool"} }), "", -1},
		{"-il", with(func(o *searchOptions) { o.Ignore, o.List = true, true }), "", -1},
		{"-iFt user", with(func(o *searchOptions) { o.Ignore, o.Fixed, o.Label = true, true, []string{"user"} }), "", -1},
		{"-itharness", with(func(o *searchOptions) { o.Ignore, o.Label = true, []string{"harness"} }), "", -1},
		{"-Users-x-proj", none, "-Users-x-proj", -1},
		{"-tmp-proj -tmp -Tank-x -i-x -c-c -root -home-u -Fast", none, "-tmp-proj -tmp -Tank-x -i-x -c-c -root -home-u -Fast", -1},
		{"--turn -3..", with(func(o *searchOptions) { o.Turn = "-3.." }), "", -1},
		{"--turn=-3.. --max-count -1", with(func(o *searchOptions) { o.Turn, o.MaxCount = "-3..", -1 }), "", -1},
		{"--max-count +5 --max-count 007 --cap 010", with(func(o *searchOptions) { o.MaxCount, o.Cap = 7, 10 }), "", -1},
		{"--turn --1", with(func(o *searchOptions) { o.Turn = "--1" }), "", -1},
		{`--turn="a`, with(func(o *searchOptions) { o.Turn = `"a` }), "", -1},
		{`--turn="a\n"`, with(func(o *searchOptions) { o.Turn = `"a\n"` }), "", -1},
		{"--turn=--cap=3", with(func(o *searchOptions) { o.Turn = "--cap=3" }), "", -1},
		{"--sessions-from -", with(func(o *searchOptions) { o.From = "-" }), "", -1},
		{"P - @x", none, "P - @x", -1},
		{"-i -- -t --zzz -", with(func(o *searchOptions) { o.Ignore = true }), "-t --zzz -", 0},
		{"P -- -x --", none, "P -x --", 1},
		{"--", none, "", 0},
		{"--sort time", with(func(o *searchOptions) { o.Sort = "time" }), "", -1},
		{"--additional-context", with(func(o *searchOptions) { o.Secret = true }), "", -1},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			o, l, err := parsed(strings.Fields(tt.args))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *o); diff != "" {
				t.Error(diff)
			}
			if got := strings.Join(l.words, " "); got != tt.words || l.dashAt != tt.dash {
				t.Errorf("words %q, dash at %d", got, l.dashAt)
			}
		})
	}
}

func TestArgErrors(t *testing.T) {
	tests := []struct{ args, want, hint string }{
		{"--max-cout 3", "unknown flag --max-cout", "did you mean --max-count?"},
		{"--lable=x", "unknown flag --lable", "did you mean --label?"},
		{"--sessions", "unknown flag --sessions", "did you mean --sessions-with-matches?"},
		{"--sessions-w", "unknown flag --sessions-w", "did you mean --sessions-with-matches?"},
		{"--server-share", "unknown flag --server-share", ""},
		{"--additional", "unknown flag --additional", ""},
		{"--=x", "unknown flag --", ""},
		{"---", "unknown flag ---", ""},
		{"-x", "unknown flag -x", "@-x is the project directory of that name"},
		{"-x.y", "unknown flag -x.y", ""},
		{"-3..", "unknown flag -3..", ""},
		{"-ix.y", "unknown flag -ix.y", ""},
		{"-label", "unknown flag -label", "write --label, or @-label for the project directory of that name"},
		{"-max-count 3", "unknown flag -max-count", "write --max-count, or @-max-count for the project directory of that name"},
		{"--turn", "--turn needs a value: --turn SPEC", ""},
		{"-t", "-t needs a value: -t SEL", ""},
		{"--turn=", "--turn needs a value: --turn SPEC", ""},
		{"--turn --", "--turn needs a value, and -- follows it", "a value that looks like a flag is joined with =: --turn=--"},
		{"--turn --cap 3", "--turn needs a value, and --cap follows it", "a value that looks like a flag is joined with =: --turn=--cap"},
		{"--turn --cap=3", "--turn needs a value, and --cap=3 follows it", "a value that looks like a flag is joined with =: --turn=--cap=3"},
		{"-it -c", "-t needs a value, and -c follows it", "a value that looks like a flag is joined with =: -t=-c"},
		{"--ignore-case=yes", "--ignore-case takes no value", ""},
		{"--max-count three", `--max-count needs a whole number, not "three"`, ""},
		{"--max-count 0x10", `--max-count needs a whole number, not "0x10"`, ""},
		{"--max-count 1_000", `--max-count needs a whole number, not "1_000"`, ""},
		{"--max-count -", `--max-count needs a whole number, not "-"`, ""},
		{"--max-count=", `--max-count needs a whole number, not ""`, ""},
		{"--max-count 99999999999999999999", "--max-count 99999999999999999999: the number is too large", ""},
		{"--cap -1", `--cap needs a whole number from 0 up, not "-1"`, ""},
		{"--sort name", `--sort takes size or time, not "name"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			_, _, err := parsed(strings.Fields(tt.args))
			if err == nil {
				t.Fatal("no error")
			}
			if err.Error() != tt.want || codeOf(err) != ExitUsage || strings.Join(hintsOf(err), "|") != tt.hint {
				t.Errorf("got %q, exit %d, hints %q", err, codeOf(err), hintsOf(err))
			}
		})
	}
}

// A spec is an option type with a grammar of its own.
type spec struct{ n int }

func (s *spec) UnmarshalFlag(v string) error {
	if v != "-3.." {
		return WithHint(errors.New("a range is A..B"), "write 1..3")
	}
	s.n = 3
	return nil
}

func TestOwnTypes(t *testing.T) {
	var o struct {
		Turn *spec `long:"turn" value-name:"SPEC" description:"turns"`
		List []int `long:"line" value-name:"N" description:"lines"`
	}
	flags, err := bind(&o, new(rootOptions))
	if err != nil {
		t.Fatal(err)
	}
	l, err := splitArgs(flags, []string{"--turn", "-3..", "--line", "3", "--line=4"})
	for _, s := range l.settings {
		err = errors.Join(err, s.apply())
	}
	if err != nil || o.Turn == nil || o.Turn.n != 3 || fmt.Sprint(o.List) != "[3 4]" {
		t.Errorf("%v %+v", err, o)
	}
	l, _ = splitArgs(flags, []string{"--turn", "x"})
	err = l.settings[0].apply()
	if err == nil || err.Error() != "--turn x: a range is A..B" || codeOf(err) != 2 || hintsOf(err)[0] != "write 1..3" {
		t.Errorf("%v %v", err, hintsOf(err))
	}
}

func TestBindRefusesTwins(t *testing.T) {
	var long struct {
		X string `long:"format"`
	}
	var short struct {
		X bool `short:"h" long:"human"`
	}
	for _, o := range []any{&long, &short} {
		if _, err := bind(o, new(rootOptions)); err == nil {
			t.Errorf("%+v hides a flag of every tool", o)
		}
	}
}

func TestCompletionVariable(t *testing.T) {
	t.Setenv("GO_FLAGS_COMPLETION", "1")
	if o, _, err := parsed([]string{"--cap", "3"}); err != nil || o.Cap != 3 {
		t.Errorf("%v %+v", err, o)
	}
}

func TestNearest(t *testing.T) {
	verbs := []string{"list", "search", "show", "stats", "verbatim"}
	for typed, want := range map[string]string{
		"serch": "search", "saerch": "search", "lsit": "list", "shwo": "show", "stat": "stats",
		"verb": "verbatim", "s": "", "zzz": "", "": "", "searching": "search", "LIST": "",
	} {
		if got, _ := Nearest(typed, verbs); got != want {
			t.Errorf("%s: got %q, want %q", typed, got, want)
		}
	}
	if d := distance(strings.Repeat("x", 500), "y"); d != 501 {
		t.Errorf("a very long word: %d", d)
	}
}

func FuzzArgs(f *testing.F) {
	f.Add("P . -t user --turn -3.. -- x")
	f.Add("-itx.y --max-count=-1 -Users-x")
	f.Add("--turn= -t=\xff -é --é=ü")
	f.Fuzz(func(t *testing.T, s string) {
		_, l, err := parsed(strings.Split(s, " "))
		if err != nil {
			if codeOf(err) != ExitUsage || err.Error() == "" {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		if l.dashAt > len(l.words) {
			t.Errorf("%q: dash at %d of %d", s, l.dashAt, len(l.words))
		}
	})
}
