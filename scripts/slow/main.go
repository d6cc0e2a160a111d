// Slow compares the fast search with the simple slow one (CSIFT_SLOW=1), byte
// for byte, for some sixty patterns over every Claude home below folders
// (default testdata), in rows and in text.
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
