// Restored recovers every file of which the transcripts of the Claude homes below folders (default testdata) prove all of
// the text, told without csift, and compares it byte for byte.
//
//	go run ./scripts/restored [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() { os.Exit(board.Command(board.OnHomes(board.Restored), false, "testdata")) }
