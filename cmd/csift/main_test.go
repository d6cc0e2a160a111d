//go:build !multicall

package main

import (
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"

	"csift/pkg/cli"
	"csift/pkg/tool/front"
	"csift/pkg/tool/list"
	"csift/pkg/tool/recover"
	"csift/pkg/tool/search"
	"csift/pkg/tool/show"
)

var families = []cli.Family{list.Family, search.Family, show.Family, recover.Family}

// TestVerbs keeps the table of the plain build equal to the families, whose code it
// does not hold.
func TestVerbs(t *testing.T) {
	old, err := os.ReadFile("verbs.go")
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(old), "var verbs")
	if !ok {
		t.Fatal("verbs.go has no verbs")
	}
	var b strings.Builder
	b.WriteString(head + "var verbs = []front.Verb{\n")
	for _, v := range front.Table(families...) {
		fmt.Fprintf(&b, "\t{Name: %q, Summary: %q, Binary: %q", v.Name, v.Summary, v.Binary)
		if v.Hidden {
			b.WriteString(", Hidden: true")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	want, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == string(old) {
		return
	}
	if os.Getenv("CSIFT_GOLDEN") != "update" {
		t.Fatalf("verbs.go is stale; CSIFT_GOLDEN=update go test ./cmd/csift writes it anew:\n%s", want)
	}
	if err := os.WriteFile("verbs.go", want, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestManuals keeps the help of every verb good enough to be its manual.
func TestManuals(t *testing.T) {
	for _, f := range families {
		for _, bad := range cli.Lint(f) {
			t.Error(bad)
		}
	}
}
