package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// A row is one line of the contract.
type row struct {
	name, what   string
	csift, other command
	first, goal  float64 // most that the ratio may be; milliseconds where other is nil
	skip         string
}

// A command is an argument vector; nil is none.
type command []string

// contract lists the rows that can be measured with the verbs there are.
func contract(t toolbox, dir string) []row {
	big := filepath.Join(dir, "big.jsonl")
	search := func(args ...string) command {
		return append(command{t.path("csift-search")}, args...)
	}
	rg := func(args ...string) command {
		return append(command{t.rg, "--no-config", "-a"}, args...)
	}
	count := func(name, what, pattern string, first, goal float64, flags ...string) row {
		return row{name: name, what: what, first: first, goal: goal,
			csift: search(append(flags, "-c", pattern, big)...),
			other: rg(append(flags, "-c", pattern, big)...)}
	}
	const (
		absent = "Zyzzogeton"
		rare   = "(?-i)palimpsest"
		common = "(?-i)the"
		five   = "panic|deadlock|segfault|overflow|zephyr"
	)
	home := func(args ...string) command {
		return append(search("--claude-home", dir, "-c"), append(args, "@all")...)
	}
	projects := filepath.Join(dir, "projects")
	edited := firstEdited(projects)
	rows := []row{
		count("1a", "search -c, absent literal, 400 MB", absent, 1.0, 0.55),
		count("1b", "literal in one record", "Quokkafjord", 2.2, 1.3),
		count("2", "1a with -i", absent, 1.3, 0.6, "-i"),
		count("3", "five words", "(?-i)"+five, 3.5, 0.6),
		count("3i", "five words with -i", five, 3.5, 0.6, "-i"),
		count("4a", `\bfunc\s+\w+\(`, `(?-i)\bfunc\s+\w+\(`, 2.0, 0.75),
		count("4b", `[A-Z]{3}-\d{4}`, `[A-Z]{3}-\d{4}`, 2.0, 0.75),
		count("4c", `error.*timeout`, `(?-i)error.*timeout`, 2.0, 0.75),
		count("5a", `x.?y`, `(?-i)x.?y`, 8, 1.3),
		count("5b", `\p{Han}{4,}`, `\p{Han}{4,}`, 8, 0.3),
		count("6", "the, count of exchanges", common, 4.5, 2.0),
		{name: "7", what: "the, every row as JSON, vs rg | jq", first: 0.25, goal: 0.06,
			csift: search("--format", "json", common, big),
			other: command{"sh", "-c", `"$0" --no-config -a '` + common + `' "$1" | jq -c .type`, t.rg, big}},
		{name: "8a", what: "2,000 files, rare literal", first: 2.0, goal: 1.0,
			csift: home(rare), other: rg("-c", rare, projects)},
		{name: "8b", what: "2,000 files, common word", first: 4.0, goal: 1.5,
			csift: home(common), other: rg("-c", common, projects)},
		{name: "9", what: "list of 2,000 sessions, vs rg -c rare", first: 0.5, goal: 0.2,
			csift: command{t.path("csift-list"), "--claude-home", dir, "@all", "--max-count", "0"},
			other: rg("-c", rare, projects)},
		{name: "10", what: "stats of 2,000 sessions, vs rg -c rare", first: 6, goal: 2.5,
			csift: command{t.path("csift-list"), "stats", "--claude-home", dir, "@all"},
			other: rg("-c", rare, projects)},
		{name: "11", what: "show the last line of 400 MB, vs 1a", first: 2.2, goal: 1.3,
			csift: command{t.path("csift-show"), big, "--line", strconv.Itoa(lines(big))},
			other: rg("-c", absent, big)},
		{name: "12", what: "agents over 2,000 sessions, vs rg -c rare", first: 1.0, goal: 0.4,
			csift: command{t.path("csift-list"), "agents", "--claude-home", dir, "@all"},
			other: rg("-c", rare, projects)},
		{name: "13", what: "recover --file over 2,000 sessions, vs rg -c of its name", first: 3.0, goal: 1.3,
			csift: command{t.path("csift-recover"), "--claude-home", dir, "@all", "--file", edited, "--salvage", "--format", "text"},
			other: rg("-c", regexp.QuoteMeta(filepath.Base(edited)), projects)},
		{name: "15", what: "--version, ms", first: 3, goal: 1.5,
			csift: command{t.path("csift"), "--version"}},
	}
	for i := range rows {
		if _, err := os.Stat(rows[i].csift[0]); err != nil {
			rows[i].skip = filepath.Base(rows[i].csift[0]) + " is not built"
		}
		if rows[i].name == "7" {
			if _, err := exec.LookPath("jq"); err != nil {
				rows[i].skip = "no jq"
			}
		}
	}
	return rows
}

// firstEdited gives the path of a file that a session of the corpus edited.
func firstEdited(projects string) string {
	call := regexp.MustCompile(`"name":"Edit","input":\{"file_path":"([^"\\]+)"`)
	found := "unedited"
	_ = filepath.WalkDir(projects, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if m := call.FindSubmatch(b); m != nil {
			found = string(m[1])
			return fs.SkipAll
		}
		return err
	})
	return found
}

// lines counts the lines of a file.
func lines(path string) int {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return bytes.Count(b, []byte("\n"))
}
