package board

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// Restored follows, in every transcript, the files that were read or written whole through the edits behind that, and
// checks that csift-recover gives each back byte for byte. What Claude Code itself says changed otherwise, or what a
// command's words name, is no longer followed: there the answer is not plain without csift.
func Restored(t Tools, homes ...string) (*Report, error) {
	r := &Report{Name: "restored"}
	err := eachTranscript(homes, true, func(home, file string, lines []line) {
		states := followed(lines)
		for _, name := range slices.Sorted(maps.Keys(states)) {
			got := t.Run(home, "csift-recover", file, "--file", name, "--no-subagents")
			r.check(string(got.Out) == states[name], "%s of %s: %v%s", name, short(file), got, firstDiff([]byte(states[name]), got.Out))
		}
	})
	return r, err
}

// A fileCall is a call that may be about a file.
type fileCall struct {
	Name  string `json:"name"`
	ID    string `json:"id"`
	Input struct {
		File    string     `json:"file_path"`
		Content string     `json:"content"`
		Command string     `json:"command"`
		Edits   []fileEdit `json:"edits"`
		fileEdit
	} `json:"input"`
}

type fileEdit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
	All bool   `json:"replace_all"`
}

// shown is the part of a result or an attachment that holds a file's text.
type shown struct {
	Type string `json:"type"`
	File struct {
		Path    string `json:"filePath"`
		Content string `json:"content"`
		Start   int    `json:"startLine"`
		Lines   int    `json:"numLines"`
		Total   int    `json:"totalLines"`
		Cut     bool   `json:"truncatedByTokenCap"`
	} `json:"file"`
}

func (s *shown) whole() bool {
	f := &s.File
	return s.Type == "text" && f.Content != "" && f.Start == 1 && f.Lines == f.Total && !f.Cut
}

// followed gives the files whose whole text is known at the end, by path.
func followed(lines []line) map[string]string {
	states := map[string]string{}
	calls := map[string]fileCall{}
	seen := map[string]bool{}
	for i := range lines {
		rec := &lines[i].rec
		if rec.UUID != "" && seen[rec.UUID] {
			continue // a copy
		}
		seen[rec.UUID] = true
		if rec.Type == "attachment" {
			attached(lines[i].raw, states)
			continue
		}
		var parts []struct {
			Type    string `json:"type"`
			For     string `json:"tool_use_id"`
			IsError bool   `json:"is_error"`
			fileCall
		}
		_ = json.Unmarshal(rec.Message.Content, &parts)
		for k := range parts {
			p := &parts[k]
			c, answered := calls[p.For]
			switch {
			case p.Type == "tool_use":
				calls[p.ID] = p.fileCall
			case p.Type != "tool_result" || !answered:
			case c.Name == "Bash" || c.Name == "PowerShell":
				words := c.Input.Command + string(rec.ToolResult) // a result may name files that the command changed
				maps.DeleteFunc(states, func(name, _ string) bool { return strings.Contains(words, path.Base(name)) })
			case p.IsError && strings.Contains(string(lines[i].raw), "modified since read"):
				delete(states, c.Input.File)
			case !p.IsError:
				done(&c, rec.ToolResult, states)
			}
		}
	}
	return states
}

// attached takes a file that the person named, and drops one that was changed.
func attached(raw []byte, states map[string]string) {
	var a struct {
		Attachment struct {
			Type    string `json:"type"`
			Name    string `json:"filename"`
			Content shown  `json:"content"`
		} `json:"attachment"`
	}
	_ = json.Unmarshal(raw, &a)
	switch at := &a.Attachment; {
	case at.Type == "edited_text_file":
		delete(states, at.Name)
	case at.Type == "file" && at.Content.whole():
		states[at.Content.File.Path] = at.Content.File.Content
	}
}

// done applies a call that went well.
func done(c *fileCall, result json.RawMessage, states map[string]string) {
	name := c.Input.File
	text, known := states[name]
	edits := c.Input.Edits
	switch c.Name {
	case "Write":
		states[name] = c.Input.Content
	case "Read":
		var s shown
		if json.Unmarshal(result, &s) == nil && s.whole() {
			states[name] = s.File.Content
		}
	case "Edit":
		edits = []fileEdit{c.Input.fileEdit}
		fallthrough
	case "MultiEdit":
		if !known {
			return
		}
		for _, e := range edits {
			n := 1
			if e.All {
				n = -1
			}
			if e.Old == "" || !strings.Contains(text, e.Old) {
				delete(states, name)
				return
			}
			text = strings.Replace(text, e.Old, e.New, n)
		}
		states[name] = text
	}
}
