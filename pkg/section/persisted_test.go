package section

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"csift/pkg/label"
	"csift/pkg/transcript"
)

func TestPersisted(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string]string{"s/tool-results/a.txt": "the whole\noutput \xff", "b.txt": "of the record"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const pointer = "<persisted-output>\nOutput too large. Full output saved to: /elsewhere/a.txt\n</persisted-output>"
	line := blocks(result(pointer), "")
	recorded := blocks(result(pointer), `,"toolUseResult":{"persistedOutputPath":`+quote(filepath.Join(dir, "b.txt"))+`}`)
	items := blocks(`{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"note"},{"type":"text","text":`+quote(pointer)+`}]}`, "")
	for _, c := range []struct {
		name, line string
		off        bool
		labels     []string
		want       string
	}{
		{name: "beside the transcript", line: line, want: "the whole\noutput \uFFFD"},
		{name: "escaped", line: strings.ReplaceAll(line, "<", `\u003c`), want: "the whole\noutput \uFFFD"},
		{name: "as the record says", line: recorded, want: "of the record"},
		{name: "in an item", line: items, want: "note\nthe whole\noutput \uFFFD"},
		{name: "not asked for", line: line, off: true, want: pointer},
		{name: "asked for by label", line: line, labels: []string{"agent.tool"}, want: "the whole\noutput \uFFFD"},
		{name: "results are not wanted", line: line, labels: []string{"user"}, want: pointer},
		{name: "no pointer", line: blocks(result("about persisted-output"), ""), want: "about persisted-output"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b Builder
			var err error
			if b.Filter, err = label.ParseFilter(c.labels, nil); err != nil {
				t.Fatal(err)
			}
			if !c.off {
				b.Persisted = transcript.NewPersisted(filepath.Join(dir, "s.jsonl"), "")
			}
			secs := b.Sections(decode(t, c.line), nil)
			if len(secs) != 1 {
				t.Fatalf("%d sections", len(secs))
			}
			if got := string(secs[0].Append(nil)); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
