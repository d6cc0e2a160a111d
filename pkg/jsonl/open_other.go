//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package jsonl

import "os"

func openFile(path string) (*os.File, error) { return os.Open(path) }
