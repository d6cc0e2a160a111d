package addr

import (
	"strings"
	"testing"
)

func TestLeadingAddress(t *testing.T) {
	for _, c := range []struct {
		line, token, rest string
		ok                bool
	}{
		{"@5d0c1f3e:90  ▸ agent.message.plain  L90  text", "@5d0c1f3e:90", "▸ agent.message.plain  L90  text", true},
		{"@5d0c1f3e:t4  2026-03-02 09:12:05.478 UTC(UTC+0)", "@5d0c1f3e:t4", "2026-03-02 09:12:05.478 UTC(UTC+0)", true},
		{"@" + uuid, "@" + uuid, "", true},
		{"@5d0c1f3e:t4\r\n", "@5d0c1f3e:t4", "", true},
		{"@aScout-bdd061dedd8f0f64:3 x", "@aScout-bdd061dedd8f0f64:3", "x", true},
		{"@af629dd:3 an id of 2.0.77", "@af629dd:3", "an id of 2.0.77", true},
		{"@main", "@main", "", true},
		{"@all", "@all", "", true},
		{"@-Users-x-proj", "@-Users-x-proj", "", true},
		{uuid, "@" + uuid, "", true},
		{uuid + ":12", "@" + uuid + ":12", "", true},
		{"a934a94458dd4b828", "@a934a94458dd4b828", "", true},
		{"af629dd", "@af629dd", "", true},
		{"@/tmp/my notes.jsonl:90  ▸ text", "/tmp/my notes.jsonl:90", "▸ text", true},
		{"@/tmp/a.jsonl.d/b.jsonl  x", "/tmp/a.jsonl.d/b.jsonl", "x", true},
		{"@/tmp/my notes.jsonl", "/tmp/my notes.jsonl", "", true},
		{`@C:\x\my notes.jsonl:t2 x`, `C:\x\my notes.jsonl:t2`, "x", true},

		{"", "", "", false},
		{"   ", "", "", false},
		{"  @5d0c1f3e:90 indented is a body", "", "", false},
		{"@face the music", "", "", false},
		{"@all hands", "", "", false},
		{"@main is a branch", "", "", false},
		{"@Scout@team says", "", "", false},
		{"@override", "", "", false},
		{"@5d0c1f3e:9..3 x", "", "", false},
		{"cafe", "", "", false},
		{uuid + " and more", "", "", false},
		{"src/main.go:12: x", "", "", false},
		{"matched 2 exchanges", "", "", false},
		{"-Users-x-proj", "", "", false},
		{"some.jsonl", "", "", false},
	} {
		tok, rest, ok := LeadingAddress(c.line)
		got := ""
		if ok {
			got = tok.String()
		}
		if got != c.token || rest != c.rest || ok != c.ok {
			t.Errorf("LeadingAddress(%q) = %q, %q, %v; want %q, %q, %v", c.line, got, rest, ok, c.token, c.rest, c.ok)
		}
	}
}

func TestPrintedAddresses(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Line("5d0c1f3e", 120), "@5d0c1f3e:120"},
		{Turn("5d0c1f3e", 4), "@5d0c1f3e:t4"},
		{Line(For(uuid, "/p/"+uuid+".jsonl"), 1), "@" + uuid + ":1"},
		{Line(For("my notes", "/tmp/my notes.jsonl"), 90), "@/tmp/my notes.jsonl:90"},
		{Turn(For("notes", `C:\x\notes.jsonl`), 0), `@C:\x\notes.jsonl:t0`},
		{Short(uuid, 8), "5d0c1f3e"},
		{Short(uuid, 12), "5d0c1f3e-000"},
		{Short(uuid, 99), uuid},
		{Short("a934a94458dd4b828", 8), "a934a944"},
		{Short("af629dd", 8), "af629dd"},
		{Short("aScout-bdd061dedd8f0f64", 8), "aScout-bdd061dedd8f0f64"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Every address that is printed for a transcript reads back as one that finds it.
func TestPrintedAddressReadsBack(t *testing.T) {
	for _, id := range []string{uuid, "a934a94458dd4b828", "af629dd", "1a2b3c4d", "aScout-bdd061dedd8f0f64", "aprompt_suggestion-9cf2f06d6235ca64"} {
		for n := minPrefix; n <= len(id); n++ {
			tok, _, ok := LeadingAddress(Line(Short(id, max(n, 8)), 7) + "  text")
			if !ok || !tok.Begins(id) || tok.Range != LineAt(7) {
				t.Errorf("%s at length %d: %+v, %v", id, n, tok, ok)
			}
		}
	}
	tok, _, ok := LeadingAddress(Line(For("x y", "/a b/x y.jsonl"), 7) + "  text")
	if !ok || tok.ID != "/a b/x y.jsonl" || tok.Range != LineAt(7) {
		t.Errorf("a path address: %+v, %v", tok, ok)
	}
}

func TestParseID(t *testing.T) {
	for _, word := range []string{uuid, "@" + uuid, "5d0c", "@5d0c", "a934a94458dd4b828", uuid + ":4"} {
		tok, err := ParseID(word)
		if err != nil || tok.Text != word || tok.Kind == Path {
			t.Errorf("ParseID(%q) = %+v, %v", word, tok, err)
		}
	}
	if _, err := ParseID("@zz"); err == nil {
		t.Error("ParseID(@zz) gave no error")
	}
}

func TestSeveral(t *testing.T) {
	for line, want := range map[string]string{
		"@5d0c1f3e:7 @5d0c":                 "@5d0c1f3e:7 @5d0c",
		"@5d0c1f3e:7\t @a934a94458dd4b828 ": "@5d0c1f3e:7 @a934a94458dd4b828",
		"@/a b/x.jsonl:t4 @/c @.jsonl":      "/a b/x.jsonl:t4 /c @.jsonl",
		"@5d0c1f3e:7":                       "", "@5d0c1f3e:7 ": "", "@5d0c1f3e:7 5d0c1f3e:9": "", "@5d0c1f3e:7 @x y": "", "@5d0c1f3e:7 @5d0c1f3e:9 of": "", "5d0c1f3e @5d0c1f3e": "", "": "",
	} {
		var words []string
		for _, tok := range Several(line) {
			words = append(words, tok.String())
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestAlone(t *testing.T) {
	for rest, want := range map[string]bool{"": true, "--uuid u7": true, "--uuid": false, "--uuid u7 x": false, "2026": false, "--uuid a/b": false} {
		if Alone(rest) != want {
			t.Errorf("%q: %v", rest, !want)
		}
	}
}

func FuzzLeadingAddress(f *testing.F) {
	f.Add("@5d0c1f3e:90  text")
	f.Add("@/tmp/x y.jsonl:3 z")
	f.Fuzz(func(t *testing.T, line string) {
		tok, _, ok := LeadingAddress(line)
		if ok && tok.Kind == Path {
			t.Fatalf("LeadingAddress(%q) = %+v", line, tok)
		}
	})
}

func TestRecordAddress(t *testing.T) {
	for _, c := range []struct {
		uuid, want string
		ok         bool
	}{
		{uuid, "@5d0c1f3e --uuid " + uuid, true},
		{"toolu_01GEF", "@5d0c1f3e --uuid toolu_01GEF", true},
		{"", "", false},
		{"two words", "", false},
		{"-x", "", false},
		{"a\x1b[2J", "", false},
		{"é", "", false},
	} {
		got, ok := Record("5d0c1f3e", c.uuid)
		if got != c.want || ok != c.ok {
			t.Errorf("%q: %q, %v", c.uuid, got, ok)
		}
		if !ok {
			continue
		}
		tok, rest, is := LeadingAddress(got + "  ▸ text --uuid other")
		if !is || tok.String() != "@5d0c1f3e" || CutUUID(rest) != c.uuid {
			t.Errorf("%q reads back as %v %q %v", got, tok, CutUUID(rest), is)
		}
	}
	for _, rest := range []string{"", "--uuid", "--uuid ", "--uuid  x", "▸ --uuid x", "--uuids x", "--uuid a/b"} {
		if got := CutUUID(rest); got != "" {
			t.Errorf("%q gives %q", rest, got)
		}
	}
}

func TestAmong(t *testing.T) {
	for uuid, want := range map[string]string{"7c": "@5d0c1f3e:3 --uuid 7c", "": "@5d0c1f3e:3", "a b": "@5d0c1f3e:3"} {
		got := Among("5d0c1f3e", 3, uuid)
		tok, rest, ok := LeadingAddress(got + "  ▸ text --uuid other")
		if got != want || !ok || tok.String() != "@5d0c1f3e:3" || want != "@5d0c1f3e:3" && CutUUID(rest) != uuid {
			t.Errorf("%q: %q reads back as %v %q", uuid, got, tok, CutUUID(rest))
		}
	}
}
