package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"csift/e2e/specimen"
)

const keysGolden = "../testdata/keys.golden"

// open are the members whose keys are data, not names.
var open = map[string]bool{
	"by_label": true, "by_status": true, "compact_metadata": true, "events": true,
	"line_types": true, "tokens": true, "tokens_by_message": true, "narration_blocks": true, "tools": true,
}

// A shape is what was seen of the objects at one place of a row.
type keyShape struct {
	order keyOrder
	seen  map[string]*keySeen
	n     int
}

type keySeen struct {
	n     int
	types map[string]bool
	inner *keyShape // of an object, or of the objects in an array
}

func (s *keyShape) add(dec *json.Decoder) error {
	if s.seen == nil {
		s.seen = map[string]*keySeen{}
	}
	s.n++
	last := ""
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		key := t.(string)
		k := s.seen[key]
		if k == nil {
			k = &keySeen{types: map[string]bool{}}
			s.seen[key] = k
		}
		s.order.follow(last, key)
		last = key
		k.n++
		if err := k.value(key, dec); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

func (k *keySeen) value(key string, dec *json.Decoder) error {
	if open[key] {
		var v any
		if err := dec.Decode(&v); err != nil {
			return err
		}
		if v == nil {
			k.types["null"] = true
		} else {
			k.types["object of anything"] = true
		}
		return nil
	}
	t, err := dec.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			k.types["object"] = true
			if k.inner == nil {
				k.inner = &keyShape{}
			}
			return k.inner.add(dec)
		}
		k.types["array"] = true
		for dec.More() {
			if k.inner == nil {
				k.inner = &keyShape{}
			}
			t, err := dec.Token()
			if err != nil {
				return err
			}
			if t == json.Delim('{') {
				if err := k.inner.add(dec); err != nil {
					return err
				}
				continue
			}
			if t == json.Delim('[') { // a range of lines
				k.types["array of array"] = true
				for dec.More() {
					var v any
					if err := dec.Decode(&v); err != nil {
						return err
					}
				}
				if _, err := dec.Token(); err != nil {
					return err
				}
				continue
			}
			k.types["array of "+typeOf(t)] = true
		}
		_, err := dec.Token()
		return err
	default:
		k.types[typeOf(t)] = true
	}
	return nil
}

func typeOf(t json.Token) string {
	switch t.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case float64, json.Number:
		return "number"
	case nil:
		return "null"
	}
	return fmt.Sprintf("%v", t)
}

// print writes a line a key: its name, the types seen, and "may be absent".
func (s *keyShape) print(b *strings.Builder, indent string) {
	keys, odd := s.order.sorted()
	if odd != "" {
		fmt.Fprintf(b, "%s%s has no one place\n", indent, odd)
	}
	for _, key := range keys {
		k := s.seen[key]
		var types []string
		for t := range k.types {
			if t == "array" && len(k.types) > 1 && (k.types["array of string"] || k.types["array of number"] || k.types["array of array"]) {
				continue
			}
			types = append(types, t)
		}
		slices.Sort(types)
		fmt.Fprintf(b, "%s%s: %s", indent, key, strings.Join(types, " | "))
		if k.n < s.n {
			b.WriteString(" (may be absent)")
		}
		b.WriteByte('\n')
		if k.inner != nil {
			k.inner.print(b, indent+"  ")
		}
	}
}

// TestKeys pins the keys of every verb's rows, their order and what they may hold, as seen over the sample home and the
// transcripts of testdata. A key that is gone, moved or new is a change for every reader of the rows.
func TestKeys(t *testing.T) {
	t.Parallel()
	runs := []struct{ title, args string }{
		{"list", "csift-list @all"},
		{"list --lineage", "csift-list @all --lineage"},
		{"agents --returned-message --with-files", "csift-list agents @all --returned-message --with-files"},
		{"stats", "csift-list stats @all"},
		{"search", "csift-search . @all"},
		{"search --siblings --no-truncate", "csift-search the @all --siblings --no-truncate"},
		{"search without a match", "csift-search no-such-words-anywhere @all -t user -t harness.bookkeeping"},
		{"search -l", "csift-search the @all -l --format json"},
		{"search -c", "csift-search the @all -c --format json"},
		{"search -c --resolve-persisted", "csift-search the @all -c --resolve-persisted --format json"},
		{"search --count-by", "csift-search the @all --count-by label --format json"},
		{"show --line", "show --line .. --max-count 400"},
		{"show --turn", "show --turn .. --max-count 5"},
		{"show of several", "csift-show -"},
		{"show --branch-points", "csift-show --branch-points -"},
		{"files", "csift-recover files @all"},
		{"files --by dir", "csift-recover files @all --by dir"},
		{"files --by file", "csift-recover files @all --by file"},
		{"files --by timeline", "csift-recover files @all --by timeline"},
		{"recover", "csift-recover @all --file calc.py --format json"},
		{"recover of what is known in part", "csift-recover @all --file footer.html --format json"},
		{"recover --salvage", "csift-recover @all --file README.md --salvage"},
		{"recover --at of what is known in part", "csift-recover @all --file footer.html --at @latest"},
		{"recover --patches", "csift-recover @all --file README.md --patches"},
		{"recover --coverage", "csift-recover @all --file README.md --coverage"},
		{"recover --list-backups", "csift-recover @all --file /home/u/clear/app/README.md --list-backups"},
		{"plan", "csift-recover plan @all"},
		{"plan --reverse", "csift-recover plan --reverse /home/u/.claude/plans/calm.md"},
		{"plan --audit", "csift-recover plan @all --audit"},
	}
	all := homes(t, "../testdata/home", "../testdata/versions", "../testdata/cases/07-invalid-utf8-bytes", "../testdata/cases/10-odd-content-shapes",
		"../testdata/cases/19-orphan-subagents", "../testdata/cases/29-compaction-replay-in-file", "../testdata/cases/41-auq-answer",
		"../testdata/cases/47-image-base64", "../testdata/cases/01-torn-line-midfile")
	all = append(all, specimenHome(t, "../testdata/plans.txt"), specimenHome(t, "../testdata/files.txt"))
	if testing.Short() {
		all = all[:1]
	}
	var b strings.Builder
	for _, run := range runs {
		kinds := map[string]*keyShape{}
		var order []string
		for _, home := range all {
			for _, argv := range commandsFor(t, run.args, home) {
				for _, line := range rowsOf(t, home, argv) {
					dec := json.NewDecoder(strings.NewReader(line))
					dec.Token()
					var kind struct{ Kind string }
					if err := json.Unmarshal([]byte(line), &kind); err != nil {
						t.Fatal(err)
					}
					if kinds[kind.Kind] == nil {
						kinds[kind.Kind] = &keyShape{}
						order = append(order, kind.Kind)
					}
					if err := kinds[kind.Kind].add(dec); err != nil {
						t.Fatalf("%q: %v", argv, err)
					}
				}
			}
		}
		for _, kind := range order {
			fmt.Fprintf(&b, "%s: %s\n", run.title, kind)
			kinds[kind].print(&b, "  ")
			b.WriteByte('\n')
		}
	}
	if testing.Short() {
		return
	}
	if os.Getenv("CSIFT_GOLDEN") == "update" {
		if err := os.WriteFile(keysGolden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(keysGolden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the keys changed; CSIFT_GOLDEN=update go test -run TestKeys ./e2e writes %s anew:\n%s", keysGolden, diff)
	}
}

// specimenHome writes what a notation describes and gives the home.
func specimenHome(t *testing.T, notation string) string {
	t.Helper()
	text, err := os.ReadFile(notation)
	if err != nil {
		t.Fatal(err)
	}
	h, err := specimen.Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", notation, err)
	}
	dir := t.TempDir()
	if err := h.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// commandsFor gives the command lines of a run over a home: show takes one transcript at a time, the first few of them.
func commandsFor(t *testing.T, args, home string) [][]string {
	words := strings.Fields(args)
	if words[0] != "show" {
		return [][]string{words}
	}
	var all [][]string
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" || filepath.Base(path) == "journal.jsonl" || len(all) == 2 {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 {
			return err
		}
		all = append(all, append([]string{"csift-show", path}, words[1:]...))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// rowsOf runs a tool into a pipe; "-" reads the records that a search finds.
func rowsOf(t *testing.T, home string, argv []string) []string {
	t.Helper()
	run := func(argv []string, in string) string {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "CLAUDE_CONFIG_DIR="+home, "TZ=UTC", "CSIFT_FORMAT=")
		cmd.Stdin = strings.NewReader(in)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if out.Len() == 0 {
			t.Fatalf("%q says nothing: %s", argv, errs.String())
		}
		return out.String()
	}
	in := ""
	if argv[len(argv)-1] == "-" {
		in = run([]string{"csift-search", "a", "@all", "--max-count", "20"}, "")
	}
	out := run(argv, in)
	if _, err := readRows(out, true); err != nil {
		t.Fatalf("%q: %v", argv, err)
	}
	return strings.Split(strings.TrimSuffix(out, "\n"), "\n")
}
