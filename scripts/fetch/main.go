// Fetch asks show for every parseable line of every transcript below folders
// (default testdata), and for the bytes of the first and last few.
//
//	go run ./scripts/fetch [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(board.Fetch), false, "testdata"))
}
