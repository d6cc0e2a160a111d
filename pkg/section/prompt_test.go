package section

import (
	"testing"

	"csift/pkg/excerpt"
	"csift/pkg/label"
	"csift/pkg/record"
)

var prompts = map[string]bool{
	`{"type":"user","message":{"role":"user","content":"fix  it\n now"}}`:                                  true,
	`{"type":"user","message":{"role":"user","content":"  Why \"this\"?"}}`:                                true,
	`{"type":"user","message":{"content":"no role"}}`:                                                      true,
	`{"type":"user","message":{"role":"user","content":""}}`:                                               false,
	`{"type":"user","message":{"role":"user","content":"\nfix"}}`:                                          false,
	`{"type":"user","message":{"role":"user","content":"été"}}`:                                            false,
	`{"type":"user","message":{"role":"user","content":"a <b> c"}}`:                                        false,
	`{"type":"user","message":{"role":"user","content":"a \u003cteammate-message>"}}`:                      false,
	`{"type":"user","message":{"role":"user","content":"[Request interrupted by user]"}}`:                  false,
	`{"type":"user","message":{"role":"user","content":"Background agent \"x\" was stopped by the user"}}`: false,
	`{"type":"user","message":{"role":"user","content":"2 background agents were stopped by the user"}}`:   false,
	`{"type":"user","isMeta":true,"message":{"role":"user","content":"a"}}`:                                false,
	`{"type":"user","isSidechain":true,"message":{"role":"user","content":"a"}}`:                           false,
	`{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"a"}}`:                      false,
	`{"type":"user","turnCompanion":true,"message":{"role":"user","content":"a"}}`:                         false,
	`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a"}]}}`:                     false,
	`{"type":"assistant","message":{"role":"assistant","content":"a"}}`:                                    false,
}

// checkPrompt builds the sections of what is told to be a plain prompt.
func checkPrompt(t *testing.T, line string, r *record.Record) {
	t.Helper()
	var b Builder
	secs := b.Sections(r, nil)
	if len(secs) != 1 || len(secs[0].Labels) != 1 || secs[0].Labels[0] != label.UserMessage || !secs[0].OneRow {
		t.Fatalf("%s is no prompt: %+v", line, secs)
	}
	if got, want := string(secs[0].Append(nil)), excerpt.Fold(r.Text.String()); got != want {
		t.Errorf("%s: %q, want %q", line, got, want)
	}
}

func TestPlainPrompt(t *testing.T) {
	var r record.Record
	for line, want := range prompts {
		if !record.Decode([]byte(line), &r) {
			t.Fatal(line)
		}
		if got := PlainPrompt(&r); got != want {
			t.Errorf("%s: %v", line, got)
		} else if got {
			checkPrompt(t, line, &r)
		}
	}
}

func FuzzPlainPrompt(f *testing.F) {
	for line := range prompts {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r record.Record
		if record.Decode(line, &r) && PlainPrompt(&r) {
			checkPrompt(t, string(line), &r)
		}
	})
}
