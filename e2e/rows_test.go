package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdRows checks the last stdout as rows:
//
//	rows                        a header, rows, a summary, and nothing else
//	rows exchange 2             exactly two rows of the kind
//	rows record line=3 uuid=$u1 at least one such row
//	rows record 1 line=3        exactly one
//	! rows record line=4        none
//	rows -part record 1         of rows that head or jq cut: no header or summary needed
//	rows -in FILE ...           of a file
//
// A condition is PATH=VALUE, PATH!=VALUE, PATH~REGEXP, +PATH (the key is there)
// or -PATH (it is not). A path goes down with dots: hits.0.line, hits.len=2 (how
// many), hits.*.label=x (of any element). A value that is not JSON is a string.
func cmdRows(ts *testscript.TestScript, neg bool, args []string) {
	file, whole := "stdout", true
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch {
		case args[0] == "-part":
			whole = false
			args = args[1:]
		case args[0] == "-in" && len(args) > 1:
			file = args[1]
			args = args[2:]
		default:
			ts.Fatalf("usage: rows [-part] [-in FILE] [KIND [N] [CONDITION...]]")
		}
	}
	all, err := readRows(ts.ReadFile(file), whole)
	ts.Check(err)
	if len(args) == 0 {
		if neg {
			ts.Fatalf("! rows needs a KIND")
		}
		return
	}
	kind, conds, want := args[0], args[1:], -1
	if len(conds) > 0 {
		if n, err := strconv.Atoi(conds[0]); err == nil {
			want, conds = n, conds[1:]
		}
	}
	if neg {
		if want >= 0 {
			ts.Fatalf("! rows takes no number")
		}
		want = 0
	}
	got := 0
	for _, r := range all {
		if r["kind"] != kind {
			continue
		}
		ok, err := holds(r, conds)
		ts.Check(err)
		if ok {
			got++
		}
	}
	switch {
	case want < 0 && got == 0:
		ts.Fatalf("no %s row with %v", kind, conds)
	case want >= 0 && got != want:
		ts.Fatalf("%d %s rows with %v, want %d", got, kind, conds, want)
	}
}

// readRows reads an envelope and says what is wrong with it.
func readRows(s string, whole bool) ([]map[string]any, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("stdout is not UTF-8")
	}
	if s != "" && !strings.HasSuffix(s, "\n") {
		return nil, fmt.Errorf("the last row does not end: %q", s[max(0, len(s)-80):])
	}
	var all []map[string]any
	for i, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		if s == "" {
			break
		}
		row, err := readRow(l)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w: %.200s", i+1, err, l)
		}
		all = append(all, row)
	}
	if !whole {
		return all, nil
	}
	if len(all) < 2 || all[0]["kind"] != "header" || all[len(all)-1]["kind"] != "summary" {
		return nil, fmt.Errorf("not header, rows, summary: %d rows", len(all))
	}
	if _, ok := all[0]["command"].(string); !ok {
		return nil, fmt.Errorf("the header names no command: %v", all[0])
	}
	for i, r := range all[1 : len(all)-1] {
		if r["kind"] == "header" || r["kind"] == "summary" {
			return nil, fmt.Errorf("row %d is a %v in the middle", i+2, r["kind"])
		}
	}
	return all, nil
}

// readRow reads one row: an object, kind first, no key twice, and whatever
// speaks of a transcript names it in full.
func readRow(line string) (map[string]any, error) {
	dec := json.NewDecoder(strings.NewReader(line))
	if err := noTwins(dec); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one value")
	}
	var row map[string]any
	if err := json.Unmarshal([]byte(line), &row); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(line, `{"kind":"`) {
		return nil, fmt.Errorf("kind does not come first")
	}
	if _, about := row["session_id"]; about {
		for _, k := range []string{"is_subagent", "parent_session_id", "transcript", "path"} {
			if _, ok := row[k]; !ok {
				return nil, fmt.Errorf("session_id without %s", k)
			}
		}
	}
	return row, nil
}

// noTwins reads one value and refuses an object that has a key twice.
func noTwins(dec *json.Decoder) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	switch t {
	case json.Delim('{'):
		seen := map[string]bool{}
		for dec.More() {
			k, err := dec.Token()
			if err != nil {
				return err
			}
			if seen[k.(string)] {
				return fmt.Errorf("key %q twice", k)
			}
			seen[k.(string)] = true
			if err := noTwins(dec); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for dec.More() {
			if err := noTwins(dec); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = dec.Token()
	return err
}

var condition1 = regexp.MustCompile(`(?s)^([\w.*-]+)(!=|=|~)(.*)$`)

// holds reports whether a row meets all conditions.
func holds(row map[string]any, conds []string) (bool, error) {
	for _, c := range conds {
		if c[0] == '+' || c[0] == '-' {
			if (len(find(row, c[1:])) > 0) != (c[0] == '+') {
				return false, nil
			}
			continue
		}
		m := condition1.FindStringSubmatch(c)
		if m == nil {
			return false, fmt.Errorf("not a condition: %s", c)
		}
		ok, err := anyHolds(find(row, m[1]), m[2], m[3])
		if !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func anyHolds(vals []any, op, want string) (bool, error) {
	var parsed any = want
	if json.Valid([]byte(want)) {
		dec := json.NewDecoder(strings.NewReader(want))
		if err := dec.Decode(&parsed); err != nil {
			return false, err
		}
	}
	var re *regexp.Regexp
	if op == "~" {
		var err error
		if re, err = regexp.Compile(want); err != nil {
			return false, err
		}
	}
	for _, v := range vals {
		equal := reflect.DeepEqual(v, parsed) || reflect.DeepEqual(v, any(want))
		switch op {
		case "=":
			if equal {
				return true, nil
			}
		case "!=":
			if !equal {
				return true, nil
			}
		case "~":
			s, isString := v.(string)
			if !isString {
				var b bytes.Buffer
				enc := json.NewEncoder(&b)
				enc.SetEscapeHTML(false)
				if err := enc.Encode(v); err != nil {
					return false, err
				}
				s = strings.TrimSpace(b.String())
			}
			if re.MatchString(s) {
				return true, nil
			}
		}
	}
	return false, nil
}

// find gives the values at a path; none when a key is missing.
func find(v any, path string) []any {
	if path == "" {
		return []any{v}
	}
	key, rest, _ := strings.Cut(path, ".")
	switch x := v.(type) {
	case map[string]any:
		if inner, ok := x[key]; ok {
			return find(inner, rest)
		}
	case []any:
		if key == "len" {
			return []any{float64(len(x))}
		}
		if key == "*" {
			var all []any
			for _, e := range x {
				all = append(all, find(e, rest)...)
			}
			return all
		}
		if i, err := strconv.Atoi(key); err == nil && i < len(x) {
			return find(x[i], rest)
		}
	}
	return nil
}

func TestReadRows(t *testing.T) {
	good := `{"kind":"header","command":"search"}
{"kind":"exchange","session_id":"s","is_subagent":false,"parent_session_id":"s","transcript":"p","path":"p","hits":[{"line":3},{"line":5}],"x":null}
{"kind":"summary"}
`
	all, err := readRows(good, true)
	if err != nil {
		t.Fatal(err)
	}
	for cond, want := range map[string]bool{
		"hits.len=2": true, "hits.0.line=3": true, "hits.*.line=5": true, "hits.*.line=4": false,
		"x=null": true, "+x": true, "-x": false, "-y": true, "+y": false, "session_id=s": true,
		"session_id!=s": false, "session_id~^s$": true, "is_subagent=false": true, "hits~line": true,
	} {
		if got, err := holds(all[1], []string{cond}); got != want || err != nil {
			t.Errorf("%s: %v %v", cond, got, err)
		}
	}
	for what, bad := range map[string]string{
		"no summary":      `{"kind":"header","command":"x"}` + "\n",
		"no newline":      strings.TrimSuffix(good, "\n"),
		"no command":      strings.Replace(good, `,"command":"search"`, "", 1),
		"kind is second":  strings.Replace(good, `{"kind":"summary"`, `{"a":1,"kind":"summary"`, 1),
		"a key twice":     strings.Replace(good, `"x":null`, `"x":null,"x":1`, 1),
		"half an address": strings.Replace(good, `"transcript":"p",`, "", 1),
		"two on a line":   strings.Replace(good, "}\n{\"kind\":\"summary\"", "}{\"kind\":\"summary\"", 1),
		"text":            "scope 2 sessions\n",
		"nothing":         "",
		"not UTF-8":       strings.Replace(good, `"x":null`, "\"x\":\"\xff\"", 1),
	} {
		if _, err := readRows(bad, true); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}
