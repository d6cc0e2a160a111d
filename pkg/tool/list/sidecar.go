package list

import (
	"strings"

	"csift/pkg/transcript"
)

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
