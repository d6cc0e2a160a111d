package csift_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A layer row says what one package may import of this module and of other
// modules; the standard library is open to all. The list allows, it does not
// demand. why is printed when a package breaks its row.
type layerRow struct {
	layer int
	pkg   string   // below csift/pkg/
	ours  []string // packages of this module, below csift/pkg/
	other []string // prefixes of import paths of other modules
	why   string
}

// layerTable is the map of the packages: bytes -> lines -> records -> turns ->
// rows -> text, each written against the ones below it only. DESIGN.md says
// what each is for. A package that is not here fails the test: give it a row.
var layerTable = []layerRow{
	{0, "addr", nil, nil,
		"the grammar of addresses and ranges touches no file and knows no transcript"},
	{0, "when", nil, nil,
		"the grammar of time needs nothing but a clock and a zone"},
	{0, "excerpt", nil, []string{"golang.org/x/text"},
		"cutting and folding text knows nothing about where the text is from"},
	{0, "label", nil, nil,
		"the taxonomy is pure data: it knows no record"},

	{1, "row", []string{"addr"}, []string{"github.com/segmentio/encoding"},
		"the envelope is shared by all verbs, so it knows none of them"},
	{1, "jsonl", nil, []string{"github.com/edsrzf/mmap-go", "github.com/segmentio/encoding", "golang.org/x/sys/cpu", "golang.org/x/sys/unix"},
		"a file as lines: what a line means is decided above"},
	{1, "stdio", nil, []string{"github.com/mattn/go-isatty"},
		"what the streams are is a fact about the process, not about csift"},

	{2, "record", []string{"jsonl"}, nil,
		"one line as a value, judged by its own bytes alone"},
	{2, "shell", nil, []string{"mvdan.cc/sh/v3"},
		"reading a command line runs nothing and opens nothing"},
	{2, "replay", nil, []string{"github.com/aymanbagabas/go-udiff"},
		"edits on bytes, no input or output"},
	{2, "home", nil, []string{"golang.org/x/text"},
		"paths only: reading what lies there is for others"},

	{3, "chain", []string{"record"}, nil,
		"turns and survival over small structs: no file, so it can be tested as data"},
	{3, "lane", []string{"jsonl", "record", "home"}, nil,
		"which files are subagents and whose"},
	{3, "settings", []string{"home"}, []string{"github.com/segmentio/encoding"},
		"the settings cascade, read side only"},
	{3, "target", []string{"addr", "row", "jsonl", "record", "home", "lane"}, nil,
		"from words and rows to transcripts; what is done with them is the verb's"},

	{4, "transcript", []string{"jsonl", "record", "chain", "home"}, nil,
		"one file opened; it labels and prints nothing"},
	{4, "match", nil, []string{"golang.org/x/sys/cpu"},
		"patterns on bytes: which bytes is decided above"},

	{5, "section", []string{"record", "label", "chain", "lane", "transcript", "excerpt", "jsonl", "when"}, nil,
		"a record as labelled, matchable, renderable parts; which are wanted is decided above"},
	{5, "live", []string{"jsonl", "record", "home", "lane", "transcript"}, nil,
		"the verdict reads, it never writes"},
	{5, "channel", []string{"home", "settings", "row"}, nil,
		"the message sidecar reads no transcript"},

	{6, "scan", []string{"addr", "when", "row", "jsonl", "record", "match", "transcript", "section", "label"}, nil,
		"the only goroutines that read transcripts; prints nothing"},
	{6, "fileops", []string{"transcript", "chain", "replay", "shell", "home", "jsonl", "record", "match", "when"},
		[]string{"github.com/bmatcuk/doublestar/v4"},
		"what a session did to files; restores nothing itself"},
	{6, "text", []string{"row", "excerpt", "when", "label", "target", "section"}, nil,
		"layout for people, knows no verb"},
	{6, "cli", []string{"addr", "row", "stdio"}, []string{"github.com/jessevdk/go-flags"},
		"the command kit knows no verb: a verb is a value handed to it"},

	{7, "scope", []string{"addr", "when", "cli", "row", "target", "chain", "transcript"}, nil,
		"what a verb looks at and the keys that answers share; reads no transcript itself"},

	// Families: anything below, never another family.
	{8, "tool", nil, nil, "a family is one directory below pkg/tool"},
}

// familyWhy is printed when one family of verbs imports another.
const familyWhy = "families meet through rows in a pipe and through packages below them, never by import"

// testOnly are the modules that tests of any package may use.
var testOnly = []string{
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"github.com/creack/pty",
}

// A listed package is what `go list -json` says of one package.
type listed struct {
	ImportPath, Dir, Name, Doc          string
	GoFiles, Imports                    []string
	TestImports, XTestImports, CgoFiles []string
	Standard                            bool
}

// goList runs go list for one system, since imports differ by build constraint.
func goList(t *testing.T, goos string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestLayerTableIsSound(t *testing.T) {
	layer := map[string]int{}
	for _, r := range layerTable {
		layer[r.pkg] = r.layer
	}
	for _, r := range layerTable {
		if r.why == "" {
			t.Errorf("%s: a row needs its reason", r.pkg)
		}
		for _, o := range r.ours {
			at, ok := layer[o]
			if !ok {
				t.Errorf("%s allows %s, which has no row", r.pkg, o)
			} else if at > r.layer {
				t.Errorf("%s (layer %d) allows %s (layer %d): imports go down", r.pkg, r.layer, o, at)
			}
		}
	}
}

func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, p := range goList(t, goos) {
			for _, msg := range judgeImports(p) {
				if !seen[msg] {
					seen[msg] = true
					t.Error(msg)
				}
			}
		}
	}
}

// judgeImports gives one message for each import that p's row does not allow.
func judgeImports(p listed) (bad []string) {
	name, inPkg := strings.CutPrefix(p.ImportPath, "csift/pkg/")
	if !inPkg {
		return nil // cmd wires, scripts and tests at the root may use all
	}
	family := strings.HasPrefix(name, "tool/")
	var row layerRow
	if !family {
		i := slices.IndexFunc(layerTable, func(r layerRow) bool { return r.pkg == name })
		if i < 0 {
			return []string{fmt.Sprintf("pkg/%s has no row in layerTable: say what it may import and why", name)}
		}
		row = layerTable[i]
	}
	for _, imp := range p.Imports {
		ours, isOurs := strings.CutPrefix(imp, "csift/")
		switch {
		case isOurs && !strings.HasPrefix(ours, "pkg/"):
			bad = append(bad, fmt.Sprintf("pkg/%s imports %s: packages never import commands or scripts", name, imp))
		case isOurs && family:
			if strings.HasPrefix(ours, "pkg/tool/") && !strings.HasPrefix(ours, "pkg/"+familyOf(name)) {
				bad = append(bad, fmt.Sprintf("pkg/%s imports %s: %s", name, imp, familyWhy))
			}
		case isOurs:
			if !slices.Contains(row.ours, strings.TrimPrefix(ours, "pkg/")) {
				bad = append(bad, fmt.Sprintf("pkg/%s imports %s: %s", name, imp, row.why))
			}
		case strings.Contains(imp, ".") && !family: // another module
			if !hasPrefix(imp, row.other) {
				bad = append(bad, fmt.Sprintf("pkg/%s imports %s: %s", name, imp, row.why))
			}
		}
	}
	for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
		if strings.Contains(imp, ".") && !hasPrefix(imp, row.other) && !hasPrefix(imp, testOnly) {
			bad = append(bad, fmt.Sprintf("tests of pkg/%s import %s: tests use go-cmp, go-internal and pty", name, imp))
		}
	}
	return bad
}

// familyOf cuts "tool/list/x" to "tool/list".
func familyOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	return strings.Join(parts[:2], "/")
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
