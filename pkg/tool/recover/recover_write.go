package recover

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"csift/pkg/cli"
)

// writeFile puts content at path, whole or not at all: it is written beside it and renamed over it. A new file gets the
// permissions that any new file gets, one that is there keeps its own; a link stays a link. What is no file (a device, a
// pipe) is written to as it is. An interrupt waits until the rename is done.
func writeFile(path string, content []byte) error {
	return cannotWrite(path, holdSignals(func() error { return replaceFile(path, content) }))
}

// cannotWrite names what could not be written once.
func cannotWrite(path string, err error) error {
	if err == nil || errors.Is(err, cli.ErrPartial) {
		return err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return cli.Errorf("cannot write %s: %w", path, pathCause(err))
}

func replaceFile(path string, content []byte) error {
	if strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") { // perhaps a file that is open here
		return writeTo(path, content)
	}
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		info, err = os.Lstat(path)
	}
	exists := err == nil
	switch {
	case exists && info.IsDir():
		return syscall.EISDIR
	case exists && !info.Mode().IsRegular():
		return writeTo(path, content)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	var mode *fs.FileMode
	if exists {
		m := info.Mode().Perm()
		mode = &m
	}
	return renameOver(disk{}, path, content, mode)
}

// place is where files are made: the disk, or a directory that nothing leaves.
type place interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Rename(from, to string) error
	Remove(name string) error
}

type disk struct{}

func (disk) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}
func (disk) Rename(from, to string) error { return os.Rename(from, to) }
func (disk) Remove(name string) error     { return os.Remove(name) }

// renameOver puts a new file with content in the place of path. mode is what it gets, nil for what any new file gets.
func renameOver(at place, path string, content []byte, mode *fs.FileMode) error {
	f, name, err := createBeside(at, path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && mode != nil {
		err = f.Chmod(*mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if shut := f.Close(); err == nil {
		err = shut
	}
	if err == nil {
		err = at.Rename(name, path)
	}
	if err != nil {
		_ = at.Remove(name)
	}
	return err
}

// writeTo writes to what is there.
func writeTo(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return cmp.Or(err, f.Close())
}

// createBeside makes a new file in the directory of path and gives its name. os.CreateTemp would not do: its files are
// private.
func createBeside(at place, path string) (*os.File, string, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), ".csift-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i))
		f, err := at.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, name, err
		}
	}
}

// holdSignals runs do and lets an interrupt take effect behind it.
func holdSignals(do func() error) error {
	held := make(chan os.Signal, 1)
	signal.Notify(held, os.Interrupt, syscall.SIGTERM)
	err := do()
	signal.Stop(held)
	select {
	case s := <-held:
		if p, found := os.FindProcess(os.Getpid()); found == nil && p.Signal(s) == nil {
			select {} // it is on its way
		}
		return cli.ErrPartial
	default:
		return err
	}
}
