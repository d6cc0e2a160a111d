package record

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
func checkSkim(t *testing.T, b []byte, skim *Skimmer) {
	t.Helper()
	var full Record
	want, got := Decode(b, &full), skim.Skim(b)
	if want != got {
		t.Fatalf("Decode %v, Skim %v: %.200s", want, got, b)
	}
	if !want {
		return
	}
	clean := skim.Record
	clean.Blocks = append([]Block(nil), clean.Blocks...)
	if full := placed(&full); !reflect.DeepEqual(full, clean) {
		t.Fatalf("(-Decode +Skim)\n%s", cmp.Diff(full, clean, cmpopts.IgnoreUnexported(Record{})))
	}
}

func TestSkim(t *testing.T) {
	var skim Skimmer
	eachLine(t, func(line []byte) { checkSkim(t, line, &skim) })
}

// eachLine calls fn with every line of the transcripts in testdata.
func eachLine(t *testing.T, fn func(line []byte)) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/*/*/*/projects/*/*.jsonl")
	more, _ := filepath.Glob("../../testdata/cases/*/projects/*/*.jsonl")
	if files = append(files, more...); err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(b, []byte("\n")) {
			fn(line)
		}
	}
}

func FuzzSkim(f *testing.F) {
	f.Add([]byte(`{"type":"user","uuid":"a","message":{"role":"user","content":[{"type":"text","text":"x"}]},"toolUseResult":{"answers":{}}}`))
	f.Add([]byte(`{"ty\u0070e":"user","type":1,"message":1,"message":{"content":"x"}}`))
	f.Add([]byte(`{"type":"user"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var skim Skimmer
		skim.Skim([]byte(`{"type":"user","isMeta":true,"leafUuid":"x","toolUseResult":{"status":"a"},"message":{"role":"user","content":[{"type":"text"}]}}`))
		checkSkim(t, b, &skim)
	})
}

// A line that breaks off inside toolUseResult leaves nothing for the next one.
func TestSkimAfterABrokenLine(t *testing.T) {
	var skim Skimmer
	skim.Skim([]byte(`{"type":"user","toolUseResult":{"answers":{"Q":"A"},"response":"x","afkTimeoutMs":5,`))
	line := `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}`
	checkSkim(t, []byte(line), &skim)
	if why := skim.Record.Opens(false); why != NoOpening {
		t.Errorf("a plain result opens as %d", why)
	}
}

// A key whose text holds a backslash names no field, however it is spelled.
func TestKeysWithBackslash(t *testing.T) {
	var r Record
	var skim Skimmer
	for _, line := range []string{`{"ty\\u0070e":"user"}`, `{"\\type":"user"}`} {
		if !Decode([]byte(line), &r) || r.Type != nil {
			t.Errorf("Decode %s: %s", line, r.Type)
		}
		if !skim.Skim([]byte(line)) || skim.Record.Type != nil {
			t.Errorf("Skim %s: %s", line, skim.Record.Type)
		}
	}
	if !skim.Skim([]byte(`{"ty\u0070e":"user"}`)) || !skim.Record.Type.Is("user") {
		t.Error("an escaped key is not seen")
	}
}

// Members that the line before had word for word are not read again: whatever they and their neighbours are, the answer
// is that of Decode.
func TestSkimRepeats(t *testing.T) {
	runs := []string{
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.0.77","gitBranch":"main"`,
		`"isSidechain":true,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.0.77","gitBranch":"main"`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s2","version":"2.0.77","gitBranch":"main"`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":5,"version":2`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":5,"version":23`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"a","sessionId":"b","version":"1"`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"a","isSidechain":true,"version":"1"`,
		`"userType":"external","entrypoint":"cli","cwd":"/w","sessionId":"s1","version":"2.1.332","gitBranch":"main"`,
		`"userType":"external","entrypoint":"cli","cwd":"/w","sessionId":"s\u0031","version":"2.1.332","gitBranch":""`,
		`"userType" : "external" , "entrypoint" : "cli", "cwd": null, "sessionId": null, "version":"2"`,
		`"userType":"external","cwd":{"a":1},"version":[1],"gitBranch":"x"`,
		`"userType":"external"`, `"isSidechain":"no"`,
	}
	fronts := []string{`{`, `{"parentUuid":null,`, `{"sessionId":"before","isSidechain":true,`}
	backs := []string{`}`, `,"type":"user"}`, ` ,"uuid":"u"}`, `,"sessionId":"after"}`, `,"isSidechain":true}`, `0}`, `"}`, ``, `,`, ` }`, `,"message":{"role":"user","content":"x"}}`}
	var lines []string
	for _, f := range fronts {
		for _, r := range runs {
			for _, b := range backs {
				lines = append(lines, f+r+b, f+`"type":"user",`+r+b)
			}
		}
	}
	var skim Skimmer
	for i, before := range lines {
		for k := i % 17; k < len(lines); k += 17 {
			checkSkim(t, []byte(before), &skim)
			checkSkim(t, []byte(lines[k]), &skim)
		}
	}
	for _, run := range runs[:8] {
		if skim.Skim([]byte(`{"a":1}`)); !skim.Skim([]byte(`{` + run + `}`)) {
			t.Errorf("not read: %s", run)
		}
	}
	if got := string(skim.runs[1].text); got != `"external","entrypoint":"cli","cwd":"/w","sessionId":"s1","version":"2.1.332","gitBranch":"main"` {
		t.Errorf("the run at the end of a line is not learned: %q", got)
	}
}

// In front of other bytes an object is a record only when it stands on one line, whatever white space is between its tokens.
func TestObjectOverSeveralLines(t *testing.T) {
	var skim Skimmer
	for line, whole := range map[string]bool{
		"{\"type\" : \"user\",\t\"a\": [ 1 , 2 ] }": true,
		"{\"type\":\"user\",\n\"uuid\":\"a\"}":      false,
		"{\n}":                                      false,
		"{\"a\":[1,\n2]}":                           false,
		"{\"a\"\n:1}":                               false,
		"{\"a\":{\"b\":\n1}}":                       false,
		"{\"userType\":\"external\",\"cwd\":\"/w\",\n\"sessionId\":\"s\",\"version\":\"1\"}": false,
		"{\"userType\":\"external\",\"cwd\":\"/w\",\n\"sessionId\":\"s\",\"version\":\"2\"}": false,
	} {
		for range 3 {
			checkSkim(t, []byte(line), &skim)
			var r Record
			_, skimmed := skim.Prefix([]byte(line))
			if _, decoded := DecodePrefix([]byte(line), &r); skimmed != whole || decoded != whole {
				t.Errorf("%q: %v %v", line, skimmed, decoded)
			}
		}
	}
	if n, ok := skim.Prefix([]byte("{\"type\":\"user\"}\n{\"a\":1}")); !ok || n != 15 {
		t.Error(n, ok)
	}
}
