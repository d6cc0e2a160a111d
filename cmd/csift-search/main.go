// Command csift-search finds records of Claude Code transcripts by regular expression.
package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/search"
)

func main() { os.Exit(cli.Main(search.Family, os.Args, cli.OS())) }
