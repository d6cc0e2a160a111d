package jsonl

// Lines turns the line counts of the chunks of one file, which come in any order, into line numbers.
type Lines struct {
	n []int // lines of each chunk; after Sum, lines before it
}

// NewLines is for the chunks of f. It starts with no lines anywhere.
func NewLines(f *File) *Lines { return &Lines{n: make([]int, f.NumChunks()+1)} }

// Set says how many lines the chunk seq holds. Different chunks may be set from different goroutines at once.
func (l *Lines) Set(seq, lines int) { l.n[seq] = lines }

// Sum ends the counting and returns the number of lines of the file.
func (l *Lines) Sum() int {
	sum := 0
	for i, n := range l.n {
		l.n[i] = sum
		sum += n
	}
	return sum
}

// First is the number, from 1, of the first line of the chunk seq. It is known after Sum.
func (l *Lines) First(seq int) int { return l.n[seq] + 1 }
