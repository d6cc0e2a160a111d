package section

import "csift/pkg/record"

// Unmodeled gives what no section renders of a message, though it may hold words: one that is no object, a content that
// is neither a text nor blocks, blocks of a type that no version up to 2.1.332 writes. Most messages have nothing such.
func Unmodeled(r *record.Record) (out []record.Raw) {
	if r.Text != nil || len(r.Blocks) > 0 && modeled(r.Blocks) {
		return nil
	}
	message := r.Raw.Get("message")
	if !message.IsObject() {
		return some(message)
	}
	content := message.Get("content")
	if !content.IsArray() {
		return some(content)
	}
	content.Items(func(v record.Raw) {
		if !v.IsObject() || !blockTypes[v.Get("type").Str().String()] {
			out = append(out, v)
		}
	})
	return out
}

func some(v record.Raw) []record.Raw {
	if v == nil || string(v) == "null" {
		return nil
	}
	return []record.Raw{v}
}

func modeled(blocks []record.Block) bool {
	for i := range blocks {
		if !blockTypes[string(blocks[i].Type)] {
			return false
		}
	}
	return true
}

var blockTypes = map[string]bool{
	"text": true, "thinking": true, "redacted_thinking": true, "tool_use": true, "tool_result": true,
	"image": true, "document": true, "fallback": true,
}
