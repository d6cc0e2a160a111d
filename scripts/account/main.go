// Account accounts for every record of every transcript below folders (default
// testdata): it carries a label that some -t finds it by, or show says that no
// label names it.
//
//	go run ./scripts/account [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(board.Account), false, "testdata"))
}
