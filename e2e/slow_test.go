package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSlowAnswers compares whole answers of every verb with those of the simple path: the searches for many patterns
// are compared in TestSlow.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	all := homes(t, "../testdata/home", "../testdata/versions/2.1.332/agents", "../testdata/versions/2.1.258/autocompact",
		"../testdata/versions/1.0.128/tools", "../testdata/cases/01-torn-line-midfile", "../testdata/cases/04-two-records-one-line",
		"../testdata/versions/2.1.258/clear", "../testdata/versions/1.0.128/session", "../testdata/versions/2.1.332/session", "../testdata/cases/08-bom-crlf", "../testdata/cases/10-odd-content-shapes", "../testdata/cases/29-compaction-replay-in-file")
	if testing.Short() {
		all = all[:2]
	}
	for _, home := range all {
		for _, args := range []string{
			"csift-list @all", "csift-list @all --lineage --format text", "csift-list stats @all",
			"csift-list agents @all --returned-message --with-files", "csift-list agents @all --format text",
			"csift-search . @all --siblings --no-truncate", "csift-search the @all --format text", "csift-search e @all --raw",
			"csift-search e @all --attachments --cross-compactions 0", "csift-search a @all -t harness.bookkeeping.* -t harness.hook --count-by label",
			"csift-search no-such-words-anywhere @all", "csift-search file @all --count-by attachment",
			"csift-search . @all --count-by for-kind --attachments", "csift-search . @all --attachments --for " + aPrompt(t, home),
			"show --line .. --max-count 0", "show --turn .. --format text", "show --line .. --raw", "show --branch-points --format text",
			"csift-recover plan @all", "csift-recover plan @all --format text", "csift-recover plan @all --audit",
			"csift-recover plan --reverse /home/u/.claude/plans/logical-riding-lemur.md",
		} {
			for _, argv := range commandsFor(t, args, home) {
				answer := func(slow string) string {
					cmd := exec.Command(argv[0], argv[1:]...)
					cmd.Env = append(os.Environ(), "CLAUDE_CONFIG_DIR="+home, "TZ=UTC", "CSIFT_FORMAT=", "CSIFT_SLOW="+slow)
					cmd.Stdin = strings.NewReader("")
					var out, errs bytes.Buffer
					cmd.Stdout, cmd.Stderr = &out, &errs
					if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
						t.Fatal(err)
					}
					return out.String() + errs.String()
				}
				if fast, slow := answer(""), answer("1"); fast != slow {
					t.Errorf("%q in %s: the two ways differ\nfast: %.2000s\nslow: %.2000s", argv, home, fast, slow)
				}
			}
		}
	}
}

// aPrompt gives the uuid of the first record of a home that has one and a message of the person.
func aPrompt(t *testing.T, home string) (uuid string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(home, "projects"), func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" || uuid != "" {
			return err
		}
		b, err := os.ReadFile(path)
		for line := range strings.Lines(string(b)) {
			var r struct{ Type, UUID string }
			if json.Unmarshal([]byte(line), &r) == nil && r.Type == "user" && r.UUID != "" {
				uuid = r.UUID
				break
			}
		}
		return err
	})
	if err != nil || uuid == "" {
		t.Fatalf("no prompt in %s: %v", home, err)
	}
	return uuid
}
