package lane

import (
	"bytes"
	"context"
	"strings"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// toolName is the word that a command which calls csift holds.
const toolName = "csift"

// Called looks from an offset on for a call of a shell (Bash, or PowerShell on Windows) whose command holds the marker
// and calls csift. next is the offset to go on from when the file has grown: what stands behind the last line end is
// looked at again.
func Called(ctx context.Context, path, marker string, from int64) (found bool, next int64, err error) {
	f, err := jsonl.Open(path)
	if err != nil {
		return false, from, FileError{path, err}
	}
	defer f.Close()
	if f.Size() < from {
		from = 0 // it was written anew
	}
	needle, next := []byte(marker), from
	var rec record.Record
	_, err = f.LinesFrom(ctx, from, func(off int64, line []byte) bool {
		if off+int64(len(line)) < f.Size() {
			next = off + int64(len(line)) + 1
		}
		if !bytes.Contains(line, needle) {
			return true
		}
		parts := [][]byte{jsonl.Trim(line, off == 0)}
		if !record.Decode(parts[0], &rec) {
			parts, _ = record.Split(parts[0])
		}
		for _, p := range parts {
			found = found || record.Decode(p, &rec) && callsWith(&rec, marker)
		}
		return !found
	})
	if err != nil {
		return false, from, FileError{path, err}
	}
	return found, next, nil
}

func callsWith(rec *record.Record, marker string) bool {
	for i := range rec.Blocks {
		b := &rec.Blocks[i]
		if !b.Type.Is("tool_use") || !b.Name.Is("Bash") && !b.Name.Is("PowerShell") {
			continue
		}
		if command := b.Input.Get("command").Str().String(); strings.Contains(command, marker) && strings.Contains(command, toolName) {
			return true
		}
	}
	return false
}
