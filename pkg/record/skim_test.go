package record

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placed is the part of a record that Skim fills.
func placed(r *Record) Record {
	return Record{
		Skimmed: true, Raw: r.Raw, Type: r.Type, Subtype: r.Subtype, UUID: r.UUID, ParentUUID: r.ParentUUID, Timestamp: r.Timestamp, SessionID: r.SessionID,
		LeafUUID: r.LeafUUID, LogicalParentUUID: r.LogicalParentUUID, IsMeta: r.IsMeta, IsSidechain: r.IsSidechain, TurnCompanion: r.TurnCompanion,
		IsCompactSummary: r.IsCompactSummary, Explicit: r.Explicit, CompactMetadata: r.CompactMetadata, SummarizeMetadata: r.SummarizeMetadata,
		HasMessage: r.HasMessage, Role: r.Role, MessageID: r.MessageID, Model: r.Model, StopReason: r.StopReason, Usage: r.Usage, Text: r.Text,
		Blocks: append([]Block(nil), r.Blocks...), Result: r.Result,
	}
}

// checkSkim holds Skim against Decode; skim is reused from line to line, as a walker does.
func checkSkim(t *testing.T, b []byte, skim *Record) {
	t.Helper()
	var full Record
	want, got := Decode(b, &full), Skim(b, skim)
	if want != got {
		t.Fatalf("Decode %v, Skim %v: %.200s", want, got, b)
	}
	if !want {
		return
	}
	clean := *skim
	clean.Blocks = append([]Block(nil), skim.Blocks...)
	if full := placed(&full); !reflect.DeepEqual(full, clean) {
		t.Fatalf("(-Decode +Skim)\n%s", cmp.Diff(full, clean))
	}
}

func TestSkim(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*/*/projects/*/*.jsonl")
	more, _ := filepath.Glob("../../testdata/cases/*/projects/*/*.jsonl")
	files = append(files, more...)
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	var skim Record
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(b, []byte("\n")) {
			checkSkim(t, line, &skim)
		}
	}
}

func FuzzSkim(f *testing.F) {
	f.Add([]byte(`{"type":"user","uuid":"a","message":{"role":"user","content":[{"type":"text","text":"x"}]},"toolUseResult":{"answers":{}}}`))
	f.Add([]byte(`{"ty\u0070e":"user","type":1,"message":1,"message":{"content":"x"}}`))
	f.Add([]byte(`{"type":"user"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var skim Record
		Skim([]byte(`{"type":"user","isMeta":true,"leafUuid":"x","toolUseResult":{"status":"a"},"message":{"role":"user","content":[{"type":"text"}]}}`), &skim)
		checkSkim(t, b, &skim)
	})
}

// A line that breaks off inside toolUseResult leaves nothing for the next one.
func TestSkimAfterABrokenLine(t *testing.T) {
	var skim Record
	Skim([]byte(`{"type":"user","toolUseResult":{"answers":{"Q":"A"},"response":"x","afkTimeoutMs":5,`), &skim)
	line := `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}`
	checkSkim(t, []byte(line), &skim)
	if why := skim.Opens(false); why != NoOpening {
		t.Errorf("a plain result opens as %d", why)
	}
}

// A key whose text holds a backslash names no field, however it is spelled.
func TestKeysWithBackslash(t *testing.T) {
	var r Record
	for _, line := range []string{`{"ty\\u0070e":"user"}`, `{"\\type":"user"}`} {
		if !Decode([]byte(line), &r) || r.Type != nil {
			t.Errorf("Decode %s: %s", line, r.Type)
		}
		if !Skim([]byte(line), &r) || r.Type != nil {
			t.Errorf("Skim %s: %s", line, r.Type)
		}
	}
	if !Skim([]byte(`{"ty\u0070e":"user"}`), &r) || !r.Type.Is("user") {
		t.Error("an escaped key is not seen")
	}
}
