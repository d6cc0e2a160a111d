// Command csift-show fetches records of Claude Code transcripts by address.
package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/show"
)

func main() { os.Exit(cli.Main(show.Family, os.Args, cli.OS())) }
