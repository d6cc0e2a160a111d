package list

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestIsClear(t *testing.T) {
	for text, want := range map[string]bool{
		"<command-name>/clear</command-name>\n<command-message>clear</command-message>": true,
		"<command-message>clear</command-message>\n<command-name>/clear</command-name>": true,
		" \n<command-name>/new</command-name><command-args>name</command-args>":         true,
		"<command-name>/reset</command-name>":                                           true,
		"<command-name>/clearing</command-name>":                                        false,
		"<command-name>/compact</command-name>":                                         false,
		"<command-name>/clear":                                                          false,
		"see <command-name>/clear</command-name>":                                       false,
		"": false,
	} {
		if got := isClear(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// traceOf makes a trace of marks written "uuid@ms>sessionId", "-" for no uuid and no "@"
// for no timestamp; each stands on a line, "" on one that leaves none.
func traceOf(id string, words ...string) *trace {
	t := &trace{id: id}
	for i, w := range words {
		if w == "" {
			continue
		}
		w, names, _ := strings.Cut(w, ">")
		uuid, at, _ := strings.Cut(w, "@")
		m := mark{line: i + 1, names: names}
		fmt.Sscan(at, &m.at)
		if uuid != "-" {
			m.key = keyOf(uuid)
		}
		t.marks = append(t.marks, m)
	}
	t.index()
	return t
}

func TestKinship(t *testing.T) {
	for name, tc := range map[string]struct {
		f, g          []string
		shared, older int
	}{
		"strangers":                        {[]string{"a@1", "b@2"}, []string{"c@1"}, 0, 0},
		"equal":                            {[]string{"a@1", "b@2"}, []string{"a@1", "b@2"}, 2, 0},
		"one goes on":                      {[]string{"a@1", "b@2", "c@3"}, []string{"a@1", "b@2"}, 2, 0},
		"copies name the other":            {[]string{"a@1>g", "b@2", "x@9"}, []string{"a@1", "b@2", "y@5"}, 2, 1},
		"the other's copies name it":       {[]string{"a@1", "b@2", "x@9"}, []string{"a@1>f", "b@2>f"}, 2, -1},
		"a third one's name says nothing":  {[]string{"a@1>z", "b@2"}, []string{"a@1", "b@2"}, 2, 0},
		"copies are stamped anew":          {[]string{"a@50", "b@50"}, []string{"a@1", "b@2"}, 2, 1},
		"a line amid the shared ones":      {[]string{"-@1", "a@2", "b@4", "x@20"}, []string{"-@9", "a@2", "b@4", "y@10"}, 2, -1},
		"a branch amid the shared ones":    {[]string{"a@1", "x@2", "b@3"}, []string{"a@1", "b@3", "y@5"}, 2, -1},
		"untimed lines amid the originals": {[]string{"a@1", "", "b@3"}, []string{"", "a@1", "b@3", "y@5"}, 2, -1},
		"untimed lines amid both":          {[]string{"a@1", "", "b@3"}, []string{"a@1", "", "b@3"}, 2, 0},
		"a record that stands twice":       {[]string{"a@1", "b@2", "a@1"}, []string{"a@1", "b@2"}, 2, 0},
		"no stamps":                        {[]string{"a", "", "b"}, []string{"a", "b"}, 2, -1},
	} {
		f, g := traceOf("f", tc.f...), traceOf("g", tc.g...)
		if shared, older := kinship(f, g); shared != tc.shared || older != tc.older {
			t.Errorf("%s: %d shared, older %d; want %d, %d", name, shared, older, tc.shared, tc.older)
		}
		if shared, older := kinship(g, f); shared != tc.shared || older != -tc.older {
			t.Errorf("%s, the other way: %d shared, older %d", name, shared, older)
		}
	}
}

// uuids makes a transcript of a session: each word is a record, "uuid@second", of the
// person where it starts in a capital. A second of its own comes first in the file.
func uuids(id string, words ...string) string {
	var b strings.Builder
	for _, w := range words {
		uuid, sec, _ := strings.Cut(w, "@")
		typ, role := "assistant", `[{"type":"text","text":"w"}]`
		if uuid != strings.ToLower(uuid) {
			typ, role = "user", `"w"`
		}
		if uuid == "" {
			fmt.Fprintf(&b, `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-02T09:00:%sZ","sessionId":%q}`+"\n", sec, id)
			continue
		}
		fmt.Fprintf(&b, `{"type":%q,"uuid":%q,"parentUuid":null,"timestamp":"2026-03-02T09:00:%sZ","cwd":"/d","version":"2.1.332","sessionId":%q,"message":{"role":%q,"content":%s}}`+"\n",
			typ, uuid, sec, id, typ, role)
	}
	return b.String()
}

func sid(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// TestForksOfForks pins which of several sessions a fork is said to come from.
func TestForksOfForks(t *testing.T) {
	file := func(n int, words ...string) (string, string) {
		return "-d/" + sid(n) + ".jsonl", uuids(sid(n), words...)
	}
	type want struct {
		id      string // "" for a null session_id, "-" for no fork
		records any
	}
	for name, tc := range map[string]struct {
		files [][]string // of sessions 1, 2, ...
		plain []want
		whole []want
	}{
		"two forks of one": {
			[][]string{{"@01", "A@02", "b@03", "C@04", "d@05"}, {"@11", "A@02", "b@03", "X@12"}, {"@21", "A@02", "b@03", "C@04", "Y@22"}},
			[]want{{"-", nil}, {sid(1), nil}, {"", nil}},
			[]want{{"-", nil}, {sid(1), 2.0}, {sid(1), 3.0}},
		},
		"a fork of a fork": {
			[][]string{{"@01", "A@02", "b@03"}, {"@11", "A@02", "b@03", "C@12", "d@13"}, {"@21", "A@02", "b@03", "C@12", "d@13", "E@22"}},
			[]want{{"-", nil}, {sid(1), nil}, {"", nil}},
			[]want{{"-", nil}, {sid(1), 2.0}, {sid(2), 4.0}},
		},
		"nothing tells": {
			[][]string{{"A@02", "b@03", "X@12"}, {"A@02", "b@03", "Y@13"}},
			[]want{{"", nil}, {"", nil}},
			[]want{{"", 2.0}, {"", 2.0}},
		},
		"no fork": {
			[][]string{{"A@02", "b@03"}, {"B@02", "c@03"}},
			[]want{{"-", nil}, {"-", nil}},
			[]want{{"-", nil}, {"-", nil}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for i, words := range tc.files {
				path, text := file(i+1, words...)
				files[path] = text
			}
			home := homeOf(t, files)
			check := func(want []want, args ...string) {
				t.Helper()
				for _, slow := range []string{"CSIFT_SLOW=", "CSIFT_SLOW=1"} {
					got, _, _ := rows(t, home, append([]string{slow}, args...)...)
					for i, w := range want {
						f, _ := got[i]["forked_from"].(map[string]any)
						id, _ := f["session_id"].(string)
						if f == nil {
							id = "-"
						}
						if id != w.id || f != nil && f["records"] != w.records {
							t.Errorf("%v session %d: %v, want %v", args, i+1, f, w)
						}
					}
				}
			}
			check(tc.plain)
			check(tc.whole, "--lineage")
			// The siblings of a kept session count although they are not kept.
			got, _, _ := rows(t, home, "@"+sid(len(tc.files)), "--lineage")
			f, _ := got[0]["forked_from"].(map[string]any)
			id, _ := f["session_id"].(string)
			if last := tc.whole[len(tc.whole)-1]; f != nil && id != last.id || f == nil && last.id != "-" {
				t.Errorf("alone: %v, want %v", f, last)
			}
		})
	}
}

func TestUnreadableSiblingIsTold(t *testing.T) {
	wrapper := `{"type":"user","uuid":"w","timestamp":"2026-03-02T09:00:00Z","cwd":"/d","message":{"role":"user","content":"<command-name>/clear</command-name>"}}` + "\n"
	home := homeOf(t, map[string]string{"-d/" + sid(1) + ".jsonl": wrapper, "-d/" + sid(2) + ".jsonl": wrapper})
	gone := filepath.Join(home, "projects", "-d", sid(2)+".jsonl")
	if os.Remove(gone) != nil || os.Symlink(filepath.Join(home, "nowhere"), gone) != nil {
		t.Skip("no symbolic links")
	}
	out, stderr, code := csift(t, home, "list", "@"+sid(1))
	if code != 1 || !strings.Contains(stderr, "cannot read "+gone) || !strings.Contains(out, "not known") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}

func TestRetention(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		settings string // "" for none
		ages     []time.Duration
		expired  any
		days     any
		note     string
	}{
		"default":          {"", []time.Duration{29 * 24 * time.Hour, 31 * 24 * time.Hour, 400 * 24 * time.Hour}, 2.0, 30.0, "2 sessions were last written more than 30 days ago: the next start of Claude Code deletes them (its default: no settings say cleanupPeriodDays)\n"},
		"to the second":    {"", []time.Duration{30 * 24 * time.Hour, 30*24*time.Hour + time.Second}, 1.0, 30.0, "1 session was last written more than 30 days ago: the next start of Claude Code deletes it "},
		"none":             {"", []time.Duration{0}, 0.0, 30.0, ""},
		"said by settings": {`{"cleanupPeriodDays":1}`, []time.Duration{25 * time.Hour, time.Hour}, 1.0, 1.0, "more than 1 day ago: the next start of Claude Code deletes it (cleanupPeriodDays in "},
		"for ever":         {`{"cleanupPeriodDays":99999}`, []time.Duration{400 * 24 * time.Hour}, 0.0, 99999.0, ""},
		"zero":             {`{"cleanupPeriodDays":0}`, []time.Duration{400 * 24 * time.Hour}, nil, nil, "will delete next is not known: "},
		"negative":         {`{"cleanupPeriodDays":-3}`, []time.Duration{400 * 24 * time.Hour}, nil, nil, "will delete next is not known: "},
		"not a number":     {`{"cleanupPeriodDays":"9"}`, []time.Duration{31 * 24 * time.Hour}, 1.0, 30.0, "(its default: "},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"-d/" + sid(9) + "/subagents/agent-a1b2c3d4e5f607189.jsonl": user(1, "x")}
			for i := range tc.ages {
				files["-d/"+sid(i+1)+".jsonl"] = user(1, "hi")
			}
			home := homeOf(t, files)
			if tc.settings != "" {
				if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(tc.settings), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			old := now.Add(-500 * 24 * time.Hour)
			for name := range files {
				at := old // a subagent's own file does not count
				for i, age := range tc.ages {
					if strings.Contains(name, sid(i+1)) {
						at = now.Add(-age)
					}
				}
				if err := os.Chtimes(filepath.Join(home, "projects", name), at, at); err != nil {
					t.Fatal(err)
				}
			}
			_, _, sum := rows(t, home)
			if diff := cmp.Diff([]any{tc.expired, tc.days}, []any{sum["expired_sessions"], sum["retention_days"]}); diff != "" {
				t.Error(diff)
			}
			out, _, _ := csift(t, home, "list")
			if tc.note == "" && strings.Contains(out, "Claude Code") || !strings.Contains(out, tc.note) {
				t.Errorf("no %q in\n%s", tc.note, out)
			}
		})
	}
}

// TestManyForks pins that a session that was forked often is still found, and said to
// be one of many.
func TestManyForks(t *testing.T) {
	files := map[string]string{}
	for n := range maxKin + 6 {
		first := "@01"
		if n > 0 {
			first = fmt.Sprintf("@%d.%03d", 50, n)
		}
		files["-d/"+sid(n+1)+".jsonl"] = uuids(sid(n+1), first, "A@02", "b@03", fmt.Sprintf("X%d@55", n))
	}
	home := homeOf(t, files)
	got, _, _ := rows(t, home, "--lineage")
	for i, r := range got {
		f, _ := r["forked_from"].(map[string]any)
		if i == 0 && f != nil || i > 0 && f["session_id"] != sid(1) {
			t.Errorf("session %d: %v", i+1, f)
		}
	}
	if _, stderr, _ := csift(t, home, "list", "--lineage"); !strings.Contains(stderr, "more than 64 sessions begin") {
		t.Error(stderr)
	}
}
