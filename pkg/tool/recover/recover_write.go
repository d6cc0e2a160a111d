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
	err := holdSignals(func() error { return replaceFile(path, content) })
	if err == nil {
		return nil
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		err = link.Err
	}
	return cli.Errorf("cannot write %s: %w", path, err)
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
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && exists {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if shut := f.Close(); err == nil {
		err = shut
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
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

// createBeside makes a new file in the directory of path. os.CreateTemp would not do: its files are private.
func createBeside(path string) (*os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(filepath.Dir(path), ".csift-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || !errors.Is(err, fs.ErrExist) || i == 100 {
			return f, err
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
