package replay

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// gapToken stands for a gap, whatever its length, where buffers are compared; a part is its text and how it ends.
const gapToken = "\x00gap"

// Diff is the unified diff from before to after, "" when they know the same. Every known line is context. Lines that are
// not known are left out: a hunk ends before them, and the next one's numbers go on behind them.
func Diff(oldName, newName string, before, after *Buffer) string {
	a, aGaps := before.tokens()
	b, bGaps := after.tokens()
	diffs := lcs.DiffLines(a, b)
	w := hunkWriter{}
	changed := false
	i := 0
	for _, d := range diffs {
		for ; i < d.Start; i++ {
			w.both(a[i], &aGaps, &bGaps)
		}
		for ; i < d.End; i++ {
			changed = w.old(a[i], &aGaps) || changed
		}
		for _, t := range b[d.ReplStart:d.ReplEnd] {
			changed = w.new(t, &bGaps) || changed
		}
	}
	for ; i < len(a); i++ {
		w.both(a[i], &aGaps, &bGaps)
	}
	if w.flush(); !changed {
		return ""
	}
	return fmt.Sprintf("--- %s\n+++ %s\n%s", oldName, newName, w.out.String())
}

// tokens gives the buffer as tokens, and the lengths of its gaps.
func (b *Buffer) tokens() (all []string, gaps []int) {
	lines := b.n
	if b.phantom() {
		lines--
	}
	k := 0
	for _, r := range b.runs {
		if r.lines == nil {
			all, gaps, k = append(all, gapToken), append(gaps, r.n), k+r.n
			continue
		}
		for _, s := range r.lines {
			if k++; k > lines {
				break
			}
			if k < b.n || b.tail != atEnd {
				s += "\n"
			}
			all = append(all, s)
		}
	}
	return all, gaps
}

// hunkWriter writes hunks, each a stretch without gaps.
type hunkWriter struct {
	out, body    strings.Builder
	a, b         int // lines before here
	fromA, fromB int // where the hunk began
	numA, numB   int
}

func (w *hunkWriter) both(t string, aGaps, bGaps *[]int) {
	if t == gapToken {
		w.skip(aGaps, &w.a)
		w.skip(bGaps, &w.b)
		return
	}
	w.line(' ', t)
	w.a, w.b, w.numA, w.numB = w.a+1, w.b+1, w.numA+1, w.numB+1
}

func (w *hunkWriter) old(t string, gaps *[]int) bool {
	if t == gapToken {
		w.skip(gaps, &w.a)
		return false
	}
	w.line('-', t)
	w.a, w.numA = w.a+1, w.numA+1
	return true
}

func (w *hunkWriter) new(t string, gaps *[]int) bool {
	if t == gapToken {
		w.skip(gaps, &w.b)
		return false
	}
	w.line('+', t)
	w.b, w.numB = w.b+1, w.numB+1
	return true
}

func (w *hunkWriter) skip(gaps *[]int, at *int) {
	w.flush()
	*at += (*gaps)[0]
	*gaps = (*gaps)[1:]
}

func (w *hunkWriter) line(mark byte, t string) {
	if w.body.Len() == 0 {
		w.fromA, w.fromB, w.numA, w.numB = w.a+1, w.b+1, 0, 0
	}
	w.body.WriteByte(mark)
	w.body.WriteString(t)
	if !strings.HasSuffix(t, "\n") {
		w.body.WriteString("\n\\ No newline at end of file\n")
	}
}

// flush ends the hunk.
func (w *hunkWriter) flush() {
	if w.body.Len() == 0 {
		return
	}
	fmt.Fprintf(&w.out, "@@ -%s +%s @@\n", span(w.fromA, w.numA), span(w.fromB, w.numB))
	w.out.WriteString(w.body.String())
	w.body.Reset()
}

// span is a range of a hunk's header: of none, the line before it.
func span(from, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", from-1)
	case 1:
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d,%d", from, n)
}
