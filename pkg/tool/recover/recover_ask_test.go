package recover

import (
	"testing"
	"time"

	"csift/pkg/scope"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestUnderstand(t *testing.T) {
	list := scope.Flags{SessionsFrom: "-"}
	for name, tc := range map[string]struct {
		o    recoverOptions
		mode string // "" where it is refused
	}{
		"nothing":                 {recoverOptions{File: "f"}, modeRestore},
		"salvage":                 {recoverOptions{File: "f", Salvage: true}, modeSalvage},
		"patches":                 {recoverOptions{File: "f", Patches: true, FileLines: "3..9"}, modePatches},
		"at":                      {recoverOptions{File: "f", At: "@latest"}, modeAt},
		"coverage":                {recoverOptions{File: "f", Coverage: true}, modeCoverage},
		"dry run":                 {recoverOptions{File: "f", DryRun: true}, modeCoverage},
		"coverage said twice":     {recoverOptions{File: "f", DryRun: true, Coverage: true}, modeCoverage},
		"backups":                 {recoverOptions{File: "/f", Backups: true}, modeBackups},
		"list":                    {recoverOptions{FilesFrom: "l", OutDir: "d"}, modeBatch},
		"list as of then":         {recoverOptions{FilesFrom: "l", OutDir: "d", At: "1h", Force: true}, modeBatch},
		"rows into a directory":   {recoverOptions{OutDir: "d"}, modeBatch},
		"two modes":               {recoverOptions{File: "f", Salvage: true, At: "1h"}, ""},
		"dry run and patches":     {recoverOptions{File: "f", DryRun: true, Patches: true}, ""},
		"file and list":           {recoverOptions{File: "f", FilesFrom: "l", OutDir: "d"}, ""},
		"list without a place":    {recoverOptions{FilesFrom: "l"}, ""},
		"list of backups":         {recoverOptions{FilesFrom: "l", OutDir: "d", Backups: true}, ""},
		"list with a mode":        {recoverOptions{FilesFrom: "l", OutDir: "d", Salvage: true}, ""},
		"file into a directory":   {recoverOptions{File: "f", OutDir: "d"}, ""},
		"file and directory":      {recoverOptions{FilesFrom: "l", OutDir: "d", Out: "o"}, ""},
		"force without directory": {recoverOptions{File: "f", Out: "o", Force: true}, ""},
		"lines of a whole file":   {recoverOptions{File: "f", FileLines: "1..2"}, ""},
		"turns of backups":        {recoverOptions{File: "/f", Backups: true, Turn: "1"}, ""},
		"plan of backups":         {recoverOptions{File: "@plan", Backups: true}, ""},
		"stdin twice":             {recoverOptions{FilesFrom: "-", OutDir: "d", Flags: list}, ""},
		"bad lines":               {recoverOptions{File: "f", Salvage: true, FileLines: "9..3"}, ""},
		"bad turn":                {recoverOptions{File: "f", Turn: "1-3"}, ""},
		"bad since":               {recoverOptions{File: "f", Since: "yesterdayish"}, ""},
		"bad at":                  {recoverOptions{File: "f", At: "@then"}, ""},
	} {
		a, err := tc.o.understand(noon)
		switch {
		case tc.mode == "" && err == nil:
			t.Errorf("%s: not refused, mode %s", name, a.mode)
		case tc.mode != "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case err == nil && a.mode != tc.mode:
			t.Errorf("%s: mode %s, want %s", name, a.mode, tc.mode)
		}
		if bare := recoverTool.Payload(&tc.o); tc.mode != "" && bare != (tc.mode == modeRestore && tc.o.Out == "") {
			t.Errorf("%s: payload is %v", name, bare)
		}
	}
}

func TestParseCutoff(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "at the latest state",
		"@latest":              "at the latest state",
		"@turn:3":              "at the end of turn 3",
		"@turn:-1":             "at the end of turn -1 (from the end)",
		"@line:120":            "at line 120",
		"2026-03-02T09:00:00Z": "at 2026-03-02 09:00:00 UTC(UTC+0)",
	} {
		c, err := parseCutoff(in, noon)
		if err != nil || c.words() != want {
			t.Errorf("%q: %q, %v, want %q", in, c.words(), err, want)
		}
	}
	for _, bad := range []string{"@turn:", "@turn:x", "@line:0", "@line:-1", "@line:", "@5d0c1f3e", "@", "soon"} {
		if c, err := parseCutoff(bad, noon); err == nil {
			t.Errorf("%q reads as %s", bad, c.words())
		}
	}
}
