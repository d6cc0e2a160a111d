package recover

import (
	"strings"
	"time"

	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/scope"
)

// The modes of recover, as rows spell them.
const (
	modeRestore  = "restore"
	modeSalvage  = "salvage"
	modePatches  = "patches"
	modeAt       = "at"
	modeCoverage = "coverage"
	modeBackups  = "list-backups"
	modeBatch    = "batch"
)

// planFile is the value of --file that stands for the bound plan.
const planFile = "@plan"

// ask is what the flags of recover come to.
type ask struct {
	*recoverOptions
	scope.Window
	mode  string
	at    cutoff
	lines *addr.Spec // --file-lines
}

// understand checks the flags against each other and reads their values.
func (o *recoverOptions) understand(now time.Time) (*ask, error) {
	a := &ask{recoverOptions: o}
	if err := a.chooseMode(); err != nil {
		return nil, err
	}
	if err := a.conflicts(); err != nil {
		return nil, err
	}
	var err error
	if a.at, err = parseCutoff(o.At, now); err != nil {
		return nil, err
	}
	if a.Window, err = scope.ParseWindow(o.Since, o.Until, o.Turn, now); err != nil {
		return nil, err
	}
	if o.FileLines != "" {
		spec, err := addr.ParseSpec(o.FileLines, 1)
		if err != nil {
			return nil, cli.Errorf("--file-lines: %w", err)
		}
		a.lines = &spec
	}
	return a, nil
}

// chooseMode finds the one mode that was asked for.
func (a *ask) chooseMode() error {
	coverage := "--coverage"
	if a.DryRun && !a.Coverage {
		coverage = "--dry-run"
	}
	var typed []string
	a.mode = modeRestore
	for _, m := range []struct {
		mode, flag string
		on         bool
	}{
		{modeSalvage, "--salvage", a.Salvage}, {modePatches, "--patches", a.Patches}, {modeAt, "--at", a.At != ""},
		{modeCoverage, coverage, a.Coverage || a.DryRun}, {modeBackups, "--list-backups", a.Backups},
	} {
		if m.on {
			typed = append(typed, m.flag)
			a.mode = m.mode
		}
	}
	batch := a.FilesFrom != "" || a.OutDir != ""
	switch {
	case len(typed) > 1:
		return cli.Usagef("%s ask for different answers: one of them at a time", strings.Join(typed, " and "))
	case batch && a.mode != modeRestore && a.mode != modeAt:
		return cli.Usagef("--files-from and --out-dir write files and do not go with %s", typed[0])
	case batch:
		a.mode = modeBatch
	}
	return nil
}

// conflicts refuses flags that say nothing together.
func (a *ask) conflicts() error {
	for _, c := range []struct {
		bad bool
		say string
	}{
		{a.File != "" && a.FilesFrom != "", "--file names one file and --files-from a list: one of them at a time"},
		{a.FilesFrom != "" && a.OutDir == "", "--files-from needs --out-dir, where the files go"},
		{a.OutDir != "" && a.File != "", "--out-dir is for --files-from; to write one file say --out"},
		{a.OutDir != "" && a.Out != "", "--out writes one file and --out-dir several: one of them at a time"},
		{a.Force && a.OutDir == "", "--force is for --out-dir; --out replaces the file that is there"},
		{a.FilesFrom == "-" && a.SessionsFrom == "-", "stdin is read once, and both --files-from - and --sessions-from - want it"},
	} {
		if c.bad {
			return cli.Usagef("%s", c.say)
		}
	}
	if a.FileLines != "" && a.mode != modeSalvage && a.mode != modeAt && a.mode != modePatches && a.mode != modeCoverage {
		return cli.WithHint(cli.Usagef("--file-lines chooses what --salvage, --at, --patches and --coverage print; a restored file is whole"),
			"to see those lines add --salvage")
	}
	if a.mode != modeBackups {
		return nil
	}
	if a.Turn != "" {
		return cli.Usagef("--list-backups reads no transcript and knows no turns")
	}
	if a.File == planFile {
		return cli.Usagef("--list-backups reads no transcript, so --file must be an absolute path and not %s", planFile)
	}
	return nil
}
