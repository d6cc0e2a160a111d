package fileops

import (
	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// tools are the file tools, by the name of their calls.
var tools = map[string]Op{"Edit": Edit, "MultiEdit": MultiEdit, "Write": Write, "NotebookEdit": NotebookEdit}

// The shell tools. PowerShell commands are not read.
const (
	bashTool       = "Bash"
	powerShellTool = "PowerShell"
)

// calledPath gives the file that a call of a file tool names.
func calledPath(tool string, input record.Raw) string {
	if tool == "NotebookEdit" {
		return input.Get("notebook_path").Str().String()
	}
	return input.Get("file_path").Str().String()
}

// wordIs reports whether a block's name is one of a few; names are plain text.
func wordIs(s record.Str, words ...string) bool {
	for _, w := range words {
		if s.Is(w) {
			return true
		}
	}
	return false
}

// modifiedSince starts what an Edit or a Write is turned down with when the file on disk is not as it was read.
const modifiedSince = "File has been modified since read"

// resultText appends the text of a tool_result block: its string, or the texts of its parts, a line each.
func resultText(dst []byte, b *record.Block) []byte {
	if s := b.Content.Str(); s != nil {
		return jsonl.Unescape(dst, s)
	}
	n := len(dst)
	for _, part := range b.Content.Blocks(nil) {
		if part.Text == nil {
			continue
		}
		if len(dst) > n {
			dst = append(dst, '\n')
		}
		dst = jsonl.Unescape(dst, part.Text)
	}
	return dst
}

// bashDiff is what Claude Code itself says a command changed: toolUseResult.bashEditDiff (2.1.269 and later).
type bashDiff struct {
	files []diffFile
}

// diffFile is one changed file. hunks is nil where only its name is given.
type diffFile struct {
	path             string
	created, deleted bool
	hunks            record.Raw
}

// bashDiffKey is the member, and the needle of lines that hold one.
const bashDiffKey = "bashEditDiff"

// readBashDiff reads the member of a result, nil when it names no file.
func readBashDiff(result record.Raw) *bashDiff {
	v := result.Get(bashDiffKey)
	if !v.IsObject() {
		return nil
	}
	d := &bashDiff{}
	at := map[string]int{}
	v.Get("files").Items(func(f record.Raw) {
		path := f.Get("filePath").Str().String()
		if _, seen := at[path]; path == "" || seen {
			return
		}
		at[path] = len(d.files)
		file := diffFile{path: path, created: f.Get("created").True(), deleted: f.Get("deleted").True()}
		if h := f.Get("hunks"); h.IsArray() && !h.Empty() {
			file.hunks = h
		}
		d.files = append(d.files, file)
	})
	v.Get("changedFiles").Items(func(f record.Raw) {
		path := f.Str().String()
		if _, seen := at[path]; path == "" || seen {
			return
		}
		at[path] = len(d.files)
		d.files = append(d.files, diffFile{path: path})
	})
	if len(d.files) == 0 {
		return nil
	}
	return d
}
