//go:build multicall

package main

import (
	"os"

	"csift/pkg/cli"
	"csift/pkg/tool/front"
	"csift/pkg/tool/list"
	"csift/pkg/tool/recover"
	"csift/pkg/tool/search"
	"csift/pkg/tool/show"
)

var families = []cli.Family{list.Family, search.Family, show.Family, recover.Family}

func run() int { return front.Multicall(families, os.Args, cli.OS()) }
