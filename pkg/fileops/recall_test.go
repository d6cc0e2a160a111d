package fileops

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/replay"
)

var kinds = map[replay.Kind]string{
	replay.Read: "read", replay.Write: "write", replay.Edit: "edit", replay.ShellWrite: "shell-write", replay.ShellAppend: "shell-append",
	replay.ShellRead: "shell-read", replay.Mutation: "mutation", replay.Rejected: "rejected", replay.Hint: "hint", replay.External: "external",
	replay.History: "history", replay.Notebook: "notebook", replay.Failed: "failed",
}

// told gives the events of a recall a line each, each file's behind its path.
func told(r *Recall) (out []string) {
	for _, f := range r.Files {
		out = append(out, f.Path)
		for i := range f.Events {
			e := &f.Events[i]
			s := fmt.Sprintf("  %d %s", e.At.SourceLine, kinds[e.Kind])
			if e.HasText {
				s += fmt.Sprintf(" %q", e.Text)
			}
			if e.Kind == replay.Read && e.HasText || e.Kind == replay.ShellRead {
				s += fmt.Sprintf(" %d+%d/%d", e.Start, e.Count, e.Total)
			}
			for _, r := range e.Edits {
				s += fmt.Sprintf(" %q->%q", r.Old, r.New)
				if r.All {
					s += " all"
				}
			}
			for _, h := range e.Hunks {
				s += fmt.Sprintf(" @%d,%d+%d,%d%q", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Lines)
			}
			if e.HasOriginal {
				s += fmt.Sprintf(" of %q", e.Original)
			}
			if e.Version > 0 {
				s += fmt.Sprintf(" v%d", e.Version)
			}
			for _, w := range []string{e.Label, e.Note, e.Detail} {
				if w != "" {
					s += " " + w
				}
			}
			for _, f := range []struct {
				on   bool
				word string
			}{{e.Cut, "cut"}, {e.Stale, "stale"}, {e.Create, "create"}} {
				if f.on {
					s += " " + f.word
				}
			}
			if e.At.Survival != "live" {
				s += " " + e.At.Survival
			}
			out = append(out, s)
		}
	}
	for _, c := range r.Opaque {
		out = append(out, fmt.Sprintf("%d opaque %s", c.At.SourceLine, c.Class))
	}
	for _, c := range r.PowerShell {
		out = append(out, fmt.Sprintf("%d powershell %s", c.At.SourceLine, c.Text))
	}
	return out
}

func TestEvents(t *testing.T) {
	for _, tc := range []struct {
		name   string
		target string
		tell   func(s *story)
		want   []string
	}{
		{"reads", "/w/a", func(s *story) {
			s.says("go")
			s.read("a", "/w/a", "one\ntwo\n", 1, 3, 3)
			s.read("b", "/w/a", "two", 2, 1, 3)
			s.read("c", "/w/b", "other", 1, 1, 1)
			s.call("d", "Read", obj{"file_path": "/w/a"})
			s.result("d", "...", obj{"type": "text", "file": obj{"filePath": "/w/a", "content": "on", "numLines": 1, "startLine": 1, "totalLines": 3, "truncatedByTokenCap": true}})
			s.call("e", "Read", obj{"file_path": "/w/a"})
			s.result("e", "unchanged", obj{"type": "file_unchanged", "file": obj{"filePath": "/w/a"}})
			s.call("f", "Read", obj{"file_path": "/w/a"})
			s.fails("f", "File does not exist.")
		}, []string{"/w/a", `  3 read "one\ntwo\n" 1+3/3`, `  5 read "two" 2+1/3`, `  9 read "on" 1+1/3 cut`, "  11 read", "  13 failed file_missing"}},
		{"reads without a structured result", "/w/a", func(s *story) {
			s.says("go")
			s.call("a", "Read", obj{"file_path": "/w/a"})
			s.result("a", "1\tone\n2\ttwo\n3\t", nil)
			s.call("b", "Read", obj{"file_path": "/w/a", "offset": 2, "limit": 1})
			s.result("b", "2\ttwo", nil)
			s.call("c", "Read", obj{"file_path": "/w/a"})
			s.result("c", "     1→one\n     2→2→x\n\n<system-reminder>\nbe good\n</system-reminder>\n", nil)
			s.call("d", "Read", obj{"file_path": "/w/a"})
			s.result("d", "[Old tool result content cleared]", nil)
			s.call("e", "Read", obj{"file_path": "/w/a"})
			s.result("e", "1\tone... [truncated]", nil)
		}, []string{"/w/a", `  3 read "one\ntwo\n" 1+3/3`, `  5 read "two" 2+1/0`, `  7 read "one\n2→x" 1+2/0`, "  9 read", "  11 read"}},
		{"writes", "/w/a", func(s *story) {
			s.says("go")
			s.write("a", "/w/a", "x\r\n", "create")
			s.call("b", "Write", obj{"file_path": "/w/a", "content": "from the call"})
			s.result("b", "ok", nil)
			s.call("c", "Write", obj{"file_path": "/w/a", "content": "refused"})
			s.fails("c", "File has not been read yet. Read it first before writing to it.")
			s.call("d", "Write", obj{"file_path": "/w/a", "content": "unanswered"})
			s.call("e", "NotebookEdit", obj{"notebook_path": "/w/a", "new_source": "x"})
			s.result("e", "ok", obj{"notebook_path": "/w/a", "error": "", "updated_file": "{}"})
			s.call("f", "NotebookEdit", obj{"notebook_path": "/w/a", "new_source": "x"})
			s.result("f", "ok", obj{"error": ""})
		}, []string{"/w/a", `  3 write "x\r\n" create`, `  5 write "from the call"`, "  7 failed not_read", "  8 failed no_result", `  10 write "{}"`, "  12 notebook"}},
		{"edits", "/w/a", func(s *story) {
			s.says("go")
			s.call("a", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
			s.result("a", "ok", obj{"filePath": "/w/a", "oldString": "“x”", "newString": "“y”", "originalFile": "“x”\n", "replaceAll": true, "staleRecovered": true,
				"structuredPatch": []any{obj{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": []string{"-“x”", "+“y”"}}}})
			s.call("b", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y", "replace_all": true})
			s.result("b", "ok", nil)
			s.call("c", "MultiEdit", obj{"file_path": "/w/a", "edits": []any{obj{"old_string": "1", "new_string": "2"}}})
			s.result("c", "ok", obj{"filePath": "/w/a", "edits": []any{obj{"old_string": "p", "new_string": "q", "replace_all": true}, obj{"old_string": "r", "new_string": ""}}, "originalFileContents": "p r"})
			s.call("d", "Edit", obj{"file_path": "/w/a", "old_string": "gone", "new_string": "y"})
			s.fails("d", "<tool_use_error>String to replace not found in file.\nString: gone</tool_use_error>")
			s.call("e", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
			s.fails("e", "File has been modified since read, either by the user or by a linter.")
			s.call("f", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
			s.fails("f", "The user doesn't want to proceed with this tool use.")
			s.call("g", "Edit", obj{"file_path": "/w/a", "old_string": "", "new_string": "new"})
			s.result("g", "ok", nil)
		}, []string{"/w/a", `  3 edit "“x”"->"“y”" all @1,1+1,1["-“x”" "+“y”"] of "“x”\n" stale`, `  5 edit "x"->"y" all`, `  7 edit "p"->"q" all "r"->"" of "p r"`,
			"  9 failed string_not_found", "  11 rejected", "  13 failed failed_edit", `  15 edit ""->"new" create`}},
		{"signals", "/w/src/a.go", func(s *story) {
			s.says("go")
			s.call("a", "Bash", obj{"command": "gofmt -w ."})
			res := quiet()
			res["staleReadFileStateHint"] = "[This command modified 7 files you've previously read: b.go, src/a.go, c d.go, ../x, y and 2 more. Call Read before editing.]"
			s.result("a", "", res)
			s.add(obj{"type": "attachment", "attachment": obj{"type": "edited_text_file", "filename": "/w/src/a.go", "snippet": "1\tx"}})
			s.add(obj{"type": "attachment", "attachment": obj{"type": "edited_text_file", "filename": "/w/src/a.go", "snippet": ""}})
			s.add(obj{"type": "attachment", "attachment": obj{"type": "edited_text_file", "filename": "/w/src/aa.go", "snippet": ""}})
			s.add(obj{"type": "attachment", "attachment": obj{"type": "file", "filename": "/w/src/a.go", "content": readResult("/w/src/a.go", "x\n", 1, 2, 2)}})
			s.call("b", "Bash", obj{"command": "gofmt -w ."})
			s.result("b", "done\n[This command modified 1 file you've previously read: src/a.go. Call Read before editing.]", nil)
		}, []string{"/w/src/a.go", "  3 hint named in a command's result", "  4 external", "  5 external the snippet is empty: too much was changed to be shown", `  7 read "x\n" 1+2/2`,
			"  9 hint named in a command's result", "2 opaque fmt:gofmt", "8 opaque fmt:gofmt"}},
		{"several files of a name", "a.go", func(s *story) {
			s.says("go")
			s.write("a", "/w/x/a.go", "X", "create")
			s.write("b", "/w/y/a.go", "Y", "create")
			s.write("c", "/w/y/ba.go", "no", "create")
			s.edit("d", "x/a.go", "X", "Z")
		}, []string{"/w/x/a.go", `  3 write "X" create`, `  9 edit "X"->"Z"`, "/w/y/a.go", `  5 write "Y" create`}},
		{"a Windows path", `C:\proj\src\App.cs`, func(s *story) {
			s.cwd = `c:\proj`
			s.says("go")
			s.write("a", `c:\proj\src\app.cs`, "X", "create")
			s.edit("b", `C:/proj/src/App.cs`, "X", "Y")
		}, []string{`c:\proj\src\app.cs`, `  3 write "X" create`, `  5 edit "X"->"Y"`}},
		{"a record written twice", "/w/a", func(s *story) {
			s.says("go")
			s.write("a", "/w/a", "1", "create")
			s.write("b", "/w/a", "2", "update")
			s.raw(s.lines[1])
			s.raw(s.lines[2])
		}, []string{"/w/a", `  3 write "1" create`, `  5 write "2"`}},
		{"the call is not in the file", "/w/a", func(s *story) {
			s.says("go")
			s.result("z", "ok", obj{"type": "update", "filePath": "/w/a", "content": "x"})
			s.result("y", "ok", readResult("/w/a", "x", 1, 1, 1))
		}, []string{"/w/a", `  2 write "x"`, `  3 read "x" 1+1/1`}},
		{"what a command's result says", "/w/a", func(s *story) {
			s.says("go")
			diff := func(id string, file obj) {
				s.call(id, "Bash", obj{"command": "make"})
				res := quiet()
				res["bashEditDiff"] = obj{"files": []any{file}, "moreFiles": 0, "changedFiles": []any{file["filePath"]}}
				res["staleReadFileStateHint"] = "[This command modified 1 file you've previously read: a. Call Read before editing.]"
				s.result(id, "", res)
			}
			hunk := func(lines ...string) []any {
				return []any{obj{"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": len(lines), "lines": lines}}
			}
			diff("a", obj{"filePath": "/w/a", "hunks": hunk("+x", "+y"), "created": true})
			diff("b", obj{"filePath": "/w/a", "hunks": hunk("+  x"), "created": true})
			diff("c", obj{"filePath": "/w/a", "hunks": hunk("+x")})
			diff("d", obj{"filePath": "/w/a", "hunks": []any{}})
			diff("e", obj{"filePath": "/w/a", "hunks": []any{}, "deleted": true})
		}, []string{"/w/a", `  3 write "x\ny\n" create`, `  5 edit @1,0+1,1["+  x"] as the command's result says`, `  7 edit @1,0+1,1["+x"] as the command's result says`,
			"  9 hint changed, as the command's result says", "  11 mutation removed, as the command's result says"}},
		{"nothing", "/w/a", func(s *story) { s.says("/w/a is nice"); s.write("a", "/w/b", "a", "create") }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStory(t)
			tc.tell(s)
			if d := cmp.Diff(tc.want, told(s.events(tc.target))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestEventsShell(t *testing.T) {
	loud := quiet()
	loud["stderr"] = "warning"
	said := func(out string) obj {
		q := quiet()
		q["stdout"] = out
		return q
	}
	for _, tc := range []struct {
		command string
		res     any
		failed  bool
		want    []string
	}{
		{"rm a", quiet(), false, []string{"/w/a", "  3 mutation rm (cwd-joined)"}},
		{"rm a; false", nil, true, []string{"/w/a", "  3 mutation rm (cwd-joined), the command failed"}},
		{"mv b a", quiet(), false, []string{"/w/a", "  3 mutation mv (cwd-joined)"}},
		{"rm /w/b", quiet(), false, nil},
		{"cat > a <<'E'\nx\nE", quiet(), false, []string{"/w/a", `  3 shell-write "x\n" bash-heredoc`}},
		{"cat > a <<'E'\nx\nE\npython3 a", quiet(), false, []string{"/w/a", `  3 shell-write "x\n" bash-heredoc`}},
		{"cat > a <<'E'\nx\nE\npython3 a", loud, false, []string{"/w/a", "  3 mutation redirect (cwd-joined)"}},
		{"cat > a <<'E'\nx\nE\npython3 a", nil, false, []string{"/w/a", "  3 mutation redirect (cwd-joined)"}},
		{"echo hi >> a", quiet(), false, []string{"/w/a", `  3 shell-append "hi\n" bash-write`}},
		{"cat a", said("x\ny"), false, []string{"/w/a", `  3 shell-read "x\ny" 1+0/0 bash-cat`}},
		{"head -n 2 a", said("x\ny"), false, []string{"/w/a", `  3 shell-read "x\ny" 1+2/0 bash-cat`}},
		{"cat a", nil, false, nil},
		{"cat a", loud, false, nil},
	} {
		t.Run(tc.command, func(t *testing.T) {
			s := newStory(t)
			s.says("go")
			s.call("a", "Bash", obj{"command": tc.command})
			s.answer("a", "", tc.failed, tc.res)
			if d := cmp.Diff(tc.want, told(s.events("/w/a"))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// What the words of a command do not say of the file itself: a directory above it goes, its name is not known, its class is
// A file that a glob, a loop or find may mean is told of it, whatever part of its path is asked for; no other is.
func TestEventsOfPatterns(t *testing.T) {
	for _, tc := range []struct {
		command string
		want    []string // what happens to /w/src/a.go; nothing ever happens to /x/a.go
	}{
		{"sed -i s/x/y/ src/*.go", []string{"sed-i of src/*.go (unresolved)"}},
		{"sed -i s/x/y/ *.go", nil},
		{"cd src && sed -i s/x/y/ *", []string{"sed-i of * (unresolved)"}},
		{"rm -rf s*", []string{"rm of s* (unresolved)"}},
		{"touch s*", nil},
		{"for f in src/a.go b; do echo > $f; done", []string{"redirect of $f (unresolved)"}},
		{"find src -name '*.go' | xargs sed -i s,x,y,", []string{"sed-i of *.go (unresolved)"}},
		{`echo > "$ROOT/src/a.go"`, []string{"redirect of $ROOT/src/a.go (unresolved)"}},
		{`echo > "$OUT"`, nil},
		{"rm {a,b}.go src/{a,b}.go", []string{"rm of src/{a,b}.go (unresolved)"}},
	} {
		s := newStory(t)
		s.says("go")
		s.write("a", "/w/src/a.go", "x", "create")
		s.write("b", "/x/a.go", "x", "create")
		s.bash("c", tc.command)
		for _, target := range []string{"a.go", "/w/src/a.go", "src/a.go"} {
			got := told(s.events(target))
			want := []string{"/w/src/a.go", `  3 write "x" create`}
			for _, w := range tc.want {
				want = append(want, "  7 mutation "+w)
			}
			if target == "a.go" {
				want = append(want, "/x/a.go", `  5 write "x" create`)
				if strings.Contains(tc.command, "xargs") { // a name below any directory
					want = append(want, "  7 mutation "+tc.want[0])
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s of %s (-want +got):\n%s", tc.command, target, d)
			}
		}
	}
}

// all that is.
func TestEventsAround(t *testing.T) {
	s := newStory(t)
	s.says("go")
	s.write("a", "/w/src/a.go", "x", "create")
	s.bash("b", "rm -rf src")
	s.bash("c", `rm "$D/a.go"`)
	s.bash("d", "cargo fmt && git checkout .")
	s.call("e", "PowerShell", obj{"command": "del a.go"})
	s.result("e", "", nil)
	s.bash("f", "git commit -m x")
	want := []string{"/w/src/a.go", `  3 write "x" create`, "  5 mutation rm of /w/src (cwd-joined)", "  7 mutation rm of $D/a.go (unresolved)",
		"8 opaque fmt:cargo", "8 opaque git:checkout", "10 powershell del a.go"}
	if d := cmp.Diff(want, told(s.events("a.go"))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	src := s.source()
	got, errs := Events(t.Context(), []Source{src}, nil, Options{Crossings: -1, Shells: true})
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	if d := cmp.Diff(want[4:], told(got[0])); d != "" {
		t.Errorf("shells alone (-want +got):\n%s", d)
	}
}

func TestEventsHistory(t *testing.T) {
	s := newStory(t)
	s.says("go")
	s.tracked("src/a.go", 1, nil)
	s.tracked("src/a.go", 2, "abc@v2")
	s.tracked("src/a.go", 3, "abc@v3")
	s.tracked("src/a.go", 4, "../../x@v4")
	src := s.source()
	store := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(src.Path))), "file-history", storyID)
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 2, 10, 0, 1, 0, time.UTC)
	for name, drift := range map[string]time.Duration{"abc@v2": 119 * time.Second, "abc@v3": 2 * time.Hour} {
		p := filepath.Join(store, name)
		if err := os.WriteFile(p, []byte("bytes of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p, at.Add(drift), at.Add(drift)); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{"/w/src/a.go", "a.go"} {
		got, errs := Events(t.Context(), []Source{src}, []Target{NewTarget(target)}, Options{Crossings: -1})
		if errs[0] != nil {
			t.Fatal(errs[0])
		}
		want := []string{"/w/src/a.go", "  2 history v1", `  3 history "bytes of abc@v2" v2`, "  4 history v3", "  5 history v4"}
		if d := cmp.Diff(want, told(got[0])); d != "" {
			t.Errorf("%s (-want +got):\n%s", target, d)
		}
	}
}

// The gate lets every spelling of a name through, and a transcript that lacks it is not parsed.
func TestEventsGate(t *testing.T) {
	for _, name := range []string{"a.go", "größe.txt", "a b.md", "Makefile", "x"} {
		s := newStory(t)
		s.says("go")
		s.write("a", "/w/"+name, "x", "create")
		for i := range s.lines {
			s.lines[i] = strings.ReplaceAll(s.lines[i], "/w/"+name, `\u002fw\/`+escaped(name))
		}
		if got := told(s.events(name)); len(got) != 2 {
			t.Errorf("%s: %q", name, got)
		}
	}
	s := newStory(t)
	s.says("go")
	s.write("a", "/w/a.go", "x", "create")
	if r := s.events("b.go"); r.Found || r.Lines != 3 {
		t.Errorf("found %+v", r.Facts)
	}
}

func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

func TestUngutter(t *testing.T) {
	for _, tc := range []struct {
		in    string
		text  string
		start int
		n     int
		whole bool
	}{
		{"1\ta\n2\tb", "a\nb", 1, 2, true},
		{"     9→a\n    10→b\n    11→", "a\nb\n", 9, 3, true},
		{"1\ta\n3\tb", "a", 1, 1, false},
		{"1\ta\nnote", "a", 1, 1, false},
		{"1→1→x", "1→x", 1, 1, true},
		{"", "", 0, 0, false},
		{"no lines", "", 0, 0, false},
		{"12345678901\tx", "", 0, 0, false},
		{"5", "", 0, 0, false},
	} {
		text, start, n, whole := ungutter(tc.in)
		if text != tc.text || start != tc.start || n != tc.n || whole != tc.whole {
			t.Errorf("%q: %q %d %d %v", tc.in, text, start, n, whole)
		}
	}
}

func FuzzUngutter(f *testing.F) {
	f.Add("1\ta\n2\tb")
	f.Add("  7→x\r\n8→")
	f.Fuzz(func(t *testing.T, in string) {
		text, _, n, _ := ungutter(in)
		if n > 0 && strings.Count(text, "\n") != n-1 {
			t.Errorf("%d lines in %q", n, text)
		}
	})
}

func TestTarget(t *testing.T) {
	for _, tc := range []struct {
		target, path string
		want         bool
	}{
		{"app.py", "/w/src/app.py", true},
		{"src/app.py", "/w/src/app.py", true},
		{"b.rs", "/w/ab.rs", false},
		{"b.rs", "b.rs", true},
		{"/w/a", "/w/a", true},
		{"/w/a", "/w/./x/../a", true},
		{"/a", "/w/a", false},
		{`src\app.py`, `C:\w\src\app.py`, true},
		{`c:\w\a`, `C:/w/A`, true},
		{"A", "/w/a", false},
		{"A.py", `C:\w\a.PY`, true},
		{"W/a", `\\srv\w\A`, true},
		{"A", "a", false},
		{"", "/w/a", false},
	} {
		if got := NewTarget(tc.target).Matches(tc.path); got != tc.want {
			t.Errorf("%q matches %q: %v", tc.target, tc.path, got)
		}
	}
}

func TestPathFilter(t *testing.T) {
	for _, tc := range []struct {
		regex, glob, path string
		marker, want      bool
	}{
		{"", "", "git:commit", true, true},
		{"git", "", "git:commit", true, false},
		{`\.go$`, "", "/w/a.go", false, true},
		{`\.GO$`, "", "/w/a.go", false, false},
		{"", "**/*.go", "/w/x/a.go", false, true},
		{"", "*.go", "/w/a.go", false, false},
		{"", "/w/*/a.go", "/w/x/y/a.go", false, false},
		{"", "/w/**/a.go", "/w/a.go", false, true},
		{"", "**/a.{go,rs}", `C:\w\a.rs`, false, true},
		{"x", "**/*.go", "/w/y/a.go", false, false},
	} {
		f, err := NewPathFilter(tc.regex, tc.glob)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Keeps(tc.path, tc.marker); got != tc.want {
			t.Errorf("%q %q keeps %q: %v", tc.regex, tc.glob, tc.path, got)
		}
	}
	for _, bad := range [][2]string{{"(", ""}, {"", "[a"}} {
		if _, err := NewPathFilter(bad[0], bad[1]); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
