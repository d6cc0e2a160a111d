package list

import (
	"strings"

	"csift/pkg/home"
	"csift/pkg/transcript"
)

// sidecar tells of a session's sidecar that could not be read: what its row says of dialogs proves nothing then.
func (a *answer) sidecar(s *session) {
	if s.side.Err != nil {
		a.env.Unread(home.Elicitations(s.Path), s.side.Err)
	}
}

// sidecarWords names the dialogs that are pending for a text row.
func sidecarWords(s *transcript.Sidecar) string {
	var out []string
	for i := range s.Pending {
		kind := s.Pending[i].Kind
		if kind == "" {
			kind = "unknown"
		}
		out = append(out, kind)
	}
	return strings.Join(out, ", ")
}
