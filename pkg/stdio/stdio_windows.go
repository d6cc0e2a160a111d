package stdio

import (
	"errors"
	"os"
	"syscall"

	"github.com/mattn/go-isatty"
)

var (
	kernel32             = syscall.NewLazyDLL("kernel32.dll")
	kernelbase           = syscall.NewLazyDLL("kernelbase.dll")
	getNamedPipeInfo     = kernel32.NewProc("GetNamedPipeInfo")
	compareObjectHandles = kernelbase.NewProc("CompareObjectHandles")
)

// kindOf cannot trust GetFileType alone: it says "pipe" for pipes, sockets and the
// ptys of msys and cygwin.
func kindOf(f *os.File) Kind {
	h := f.Fd()
	t, err := syscall.GetFileType(syscall.Handle(h))
	if err != nil {
		return Closed
	}
	switch t {
	case syscall.FILE_TYPE_DISK:
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return Other
		}
		return File
	case syscall.FILE_TYPE_CHAR:
		if isatty.IsTerminal(h) {
			return Terminal
		}
		return Null // what is left are NUL and serial ports
	case syscall.FILE_TYPE_PIPE:
		if isatty.IsCygwinTerminal(h) {
			return Terminal
		}
		if isPipe(h) {
			return FIFO
		}
		return Socket
	}
	return Other
}

// isPipe holds for named and unnamed pipes, never for a socket.
func isPipe(h uintptr) bool {
	ok, _, _ := getNamedPipeInfo.Call(h, 0, 0, 0, 0)
	return ok != 0
}

// sameFIFO asks the kernel whether two handles are one object. os.SameFile will not
// do: pipes have no file index, so it is true for any two. Before Windows 10 there is
// no such call, and only equal handles are known to be one.
func sameFIFO(a, b *os.File) bool {
	x, y := a.Fd(), b.Fd()
	if x == y {
		return true
	}
	if compareObjectHandles.Find() != nil {
		return false
	}
	same, _, _ := compareObjectHandles.Call(x, y)
	return same != 0
}

// The errors of a write to a pipe without a reader.
const (
	errNoData           = syscall.Errno(232)
	errPipeNotConnected = syscall.Errno(233)
)

func isBroken(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData) ||
		errors.Is(err, errPipeNotConnected) || errors.Is(err, syscall.EPIPE)
}

func mayRetry(error) bool { return false }

// BrokenExit is the exit code of a program whose reader went away. Windows has no
// signal to die of.
const BrokenExit = 1
