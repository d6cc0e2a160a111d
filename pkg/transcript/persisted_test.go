package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/record"
)

const persistedSession = "5d0c1f3e-0000-4000-8000-00000000a001"

// outputs writes files below a directory.
func outputs(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func pointer(path string) string {
	return "<persisted-output>\nOutput too large (31.7KB). Full output saved to: " + path + "\n\nPreview (first 2KB):\nline 1\n...\n</persisted-output>"
}

func TestPersisted(t *testing.T) {
	dir := t.TempDir()
	outputs(t, dir, map[string]string{
		"a.txt": "all of a\n", "b.txt": "all of b", "empty.txt": "",
		"p/" + persistedSession + "/tool-results/here.txt": "beside", "p/" + persistedSession + "/tool-results/dir.txt/x": "",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	const lost = "[csift: could not resolve persisted output "
	for _, c := range []struct {
		name, text, recorded string
		want                 string // "…" at the end: what follows is the system's
		unread               int
	}{
		{"no pointer", "plain", at("a.txt"), "plain", 0},
		{"the recorded path", pointer(at("b.txt")), at("a.txt"), "all of a\n", 0},
		{"the path in the text", pointer(at("b.txt")), "", "all of b", 0},
		{"the path in the text where the recorded one is gone", pointer(at("b.txt")), at("gone.txt"), "all of b", 0},
		{"another machine's path", pointer("/else/where/tool-results/here.txt"), "/else/where/tool-results/here.txt", "beside", 0},
		{"another system's path", pointer(`C:\u\tool-results\here.txt`), `C:\u\tool-results\here.txt`, "beside", 0},
		{"a name alone", pointer("here.txt"), "", "beside", 0},
		{"an empty output", pointer(at("empty.txt")), "", "", 0},
		{"text around it", "before\n" + pointer(at("b.txt")) + "\nafter", "", "before\nall of b\nafter", 0},
		{"two of them, the recorded path is the first's", pointer(at("gone.txt")) + "\n" + pointer(at("b.txt")), at("a.txt"), "all of a\n\nall of b", 0},
		{"unclosed", strings.TrimSuffix(pointer(at("b.txt")), "</persisted-output>"), "", "all of b", 0},
		{"nothing but the path", "<persisted-output>Full output saved to: " + at("b.txt") + "</persisted-output>", "", "all of b", 0},
		{"quoted in a line", "x " + pointer(at("b.txt")), "", "x " + pointer(at("b.txt")), 0},
		{"gone", pointer("/else/gone.txt"), "/else/gone.txt", pointer("/else/gone.txt") + "\n" + lost + "/else/gone.txt: …", 1},
		{"no file", pointer(at("p")), "", pointer(at("p")) + "\n" + lost + at("p") + ": not a regular file]", 1},
		{"what is there and no file is told before what is not there", pointer("/else/dir.txt"), "", pointer("/else/dir.txt") + "\n" + lost + at("p/"+persistedSession+"/tool-results/dir.txt") + ": not a regular file]", 1},
		{"no path", "<persisted-output>\nhm</persisted-output>", "", "<persisted-output>\nhm</persisted-output>\n[csift: could not resolve persisted output: its pointer names no file]", 1},
		{"no name", pointer("/else/.."), "relative/", pointer("/else/..") + "\n" + lost + "/else/..: …", 1},
		{"one of two", pointer(at("b.txt")) + "\n" + pointer("/else/gone.txt"), "", "all of b\n" + pointer("/else/gone.txt") + "\n" + lost + "/else/gone.txt: …", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewPersisted(at("p/"+persistedSession+".jsonl"), persistedSession)
			text := []byte(c.text)
			got := string(p.Resolve(text, c.recorded))
			if want, open := strings.CutSuffix(c.want, "…"); open && strings.HasPrefix(got, want) && strings.HasSuffix(got, "]") {
				got = c.want
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if p.Unread != c.unread || string(text) != c.text {
				t.Errorf("%d unread, want %d; text %q", p.Unread, c.unread, text)
			}
		})
	}
}

// Outputs of subagents lie with those of their session.
func TestPersistedBeside(t *testing.T) {
	dir := t.TempDir()
	outputs(t, dir, map[string]string{"p/" + persistedSession + "/tool-results/here.txt": "beside"})
	for path, parent := range map[string]string{
		"p/" + persistedSession + ".jsonl":                                  "",
		"p/" + persistedSession + "/subagents/agent-a1.jsonl":               persistedSession,
		"p/" + persistedSession + "/subagents/workflows/wf_1/agent-a.jsonl": "",
		"p/agent-a1.jsonl": persistedSession,
	} {
		p := NewPersisted(filepath.Join(dir, filepath.FromSlash(path)), parent)
		if got := string(p.Resolve([]byte(pointer("/x/here.txt")), "")); got != "beside" {
			t.Errorf("%s: %q", path, got)
		}
	}
	p := NewPersisted(filepath.Join(dir, "p", "agent-a1.jsonl"), "../p/"+persistedSession)
	if p.Resolve([]byte(pointer("/x/here.txt")), ""); p.Unread != 1 {
		t.Error("a parent that is a path was followed")
	}
}

func TestPersistedCap(t *testing.T) {
	dir := t.TempDir()
	outputs(t, dir, map[string]string{"a.txt": "12345678é and more", "b.txt": "xyz"})
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	note := func(n, of int, path string) string {
		return fmt.Sprintf("\n[csift: this is the start of a persisted output, %d of %d bytes: %s]", n, of, path)
	}
	for _, c := range []struct {
		most int64
		text string
		want string
		cut  int
	}{
		{19, pointer(a), "12345678é and more", 0},
		{10, pointer(a), "12345678é" + note(10, 19, a), 1},
		{9, pointer(a), "12345678" + note(8, 19, a), 1},
		{20, pointer(a) + "\n" + pointer(b), "12345678é and more\nx" + note(1, 3, b), 1},
	} {
		p := NewPersisted(filepath.Join(dir, "s.jsonl"), "")
		p.most = c.most
		if diff := cmp.Diff(c.want, string(p.Resolve([]byte(c.text), ""))); diff != "" || p.Cut != c.cut || p.Unread != 0 {
			t.Errorf("%d: %s cut %d", c.most, diff, p.Cut)
		}
	}
}

func TestPoints(t *testing.T) {
	for raw, want := range map[string]bool{`"<persisted-output>\nx"`: true, `"\u003cpersisted-output\u003e"`: true, `"persisted"`: false, `[{"type":"text","text":"<persisted-output>"}]`: true} {
		if got := Points(record.Raw(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

func FuzzPersisted(f *testing.F) {
	f.Add(pointer("/x/y.txt"), "/x/y.txt")
	f.Add("<persisted-output><persisted-output>\n<persisted-output>Full output saved to:", "")
	dir := f.TempDir()
	outputs(f, dir, map[string]string{"s/tool-results/y.txt": "é", "s/tool-results/z.txt": "z"})
	f.Fuzz(func(t *testing.T, text, recorded string) {
		p := NewPersisted(filepath.Join(dir, "s.jsonl"), "")
		got := p.Resolve([]byte(text), filepath.Base(recorded))
		if pointerAt([]byte(text), 0) < 0 && string(got) != text {
			t.Errorf("%q became %q", text, got)
		}
		if utf8.ValidString(text) && !utf8.Valid(got) {
			t.Errorf("%q", got)
		}
	})
}
