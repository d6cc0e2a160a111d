package transcript

import (
	"context"
	"sort"

	"csift/pkg/jsonl"
)

// LineIndex finds a physical line in a file without reading what stands before it: one entry for each chunk of lines.
type LineIndex struct {
	Lines   int // in the whole file
	Damaged int // lines without a frame
	marks   []mark
	reached mark // where EachLine ended last: lines asked for one after the other cost what lies between them, and no more
}

type mark struct {
	off  int64
	line int // 1-based number of the line that starts there
}

func (ix *LineIndex) add(off int64, lines int) {
	ix.marks = append(ix.marks, mark{off: off, line: ix.Lines + 1})
	ix.Lines += lines
}

// before gives the last place at or before a line whose number is known.
func (ix *LineIndex) before(line int) mark {
	i := sort.Search(len(ix.marks), func(i int) bool { return ix.marks[i].line > line })
	at := mark{line: 1}
	if i > 0 {
		at = ix.marks[i-1]
	}
	if ix.reached.line > at.line && ix.reached.line <= line {
		at = ix.reached
	}
	return at
}

// Index counts the lines of the file and nothing else. Where the Structure is known it is taken from there.
func (f *File) Index(ctx context.Context) (*LineIndex, error) {
	if f.s != nil {
		f.s.index.Damaged = f.s.Unframed
		return &f.s.index, nil
	}
	type part struct {
		off            int64
		lines, damaged int
	}
	parts := make([]*part, f.NumChunks())
	err := f.Chunks(ctx, f.opt.Workers, func(_ int, c jsonl.Chunk) error {
		p := &part{off: c.Off}
		p.lines, _, p.damaged = jsonl.Census(c.B, c.First)
		parts[c.Seq] = p
		return nil
	})
	if err != nil {
		return nil, err
	}
	ix := &LineIndex{}
	for _, p := range parts {
		if p != nil {
			ix.add(p.off, p.lines)
			ix.Damaged += p.damaged
		}
	}
	return ix, nil
}

// EachLine calls fn with the lines lo to hi, 1-based and inclusive, until fn returns false. The bytes are without their
// newline and valid during the call. An index serves one goroutine.
func (f *File) EachLine(ctx context.Context, ix *LineIndex, lo, hi int, fn func(loc Loc, line []byte) bool) error {
	at := ix.before(lo)
	n := at.line
	end, err := f.LinesFrom(ctx, at.off, func(off int64, line []byte) bool {
		n++
		return (n <= lo || fn(Loc{Off: off, Len: int32(len(line)), Line: int32(n - 1)}, line)) && n <= hi
	})
	if err == nil {
		ix.reached = mark{off: end, line: n}
	}
	return err
}
