package list

import (
	"bytes"
	"testing"

	"csift/pkg/cli"
	"csift/pkg/lane"
	"csift/pkg/target"
)

// TestIndentIsBounded keeps a long chain of agents readable, and its text as long as its rows are many.
func TestIndentIsBounded(t *testing.T) {
	a := &agentsAnswer{env: &cli.Env{}, opts: &agentsOptions{}, set: &target.Set{PrefixLen: 8}}
	row := func(level int) int {
		g := &member{Node: &lane.Node{}, script: &target.Transcript{ID: "a1", Path: "/x/agent-a1.jsonl"}, level: level}
		return bytes.Index(a.block(g, false), []byte("AGENT"))
	}
	if at, next := row(deepest-1), row(deepest); next <= at {
		t.Errorf("level %d stands at %d, not right of %d", deepest, next, at)
	}
	if at, far := row(deepest), row(1000*deepest); far != at {
		t.Errorf("the deepest row stands at %d, not at %d", far, at)
	}
}
