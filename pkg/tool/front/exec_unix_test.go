//go:build !windows

package front

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

// TestBecome lets a copy of this test turn into a shell: same process, argv[0] as
// given, exit code its own.
func TestBecome(t *testing.T) {
	if os.Getenv("FRONT_TEST_BECOME") != "" {
		_, err := become("/bin/sh", []string{"csift", "-c", `echo "$$ $0 $1"; exit 7`, "csift", "a b"})
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBecome$")
	cmd.Env = append(os.Environ(), "FRONT_TEST_BECOME=1")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, out)
	}
	if want := "csift a b\n"; len(out) < len(want) || string(out[len(out)-len(want):]) != want {
		t.Errorf("%s", out)
	}
	if _, err := become("/none/such", []string{"csift"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
}
