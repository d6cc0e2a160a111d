//go:build !windows

package stdio

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

func TestKindOfDevices(t *testing.T) {
	control, tty, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	defer control.Close()
	defer tty.Close()
	if got := KindOf(tty); got != Terminal {
		t.Errorf("a terminal is %v", got)
	}
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	a, b := os.NewFile(uintptr(fds[0]), "a"), os.NewFile(uintptr(fds[1]), "b")
	defer a.Close()
	defer b.Close()
	if got := KindOf(a); got != Socket {
		t.Errorf("a socket is %v", got)
	}
	if SameStream(a, a) {
		t.Error("a socket is no FIFO")
	}
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer zero.Close()
	if got := KindOf(zero); got != Other {
		t.Errorf("/dev/zero is %v", got)
	}
}

// TestSameStream: 2>&1 gives two descriptors of one end; two ends of a named FIFO are
// one stream as well.
func TestSameStream(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	fd, err := syscall.Dup(int(w.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	dup := os.NewFile(uintptr(fd), "dup")
	defer dup.Close()
	if !SameStream(w, dup) {
		t.Error("a duplicate is the same stream")
	}
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	named, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer named.Close()
	if KindOf(named) != FIFO || SameStream(named, w) || !SameStream(named, named) {
		t.Error("a named FIFO is a FIFO of its own")
	}
}

// TestBlockingMode: asking what a stream is must not change it for the processes that
// share it.
func TestBlockingMode(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	before := flagsOf(t, w)
	KindOf(w)
	SameStream(w, r)
	if after := flagsOf(t, w); after != before || before&syscall.O_NONBLOCK == 0 {
		t.Errorf("flags were %#x and are %#x", before, after)
	}
}

func flagsOf(t *testing.T, f *os.File) (flags uintptr) {
	t.Helper()
	conn, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	conn.Control(func(fd uintptr) {
		flags, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	})
	return flags
}

// TestOutFullPipe: a pipe that another process made non-blocking is full now and then;
// nothing is lost and nothing is written twice.
func TestOutFullPipe(t *testing.T) {
	w := &fullNowAndThen{}
	o := NewOut(w)
	text := strings.Repeat("0123456789", 20_000)
	io.WriteString(o, text)
	if err := o.Flush(); err != nil || w.b.String() != text {
		t.Errorf("%v, %d of %d bytes", err, w.b.Len(), len(text))
	}
	if !errors.Is(&os.PathError{Err: syscall.EPIPE}, syscall.EPIPE) || !isBroken(&os.PathError{Err: syscall.EPIPE}) {
		t.Error("EPIPE is a reader that went away")
	}
}

type fullNowAndThen struct {
	b strings.Builder
	n int
}

func (w *fullNowAndThen) Write(b []byte) (int, error) {
	if w.n++; w.n%2 == 0 {
		return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EAGAIN}
	}
	n := min(len(b), 50_000)
	w.b.Write(b[:n])
	if n < len(b) {
		return n, &os.PathError{Op: "write", Path: "|1", Err: syscall.EAGAIN}
	}
	return n, nil
}
