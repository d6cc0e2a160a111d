package shell

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// squeeze drops what a word may lose or gain between the command and a path:
// quotes, the dollar of $'...', backslashes and blanks.
func squeeze(s string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("$'\"\\ \t\r\n\x00", c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, "?"))
}

var seeds = []string{
	"cd src && cat > a.txt <<'EOF'\nit's\nEOF\nsed -i '' 's/a/b/' a.txt; rm -rf \"$D/x\" ~/y /z",
	"(cd a; pushd b; touch c) | tee -a log 2>&1 & popd",
	"git commit -m \"$(cat <<'EOF'\nIt's\nEOF\n)\" && npm ci && npx prettier --write src/*.ts",
	"python3 - <<PY\np='a.py'\nfor f in ['b', \"c\"]:\n  open(f,'w')\nPath(p).write_text('$X')\nPY",
	"bash -c \"sh -c 'rm \\\"x y\\\"'\" ; eval 'cd q; rm '$z; f() { f; mv a b; }; f",
	"for i in 1 2; do cd x; for j in 3; do touch y; done; done; case $x in a) rm b;; esac",
	"find . -name '*.go' -exec sed -i 's/a/b/' {} \\; | xargs -I{} cp {} {}.bak",
	"echo 'open > f; cat <<A <<-\"B\" ; rm `x",
	"node -e \"fs.writeFileSync(`a`, /['\\\"]/)\"; ruby -e 'File.write \"x\", <<~E\nE\n'",
	"tar czf o.tgz d; dd of=img; curl -sLo out u; printf '%s\\n' a b > f; truncate -s 0 g; head -n 5 h",
	"env -C d sudo -u x nice -n 5 timeout 3 rm a >| b 2>> c &> d >& e <> f {fd}> g",
	"sed -n '1,5p' f", "cat > f <<E\n\\\nE\nE", "$'a\\tb' > $'c' \"$(rm `rm a`)\" ${x:-$(rm b)} >$(rm c)",
	"C:\\x\\y > C:\\a\\b; rm 'D:\\q\\..\\z' '\\\\s\\h\\f'",
	"if [[ -f x ]]; then (( a > b )) && echo $(( 1 << 2 )) > o; fi", "for f (a b) touch $f", ">0$'0'$\"1\"", ">0$^^^(0)",
}

func FuzzOps(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cmd string) {
		all := Ops(cmd, "/w")
		if diff := cmp.Diff(all, Ops(cmd, "/w")); diff != "" {
			t.Fatalf("two answers: %s", diff)
		}
		words := squeeze(cmd)
		seen := map[[2]string]bool{}
		for _, o := range all {
			if key := [2]string{o.Path, o.Verb}; seen[key] {
				t.Fatalf("%q twice", key)
			} else {
				seen[key] = true
			}
			if o.Marker {
				if o.Resolution != "" || o.Verbatim != "" || o.Effect != None || !strings.HasPrefix(o.Path, o.Verb+":") {
					t.Fatalf("marker %+v", o)
				}
				continue
			}
			typed := o.Verbatim
			if typed == "" {
				typed = o.Path
			}
			if !strings.Contains(words, squeeze(typed)) {
				t.Fatalf("%q is no word of %q", typed, cmd)
			}
			switch o.Resolution {
			case Absolute:
				if clean(typed) != o.Path {
					t.Fatalf("%+v", o)
				}
			case CwdJoined:
				if path.Join("/w", typed) != o.Path {
					t.Fatalf("%+v", o)
				}
			case CdTracked:
				if !absolute(o.Path) {
					t.Fatalf("%+v", o)
				}
			case Unresolved:
				if o.Verbatim != "" {
					t.Fatalf("%+v", o)
				}
			default:
				t.Fatalf("%+v", o)
			}
			if o.Effect == None {
				t.Fatalf("%+v", o)
			}
		}
	})
}

func FuzzAnchors(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cmd string) {
		ops := map[string]int{}
		for _, o := range Ops(cmd, "/w") {
			ops[o.Path]++
		}
		seen := map[string]bool{}
		flat := strings.ReplaceAll(cmd, "\t", "")
		for _, a := range Anchors(cmd, "/w") {
			switch {
			case a.Resolution == Unresolved || !absolute(a.Path) || seen[a.Path]:
				t.Fatalf("%+v", a)
			case a.Kind == ReadAnchor:
				if !a.Simple || a.From < 1 || a.To != 0 && a.To < a.From || len(ops) > 0 {
					t.Fatalf("%+v %v", a, ops)
				}
			case ops[a.Path] != 1:
				t.Fatalf("%+v: %d ops", a, ops[a.Path])
			case a.Label == LabelHeredoc && !strings.Contains(flat, strings.ReplaceAll(string(a.Body), "\t", "")):
				t.Fatalf("%q is not in %q", a.Body, cmd)
			}
			seen[a.Path] = true
		}
	})
}

// TestBounded has commands that nest, repeat or break a million times.
func TestBounded(t *testing.T) {
	n := 1 << 17
	if testing.Short() {
		n = 1 << 14
	}
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	for name, cmd := range map[string]string{
		"open":      rep("("),
		"subst":     rep("$("),
		"quotes":    rep("\""),
		"single":    rep("'"),
		"backs":     rep("`"),
		"backslash": rep("\\"),
		"braces":    rep("{ "),
		"params":    rep("${a:-"),
		"arith":     rep("$(("),
		"ifs":       rep("if "),
		"whiles":    rep("while x; do "),
		"fors":      "cd a; " + rep("for i in x; do cd b; "),
		"cases":     rep("case x in a) "),
		"funcs":     rep("f() { "),
		"not":       rep("! "),
		"times":     rep("time "),
		"pipes":     rep("a|"),
		"ands":      rep("a&&"),
		"list":      rep("rm a;"),
		"files":     "rm " + rep("a "),
		"long":      "rm " + rep("a"),
		"many":      "rm " + rep("x* "),
		"docs":      rep("cat <<A "),
		"docs2":     rep("cat <<A\n"),
		"bodies":    rep("cat > f <<A\nx\nA\n"),
		"body":      "cat > f <<'A'\n" + rep("it's (a) `b` \"c\" | d\n") + "A",
		"lines":     rep("\n"),
		"redirs":    rep(">f "),
		"cds":       rep("cd a;"),
		"unset":     rep("unset a[") + "'",
		"minus":     "$((" + rep("-"),
		"tests":     "[[ " + rep("! "),
		"tests2":    "[[ " + rep("( "),
		"quoted":    rep("'it'\"s\" "),
		"sudo":      rep("sudo "),
		"hidden":    "# '\n" + rep("(") + "'",
		"hidden2":   "cat <<A\n'\nA\n" + rep("(") + "'",
		"hidden3":   "echo \\'" + rep("(") + "'",
		"hidden4":   "echo \"'\"" + rep("(") + "'",
		"hidden5":   "echo $'\\''" + rep("(") + "'",
		"hidden6":   "echo ${a#\"'\"}" + rep("(") + "'",
		"hidden7":   "unset a['" + rep("(") + "'",
		"hidden8":   "((a'" + rep("(") + "'",
		"python":    "python3 -c '" + rep("open(a,") + "'",
		"python2":   "python3 -c \"" + rep("p=1;") + "open(p)\"",
		"python3":   "python3 -c \"" + rep("p='a';open(p,1);") + "\"",
		"node":      "node -e '" + rep("`${") + "'",
		"regexps":   "node -e '" + rep("/a") + "'",
		"nested":    rep("bash -c '") + "x",
		"evals":     rep("eval "),
		"xargs":     rep("xargs ") + "rm a",
		"execs":     "find . " + rep("-exec find . ") + "-delete",
		"broken":    rep("rm a; ") + "'",
		"brokenfor": rep("for x in a; do rm b; ") + "'",
		"brokendoc": rep("cat <<'A' > f\nx\nA\n") + "'",
		"parens":    rep("()") + "'",
		"globs":     rep("@(a|"),
		"find":      "find " + rep("-name a ") + "-delete",
		"exec":      "find " + rep("-exec rm {} + "),
		"calls":     "f() { rm a; g; g; }; g() { f; f; }; " + rep("f;"),
	} {
		start := time.Now()
		Ops(cmd, "/w")
		Anchors(cmd, "/w")
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: %v", name, d)
		} else if testing.Verbose() {
			t.Logf("%s: %v", name, d.Round(time.Millisecond))
		}
	}
}

// TestTooDeep takes quoted text for what it is, and nothing else for quoted text.
func TestTooDeep(t *testing.T) {
	many := strings.Repeat("(", maxNest+1)
	for _, quoted := range []string{"'%'", "\"%\"", "a 'b' \"c $X\" \\' '%'", "python3 -c '%' && rm x"} {
		if tooDeep(strings.Replace(quoted, "%", many, 1)) {
			t.Errorf("%q is too deep", quoted)
		}
	}
	for _, bare := range []string{
		"%", "'a'%", "\\'%'", "\"'\"%'", "# '\n%'", "$'\\''%'", "$(echo \"'\")%'", "`'`%'", "cat <<A\n'\nA\n%'", "a['%'", "((a'%'", "'%", "\"%", "\"$(%\"",
	} {
		if !tooDeep(strings.Replace(bare, "%", many, 1)) {
			t.Errorf("%q is not too deep", bare)
		}
	}
}
