package section

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/record"
)

// A record that was only skimmed, where that is said to be enough, has the same sections but for their labels.
func TestEnough(t *testing.T) {
	type seen struct {
		Text                    string
		Block                   int
		Labelled, OneRow, Loose bool
	}
	look := func(secs []Section) (out []seen) {
		for i := range secs {
			s := &secs[i]
			out = append(out, seen{string(s.Append(nil)), s.Block, len(s.Labels) > 0, s.OneRow, s.Loose})
		}
		return out
	}
	skims, whole := Builder{TextOnly: true}, Builder{TextOnly: true}
	var skim record.Skimmer
	enough := map[string]int{}
	check := func(line []byte, r *record.Record) {
		t.Helper()
		if !skim.Skim(line) {
			t.Fatalf("not skimmed: %.100q", line)
		}
		if skims.Enough(&skim.Record) {
			enough[r.Type.String()]++
			if d := cmp.Diff(look(whole.Sections(r, nil)), look(skims.Sections(&skim.Record, nil))); d != "" {
				t.Errorf("%.300q (-decoded +skimmed):\n%s", line, d)
			}
		}
	}
	sampleRecords(t, func(_ string, _ int, line []byte, r *record.Record) { check(line, r) })
	for _, kind := range [...]string{"assistant", "user", "progress"} {
		if enough[kind] < 5 {
			t.Errorf("%d records of type %s", enough[kind], kind)
		}
	}
	for line, want := range map[string]bool{
		`{"type":"user","origin":{"kind":"peer","name":"Ann","body":"the words"},"message":{"role":"user","content":"<cross-session-message from=\"a\">other words</cross-session-message>"}}`:           true,
		`{"type":"user","origin":{"body":"first"},"origin":5,"message":{"role":"user","content":"<cross-session-message from=\"a\">words</cross-session-message>"}}`:                                     true,
		`{"type":"user","isMeta":true,"origin":{"kind":"human"},"message":{"role":"user","content":" a  b "}}`:                                                                                           false,
		`{"type":"assistant","isApiErrorMessage":true,"message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}}`:                                 true,
		`{"type":"user","isVirtual":true,"turnCompanion":true,"isSidechain":true,"message":{"role":"user","content":"x"}}`:                                                                               true,
		`{"type":"attachment","attachment":{"type":"hook_success","content":"x"}}`:                                                                                                                       false,
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"User has answered your questions"}]},"toolUseResult":{"questions":[{"question":"Q"}],"answers":{"Q":"A"}}}`: true,
	} {
		var r record.Record
		if !record.Decode([]byte(line), &r) || !skim.Skim([]byte(line)) {
			t.Fatal(line)
		}
		check([]byte(line), &r)
		if got := skims.Enough(&skim.Record); got != want {
			t.Errorf("%s: enough %v", line, got)
		}
		if new(Builder).Enough(&skim.Record) {
			t.Errorf("%s: labels are not told", line)
		}
	}
}
