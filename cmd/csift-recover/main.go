// Command csift-recover gives files back that Claude Code transcripts saw, and tells what sessions did to them.
package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/recover"
)

func main() { os.Exit(cli.Main(recover.Family, os.Args, cli.OS())) }
