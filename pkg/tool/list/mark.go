package list

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"csift/pkg/match"
)

// marks are the types of the records that may hold words of the person or a name, as
// they stand on a line. A line without a mark is passed over by its bytes alone where
// only such records are still looked for, so damage in one that is framed like a record
// is not seen there.
var marks = []string{
	`"user"`, `"attachment"`,
	`"custom-title"`, `"ai-title"`, `"summary"`, `"continued-in"`, `"fork-context-ref"`,
}

var markLetters = strings.Join(marks, "")

// marked reports whether a line has a mark, or an escape that may hide one.
func (r *reader) marked(line []byte) bool {
	if !r.opts.Slow && markFilter().Index(line) < 0 {
		return false
	}
	return marked(line)
}

// markFilter finds the lines that may be marked.
var markFilter = sync.OnceValue(func() *match.Prefilter {
	// A filter needs a pattern. This one's lines are candidates anyhow.
	m, err := match.Compile("fork-context-ref", match.Options{Fixed: true})
	if err != nil {
		panic(err)
	}
	return m.Prefilter(marks)
})

func marked(line []byte) bool {
	for _, m := range marks {
		if bytes.Contains(line, []byte(m)) {
			return true
		}
	}
	return hides(line)
}

// hides reports whether a line has an escape of a character that the marks are spelled
// with. No JSON encoder in use writes one.
func hides(line []byte) bool {
	for i := 0; ; i += 2 {
		k := bytes.Index(line[i:], []byte(`\u00`))
		if k < 0 {
			return false
		}
		i += k
		n := 0 // backslashes before
		for n < i && line[i-n-1] == '\\' {
			n++
		}
		c, err := strconv.ParseUint(string(line[i+4:min(i+6, len(line))]), 16, 8)
		if n%2 == 0 && err == nil && strings.IndexByte(markLetters, byte(c)) >= 0 {
			return true
		}
	}
}
