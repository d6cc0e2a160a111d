package e2e_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"csift/e2e/board"
)

// tools gives the commands of this test binary to the checks, or skips when
// the map lacks one.
func tools(t *testing.T, names ...string) board.Tools {
	t.Helper()
	var dir string
	for _, n := range names {
		if commands[n] == nil {
			t.Skipf("%s is not there yet", n)
		}
		path, err := exec.LookPath(n)
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Dir(path)
	}
	return board.Tools{Dir: dir}
}

func report(t *testing.T, r *board.Report, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range r.Bad[:min(20, len(r.Bad))] {
		t.Error(b)
	}
	t.Log(r.Summary())
	if !r.OK() {
		t.Fail()
	}
}

func homes(t *testing.T, dirs ...string) []string {
	t.Helper()
	all, err := board.Homes(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The checks of scripts/ over testdata, thinned so that they take seconds. With
// -short (the race detector, other builds) only those run that start pipelines
// or compare two ways through the code.

func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short")
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	r, err := board.Cases(tools(t, "csift-search"), "../testdata/cases")
	report(t, r, err)
}

func TestRoundtrip(t *testing.T) {
	notShort(t)
	t.Parallel()
	r, err := board.Roundtrip(tools(t, "csift-search", "csift-show"), 7, homes(t, "../testdata/home", "../testdata/versions")...)
	report(t, r, err)
}

func TestFetch(t *testing.T) {
	notShort(t)
	t.Parallel()
	r, err := board.Fetch(tools(t, "csift-show"), homes(t, "../testdata/home", "../testdata/versions/2.0.77", "../testdata/cases")...)
	report(t, r, err)
}

func TestAccount(t *testing.T) {
	notShort(t)
	t.Parallel()
	r, err := board.Account(tools(t, "csift-list", "csift-search", "csift-show"), homes(t, "../testdata/home", "../testdata/versions/2.1.258", "../testdata/versions/2.1.332/cron", "../testdata/cases")...)
	report(t, r, err)
}

func TestPipes(t *testing.T) {
	t.Parallel()
	r, err := board.Pipes(tools(t, "csift-list", "csift-search", "csift-show"), homes(t, "../testdata/home", "../testdata/versions")...)
	report(t, r, err)
}

func TestOracleTurns(t *testing.T) {
	notShort(t)
	t.Parallel()
	r, err := board.OracleTurns(tools(t, "csift-show"), homes(t, "../testdata/versions")...)
	report(t, r, err)
}

func TestRestored(t *testing.T) {
	t.Parallel()
	r, err := board.Restored(tools(t, "csift-recover"), homes(t, "../testdata/home", "../testdata/versions", "../testdata/cases")...)
	report(t, r, err)
}

func TestSlow(t *testing.T) {
	t.Parallel()
	var few []string
	step := 3
	if testing.Short() {
		step = 9
	}
	for i := 0; i < len(board.Patterns); i += step {
		few = append(few, board.Patterns[i])
	}
	r, err := board.Slow(tools(t, "csift-search", "csift-recover"), few, homes(t, "../testdata/home", "../testdata/versions/2.1.258/slash", "../testdata/versions/2.1.332/tools", "../testdata/cases/07-invalid-utf8-bytes")...)
	report(t, r, err)
}
