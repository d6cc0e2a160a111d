package section

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// TagReader reads the tags in the signatures of thinking blocks: a signature is base64 of a protobuf message, and the tag
// is the string at field 2, 1, 8, the last one at each level. It reuses its buffers; the zero value is ready. It
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

// Narrated reports whether a signature carries the tag of narration.
func (t *TagReader) Narrated(sig record.Str) bool {
	return mayNarrate(sig) && string(t.Tag(sig)) == "narration"
}

// narration is what base64 makes of all but the ends of that word, by where in three bytes it starts. It spares most
// signatures the decoding.
var narration = [...][]byte{[]byte("bmFycmF0aW9u"), []byte("cnJhdGlv"), []byte("YXJyYXRp")}

func mayNarrate(sig record.Str) bool {
	for _, w := range narration {
		if bytes.Contains(sig, w) {
			return true
		}
	}
	return jsonl.HasEscape(sig)
}

// lastField gives the last length-delimited field of that number; nil when there is none or the message is broken.
func lastField(b []byte, field uint64) (out []byte) {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return nil
		}
		b = b[n:]
		switch key & 7 {
		case 0:
			_, n := binary.Uvarint(b)
			if n <= 0 {
				return nil
			}
			b = b[n:]
		case 1, 5:
			n := 8
			if key&7 == 5 {
				n = 4
			}
			if len(b) < n {
				return nil
			}
			b = b[n:]
		case 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return nil
			}
			if key>>3 == field {
				out = b[n : n+int(size)]
			}
			b = b[n+int(size):]
		default:
			return nil
		}
	}
	return out
}
