//go:build !windows

package front

import (
	"os"
	"syscall"
)

// become replaces this process: exit codes, signals, job control and standard input
// need no forwarding then.
func become(path string, argv []string) (int, error) {
	return 0, syscall.Exec(path, argv, os.Environ())
}

func fileNames(name string, _ func(string) string) []string { return []string{name} }

// programOf is the inverse of fileNames.
func programOf(file string, _ func(string) string) string { return file }

func isExecutable(info os.FileInfo) bool { return info.Mode()&0o111 != 0 }
