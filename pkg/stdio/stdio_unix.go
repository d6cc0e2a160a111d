//go:build !windows

package stdio

import (
	"errors"
	"os"
	"syscall"

	"github.com/mattn/go-isatty"
)

func kindOf(f *os.File) Kind {
	info, err := f.Stat()
	if err != nil {
		return Closed
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return File
	case mode&os.ModeNamedPipe != 0:
		return FIFO
	case mode&os.ModeSocket != 0:
		return Socket
	case mode&os.ModeCharDevice != 0:
		if isTerminal(f) {
			return Terminal
		}
		if isNull(info) {
			return Null
		}
	}
	return Other
}

// isTerminal asks through SyscallConn, since File.Fd may change the blocking mode.
func isTerminal(f *os.File) (yes bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	conn.Control(func(fd uintptr) { yes = isatty.IsTerminal(fd) })
	return yes
}

// isNull compares device numbers: containers bind their null device to other paths.
func isNull(info os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	a, ok := info.Sys().(*syscall.Stat_t)
	b, ok2 := null.Sys().(*syscall.Stat_t)
	return ok && ok2 && a.Rdev == b.Rdev
}

// sameFIFO compares device and inode. On darwin the inode of an unnamed pipe is made
// from the address of its end, so duplicates of one end are equal and nothing else is.
func sameFIFO(a, b *os.File) bool {
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// isBroken reports whether a write failed because nobody reads any more.
func isBroken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}

// mayRetry reports whether a write failed only because a descriptor that another
// process made non-blocking was full.
func mayRetry(err error) bool { return errors.Is(err, syscall.EAGAIN) }

// BrokenExit is the exit code of a program whose reader went away: what a shell
// reports for one that died of SIGPIPE.
const BrokenExit = 128 + int(syscall.SIGPIPE)
