package show

import (
	"slices"
	"strconv"
	"strings"
)

// mostSpans is how many runs of lines a command names before it names all from the first to the last.
const mostSpans = 40

// drop notes that the cap kept back something of a line.
func (x *fetched) drop(line int32) {
	n := int(line)
	if k := len(x.rest) - 1; k >= 0 && n >= x.rest[k].lo && n <= x.rest[k].hi+1 {
		x.rest[k].hi = max(x.rest[k].hi, n)
		return
	}
	x.rest = append(x.rest, span{n, n})
}

// dropDialog notes that the cap kept back something of a dialog.
func (x *fetched) dropDialog(id string) {
	if x.restSeen[id] {
		return
	}
	if x.restSeen == nil {
		x.restSeen = map[string]bool{}
	}
	x.restSeen[id] = true
	x.restIDs = append(x.restIDs, id)
}

// restSpec gives the lines that the cap kept back as --line takes them.
func (x *fetched) restSpec() string {
	runs := joined(x.rest)
	if len(runs) > mostSpans {
		runs = []span{{runs[0].lo, runs[len(runs)-1].hi}}
	}
	var words []string
	for _, s := range runs {
		word := strconv.Itoa(s.lo)
		if s.hi > s.lo {
			word += ".." + strconv.Itoa(s.hi)
		}
		words = append(words, word)
	}
	return strings.Join(words, ",")
}

// joined gives runs in order, those that meet as one.
func joined(all []span) []span {
	slices.SortFunc(all, func(a, b span) int { return a.lo - b.lo })
	runs := all[:0:0]
	for _, s := range all {
		if k := len(runs) - 1; k >= 0 && s.lo <= runs[k].hi+1 {
			runs[k].hi = max(runs[k].hi, s.hi)
			continue
		}
		runs = append(runs, s)
	}
	return runs
}

// remainder gives the commands that print what the cap kept back, one a transcript.
func (j *job) remainder() (out []string) {
	for _, x := range j.files {
		if len(x.rest)+len(x.restIDs) == 0 {
			continue
		}
		args := []string{j.id(x)}
		if len(x.rest) > 0 {
			args = append(args, "--line", x.restSpec())
		}
		if len(x.restIDs) > 0 {
			args = append(args, "--uuid", strings.Join(x.restIDs, ","))
		}
		if j.opt.Raw {
			args = append(args, "--raw")
		}
		out = append(out, j.env.Command("show", args...))
	}
	return out
}
