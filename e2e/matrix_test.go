//go:build unix

package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The tables of how a tool answers and what it reads, one line each, run with
// real descriptors.

// shape says what stdout holds: json, text, payload or nothing.
func shape(out string) string {
	first, _, _ := strings.Cut(out, "\n")
	switch {
	case first == "":
		return "nothing"
	case strings.HasPrefix(first, `{"kind":"header"`):
		return "json"
	case strings.Trim(strings.Fields(first)[0], "0123456789") == "", strings.HasPrefix(first, `{"parentUuid"`), len(first) == 36 && first[8] == '-':
		return "payload"
	}
	return "text"
}

// sample runs tools over the sample home.
func sample(t *testing.T, l launch, env ...string) result {
	t.Helper()
	home, err := filepath.Abs("../testdata/home")
	if err != nil {
		t.Fatal(err)
	}
	path, err := lookPath(t, l.argv[0])
	if err != nil {
		t.Fatal(err)
	}
	l.argv = append([]string{path}, l.argv[1:]...)
	if l.limit == 0 {
		l.limit = 20 * time.Second
	}
	l.env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/no-home", "TZ=UTC", "CLAUDE_CONFIG_DIR=" + home, "GORACE=atexit_sleep_ms=0"}, env...)
	r, err := l.run()
	if err != nil {
		t.Fatal(err)
	}
	if r.hung {
		t.Fatalf("%v hangs\nstdout: %s\nstderr: %s", l.argv, r.out, r.err)
	}
	return r
}

func lookPath(t *testing.T, name string) (string, error) {
	if commands[name] == nil {
		t.Skipf("%s is not there yet", name)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		p := filepath.Join(dir, name)
		if _, err := os.Stat(p); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s is not in PATH", name)
}

func TestFormatTable(t *testing.T) {
	outs := []struct{ out, err string }{
		{"tty", "tty"}, {"tty", "fifo"}, {"file", "fifo"}, {"file", "out"}, {"socket", "socket"},
		{"fifo", "fifo"}, {"fifo", "tty"}, {"fifo", "null"}, {"fifo", "out"},
	}
	// One word for each of outs; a single word stands for all.
	for _, row := range []struct {
		args, env, want string
	}{
		{"csift-search carry @all", "", "text text text text text json json json text"},
		{"csift search carry @all", "", "text"},
		{"csift-list @all", "", "text text text text text json json json text"},
		{"csift-show @5d0c1f3e --line 2", "", "text text text text text json json json text"},
		{"csift-search carry @all --format json", "", "json"},
		{"csift-search carry @all --format jsonl", "", "json"},
		{"csift-search carry @all --format text", "", "text"},
		{"csift search carry @all --format=json", "", "json"},
		{"csift-search carry @all", "CSIFT_FORMAT=json", "json"},
		{"csift-search carry @all", "CSIFT_FORMAT=text", "text"},
		{"csift search carry @all", "CSIFT_FORMAT=jsonl", "json"},
		{"csift-search carry @all --format text", "CSIFT_FORMAT=json", "text"},
		{"csift-search carry @all -c", "", "payload"},
		{"csift-search carry @all -l", "", "payload"},
		{"csift-search carry @all --raw", "", "payload"},
		{"csift-search carry @all --count-by label", "", "payload"},
		{"csift-show @5d0c1f3e --line 2 --raw", "", "payload"},
		{"csift-search carry @all -c", "CSIFT_FORMAT=json", "payload"},
		{"csift-search carry @all --raw", "CSIFT_FORMAT=json", "payload"},
		{"csift-search carry @all -c --format json", "", "json"},
		{"csift-search carry @all --count-by label --format json", "", "json"},
	} {
		t.Run(row.args+" "+row.env, func(t *testing.T) {
			t.Parallel()
			want := strings.Fields(row.want)
			for i, o := range outs {
				var env []string
				if row.env != "" {
					env = []string{row.env}
				}
				r := sample(t, launch{in: "null", out: o.out, err: o.err, argv: strings.Fields(row.args)}, env...)
				if got := shape(r.out); got != want[min(i, len(want)-1)] || r.code != 0 {
					t.Errorf("stdout %s, stderr %s: %s, want %s (exit %d)\n%.300s%.300s", o.out, o.err, got, want[min(i, len(want)-1)], r.code, r.out, r.err)
				}
			}
		})
	}
}

// inputs are what stands on stdin in TestStdinTable.
var inputs = map[string]string{
	"rows": `{"kind":"header","command":"list"}
{"kind":"session","session_id":"5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10","is_subagent":false,"parent_session_id":"5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10","transcript":"HOME/projects/-home-ada-wordcount/5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10.jsonl","path":"HOME/projects/-home-ada-wordcount/5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10.jsonl"}
{"kind":"summary"}
`,
	"text":    "@5d0c1f3e\n",
	"id":      "5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10\n",
	"payload": `{"session_id":"5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10","transcript_path":"HOME/projects/-home-ada-wordcount/5d0c1f3e-8a41-4c1b-9d02-6f1e2a7b9c10.jsonl","cwd":"/home/ada/wordcount","hook_event_name":"Stop"}` + "\n",
	"header":  `{"kind":"header","command":"list"}` + "\n",
	"none":    `{"kind":"header","command":"list"}` + "\n" + `{"kind":"summary"}` + "\n",
	"torn":    "ROWS" + `{"kind":"session","session_id":"5d0c`,
	"prose":   "dear csift, please look everywhere\n",
	"blank":   "\n\n",
}

func TestStdinTable(t *testing.T) {
	home, err := filepath.Abs("../testdata/home")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	torn := strings.TrimSuffix(inputs["rows"], "{\"kind\":\"summary\"}\n")
	for name, s := range inputs {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "ROWS", torn), "HOME", home)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const hint = "for every project say @all|to wait for rows say -"
	for _, row := range []struct {
		args string
		in   string // kind, or kind:input
		code int
		want string // exchanges found in the sample home: 4 in all, 3 in the one session
		note string // parts of stderr, divided by |; "" for silence
	}{
		// No target, and nothing that could be rows: every project.
		{"csift-search carry", "tty", 0, "4", ""},
		{"csift-search carry", "null", 0, "4", ""},
		{"csift-search carry", "closed", 0, "4", ""},
		{"csift-search carry", "socket", 0, "4", ""},
		{"csift-search carry", "socket:rows", 0, "4", ""},
		{"csift-search carry", "file", 0, "4", ""},
		{"csift-search carry", "file:rows", 0, "4", "-"},
		// No target and a pipe: a guess, held to what rows look like.
		{"csift-search carry", "fifo:rows", 0, "3", ""},
		{"csift-search carry", "fifo:text", 0, "3", ""},
		{"csift-search carry", "fifo:id", 0, "3", ""},
		{"csift-search carry", "fifo:payload", 0, "3", ""},
		{"csift-search carry", "fifo:header", 0, "0", "no summary"},
		{"csift-search carry", "fifo:none", 0, "0", ""},
		{"csift-search carry", "fifo:torn", 1, "3", "cut|1 row"},
		{"csift-search carry", "fifo:prose", 2, "", "dear csift"},
		{"csift-search carry", "fifo:prose", 2, "", hint},
		{"csift-search carry", "fifo", 2, "", hint},
		{"csift-search carry", "fifo:blank", 2, "", hint},
		{"csift-search carry", "open:1300ms", 2, "", hint},
		{"csift-search carry", "slow:1300ms:rows", 0, "3", hint},
		// -: from stdin, whatever it is.
		{"csift-search carry -", "fifo:rows", 0, "3", ""},
		{"csift-search carry -", "file:rows", 0, "3", ""},
		{"csift-search carry -", "socket:payload", 0, "3", ""},
		{"csift-search carry -", "tty:id", 0, "3", ""},
		{"csift-search carry -", "fifo:prose", 2, "", "dear csift"},
		{"csift-search carry -", "null", 2, "", "-"},
		{"csift-search carry -", "fifo", 2, "", "-"},
		// Explicit targets win, and stdin is left alone, however it is.
		{"csift-search carry @all", "fifo:rows", 0, "4", ""},
		{"csift-search carry @all", "fifo:prose", 0, "4", ""},
		{"csift-search carry @all", "open", 0, "4", ""},
		{"csift-search carry @5d0c1f3e", "fifo:prose", 0, "3", ""},
		{"csift-search carry @c7e2d915", "open", 0, "1", ""},
		// list starts pipelines: it never guesses.
		{"csift-list", "fifo:rows", 0, "5", ""},
		{"csift-list", "fifo:prose", 0, "5", ""},
		{"csift-list", "open", 0, "5", ""},
		{"csift-list -", "fifo:rows", 0, "1", ""},
		{"csift-list -", "fifo:id", 0, "1", ""},
		// show takes rows of records; a session alone names no record.
		{"csift-show --line 2", "fifo:text", 0, "1", ""},
	} {
		t.Run(row.args+" "+row.in, func(t *testing.T) {
			t.Parallel()
			kind, input, _ := strings.Cut(row.in, ":")
			argv := append(strings.Fields(row.args), "--format", "json")
			l := launch{in: row.in, out: "fifo", err: "fifo", argv: argv, read: func(string) ([]byte, error) {
				if i := strings.LastIndexByte(input, ':'); i >= 0 {
					input = input[i+1:]
				}
				return os.ReadFile(filepath.Join(dir, input))
			}}
			if kind == "open" && input != "" {
				l.in = kind + ":" + input
			}
			r := sample(t, l)
			if r.code != row.code {
				t.Errorf("exit %d, want %d\n%s%s", r.code, row.code, r.out, r.err)
			}
			if got := answer(r.out); got != row.want {
				t.Errorf("answer %s, want %s\n%s%s", got, row.want, r.out, r.err)
			}
			if row.note == "" && row.want != "" && strings.Contains(r.err, "stdin") {
				t.Errorf("stderr speaks of stdin: %s", r.err)
			}
			for _, part := range strings.Split(row.note, "|") {
				if !strings.Contains(r.err, part) {
					t.Errorf("stderr has no %q: %s", part, r.err)
				}
			}
		})
	}
}

// answer counts the rows between header and summary, "" without an envelope.
func answer(out string) string {
	rows, err := readRows(out, true)
	if err != nil {
		return ""
	}
	return fmt.Sprint(len(rows) - 2)
}

func TestBrokenOutput(t *testing.T) {
	for _, args := range []string{"csift-search . @all --format json", "csift-search . @all --format text", "csift-list @all", "csift-show @5d0c1f3e --line .."} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			l := launch{in: "null", out: "gone", err: "fifo", argv: strings.Fields(args)}
			if r := sample(t, l); r.code != 141 || strings.Contains(r.err, l.argv[0]+":") {
				t.Errorf("a closed pipe: exit %d, want 141 and no complaint: %s", r.code, r.err)
			}
			if _, err := os.Stat("/dev/full"); err != nil {
				return
			}
			l.out = "full"
			if r := sample(t, l); r.code != 1 || !strings.Contains(r.err, "no space left") {
				t.Errorf("a full disk: exit %d, want 1 and its name: %s", r.code, r.err)
			}
		})
	}
}
