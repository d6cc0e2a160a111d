//go:build unix

package e2e_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs the commands of README's console blocks on a terminal and
// compares what they print with what the page says. `make golden` writes the page.
func TestReadme(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("no jq")
	}
	tools(t, "csift", "csift-list", "csift-search", "csift-show")
	const page = "../README.md"
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	block := false
	for _, line := range strings.SplitAfter(string(b), "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```console"):
			block = true
			out.WriteString(line)
		case strings.HasPrefix(line, "```"):
			block = false
			out.WriteString(line)
		case block && isCommand:
			out.WriteString(line)
			r, err := launch{
				in: "null", out: "tty", err: "tty", limit: 20 * time.Second,
				argv: []string{"/bin/sh", "-c", "cd .. && " + command},
				env:  append(os.Environ(), "CLAUDE_CONFIG_DIR=testdata/home", "TZ=UTC", "CSIFT_FORMAT=", "CSIFT_SLOW=", "NO_COLOR=1"),
			}.run()
			if err != nil || r.hung {
				t.Fatalf("%s: %v %+v", command, err, r)
			}
			out.WriteString(r.out)
		case !block:
			out.WriteString(line)
		}
	}
	if diff := cmp.Diff(string(b), out.String()); diff != "" {
		if os.Getenv("CSIFT_GOLDEN") != "update" {
			t.Fatalf("README.md shows other answers (-README +now); `make golden` writes them anew:\n%s", diff)
		}
		if err := os.WriteFile(page, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
