package board

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Cases searches, in each case below the directories, for each of its needles:
// texts that stand in it however broken it is. A case is a Claude home with a
// case.json that lists them. The notes are the board: one line a needle.
func Cases(t Tools, dirs ...string) (*Report, error) {
	r := &Report{Name: "cases"}
	var files []string
	for _, dir := range dirs {
		more, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no cases below %s", strings.Join(dirs, ", "))
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c struct {
			Needles [][2]any `json:"needles"`
		}
		if err := json.Unmarshal(b, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		home, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		for _, n := range c.Needles {
			needle := fmt.Sprint(n[0])
			got, res := count(t, home, needle)
			state := "found"
			if got < 1 {
				state = "LOST "
			}
			r.note("%s  %-34s %-32q %d exchanges", state, filepath.Base(home), needle, max(got, 0))
			r.check(got >= 1 && res.Code == 0, "%s: %q: %v", filepath.Base(home), needle, res)
		}
	}
	return r, nil
}

// count gives how many exchanges hold a literal, -1 when the tool says no number.
func count(t Tools, home, needle string) (int, Result) {
	res := t.Run(home, "csift-search", "-F", "-c", needle, "@all")
	word, _, _ := bytes.Cut(bytes.TrimSpace(res.Out), []byte(" "))
	n, err := strconv.Atoi(string(word))
	if err != nil {
		return -1, res
	}
	return n, res
}
