package addr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const uuid = "5d0c1f3e-0000-4000-8000-00000000a001"

func lines(s string) Range { return mustRange(s) }
func turns(s string) Range { return mustRange("t" + s) }

func mustRange(s string) Range {
	r, err := ParseRange(s)
	if err != nil {
		panic(err)
	}
	return r
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		word string
		want Token
	}{
		{"@" + uuid, Token{Kind: Session, ID: uuid}},
		{"@" + strings.ToUpper(uuid), Token{Kind: Session, ID: strings.ToUpper(uuid)}},
		{"@" + uuid + ":120", Token{Kind: Session, ID: uuid, Range: LineAt(120)}},
		{"@" + uuid + ":120..140", Token{Kind: Session, ID: uuid, Range: lines("120..140")}},
		{"@" + uuid + ":t7", Token{Kind: Session, ID: uuid, Range: TurnAt(7)}},
		{"@" + uuid + ":t-3..", Token{Kind: Session, ID: uuid, Range: turns("-3..")}},
		{"@" + uuid + ":..", Token{Kind: Session, ID: uuid, Range: lines("..")}},
		{"@5d0c", Token{Kind: Prefix, ID: "5d0c"}},
		{"@5d0c1f3e", Token{Kind: Prefix, ID: "5d0c1f3e"}},
		{"@5d0c1f3e:90", Token{Kind: Prefix, ID: "5d0c1f3e", Range: LineAt(90)}},
		{"@5d0c1f3e000", Token{Kind: Prefix, ID: "5d0c1f3e000"}},
		{"@5d0c1f3e-", Token{Kind: Prefix, ID: "5d0c1f3e-"}},
		{"@5d0c1f3e-0000-4000-8", Token{Kind: Prefix, ID: "5d0c1f3e-0000-4000-8"}},
		{"@5d0c1f3e0000", Token{Kind: Agent, ID: "5d0c1f3e0000"}},
		{"@a934a94458dd4b828", Token{Kind: Agent, ID: "a934a94458dd4b828"}},
		{"@aScout-bdd061dedd8f0f64", Token{Kind: Agent, ID: "aScout-bdd061dedd8f0f64"}},
		{"@aP1-engine-9cf2f06d6235ca64:t0", Token{Kind: Agent, ID: "aP1-engine-9cf2f06d6235ca64", Range: TurnAt(0)}},
		{"@aprompt_suggestion-9cf2f06d6235ca64", Token{Kind: Agent, ID: "aprompt_suggestion-9cf2f06d6235ca64"}},
		{"@Scout@session-5d0c1f3e", Token{Kind: Teammate, ID: "Scout@session-5d0c1f3e"}},
		{"@Scout@team:3", Token{Kind: Teammate, ID: "Scout@team", Range: LineAt(3)}},
		{"@main", Token{Kind: Main}},
		{"@main:t-1", Token{Kind: Main, Range: turns("-1")}},
		{"@trap:QuietPurpleOtter7392", Token{Kind: Trap, ID: "QuietPurpleOtter7392"}},
		{"@trap:QuietPurpleOtter7392:t0", Token{Kind: Trap, ID: "QuietPurpleOtter7392", Range: TurnAt(0)}},
		{"@all", Token{Kind: All}},
		{"-", Token{Kind: Stdin}},
		{"@-Users-x-proj", Token{Kind: Project, ID: "-Users-x-proj"}},
		{"@C--Users-x", Token{Kind: Project, ID: "C--Users-x"}},
		{"@--server-share", Token{Kind: Project, ID: "--server-share"}},
		{"-Users-x-proj", Token{Kind: EncodedDir, ID: "-Users-x-proj"}},
		{"c--Users-dev-app", Token{Kind: EncodedDir, ID: "c--Users-dev-app"}},
		{"-home-x/sub", Token{Kind: Path, ID: "-home-x/sub"}},
		{"-odd_dir", Token{Kind: Path, ID: "-odd_dir"}},
		{".", Token{Kind: Path, ID: "."}},
		{"~/work", Token{Kind: Path, ID: "~/work"}},
		{`C:\Users\x`, Token{Kind: Path, ID: `C:\Users\x`}},
		{`C:/Users/x:t4`, Token{Kind: Path, ID: `C:/Users/x:t4`}},
		{`\\server\share`, Token{Kind: Path, ID: `\\server\share`}},
		{"cafe", Token{Kind: Path, ID: "cafe"}},
		{"some/" + uuid, Token{Kind: Path, ID: "some/" + uuid}},
		{"./" + uuid, Token{Kind: Path, ID: "./" + uuid}},
		{"dir/" + uuid + ".jsonl", Token{Kind: JSONLPath, ID: "dir/" + uuid + ".jsonl"}},
		{uuid + ".jsonl:90", Token{Kind: JSONLPath, ID: uuid + ".jsonl", Range: LineAt(90)}},
		{`C:\x\notes.jsonl`, Token{Kind: JSONLPath, ID: `C:\x\notes.jsonl`}},
		{`C:\x\notes.jsonl:t4`, Token{Kind: JSONLPath, ID: `C:\x\notes.jsonl`, Range: TurnAt(4)}},
		{"@/tmp/my notes.jsonl:90", Token{Kind: JSONLPath, ID: "/tmp/my notes.jsonl", Range: LineAt(90)}},
		{`@C:\x\notes.jsonl`, Token{Kind: JSONLPath, ID: `C:\x\notes.jsonl`}},
	} {
		got, err := Parse(c.word)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.word, err)
			continue
		}
		c.want.Text = c.word
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(Spec{}, edge{})); d != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", c.word, d)
		}
		again, err := Parse(got.String())
		if again.Text = got.Text; err != nil || again != got {
			t.Errorf("Parse(%q) = %+v, %v; printed from %+v", got.String(), again, err, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"", "empty target"},
		{"@", "@<agent-id>"},
		{"@a", "too short"},
		{"@ab", "too short"},
		{"@abc", "4 to 11"},
		{"@zz", "@trap:<marker>"},
		{"@Main", "no address"},
		{"@some/path", "no address"},
		{"@5d0c-1", "no address"},
		{"@notes.jsonl", "no address"},
		{"@/tmp/a.jsonl:5:6", "no address"},
		{"@/tmp/a.jsonl:5-6", "5..6"},
		{"@/tmp/dir", "no address"},
		{"@@team", "no address"},
		{"@Name@", "no address"},
		{"@a@b@c", "no address"},
		{"@all:3", "one transcript"},
		{"@-Users-x:3", "one transcript"},
		{"@5d0c1f3e:", "none of N"},
		{"@5d0c1f3e:t", "none of N"},
		{"@5d0c1f3e:3-5", "3..5"},
		{"@5d0c1f3e:t3-5", "3..5"},
		{"@5d0c1f3e:0", "starts at 1"},
		{"@5d0c1f3e:9..3", "3..9"},
		{"@5d0c1f3e:L90", "90"},
		{"@5d0c1f3e:3,5", "none of N"},
		{"--turns", "looks like a flag"},
		{"--server-share", "@--server-share"},
		{uuid, "@" + uuid},
		{uuid + ":t4", "@" + uuid + ":t4"},
		{"a934a94458dd4b828", "@a934a94458dd4b828"},
		{"aScout-bdd061dedd8f0f64", "./aScout-bdd061dedd8f0f64"},
	} {
		_, err := Parse(c.word)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q) error = %v, want one with %q", c.word, err, c.want)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("Parse(%q): the error has several lines: %v", c.word, err)
		}
	}
}

func TestCheckMarker(t *testing.T) {
	for _, ok := range []string{"QuietPurpleOtter7392", "AbcDefGhi1236", "BrassKettleMoon9870", "OneTwoSix8001"} {
		if err := CheckMarker(ok); err != nil {
			t.Errorf("CheckMarker(%q): %v", ok, err)
		}
	}
	for _, c := range []struct{ marker, want string }{
		{"JollyShinyBrook4283", "example"},
		{"", "words"},
		{"QuietOtter7392", "2 words"},
		{"OneTwoSixTen7392", "4 words"},
		{"QuietPurpleHTML7392", "capital"},
		{"QuietPurpleOt7392", "capital"},
		{"quietPurpleOtter7392", "words"},
		{"QuietPurpleOtter739", "4 digits"},
		{"QuietPurpleOtter73921", "4 digits"},
		{"QuietPurpleOtter-392", "4 digits"},
		{"QuietPurpleOtter0000", "simple"},
		{"QuietPurpleOtter1234", "simple"},
		{"QuietPurpleOtter9876", "simple"},
		{"QuietPurpleOtter1357", "simple"},
		{"QuietPurpleOtter2468", "simple"},
		{"QuietPurpleOtter8642", "simple"},
	} {
		if err := CheckMarker(c.marker); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("CheckMarker(%q) = %v, want an error with %q", c.marker, err, c.want)
		}
	}
}

func TestTokenMatchesIDs(t *testing.T) {
	for _, c := range []struct {
		word, id   string
		is, begins bool
	}{
		{"@" + uuid, uuid, true, true},
		{"@" + strings.ToUpper(uuid), uuid, true, true},
		{"@5d0c1f3e", uuid, false, true},
		{"@5D0C", uuid, false, true},
		{"@5d0c1f3e0", uuid, false, true},
		{"@5d0c1f3e1", uuid, false, false},
		{"@5d0c1f3e-0000", uuid, false, true},
		{"@5d0c1f3e0000", uuid, false, false}, // twelve digits: an agent
		{"@af629dd", "af629dd", true, true},
		{"@a934", "a934a94458dd4b828", false, true},
		{"@a934a94458dd", "a934a94458dd4b828", false, true},
		{"@aScout-bdd061dedd8f0f64", "aScout-bdd061dedd8f0f64", true, true},
		{"@aScout-bdd061dedd8f0f64", "ascout-bdd061dedd8f0f64", false, true},
		{"@all", uuid, false, false},
		{"@main", uuid, false, false},
	} {
		tok, err := Parse(c.word)
		if err != nil {
			t.Fatal(err)
		}
		if tok.Is(c.id) != c.is || tok.Begins(c.id) != c.begins {
			t.Errorf("%s against %s: Is %v, Begins %v; want %v, %v", c.word, c.id, tok.Is(c.id), tok.Begins(c.id), c.is, c.begins)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"@" + uuid + ":t-3..", "@5d0c1f3e:1..2", "@trap:QuietPurpleOtter7392", "@a@b:4", "a.jsonl:..-2",
		"@/x y.jsonl:5", `C:\x.jsonl:5`, "-Users-x", "C--x", "@--s", "-", ".", "@/.jsonl:5:6", "@all"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		tok, err := Parse(word)
		if err != nil {
			return
		}
		if strings.HasPrefix(word, "@") && (tok.Kind == Path || tok.Kind == EncodedDir) {
			t.Fatalf("Parse(%q) took an @ word for a path: %+v", word, tok)
		}
		again, err := Parse(tok.String())
		if err != nil {
			t.Fatalf("Parse(%q) of Parse(%q): %v", tok.String(), word, err)
		}
		if again.Text = tok.Text; again != tok {
			t.Fatalf("Parse(%q) = %+v, printed from %+v", tok.String(), again, tok)
		}
	})
}
