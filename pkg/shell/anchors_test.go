package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func showAnchors(all []Anchor) []string {
	var out []string
	for _, a := range all {
		kind := [...]string{"?", "write", "append", "read"}[a.Kind]
		s := fmt.Sprintf("%s %s %q", kind, a.Path, a.Body)
		if a.Kind == ReadAnchor {
			s = fmt.Sprintf("%s %s %d..%d", kind, a.Path, a.From, a.To)
		}
		s += " " + strings.TrimPrefix(a.Label, "bash-")
		if a.Simple {
			s += " simple"
		}
		out = append(out, s)
	}
	return out
}

type anchorRow struct {
	cmd  string
	want []string
}

func checkAnchors(t *testing.T, rows []anchorRow) {
	t.Helper()
	for _, r := range rows {
		if diff := cmp.Diff(r.want, showAnchors(Anchors(r.cmd, "/w"))); diff != "" {
			t.Errorf("%s\n(-want +got)\n%s", r.cmd, diff)
		}
	}
}

func TestWriteAnchors(t *testing.T) {
	checkAnchors(t, []anchorRow{
		{"cat > f <<'E'\na $x `y` \\n\nE", ops(`write /w/f "a $x ` + "`y`" + ` \\n\n" heredoc simple`)},
		{"cat <<'E' > f\na\nE", ops(`write /w/f "a\n" heredoc simple`)},
		{"cat <<\"E\" >| f\na\nE", ops(`write /w/f "a\n" heredoc simple`)},
		{"cat - > f <<\\E\na\nE\n", ops(`write /w/f "a\n" heredoc simple`)},
		{"tee f <<'E'\na\nE", ops(`write /w/f "a\n" heredoc simple`)},
		{"tee f g <<'E' > /dev/null\na\nE", ops(`write /w/f "a\n" heredoc simple`, `write /w/g "a\n" heredoc simple`)},
		{"sudo tee /etc/x <<'E' >/dev/null\na\nE", ops(`write /etc/x "a\n" heredoc simple`)},
		{"cat > f <<E\nplain it's \\d \"q\"\nE", ops(`write /w/f "plain it's \\d \"q\"\n" heredoc simple`)},
		{"cat > f <<E\n$x\nE", nil},
		{"cat > f <<E\n`x`\nE", nil},
		{"cat > f <<E\na\\\nb\nE", nil},
		{"cat > f <<E\n\\$x\nE", nil},
		{"cat > f <<-'E'\n\t\ta\n\t b\n\tE", ops(`write /w/f "a\n b\n" heredoc simple`)},
		{"cat > f <<'E'\nE", ops(`write /w/f "" heredoc simple`)},
		{"cat > f <<'E'\n\n\nE", ops(`write /w/f "\n\n" heredoc simple`)},
		{"cat > f <<'E'\nno end", nil},
		{"cat > f <<< 'a b'", ops(`write /w/f "a b\n" write simple`)},
		{"cat > f <<< $x", nil},
		{"cat a > f <<'E'\nx\nE", nil},
		{"cat -n > f <<'E'\nx\nE", nil},
		{"cat > f <<'A' <<'B'\nx\nA\ny\nB", nil},
		{"cat > f > g <<'E'\nx\nE", nil},
		{"cat > f < g", nil},
		{"cat >> f <<'E'\nx\nE", ops(`append /w/f "x\n" heredoc simple`)},
		{"tee -a f <<'E'\nx\nE", ops(`append /w/f "x\n" heredoc simple`)},
		{"tee -x f <<'E'\nx\nE", nil},
		{"cat > $F <<'E'\nx\nE", nil},
		{"cat > ~/f <<'E'\nx\nE", nil},
		{"cat > *.x <<'E'\nx\nE", nil},
		{"cat > /dev/null <<'E'\nx\nE", nil},
		{"cat > f 2>/dev/null <<'E'\nx\nE", ops(`write /w/f "x\n" heredoc simple`)},
		{"cat &> f <<'E'\nx\nE", nil},
		{"sed s/a/b/ > f <<'E'\nx\nE", nil},

		{"echo a 'b  c' > f", ops(`write /w/f "a b  c\n" write simple`)},
		{"echo -n a > f", ops(`write /w/f "a" write simple`)},
		{"echo > f", ops(`write /w/f "\n" write simple`)},
		{"echo -E a > f", ops(`write /w/f "a\n" write simple`)},
		{"echo -e a > f", nil},
		{"echo -ne a > f", nil},
		{"echo -x a > f", ops(`write /w/f "-x a\n" write simple`)},
		{"echo - a > f", nil},
		{"echo 'a\\nb' > f", nil},
		{"echo $x > f; echo \"$x\" > g; echo `x` > h; echo $(x) > i", nil},
		{"echo * > f", nil},
		{"echo {a,b} > f", nil},
		{"echo ~ > f", nil},
		{"echo \"a \\$x\" > f", ops(`write /w/f "a $x\n" write simple`)},
		{"echo $'a' > f; echo $'a\\tb' > g", ops(`write /w/f "a\n" write`)},
		{"echo a >> f", ops(`append /w/f "a\n" write simple`)},
		{"echo a > f 2>&1", ops(`write /w/f "a\n" write simple`)},
		{"echo a >&2", nil},
		{"printf 'a\\n' > f", ops(`write /w/f "a\n" write simple`)},
		{"printf 'a%%\\t\\\\b' > f", ops(`write /w/f "a%\t\\b" write simple`)},
		{"printf '%s\\n' a 'b c' > f", ops(`write /w/f "a\nb c\n" write simple`)},
		{"printf '%s=%s;' a b c > f", ops(`write /w/f "a=b;c=;" write simple`)},
		{"printf x a b > f", ops(`write /w/f "x" write simple`)},
		{"printf '%s' > f", ops(`write /w/f "" write simple`)},
		{"printf -- '-%s' a > f", nil},
		{"printf '%d' 1 > f; printf '%b' x > g; printf '\\x41' > h; printf '\\e' > i; printf 'x\\' > j; printf -v y a > k; printf '%' > l", nil},
		{"printf \"$x\" > f", nil},
		{"truncate -s 0 f g", ops(`write /w/f "" write simple`, `write /w/g "" write simple`)},
		{"truncate -s 10 f; truncate -s +0 g; truncate -r x h", nil},
		{": > f", ops(`write /w/f "" write simple`)},
		{"> f", ops(`write /w/f "" write simple`)},
		{": >> f", nil},
		{"date > f; ls > g; python x.py > h", nil},
	})
}

func TestAnchorsInCompounds(t *testing.T) {
	checkAnchors(t, []anchorRow{
		{"cat > F <<'E'\nprint(1)\nE\npython F", ops(`write /w/F "print(1)\n" heredoc`)},
		{"mkdir -p d && cat > d/f <<'E'\nx\nE", ops(`write /w/d/f "x\n" heredoc`)},
		{"cd sub && echo x > f", ops(`write /w/sub/f "x\n" write`)},
		{"cd sub; echo x > f", ops(`write /w/sub/f "x\n" write`)},
		{"(cd sub && echo x > f)", ops(`write /w/sub/f "x\n" write`)},
		{"{ echo x > f; }", ops(`write /w/f "x\n" write`)},
		{"cd $X && echo x > f", nil},
		{"cd sub 2>/dev/null; echo x > f", nil},
		{"cd sub 2>/dev/null; echo x > /f", ops(`write /f "x\n" write`)},
		{"cd sub || true; echo x > f", nil},
		{"cd sub || exit 1; echo x > f", ops(`write /w/sub/f "x\n" write`)},
		{"set -e; echo x > f; make", ops(`write /w/f "x\n" write`)},
		{"echo a > f; echo b > g", ops(`write /w/f "a\n" write`, `write /w/g "b\n" write`)},

		// Touched twice.
		{"echo a > f; echo b > f", nil},
		{"echo a > f; echo b >> ./f", nil},
		{"rm -f f; echo a > f", nil},
		{"touch /w/f; cat > f <<'E'\nx\nE", nil},
		{"cat > f <<'E'\nx\nE\nsed -i s/x/y/ f", nil},
		{"cat > f <<'E'\nx\nE\nmv f g", nil},
		{"cat > f <<'E'\nx\nE\ncp g f", nil},
		{"cat > f <<'E'\nx\nE\npython3 -c \"open('f','a')\"", nil},
		{"cat > f <<'E'\nx\nE\nbash -c 'rm f'", nil},
		{"tee f f <<'E'\nx\nE", nil},

		// Rewritten without being named.
		{"cat > a.go <<'E'\nx\nE\ngofmt -w .", nil},
		{"gofmt -w . && cat > a.go <<'E'\nx\nE", ops(`write /w/a.go "x\n" heredoc`)},
		{"gofmt -w . && cat > a.go <<'E'\nx\nE\nls", nil}, // it may have failed in silence
		{"gofmt -w .; cat > a.go <<'E'\nx\nE", ops(`write /w/a.go "x\n" heredoc`)},
		{"cat > a <<'E'\nx\nE\ngit checkout .", nil},
		{"cat > a <<'E'\nx\nE\ngit add a && git commit -m x", ops(`write /w/a "x\n" heredoc`)},
		{"cat > a <<'E'\nx\nE\npython3 -c 'import sys; open(sys.argv[1],\"w\")' a", nil},
		{"echo a > f; rm -rf \"$D\"", nil},
		{"echo a > f; rm -rf \"$D/other\"", ops(`write /w/f "a\n" write`)},
		{"echo a > f.txt; rm *.txt", nil},
		{"echo a > f.txt; rm *.log", ops(`write /w/f.txt "a\n" write`)},
		{"echo a > d/f; rm -rf d", nil},
		{"echo a > d/f; cp -r e d", nil},
		{"mkdir d; echo a > d/f; touch d", ops(`write /w/d/f "a\n" write`)},
		{"echo a > f; find . -name '*.x' -delete", nil},
		{"echo a > f; ls | xargs rm", nil},
		{"echo a > f; ls | xargs grep x", ops(`write /w/f "a\n" write`)},
		{"(sleep 1; rm g) & echo a > f", nil},
		{"npm test & echo a > f", ops(`write /w/f "a\n" write`)},
		{"trap 'rm -f x' EXIT; echo a > f", nil},
		{"gofmt -w .; echo a >> f", nil},
		{"echo a >> f; gofmt -w .", nil},
		{"ls; echo a >> f", ops(`append /w/f "a\n" write`)},

		// May not have run, or not to its end.
		{"if x; then echo a > f; fi", nil},
		{"for i in 1; do echo a > f; done", nil},
		{"while x; do echo a > f; done", nil},
		{"case x in x) echo a > f;; esac", nil},
		{"f() { echo a > f; }; f", nil},
		{"true || echo a > f", nil},
		{"echo a > f || true", nil},
		{"[ -f g ] && echo a > f", ops(`write /w/f "a\n" write`)}, // the last exit status says that it ran
		{"[ -f g ] && echo a > f; ls", nil},
		{"[ -f g ] && echo a > f && ls", ops(`write /w/f "a\n" write`)},
		{"[ -f g ] && echo a > f && grep -q a f", nil}, // no is no error
		{"[ -f g ] && echo a > f && ls | grep f", nil},
		{"mkdir d && echo a > f && grep -q a f", ops(`write /w/f "a\n" write`)},
		{"grep -q x g && echo a > f\nls", nil},
		{"mkdir d && echo a > f; ls", ops(`write /w/f "a\n" write`)},
		{"mkdir d 2>/dev/null && echo a > f; ls", nil},
		{"X=1 && echo a > f; ls", ops(`write /w/f "a\n" write`)},
		{"X=$(y) && echo a > f; ls", nil},
		{"! echo a > f", nil},
		{"echo a > f &", nil},
		{"exit; echo a > f", nil},
		{"[ -f f ] && exit 0; echo a > f", nil},
		{"[ -f f ] || exit 1; echo a > f", ops(`write /w/f "a\n" write`)},
		{"exec ls; echo a > f", nil},
		{"exec 2>/dev/null; echo a > f", nil},
		{"bash -c 'echo a > f'", nil},
		{"eval 'echo a > f'", nil},
		{"x=$(echo a > f)", nil},
		{"ssh h <<'E'\necho a > f\nE", nil},

		// Pipes never.
		{"cat <<'E' | tee f\nx\nE", nil},
		{"echo a | tee f", nil},
		{"cat > f <<'E' | cat\nx\nE", nil},
		{"echo() { :; }; echo a > f", nil},
		{"echo a > f; echo 'open", nil},
		{"env -C sub echo a > f", nil},
		{`echo a > C:\x\f`, nil},
	})
}

func TestReadAnchors(t *testing.T) {
	checkAnchors(t, []anchorRow{
		{"cat f", ops("read /w/f 1..0 cat simple")},
		{"cat 'a b'", ops("read /w/a b 1..0 cat simple")},
		{"cat -- f", ops("read /w/f 1..0 cat simple")},
		{"cat /x/../f 2>/dev/null", ops("read /f 1..0 cat simple")},
		{"# look\ncat f\n", ops("read /w/f 1..0 cat simple")},
		{"head -n 20 f", ops("read /w/f 1..20 cat simple")},
		{"head -n20 f", ops("read /w/f 1..20 cat simple")},
		{"head -20 f", ops("read /w/f 1..20 cat simple")},
		{"head --lines=5 f", ops("read /w/f 1..5 cat simple")},
		{"head f", ops("read /w/f 1..10 cat simple")},
		{"sed -n '5,10p' f", ops("read /w/f 5..10 cat simple")},
		{"sed -n 5p f", ops("read /w/f 5..5 cat simple")},
		{"sed -n '5,$p' f", ops("read /w/f 5..0 cat simple")},
		{"sed -n -e '5,7p;' f", ops("read /w/f 5..7 cat simple")},
		{"sed -n '9,3p' f", ops("read /w/f 9..9 cat simple")},
		{"cat f g", nil},
		{"cat -n f", nil},
		{"cat -", nil},
		{"cat", nil},
		{"cat < f", nil},
		{"cat f > g", nil},
		{"cat f | head", nil},
		{"cat $F; cat *.x", nil},
		{"cat ~/f", nil},
		{"cd d && cat f", nil},
		{"cat f; cat g", nil},
		{"(cat f)", nil},
		{"! cat f", nil},
		{"cat f &", nil},
		{"if true; then cat f; fi", nil},
		{"tail f; tail -n 5 f", nil},
		{"tail -n 5 f", nil},
		{"head -c 5 f", nil},
		{"head -n -5 f", nil},
		{"head -n 5 f g", nil},
		{"sed -n '/x/p' f", nil},
		{"sed -n '5,/x/p' f", nil},
		{"sed -n '1p;3p' f", nil},
		{"sed '5p' f", nil},
		{"sed -n '0,5p' f", nil},
		{"sed -n '$p' f", nil},
		{"sed -i -n '1,2p' f", nil},
		{"cat /dev/null", nil},
	})
}

// TestAnchorsAgainstBash runs commands in an empty directory and compares the
// files with what was claimed of them.
func TestAnchorsAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	n := 120
	if testing.Short() {
		n = 30
	}
	rng := rand.New(rand.NewPCG(7, 7))
	claimed := 0
	for range n {
		cmd := randomCommand(rng)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "old"), []byte("before\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(bash, "-c", cmd)
		run.Dir = dir
		stdout, err := run.Output()
		if err != nil {
			continue // a claim holds for what succeeds
		}
		for _, a := range Anchors(cmd, filepath.ToSlash(dir)) {
			claimed++
			want := string(a.Body)
			got, err := os.ReadFile(filepath.FromSlash(a.Path))
			switch {
			case a.Kind == ReadAnchor:
				got, want = stdout, string(got)
			case a.Kind == AppendAnchor && a.Path == filepath.ToSlash(dir)+"/old":
				want = "before\n" + want
			}
			if err != nil || string(got) != want {
				t.Errorf("%s\n%s: %v\ngot  %q\nwant %q", cmd, a.Path, err, got, want)
			}
		}
	}
	if claimed < n/4 {
		t.Errorf("%d anchors in %d commands: the test tests little", claimed, n)
	}
}

func randomCommand(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	line := func() string {
		var b strings.Builder
		for range rng.IntN(6) {
			b.WriteString(pick("a", "it's", "\"q\"", "\t", " ", "$HOME", "`echo x`", "\\", "\\\\", "\\n", "#", "%s", "E", "é", "&", ">", "(", "EOF2", "\\$x"))
		}
		return b.String()
	}
	body := func() string {
		var b strings.Builder
		for range rng.IntN(4) {
			b.WriteString(line() + "\n")
		}
		return b.String()
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	file := pick("f", "'g h'", "./f", "old")
	one := func() string {
		op := pick(">", ">>", ">|")
		switch rng.IntN(6) {
		case 0:
			return "cat " + op + " " + file + " <<" + pick("'EOF'", "EOF", "\\EOF", "\"EOF\"", "-'EOF'", "-EOF") + "\n" + body() + "EOF"
		case 1:
			return "cat <<" + pick("'EOF'", "EOF") + " " + op + file + "\n" + body() + "EOF"
		case 2:
			return "tee " + pick("", "-a ") + file + " <<'EOF'\n" + body() + "EOF"
		case 3:
			return "echo " + pick("", "-n ", "-E ") + quote(line()) + " " + pick("x", `"a \$b \" c"`, `d\ e`, `f\\g`) + " " + op + file
		case 4:
			return "printf " + pick("'%s\\n'", "'a%%b\\t'", "'%s-%s'", quote(line()), "\"x\\n\"") + " " + pick("", quote(line()), "1 2 3") + " " + op + file
		default:
			return pick("truncate -s 0 "+file, ": > "+file, "> "+file, "cat old", "cat <<< 'h s' > "+file)
		}
	}
	cmd := one()
	if rng.IntN(3) == 0 {
		file = pick("f", "k", "old")
		cmd = cmd + "\n" + one()
	}
	if rng.IntN(4) == 0 {
		cmd = pick("mkdir -p d && ", "true; ", "mkdir s && cd s && ", "false || ") + cmd
	}
	return cmd
}
