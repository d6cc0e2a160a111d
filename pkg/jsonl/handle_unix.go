//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package jsonl

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/edsrzf/mmap-go"
	"golang.org/x/sys/unix"
)

// handle is a bare descriptor: an *os.File costs system calls of its own on each open, and its finalizer would close the
// descriptor under a scan that holds nothing but the number.
type handle int

func openHandle(path string) (handle, stat, error) {
	for {
		// Without O_NONBLOCK opening a named pipe waits for a writer; on regular files the flag means nothing.
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return -1, stat{}, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		h := handle(fd)
		st, err := h.stat()
		if err != nil {
			h.close()
			return -1, stat{}, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return h, st, nil
	}
}

func (h handle) stat() (stat, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstat(int(h), &st)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return stat{}, err
		}
		if uint32(st.Mode)&syscall.S_IFMT != syscall.S_IFREG {
			return stat{}, errNotRegular
		}
		return stat{size: st.Size, written: time.Unix(st.Mtim.Unix())}, nil
	}
}

// readAt is one read; 0, nil is the end of the file.
func (h handle) readAt(p []byte, off int64) (int, error) {
	for {
		n, err := syscall.Pread(int(h), p, off)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

func (h handle) close() error { return syscall.Close(int(h)) }

// mapFile maps the first size bytes read-only. The caller calls unmap once nothing reads them any more.
func (h handle) mapFile(size int64) (b []byte, unmap func(), err error) {
	if int64(int(size)) != size {
		return nil, nil, syscall.EFBIG
	}
	// The library wants an *os.File, which closes its descriptor in the end: give it one of its own.
	fd, err := syscall.Dup(int(h))
	if err != nil {
		return nil, nil, err
	}
	syscall.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	m, err := mmap.MapRegion(f, int(size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, nil, err
	}
	return m, func() { _ = m.Unmap() }, nil
}
