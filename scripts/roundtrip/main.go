// Roundtrip searches for a word of every user and assistant record that has
// text, in every transcript below folders (default testdata), and fetches the
// record by the address that the search printed.
//
//	go run ./scripts/roundtrip [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(func(t board.Tools, homes ...string) (*board.Report, error) {
		return board.Roundtrip(t, 1, homes...)
	}), false, "testdata"))
}
