package list

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// many makes a home of n sessions, each a minute later than the one before; the
// earliest has the highest id.
func many(t *testing.T, n int) string {
	files := map[string]string{}
	for i := range n {
		at := fmt.Sprintf("2026-03-02T%02d:%02d:00.000Z", 9+i/60, i%60)
		files[fmt.Sprintf("-home-p/%08d-0000-4000-8000-000000000000.jsonl", n-i)] =
			fmt.Sprintf(`{"type":"user","timestamp":%q,"message":{"role":"user","content":"number %d"}}`+"\n", at, i)
	}
	return homeOf(t, files)
}

func TestCaps(t *testing.T) {
	home := many(t, 52)
	sessions := func(args ...string) int {
		out, _, _ := csift(t, home, args...)
		return strings.Count(out, " SESSION ")
	}
	for _, tc := range []struct {
		args []string
		want int
	}{
		{nil, 50}, {[]string{"--max-count", "0"}, 52}, {[]string{"@all"}, 52}, {[]string{"-home-p"}, 52}, {[]string{"--max-count", "3"}, 3},
	} {
		if got := sessions(tc.args...); got != tc.want {
			t.Errorf("%q: %d sessions, want %d", tc.args, got, tc.want)
		}
	}
	out, _, _ := csift(t, home)
	if !strings.Contains(out, "+2 sessions, less recently active") || !strings.Contains(out, "csift-list --max-count 0") {
		t.Errorf("the guard is not told: %s", out[len(out)-200:])
	}
	if strings.Contains(out, "number 0\n") || !strings.Contains(out, "number 51\n") {
		t.Error("the guard keeps others than the most recently active")
	}
	s, header, summary := rows(t, home)
	if len(s) != 52 || header["sessions_in_scope"] != 52.0 || summary["dropped_by_cap"] != 0.0 {
		t.Errorf("rows are capped unasked: %d", len(s))
	}
	s, header, summary = rows(t, home, "--max-count", "2")
	if len(s) != 2 || header["sessions_in_scope"] != 52.0 || summary["dropped_by_cap"] != 50.0 || summary["sessions"] != 2.0 {
		t.Errorf("%d %v %v", len(s), header, summary)
	}
	if words(s[0], "first_user") != "number 51" || words(s[1], "first_user") != "number 50" {
		t.Errorf("not in path order: %v", s)
	}
	if _, stderr, code := csift(t, home, "--max-count", "-1"); code != 2 {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestTimeWindow(t *testing.T) {
	home := homeOf(t, map[string]string{
		"-p/" + idA + ".jsonl": user(10, "a") + says(20, "b"),
		"-p/" + idB + ".jsonl": line("mode", 1, ""),
	})
	for _, tc := range []struct {
		args []string
		want int
	}{
		{nil, 2},
		{[]string{"--since", "2026-03-02T09:00:20Z"}, 1},
		{[]string{"--since", "2026-03-02T09:00:21Z"}, 0},
		{[]string{"--until", "2026-03-02T09:00:10Z"}, 1},
		{[]string{"--until", "2026-03-02T09:00:09Z"}, 0},
		{[]string{"--since", "2026-03-02T09:00:12Z", "--until", "2026-03-02T09:00:15Z"}, 1},
		{[]string{"--since", "4h"}, 1},
	} {
		if s, _, _ := rows(t, home, tc.args...); len(s) != tc.want {
			t.Errorf("%q: %d rows, want %d", tc.args, len(s), tc.want)
		}
	}
	if _, stderr, code := csift(t, home, "--since", "yesterday"); code == 0 || !strings.Contains(stderr, "--since") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestLists(t *testing.T) {
	home := homeOf(t, map[string]string{"-p/" + idA + ".jsonl": user(1, "a"), "-p/" + idB + ".jsonl": user(2, "b")})
	list := filepath.Join(t.TempDir(), "ids")
	for content, want := range map[string]int{"": 0, idA + "\n": 1, "@" + idA + " @" + idB: 2} {
		if err := os.WriteFile(list, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		s, header, _ := rows(t, home, "--sessions-from", list)
		if len(s) != want || header["sessions_in_scope"] != float64(want) {
			t.Errorf("%q: %d rows", content, len(s))
		}
	}
	out, stderr, code := csift(t, home, "@"+idA+":3")
	if code != 0 || strings.Count(out, " SESSION ") != 1 || !strings.Contains(stderr, "were ignored") {
		t.Errorf("an address: %d %s %s", code, out, stderr)
	}
}

func TestText(t *testing.T) {
	home := homeOf(t, map[string]string{"-p/" + idA + ".jsonl": strings.Replace(user(1, "fix ESC[31mit"), "ESC", `\u001b`, 1) +
		line("custom-title", 1, `"customTitle":"the title"`) + `{"type":"user","version":"2.1.332","gitBranch":"main","timestamp":"2026-03-02T09:00:05Z","message":{"role":"user","content":"more"}}` + "\n"})
	out, _, _ := csift(t, home)
	want := "@5d0c1f3e SESSION  " + idA + "\n" +
		"  title    the title   (custom-title)\n" +
		"  cwd      /home/u/demo   (branch main, CC 2.1.258->2.1.332)\n"
	if !strings.HasPrefix(out, want) {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	for i, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if strings.HasPrefix(l, "@") != (i == 0) || i > 0 && !strings.HasPrefix(l, "  ") {
			t.Errorf("line %d: %q", i, l)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
	if !strings.Contains(out, "  last ▸   —\n") {
		t.Errorf("an absent message is not shown: %s", out)
	}
}

func TestUnreadableFile(t *testing.T) {
	home := homeOf(t, map[string]string{"-p/" + idA + ".jsonl": user(1, "a"), "-p/" + idB + ".jsonl": user(1, "b")})
	path := filepath.Join(home, "projects", "-p", idA+".jsonl")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "nowhere"), path); err != nil {
		t.Skip("no symlinks here:", err)
	}
	out, stderr, code := csift(t, home, "--format", "json")
	if code != 1 || !strings.Contains(stderr, "cannot read "+path) || !strings.Contains(out, `"unreadable_files":1`) || !strings.Contains(out, idB) {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}

func TestSlowIsTheSame(t *testing.T) {
	home := many(t, 20)
	for _, args := range [][]string{{"@all", "--format", "json"}, {"@all", "--lineage", "--format", "json"}, {"--max-count", "7"}} {
		fast, _, _ := csift(t, home, args...)
		slow, _, _ := csift(t, home, append([]string{"CSIFT_SLOW=1"}, args...)...)
		if fast != slow || !strings.Contains(fast, "number 19") {
			t.Errorf("%q differs", args)
		}
	}
}
