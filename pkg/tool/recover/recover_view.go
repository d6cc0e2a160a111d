package recover

import (
	"bytes"
	"fmt"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/replay"
	"csift/pkg/scope"
)

// view is what is known of a file, within --file-lines.
type view struct {
	buf     *replay.Buffer
	lo, hi  int // lines that were asked for; hi is 0 where there are none
	open    bool
	covered [][2]int
	gaps    [][2]int
	known   int  // lines known
	seen    *int // lines of the file, nil when not known
	whole   bool // the view is all of the file, and all of it is known
	beyond  bool // the file, whose length is known, has none of the lines that were asked for
}

// viewOf looks at a buffer through a range of lines, nil for all of them. Where it is not known how long the file is, what
// follows the last known line is open.
func viewOf(buf *replay.Buffer, lines *addr.Spec) view {
	v := view{buf: buf, covered: [][2]int{}, gaps: [][2]int{}}
	covered := buf.Covered()
	total, known := buf.Seen()
	if known {
		v.seen = &total
	} else if n := len(covered); n > 0 {
		total = covered[n-1][1]
	}
	v.lo, v.hi, v.open = 1, total, !known
	if lines != nil {
		// A line that was asked for by its number is a gap where the file's length is not known.
		lo, hi, ok := lines.Resolve(total)
		if _, end, more := lines.Missing(total); more && !known {
			lo, hi, ok = 1, end, true
			if at, _, some := lines.Resolve(end); some {
				lo = at
			}
		}
		if !ok {
			lo, hi = 1, 0
			v.beyond = known
		}
		v.open = v.open && !lines.Explicit() && hi == total && ok
		v.lo, v.hi = lo, hi
	}
	at := v.lo
	for _, c := range covered {
		a, b := max(c[0], v.lo), min(c[1], v.hi)
		if a > b {
			continue
		}
		if a > at {
			v.gaps = append(v.gaps, [2]int{at, a - 1})
		}
		v.covered = append(v.covered, [2]int{a, b})
		v.known += b - a + 1
		at = b + 1
	}
	if at <= v.hi {
		v.gaps = append(v.gaps, [2]int{at, v.hi})
	}
	v.whole = lines == nil && buf.Whole()
	return v
}

// each calls line for every known line in order, and gap for what is missing; a gap without an end has 0 for it.
func (v *view) each(line func(n int, text string), gap func(g [2]int)) {
	g := 0
	for _, c := range v.covered {
		for ; g < len(v.gaps) && v.gaps[g][0] < c[0]; g++ {
			gap(v.gaps[g])
		}
		for n := c[0]; n <= c[1]; n++ {
			text, _ := v.buf.Known(n)
			line(n, text)
		}
	}
	for ; g < len(v.gaps); g++ {
		gap(v.gaps[g])
	}
	if v.open {
		gap([2]int{v.hi + 1, 0})
	}
}

// list gives the known lines.
func (v *view) list() []fileLine {
	out := make([]fileLine, 0, v.known)
	v.each(func(n int, text string) { out = append(out, fileLine{n, text}) }, func([2]int) {})
	return out
}

// words spells how much of the file is known.
func (v *view) words() string {
	switch {
	case v.beyond:
		return fmt.Sprintf("none of these lines, of a file of %d", *v.seen)
	case v.seen == nil && v.known == 0:
		return "nothing known"
	case v.seen == nil:
		return fmt.Sprintf("%s known, of a file of unknown length", scope.Count(v.known, "line"))
	case v.lo > 1 || v.hi < *v.seen:
		return fmt.Sprintf("%d of lines %d..%d known, of a file of %d", v.known, v.lo, v.hi, *v.seen)
	}
	return fmt.Sprintf("%d of %s known", v.known, scope.Count(*v.seen, "line"))
}

// noLastNewline is said of a file that only a command printed.
const noLastNewline = "whether the last line ends in a newline is not known, so it does here; where a command printed the file, blank lines before its first line and behind its last one do not show"

// notPlaced is said of lines that only a command printed.
const notPlaced = "where a command printed the file, blank lines before its first line do not show: each line may stand further down"

// doubts says what about the bytes of a whole file is not proven, nothing for a file whose text was stated.
func (v *view) doubts() string {
	var out []string
	switch _, known := v.buf.FinalNewline(); {
	case !known:
		out = append(out, noLastNewline)
	case !v.buf.Placed():
		out = append(out, notPlaced)
	}
	if !v.buf.EndingsKnown() {
		out = append(out, "a Read does not show whether lines end in CRLF; here they end in LF")
	}
	return strings.Join(out, "; ")
}

// artifact gives what --out writes: the file itself where all of it is known, else its known lines with their numbers.
func (v *view) artifact() (content []byte, whole bool) {
	if v.whole {
		if b, ok := v.buf.BytesWith(true); ok {
			return b, true
		}
	}
	var b bytes.Buffer
	v.each(func(n int, text string) { fmt.Fprintf(&b, "%6d\t%s\n", n, text) }, func(g [2]int) { b.WriteString(gapText(g) + "\n") })
	return b.Bytes(), false
}

// patched gives the file as far as it is known, gaps as a line that says so, without numbers.
func (v *view) patched() []byte {
	if v.whole {
		if b, ok := v.buf.BytesWith(true); ok {
			return b
		}
	}
	var b bytes.Buffer
	v.each(func(_ int, text string) { b.WriteString(text + "\n") }, func(g [2]int) { b.WriteString(gapText(g) + "\n") })
	return b.Bytes()
}
