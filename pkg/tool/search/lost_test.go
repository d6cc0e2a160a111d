package search

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"csift/pkg/cli"
	"csift/pkg/match"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/stdio"
	"csift/pkg/target"
)

// A file that is written anew between the search and the printing costs its own exchanges and no others, in every form.
func TestFileWrittenAnew(t *testing.T) {
	for name, o := range map[string]*options{"rows": {}, "text": {}, "raw": {Raw: true}, "siblings": {Siblings: true}} {
		t.Run(name, func(t *testing.T) {
			var files []scan.File
			set := &target.Set{PrefixLen: 8, TopLevel: 3}
			for i := range 3 {
				path := filepath.Join(t.TempDir(), fmt.Sprintf("0000000%d-0000-4000-8000-000000000000.jsonl", i))
				line := fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":"2026-03-02T09:00:0%dZ","message":{"role":"user","content":"word %d"}}`, i, i, i)
				if err := os.WriteFile(path, []byte(line+"\n"+strings.Replace(line, `"uuid":"u`, `"uuid":"v`, 1)+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
				set.Transcripts = append(set.Transcripts, target.Transcript{Path: path, ID: id, ParentID: id})
				files = append(files, scan.File{Ref: row.Ref{SessionID: id, ParentSessionID: id, Transcript: path, Path: path}})
			}
			var out, errs bytes.Buffer
			env := &cli.Env{Prog: "csift-search", Out: stdio.NewOut(&out), Stderr: &errs, Banner: &errs, Getenv: os.Getenv, Format: stdio.JSON}
			if name != "rows" {
				env.Format = stdio.Text
			}
			m, err := match.Compile("word", match.Options{})
			if err != nil {
				t.Fatal(err)
			}
			j := &job{env: env, opt: o, ctx: t.Context(), files: files, set: set,
				query: &scan.Query{Match: m, Since: scan.NoTime, Until: scan.NoTime, Exchanges: true, Workers: 2}}
			if j.res, err = scan.Run(j.ctx, j.files, j.query, nil); err != nil || j.res.Matched != 6 {
				t.Fatal(err, j.res)
			}
			if err := os.WriteFile(files[1].Transcript, []byte("{}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := j.print(); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			if strings.Contains(got, "word 1") || !strings.Contains(got, "word 0") || !strings.Contains(got, "word 2") {
				t.Errorf("stdout:\n%s", got)
			}
			if want := "csift-search: cannot read " + files[1].Transcript + ": the file changed while it was being read"; strings.Count(errs.String(), want) != 1 {
				t.Errorf("stderr:\n%s", errs.String())
			}
			if name == "rows" && !strings.Contains(got, `"matched":4,`) || name == "rows" && !strings.Contains(got, `"unreadable_files":1,`) {
				t.Errorf("summary:\n%s", got)
			}
		})
	}
}
