//go:build !multicall

package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/front"
)

func run() int { return front.Main(verbs, os.Args, cli.OS()) }
