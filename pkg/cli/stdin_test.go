package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/row"
	"csift/pkg/stdio"
)

const (
	sid = "5d0c1f3e-0000-4000-8000-00000000a001"
	one = `{"kind":"header","command":"list"}` + "\n" +
		`{"kind":"session","session_id":"` + sid + `","is_subagent":false,"parent_session_id":"` + sid + `","transcript":"/p/s.jsonl","path":"/p/s.jsonl"}` + "\n" +
		`{"kind":"summary"}` + "\n"
)

// asked is what a verb heard from Targets.
type asked struct {
	read  bool // stdin was read
	items int
	rest  string
}

// ask runs a verb that calls Targets on its words.
func ask(t *testing.T, w *world, args ...string) (a asked, code int) {
	t.Helper()
	f := family(func(e *Env, o *searchOptions) error {
		rest, src, err := e.Targets(context.Background(), e.Args, o.From != "")
		if src != nil {
			a.read, a.items = true, len(src.Items)
		}
		a.rest = strings.Join(rest, " ")
		return err
	})
	f.Tools[1].NeedsDash = true // agents stands for a verb that starts pipelines
	code = Main(f, append([]string{"csift-list"}, args...), w.System)
	return a, code
}

// TestStdinTable is the table of which stream is read when.
func TestStdinTable(t *testing.T) {
	read, not := asked{read: true, items: 1}, asked{}
	fileNote := "csift-list: stdin is a file and was not read; to read it say -\n"
	tests := []struct {
		stream              string
		noTarget, needsDash asked
		note                string // of a verb without target
		dash                asked
		dashErr             string
	}{
		{"pipe", read, not, "", read, ""},
		{"file", not, not, fileNote, read, ""},
		{"file read to its end", not, not, "", not, "csift-list: stdin is empty\ncsift-list: hint: a list of ids that may be empty (-l): --sessions-from -\ncsift-list: hint: for every project say @all\n"},
		{"empty file", not, not, "", not, "csift-list: stdin is empty\ncsift-list: hint: a list of ids that may be empty (-l): --sessions-from -\ncsift-list: hint: for every project say @all\n"},
		{"socket", not, not, "", read, ""},
		{"null", not, not, "", not, "csift-list: stdin is empty\ncsift-list: hint: a list of ids that may be empty (-l): --sessions-from -\ncsift-list: hint: for every project say @all\n"},
		{"closed", not, not, "", not, "csift-list: cannot read stdin: it is closed\n"},
		{"terminal", not, not, "", read, ""},
	}
	for _, tt := range tests {
		t.Run(tt.stream, func(t *testing.T) {
			check := func(what string, want asked, wantErr string, args ...string) {
				t.Helper()
				w := newWorld(t)
				w.Stdin = openStream(t, tt.stream)
				got, code := ask(t, w, args...)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(asked{})); diff != "" {
					t.Errorf("%s: %s", what, diff)
				}
				wantCode := 0
				switch {
				case strings.Contains(wantErr, "empty"):
					wantCode = ExitUsage
				case strings.Contains(wantErr, "closed"):
					wantCode = ExitFailure
				}
				if errs := contents(t, w.err); errs != wantErr || code != wantCode {
					t.Errorf("%s: exit %d, %q, want %q", what, code, errs, wantErr)
				}
			}
			check("no target", tt.noTarget, tt.note)
			check("no target, needs -", tt.needsDash, tt.note, "agents")
			check("-", tt.dash, tt.dashErr, "-")
			check("- where it is needed", tt.dash, tt.dashErr, "agents", "-")
			check("a target", asked{rest: "."}, "", ".")
			check("@all", asked{rest: "@all"}, "", "@all")
			check("another scope", not, "", "--sessions-from", "x")
			both := tt.dash
			both.rest = "@x"
			if tt.dashErr == "" {
				check("a target and -", both, "", "@x", "-")
			}
		})
	}
}

// openStream makes a stdin of the named sort that holds one row.
func openStream(t *testing.T, name string) *os.File {
	t.Helper()
	switch name {
	case "pipe":
		return stdinPipe(t, one)
	case "file":
		return tempFile(t, one)
	case "file read to its end":
		f := tempFile(t, one)
		f.Seek(0, io.SeekEnd)
		return f
	case "empty file":
		return tempFile(t, "")
	case "null":
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	case "closed":
		return nil
	}
	return openSpecial(t, name, one)
}

func TestInputErrors(t *testing.T) {
	hint := "csift-list: hint: for every project say @all\ncsift-list: hint: to wait for rows say -\n"
	tests := []struct {
		name, in string
		args     []string
		code     int
		want     string
	}{
		{"empty", "", nil, 2, "csift-list: stdin is empty\ncsift-list: hint: a list of ids that may be empty (-l): --sessions-from -\n" + hint},
		{"prose", "hello\n", nil, 2, "csift-list: stdin: this is no csift row, hook payload or address: \"hello\"\n" + hint},
		{"prose for -", "hello\n", []string{"-"}, 2, "csift-list: stdin: this is no csift row, hook payload or address: \"hello\"\ncsift-list: hint: for every project say @all\n"},
		{"torn", one[:len(one)-10], nil, 1, "csift-list: the last line on stdin is cut, the upstream died: this answers for the 1 row that came\n"},
		{"head", one[:strings.LastIndex(one, `{"kind":"summary"`)], nil, 0, "csift-list: stdin has no summary: what the upstream left out is not known\n"},
		{"an empty answer", `{"kind":"header","command":"list"}` + "\n" + `{"kind":"summary"}` + "\n", nil, 0, ""},
		{"dropped", strings.Replace(one, `{"kind":"summary"`, `{"kind":"summary","dropped_by_cap":7`, 1), nil, 0, "csift-list: the upstream left out 7 under its cap (dropped_by_cap)\n"},
		{"damaged", "@5d0c1f3e  x\n{\"kind\":\"session\"}\n", nil, 1, "csift-list: 1 line on stdin could not be read and was passed over; the first is line 2: \"{\\\"kind\\\":\\\"session\\\"}\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.Stdin = stdinPipe(t, tt.in)
			_, code := ask(t, w, tt.args...)
			if got := contents(t, w.err); code != tt.code || got != tt.want {
				t.Errorf("exit %d, want %d\n%s", code, tt.code, got)
			}
		})
	}
}

// TestOneTarget keeps @all out of what a verb that takes no such target says.
func TestOneTarget(t *testing.T) {
	f := Family{Name: "csift-show", Tools: []*Tool{{Name: "show", StdinTargets: true, OneTarget: true, Run: func(ctx context.Context, e *Env, _ any) error {
		_, _, err := e.Targets(ctx, e.Args, false)
		return err
	}}}}
	for argv0, show := range map[string]string{"csift-show": "csift-show", "csift": "csift show"} {
		w := newWorld(t)
		w.Stdin = stdinPipe(t, "")
		argv := []string{argv0}
		if argv0 == FrontName {
			argv = append(argv, "show")
		}
		code := Main(f, argv, w.System)
		want := argv0 + ": stdin is empty\n" + argv0 + ": hint: records are named by " + show + " @ID:LINES, @ID:tTURNS\n" + argv0 + ": hint: to wait for rows say -\n"
		if errs := contents(t, w.err); code != ExitUsage || errs != want {
			t.Errorf("exit %d, %s", code, errs)
		}
	}
	w := newWorld(t)
	if Main(f, []string{"csift-show", "--help"}, w.System); strings.Contains(contents(t, w.out), "@all") {
		t.Errorf("help names @all: %s", contents(t, w.out))
	}
}

func TestPatience(t *testing.T) {
	w := newWorld(t)
	w.Patience = time.Millisecond
	r, in := pipe(t)
	w.Stdin = r
	notes, first := w.err, in
	go func() {
		for len(contents(t, notes)) == 0 {
			time.Sleep(time.Millisecond)
		}
		io.WriteString(first, one)
		first.Close()
	}()
	got, code := ask(t, w)
	want := "csift-list: waiting for rows on stdin; for every project say @all, to wait for rows say -\n"
	if note := contents(t, w.err); code != 0 || !got.read || note != want {
		t.Errorf("exit %d, %+v, %q", code, got, note)
	}

	// Who said - waits on purpose.
	w = newWorld(t)
	w.Patience = time.Millisecond
	r, in = pipe(t)
	w.Stdin = r
	go func() {
		time.Sleep(50 * time.Millisecond)
		io.WriteString(in, one)
		in.Close()
	}()
	if got, code := ask(t, w, "-"); code != 0 || !got.read || contents(t, w.err) != "" {
		t.Errorf("exit %d, %+v, %q", code, got, contents(t, w.err))
	}
}

func TestVerbsThatNeverGuess(t *testing.T) {
	w := newWorld(t)
	w.Stdin = stdinPipe(t, one)
	f := family(func(e *Env, _ *searchOptions) error {
		if src, err := e.Input(context.Background(), false); src != nil || err != nil {
			t.Errorf("%v %v", src, err)
		}
		src, err := e.Input(context.Background(), true)
		if err != nil || src.Form != row.RowForm {
			t.Errorf("%v %v", src, err)
		}
		return nil
	})
	f.Tools[0].StdinTargets = false
	if code := Main(f, []string{"csift-list"}, w.System); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestSessionList(t *testing.T) {
	list := func(w *world, args ...string) (words []string, code int) {
		f := family(func(e *Env, o *searchOptions) (err error) {
			if words, err = e.SessionList(context.Background(), o.From); err != nil {
				return err
			}
			_, _, err = e.Targets(context.Background(), e.Args, true)
			return err
		})
		return words, Main(f, append([]string{"csift-list"}, args...), w.System)
	}
	tests := []struct {
		name, in string
		want     []string
	}{
		{"ids", sid + "\n@5d0c1f3e  a1b2c3d4e5f60718\n", []string{"@" + sid, "@5d0c1f3e", "@a1b2c3d4e5f60718"}},
		{"rows, each transcript once", one + one, []string{"@" + sid}},
		{"nothing", "", []string{}},
	}
	for _, tt := range tests {
		w := newWorld(t)
		w.Stdin = stdinPipe(t, tt.in)
		got, code := list(w, "--sessions-from", "-")
		if diff := cmp.Diff(tt.want, got); diff != "" || code != 0 {
			t.Errorf("%s from stdin: exit %d %s", tt.name, code, diff)
		}
		w = newWorld(t)
		got, code = list(w, "--sessions-from", tempFile(t, tt.in).Name())
		if diff := cmp.Diff(tt.want, got); diff != "" || code != 0 {
			t.Errorf("%s from a file: exit %d %s", tt.name, code, diff)
		}
	}
	for _, tt := range []struct {
		args []string
		in   string
		code int
		want string
	}{
		{[]string{"--sessions-from", "-"}, "no id\n", 1, "csift-list: --sessions-from -: this is no csift row, hook payload or address: \"no id\"\n"},
		{[]string{"--sessions-from", "/none/such"}, "", 1, "csift-list: cannot read /none/such: no such file or directory\n"},
		{[]string{"--sessions-from", "-", "-"}, sid, 2, "csift-list: stdin is read once, and both --sessions-from - and - want it\ncsift-list: hint: see csift-list --help\n"},
	} {
		w := newWorld(t)
		w.Stdin = stdinPipe(t, tt.in)
		if _, code := list(w, tt.args...); code != tt.code || contents(t, w.err) != tt.want {
			t.Errorf("%v: exit %d, %q", tt.args, code, contents(t, w.err))
		}
	}
}

// TestFormat: which format each way of being called gets, and where banners go.
func TestFormat(t *testing.T) {
	tests := []struct {
		name   string
		argv   string
		env    string
		out    string // file, pipe, shared: stderr is the same pipe
		format stdio.Format
		banner string // out, err, none
	}{
		{"small into a file", "csift-list", "", "file", stdio.Text, "out"},
		{"small into a pipe", "csift-list", "", "pipe", stdio.JSON, "none"},
		{"small into a pipe shared with stderr", "csift-list", "", "shared", stdio.Text, "err"},
		{"front into a pipe", "csift list", "", "pipe", stdio.Text, "err"},
		{"front into a file", "csift list", "", "file", stdio.Text, "out"},
		{"a link into a pipe", "csift-agents", "", "pipe", stdio.JSON, "none"},
		{"told text into a pipe", "csift-list --format text", "json", "pipe", stdio.Text, "err"},
		{"told json", "csift list --format=jsonl", "text", "file", stdio.JSON, "none"},
		{"environment", "csift list", "json", "file", stdio.JSON, "none"},
		{"environment says text", "csift-list", "text", "pipe", stdio.Text, "err"},
		{"payload into a pipe", "csift-list -c", "json", "pipe", stdio.Text, "err"},
		{"payload into a file", "csift-list -c", "what", "file", stdio.Text, "err"},
		{"payload and a typed format", "csift-list -c --format json", "", "file", stdio.JSON, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env["CSIFT_FORMAT"] = tt.env
			var r *os.File
			if tt.out != "file" {
				r, w.Stdout = pipe(t)
			}
			if tt.out == "shared" {
				w.Stderr = w.Stdout
			}
			code := Main(family(func(e *Env, o *searchOptions) error {
				typed := strings.Contains(tt.argv, "--format")
				if e.Format != tt.format || e.Payload != o.Count || e.FormatTyped != typed || e.Color {
					t.Errorf("format %v, payload %v, typed %v, colour %v", e.Format, e.Payload, e.FormatTyped, e.Color)
				}
				if want := e.Format == stdio.Text && tt.out != "file"; e.TextInFIFO != want {
					t.Errorf("text in FIFO: %v", e.TextInFIFO)
				}
				io.WriteString(e.Out, "data\n")
				io.WriteString(e.Banner, "banner\n")
				return nil
			}), strings.Fields(tt.argv), w.System)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, contents(t, w.err))
			}
			out := contents(t, w.out)
			if r != nil {
				w.Stdout.Close()
				b, _ := io.ReadAll(r)
				out = string(b)
			}
			wantOut, wantErr := "data\n", ""
			switch {
			case tt.banner == "out", tt.out == "shared":
				wantOut += "banner\n"
			case tt.banner == "err":
				wantErr = "banner\n"
			}
			if errs := contents(t, w.err); out != wantOut || errs != wantErr {
				t.Errorf("stdout %q, stderr %q", out, errs)
			}
		})
	}
	for _, tt := range []struct{ argv, env, want string }{
		{"csift-list --format yaml", "", `csift-list: --format takes text or json, not "yaml"`},
		{"csift-list", "yaml", `csift-list: CSIFT_FORMAT is text or json, not "yaml"`},
	} {
		w := newWorld(t)
		w.env["CSIFT_FORMAT"] = tt.env
		if code := Main(family(nil), strings.Fields(tt.argv), w.System); code != 2 || !strings.HasPrefix(contents(t, w.err), tt.want+"\n") {
			t.Errorf("exit %d, %s", code, contents(t, w.err))
		}
	}
}
