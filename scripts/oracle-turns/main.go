// Oracle-turns compares csift's turns with those that the client itself wrote
// into its records, in every transcript below folders (default
// testdata/versions), and lists each record that opens a turn for one side only.
// A record that no known kind accounts for falls short.
//
//	go run ./scripts/oracle-turns [-bin DIR] [DIR...]
package main

import (
	"os"

	"csift/e2e/board"
)

func main() {
	os.Exit(board.Command(board.OnHomes(board.OracleTurns), true, "testdata/versions"))
}
