package recover

import (
	"os"
	"path/filepath"

	"csift/pkg/cli"
)

// outDir is the directory of --out-dir. Nothing is written outside it: not by the path of a file, which a transcript
// states, and not by a link in it.
type outDir struct {
	path string
	root *os.Root
}

func openOutDir(path string) (*outDir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, cli.Errorf("cannot make %s: %w", path, pathCause(err))
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, cli.Errorf("cannot open %s: %w", path, pathCause(err))
	}
	return &outDir{path: path, root: root}, nil
}

func (d *outDir) close() { _ = d.root.Close() }

// at gives the path of a name in it.
func (d *outDir) at(name string) string { return filepath.Join(d.path, name) }

// has reports whether a name is taken, by a link that leads nowhere as well.
func (d *outDir) has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// write puts content at name, whole or not at all, and makes the directories on the way. A link of that name is replaced.
func (d *outDir) write(name string, content []byte) error {
	if dir := filepath.Dir(name); dir != "." {
		if err := d.root.MkdirAll(dir, 0o777); err != nil {
			return cli.Errorf("cannot make %s: %w", d.at(dir), pathCause(err))
		}
	}
	return cannotWrite(d.at(name), holdSignals(func() error { return renameOver(d.root, name, content, nil) }))
}
