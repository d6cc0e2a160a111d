package cli

import (
	"os"
	"testing"
)

func openSpecial(t *testing.T, name, _ string) *os.File {
	t.Skip("no " + name + " to be had here")
	return nil
}
