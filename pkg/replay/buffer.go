package replay

import (
	"slices"
	"strings"
)

// Buffer is what is known of a file at one moment: some of its lines, perhaps how many there are, perhaps whether the last
// one ends in a newline. A line is the text between two newlines, 1-based, with the carriage return of a CRLF file in it.
//
// Inside, the file is the list of its parts: the text cut at every newline, so that a file that ends in a newline has an
// empty last part. That is how Claude Code counts, too (1.0.128 to 2.1.332: "a\nb\n" is read as numLines 3), and it makes
// the final newline a part that is known or not like any other. To a caller that empty last part is no line.
type Buffer struct {
	runs   []run // never empty ones; two gaps never touch
	n      int   // parts in runs
	tail   tail
	anchor string
	stated bool  // the line endings are as on disk, see EndingsKnown
	afloat bool  // a command printed the lines: blank ones that it does not show may stand above them, see settle
	log    *[]op // what moved, for a segment; nil when nobody asks
}

// run is a stretch of parts: known, or a gap. lines is shared by copies of a buffer and never changed in place.
type run struct {
	lines []string // nil in a gap
	n     int
	cr    int // lines that end in a carriage return
}

// tail says what follows the runs.
type tail uint8

const (
	open      tail = iota // any number of parts, none too
	atEnd                 // nothing: the runs are the whole file
	blankRest             // nothing but, perhaps, a final newline and blank lines
)

// chunk bounds a run of lines, so that an edit copies one chunk and not the file.
const chunk = 512

// op is a replacement of old parts by new ones at a part, in the numbering before it.
type op struct{ at, old, new int }

func gapOf(n int) run { return run{n: n} }

func linesOf(lines []string) run {
	r := run{lines: lines, n: len(lines)}
	for _, s := range lines {
		if strings.HasSuffix(s, "\r") {
			r.cr++
		}
	}
	return r
}

// add appends r to runs, in chunks, joined to what it touches where that stays small.
func add(runs []run, r run) []run {
	if r.n == 0 {
		return runs
	}
	if len(runs) > 0 {
		last := &runs[len(runs)-1]
		switch {
		case last.lines == nil && r.lines == nil:
			last.n += r.n
			return runs
		case last.lines != nil && r.lines != nil && last.n+r.n <= chunk:
			joined := make([]string, 0, last.n+r.n)
			*last = run{append(append(joined, last.lines...), r.lines...), last.n + r.n, last.cr + r.cr}
			return runs
		}
	}
	if r.n <= chunk || r.lines == nil {
		return append(runs, r)
	}
	for rest := r.lines; len(rest) > 0; {
		n := min(chunk, len(rest))
		runs = append(runs, linesOf(rest[:n:n]))
		rest = rest[n:]
	}
	return runs
}

// clone gives a copy that does not change when b does.
func (b *Buffer) clone() *Buffer {
	c := *b
	c.runs = slices.Clone(b.runs)
	c.log = nil
	return &c
}

// forget drops all that is known.
func (b *Buffer) forget() {
	b.runs, b.n, b.tail, b.anchor, b.stated, b.afloat = nil, 0, open, "", false, false
}

// setParts makes the buffer the whole file.
func (b *Buffer) setParts(parts []string, t tail) {
	b.runs = add(nil, linesOf(parts))
	b.n, b.tail, b.afloat = len(parts), t, false
}

// at gives part k.
func (b *Buffer) at(k int) (string, bool) {
	if k < 1 || k > b.n {
		return "", false
	}
	i, off := b.find(k)
	if b.runs[i].lines == nil {
		return "", false
	}
	return b.runs[i].lines[off], true
}

// find gives the run that holds part k, 1 <= k <= b.n, and the part's place in it.
func (b *Buffer) find(k int) (i, off int) {
	off = k - 1
	for off >= b.runs[i].n {
		off -= b.runs[i].n
		i++
	}
	return i, off
}

// cut makes a run end after part k and gives the number of runs up to there.
func (b *Buffer) cut(k int) int {
	if k <= 0 {
		return 0
	}
	if k >= b.n {
		return len(b.runs)
	}
	i, off := b.find(k + 1)
	if off == 0 {
		return i
	}
	r := b.runs[i]
	left, right := gapOf(off), gapOf(r.n-off)
	if r.lines != nil {
		left, right = linesOf(r.lines[:off:off]), linesOf(r.lines[off:])
	}
	b.runs = slices.Insert(b.runs, i, left)
	b.runs[i+1] = right
	return i + 1
}

// reach makes the runs cover part k, with a gap.
func (b *Buffer) reach(k int) {
	if k > b.n {
		b.runs = add(b.runs, gapOf(k-b.n))
		b.n = k
	}
}

// replace puts mid in the place of the count parts from from on. It moves what follows and tells the log.
func (b *Buffer) replace(from, count int, mid ...run) {
	n := 0
	for _, r := range mid {
		n += r.n
	}
	if b.log != nil {
		*b.log = append(*b.log, op{from, count, n})
	}
	b.put(from, count, mid...)
}

// put is replace without the log.
func (b *Buffer) put(from, count int, mid ...run) {
	b.reach(from + count - 1)
	i := b.cut(from - 1)
	j := b.cut(from - 1 + count)
	runs := slices.Grow(slices.Clone(b.runs[:i]), len(b.runs)-j+len(mid)+1)
	for _, r := range mid {
		runs = add(runs, r)
		b.n += r.n
	}
	if rest := b.runs[j:]; len(rest) > 0 {
		runs = append(add(runs, rest[0]), rest[1:]...)
	}
	b.runs, b.n = runs, b.n-count
}

// end makes part n the last one.
func (b *Buffer) end(n int) {
	if n < b.n {
		b.runs = b.runs[:b.cut(n)]
		b.n = n
	}
	b.reach(n)
	b.tail = atEnd
}

// gapless says that every part up to the tail is known.
func (b *Buffer) gapless() bool {
	for _, r := range b.runs {
		if r.lines == nil {
			return false
		}
	}
	return true
}

// phantom says that the last part is the empty rest behind a final newline.
func (b *Buffer) phantom() bool {
	if b.tail != atEnd {
		return false
	}
	s, ok := b.at(b.n)
	return ok && s == ""
}

// endings counts the known lines that a newline follows, and those of them with a carriage return before it.
func (b *Buffer) endings() (lines, cr int) {
	for _, r := range b.runs {
		if r.lines != nil {
			lines, cr = lines+r.n, cr+r.cr
		}
	}
	if s, ok := b.at(b.n); ok && b.tail != open {
		lines--
		if strings.HasSuffix(s, "\r") {
			cr--
		}
	}
	return lines, cr
}

// allCR says that every known line ends in CRLF, and that there is one.
func (b *Buffer) allCR() bool {
	lines, cr := b.endings()
	return cr > 0 && cr == lines
}

// Covered gives the ranges of lines that are known, first and last line of each.
func (b *Buffer) Covered() [][2]int {
	last := b.n
	if b.phantom() {
		last--
	}
	var out [][2]int
	k := 1
	for _, r := range b.runs {
		from, to := k, min(k+r.n-1, last)
		k += r.n
		if r.lines == nil || to < from {
			continue
		}
		if len(out) > 0 && out[len(out)-1][1] == from-1 {
			out[len(out)-1][1] = to
		} else {
			out = append(out, [2]int{from, to})
		}
	}
	return out
}

// Known gives a line without its newline; ok is false when it is not known, or not there.
func (b *Buffer) Known(line int) (text string, ok bool) {
	if line == b.n && b.phantom() {
		return "", false
	}
	return b.at(line)
}

// Seen gives the number of lines. When it is not known, n is the last line that anything is known about. Of a file whose
// end was never seen Claude Code's own total stands, which is one more than the lines when the file ends in a newline; of
// one that a command printed, blank lines at its end are not counted, since they are not printed.
func (b *Buffer) Seen() (n int, known bool) {
	n = b.n
	if b.phantom() {
		n--
	}
	return n, b.tail != open
}

// Count gives how many lines are known.
func (b *Buffer) Count() int {
	n := 0
	for _, r := range b.Covered() {
		n += r[1] - r[0] + 1
	}
	return n
}

// Empty says that nothing is known, neither a line nor a length.
func (b *Buffer) Empty() bool { return b.tail == open && b.Count() == 0 }

// Complete says that every line is known, and so is whether the last one ends in a newline.
func (b *Buffer) Complete() bool { return b.tail == atEnd && b.gapless() }

// Whole says that every line is known, but for blank ones at the end and the final newline if a command printed the file.
func (b *Buffer) Whole() bool { return b.tail != open && b.gapless() }

// FinalNewline says whether the file ends in a newline, if that is known. An empty file does not.
func (b *Buffer) FinalNewline() (yes, known bool) {
	if b.tail != atEnd {
		return false, false
	}
	s, ok := b.at(b.n)
	return ok && s == "" && b.n > 1, ok
}

// Placed says that the numbers of the lines are known. A command that prints a file shows no blank lines above its text, so
// until a record that counts lines shows some of them again, there may be more above the first one.
func (b *Buffer) Placed() bool { return !b.afloat }

// EndingsKnown says that the bytes at the ends of lines are those on disk. A Read shows a CRLF file with bare newlines,
// and so do patches, so after a Read alone a CRLF file looks like any other.
func (b *Buffer) EndingsKnown() bool { return b.stated }

// Bytes gives the file when it is Complete.
func (b *Buffer) Bytes() ([]byte, bool) {
	if !b.Complete() {
		return nil, false
	}
	return b.join(), true
}

// BytesWith gives the file when it is Whole. Where the final newline is not known, it is put there if newline is true.
func (b *Buffer) BytesWith(newline bool) ([]byte, bool) {
	if !b.Whole() {
		return nil, false
	}
	out := b.join()
	if b.tail == blankRest && newline && b.n > 0 {
		out = append(out, '\n')
	}
	return out, true
}

// join is the known parts with newlines between them.
func (b *Buffer) join() []byte {
	size := 0
	for _, r := range b.runs {
		for _, s := range r.lines {
			size += len(s) + 1
		}
	}
	out := make([]byte, 0, size)
	for _, r := range b.runs {
		for _, s := range r.lines {
			out = append(append(out, s...), '\n')
		}
	}
	if len(out) > 0 {
		out = out[:len(out)-1]
	}
	return out
}

// Anchor names what the known lines stand on: read, read-window, write, edit, bash-heredoc, bash-write, bash-cat,
// file-history-snapshot, or "" when nothing is known.
func (b *Buffer) Anchor() string { return b.anchor }
