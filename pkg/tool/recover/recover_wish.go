package recover

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"csift/pkg/cli"
	"csift/pkg/fileops"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/target"
)

// wish is one file that is wanted.
type wish struct {
	text   string
	target fileops.Target
	from   map[string]bool // paths of the transcripts to take it from, nil: all in scope
}

// wishes gives the files that --file, the list of --files-from or the rows on stdin name.
func (j *recoverJob) wishes(ctx context.Context) ([]wish, error) {
	switch {
	case j.ask.FilesFrom != "":
		return j.listed()
	case j.ask.File == planFile:
		plan, err := j.plan(ctx)
		if err != nil {
			return nil, err
		}
		j.ask.File = plan
		return []wish{wishFor(plan)}, nil
	case j.ask.File != "":
		return []wish{wishFor(j.ask.File)}, nil
	case j.src == nil:
		return nil, needsFile()
	}
	list, passed := wishesOf(j.src.Items, j.set)
	if passed > 0 {
		j.env.Note("%s on stdin %s no file and %s passed over; files --by file names files", scope.Count(passed, "row"), verbs(passed, "names", "name"), verbs(passed, "was", "were"))
	}
	if len(list) == 0 && j.src.Rows > 0 {
		return nil, cli.WithHint(cli.Usagef("no row on stdin names a file, and --file is not given"),
			"such rows come from "+j.env.Command("files", "--by", "file", "--format", "json"))
	}
	return list, nil
}

func wishFor(text string) wish { return wish{text: text, target: fileops.NewTarget(text)} }

func needsFile() error {
	return cli.WithHint(cli.Usagef("--file is needed: which file to recover"),
		"a trailing part of its path will do: --file src/app.py", "several at once: --files-from LIST --out-dir DIR")
}

// listed reads the list of --files-from: paths, or rows that name files.
func (j *recoverJob) listed() ([]wish, error) {
	b, err := j.manifest()
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		src, err := row.Read(bytes.NewReader(b))
		if err != nil {
			return nil, cli.Usagef("--files-from %s: %w", j.ask.FilesFrom, err)
		}
		list, passed := wishesOf(src.Items, nil)
		if passed > 0 {
			j.env.Note("%s of --files-from %s no file and %s passed over", scope.Count(passed, "row"), verbs(passed, "names", "name"), verbs(passed, "was", "were"))
		}
		return list, nil
	}
	paths, err := readManifest(bytes.NewReader(b))
	if err != nil {
		return nil, cli.CannotRead(j.ask.FilesFrom, err)
	}
	list := make([]wish, len(paths))
	for i, p := range paths {
		list[i] = wishFor(p)
	}
	return list, nil
}

// wishesOf gives the files that rows name, each from the transcripts of its rows where set is given, and how many rows name
// none. A row about a transcript alone (a session, a hit) has the transcript for its path. A rolled-up row does not count
// where rows of files stand beside it.
func wishesOf(items []row.Item, set *target.Set) (list []wish, passed int) {
	at := map[string]int{}
	rolledUp := 0
	for i := range items {
		it := &items[i]
		if it.Kind == bucketKind || it.Kind == dirKind || isMarker(it.Path) {
			rolledUp++
			continue
		}
		if !isAboutFile(it) {
			passed++
			continue
		}
		k, ok := at[it.Path]
		if !ok {
			k = len(list)
			at[it.Path] = k
			list = append(list, wishFor(it.Path))
		}
		if set == nil {
			continue
		}
		if list[k].from == nil {
			list[k].from = map[string]bool{}
		}
		for _, path := range transcriptsOf(it, set) {
			list[k].from[path] = true
		}
	}
	if len(list) == 0 {
		passed += rolledUp
	}
	return list, passed
}

// isAboutFile reports whether a row is about a file that a session worked on. Rows of copies and of written files
// are about these.
func isAboutFile(it *row.Item) bool {
	switch it.Kind {
	case "backup", "restored":
		return false
	}
	return it.Path != "" && it.Path != it.Transcript
}

// isMarker knows the pseudo-paths that stand for a class of commands.
func isMarker(path string) bool {
	class, rest, ok := strings.Cut(path, ":")
	if !ok || rest == "" || strings.ContainsAny(rest, `/\`) {
		return false
	}
	switch class {
	case "git", "fmt", "interp", "pkg", "extract":
		return true
	}
	return false
}

// transcriptsOf gives the transcripts of a set that a row stands for: its own, or the copy that this was merged into. A row
// of text has an address, most often with the first characters of an id.
func transcriptsOf(it *row.Item, set *target.Set) (paths []string) {
	for i := range set.Transcripts {
		t := &set.Transcripts[i]
		switch {
		case it.Transcript != "":
			if t.Path == it.Transcript || slices.Contains(t.AlsoAt, it.Transcript) {
				paths = append(paths, t.Path)
			}
		case it.ID != "" && strings.HasPrefix(t.ID, it.ID), it.Word() == "@"+t.Path:
			paths = append(paths, t.Path)
		}
	}
	return paths
}

// onePath gives the one file that rows name, for a mode that takes one.
func onePath(src *row.Source) (string, error) {
	list, _ := wishesOf(src.Items, nil)
	if len(list) == 0 {
		return "", needsFile()
	}
	if len(list) > 1 {
		return "", cli.Usagef("the rows on stdin name %d files, and this takes one: say which with --file", len(list))
	}
	return list[0].text, nil
}

func verbs(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
