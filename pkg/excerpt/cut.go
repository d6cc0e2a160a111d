package excerpt

import (
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// Cut is an excerpt: its text with the marks of the cut, and how many code points
// the text does not show. Left is 0 when nothing was cut.
type Cut struct {
	Text string
	Left int
}

// mark stands before a window whose front was cut and, with the count, behind
// every window.
const mark = "…"

// At cuts text, which is folded already, to a window of budget code points centred
// on the bytes [start, end) of it: the head of the text when start is negative, the
// head of the span when the span alone is longer. "…" leads a window whose front
// was cut and "… (+N chars)" ends every one, both beyond the budget. A budget of 0
// or less is no limit.
func At(folded string, budget, start, end int) Cut {
	if budget <= 0 || len(folded) <= budget || utf8.RuneCountInString(folded) <= budget {
		return Cut{Text: Valid(folded)}
	}
	text, left := AppendAt(nil, []byte(folded), budget, start, end)
	return Cut{string(text), left}
}

// AppendAt is At on bytes: it appends the excerpt to dst and returns how many code
// points were left out.
func AppendAt(dst, folded []byte, budget, start, end int) ([]byte, int) {
	if budget <= 0 || len(folded) <= budget {
		return appendValid(dst, folded), 0
	}
	total := utf8.RuneCount(folded)
	if total <= budget {
		return appendValid(dst, folded), 0
	}
	start, end = span(folded, start, end)
	before := utf8.RuneCount(folded[:start])
	first := window(total, budget, before, utf8.RuneCount(folded[start:end]))
	from := start
	for range before - first {
		_, size := utf8.DecodeLastRune(folded[:from])
		from -= size
	}
	to := from
	for range budget {
		_, size := utf8.DecodeRune(folded[to:])
		to += size
	}
	if first > 0 {
		dst = append(dst, mark...)
	}
	return appendEnd(appendValid(dst, folded[from:to]), total-budget)
}

// Match is At on text that is not folded yet: it returns what folding text and
// cutting it around the same match would, and start and end are bytes of text.
func Match(text string, budget, start, end int) Cut {
	out, left := AppendMatch(nil, []byte(text), budget, start, end)
	return Cut{string(out), left}
}

// AppendMatch is Match on bytes. Text outside the window is counted, never copied.
func AppendMatch(dst, text []byte, budget, start, end int) ([]byte, int) {
	text, front := trim(text)
	if start >= 0 {
		start, end = max(start-front, 0), max(end-front, 0)
	}
	if budget <= 0 || len(text) <= budget {
		dst, _ = appendFolded(dst, text, len(text))
		return dst, 0
	}
	start, end = span(text, start, end)
	var c counter
	c.add(text[:start])
	before := c.n
	c.add(text[start:end])
	matched := c.n - before
	c.add(text[end:])
	if c.n <= budget {
		dst, _ = appendFolded(dst, text, len(text))
		return dst, 0
	}
	first := window(c.n, budget, before, matched)
	if first > 0 {
		dst = append(dst, mark...)
	}
	dst, _ = appendFolded(dst, text[foldedBack(text, start, before-first):], budget)
	return appendEnd(dst, c.n-budget)
}

// foldedBack returns where in trimmed text the n-th folded code point before byte
// at starts.
func foldedBack(text []byte, at, n int) int {
	if n == 0 && at > 0 && at < len(text) {
		// Inside a run whose blank lies before at: what is left of it shows nothing.
		if r, _ := utf8.DecodeLastRune(text[:at]); isSpace(r) {
			at += spaceAt(text[at:])
		}
		return at
	}
	for ; n > 0; n-- {
		// Eight bytes of ASCII at a time, of which no two in a row are white space.
		for n > 8 && at > 8 {
			x, before := binary.LittleEndian.Uint64(text[at-8:]), uint64(text[at-9])
			low := lows(x)
			if (x|before)&highs != 0 || low&(low<<8|lows(before)&0x80) != 0 {
				break
			}
			at, n = at-8, n-8
		}
		if c := text[at-1]; c > ' ' && c < utf8.RuneSelf {
			at--
			continue
		}
		r, size := utf8.DecodeLastRune(text[:at])
		at -= size
		for isSpace(r) && at > 0 {
			p, size := utf8.DecodeLastRune(text[:at])
			if !isSpace(p) {
				break
			}
			at -= size
		}
	}
	return at
}

// window returns the first code point of the window of budget out of total, given
// how many stand before the match and in it.
func window(total, budget, before, matched int) int {
	first := before
	if matched < budget {
		first -= (budget - matched) / 2
	}
	return max(0, min(first, total-budget))
}

// span brings a match into the text and onto the boundaries of its characters.
func span(text []byte, start, end int) (int, int) {
	if start < 0 {
		return 0, 0
	}
	start = runeStart(text, min(start, len(text)))
	end = runeStart(text, min(max(end, start), len(text)))
	return start, end
}

func runeStart(text []byte, at int) int {
	for back := range min(at, utf8.UTFMax-1) + 1 {
		i := at - back
		if i == len(text) {
			return i
		}
		if r, size := utf8.DecodeRune(text[i:]); r != utf8.RuneError || size > 1 {
			if i+size > at {
				return i
			}
			break
		}
	}
	return at
}

func appendEnd(dst []byte, left int) ([]byte, int) {
	dst = append(dst, mark+" (+"...)
	dst = strconv.AppendInt(dst, int64(left), 10)
	return append(dst, " chars)"...), left
}
