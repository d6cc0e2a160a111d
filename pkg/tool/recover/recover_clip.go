package recover

import (
	"fmt"
	"strings"
)

// clipDiff keeps of a unified diff what is about the lines lo..hi: kept and new lines by their new number, removed ones by
// the place where they stood in the new file. "" when nothing of it is left.
func clipDiff(diff string, lo, hi int) string {
	var head, out strings.Builder
	var h hunkClip
	for _, line := range strings.SplitAfter(diff, "\n") {
		if line == "" {
			continue
		}
		if a, b, ok := hunkStart(line); ok {
			h.flush(&out)
			h = hunkClip{old: a, new: b, in: true}
			continue
		}
		if !h.in {
			head.WriteString(line)
			continue
		}
		h.add(line, lo, hi)
	}
	h.flush(&out)
	if out.Len() == 0 {
		return ""
	}
	return head.String() + out.String()
}

// hunkClip is a hunk as far as it is kept. Skipping lines of the middle cannot happen: a range is one piece.
type hunkClip struct {
	in             bool
	old, new       int // numbers of the next lines
	oldAt, newAt   int // of the first kept ones
	oldLen, newLen int
	body           strings.Builder
	kept           bool // the last line was kept, so is a mark behind it
	changed        bool
}

func (h *hunkClip) add(line string, lo, hi int) {
	if line[0] == '\\' {
		if h.kept {
			h.body.WriteString(line)
		}
		return
	}
	h.kept = h.new >= lo && h.new <= hi
	if line[0] == '-' && h.new == hi+1 && h.body.Len() > 0 {
		h.kept = true // it was replaced or removed right behind the last line
	}
	if h.kept {
		if h.body.Len() == 0 {
			h.oldAt, h.newAt = h.old, h.new
		}
		h.body.WriteString(line)
		h.changed = h.changed || line[0] != ' '
	}
	if line[0] != '+' {
		h.old++
		if h.kept {
			h.oldLen++
		}
	}
	if line[0] != '-' {
		h.new++
		if h.kept {
			h.newLen++
		}
	}
}

func (h *hunkClip) flush(out *strings.Builder) {
	if h.body.Len() == 0 || !h.changed {
		return
	}
	at := func(start, n int) int {
		if n == 0 {
			return start - 1
		}
		return start
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n%s", at(h.oldAt, h.oldLen), h.oldLen, at(h.newAt, h.newLen), h.newLen, h.body.String())
}

// hunkStart reads the numbers of "@@ -1,3 +1,4 @@"; an empty side starts behind the line it names.
func hunkStart(line string) (old, new int, ok bool) {
	if !strings.HasPrefix(line, "@@ -") {
		return 0, 0, false
	}
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, false
	}
	side := func(s string) (int, bool) {
		at, n := 0, 1
		start, count, two := strings.Cut(s[1:], ",")
		if _, err := fmt.Sscan(start, &at); err != nil {
			return 0, false
		}
		if two {
			if _, err := fmt.Sscan(count, &n); err != nil {
				return 0, false
			}
		}
		if n == 0 {
			at++
		}
		return at, true
	}
	old, ok = side(fields[1])
	if !ok {
		return 0, 0, false
	}
	new, ok = side(fields[2])
	return old, new, ok
}
