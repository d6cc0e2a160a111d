//go:build !multicall

// Code generated from the families by the test in this directory; DO NOT EDIT.
// CSIFT_GOLDEN=update go test ./cmd/csift writes it anew.

package main

import "csift/pkg/tool/front"

var verbs = []front.Verb{
	{Name: "list", Summary: "list sessions with their first and last words", Binary: "csift-list"},
	{Name: "whoami", Summary: "say which session and lane calls", Binary: "csift-list"},
	{Name: "agents", Summary: "list subagents: who started whom, what for, and what came back", Binary: "csift-list"},
	{Name: "stats", Summary: "count lines, turns, tools and tokens of sessions", Binary: "csift-list"},
	{Name: "search", Summary: "find records by regular expression, whole turns at a time", Binary: "csift-search"},
	{Name: "show", Summary: "fetch records by line, uuid or turn", Binary: "csift-show"},
	{Name: "recover", Summary: "give back a file that a transcript saw, byte for byte, or say what is missing", Binary: "csift-recover"},
	{Name: "files", Summary: "say which files sessions changed, and how", Binary: "csift-recover"},
	{Name: "plan", Summary: "say which plan file a session is bound to, or which sessions a plan file", Binary: "csift-recover"},
}
