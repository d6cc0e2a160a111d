package fileops

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spell gives mutations and boundaries a line each.
func spell(c *Changes) (out []string) {
	for i := range c.Mutations {
		m := &c.Mutations[i]
		s := fmt.Sprintf("%d %s %s", m.At.SourceLine, m.Op, m.Path)
		for _, w := range []string{m.Resolution, m.Detail} {
			if w != "" {
				s += " " + w
			}
		}
		if m.Verbatim != "" {
			s += " typed " + m.Verbatim
		}
		for _, f := range []struct {
			on   bool
			word string
		}{{m.Create, "create"}, {m.Heuristic, "heuristic"}, {m.Errored, "errored"}, {m.Marker, "marker"}} {
			if f.on {
				s += " " + f.word
			}
		}
		if m.At.Survival != "live" {
			s += fmt.Sprintf(" %s t%d", m.At.Survival, m.At.OrderTurn)
			if m.At.AbandonedRoot != nil {
				s += fmt.Sprintf(" root %d", *m.At.AbandonedRoot)
			}
		}
		out = append(out, s)
	}
	for i := range c.Boundaries {
		b := &c.Boundaries[i]
		out = append(out, fmt.Sprintf("%d %s %s", b.At.SourceLine, b.Cause, b.Path))
	}
	return out
}

func TestSurvey(t *testing.T) {
	for _, tc := range []struct {
		name string
		tell func(s *story)
		want []string
	}{
		{"file tools", func(s *story) {
			s.says("go")
			s.write("a", "/w/new.go", "package w\n", "create")
			s.write("b", "/w/old.go", "package w\n", "update")
			s.edit("c", "/w/new.go", "w", "x")
			s.call("d", "MultiEdit", obj{"file_path": "/w/m.go", "edits": []any{}})
			s.result("d", "ok", obj{"filePath": "/w/m.go", "edits": []any{}})
			s.call("e", "NotebookEdit", obj{"notebook_path": "/w/n.ipynb", "new_source": "x"})
			s.result("e", "ok", obj{"notebook_path": "/w/n.ipynb", "error": ""})
			s.call("f", "NotebookEdit", obj{"notebook_path": "/w/n.ipynb", "new_source": "x"})
			s.result("f", "no such cell", obj{"notebook_path": "/w/n.ipynb", "error": "no such cell"})
			s.read("g", "/w/new.go", "package x\n", 1, 2, 2)
		}, []string{"2 write /w/new.go create", "4 write /w/old.go", "6 edit /w/new.go", "8 multi_edit /w/m.go", "10 notebook_edit /w/n.ipynb"}},
		{"a failed edit is none, a failed command is kept", func(s *story) {
			s.says("go")
			s.call("a", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
			s.fails("a", "String to replace not found in file.")
			s.call("b", "Bash", obj{"command": "rm a; false"})
			s.fails("b", "Exit code 1")
		}, []string{"4 bash /w/a cwd-joined typed a heuristic errored"}},
		{"no result", func(s *story) {
			s.says("go")
			s.call("a", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
		}, []string{"2 edit /w/a"}},
		{"edit before read", func(s *story) {
			s.says("go")
			s.call("a", "Edit", obj{"file_path": "/w/a", "old_string": "x", "new_string": "y"})
			s.fails("a", "<tool_use_error>File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.</tool_use_error>")
			s.call("b", "Bash", obj{"command": "cat log"})
			s.fails("b", "File has been modified since read")
		}, []string{"3 modified_since_read /w/a"}},
		{"results out of order", func(s *story) {
			s.says("go")
			say := func(id, path string) string {
				s.add(obj{"type": "assistant", "message": obj{"role": "assistant", "id": "m", "content": []any{
					obj{"type": "tool_use", "id": id, "name": "Write", "input": obj{"file_path": path, "content": "x"}}}}})
				return s.last
			}
			call := say("a", "/w/a")
			say("b", "/w/b")
			s.result("b", "ok", obj{"type": "update", "filePath": "/w/b", "content": "B"})
			s.last = call
			s.result("a", "ok", obj{"type": "create", "filePath": "/w/a", "content": "A"})
		}, []string{"2 write /w/a create", "3 write /w/b"}},
		{"two calls in one record", func(s *story) {
			s.says("go")
			s.add(obj{"type": "assistant", "message": obj{"role": "assistant", "content": []any{
				obj{"type": "tool_use", "id": "a", "name": "Write", "input": obj{"file_path": "/w/a", "content": "A"}},
				obj{"type": "tool_use", "id": "b", "name": "Write", "input": obj{"file_path": "/w/b", "content": "B"}}}}})
			s.add(obj{"type": "user", "message": obj{"role": "user", "content": []any{
				obj{"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true},
				obj{"type": "tool_result", "tool_use_id": "a", "content": "ok"}}}})
		}, []string{"2 write /w/a"}},
		{"a branch that was left", func(s *story) {
			s.says("first")
			root := s.last
			s.says("second")
			s.write("a", "/w/lost", "x", "create")
			s.last = root
			s.says("second, otherwise")
			s.write("b", "/w/kept", "x", "create")
		}, []string{"3 write /w/lost create abandoned t0 root 2", "6 write /w/kept create"}},
		{"a record written twice", func(s *story) {
			s.says("go")
			s.write("a", "/w/a", "x", "create")
			s.raw(s.lines[1])
			s.raw(s.lines[2])
			s.edit("b", "/w/a", "x", "y")
		}, []string{"4 write /w/a create", "6 edit /w/a"}},
		{"an old relative path", func(s *story) {
			s.says("go")
			s.write("a", "src/a.go", "x", "create")
		}, []string{"2 write src/a.go create"}},
		{"the settings of a project", func(s *story) {
			s.says("go")
			s.tracked(".claude/settings.local.json", 1, "x@v1")
			s.says("again")
			s.tracked(".claude/settings.local.json", 2, "x@v2")
			s.write("a", "/w/.claude/settings.local.json", "{}", "update")
			s.tracked(".claude/settings.local.json", 3, "x@v3")
			s.tracked(".claude/settings.local.json", 1, "x@v1")
			s.tracked("src/main.go", 1, "y@v1")
			s.tracked("src/main.go", 2, "y@v2")
		}, []string{"4 external_write /w/.claude/settings.local.json snapshot v1->v2, no tool record since L2", "5 write /w/.claude/settings.local.json"}},
		{"what a command's result names", func(s *story) {
			s.says("go")
			s.call("a", "Bash", obj{"command": "touch b.txt"})
			res := quiet()
			res["bashEditDiff"] = obj{"files": []any{obj{"filePath": "/w/b.txt", "hunks": []any{}, "created": true}}, "moreFiles": 1, "changedFiles": []any{"/w/b.txt", "/w/c.pyc"}}
			s.result("a", "", res)
			s.call("b", "Bash", obj{"command": "make"})
			s.result("b", "", res)
		}, []string{"2 bash /w/b.txt cwd-joined the result names it typed b.txt create", "2 bash /w/c.pyc the result names it",
			"4 bash /w/b.txt the result names it create", "4 bash /w/c.pyc the result names it"}},
		{"a tool's name in another spelling, and in prose", func(s *story) {
			s.says(`he said "Edit" and "Bash"`)
			s.write("a", "/w/a", "x", "create")
			s.lines[1] = strings.Replace(s.lines[1], `"Write"`, `"\u0057rite"`, 1)
		}, []string{"2 write /w/a create"}},
		{"nothing", func(s *story) { s.says("go") }, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStory(t)
			tc.tell(s)
			if d := cmp.Diff(tc.want, spell(s.survey())); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Bash rows: the words of the command with the directory of its own record.
func TestSurveyShell(t *testing.T) {
	for _, tc := range []struct {
		command string
		want    []string
	}{
		{"cd src && echo x > a.txt", []string{"2 bash /w/src/a.txt cd-tracked typed a.txt heuristic"}},
		{"touch b.txt; (cd /q; touch c); touch d", []string{"2 bash /w/b.txt cwd-joined typed b.txt heuristic", "2 bash /q/c cd-tracked typed c heuristic", "2 bash /w/d cwd-joined typed d heuristic"}},
		{`rm "$D/x" ~/y /z`, []string{"2 bash $D/x unresolved heuristic", "2 bash ~/y unresolved heuristic", "2 bash /z absolute heuristic"}},
		{"cat > f <<'EOF'\nrm -rf g > h\nEOF", []string{"2 bash /w/f cwd-joined typed f heuristic"}},
		{"git commit -m 'a > b'", []string{"2 bash git:commit heuristic marker"}},
		{"git clean -n", nil},
		{"ls", nil},
	} {
		t.Run(tc.command, func(t *testing.T) {
			s := newStory(t)
			s.says("go")
			s.bash("a", tc.command)
			if d := cmp.Diff(tc.want, spell(s.survey())); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestSurveyFacts(t *testing.T) {
	s := newStory(t)
	s.says("go")
	s.write("a", "/w/a", "x", "create")
	s.raw(`{"type":"user","torn`)
	s.raw(`{"type":"user","x":[1}`)
	s.says("more")
	c := s.survey()
	if c.Skipped != 2 || c.Lines != 6 || c.Turns != 2 || !c.Found {
		t.Errorf("facts %+v", c.Facts)
	}
	src := s.source()
	src.Wanted = []Record{{Line: 2}, {UUID: c.Mutations[0].At.UUID}, {UUID: "gone"}, {Line: 9}}
	got, errs := Survey(t.Context(), []Source{src, {Path: src.Path + ".none"}}, Options{Crossings: -1})
	if errs[0] != nil || errs[1] == nil || got[1] != nil {
		t.Fatal(errs)
	}
	if d := cmp.Diff([]int{0, 0, -1, -1}, got[0].Asked); d != "" {
		t.Error(d)
	}
}
