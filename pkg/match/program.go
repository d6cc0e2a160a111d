package match

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
	"unsafe"
)

// A program is a compiled pattern with its alphabet: characters that no
// instruction and no context tells apart share a column. It is immutable and
// shared by the clones of a Matcher.
type program struct {
	inst     []syntax.Inst
	start    uint32
	anchored bool           // every match begins at the start of the text
	asks     syntax.EmptyOp // the empty-width conditions that occur
	words    bool           // \b or \B does

	set []int32    // of each instruction that takes a character: an index into has
	has [][]uint64 // of each set: the columns in it, a bit each

	rep   []rune     // a character of each column; columns below firstCol are special
	ctx   []uint8    // what a character of the column leaves behind: ctx bits
	ascii [128]uint8 // column of an ASCII character
	low   []rune     // sorted starts of the ranges from U+0080 up,
	lowed []uint16   // and the column of each
}

// Special columns.
const (
	colSlow  = iota // never filled in: the byte needs more thought than a table look-up
	colEnd          // the end of the text
	firstCol        // columns of characters, those of ASCII first
)

// What precedes a position, as far as the program asks.
const (
	ctxBegin = 1 << iota // nothing
	ctxLine              // a newline
	ctxWord              // a word character
)

// maxInst bounds the program. The work for a character of text may grow with it.
const maxInst = 20_000

func newProgram(re *syntax.Regexp) (*program, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	if len(prog.Inst) > maxInst {
		return nil, fmt.Errorf("the pattern takes %d steps with its repetitions written out; the limit is %d", len(prog.Inst), maxInst)
	}
	// No other instruction leads to the start, so that a thread there is a match
	// that has yet to begin.
	inst := append(prog.Inst, syntax.Inst{Op: syntax.InstNop, Out: uint32(prog.Start)})
	p := &program{inst: inst, start: uint32(len(inst) - 1)}
	p.anchored = prog.StartCond()&syntax.EmptyBeginText != 0
	for i := range p.inst {
		if in := &p.inst[i]; in.Op == syntax.InstEmptyWidth {
			p.asks |= syntax.EmptyOp(in.Arg)
		}
	}
	p.words = p.asks&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
	p.columns()
	return p, nil
}

// runeSets lists the distinct character sets of the instructions.
func (p *program) runeSets() [][][2]rune {
	type key struct {
		op   syntax.InstOp
		at   *rune
		n    int
		one  rune
		fold bool
	}
	seen := map[key]int32{}
	var sets [][][2]rune
	p.set = make([]int32, len(p.inst))
	for i := range p.inst {
		in := &p.inst[i]
		k := key{op: in.Op}
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			k = key{op: syntax.InstRune, n: len(in.Rune), fold: syntax.Flags(in.Arg)&syntax.FoldCase != 0}
			if k.n == 1 {
				k.one = in.Rune[0]
			} else {
				k.at = unsafe.SliceData(in.Rune) // repetitions share the slice
			}
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		default:
			continue
		}
		n, ok := seen[k]
		if !ok {
			n = int32(len(sets))
			seen[k] = n
			sets = append(sets, runeSet(in))
		}
		p.set[i] = n
	}
	return sets
}

// runeSet gives the characters an instruction takes.
func runeSet(in *syntax.Inst) [][2]rune {
	switch {
	case in.Op == syntax.InstRuneAny:
		return [][2]rune{{0, unicode.MaxRune}}
	case in.Op == syntax.InstRuneAnyNotNL:
		return [][2]rune{{0, '\n' - 1}, {'\n' + 1, unicode.MaxRune}}
	case len(in.Rune) == 1:
		r := in.Rune[0]
		set := [][2]rune{{r, r}}
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				set = append(set, [2]rune{f, f})
			}
		}
		return set
	}
	var set [][2]rune
	for j := 0; j+1 < len(in.Rune); j += 2 {
		set = append(set, [2]rune{in.Rune[j], in.Rune[j+1]})
	}
	return set
}

// takes reports whether the instruction takes the characters of a column.
func (p *program) takes(pc uint32, col uint16) bool {
	return p.has[p.set[pc]][col>>6]>>(col&63)&1 != 0
}

// columns partitions the characters.
func (p *program) columns() {
	taken := p.runeSets()
	sets := slices.Clip(taken)
	if p.asks&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0 {
		sets = append(sets, [][2]rune{{'\n', '\n'}})
	}
	if p.words {
		sets = append(sets, wordRanges())
	}
	bounds := []rune{0, 0x80}
	for _, set := range sets {
		for _, r := range set {
			bounds = append(bounds, r[0], r[1]+1)
		}
	}
	bounds = sortedUnique(bounds)
	if bounds[len(bounds)-1] > unicode.MaxRune {
		bounds = bounds[:len(bounds)-1]
	}

	// Refine the partition by one set after another.
	class := make([]int, len(bounds))
	classes := 1
	for _, set := range sets {
		split := map[int]int{}
		for _, r := range set {
			i, _ := slices.BinarySearch(bounds, r[0])
			for ; i < len(bounds) && bounds[i] <= r[1]; i++ {
				c, ok := split[class[i]]
				if !ok {
					c = classes
					classes++
					split[class[i]] = c
				}
				class[i] = c
			}
		}
	}

	// Number the classes in order of appearance, ASCII first.
	p.rep = make([]rune, firstCol)
	p.ctx = make([]uint8, firstCol)
	number := map[int]int{}
	for i, lo := range bounds {
		c, ok := number[class[i]]
		if !ok {
			c = len(p.rep)
			number[class[i]] = c
			p.rep = append(p.rep, lo)
			var x uint8
			if lo == '\n' && p.asks&syntax.EmptyBeginLine != 0 {
				x |= ctxLine
			}
			if p.words && isWord(lo) {
				x |= ctxWord
			}
			p.ctx = append(p.ctx, x)
		}
		hi := rune(unicode.MaxRune)
		if i+1 < len(bounds) {
			hi = bounds[i+1] - 1
		}
		if lo < 0x80 {
			for r := lo; r <= hi; r++ {
				p.ascii[r] = uint8(c)
			}
		} else {
			p.low = append(p.low, lo)
			p.lowed = append(p.lowed, uint16(c))
		}
	}
	p.has = make([][]uint64, len(taken))
	for n, set := range taken {
		p.has[n] = make([]uint64, (len(p.rep)+63)/64)
		for _, r := range set {
			i, _ := slices.BinarySearch(bounds, r[0])
			for ; i < len(bounds) && bounds[i] <= r[1]; i++ {
				c := number[class[i]]
				p.has[n][c>>6] |= 1 << (c & 63)
			}
		}
	}
}

// column finds the column of a character.
func (p *program) column(r rune) uint16 {
	if r < 0x80 {
		return uint16(p.ascii[r])
	}
	i, found := slices.BinarySearch(p.low, r)
	if !found {
		i--
	}
	return p.lowed[i]
}

// flags gives the empty-width conditions that hold between a context and what
// follows it.
func flags(before uint8, end, newline, word bool) syntax.EmptyOp {
	var op syntax.EmptyOp
	if before&ctxBegin != 0 {
		op |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	} else if before&ctxLine != 0 {
		op |= syntax.EmptyBeginLine
	}
	if end {
		op |= syntax.EmptyEndText | syntax.EmptyEndLine
	} else if newline {
		op |= syntax.EmptyEndLine
	}
	if (before&ctxWord != 0) != word {
		return op | syntax.EmptyWordBoundary
	}
	return op | syntax.EmptyNoWordBoundary
}
