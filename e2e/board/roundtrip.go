package board

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tries is how many words of a record are searched for before it counts as
// lost: some words of some records are not shown (the tags of a peer message,
// the fixed sentences around an answer, the paths in a notification).
const tries = 60

// Roundtrip searches, in every transcript of the homes, for a word of every
// every-th user or assistant record that has text, takes the address that text
// output prints for it and fetches the record by that.
func Roundtrip(t Tools, every int, homes ...string) (*Report, error) {
	r := &Report{Name: "roundtrip"}
	err := eachTranscript(homes, true, func(home, file string, lines []line) {
		roundtrip(t, r, home, file, lines, every)
	})
	return r, err
}

func roundtrip(t Tools, r *Report, home, file string, lines []line, every int) {
	answers := map[string]map[int]string{} // word -> line -> address
	var fetch []string
	wanted := map[int]line{}
	for i, l := range lines {
		words := wordsOf(l.rec)
		if i%every != 0 || len(words) == 0 {
			continue
		}
		address := ""
		var res Result
		for _, w := range words[:min(tries, len(words))] {
			if answers[w] == nil {
				answers[w], res = addresses(t, home, file, w)
			}
			if address = answers[w][l.n]; address != "" {
				break
			}
		}
		if address == "" && unlabelled(t, home, file, l) {
			r.Good++
			continue
		}
		if address == "" {
			r.check(false, "%s:%d %s: no hit for any of %q (%v)", short(file), l.n, l.rec.Type, words[:min(8, len(words))], res)
			continue
		}
		fetch = append(fetch, address)
		wanted[l.n] = l
	}
	if len(fetch) == 0 {
		return
	}
	slices.Sort(fetch)
	fetch = slices.Compact(fetch)
	res := t.Run(home, "csift-show", append([]string{"--format", "json", "--max-count", "0"}, fetch...)...)
	got, err := rows(res.Out)
	found := map[int]string{}
	for _, x := range got {
		if x.Kind == "record" {
			found[x.Line] = x.UUID
		}
	}
	for n, l := range wanted {
		uuid, ok := found[n]
		r.check(err == nil && res.Code == 0 && ok && uuid == l.rec.UUID,
			"%s:%d is not fetched by its address: %v %v", short(file), n, res, err)
	}
}

// unlabelled reports whether a record has no label, and so is on no search, and show prints it all the same.
func unlabelled(t Tools, home, file string, l line) bool {
	res := t.Run(home, "csift-show", file, "--line", strconv.Itoa(l.n), "--format", "json")
	got, err := rows(res.Out)
	n := 0
	for _, x := range got {
		if x.Kind == "record" {
			if n++; x.Label != nil || x.Unmodeled == "" {
				return false
			}
		}
	}
	return err == nil && n > 0
}

var address = regexp.MustCompile(`^(@\S+):(\d+)\b`)

// addresses searches one transcript for a literal and gives, for each line of
// it that is a hit, the address that the text shows.
func addresses(t Tools, home, file, word string) (map[int]string, Result) {
	res := t.Run(home, "csift-search", "--format", "text", "-F", "--no-subagents", word, file)
	all := map[int]string{}
	for _, l := range strings.Split(string(res.Out), "\n") {
		if m := address.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[2])
			all[n] = m[1] + ":" + m[2]
		}
	}
	return all, res
}

var (
	word = regexp.MustCompile(`[A-Za-z]{3,24}`)
	tag  = regexp.MustCompile(`</?[a-z-]+[^<>]*>`)
)

// wordsOf gives words of the text of a user or assistant record, the longest
// of each block first and then some from all over it, and none for other records.
func wordsOf(rec record) []string {
	if rec.Type != "user" && rec.Type != "assistant" || rec.Message.Role != rec.Type {
		return nil
	}
	var all []string
	add := func(text string) {
		var found []string
		for _, w := range word.FindAllString(tag.ReplaceAllString(text, " "), 2000) {
			if !slices.Contains(found, w) && !slices.Contains(all, w) {
				found = append(found, w)
			}
		}
		longest := slices.Clone(found)
		slices.SortStableFunc(longest, func(a, b string) int { return len(b) - len(a) })
		all = append(all, longest[:min(4, len(longest))]...)
		for i := 0; i < len(found); i += 1 + len(found)/40 {
			if !slices.Contains(all, found[i]) {
				all = append(all, found[i])
			}
		}
	}
	for _, b := range blocks(rec.Message.Content) {
		switch b.Type {
		case "text":
			add(b.Text)
		case "thinking":
			add(b.Thinking)
		case "tool_use":
			add(strings.Join(stringsIn(b.Input), " "))
		case "tool_result":
			for _, inner := range blocks(b.Content) {
				if inner.Type == "text" {
					add(inner.Text)
				}
			}
		}
	}
	return all
}

// stringsIn gives the string values of a JSON value.
func stringsIn(raw json.RawMessage) (all []string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var walk func(any)
	walk = func(v any) {
		switch x := v.(type) {
		case string:
			all = append(all, strings.NewReplacer("\n", " ", "\t", " ", `"`, " ", `\`, " ").Replace(x))
		case []any:
			for _, e := range x {
				walk(e)
			}
		case map[string]any:
			for _, e := range x {
				walk(e)
			}
		}
	}
	walk(v)
	slices.Sort(all) // map order is random
	return all
}

// Fetch asks show for every line of every transcript at once, and for the
// bytes of the first and last few.
func Fetch(t Tools, homes ...string) (*Report, error) {
	r := &Report{Name: "fetch"}
	err := eachTranscript(homes, true, func(home, file string, lines []line) {
		if len(lines) > 0 {
			fetchAll(t, r, home, file, lines)
		}
	})
	return r, err
}

func fetchAll(t Tools, r *Report, home, file string, lines []line) {
	res := t.Run(home, "csift-show", file, "--line", "..", "--max-count", "0", "--format", "json")
	got, err := rows(res.Out)
	seen := map[int]bool{}
	for _, x := range got {
		seen[x.Line] = seen[x.Line] || x.Kind == "record"
	}
	var missing []int
	for _, l := range lines {
		if !seen[l.n] {
			missing = append(missing, l.n)
		}
	}
	r.check(err == nil && len(missing) == 0 && res.Code == 0, "%s: show --line .. misses %d lines %v: %v %v", short(file), len(missing), missing[:min(5, len(missing))], res, err)
	for i, l := range lines {
		if i >= 3 && i < len(lines)-3 {
			continue
		}
		res := t.Run(home, "csift-show", file, "--line", strconv.Itoa(l.n), "--raw")
		r.check(string(res.Out) == string(l.raw)+"\n", "%s:%d --raw gives other bytes: %v", short(file), l.n, res)
	}
}

// Pipes runs list | search | show with rows and with text between the tools:
// what is shown is what is found.
func Pipes(t Tools, homes ...string) (*Report, error) {
	r := &Report{Name: "pipes"}
	for _, home := range homes {
		find := t.Run(home, "csift-search", "[a-z]+", "@all", "-t", "user.message", "--format", "json")
		want := map[string]bool{}
		found, err := rows(find.Out)
		for _, x := range found {
			for _, h := range x.Hits {
				want[h.SessionID+":"+strconv.Itoa(h.Line)] = true
			}
		}
		if err != nil || find.Code != 0 {
			r.check(false, "%s: %v %v", short(home), find, err)
			continue
		}
		for _, format := range []string{"json", "text"} {
			line := fmt.Sprintf("csift-list @all --format %s | csift-search '[a-z]+' -t user.message --format %[1]s | csift-show --max-count 0 --format json", format)
			res := t.Shell(home, line)
			shown, err := rows(res.Out)
			got := map[string]bool{}
			for _, x := range shown {
				if x.Kind == "record" {
					got[x.SessionID+":"+strconv.Itoa(x.Line)] = true
				}
			}
			r.check(err == nil && res.Code == 0 && equal(got, want), "%s as %s: found %d, shown %d: %v %v", filepath.Base(home), format, len(want), len(got), res, err)
		}
	}
	return r, nil
}

func equal(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}
