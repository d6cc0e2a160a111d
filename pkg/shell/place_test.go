package shell

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpsCwd(t *testing.T) {
	checkRows(t, []opRow{
		{"cd a/b; touch x; cd ..; touch y; cd /; touch z", ops("touch /w/a/b/x t", "touch /w/a/y t", "touch /z t")},
		{"cd; touch x", ops("touch x u")},
		{"cd ~; touch x", ops("touch x u")},
		{"cd ~/p && touch x /abs", ops("touch x u", "touch /abs a")},
		{"cd $X && cd sub && touch x; cd /q && touch y", ops("touch x u", "touch /q/y t")},
		{"cd a* && touch x", ops("touch x u")},
		{"cd 'a b' && touch x", ops("touch /w/a b/x t")},
		{"cd -- a && touch x", ops("touch /w/a/x t")},
		{"cd -P a && touch x", ops("touch /w/a/x t")},
		{"cd . && touch x", ops("touch /w/x t")},
		{"cd - && touch x", ops("touch x u")},
		{"cd a && cd - && cd - && touch x", ops("touch /w/a/x t")},
		{"pushd a; touch x; pushd b; touch y; popd; touch z; popd; touch q; popd; touch r",
			ops("touch /w/a/x t", "touch /w/a/b/y t", "touch /w/a/z t", "touch /w/q t", "touch r u")},
		{"pushd; touch x", ops("touch x u")},
		{"(cd a && touch x) && touch y", ops("touch /w/a/x t", "touch /w/y j")},
		{"(pushd a; popd; (cd b; touch x); touch y); touch z", ops("touch /w/b/x t", "touch /w/y t", "touch /w/z j")},
		{"{ cd a; touch x; }; touch y", ops("touch /w/a/x t", "touch /w/a/y t")},
		{"cd a | cat; touch x", ops("touch /w/x j")},
		{"ls | (cd a; touch y); touch x", ops("touch /w/a/y t", "touch /w/x j")},
		{"cd a && make & touch x", ops("touch /w/x j")},
		{"$(cd a; touch y); touch x", ops("touch /w/a/y t", "touch /w/x j")},
		{"bash -c 'cd a'; touch x", ops("touch /w/x j")},
		{"sudo cd a; touch x", ops("touch /w/x j")},
		{"builtin cd a; command cd b; touch x", ops("touch /w/a/b/x t")},
		{"cd a || exit 1; touch x", ops("touch /w/a/x t")},
		{"cd a || { echo no; exit 1; }; touch x", ops("touch /w/a/x t")},
		{"cd a || mkdir a && touch x", ops("mkdir /w/a j", "touch /w/a/x t")},
		{"cd a || { mkdir a && cd a; }; touch x", ops("mkdir /w/a j", "touch /w/a/x t")},
		{"cd a || cd b; touch x", ops("touch x u")},
		{"if x; then cd a; fi; touch x", ops("touch x u")},
		{"if x; then cd a; else cd a; fi; touch x", ops("touch /w/a/x t")},
		{"if ! cd a; then exit 1; fi; touch x", ops("touch /w/a/x t")},
		{"if x; then cd a; touch in; else exit; fi; touch x", ops("touch /w/a/in t", "touch /w/a/x t")},
		{"case $x in a) cd a;; b) cd b;; esac; touch x", ops("touch x u")},
		{"for d in a b; do cd $d; touch x; cd ..; done; touch y", ops("touch x u", "touch y u")},
		{"for d in a b; do cd sub && touch x && cd ..; done; touch y", ops("touch /w/sub/x t", "touch /w/y t")},
		{"for d in a b; do cd sub; touch x; done", ops("touch x u")},
		{"for d in a b; do (cd $d && touch x); done; touch y", ops("touch x u", "touch /w/y j")},
		{"while x; do cd /abs; touch x; done; touch y", ops("touch /abs/x t", "touch y u")},
		{"f() { cd a; }; f; touch x", ops("touch /w/a/x t")},
		{"((cd a; touch x) && touch y); touch z", ops("touch /w/a/x t", "touch /w/y j", "touch /w/z j")},
		{"((cd a || cd b); cat > c <<'E'\nit's\nE\n) | cat; cat >d <<E\nx\nE", ops("redirect /w/c j", "redirect /w/d j")},
		{"(cd a; (cd b; touch x); touch y); (cd c; touch z)", ops("touch /w/a/b/x t", "touch /w/a/y t", "touch /w/c/z t")},
	})
}

func TestOpsNoCwd(t *testing.T) {
	for _, cwd := range []string{"", "rel/dir"} {
		got := show(Ops("touch a /b; cd /c && touch d", cwd))
		want := ops("touch a u", "touch /b a", "touch /c/d t")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cwd %q\n%s", cwd, diff)
		}
	}
}

func TestOpsWindowsCwd(t *testing.T) {
	got := Ops(`touch src/a.txt ../b C:/x/c; cd 'D:\q' && touch e`, `C:\Users\u\p`)
	want := []Op{
		{Verb: "touch", Path: `C:\Users\u\p\src\a.txt`, Verbatim: "src/a.txt", Resolution: CwdJoined, Effect: Touches},
		{Verb: "touch", Path: `C:\Users\u\b`, Verbatim: "../b", Resolution: CwdJoined, Effect: Touches},
		{Verb: "touch", Path: `C:/x/c`, Resolution: Absolute, Effect: Touches},
		{Verb: "touch", Path: `D:\q\e`, Verbatim: "e", Resolution: CdTracked, Effect: Touches},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOpsFull(t *testing.T) {
	got := Ops(`cat > "a b" <<E
E
cat >> ./log; rm -r /x/../y "$Z"; mv p q; mkdir d; touch /t; git add .; echo > /w/log; tee -a n`, "/w")
	want := []Op{
		{Verb: "redirect", Path: "/w/a b", Verbatim: "a b", Resolution: CwdJoined, Effect: Writes},
		{Verb: "redirect", Path: "/w/log", Verbatim: "./log", Resolution: CwdJoined, Effect: Writes},
		{Verb: "rm", Path: "/y", Verbatim: "/x/../y", Resolution: Absolute, Effect: Removes},
		{Verb: "rm", Path: "$Z", Resolution: Unresolved, Effect: Removes},
		{Verb: "mv", Path: "/w/p", Verbatim: "p", Resolution: CwdJoined, Effect: Moves},
		{Verb: "mv", Path: "/w/q", Verbatim: "q", Resolution: CwdJoined, Effect: Writes},
		{Verb: "mkdir", Path: "/w/d", Verbatim: "d", Resolution: CwdJoined, Effect: MakesDir},
		{Verb: "touch", Path: "/t", Resolution: Absolute, Effect: Touches},
		{Verb: "git", Path: "git:add", Marker: true},
		{Verb: "tee", Path: "/w/n", Verbatim: "n", Resolution: CwdJoined, Effect: Appends},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"/": "/", "/a/../..": "/", "//a//b": "/a/b",
		`C:\`: `C:\`, `C:\a\..\b\.`: `C:\b`, `C:/a/../b`: `C:/b`, `c:\a/b`: `c:\a\b`,
		`\\s\h\..\x`: `\\s\x`,
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]bool{
		"/a": true, "a": false, "C:a": false, `C:\a`: true, "C:/a": true, "1:/a": false, `\\s\h`: true, `\\\`: false, `\a`: false, "": false,
	} {
		if got := absolute(in); got != want {
			t.Errorf("absolute(%q) = %v", in, got)
		}
	}
}

func TestOpaque(t *testing.T) {
	all := Ops("git add x; git commit -m y; git init; git clone u; git checkout z; git stash; npm ci; tar xf a; black .; python3 -c 'open(a,\"w\")'; rm b", "/w")
	want := ops("git:checkout", "git:stash", "pkg:npm", "extract:tar", "fmt:black", "interp:python")
	if diff := cmp.Diff(want, show(Opaque(all))); diff != "" {
		t.Error(diff)
	}
}

// TestOpsBroken has texts that no grammar takes: what stands before the place
// where they break is told.
func TestOpsBroken(t *testing.T) {
	checkRows(t, []opRow{
		{"touch a && echo \"open > b; rm c", ops("touch /w/a j")},
		{"touch a; rm b 'open", ops("touch /w/a j", "rm /w/b j")},
		{"touch a\nrm $(ls | grep x", ops("touch /w/a j")},
		{"(cd sub && touch q; rm z && echo 'oops", ops("touch /w/sub/q t", "rm /w/sub/z t")},
		{"(cd sub; touch q); touch r; echo `x", ops("touch /w/sub/q t", "touch /w/r j")},
		{"touch a; if true; then rm b", ops("touch /w/a j", "rm /w/b j")},
		{"touch a; done; rm b", ops("touch /w/a j", "rm /w/b j")},
		{"touch a; for f in x; do rm b; echo 'y", ops("touch /w/a j", "rm /w/b j")},
		{"cat > f <<'E'\nit's\nE\ntouch a; echo \"x", ops("redirect /w/f j", "touch /w/a j")},
		{"cd sub | cat; touch a; 'x", ops("touch /w/a j")},
		{"touch a )) b", ops("touch /w/a j")},
		{"echo ${x > f; touch a", nil},
		{"# it's a comment\ntouch a; echo \"", ops("touch /w/a j")},
		{"touch a # don't\nrm b; \"", ops("touch /w/a j", "rm /w/b j")},
		{"git commit -m \"$(cat <<'EOF'\nit's (fine\nEOF\n)\"; rm a; '", ops("git:commit", "rm /w/a j")},
		{"cd a || cd b; touch x; echo 'y", ops("touch x u")},
		{"", nil},
		{"  \n\t", nil},
		{"# only a comment", nil},
		{"&& || ;; |", nil},
		{"\x00\xff>\xfe f", nil},
		// zsh takes what Bash does not.
		{"for f (a b) touch $f; rm c", ops("touch $f u", "rm /w/c j")},
	})
}
