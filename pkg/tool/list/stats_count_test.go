package list

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"csift/pkg/jsonl"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/target"
)

// assistantLine is a record of an answer.
func assistantLine(uuid, id, more string, usage string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"assistant","id":%q,"model":"m",%s"usage":%s}}`,
		uuid, id, more, usage)
}

// accountOf counts a transcript of these bytes.
func accountOf(t testing.TB, b []byte, o statsReader) *account {
	t.Helper()
	o.models = newModels()
	w := o.worker()
	a, err := o.account(context.Background(), &target.Transcript{ID: "x"}, 1, func(_ context.Context, fn func(*statsWorker, jsonl.Chunk)) error {
		if len(b) > 0 {
			fn(w, jsonl.Chunk{B: b, First: true, Last: true})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnswersCountOnce(t *testing.T) {
	const ended, going = `"stop_reason":"end_turn",`, `"stop_reason":null,`
	out := func(n int) string { return fmt.Sprintf(`{"output_tokens":%d}`, n) }
	for _, tc := range []struct {
		name    string
		lines   []string
		want    map[string]tokens
		atLeast bool
	}{
		{"streamed", []string{assistantLine("1", "a", going, out(9)), assistantLine("2", "a", going, out(9)), assistantLine("3", "a", ended, out(159))},
			map[string]tokens{"m": {Output: 159}}, false},
		{"the largest of each number", []string{assistantLine("1", "a", ended, `{"input_tokens":5,"output_tokens":1}`), assistantLine("2", "a", ended, `{"input_tokens":3,"output_tokens":2}`)},
			map[string]tokens{"m": {Input: 5, Output: 2}}, false},
		{"two answers", []string{assistantLine("1", "a", ended, out(1)), assistantLine("2", "b", ended, out(2))}, map[string]tokens{"m": {Output: 3}}, false},
		{"no message id", []string{assistantLine("1", "", ended, out(1)), assistantLine("2", "", ended, out(1))}, map[string]tokens{"m": {Output: 2}}, false},
		{"a replay copy without a message id", []string{assistantLine("1", "", ended, out(1)), assistantLine("1", "", ended, out(1))}, map[string]tokens{"m": {Output: 1}}, false},
		{"an escaped id is the same id", []string{assistantLine("1", "a", ended, out(1)), strings.Replace(assistantLine("2", "a", ended, out(2)), `"a"`, `"\u0061"`, 1)},
			map[string]tokens{"m": {Output: 2}}, false},
		{"joined on one line", []string{assistantLine("1", "a", ended, out(1)) + assistantLine("2", "a", ended, out(2))}, map[string]tokens{"m": {Output: 2}}, false},
		{"interrupted", []string{assistantLine("1", "a", ended, out(1)), assistantLine("2", "b", going, out(1))}, map[string]tokens{"m": {Output: 2}}, true},
		{"stop_reason is missing", []string{assistantLine("1", "a", "", out(1))}, map[string]tokens{"m": {Output: 1}}, true},
		{"the end was written before a late copy", []string{assistantLine("1", "a", ended, out(5)), assistantLine("2", "a", going, out(1))}, map[string]tokens{"m": {Output: 5}}, false},
		{"what the harness says was never an answer", []string{strings.Replace(assistantLine("1", "a", going, out(0)), `"m"`, `"<synthetic>"`, 1)}, map[string]tokens{"<synthetic>": {}}, false},
		{"a usage without numbers", []string{assistantLine("1", "a", ended, `{"output_tokens":"9"}`)}, map[string]tokens{}, false},
		{"no model", []string{strings.Replace(assistantLine("1", "a", ended, out(1)), `"model":"m",`, "", 1)}, map[string]tokens{unnamed: {Output: 1}}, false},
		{"a user's usage is none", []string{strings.Replace(assistantLine("1", "a", ended, out(1)), `"type":"assistant"`, `"type":"user"`, 1)}, map[string]tokens{}, false},
	} {
		a := accountOf(t, []byte(strings.Join(tc.lines, "\n")), statsReader{})
		if diff := cmp.Diff(tc.want, a.bill.row()); diff != "" || a.atLeast != tc.atLeast {
			t.Errorf("%s: at least %v\n%s", tc.name, a.atLeast, diff)
		}
	}
}

func TestEventsOfReplayCopiesCountOnce(t *testing.T) {
	sig := `"signature":"` + signature("narration") + `"`
	other := `"signature":"` + signature("else") + `"`
	plain := `"signature":"` + signature("thinking") + `"`
	answer := assistantLine("1", "a", `"stop_reason":"tool_use","content":[{"type":"thinking","thinking":"x",`+sig+`},{"type":"thinking","thinking":"",`+other+
		`},{"type":"thinking","thinking":"",`+plain+`},{"type":"thinking","thinking":"","signature":"?"},{"type":"tool_use","id":"t","name":"Bash","input":{}},{"type":"tool_use","id":"u"}],`, `{}`)
	summary := `{"type":"user","uuid":"2","isCompactSummary":true,"message":{"role":"user","content":"x"}}`
	a := accountOf(t, []byte(strings.Join([]string{answer, summary, answer, summary}, "\n")), statsReader{})
	if a.assistants != 2 || a.users != 2 || a.lost.Copies != 2 {
		t.Errorf("records %d and %d, %d copies", a.users, a.assistants, a.lost.Copies)
	}
	if a.compactions != 1 || a.unknownTags != 1 {
		t.Errorf("%d compactions, %d unknown tags", a.compactions, a.unknownTags)
	}
	if diff := cmp.Diff(map[string]int64{"Bash": 1, unnamed: 1}, a.tools.row()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"m": 1}, a.narration.row()); diff != "" {
		t.Error(diff)
	}
}

func TestCensus(t *testing.T) {
	user := `{"type":"user","uuid":"%d","message":{"role":"user","content":"x"}}`
	one, two := fmt.Sprintf(user, 1), fmt.Sprintf(user, 2)
	type census struct{ Lines, Skipped, Blank, Joined int }
	for _, tc := range []struct {
		name, in string
		want     census
		types    map[string]int64
	}{
		{"empty", "", census{}, map[string]int64{}},
		{"one line without its end", one, census{Lines: 1}, map[string]int64{"user": 1}},
		{"torn in the middle", one + "\n" + two[:40] + "\n" + two + "\n", census{Lines: 3, Skipped: 1}, map[string]int64{"user": 2}},
		{"a frame with a broken interior", one + "\n{\"type\":}\n", census{Lines: 2, Skipped: 1}, map[string]int64{"user": 1}},
		{"joined", one + two + "\n", census{Lines: 1, Joined: 1}, map[string]int64{"user": 2}},
		{"torn and joined", one[:40] + two + "\n", census{Lines: 1, Skipped: 1, Joined: 1}, map[string]int64{"user": 1}},
		{"blank, NUL, CRLF, byte order mark", "\xef\xbb\xbf" + one + "\r\n\r\n \t\n\x00\x00\n" + two + "\x00", census{Lines: 5, Blank: 3}, map[string]int64{"user": 2}},
		{"no type, a wrong one, an unknown one", `{"a":1}` + "\n" + `{"type":7}` + "\n" + `{"type":"a\"b"}`, census{Lines: 3}, map[string]int64{unnamed: 2, `a"b`: 1}},
		{"no objects", "[1]\n7\n\"x\"\n", census{Lines: 3, Skipped: 3}, map[string]int64{}},
	} {
		a := accountOf(t, []byte(tc.in), statsReader{})
		if diff := cmp.Diff(tc.want, census{a.lines, a.skipped, a.blank, a.joined}); diff != "" {
			t.Errorf("%s:\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.types, a.types.row()); diff != "" {
			t.Errorf("%s:\n%s", tc.name, diff)
		}
		balanced(t, tc.name, a)
	}
}

// balanced checks that every line of a transcript is accounted for.
func balanced(t testing.TB, name string, a *account) {
	t.Helper()
	if int64(a.lines) != a.types.total()+int64(a.skipped+a.blank-a.joined) {
		t.Errorf("%s: %d lines are not %d + %d + %d - %d", name, a.lines, a.types.total(), a.skipped, a.blank, a.joined)
	}
}

func TestWindow(t *testing.T) {
	line := func(role, uuid, parent, at string) string {
		content := `"stop_reason":"end_turn","id":"` + uuid + `","model":"m","usage":{"output_tokens":1},"content":[]`
		if role == "user" {
			content = `"content":"x"`
		}
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%q,"timestamp":%q,"message":{"role":%q,%s}}`, role, uuid, parent, at, role, content)
	}
	text := strings.Join([]string{
		line("user", "1", "", "2026-03-02T09:00:00.000Z"), line("assistant", "2", "1", "2026-03-02T09:00:01.000Z"),
		line("user", "3", "2", "2026-03-02T10:00:00.000Z"), line("assistant", "4", "3", "2026-03-02T10:00:01.000Z"), line("assistant", "5", "4", ""),
		line("user", "6", "5", "2026-03-02T11:00:00.000+01:00"),
	}, "\n")
	type got struct {
		Users, Assistants, Turns int
		Output                   int64
		First, Last              string
	}
	for _, tc := range []struct {
		since, until, turn string
		want               got
	}{
		{"", "", "", got{3, 3, 3, 3, "2026-03-02T09:00:00.000Z", "2026-03-02T10:00:01.000Z"}},
		{"", "", "0", got{1, 1, 1, 1, "2026-03-02T09:00:00.000Z", "2026-03-02T09:00:01.000Z"}},
		{"", "", "1", got{1, 2, 1, 2, "2026-03-02T10:00:00.000Z", "2026-03-02T10:00:01.000Z"}},
		{"", "", "-1", got{1, 0, 1, 0, "2026-03-02T11:00:00.000+01:00", "2026-03-02T11:00:00.000+01:00"}},
		{"", "", "..", got{3, 3, 3, 3, "2026-03-02T09:00:00.000Z", "2026-03-02T10:00:01.000Z"}},
		{"", "", "99", got{}},
		{"2026-03-02T09:00:01Z", "", "", got{2, 2, 3, 2, "2026-03-02T09:00:01.000Z", "2026-03-02T10:00:01.000Z"}},
		{"", "2026-03-02T09:00:01Z", "", got{1, 1, 1, 1, "2026-03-02T09:00:00.000Z", "2026-03-02T09:00:01.000Z"}},
		{"2026-03-02T10:00:01Z", "2026-03-02T09:00:01Z", "", got{}},
		{"2026-03-02T10:00:00Z", "", "1..", got{2, 1, 2, 1, "2026-03-02T10:00:00.000Z", "2026-03-02T10:00:01.000Z"}},
	} {
		window, err := scope.ParseWindow(tc.since, tc.until, tc.turn, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		a := accountOf(t, []byte(text), statsReader{window: window})
		g := got{a.users, a.assistants, a.turns, a.bill.row()["m"].Output, string(a.first.raw), string(a.last.raw)}
		if diff := cmp.Diff(tc.want, g); diff != "" {
			t.Errorf("since %q until %q turn %q:\n%s", tc.since, tc.until, tc.turn, diff)
		}
		if a.lines != 6 || a.types.total() != 6 {
			t.Errorf("a window changes the census: %d %d", a.lines, a.types.total())
		}
	}
}

func TestSharedAnswers(t *testing.T) {
	of := func(lines ...string) *account {
		return accountOf(t, []byte(strings.Join(lines, "\n")), statsReader{})
	}
	const ended = `"stop_reason":"end_turn",`
	all := []*account{
		of(assistantLine("1", "a", ended, `{"output_tokens":10,"input_tokens":1}`), assistantLine("2", "b", ended, `{"output_tokens":5}`)),
		of(assistantLine("3", "a", ended, `{"output_tokens":30}`), assistantLine("4", "", ended, `{"output_tokens":7}`)),
		of(assistantLine("5", "a", ended, `{"output_tokens":20}`), assistantLine("6", "c", ended, `{"output_tokens":2}`)),
	}
	names := &models{names: []string{unnamed, "<synthetic>", "m"}} // as each account has them
	total := sumUp(all, names, 8)
	if diff := cmp.Diff(map[string]tokens{"m": {Output: 74, Input: 1}}, total.bill.row()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]tokens{"m": {Output: 44, Input: 1}}, total.byMessage.row()); diff != "" || total.shared != 1 {
		t.Errorf("%d shared\n%s", total.shared, diff)
	}
}

// TestLargeTranscript reads one that is split into chunks as it reads a small one.
func TestLargeTranscript(t *testing.T) {
	var b bytes.Buffer
	filler := strings.Repeat("x", 3000)
	for i := 0; b.Len() < jsonl.BigFile+1<<20; i++ {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","timestamp":"2026-03-02T09:%02d:00.000Z","message":{"role":"user","content":%q}}`+"\n", i, i%60, filler)
		b.WriteString(assistantLine(fmt.Sprint("a", i), fmt.Sprint("msg", i/3), `"stop_reason":null,`, fmt.Sprintf(`{"output_tokens":%d}`, i)) + "\n")
		if i%100 == 7 {
			b.WriteString("torn\n\n")
		}
	}
	b.WriteString(assistantLine("a1", "msg0", `"stop_reason":null,`, `{"output_tokens":99}`)) // a copy far away
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ts := []target.Transcript{{ID: "x", Path: path}, {ID: "y", Path: path + ".gone"}}
	var want *statsRow
	for _, slow := range []bool{true, false} {
		var done atomic.Int64
		o := &statsReader{slow: slow, models: newModels()}
		accounts, errs := o.read(context.Background(), ts, &done)
		if errs[0] != nil || errs[1] == nil || accounts[1] != nil || done.Load() != 2 {
			t.Fatal(errs)
		}
		got := accounts[0].row()
		if want == nil {
			want = got
		}
		if got, want := string(row.Append(nil, got)), string(row.Append(nil, want)); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	if want.ReplayCopies != 1 || want.SkippedLines == 0 || want.Turns < 700 {
		t.Errorf("%+v", want)
	}
}

// FuzzAccount holds the fast path against the plain one, and every transcript to its balance of lines.
func FuzzAccount(f *testing.F) {
	a := assistantLine("1", "a", `"stop_reason":null,"content":[{"type":"tool_use","name":"Bash"}],`, `{"output_tokens":3}`)
	f.Add([]byte(a + "\n" + a))
	f.Add([]byte(`{"type":"user","message":{"role":"user","content":"x"}}` + a + "\n\n{\n" + a[:60]))
	f.Add([]byte("\xef\xbb\xbf{}\r\n{\"type\":1}\x00\n[]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		fast, slow := accountOf(t, b, statsReader{}), accountOf(t, b, statsReader{slow: true})
		balanced(t, "fast", fast)
		if got, want := row.Append(nil, fast.row()), row.Append(nil, slow.row()); !bytes.Equal(got, want) {
			t.Errorf("fast: %s\nslow: %s", got, want)
		}
	})
}

// signature is one of a thinking block that carries a tag.
func signature(tag string) string {
	field := func(n byte, b []byte) []byte { return append([]byte{n<<3 | 2, byte(len(b))}, b...) }
	return base64.StdEncoding.EncodeToString(field(2, field(1, field(8, []byte(tag)))))
}
