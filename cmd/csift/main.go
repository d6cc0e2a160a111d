// Command csift is the front of the toolkit: csift VERB runs the verb of that name.
//
// It is built in two ways from the same sources. Plain, it finds the small binary that
// holds the verb and becomes it (separate.go); with -tags multicall it holds all of
// them and goes by the name it is called (multicall.go).
package main

import "os"

func main() { os.Exit(run()) }
