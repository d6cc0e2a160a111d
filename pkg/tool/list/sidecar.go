package list

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"

	"csift/pkg/home"
	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/when"
)

// sidecar is what the elicitation sidecar of a session says: dialogs that a hook saw
// open and did not see close.
type sidecar struct {
	present bool
	pending []elicitation
	skipped int // lines that are no marker csift can read
}

type elicitation struct{ kind, key, stamp string }

// marker is the value of the key "csift" on every line of a sidecar.
const marker = "elicitation-marker-v1"

// readSidecar reads the sidecar of the session whose transcript f is.
func readSidecar(ctx context.Context, f *jsonl.File) (s sidecar) {
	b, err := os.ReadFile(home.Elicitations(f.Path()))
	if err != nil {
		_, err := os.Lstat(home.Elicitations(f.Path()))
		return sidecar{present: err == nil}
	}
	s.present = true
	closed := map[string]bool{}
	for i, line := range bytes.Split(b, []byte("\n")) {
		if line = jsonl.Trim(line, i == 0); len(line) > 0 {
			s.line(line, closed)
		}
	}
	s.pending = slices.DeleteFunc(s.pending, func(e elicitation) bool { return closed[e.key] })
	s.dropNative(ctx, f)
	slices.SortStableFunc(s.pending, func(a, b elicitation) int {
		ta, oka := when.Stamp(a.stamp)
		tb, okb := when.Stamp(b.stamp)
		switch {
		case oka && okb:
			return ta.Compare(tb)
		case oka:
			return -1
		case okb:
			return 1
		}
		return 0
	})
	return s
}

// line reads one marker.
func (s *sidecar) line(line []byte, closed map[string]bool) {
	if p := jsonl.NewPull(line); p.Skip() == nil || !p.Done() || line[0] != '{' {
		s.skipped++
		return
	}
	raw := record.Raw(line)
	if !raw.Get("csift").Str().Is(marker) {
		return
	}
	e := elicitation{kind: raw.Get("csiftKind").Str().String(), key: raw.Get("csiftKey").Str().String(), stamp: raw.Get("timestamp").Str().String()}
	if e.key == "" {
		e.key = "unknown"
	}
	switch phase := raw.Get("csiftPhase").Str(); {
	case phase.Is("resolved"):
		closed[e.key] = true
	case !phase.Is("pending"):
		s.skipped++
	default:
		if i := slices.IndexFunc(s.pending, func(o elicitation) bool { return o.key == e.key }); i >= 0 {
			s.pending[i] = e
		} else {
			s.pending = append(s.pending, e)
		}
	}
}

// dropNative drops the questions and plans whose call or result stands in the
// transcript: a refused dialog closes without telling the hook. The file is read only
// when there is such a dialog.
func (s *sidecar) dropNative(ctx context.Context, f *jsonl.File) {
	native := func(e elicitation) bool { return e.kind == "AskUserQuestion" || e.kind == "ExitPlanMode" }
	if !slices.ContainsFunc(s.pending, native) {
		return
	}
	there := map[string]bool{}
	var rec record.Record
	_, _ = f.Head(ctx, func(off int64, line []byte) bool {
		if !bytes.Contains(line, []byte(`"tool_`)) {
			return true
		}
		records(jsonl.Trim(line, off == 0), false, &rec, func(rec *record.Record) {
			for i := range rec.Blocks {
				there[rec.Blocks[i].ID.String()] = true
				there[rec.Blocks[i].ToolUseID.String()] = true
			}
		})
		return true
	})
	s.pending = slices.DeleteFunc(s.pending, func(e elicitation) bool { return native(e) && there[e.key] })
}

// words names the dialogs for a text row.
func (s *sidecar) words() string {
	var out []string
	for _, e := range s.pending {
		kind := e.kind
		if kind == "" {
			kind = "unknown"
		}
		out = append(out, kind)
	}
	return strings.Join(out, ", ")
}
