//go:build !windows

package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// openSpecial makes a socket or a terminal that gives s and then ends.
func openSpecial(t *testing.T, name, s string) *os.File {
	t.Helper()
	if name == "socket" {
		fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
		io.WriteString(ours, s)
		ours.Close()
		t.Cleanup(func() { theirs.Close() })
		return theirs
	}
	control, tty := openPTY(t)
	io.WriteString(control, s+"\x04")
	go io.Copy(io.Discard, control)
	return tty
}

func openPTY(t *testing.T) (control, tty *os.File) {
	t.Helper()
	control, tty, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { tty.Close(); control.Close() })
	return control, tty
}

// TestProgress: the line appears on a terminal alone, and is gone before anything else
// is printed there.
func TestProgress(t *testing.T) {
	control, tty := openPTY(t)
	w := newWorld(t)
	w.Stdout, w.Stderr = tty, tty
	code := Main(family(func(e *Env, _ *searchOptions) error {
		if !e.Color {
			t.Error("no colour on a terminal")
		}
		p := e.Progress(func() string { return "3 of 9 files" })
		if p == nil {
			t.Error("no progress on a terminal")
		}
		time.Sleep(700 * time.Millisecond)
		fmt.Fprintln(e.Out, "data")
		return nil
	}), []string{"csift-list"}, w.System)
	text := ""
	for got := make([]byte, 4096); !strings.Contains(text, "data"); {
		n, err := control.Read(got)
		if err != nil {
			t.Fatal(err)
		}
		text += string(got[:n])
	}
	if code != 0 || !strings.HasPrefix(text, "\r3 of 9 files\x1b[K") || !strings.Contains(text, "\r\x1b[Kdata") {
		t.Errorf("exit %d, %q", code, text)
	}

	w = newWorld(t)
	Main(family(func(e *Env, _ *searchOptions) error {
		if p := e.Progress(func() string { return "x" }); p != nil {
			t.Error("progress into a file")
		} else {
			p.Stop()
		}
		return nil
	}), []string{"csift-list"}, w.System)
}

func TestNoColor(t *testing.T) {
	for _, kv := range [][2]string{{"NO_COLOR", "1"}, {"TERM", "dumb"}} {
		_, tty := openPTY(t)
		w := newWorld(t)
		w.Stdout = tty
		w.env[kv[0]] = kv[1]
		Main(family(func(e *Env, _ *searchOptions) error {
			if e.Color {
				t.Errorf("colour in spite of %v", kv)
			}
			return nil
		}), []string{"csift-list"}, w.System)
	}
}
