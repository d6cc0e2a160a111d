// Pipes runs list | search | show through real pipes over every Claude home
// below folders (default testdata), with rows and with text between the tools:
// what is shown must be what is found.
//
//	go run ./scripts/pipes [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(board.Pipes), false, "testdata"))
}
