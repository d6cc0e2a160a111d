package recover

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/row"
	"csift/pkg/target"
)

func TestWishesOf(t *testing.T) {
	at := func(kind, transcript, path string) row.Item {
		return row.Item{Kind: kind, Ref: row.Ref{SessionID: "s", Transcript: transcript, Path: path}}
	}
	set := &target.Set{Transcripts: []target.Transcript{{Path: "/p/1.jsonl", AlsoAt: []string{"/q/1.jsonl"}}, {Path: "/p/2.jsonl"}}}
	list, passed := wishesOf([]row.Item{
		at("file", "/p/1.jsonl", "/a.go"),
		at("mutation", "/p/2.jsonl", "/a.go"),
		at("boundary", "/q/1.jsonl", "/b.go"),
		at("session", "/p/1.jsonl", "/p/1.jsonl"),
		at("bucket", "/p/1.jsonl", "/home/u"),
		at("dir", "/p/1.jsonl", "/home/u"),
		at("file", "/p/1.jsonl", "git:commit"),
		at("file", "/p/1.jsonl", "c:/x.go"),
	}, set)
	got := map[string][]string{}
	for _, w := range list {
		for p := range w.from {
			got[w.text] = append(got[w.text], p)
		}
	}
	want := map[string][]string{"/a.go": {"/p/1.jsonl", "/p/2.jsonl"}, "/b.go": {"/p/1.jsonl"}, "c:/x.go": {"/p/1.jsonl"}}
	if diff := cmp.Diff(want, got, cmp.Transformer("set", func(s []string) map[string]bool {
		m := map[string]bool{}
		for _, x := range s {
			m[x] = true
		}
		return m
	})); diff != "" {
		t.Error(diff)
	}
	if passed != 1 {
		t.Errorf("%d rows name no file, want 1: the session", passed)
	}
	if list, passed := wishesOf([]row.Item{at("bucket", "/p/1.jsonl", "/home/u"), at("file", "/p/1.jsonl", "git:commit")}, set); len(list) != 0 || passed != 2 {
		t.Errorf("%v, %d rows name no file, want 2", list, passed)
	}
}

func TestGroupsOf(t *testing.T) {
	join := func(p string) string { return filepath.FromSlash(p) }
	main := func(dir, id string) *part {
		return &part{Transcript: &target.Transcript{Path: join(dir + "/" + id + ".jsonl"), ID: id, ParentID: id}}
	}
	sub := func(path, id, parent string) *part {
		return &part{Transcript: &target.Transcript{Path: join(path), ID: id, ParentID: parent, IsSubagent: true}}
	}
	groups := groupsOf([]*part{
		main("/p", "s1"), sub("/p/s1/subagents/agent-a1.jsonl", "a1", "s1"), sub("/p/s1/subagents/workflows/wf_1/agent-a2.jsonl", "a2", "s1"),
		sub("/p/agent-a3.jsonl", "a3", "s1"),                                // flat, as 2.0.77 wrote them
		main("/q", "s1"),                                                    // a copy of other content
		main("/q", "s2"), sub("/r/s2/subagents/agent-a4.jsonl", "a4", "s2"), // the session lies elsewhere
		sub("/p/gone/subagents/agent-a5.jsonl", "a5", "gone"),
	})
	var got [][]string
	for _, g := range groups {
		ids := []string{g.owner}
		for _, p := range g.parts {
			ids = append(ids, p.ID)
		}
		got = append(got, ids)
	}
	want := [][]string{{"s1", "s1", "a1", "a2", "a3"}, {"s1", "s1"}, {"s2", "s2", "a4"}, {"gone", "a5"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
