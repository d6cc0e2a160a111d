package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseFor(t *testing.T) {
	const uuid = "5d0c1f3e-0000-4000-8000-00000000a001"
	for word, want := range map[string]string{
		"12":                  " line 12",
		"@5d0c1f3e:120":       "@5d0c1f3e line 120",
		"@" + uuid + ":7":     "@" + uuid + " line 7",
		"@main:3":             "@main line 3",
		"@a1b2c3d4e5f60718:1": "@a1b2c3d4e5f60718 line 1",
		"@Scout@team:4":       "@Scout@team line 4",
		"/x/y.jsonl:9":        "/x/y.jsonl line 9",
		uuid:                  " uuid " + uuid,
		"u1":                  " uuid u1",
		"msg-or-anything":     " uuid msg-or-anything",
		"0":                   "error",
		"-1":                  "error",
		"1..4":                "error",
		"@5d0c1f3e":           "error",
		"@5d0c1f3e:t4":        "error",
		"@5d0c1f3e:1..4":      "error",
		"@5d0c1f3e:-1":        "error",
		"@5d0c1f3e:4..":       "error",
		uuid + ":7":           "error",
		"@all:1":              "error",
		"@ab:1":               "error",
		"/x/y.jsonl:t9":       "error",
		"@5d0c1f3e:999999999": "@5d0c1f3e line 999999999",
	} {
		r, err := parseFor(word)
		got := "error"
		switch {
		case err != nil:
		case r.uuid != "":
			got = r.file.String() + " uuid " + r.uuid
		default:
			got = r.file.String() + " line " + itoa(r.line)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", word, d)
		}
	}
}
