package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func env(kv ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = kv[i+1]
	}
	return func(k string) string { return m[k] }
}

func TestRoot(t *testing.T) {
	for _, tc := range []struct {
		name, goos, flag string
		env              func(string) string
		want             string
	}{
		{"flag first", "linux", "/f", env("CLAUDE_CONFIG_DIR", "/c", "HOME", "/h"), "/f"},
		{"then the variable", "linux", "", env("CLAUDE_CONFIG_DIR", "/c", "HOME", "/h"), "/c"},
		{"empty is unset", "linux", "", env("CLAUDE_CONFIG_DIR", "", "HOME", "/h"), "/h/.claude"},
		{"tilde", "linux", "~/x", env("HOME", "/h"), "/h/x"},
		{"windows ignores HOME", "windows", "", env("HOME", "/h", "USERPROFILE", "/u"), "/u/.claude"},
		{"windows with HOME alone", "windows", "", env("HOME", "/h"), ""},
		{"nothing", "linux", "", env(), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := rootFor(tc.goos, tc.flag, tc.env)
			if (err != nil) != (tc.want == "") || filepath.ToSlash(got) != tc.want {
				t.Errorf("got %q, %v; want %q", got, err, tc.want)
			}
		})
	}
}

func TestEncode(t *testing.T) {
	for in, want := range map[string]string{
		"/a/.claude/b":               "-a--claude-b",
		"/home/dev/my_app.v2/sub-mo": "-home-dev-my-app-v2-sub-mo",
		`C:\Users\x`:                 "C--Users-x",
		`\\server\share`:             "--server-share",
		"/a/\U0001F600b":             "-a---b", // two UTF-16 units
		"/a/e\u0301":                 "-a--",   // NFC makes it one character
		"/a/\u00e9":                  "-a--",   // the same name
		"/a/日本":                      "-a---",  // one dash a character
		"/A b":                       "-A-b",   // the case stays
		"/a//b":                      "-a--b",  // nothing collapses
		"/x\xff":                     "-x-",    // a byte that is no UTF-8
		"/tmp/claude-501/x":          "-tmp-claude-501-x",
	} {
		if got := Encode(in); got != want {
			t.Errorf("Encode(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	long := Encode("/" + strings.Repeat("x", 300))
	for _, tc := range []struct {
		name, dir, enc string
		fold, want     bool
	}{
		{"equal", "-a-b", "-a-b", false, true},
		{"case", "-a-B", "-a-b", false, false},
		{"drive letter folded", "c--Users-dev-app", "C--Users-dev-app", true, true},
		{"no prefix below the limit", "-a-b-c", "-a-b", false, false},
		{"long: cut and hash", long[:200] + "-1a2b3c", long, false, true},
		{"long: no hash", long[:200], long, false, false},
		{"long: not cut there", long[:202], long, false, false},
		{"exactly the limit", long[:200], long[:200], false, true},
		{"exactly the limit takes no hash", long[:200] + "-1a2b", long[:200], false, false},
	} {
		if got := Match(tc.dir, tc.enc, tc.fold); got != tc.want {
			t.Errorf("%s: got %v", tc.name, got)
		}
	}
}

func TestWindowsPaths(t *testing.T) {
	for in, want := range map[string]string{
		`C:\Users\dev\app`:       `C:\Users\dev\app`,
		`c:/Users//dev/./app/`:   `c:\Users\dev\app`,
		`C:\Users\dev\x\..\app`:  `C:\Users\dev\app`,
		`C:\..\x`:                `C:\x`,
		`\\server\share\x`:       `\\server\share\x`,
		`\\server\share\..\..\x`: `\\server\share\x`,
		`\\?\C:\x`:               `C:\x`,
		`\\?\UNC\server\share\x`: `\\server\share\x`,
		`//server/share/x`:       `\\server\share\x`,
	} {
		if got := CleanWindows(in); got != want {
			t.Errorf("CleanWindows(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]bool{
		`C:\x`: true, `c:/x`: true, `\\s\x`: true, "/x": false, "C:": false, "//s/x": false, "cc:/x": false, `\\`: false,
	} {
		if IsWindowsPath(in) != want {
			t.Errorf("IsWindowsPath(%q) = %v", in, !want)
		}
	}
	for in, want := range map[string]bool{"C--Users-x": true, "c--": true, "C-x": false, "-C--": false, "1--x": false, "": false} {
		if IsDriveName(in) != want {
			t.Errorf("IsDriveName(%q) = %v", in, !want)
		}
	}
}

func TestSamePath(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"/home/dev/my-app", "/home/dev/my-app/", true},
		{"/home/dev/my-app", "/home/dev/my_app", false},
		{`C:\Users\dev\app`, `c:/users/dev/app`, true},
		{`C:\Users\dev\app`, `D:\Users\dev\app`, false},
		{"/a/e\u0301", "/a/\u00e9", true},
		{"/C/x", `C:\x`, false},
		{"/A", "/a", false},
	} {
		if got := SamePath(tc.a, tc.b); got != tc.want {
			t.Errorf("SamePath(%q, %q) = %v", tc.a, tc.b, got)
		}
	}
}

// Two paths have one key exactly when they are the same.
func TestPathKey(t *testing.T) {
	var all []string
	for _, dir := range []string{"", "/", "/w/", `C:\`, "c:/", `D:\w\..\`, "/C/", "w"} {
		for _, name := range []string{"", "s", "S", "\u017f", "k.md", "K.MD", "\u212a.md", "e\u0301", "\u00e9", "\u00c9", "\u03c3", "\u03a3", "\u03c2", "a/", "\xff", "\ufffd"} {
			all = append(all, dir+name)
		}
	}
	for _, a := range all {
		for _, b := range all {
			if SamePath(a, b) != (PathKey(a) == PathKey(b)) {
				t.Errorf("%q and %q are the same: %v; their keys are %q and %q", a, b, SamePath(a, b), PathKey(a), PathKey(b))
			}
		}
	}
}

func TestRealpath(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symlinks here:", err)
	}
	for _, tc := range []struct {
		path string
		want []string
	}{
		{".", []string{dir}},
		{"link", []string{real, link}},
		{"link/gone/deep", []string{filepath.Join(real, "gone/deep"), filepath.Join(link, "gone/deep")}},
		{"/no/such/place", []string{"/no/such/place"}},
		{`C:\Users\dev\..\x`, []string{`C:\Users\x`}},
	} {
		if diff := cmp.Diff(tc.want, Realpath(tc.path, dir)); diff != "" {
			t.Errorf("%s:\n%s", tc.path, diff)
		}
	}
}
