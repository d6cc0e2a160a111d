// Command csift-list says which sessions there are.
package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/list"
)

func main() { os.Exit(cli.Main(list.Family, os.Args, cli.OS())) }
