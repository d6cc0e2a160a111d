package replay

import "strings"

// mostAbove bounds how many blank lines are looked for above a text that a command printed.
const mostAbove = 8

// settled says what a record that counts lines tells of where the lines of a buffer stand.
type settled uint8

const (
	placed       settled = iota
	adrift               // more than one place would do, or nothing of the lines is shown
	contradicted         // no place would do
)

// settle finds how many blank lines stand above lines that a command printed, by a record that counts lines, and makes room
// for them. agrees says whether the record agrees with a buffer whose first above lines are blank ones, and whether it shows
// any of the others.
func (p *player) settle(agrees func(b *Buffer, above int) (yes, met bool)) settled {
	if !p.b.afloat {
		return placed
	}
	how, found, room := contradicted, 0, p.b
	for k := 0; k <= mostAbove; k++ {
		c := p.b
		if k > 0 {
			c = p.b.clone()
			c.put(1, 0, gapOf(k))
		}
		switch yes, met := agrees(c, k); {
		case !yes:
		case !met || how != contradicted:
			return adrift
		default:
			how, found, room = placed, k, c
		}
	}
	if how == placed {
		if log := p.b.log; found > 0 {
			*p.b = *room
			p.b.log = log
			p.seg.lower(found)
		}
		p.b.afloat = false
	}
	return how
}

// settleView is settle for what a read shows.
func (p *player) settleView(v shown) settled {
	return p.settle(func(b *Buffer, above int) (yes, met bool) {
		if _, differs := b.against(v); differs {
			return false, false
		}
		for i, s := range v.parts {
			if strings.TrimSpace(s) == "" {
				continue
			}
			if v.from+i <= above {
				return false, false
			}
			if !met {
				_, met = b.at(v.from + i)
			}
		}
		return true, met
	})
}

// settleHunks is settle for a patch.
func (p *player) settleHunks(hunks []hunk) settled {
	return p.settle(func(b *Buffer, above int) (yes, met bool) {
		for i := range hunks {
			h := &hunks[i]
			f, _ := b.check(h)
			if f == contrary {
				return false, false
			}
			met = met || f == fits
			for j := 0; j < len(h.old) && h.at+j <= above; j++ {
				if strings.TrimSpace(h.old[j]) != "" {
					return false, false
				}
			}
		}
		return true, met
	})
}

// settleText is settle for the whole text of the file.
func (p *player) settleText(text string) {
	blank := 0
	for rest := text; blank < mostAbove; blank++ {
		line, below, more := strings.Cut(rest, "\n")
		if !more || strings.TrimSpace(line) != "" {
			break
		}
		rest = below
	}
	p.settle(func(b *Buffer, above int) (yes, met bool) {
		if above != blank {
			return false, false
		}
		line, total := b.compare(text)
		return line == 0 && total == 0, true
	})
}

// agrees says that one of the shown lines, which is not blank, is known: then both count lines from the same place.
func (b *Buffer) agrees(v shown) bool {
	for i, s := range v.parts {
		if strings.TrimSpace(s) == "" {
			continue
		}
		if known, ok := b.at(v.from + i); ok {
			return v.is(i, known)
		}
	}
	return false
}
