//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package jsonl

import (
	"errors"
	"io/fs"
	"os"
)

type handle struct{ f *os.File }

func openHandle(path string) (handle, int64, error) {
	f, err := openFile(path)
	if err != nil {
		return handle{}, 0, err
	}
	h := handle{f}
	size, err := h.size()
	if err != nil {
		f.Close()
		return handle{}, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return h, size, nil
}

func (h handle) size() (int64, error) {
	st, err := h.f.Stat()
	if err != nil {
		return 0, err
	}
	if !st.Mode().IsRegular() {
		return 0, errNotRegular
	}
	return st.Size(), nil
}

func (h handle) readAt(p []byte, off int64) (int, error) { return h.f.ReadAt(p, off) }

func (h handle) close() error { return h.f.Close() }

// mapFile never maps: on Windows a mapped file cannot be replaced by its writer, so reading would break the client.
func (h handle) mapFile(int64) (b []byte, unmap func(), err error) {
	return nil, nil, errors.ErrUnsupported
}
