// Specimen writes the files that a notation describes (see package
// csift/e2e/specimen) below a directory:
//
//	go run ./scripts/specimen testdata/home.txt testdata/home
//
// The directory's projects folder is replaced, so that it holds what the
// notation says and no more.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"csift/e2e/specimen"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "specimen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: specimen NOTATION DIR")
	}
	src, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	home, err := specimen.Parse(string(src))
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if err := os.RemoveAll(filepath.Join(args[1], "projects")); err != nil {
		return err
	}
	return home.Write(args[1])
}
