package board

import (
	"fmt"
	"slices"
	"strings"
)

// Account counts, in every transcript of the homes, the records that a search
// of all labels finds and those that show has no label for: together they are
// the whole records that stats counts. It also compares the turns of stats with
// those of a census over what every search reads.
func Account(t Tools, homes ...string) (*Report, error) {
	r := &Report{Name: "account"}
	shapes := map[string]int{}
	for _, home := range homes {
		files, err := Transcripts(home, true)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			account(t, r, home, file, shapes)
		}
	}
	var all []string
	for s, n := range shapes {
		all = append(all, fmt.Sprintf("%4d  %s", n, s))
	}
	slices.SortFunc(all, func(a, b string) int { return strings.Compare(b, a) })
	for _, s := range all {
		r.note("no label: %s", s)
	}
	return r, nil
}

func account(t Tools, r *Report, home, file string, shapes map[string]int) {
	ask := func(tool string, args ...string) []row {
		res := t.Run(home, tool, append(args, "--format", "json")...)
		got, err := rows(res.Out)
		if err != nil || len(got) == 0 {
			r.check(false, "%s: %s %q: %v %v", short(file), tool, args, res, err)
			return nil
		}
		return got
	}
	stats := ask("csift-list", "stats", file, "--no-subagents")
	i := slices.IndexFunc(stats, func(x row) bool { return x.Kind == "session" })
	if i < 0 {
		return
	}
	total := 0
	for _, n := range stats[i].LineTypes {
		total += n
	}
	if total == 0 {
		return // nothing to account for
	}
	labels := ask("csift-search", "", file, "--no-subagents", "-t", "user.*", "-t", "agent.*", "-t", "harness.*", "--count-by", "label")
	turns := ask("csift-search", "", file, "--no-subagents", "--count-by", "turn")
	shown := ask("csift-show", file, "--line", "..", "--max-count", "0")
	if labels == nil || turns == nil || shown == nil {
		return
	}
	type record struct {
		line int
		uuid string
	}
	named, unnamed := map[record]bool{}, map[record]string{}
	for _, x := range shown {
		if x.Kind != "record" {
			continue
		}
		if k := (record{x.Line, x.UUID}); x.Label != nil {
			named[k] = true
		} else {
			unnamed[k] = x.Unmodeled
		}
	}
	bare := 0
	for k, shape := range unnamed {
		if !named[k] {
			bare++
			shapes[shape]++
		}
	}
	matched := labels[len(labels)-1].MatchedRecords
	r.check(matched+bare == total, "%s: %d records, %d of some label and %d of none", short(file), total, matched, bare)
	n := 0
	for _, x := range turns {
		if x.Kind == "census" {
			n++
		}
	}
	// A file without a prompt is one turn, even where no search reads its lines unasked.
	r.check(n == stats[i].Turns || n == 0 && stats[i].Turns == 1, "%s: stats says %d turns, a census of turns %d", short(file), stats[i].Turns, n)
}
