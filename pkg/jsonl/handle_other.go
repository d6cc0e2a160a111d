//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package jsonl

import (
	"errors"
	"io/fs"
	"os"
)

type handle struct{ f *os.File }

func openHandle(path string) (handle, stat, error) {
	f, err := openFile(path)
	if err != nil {
		return handle{}, stat{}, err
	}
	h := handle{f}
	st, err := h.stat()
	if err != nil {
		f.Close()
		return handle{}, stat{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return h, st, nil
}

func (h handle) stat() (stat, error) {
	st, err := h.f.Stat()
	if err != nil {
		return stat{}, err
	}
	if !st.Mode().IsRegular() {
		return stat{}, errNotRegular
	}
	return stat{size: st.Size(), written: st.ModTime()}, nil
}

func (h handle) readAt(p []byte, off int64) (int, error) { return h.f.ReadAt(p, off) }

func (h handle) close() error { return h.f.Close() }

// mapFile never maps: on Windows a mapped file cannot be replaced by its writer, so reading would break the client.
func (h handle) mapFile(int64) (b []byte, unmap func(), err error) {
	return nil, nil, errors.ErrUnsupported
}
