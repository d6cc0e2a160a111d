package section

import (
	"bytes"

	"csift/pkg/record"
)

// PlainPrompt reports whether a record is a prompt of the person that can be nothing else by a look at its raw text: in the
// transcript of a session, without a tag or an escape that could hide one, not starting like anything that the harness
// writes in the person's place. Its one section is user.message then, and its text the folded text of the record.
func PlainPrompt(r *record.Record) bool {
	if r.Text == nil || !r.Type.Is("user") || r.IsMeta || r.TurnCompanion || r.IsCompactSummary || r.IsSidechain {
		return false
	}
	text := bytes.TrimLeft(r.Text, " ")
	if len(text) == 0 {
		return false
	}
	// A bracket starts an interruption, a B or a digit the note that background agents were stopped.
	if c := text[0] | 0x20; c < 'a' || c > 'z' || c == 'b' {
		return false
	}
	return bytes.IndexByte(text, '<') < 0 && !bytes.Contains(text, []byte(`\u`))
}
