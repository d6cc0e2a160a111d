package target

import (
	"path/filepath"
	"strings"
	"testing"
)

// A file is refused when every record of it is csift's own, under whatever name.
func TestMarkers(t *testing.T) {
	const mark = `{"uuid":"u","csift":"elicitation-marker-v1","csiftPhase":"pending"}` + "\n"
	user := at("/home/dev/app", idA)
	long := strings.Repeat(mark, 2000) // beyond the first block that is read
	root := homeOf(t, map[string]string{
		fileA: user, "-p/copy.jsonl": mark + "\n" + mark, "-p/" + idB + ".jsonl": "\xEF\xBB\xBF" + mark, "-p/long.jsonl": long, "-p/torn.jsonl": mark + "{torn\n",
		"-p/first.jsonl": mark + user, "-p/late.jsonl": long + user, "-p/damaged.jsonl": "garbage\n", "-p/empty.jsonl": "",
		"-p/inside.jsonl": `{"type":"user","message":{"csift":1}}` + "\n",
	})
	for name, refused := range map[string]bool{
		fileA: false, "-p/copy.jsonl": true, "-p/" + idB + ".jsonl": true, "-p/long.jsonl": true, "-p/torn.jsonl": true,
		"-p/first.jsonl": false, "-p/late.jsonl": false, "-p/damaged.jsonl": false, "-p/empty.jsonl": false, "-p/inside.jsonl": false,
	} {
		_, err := ask(root, false, nil, filepath.Join(root, "projects", filepath.FromSlash(name)))
		if got := err != nil && strings.Contains(err.Error(), "elicitation sidecar"); got != refused || err != nil && !got {
			t.Errorf("%s: %v", name, err)
		}
	}
}
