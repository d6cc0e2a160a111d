package match

import (
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The plan of a pattern is a set of windows, short stretches of elements, of
// which every matching text holds one.

// A window is a stretch of elements. The kernels look for a part of it, the
// rest is checked where they find that.
type window struct {
	elems []*elem
	bits  float64 // how much is known of a text that holds it
	usual bool    // nearly every record holds it
	// lead is how many elements a match has before the window, at most; -1: it may be any number.
	lead int
	// triple is the first of the three neighbours, fixed but for the last, that
	// are rarest together; near the end there may be fewer.
	triple int
	// pair holds the two rarest single bytes with nothing but fixed elements
	// between them, or -1 and -1 if no two tell enough.
	pair [2]int
}

// holds reports whether the window lies in b with element at at position i.
func (w *window) holds(b []byte, i, at int) bool {
	j := i
right:
	for _, e := range w.elems[at:] {
		if j >= len(b) {
			return false
		}
		n := 1
		switch e.right[b[j]] {
		case refused:
			return false
		case accepted:
			break right
		case decode:
			var r rune
			if r, n = utf8.DecodeRune(b[j:]); !e.hasHigh(r) {
				return false
			}
		}
		j += n
	}
	j = i
	for k := at - 1; k >= 0; k-- {
		if j == 0 {
			return false
		}
		e, n := w.elems[k], 1
		switch e.left[b[j-1]] {
		case refused:
			return false
		case decode:
			var r rune
			if r, n = utf8.DecodeLastRune(b[:j]); !e.hasHigh(r) {
				return false
			}
		}
		j -= n
	}
	return true
}

// value is the weight of the window in choosing among several.
func (w *window) value() float64 {
	if w.usual {
		return 0.5
	}
	return w.bits
}

func (w *window) String() string {
	var b strings.Builder
	for _, e := range w.elems {
		b.WriteString(e.name)
	}
	return b.String()
}

// Limits of a plan.
const (
	maxSeqs   = 16 // alternatives followed before they are cut
	maxSeq    = 64 // elements of one
	maxRepeat = 16 // repetitions written out
	leftSide  = 8  // elements of a window before its anchor
	rightSide = 16 // and from it on

	enoughBits  = 9.0 // what a window has to tell to be of use
	enoughFound = 6.0 // and its anchor alone
)

// A seq is a way to match: elements one after another, nil where nothing is
// known.
type seq []*elem

type planner struct {
	alphabet alphabet
	known    map[*syntax.Regexp][]seq
}

// plan gives the windows of a pattern, or nil.
func (pl *planner) plan(re *syntax.Regexp) []*window {
	ws, _ := pl.required(re)
	return ws
}

// required gives the best set of windows of which every match of re holds one,
// and its worth.
func (pl *planner) required(re *syntax.Regexp) ([]*window, float64) {
	best, worth := windowsOf(pl.seqs(re))
	try := func(ws []*window, v float64) {
		if v > worth {
			best, worth = ws, v
			for _, w := range ws {
				w.lead = -1 // of a part of the pattern
			}
		}
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		try(pl.required(re.Sub[0]))
	case syntax.OpRepeat:
		if re.Min > 0 {
			try(pl.required(re.Sub[0]))
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			try(pl.required(sub))
		}
	case syntax.OpAlternate:
		var all []*window
		for _, sub := range re.Sub {
			ws, _ := pl.required(sub)
			if ws == nil {
				return best, worth
			}
			all = append(all, ws...)
		}
		try(all, worthOf(all))
	}
	return best, worth
}

// windowsOf takes the best window of each alternative.
func windowsOf(seqs []seq) ([]*window, float64) {
	var ws []*window
	for _, s := range seqs {
		w := bestWindow(s)
		if w == nil {
			return nil, 0
		}
		ws = append(ws, w)
	}
	return ws, worthOf(ws)
}

// worthOf rates a set by its commonest member.
func worthOf(ws []*window) float64 {
	if len(ws) == 0 || len(ws) > 2*maxSeqs {
		return 0
	}
	least := math.Inf(1)
	for _, w := range ws {
		least = min(least, w.value())
	}
	return least - math.Log2(float64(len(ws)))/8
}

var gap = []seq{{nil}}

// seqs lists the ways to match re, at most maxSeqs.
func (pl *planner) seqs(re *syntax.Regexp) []seq {
	if s, ok := pl.known[re]; ok {
		return s
	}
	s := pl.list(re)
	if pl.known == nil {
		pl.known = map[*syntax.Regexp][]seq{}
	}
	pl.known[re] = s
	return s
}

func (pl *planner) list(re *syntax.Regexp) []seq {
	switch re.Op {
	case syntax.OpLiteral:
		var s seq
		for _, r := range re.Rune {
			if len(s) >= maxSeq {
				s = append(s, nil)
				break
			}
			s = pl.literal(s, r, re.Flags&syntax.FoldCase != 0)
		}
		return []seq{s}
	case syntax.OpCharClass:
		var ranges [][2]rune
		for i := 0; i+1 < len(re.Rune); i += 2 {
			ranges = append(ranges, [2]rune{re.Rune[i], re.Rune[i+1]})
		}
		return []seq{classElems(nil, ranges, &pl.alphabet)}
	case syntax.OpCapture:
		return pl.seqs(re.Sub[0])
	case syntax.OpConcat:
		out := []seq{{}}
		for _, sub := range re.Sub {
			out = cross(out, pl.seqs(sub))
		}
		return out
	case syntax.OpAlternate:
		var out []seq
		for _, sub := range re.Sub {
			out = append(out, pl.seqs(sub)...)
			if len(out) > maxSeqs {
				return gap
			}
		}
		return out
	case syntax.OpQuest:
		if out := append(slices.Clip(pl.seqs(re.Sub[0])), seq{}); len(out) <= maxSeqs {
			return out
		}
	case syntax.OpPlus:
		return pl.repeat(re.Sub[0], 1, false)
	case syntax.OpRepeat:
		return pl.repeat(re.Sub[0], re.Min, re.Max == re.Min)
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary,
		syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
		return []seq{{}}
	}
	return gap
}

// repeat lists the ways to match sub at least least times.
func (pl *planner) repeat(sub *syntax.Regexp, least int, exact bool) []seq {
	if least == 0 {
		return gap
	}
	one := pl.seqs(sub)
	out := []seq{{}}
	n := min(least, maxRepeat)
	for range n {
		out = cross(out, one)
	}
	if exact && n == least {
		return out
	}
	return cross(cross(out, gap), one) // the last one stands before what follows
}

// cross joins every way of a with every way of b, or cuts b off if they become
// too many.
func cross(a, b []seq) []seq {
	if len(a)*len(b) > maxSeqs {
		b = gap
	}
	out := make([]seq, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > 2*maxSeq {
				y = seq{nil}
			}
			if n := len(x); n > 0 && x[n-1] == nil && len(y) > 0 && y[0] == nil {
				y = y[1:]
			}
			out = append(out, slices.Concat(x, y))
		}
	}
	return out
}

func (pl *planner) literal(s seq, r rune, fold bool) seq {
	orbit := []rune{r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			orbit = append(orbit, f)
		}
		slices.Sort(orbit)
	}
	var ranges [][2]rune
	for _, r := range orbit {
		ranges = append(ranges, [2]rune{r, r})
	}
	return classElems(s, ranges, &pl.alphabet)
}

// bestWindow picks the stretch of s that tells most.
func bestWindow(s seq) *window {
	var best *window
	bounded := true
	for i := 0; i < len(s); {
		if s[i] == nil || s[i].loose {
			bounded = bounded && s[i] != nil
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] != nil && !s[j].loose {
			j++
		}
		end := j
		if j < len(s) && s[j] != nil {
			end++ // a loose element may close a window, never open one
		}
		if w := anchored(s[i:end]); w != nil && (best == nil || w.value() > best.value()) {
			best = w
			if w.lead = end; !bounded {
				w.lead = -1
			}
		}
		i = end
	}
	return best
}

// anchored makes a window of a stretch, or nil if it tells too little.
func anchored(run []*elem) *window {
	at, found := -1, 0.0
	for i := range run {
		v := 0.0
		for j := i; j < min(i+3, len(run)); j++ {
			v += run[j].bits
			if !run[j].fixed {
				break
			}
		}
		if v > found+0.01 {
			at, found = i, v
		}
	}
	if found < enoughFound {
		return nil
	}
	lo, hi := max(0, at-leftSide), min(len(run), at+rightSide)
	w := &window{elems: run[lo:hi], triple: at - lo, pair: [2]int{-1, -1}}
	for _, e := range w.elems {
		w.bits += e.bits
	}
	if w.bits < enoughBits {
		return nil
	}
	w.usual = inEnvelope(w.elems)
	best := enoughFound
	for i, x := range w.elems {
		if !x.one {
			continue
		}
		for j := i + 1; j < len(w.elems) && w.elems[j-1].fixed; j++ {
			if y := w.elems[j]; y.one && x.bits+y.bits > best {
				best, w.pair = x.bits+y.bits, [2]int{i, j}
			}
		}
	}
	return w
}

// envelope is what nearly every record spells: the keys of the client's
// envelope and their usual values (seen at 2.1.332).
const envelope = `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/home/users/","sessionId":"","version":"2.1.",` +
	`"gitBranch":"main","slug":"","type":"assistant","message":{"model":"claude-opus-sonnet-4-5-20251001","id":"msg_01",` +
	`"type":"message","role":"assistant","content":[{"type":"text","text":"","type":"tool_use","id":"toolu_01","name":"","input":{}}],` +
	`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":,"cache_creation_input_tokens":,"cache_read_input_tokens":,` +
	`"cache_creation":{"ephemeral_5m_input_tokens":,"ephemeral_1h_input_tokens":},"output_tokens":,"service_tier":"standard"}},` +
	`"requestId":"req_01","uuid":"00000000-aaaa-0000-aaaa-000000000000","timestamp":"2026-01-01T00:00:00.000Z","type":"user","tool_use_id":"toolu_","type":"tool_result","is_error":false,` +
	`"toolUseResult":{},"sourceToolAssistantUUID":"","promptId":"","entrypoint":"cli"`

// inEnvelope reports whether some stretch of the envelope fits the elements.
func inEnvelope(elems []*elem) bool {
	for i := range len(envelope) {
		j := i
		for _, e := range elems {
			if j >= len(envelope) || e.right[envelope[j]] == refused {
				j = -1
				break
			}
			j++
		}
		if j >= 0 {
			return true
		}
	}
	return false
}
