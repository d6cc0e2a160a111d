package shell

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Versions of the three generations.
const (
	gen1 = "2.1.100"
	gen2 = "2.1.258"
	gen3 = "2.1.332"
)

// outcome spells a verdict and the check that gave it.
func outcome(p Prediction) string {
	if p.Checker == "" {
		return p.Verdict.String()
	}
	return p.Verdict.String() + " " + p.Checker
}

// TestPredict gives for each command the outcome under the three generations; one alone
// stands for all.
func TestPredict(t *testing.T) {
	const (
		none      = "no-ask"
		files     = "undecided structured"
		ask       = "ask structured"
		quiet     = "no-ask structured"
		askText   = "ask lexical"
		quietText = "no-ask lexical"
		cwd       = "/home/u/app"
	)
	subs := strings.Repeat("$(true) ", 64)
	for _, tc := range []struct {
		command string
		want    []string
	}{
		// Which check runs: what is too complex is judged by its text.
		{`for d in a; do rm -rf $d/*; done`, []string{quietText, quietText, askText}},
		{`if true; then sh -c 'rm -rf $D/*'; fi`, []string{quietText, quietText, askText}},
		{`sh -c 'rm -rf $D/*'`, []string{none}},
		{`rm -rf build`, []string{files}},
		{`rm -rf ./build`, []string{files}},
		{`echo hi`, []string{none}},
		{``, []string{none}},
		{`for d in a b; do echo $d; done`, []string{none}},
		{"while true; do\nrm -rf /*\ndone", []string{askText}},
		{"until false; do\nrm -rf /\ndone", []string{askText}},
		{"case x in x)\nrm -rf ~/\n;; esac", []string{askText}},
		{"( true\nrm -rf / )", []string{askText}},
		{"{ true\nrm -rf / ; }", []string{askText}},
		{"f() {\nrm -rf \"$1\"/*\n}", []string{askText}},
		{"rm -rf / 'unbalanced", []string{askText}},
		{"cat <<EOF\n$(\nrm -rf /*", []string{askText}},
		{strings.Repeat("a", 10001) + "; rm -rf /*", []string{askText}},
		{strings.Repeat("a", 9000) + "; rm -rf /*", []string{ask}},

		// The text, a clause at a time: only what begins with rm counts, until token by token.
		{"if true; then rm -rf /*; else rm -rf /; fi", []string{quietText, quietText, askText}},
		{"for i in 1; do sudo rm -rf /; done", []string{quietText, quietText, askText}},
		{"while read f; do echo / | xargs rm -rf /; done", []string{quietText, quietText, askText}},
		{"if true; then find / -name x -exec rm {} \\; ; fi", []string{quietText, quietText, askText}},
		{"if true; then find ./src -name x -exec rm {} + ; fi", []string{quietText}},
		{"if true; then find / -name x -print; fi", []string{none}},
		{"true; if x; then y; fi; rm -rf $X/", []string{askText}},
		{"if x; then y; fi; rm -rf ${X}/*", []string{askText}},
		{"if x; then y; fi; rm -rf \"$X\"/*", []string{askText}},
		{"if x; then y; fi; rm -rf $X/build", []string{quietText}},
		{"if x; then y; fi; rm -rf $X", []string{quietText}},
		{"if x; then y; fi; rm -rf $(pwd)/*", []string{askText}},
		{"if x; then y; fi; rm -rf '$(pwd)'/*", []string{quietText}},
		{"if x; then y; fi; rm -- -x /", []string{askText}},
		{"if x; then y; fi; rm *", []string{askText}},
		{"if x; then y; fi; rm -rf $HOME", []string{quietText, quietText, askText}},
		{"if x; then echo 'a; rm -rf /'; fi", []string{quietText}},
		{"if x; then echo a # rm -rf /\nfi", []string{quietText}},
		{"if x; then rmdir /; fi", []string{none}},
		{"if x; then /bin/rm -rf /; fi", []string{quietText, quietText, askText}},

		// Nested scripts, of generation 3, two deep.
		{`if x; then bash -lc "rm -rf \$D/*"; fi`, []string{quietText, quietText, askText}},
		{`if x; then sh -c "sh -c 'rm -rf /'"; fi`, []string{quietText, quietText, askText}},
		{`if x; then sh -c "sh -c \"sh -c 'rm -rf /'\""; fi`, []string{quietText}},
		{`if x; then sh -c 'rm -rf "$1"/*'; fi`, []string{quietText, quietText, askText}},
		{`if x; then sh -c 'rm -rf "$1"/*' _ dir; fi`, []string{quietText}},
		{`if x; then sh -c 'rm -rf "$1"/*' _; fi`, []string{quietText, quietText, askText}},
		{`if x; then ls | xargs sh -c 'rm -rf "$1"/*'; fi`, []string{quietText}},
		{`if x; then ls | xargs -I {} sh -c 'rm -rf "$1"/*'; fi`, []string{quietText, quietText, askText}},
		{`if x; then ls | xargs -n 1 sh -c 'rm -rf "$1"/*'; fi`, []string{quietText, quietText, askText}},
		{`if x; then sh -c 'sh -c "rm -rf $1/*"' _ d; fi`, []string{quietText}},
		{`if x; then sh -c "sh -c 'rm -rf \$1/*'" _ d; fi`, []string{quietText, quietText, askText}},
		{`if x; then sh -c "rm -rf \$/*"; fi`, []string{quietText}},
		{`if x; then sh script.sh -c / rm; fi`, []string{quietText}},

		// The arguments of a removal: places that nothing may remove unasked.
		{`rm -rf /`, []string{ask}},
		{`rm -rf /*`, []string{ask}},
		{`rm -rf "/"`, []string{ask}},
		{`rm -rf /usr`, []string{ask}},
		{`rm -rf /usr/`, []string{ask}},
		{`rm -rf //usr/../etc`, []string{ask}},
		{`rm -rf /usr/local`, []string{files}},
		{`rm -rf /usr/*`, []string{files}},
		{`rm -rf ~`, []string{ask}},
		{`rm -rf ~/`, []string{ask}},
		{`rm -rf ~/*`, []string{ask}},
		{`rm -rf '~'`, []string{files}},
		{`rm -rf ~/x`, []string{files}},
		{`rm -rf /home/u`, []string{ask}},
		{`rm -rf /home/other`, []string{files}},
		{`rm -rf ../..`, []string{ask}},
		{`rm -rf ..`, []string{ask}},
		{`rm -rf C:/`, []string{ask}},
		{`rm -rf 'C:\'`, []string{ask}},
		{`rm -rf C:/x`, []string{files}},
		{`sudo -u root rm -rf /`, []string{ask}},
		{`env A=b nohup timeout -s KILL 5 rm -rf /`, []string{ask}},
		{`/bin/rm -rf /`, []string{ask}},
		{`rm -rf -- /`, []string{ask}},
		{`rm -rf`, []string{quiet}},
		{`rmdir /usr`, []string{ask}},
		{`echo rm -rf /`, []string{none}},
		{`true && rm -rf / || true`, []string{ask}},
		{`true | rm -rf / &`, []string{ask}},
		{`! time rm -rf /`, []string{ask}},
		{`rm -rf build /`, []string{ask}},
		{`rm -rf $D /`, []string{ask}},

		// Targets that the command does not tell.
		{`rm -rf $D`, []string{ask}},
		{`rm -rf "$D/x"`, []string{ask}},
		{`D=/tmp/x; rm -rf $D/y`, []string{files}},
		{`D=/tmp/x && rm -rf "${D}/"*`, []string{files}},
		{`export D=/usr; rm -rf $D`, []string{ask}},
		{`D=; rm -rf $D/*`, []string{ask}},
		{`D=x rm -rf $D`, []string{ask}},
		{`D=$(pwd); rm -rf $D`, []string{ask}},
		{`D=a; D+=b; rm -rf $D`, []string{ask}},
		{`D=a; read D; rm -rf $D`, []string{ask}},
		{`rm -rf ${D:-x}`, []string{ask}},
		{`rm -rf $((1+1))`, []string{ask}},
		{`rm -rf $(ls)`, []string{files, ask, ask}},
		{"rm -rf `ls`", []string{files, ask, ask}},
		{`rm -rf $(if x; then y; fi)`, []string{quietText, ask, ask}},
		{`ls | xargs rm -rf`, []string{files}},

		// A pattern where the command went.
		{`cd x && rm -rf *`, []string{ask}},
		{`cd x; rm -rf build/*.o`, []string{ask}},
		{`cd x; rm -rf '*'`, []string{files}},
		{`cd x; rm -rf /tmp/x/*`, []string{files}},
		{`cd x; rm -rf build`, []string{files}},
		{`rm -rf *`, []string{files}},

		// Substitutions are counted, and looked into, from generation 2 on.
		{subs + "$(true); rm build", []string{files, "ask census", "ask census"}},
		{subs + "; rm build", []string{files}},
		{subs + "$(true); ls", []string{none}},
		{subs + "$(true); charm build", []string{none}},
		{`echo $(rm -rf /)`, []string{none, ask, ask}},
		{`echo $(echo $(rm -rf /))`, []string{none, ask, ask}},
		{"echo `rm -rf /usr`", []string{none, ask, ask}},
		{"if x; then echo $(rm -rf /); fi", []string{quietText, ask, ask}},
		{`echo '$(rm -rf /)'`, []string{none}},
		{`echo "$(rm -rf build)"`, []string{none, files, files}},
	} {
		for i, version := range []string{gen1, gen2, gen3} {
			want := tc.want[min(i, len(tc.want)-1)]
			p := Predict(tc.command, cwd, version)
			if got := outcome(p); got != want {
				t.Errorf("%.70q at %s: %s (%s), want %s", tc.command, version, got, p.Reason, want)
			}
			if p.Gen != i+1 || p.GenAssumed {
				t.Errorf("%s is of generation %d, assumed %v", version, p.Gen, p.GenAssumed)
			}
			if (p.Reason == "") != (p.Checker == "") {
				t.Errorf("%.70q at %s: checker %q, reason %q", tc.command, version, p.Checker, p.Reason)
			}
			if p.Verdict == Undecided && strings.HasPrefix(tc.command, "rm -rf build") && p.Reason != NeedsFiles {
				t.Errorf("%q: %s", tc.command, p.Reason)
			}
		}
	}
}

func TestPredictGeneration(t *testing.T) {
	for version, want := range map[string]string{
		"2.1.207": "1", "2.1.208": "2", "2.1.260": "2", "2.1.261": "3", "2.2.0": "3", "3.0.0": "3", "1.0.128": "1", "2.0.77": "1",
		"2.1.208-beta.4": "2", "2.1.300+build": "3",
		"": "3 assumed", "2.1": "3 assumed", "x.y.z": "3 assumed", "2.1.99999999999999999999": "3 assumed", "-1.0.0": "3 assumed",
	} {
		p := Predict("rm -rf build", "/w", version)
		got := fmt.Sprint(p.Gen)
		if p.GenAssumed {
			got += " assumed"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", version, got, want)
		}
		if p.GenAssumed != strings.Contains(p.Reason, "assumed") {
			t.Errorf("%q: %s", version, p.Reason)
		}
	}
	// Before 2.1.142 substitutions were taken out once, from then on until none was left.
	nested := "if x; then y; fi; rm -rf $(a $(b))/*"
	for version, want := range map[string]string{"2.1.141": "no-ask lexical", "2.1.142": "ask lexical"} {
		if got := outcome(Predict(nested, "", version)); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestCommandSubsts(t *testing.T) {
	for text, want := range map[string][]string{
		`a $(b) c`:           {"b"},
		"a `b` c":            {"b"},
		`$(a $(b) "$(c)")`:   {`a $(b) "$(c)"`, "b", "c"},
		`'$(a)' "$(b)" \$(c`: {"b"},
		`$((1+$(a)))`:        {"a"},
		`$(a (b) c)`:         {"a (b) c"},
		`$(a`:                nil,
		`$(a "`:              nil,
		"`a $(b`":            {"a $(b"},
		`"a 'b $(c)'"`:       {"c"},
		`$(`:                 nil,
		`)`:                  nil,
	} {
		var got []string
		for _, s := range commandSubsts(text) {
			got = append(got, s.body(text))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	deep := strings.Repeat("$(", 20) + "x" + strings.Repeat(")", 20)
	if got, want := replaceSubsts(deep, commandSubsts(deep), maxReplace), strings.Repeat("$(", 4)+substName+strings.Repeat(")", 4); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := stripSubsts("a"+deep+"b", commandSubsts("a"+deep+"b"), true); got != "ab" {
		t.Errorf("%s", got)
	}
}

func FuzzPredict(f *testing.F) {
	for _, s := range []string{
		"rm -rf /", `if x; then sh -c "rm -rf \$D/*" _ a; fi`, "$(a `b` $(c))", "a <<E\n$(x\nE", `"'\`, "for d in a; do rm -rf $d/*; done",
		"find / -exec rm {} \\;", "$((`)`))", "ls | xargs -n1 rm",
	} {
		f.Add(s, "/w", gen3)
	}
	f.Fuzz(func(t *testing.T, command, cwd, version string) {
		p := Predict(command, cwd, version)
		if p != Predict(command, cwd, version) {
			t.Fatal("not the same twice")
		}
		if p.Verdict > Undecided || p.Gen < 1 || p.Gen > 3 || (p.Reason == "") != (p.Checker == "") {
			t.Fatalf("%+v", p)
		}
		if p.Verdict != NoAsk && !strings.Contains(command, "rm") && !strings.ContainsAny(command, "'\"\\\n$\x00\r") {
			t.Fatalf("%q removes nothing: %+v", command, p)
		}
		subs := commandSubsts(command)
		for _, s := range subs {
			_ = s.body(command)
		}
		if left := commandSubsts(stripSubsts(command, subs, true)); len(left) > len(subs) {
			t.Fatalf("%d substitutions, %d once they are taken out", len(subs), len(left))
		}
	})
}
