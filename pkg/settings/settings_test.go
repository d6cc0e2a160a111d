package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// place is a home, a project and a directory of managed settings on disk.
type place struct{ root, project, managed string }

// lay writes files: names start with root/, project/ or managed/.
func lay(t *testing.T, files map[string]string) place {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return place{filepath.Join(dir, "root"), filepath.Join(dir, "project"), filepath.Join(dir, "managed")}
}

func (p place) load() *Cascade { return load(p.root, p.project, p.managed) }

const (
	user    = "root/settings.json"
	shared  = "project/.claude/settings.json"
	local   = "project/.claude/settings.local.json"
	managed = "managed/managed-settings.json"
	dropIn  = "managed/managed-settings.d/"
	remote  = "root/remote-settings.json"
)

func TestPlansDirectory(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // below the project; "" is the directory of the home
		note  string // part of the note of some source
	}{
		"nothing":           {},
		"user":              {files: map[string]string{user: `{"plansDirectory":"u"}`}, want: "u"},
		"project over user": {files: map[string]string{user: `{"plansDirectory":"u"}`, shared: `{"plansDirectory":"docs/plans"}`}, want: "docs/plans"},
		"local over project": {files: map[string]string{local: `{"plansDirectory":"./l/"}`, shared: `{"plansDirectory":"p"}`},
			want: "l"},
		"managed does not set it": {files: map[string]string{managed: `{"plansDirectory":"m"}`}},
		"the project itself":      {files: map[string]string{shared: `{"plansDirectory":"."}`}, want: "."},
		"a name with dots":        {files: map[string]string{shared: `{"plansDirectory":"..plans"}`}, want: "..plans"},
		"a tilde is a name":       {files: map[string]string{shared: `{"plansDirectory":"~/plans"}`}, want: "~/plans"},
		"up":                      {files: map[string]string{shared: `{"plansDirectory":"../x"}`}, note: `plansDirectory "../x" leaves the project`},
		"up again":                {files: map[string]string{shared: `{"plansDirectory":"a/../../x"}`}, note: "leaves the project"},
		"absolute":                {files: map[string]string{shared: `{"plansDirectory":"/x"}`}, note: "leaves the project"},
		"a refused one hides the weaker": {files: map[string]string{local: `{"plansDirectory":"../x"}`, shared: `{"plansDirectory":"p"}`},
			note: "leaves the project"},
		"empty":      {files: map[string]string{shared: `{"plansDirectory":""}`, user: `{"plansDirectory":"u"}`}},
		"wrong type": {files: map[string]string{local: `{"plansDirectory":3}`, shared: `{"plansDirectory":"p"}`}, want: "p", note: "plansDirectory is no string"},
		"null":       {files: map[string]string{local: `{"plansDirectory":null}`, shared: `{"plansDirectory":"p"}`}, want: "p", note: "plansDirectory is no string"},
		"other case": {files: map[string]string{local: `{"plansdirectory":"x"}`}},
		"twice":      {files: map[string]string{local: `{"plansDirectory":"x","plansDirectory":"y"}`}, want: "y"},
		"broken":     {files: map[string]string{local: `{"plansDirectory":"x"`, user: `{"plansDirectory":"u"}`}, want: "u", note: "is no JSON object"},
		"a list":     {files: map[string]string{local: `[]`, user: `{"plansDirectory":"u"}`}, want: "u", note: "is no JSON object"},
		"null file":  {files: map[string]string{local: `null`, user: `{"plansDirectory":"u"}`}, want: "u", note: "is no JSON object"},
		"after it":   {files: map[string]string{local: `{"plansDirectory":"x"} {}`, user: `{"plansDirectory":"u"}`}, want: "u", note: "is no JSON object"},
		"BOM":        {files: map[string]string{local: "\ufeff{\"plansDirectory\":\"x\"}\r\n"}, want: "x"},
		"empty file": {files: map[string]string{local: " \n", user: `{"plansDirectory":"u"}`}, want: "u"},
		"huge":       {files: map[string]string{local: strings.Repeat(" ", maxSize+1), user: `{"plansDirectory":"u"}`}, want: "u", note: "more than settings ever have"},
	} {
		t.Run(name, func(t *testing.T) {
			p := lay(t, c.files)
			cascade := p.load()
			got, named := cascade.PlansDirectory()
			want := filepath.Join(p.root, "plans")
			if c.want != "" {
				want = filepath.Join(p.project, c.want)
			}
			if got != want || named != (c.want != "") {
				t.Errorf("got %q, %v, want %q", got, named, want)
			}
			var notes []string
			for _, s := range cascade.Sources() {
				if s.Note != "" {
					notes = append(notes, s.Note)
				}
			}
			if joined := strings.Join(notes, "\n"); c.note == "" && joined != "" || !strings.Contains(joined, c.note) {
				t.Errorf("notes %q, want %q", joined, c.note)
			}
		})
	}
}

func TestPlansDirectoryOfAbsolutePath(t *testing.T) {
	p := lay(t, nil)
	inside := filepath.Join(p.project, "in", "side")
	p = lay(t, map[string]string{})
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.root, "settings.json"), []byte(`{"plansDirectory":`+quote(inside)+`}`), 0o644); err != nil {
		t.Fatal(err)
	}
	p.project = filepath.Dir(inside)
	if got, ok := p.load().PlansDirectory(); got != inside || !ok {
		t.Errorf("got %q, %v", got, ok)
	}
	p.project = filepath.Join(inside, "deeper")
	if got, ok := p.load().PlansDirectory(); got != filepath.Join(p.root, "plans") || ok {
		t.Errorf("got %q, %v", got, ok)
	}
	p.project = ""
	if got, ok := p.load().PlansDirectory(); got != filepath.Join(p.root, "plans") || ok {
		t.Errorf("without a project: got %q, %v", got, ok)
	}
}

func quote(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }

// A transcript may have been recorded on another system: its paths are read by that system's rules.
func TestWithinWindows(t *testing.T) {
	for _, c := range []struct {
		root, dir, want string
		in              bool
	}{
		{`C:\Users\x\p`, `docs/plans`, `C:\Users\x\p\docs\plans`, true},
		{`C:\Users\x\p`, `.\docs\`, `C:\Users\x\p\docs`, true},
		{`C:\Users\x\p`, `.`, `C:\Users\x\p`, true},
		{`C:\Users\x\p`, `..\p2`, `C:\Users\x\p2`, false},
		{`C:\Users\x\p`, `c:/users/X/P/a`, `c:\users\X\P\a`, true},
		{`C:\Users\x\p`, `D:\a`, `D:\a`, false},
		{`C:\`, `a`, `C:\a`, true},
		{`\\box\share\p`, `a`, `\\box\share\p\a`, true},
	} {
		if got, in := within(c.root, c.dir); got != c.want || in != c.in {
			t.Errorf("within(%q, %q) = %q, %v, want %q, %v", c.root, c.dir, got, in, c.want, c.in)
		}
	}
}

func TestCleanupPeriodDays(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		days  int
		from  string
		note  string
	}{
		"nothing":                 {days: 30},
		"user":                    {files: map[string]string{user: `{"cleanupPeriodDays":7}`}, days: 7, from: user},
		"a project has no say":    {files: map[string]string{shared: `{"cleanupPeriodDays":7}`, local: `{"cleanupPeriodDays":8}`}, days: 30},
		"managed over user":       {files: map[string]string{user: `{"cleanupPeriodDays":7}`, managed: `{"cleanupPeriodDays":9}`}, days: 9, from: managed},
		"remote over managed":     {files: map[string]string{remote: `{"cleanupPeriodDays":5}`, managed: `{"cleanupPeriodDays":9}`}, days: 5, from: remote},
		"remote is the whole of":  {files: map[string]string{remote: `{}`, managed: `{"cleanupPeriodDays":9}`}, days: 30},
		"a broken remote is not":  {files: map[string]string{remote: `{`, managed: `{"cleanupPeriodDays":9}`}, days: 9, from: managed, note: "is no JSON object"},
		"the last drop-in":        {files: map[string]string{dropIn + "10.json": `{"cleanupPeriodDays":1}`, dropIn + "20.json": `{"cleanupPeriodDays":2}`, managed: `{"cleanupPeriodDays":9}`}, days: 2, from: dropIn + "20.json"},
		"a hidden drop-in is not": {files: map[string]string{dropIn + ".30.json": `{"cleanupPeriodDays":3}`, dropIn + "40.txt": `{"cleanupPeriodDays":4}`}, days: 30},
		"years":                   {files: map[string]string{user: `{"cleanupPeriodDays":3650000}`}, days: 3650000, from: user},
		"more than a number":      {files: map[string]string{user: `{"cleanupPeriodDays":1e300}`}, days: 1<<31 - 1, from: user},
		"zero":                    {files: map[string]string{user: `{"cleanupPeriodDays":0}`}, days: 0, from: user, note: "cleanupPeriodDays 0 is no number of days"},
		"negative":                {files: map[string]string{user: `{"cleanupPeriodDays":-1}`}, days: 0, from: user, note: "cleanupPeriodDays -1 is no number of days"},
		"a fraction":              {files: map[string]string{user: `{"cleanupPeriodDays":1.5}`}, days: 0, from: user, note: "cleanupPeriodDays 1.5 is no number of days"},
		"a word":                  {files: map[string]string{user: `{"cleanupPeriodDays":"9"}`}, days: 30, note: "cleanupPeriodDays is no number"},
	} {
		t.Run(name, func(t *testing.T) {
			p := lay(t, c.files)
			cascade := p.load()
			days, from, set := cascade.CleanupPeriodDays()
			want := ""
			if c.from != "" {
				want = filepath.Join(filepath.Dir(p.root), filepath.FromSlash(c.from))
			}
			if days != c.days || from != want || set != (c.from != "") {
				t.Errorf("got %d, %q, %v, want %d, %q", days, from, set, c.days, want)
			}
			found := c.note == ""
			for _, s := range cascade.Sources() {
				found = found || strings.Contains(s.Note, c.note) && c.note != ""
			}
			if !found {
				t.Errorf("no note says %q: %+v", c.note, cascade.Sources())
			}
		})
	}
}

func TestSources(t *testing.T) {
	p := lay(t, map[string]string{user: `{}`, shared: `{`})
	if err := os.MkdirAll(filepath.Join(p.project, ".claude", "settings.local.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := []Source{
		{Scope: ScopePolicyRemote, Path: filepath.Join(p.root, "remote-settings.json")},
		{Scope: ScopePolicyManaged, Path: filepath.Join(p.managed, "managed-settings.json")},
		{Scope: ScopeLocal, Path: filepath.Join(p.project, ".claude", "settings.local.json"), Note: "is no regular file"},
		{Scope: ScopeProject, Path: filepath.Join(p.project, ".claude", "settings.json"), Note: "is no JSON object"},
		{Scope: ScopeUser, Path: filepath.Join(p.root, "settings.json"), Read: true},
	}
	if diff := cmp.Diff(want, p.load().Sources()); diff != "" {
		t.Error(diff)
	}
}

// A project of another system has no files here, and no relative path is made of it.
func TestForeignProjectReadsNothing(t *testing.T) {
	p := lay(t, nil)
	for _, s := range load(p.root, "relative/project", p.managed).Sources() {
		if s.Scope == ScopeLocal || s.Scope == ScopeProject {
			t.Errorf("looked for %s", s.Path)
		}
	}
}

func FuzzObject(f *testing.F) {
	f.Add(`{"plansDirectory":"x","cleanupPeriodDays":3}`)
	f.Add("\ufeff{\"plansDirectory\":{}}")
	f.Add(`{"plansDirectory":"\ud800"}`)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		c := load(dir, "/p", filepath.Join(dir, "none"))
		if at, named := c.PlansDirectory(); named {
			if rel, err := filepath.Rel("/p", at); err != nil || !filepath.IsLocal(rel) {
				t.Errorf("%q leaves the project", at)
			}
		}
		if days, _, _ := c.CleanupPeriodDays(); days < 0 {
			t.Errorf("%d days", days)
		}
	})
}
