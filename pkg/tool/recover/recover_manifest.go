package recover

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"csift/pkg/cli"
)

// readManifest reads the paths of --files-from: one a line, blank lines and those that start with # passed over. A path
// that stands twice counts once.
func readManifest(r io.Reader) ([]string, error) {
	var paths []string
	seen := map[string]bool{}
	in := bufio.NewReader(r)
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if first {
			line = strings.TrimPrefix(line, "\uFEFF")
		}
		if p := strings.TrimRight(line, "\r\n"); strings.TrimSpace(p) != "" && !strings.HasPrefix(strings.TrimSpace(p), "#") && !seen[p] {
			seen[p] = true
			paths = append(paths, p)
		}
		if err != nil {
			return paths, nil
		}
	}
}

// manifest gives the list of --files-from, from a file or from standard input.
func (j *recoverJob) manifest() ([]byte, error) {
	if j.ask.FilesFrom == "-" {
		return j.env.ReadStdin("--files-from -")
	}
	b, err := os.ReadFile(j.ask.FilesFrom)
	if err != nil {
		return nil, cli.CannotRead(j.ask.FilesFrom, err)
	}
	return b, nil
}

// outName is where a recovered file goes below the directory of --out-dir: its path without the leading slash, a drive as
// a directory of its letter. It never leaves that directory.
func outName(file string) string {
	p := strings.ReplaceAll(file, `\`, "/")
	if len(p) > 1 && p[1] == ':' {
		p = p[:1] + "/" + p[2:]
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	if p == "" {
		p = "file"
	}
	return filepath.FromSlash(p)
}
