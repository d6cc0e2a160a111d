package section

import (
	"unicode/utf8"

	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// resolve puts outputs that were moved out of the transcript into the text of a result, where Builder.Persisted asks for
// it and the filter lets results through: an output may be long.
func (b *Builder) resolve(s *Section, r *record.Record, k *record.Block) {
	if b.Persisted == nil || !transcript.Points(k.Content) {
		return
	}
	if !b.Filter.Reaches(label.AgentToolResult) && !b.Filter.Reaches(label.AgentCommunicationInbox) {
		return
	}
	text := b.Persisted.Resolve(s.Append(nil), r.Result.PersistedPath.String())
	if !utf8.Valid(text) {
		text = appendValid(nil, text)
	}
	s.Raw, s.Text = nil, text
}
