package section

// mostEdits bounds the work on two texts that have little in common: beyond it the distance is only known to be more.
const mostEdits = 1000

// change is how far one text is from another.
type change struct {
	chars int  // insertions and deletions of a shortest edit script, in characters
	exact bool // else chars is the least that it can be
	final int  // characters of the second text
}

// percent gives the distance in relation to the second text, nil when that is empty.
func (c change) percent() *int {
	if c.final == 0 {
		return nil
	}
	p := (200*c.chars + c.final) / (2 * c.final)
	return &p
}

// distance measures the way from one text to another.
func distance(from []byte, b []rune) change {
	a := []rune(string(from))
	c := change{exact: true, final: len(b)}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		c.chars = len(a) + len(b)
		return c
	}
	if c.chars = edits(a, b, mostEdits); c.chars < 0 {
		// Every edit script has as many steps as the lengths differ, or more by an even number.
		c.chars, c.exact = max(mostEdits+1, len(a)-len(b), len(b)-len(a)), false
		if (c.chars-len(a)-len(b))%2 != 0 {
			c.chars++
		}
	}
	return c
}

// edits counts the insertions and deletions of a shortest edit script, -1 when there are more than most (Myers 1986: the
// furthest place on each diagonal, one more edit a round).
func edits(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return -1
	}
	most = min(most, len(a)+len(b))
	far := make([]int, 2*most+3) // per diagonal, most+1 in the middle: the furthest index into a
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			i := most + 1 + k
			x := far[i+1]
			if k == d || k != -d && far[i-1] >= far[i+1] {
				x = far[i-1] + 1
			}
			if d == 0 {
				x = 0
			}
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			far[i] = x
			if x >= len(a) && x-k >= len(b) {
				return d
			}
		}
	}
	return -1
}
