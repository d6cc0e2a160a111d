package record

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// plain is a record without what Decode keeps for the next one.
func plain(r *Record) Record {
	c := *r
	c.runs, c.Blocks, c.Members = nil, append([]Block(nil), r.Blocks...), append([]Member(nil), r.Members...)
	return c
}

// checkReused holds a record that is used from line to line against a new one.
func checkReused(t *testing.T, b []byte, r *Record) {
	t.Helper()
	var fresh Record
	want, got := Decode(b, &fresh), Decode(b, r)
	if want != got {
		t.Fatalf("a new record says %v, one that is used again %v: %.200s", want, got, b)
	}
	if !want {
		return
	}
	if w, g := plain(&fresh), plain(r); !reflect.DeepEqual(w, g) {
		t.Fatalf("%.200s\n(-new +used again)\n%s", b, cmp.Diff(w, g, cmpopts.IgnoreUnexported(Record{})))
	}
	for _, s := range []Str{r.CWD, r.SessionID, r.Version, r.GitBranch, r.Entrypoint} {
		if len(s) > 0 && !within(s, b) {
			t.Fatalf("%q is no part of %.200s", s, b)
		}
	}
}

// within reports whether s is part of b, not only like it.
func within(s, b []byte) bool {
	for i := range b {
		if &b[i] == &s[0] {
			return true
		}
	}
	return false
}

func TestDecodeReused(t *testing.T) {
	var r Record
	eachLine(t, func(line []byte) { checkReused(t, line, &r) })
}

// Whatever stands where the line before had a run of members: the record is that of a new one.
func TestDecodeRuns(t *testing.T) {
	runs := []string{
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.0.77","gitBranch":"main"`,
		`"isSidechain":true,"userType":"external","cwd":"/w","sessionId":"s1","version":"2.0.77","gitBranch":"main"`,
		`"isSidechain":false,"userType":"external","cwd":"/w","sessionId":5,"version":23`,
		`"isSidechain":false,"userType":"external","cwd":"/w","cwd":"/x","cwd":null,"version":"1"`,
		`"isSidechain":false,"userType":"external","cwd":"/w","isSidechain":true,"version":"1"`,
		`"userType":"external","entrypoint":"cli","cwd":"/w","sessionId":"s1","version":"2.1.332","gitBranch":"main"`,
		`"userType":"external","entrypoint":"cli","cwd":"/w","sessionId":"s\u0031","version":"","gitBranch":""`,
		`"userType":"external","entrypoint":"cli","c\u0077d":"/w","sessionId":"s1","version":"2"`,
		`"userType" : "external" , "entrypoint" : "cli", "cwd": null, "sessionId": null, "version":"2"`,
		"\"userType\":\"external\",\"entrypoint\":\"cli\",\n\"cwd\":\"/w\",\"sessionId\":\"s1\"",
		`"userType":"external","cwd":{"a":1},"version":[1],"gitBranch":"x"`,
		`"userType":"external"`, `"isSidechain":"no"`,
	}
	fronts := []string{`{`, `{"parentUuid":null,`, `{"sessionId":"before","isSidechain":true,"cwd":"before",`}
	backs := []string{`}`, `,"type":"user"}`, ` ,"uuid":"u"}`, `,"sessionId":"after"}`, `,"isSidechain":true}`, `0}`, `"}`, ``, `,`, ` }`,
		`,"message":{"role":"user","content":[{"type":"text","text":"x"}]},"error":5}`}
	var lines []string
	for _, f := range fronts {
		for _, r := range runs {
			for _, b := range backs {
				lines = append(lines, f+r+b, f+`"type":"user",`+r+b)
			}
		}
	}
	var r Record
	Decode([]byte(`{"message":{"content":[{}]}}`), &r)
	for i, before := range lines {
		for k := i % 17; k < len(lines); k += 17 {
			checkReused(t, []byte(before), &r)
			checkReused(t, []byte(lines[k]), &r)
		}
	}
	for range 2 {
		Decode([]byte(`{`+runs[5]+`}`), &r)
	}
	if got := string(r.runs[1].text); got != `"external","entrypoint":"cli","cwd":"/w","sessionId":"s1","version":"2.1.332","gitBranch":"main"` {
		t.Errorf("the run at the end of a line is not learned: %q", got)
	}
}

func FuzzDecodeReused(f *testing.F) {
	run := `"userType":"external","cwd":"/w","sessionId":"s1","version":"2.1.332"`
	f.Add([]byte(`{`+run+`}`), []byte(`{`+run+`,"cwd":5}`))
	f.Add([]byte(`{"isSidechain":true,`+run+`}`), []byte(`{"isSidechain":true,`+run+`0}`))
	f.Fuzz(func(t *testing.T, before, b []byte) {
		var r Record
		Decode([]byte(`{"message":{"content":[{}]}}`), &r)
		checkReused(t, before, &r)
		checkReused(t, b, &r)
	})
}
