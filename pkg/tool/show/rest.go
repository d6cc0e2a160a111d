package show

import (
	"strconv"
	"strings"

	"csift/pkg/addr"
)

// mostSpans is how many runs of lines a command names before it names all from the first to the last.
const mostSpans = 40

// drop notes that the cap kept back something of a line.
func (x *fetched) drop(line int32) {
	n := int(line)
	if k := len(x.rest) - 1; k >= 0 && n >= x.rest[k].Lo && n <= x.rest[k].Hi+1 {
		x.rest[k].Hi = max(x.rest[k].Hi, n)
		return
	}
	x.rest = append(x.rest, addr.Run{Lo: n, Hi: n})
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
	runs := addr.Join(x.rest)
	if len(runs) > mostSpans {
		runs = []addr.Run{{Lo: runs[0].Lo, Hi: runs[len(runs)-1].Hi}}
	}
	var words []string
	for _, s := range runs {
		word := strconv.Itoa(s.Lo)
		if s.Hi > s.Lo {
			word += ".." + strconv.Itoa(s.Hi)
		}
		words = append(words, word)
	}
	return strings.Join(words, ",")
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
