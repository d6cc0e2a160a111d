package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// openText writes text to a file and opens it with small chunks, mapped or read.
func openText(t testing.TB, text string, chunk int64, mapped bool) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.chunk, f.mapFrom, f.wholeFrom = chunk, 1, 1
	if !mapped {
		f.mapFrom, f.wholeFrom = f.size+1, f.size+1
	}
	return f
}

type lineAt struct {
	Off  int64
	Line string
}

// diffLines is cmp.Diff, which is slow, where it is needed.
func diffLines(want, got []lineAt) string {
	if slices.Equal(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// splitText is the naive way: every line with its offset.
func splitText(text string) (all []lineAt) {
	off := int64(0)
	for line := range strings.Lines(text) {
		all = append(all, lineAt{off, strings.TrimSuffix(line, "\n")})
		off += int64(len(line))
	}
	return all
}

// chunkLines splits what Chunks gives, and checks what it says about each chunk.
func chunkLines(t testing.TB, f *File, workers int) []lineAt {
	t.Helper()
	var mu sync.Mutex
	var all []lineAt
	seen := map[int]bool{}
	starts := map[int64]int{}
	numbers := NewLines(f)
	f.Index = 7
	err := f.Chunks(context.Background(), workers, func(worker int, c Chunk) error {
		mu.Lock()
		defer mu.Unlock()
		if worker < 0 || worker >= max(1, workers) || c.File != 7 || seen[c.Seq] || c.Seq >= f.NumChunks() || len(c.B) == 0 {
			t.Errorf("worker %d, file %d, chunk %d of %d, %d bytes", worker, c.File, c.Seq, f.NumChunks(), len(c.B))
		}
		seen[c.Seq] = true
		if c.First != (c.Off == 0) || c.Last != (c.Off+int64(len(c.B)) == f.Size()) {
			t.Errorf("chunk at %d+%d: first %v last %v", c.Off, len(c.B), c.First, c.Last)
		}
		if !c.Last && c.B[len(c.B)-1] != '\n' {
			t.Errorf("chunk at %d does not end with a line", c.Off)
		}
		for _, l := range splitText(string(c.B)) {
			all = append(all, lineAt{c.Off + l.Off, l.Line})
		}
		starts[c.Off] = c.Seq
		numbers.Set(c.Seq, CountLines(c.B))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	slices.SortFunc(all, func(a, b lineAt) int { return int(a.Off - b.Off) })
	if n := numbers.Sum(); n != len(all) {
		t.Errorf("%d lines counted, %d given", n, len(all))
	}
	for i, l := range all {
		if seq, ok := starts[l.Off]; ok && numbers.First(seq) != i+1 {
			t.Errorf("chunk %d starts with line %d, want %d", seq, numbers.First(seq), i+1)
		}
	}
	return all
}

func checkSplit(t testing.TB, text string, chunk int64, workers int) {
	t.Helper()
	want := splitText(text)
	for _, mapped := range []bool{true, false} {
		f := openText(t, text, chunk, mapped)
		if d := diffLines(want, chunkLines(t, f, workers)); d != "" {
			t.Errorf("chunks of %d, %d workers, mapped %v, of %.200q:\n%s", chunk, workers, mapped, text, d)
		}
		f.slow = true
		if d := diffLines(want, chunkLines(t, f, workers)); d != "" {
			t.Errorf("slow: chunks of %d, of %.200q:\n%s", chunk, text, d)
		}
	}
}

var splitTexts = []string{
	"", "\n", "a", "a\n", "\na", "\n\n\n", "a\nb\nc\n", "a\nb\nc", "\xef\xbb\xbf{}\r\n{}\r\n", "long line of its own", "a\nlong line of its own\nb",
	strings.Repeat("x", 100) + "\n" + strings.Repeat("y", 7) + "\n", strings.Repeat("ab\n", 40), strings.Repeat("\n", 33), "a\n" + strings.Repeat("z", 30000) + "\nb",
}

func TestChunks(t *testing.T) {
	for _, text := range splitTexts {
		for _, chunk := range []int64{1, 2, 3, 7, 8, 4096, 1 << 20} {
			if chunk < 4 && len(text) > 1000 {
				continue
			}
			for _, workers := range []int{0, 1, 3} {
				checkSplit(t, text, chunk, workers)
			}
		}
	}
}

func FuzzChunks(f *testing.F) {
	for _, text := range splitTexts {
		f.Add(text, uint8(3), uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, chunk, workers uint8) {
		if len(text) > 20_000 {
			return
		}
		checkSplit(t, text, int64(chunk)+1, int(workers%5))
	})
}

// TestChunksOrder: the slow way gives chunks in file order.
func TestChunksOrder(t *testing.T) {
	f := openText(t, strings.Repeat("0123456\n", 1000), 64, false)
	f.slow = true
	next := int64(0)
	err := f.Chunks(context.Background(), 8, func(worker int, c Chunk) error {
		if c.Off != next || worker != 0 {
			t.Fatalf("chunk at %d from worker %d, want %d", c.Off, worker, next)
		}
		next += int64(len(c.B))
		return nil
	})
	if err != nil || next != f.Size() {
		t.Fatal(next, err)
	}
}

func TestChunksStop(t *testing.T) {
	stop := errors.New("stop")
	for _, mapped := range []bool{true, false} {
		f := openText(t, strings.Repeat("0123456\n", 1000), 64, mapped)
		calls := 0
		err := f.Chunks(context.Background(), 1, func(int, Chunk) error {
			calls++
			return stop
		})
		if err != stop || calls != 1 {
			t.Errorf("mapped %v: %v after %d calls", mapped, err, calls)
		}
		ctx, cancel := context.WithCancel(context.Background())
		calls = 0
		err = f.Chunks(ctx, 1, func(int, Chunk) error {
			calls++
			cancel()
			return nil
		})
		if err != context.Canceled || calls != 1 {
			t.Errorf("mapped %v: %v after %d calls", mapped, err, calls)
		}
		if err := f.Chunks(context.Background(), 3, func(int, Chunk) error { return stop }); err != stop {
			t.Errorf("mapped %v: %v", mapped, err)
		}
	}
}

func TestFile(t *testing.T) {
	text := "first\n" + strings.Repeat("x", 50000) + "\n\nlast"
	f := openText(t, text, 64, false)
	for _, c := range []struct {
		off  int64
		want string
		err  error
	}{
		{0, "first", nil}, {6, strings.Repeat("x", 50000), nil}, {50007, "", nil}, {50008, "last", nil}, {50010, "st", nil},
		{50012, "", io.EOF}, {60000, "", io.EOF},
	} {
		for _, buf := range [][]byte{nil, make([]byte, 10), make([]byte, 1<<16)} {
			got, err := f.ReadLine(c.off, buf)
			if string(got) != c.want || err != c.err {
				t.Errorf("line at %d: %.20q %v", c.off, got, err)
			}
		}
	}
	if n, err := f.ReadAt(make([]byte, 10), 50008); n != 4 || err != io.EOF {
		t.Error(n, err)
	}
	if n, err := f.ReadAt(make([]byte, 10), 3); n != 10 || err != nil {
		t.Error(n, err)
	}
	if _, err := f.ReadAt(make([]byte, 10), -1); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	all, err := ReadAll(f, nil)
	if err != nil || string(all) != text {
		t.Error(err)
	}
	again, err := ReadAll(f, all)
	if err != nil || string(again) != text || &again[0] != &all[0] {
		t.Error("the buffer is not used again", err)
	}
}

// TestFileGrows: what is appended after Open is not seen.
func TestFileGrows(t *testing.T) {
	for _, mapped := range []bool{true, false} {
		f := openText(t, "a\nb", 64, mapped)
		w, err := os.OpenFile(f.Path(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, "more\nlines\n")
		w.Close()
		want := []lineAt{{0, "a"}, {2, "b"}}
		if d := diffLines(want, chunkLines(t, f, 2)); d != "" {
			t.Error(d)
		}
		if b, err := ReadAll(f, make([]byte, 100)); string(b) != "a\nb" || err != nil {
			t.Errorf("%q %v", b, err)
		}
		buf, answer := make([]byte, 100), errors.New("of fn")
		if err := f.Whole(&buf, func(b []byte) error {
			if string(b) != "a\nb" || !mapped && &b[0] != &buf[0] {
				t.Errorf("%q", b)
			}
			return answer
		}); err != answer {
			t.Error(err)
		}
		var tail []lineAt
		f.Tail(context.Background(), func(off int64, line []byte) bool {
			tail = append(tail, lineAt{off, string(line)})
			return true
		})
		slices.Reverse(tail)
		if d := diffLines(want, tail); d != "" {
			t.Error(d)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	_, err := Open(dir)
	var pe *fs.PathError
	if !errors.As(err, &pe) || pe.Path != dir {
		t.Error(err)
	}
}

func checkShrank(t *testing.T, f *File, err error) {
	t.Helper()
	var pe *fs.PathError
	if !errors.Is(err, ErrShrank) || !errors.As(err, &pe) || pe.Path != f.Path() {
		t.Errorf("%v", err)
	}
}

// TestShrinks cuts a file at several places while it is scanned, mapped and read.
func TestShrinks(t *testing.T) {
	line := `{"a":"` + strings.Repeat("x", 1991) + "\"}\n"
	text := strings.Repeat(line, 500) // 1 MB
	for _, mapped := range []bool{true, false} {
		if mapped && runtime.GOOS == "windows" {
			continue
		}
		for _, to := range []int64{0, 100_000, 500_000, 999_990} {
			for _, workers := range []int{1, 3} {
				f := openText(t, text, 16384, mapped)
				var once sync.Once
				err := f.Chunks(context.Background(), workers, func(_ int, c Chunk) error {
					once.Do(func() {
						if err := os.Truncate(f.Path(), to); err != nil {
							t.Error(err)
						}
					})
					for line := range bytes.Lines(c.B) {
						pullValid(line) // the fault may come in the middle of a kernel
					}
					return nil
				})
				checkShrank(t, f, err)
			}
		}
		f := openText(t, text, 16384, mapped)
		if err := os.Truncate(f.Path(), 20_000); err != nil {
			t.Fatal(err)
		}
		checkShrank(t, f, f.Chunks(context.Background(), 2, func(int, Chunk) error { return nil }))
		_, err := ReadAll(f, nil)
		checkShrank(t, f, err)
		var buf []byte
		checkShrank(t, f, f.Whole(&buf, func([]byte) error { return nil }))
		f = openText(t, text, 16384, mapped)
		err = f.Whole(&buf, func(b []byte) error {
			if err := os.Truncate(f.Path(), 20_000); err != nil {
				t.Error(err)
			}
			for line := range bytes.Lines(b) {
				pullValid(line)
			}
			return nil
		})
		if mapped {
			checkShrank(t, f, err)
		} else if err != nil {
			t.Error(err) // it was all read before
		}
		_, err = f.ReadLine(40_000, nil)
		checkShrank(t, f, err)
		all := func(int64, []byte) bool { return true }
		_, err = f.Head(context.Background(), all)
		checkShrank(t, f, err)
		_, err = f.Tail(context.Background(), all)
		checkShrank(t, f, err)
	}
}

// TestGuardLetsPanicsPass: only a fault in the map is an error; a bug of the callback stays a panic.
func TestGuardLetsPanicsPass(t *testing.T) {
	f := openText(t, "a\nb\n", 64, true)
	for name, bug := range map[string]func(){
		"panic":     func() { panic("bug") },
		"nil":       func() { var p *Chunk; p.Off++ },
		"elsewhere": func() { panic(faultAt(8)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic was swallowed", name)
				}
			}()
			f.Chunks(context.Background(), 1, func(int, Chunk) error { bug(); return nil })
		}()
	}
}

type faultAt uintptr

func (a faultAt) Addr() uintptr { return uintptr(a) }

// TestHugeLine: a line of 100 MB is one chunk, and the scan of it is linear.
func TestHugeLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	path := filepath.Join(t.TempDir(), "huge.jsonl")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const huge = 100 << 20 // a hole: it reads as NULs
	w.WriteString("first\n")
	w.Seek(huge, io.SeekCurrent)
	w.WriteString("}\nlast\n")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := []int{5, huge + 1, 4}
	for _, slow := range []bool{false, true} {
		f, err := Options{Slow: slow}.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lengths := func(chunk Chunk) (all []int) {
			for line := range bytes.Lines(chunk.B) {
				all = append(all, len(line)-1)
			}
			return all
		}
		var mu sync.Mutex
		got := map[int64][]int{}
		err = f.Chunks(context.Background(), 2, func(_ int, c Chunk) error {
			l := lengths(c)
			mu.Lock()
			defer mu.Unlock()
			got[c.Off] = l
			return nil
		})
		if d := cmp.Diff(map[int64][]int{0: want[:2], huge + 8: want[2:]}, got); d != "" || err != nil {
			t.Error(d, err)
		}
		if slow {
			continue // the windows have no other way
		}
		var head, tail []int
		f.Head(context.Background(), func(_ int64, line []byte) bool { head = append(head, len(line)); return true })
		f.Tail(context.Background(), func(_ int64, line []byte) bool { tail = append(tail, len(line)); return true })
		slices.Reverse(tail)
		if !slices.Equal(head, want) || !slices.Equal(tail, want) {
			t.Error(head, tail)
		}
	}
}
