// Package recover is the family about files: what sessions did to them, their bytes back out of a transcript, and which
// plan files sessions are bound to. It writes nothing but what --out and --out-dir name.
//
// The one invariant: a line of a file is printed only when the transcript proves it; what is not proven is named as missing.
package recover

import (
	"csift/pkg/cli"
	"csift/pkg/home"
)

// Family is the csift-recover binary.
var Family = cli.Family{
	Name:    "csift-recover",
	Summary: "what sessions did to files, and the files back, from Claude Code transcripts",
	Tools:   []*cli.Tool{&recoverTool, &filesTool, &planTool},
	Home:    home.Root,
}
