package section

import (
	"encoding/base64"
	"slices"
	"unicode/utf8"

	"csift/pkg/record"
)

// TagReader reads the tags in the signatures of thinking blocks. It reuses its buffers; the zero value is ready. It
// serves one goroutine.
type TagReader struct{ text, plain []byte }

// Tag gives the tag in a signature, by which Claude Code tells what kind of thinking a block is: "narration", or
// another. A signature without one, or that cannot be read, has none. The result is valid until the next call.
func (t *TagReader) Tag(sig record.Str) []byte {
	if len(sig) == 0 {
		return nil
	}
	t.text = sig.Append(t.text[:0])
	t.plain = slices.Grow(t.plain[:0], base64.StdEncoding.DecodedLen(len(t.text)))
	n, err := base64.StdEncoding.Decode(t.plain[:cap(t.plain)], t.text)
	if err != nil {
		return nil
	}
	b := t.plain[:n]
	for _, field := range [...]uint64{2, 1, 8} {
		if b = lastField(b, field); b == nil {
			return nil
		}
	}
	if !utf8.Valid(b) {
		return nil
	}
	return b
}
