// Cases prints the board of the cases below folders (default testdata/cases):
// each case, its needles, and whether a literal search finds them.
//
//	go run ./scripts/cases [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(func(t board.Tools, dirs []string) (*board.Report, error) {
		return board.Cases(t, dirs...)
	}, true, "testdata/cases"))
}
