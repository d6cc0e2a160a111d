// Slow compares the fast paths with the simple slow one (CSIFT_SLOW=1), byte for
// byte, in rows and in text: searches for some sixty patterns over every Claude
// home below folders (default testdata), what its sessions did to files, and some
// of those files.
//
//	go run ./scripts/slow [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(func(t board.Tools, homes ...string) (*board.Report, error) {
		return board.Slow(t, board.Patterns, homes...)
	}), false, "testdata"))
}
