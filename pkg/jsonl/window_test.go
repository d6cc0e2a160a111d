package jsonl

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
)

// head and tail take at most n lines; tail in file order.
func head(t testing.TB, f *File, from int64, n int) (got []lineAt, end int64) {
	t.Helper()
	end, err := f.LinesFrom(context.Background(), from, func(off int64, line []byte) bool {
		got = append(got, lineAt{off, string(line)})
		return len(got) < n
	})
	if err != nil {
		t.Error(err)
	}
	return got, end
}

func tail(t testing.TB, f *File, n int) (got []lineAt, start int64) {
	t.Helper()
	start, err := f.Tail(context.Background(), func(off int64, line []byte) bool {
		got = append(got, lineAt{off, string(line)})
		return len(got) < n
	})
	if err != nil {
		t.Error(err)
	}
	slices.Reverse(got)
	return got, start
}

func checkWindows(t testing.TB, text string, n int) {
	t.Helper()
	f := openText(t, text, 64, false)
	want := splitText(text)
	n = max(1, min(n, len(want)))
	offset := func(i int) int64 { // of line i; the size behind the last
		if i < len(want) {
			return want[i].Off
		}
		return f.Size()
	}
	got, end := head(t, f, 0, n)
	if d := diffLines(want[:min(n, len(want))], got); d != "" || end != offset(n) {
		t.Errorf("head of %d, end %d, of %.200q:\n%s", n, end, text, d)
	}
	got, end = head(t, f, end, len(want)+1)
	if d := diffLines(want[min(n, len(want)):], got); d != "" || end != f.Size() {
		t.Errorf("after the head of %d, end %d, of %.200q:\n%s", n, end, text, d)
	}
	got, start := tail(t, f, n)
	if d := diffLines(want[max(0, len(want)-n):], got); d != "" || start != offset(max(0, len(want)-n)) {
		t.Errorf("tail of %d, start %d, of %.200q:\n%s", n, start, text, d)
	}
	got, start = tail(t, f, len(want)+1)
	if d := diffLines(want, got); d != "" || start != 0 {
		t.Errorf("tail, start %d, of %.200q:\n%s", start, text, d)
	}
}

var windowTexts = append([]string{
	strings.Repeat("x", firstBlock-1) + "\n" + strings.Repeat("y", 5000) + "\n",
	strings.Repeat("x", firstBlock) + "\n" + strings.Repeat("y", firstBlock) + "\n",
	strings.Repeat("x", firstBlock+1) + "\nshort\n" + strings.Repeat("y", 2*firstBlock) + "\nshort\n" + strings.Repeat("z", 5*firstBlock),
	strings.Repeat(strings.Repeat("line ", 300)+"\n", 300),
	strings.Repeat("a\n", 20000),
	strings.Repeat("\n", firstBlock+pageSize+1),
	strings.Repeat("long ", 200_000) + "\n" + strings.Repeat("more ", 200_000),
}, splitTexts...)

func TestWindows(t *testing.T) {
	for _, text := range windowTexts {
		for _, n := range []int{1, 2, 3, 100, 1 << 20} {
			checkWindows(t, text, n)
		}
	}
}

// FuzzWindows repeats and stretches lines, since only files longer than a block are of interest.
func FuzzWindows(f *testing.F) {
	f.Add("a\n\nb", uint16(6000), uint16(300), uint16(3))
	f.Add("a\nb\n", uint16(1), uint16(40000), uint16(3))
	f.Fuzz(func(t *testing.T, text string, repeat, stretch, n uint16) {
		if len(text)*(int(repeat)+int(stretch)) > 1<<20 {
			return
		}
		text = strings.ReplaceAll(text, "b", strings.Repeat("b", int(stretch)))
		if len(text)*int(repeat) > 1<<20 {
			return
		}
		checkWindows(t, text+strings.Repeat(text, int(repeat)), int(n))
	})
}

// TestWindowsLeaveTheMiddle: a hole of many gigabytes between head and tail is not read.
func TestWindowsLeaveTheMiddle(t *testing.T) {
	f := openText(t, strings.Repeat("first\n", 10000), 64, false)
	if err := os.Truncate(f.Path(), 1<<36); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(f.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("\nlast\n")
	w.Close()
	g, err := Open(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	got, end := head(t, g, 0, 2)
	if d := diffLines([]lineAt{{0, "first"}, {6, "first"}}, got); d != "" || end != 12 {
		t.Error(d, end)
	}
	got, start := tail(t, g, 1)
	if d := diffLines([]lineAt{{1<<36 + 1, "last"}}, got); d != "" || start != 1<<36+1 {
		t.Error(d, start)
	}
}
