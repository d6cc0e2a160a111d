package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// generate gives one session's bytes.
func generate(seed uint64, size int) []byte {
	var b bytes.Buffer
	s := newSession(job{path: "x/11111111-2222-4333-8444-555555555555.jsonl", seed: seed, bytes: size, compact: size / 3, rewinds: true, plant: "Quokkafjord"})
	s.w = &b
	s.run()
	return b.Bytes()
}

func TestSeededAndValid(t *testing.T) {
	types := map[string]int{}
	uuids := map[string]bool{}
	lines, size, rewound := 0, 0, 0
	var last string
	for seed := range uint64(12) {
		b := generate(seed, 1000000)
		if !bytes.Equal(b, generate(seed, 1000000)) {
			t.Fatalf("seed %d gives other bytes the second time", seed)
		}
		if n := bytes.Count(b, []byte("Quokkafjord")); n != 1 {
			t.Errorf("seed %d: the planted word stands %d times", seed, n)
		}
		size += len(b)
		for line := range bytes.Lines(b) {
			var rec struct {
				Type, Subtype, UUID string
				ParentUUID          *string
				Message             struct{ Content any }
			}
			if err := json.Unmarshal(line, &rec); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			lines++
			types[rec.Type]++
			if rec.Subtype == "compact_boundary" {
				types["compact_boundary"]++
			}
			if rec.ParentUUID != nil && !uuids[*rec.ParentUUID] {
				t.Fatalf("parent %s stands on no line above", *rec.ParentUUID)
			}
			if rec.ParentUUID != nil && *rec.ParentUUID != last && rec.Type == "user" {
				rewound++
			}
			if rec.UUID != "" {
				uuids[rec.UUID] = true
				last = rec.UUID
			}
		}
	}
	// The census: 37 % assistant, 30 % progress, 21 % user; 2.5 to 3 KB a line.
	share := func(kind string) int { return 100 * types[kind] / lines }
	if a, p, u := share("assistant"), share("progress"), share("user"); a < 30 || a > 48 || p < 15 || p > 45 || u < 17 || u > 28 {
		t.Errorf("mix: %d%% assistant, %d%% progress, %d%% user", a, p, u)
	}
	if mean := size / lines; mean < 2000 || mean > 3500 {
		t.Errorf("mean line %d bytes", mean)
	}
	if types["compact_boundary"] < 12 || rewound == 0 {
		t.Errorf("%d compactions, %d rewinds", types["compact_boundary"], rewound)
	}
}
