//go:build unix

package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

func init() {
	commands["fds"] = fds
	commands["pty"] = ptyMain
	commands["probe"] = probe
}

// A launch says how a command is started: what each descriptor is.
//
// Kinds of in: null, tty, fifo (empty and closed), open (a pipe that nobody
// writes to or closes), socket (open, silent), file (empty), closed; with
// content, which is then closed: fifo:FILE, socket:FILE, file:FILE, tty:FILE;
// open:2s closes after a while; slow:300ms:FILE writes after a while.
// Kinds of out and err: fifo, file, tty, socket, null, closed, gone (a pipe
// whose reader has left), full (a disk without room); err=out is the very
// stream that out is.
type launch struct {
	in, out, err string
	argv         []string
	env          []string                          // nil: this process's
	read         func(file string) ([]byte, error) // gives the content that a kind names
	limit        time.Duration                     // after which the command counts as hung
}

// A result is how it went. out and err are what could be read back; a terminal's
// line ends are \n again.
type result struct {
	out, err string
	code     int // 128+N for a death by signal N, as a shell has it
	hung     bool
}

// presets are who starts a tool, as seen at the version named.
var presets = map[string]launch{
	"pipe":     {in: "null", out: "fifo", err: "fifo"},
	"bash":     {in: "null", out: "file", err: "out"},        // Claude Code's Bash tool, 2.1.258 and later
	"old-bash": {in: "socket", out: "socket", err: "socket"}, // the same up to 2.0.77
	"hook":     {in: "socket", out: "socket", err: "socket"}, // hook commands, 2.0.77 to 2.1.332
	"terminal": {in: "tty", out: "tty", err: "tty"},
}

// run starts the command and waits for it.
func (l launch) run() (result, error) {
	var w wiring
	defer w.close()
	in, err := w.input(l.in, l.read)
	if err != nil {
		return result{}, err
	}
	outFile, outRead, err := w.output(l.out)
	if err != nil {
		return result{}, err
	}
	errFile, errRead := outFile, func() string { return "" }
	if l.err != "out" {
		if errFile, errRead, err = w.output(l.err); err != nil {
			return result{}, err
		}
		if l.out == "tty" && l.err == "tty" { // one screen shows both
			errRead = func() string { return "" }
		}
	}

	argv := l.argv
	var close strings.Builder // descriptors that only a shell can close
	for fd, kind := range []string{l.in, l.out, l.err} {
		if kind == "closed" || fd == 2 && kind == "out" && l.out == "closed" {
			fmt.Fprintf(&close, " %d>&-", fd)
		}
	}
	if close.Len() > 0 {
		argv = append([]string{"/bin/sh", "-c", `exec "$0" "$@"` + close.String()}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = l.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, outFile, errFile
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	w.started()
	hung := false
	timer := time.AfterFunc(l.limit, func() { hung = true; _ = cmd.Process.Kill() })
	waitErr := cmd.Wait()
	timer.Stop()
	w.finished()
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return result{}, waitErr
	}
	r := result{out: outRead(), err: errRead(), code: cmd.ProcessState.ExitCode(), hung: hung}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		r.code = 128 + int(ws.Signal())
	}
	return r, nil
}

// A wiring holds the ends of one launch's streams.
type wiring struct {
	child    []*os.File // the child's ends, ours to close once it runs
	held     []io.Closer
	feeds    []func()  // what writes into stdin, once the child runs
	terminal *terminal // shared by all descriptors that are one
	readers  sync.WaitGroup
	done     chan struct{}
}

func (w *wiring) started() {
	for _, f := range w.child {
		f.Close()
	}
	w.child = nil
	w.done = make(chan struct{})
	for _, f := range w.feeds {
		go f()
	}
}

func (w *wiring) finished() {
	close(w.done)
	if w.terminal != nil {
		w.terminal.finish()
	}
	w.readers.Wait()
}

func (w *wiring) close() {
	for _, f := range w.child {
		f.Close()
	}
	for _, c := range w.held {
		c.Close()
	}
}

func (w *wiring) own(f *os.File) *os.File {
	w.child = append(w.child, f)
	return f
}

// input makes stdin of a kind.
func (w *wiring) input(spec string, read func(string) ([]byte, error)) (*os.File, error) {
	kind, arg, _ := strings.Cut(spec, ":")
	var content []byte
	var wait time.Duration
	if kind == "open" || kind == "slow" {
		delay, file, _ := strings.Cut(arg, ":")
		if kind == "open" && arg == "" {
			delay = "1h"
		}
		var err error
		if wait, err = time.ParseDuration(delay); err != nil {
			return nil, err
		}
		arg = file
	}
	if arg != "" {
		var err error
		if content, err = read(arg); err != nil {
			return nil, err
		}
	}
	switch kind {
	case "null", "closed":
		f, err := os.Open(os.DevNull)
		return w.own(f), err
	case "file":
		f, err := os.CreateTemp("", "stdin")
		if err != nil {
			return nil, err
		}
		defer os.Remove(f.Name())
		if _, err := f.Write(content); err != nil {
			return nil, err
		}
		_, err = f.Seek(0, io.SeekStart)
		return w.own(f), err
	case "fifo", "open", "slow":
		r, wr, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		w.feed(wr, content, wait, true)
		return w.own(r), nil
	case "socket":
		a, b, err := socketPair()
		if err != nil {
			return nil, err
		}
		w.feed(b, content, 0, arg != "")
		return w.own(a), nil
	case "tty":
		t, err := w.term()
		if err != nil {
			return nil, err
		}
		if arg != "" {
			w.feeds = append(w.feeds, func() { _, _ = t.master.Write(append(content, 4)) })
		}
		return t.tty, nil
	}
	return nil, fmt.Errorf("no such kind of stdin: %s", spec)
}

// feed writes content after a while and then, at its end, closes.
func (w *wiring) feed(f *os.File, content []byte, wait time.Duration, end bool) {
	w.held = append(w.held, f)
	w.feeds = append(w.feeds, func() {
		select {
		case <-time.After(wait):
		case <-w.done:
			return
		}
		_, _ = f.Write(content)
		if end {
			f.Close()
		}
	})
}

// output makes stdout or stderr of a kind, and what reads it back at the end.
func (w *wiring) output(kind string) (*os.File, func() string, error) {
	none := func() string { return "" }
	switch kind {
	case "null", "closed":
		f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		return w.own(f), none, err
	case "full":
		f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		return w.own(f), none, err
	case "file":
		f, err := os.CreateTemp("", "stdout")
		if err != nil {
			return nil, nil, err
		}
		name := f.Name()
		f.Close()
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0); err != nil {
			return nil, nil, err
		}
		return w.own(f), func() string {
			defer os.Remove(name)
			b, _ := os.ReadFile(name)
			return string(b)
		}, nil
	case "fifo", "gone":
		r, wr, err := os.Pipe()
		if err != nil {
			return nil, nil, err
		}
		if kind == "gone" {
			r.Close()
			return w.own(wr), none, nil
		}
		return w.own(wr), w.collect(r), nil
	case "socket":
		a, b, err := socketPair()
		if err != nil {
			return nil, nil, err
		}
		return w.own(a), w.collect(b), nil
	case "tty":
		t, err := w.term()
		if err != nil {
			return nil, nil, err
		}
		return t.tty, t.text, nil
	}
	return nil, nil, fmt.Errorf("no such kind of output: %s", kind)
}

// collect reads f to its end beside the command.
func (w *wiring) collect(f *os.File) func() string {
	w.held = append(w.held, f)
	var b bytes.Buffer
	w.readers.Add(1)
	go func() {
		defer w.readers.Done()
		_, _ = io.Copy(&b, f)
	}()
	return b.String
}

func socketPair() (*os.File, *os.File, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
	}
	return os.NewFile(uintptr(fds[0]), "socket"), os.NewFile(uintptr(fds[1]), "socket"), nil
}

// A terminal is one pseudo-terminal and what was written to it.
type terminal struct {
	master, tty *os.File
	buf         bytes.Buffer
	read        chan struct{}
	once        sync.Once
}

func (w *wiring) term() (*terminal, error) {
	if w.terminal != nil {
		return w.terminal, nil
	}
	master, tty, err := pty.Open()
	if err != nil {
		return nil, err
	}
	t := &terminal{master: master, tty: tty, read: make(chan struct{})}
	w.terminal = t
	go func() {
		defer close(t.read)
		_, _ = io.Copy(&t.buf, master) // ends with EIO when the last tty is closed
	}()
	return t, nil
}

func (t *terminal) finish() {
	t.once.Do(func() {
		t.tty.Close()
		select {
		case <-t.read:
		case <-time.After(2 * time.Second):
		}
		t.master.Close()
	})
}

func (t *terminal) text() string {
	return strings.ReplaceAll(t.buf.String(), "\r\n", "\n")
}

// fds is a program that runs another with each descriptor of a kind:
//
//	exec fds in=fifo:rows.jsonl out=tty csift-search carry
//	exec fds as=bash csift search carry      as Claude Code's Bash tool starts it
//	exec fds exit=2 in=fifo csift-search carry
//
// Keys: as= (a preset), in=, out=, err= (see launch; null, fifo and fifo unless
// said; a FILE of - is fds's own stdin), exit=N (the very code that counts as
// success), limit=10s. What could be read back is on its stdout and stderr.
func fds() {
	l := presets["pipe"]
	os.Exit(launchMain(l, os.Args[1:]))
}

// ptyMain is fds as=terminal: what a person would see is on stdout.
func ptyMain() {
	os.Exit(launchMain(presets["terminal"], os.Args[1:]))
}

func launchMain(l launch, args []string) int {
	l.limit = 20 * time.Second
	want := -1
	fail := func(format string, a ...any) int {
		fmt.Fprintf(os.Stderr, "fds: "+format+"\n", a...)
		return 99
	}
	for ; len(args) > 0; args = args[1:] {
		key, val, ok := strings.Cut(args[0], "=")
		if !ok {
			break
		}
		var err error
		switch key {
		case "as":
			p, ok := presets[val]
			if !ok {
				return fail("no such preset: %s", val)
			}
			l.in, l.out, l.err = p.in, p.out, p.err
		case "in":
			l.in = val
		case "out":
			l.out = val
		case "err":
			l.err = val
		case "exit":
			want, err = strconv.Atoi(val)
		case "limit":
			l.limit, err = time.ParseDuration(val)
		default:
			return fail("keys are as, in, out, err, exit and limit, not %s", key)
		}
		if err != nil {
			return fail("%s: %v", args[0], err)
		}
	}
	if len(args) == 0 {
		return fail("no command")
	}
	l.argv = args
	l.read = func(file string) ([]byte, error) {
		if file == "-" {
			return io.ReadAll(os.Stdin)
		}
		return os.ReadFile(file)
	}
	r, err := l.run()
	os.Stdout.WriteString(r.out)
	os.Stderr.WriteString(r.err)
	switch {
	case err != nil:
		return fail("%v", err)
	case r.hung:
		return fail("still running after %v", l.limit)
	case want >= 0 && r.code != want:
		return fail("exit %d, want %d", r.code, want)
	case want >= 0:
		return 0
	}
	return r.code
}

// probe is a command of its own for the tests of fds: it says what its streams
// are, then what stdin holds when told to read it.
func probe() {
	kind := func(f *os.File) string {
		info, err := f.Stat()
		if err != nil {
			return "closed"
		}
		switch m := info.Mode(); {
		case m&os.ModeNamedPipe != 0:
			return "fifo"
		case m&os.ModeSocket != 0:
			return "socket"
		case m&os.ModeCharDevice != 0:
			if _, err := pty.GetsizeFull(f); err == nil {
				return "tty"
			}
			return "device"
		case m.IsRegular():
			return "file"
		}
		return "other"
	}
	fmt.Printf("%s %s %s\n", kind(os.Stdin), kind(os.Stdout), kind(os.Stderr))
	fmt.Fprintln(os.Stderr, "on stderr")
	if len(os.Args) > 1 && os.Args[1] == "-read" {
		b, _ := io.ReadAll(os.Stdin)
		fmt.Printf("read %q\n", b)
	}
	if len(os.Args) > 2 && os.Args[1] == "-exit" {
		code := 0
		fmt.Sscan(os.Args[2], &code)
		os.Exit(code)
	}
}

// TestPresets keeps the presets free of kinds that launch does not know.
func TestPresets(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range presets {
		l.argv, l.limit = []string{exe, "-test.run", "^$"}, 20*time.Second
		if r, err := l.run(); err != nil || r.hung || r.code != 0 {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
}
