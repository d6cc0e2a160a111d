package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"csift/pkg/jsonl"
	"csift/pkg/record"
)

// Every record is fetched again from where the structure says it stands, and every line from the index.
func TestFetch(t *testing.T) {
	transcripts(t, func(path string, b []byte) {
		f, s := open(t, path, Options{})
		lines := bytes.Split(b, []byte("\n"))
		var r record.Record
		var buf []byte
		var err error
		for _, l := range s.locs {
			if buf, err = f.Record(l, &r, buf); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !bytes.Contains(lines[l.Line-1], r.Raw) {
				t.Fatalf("%s: line %d gives another record", path, l.Line)
			}
			if uuid := r.UUID.String(); uuid != "" {
				if at, ok := s.FindAt(uuid, int(l.Line)); !ok || at != l {
					t.Fatalf("%s: %s is found at %+v, not %+v", path, uuid, at, l)
				}
			}
		}
		plain, err := Open(path, Options{Slow: true})
		if err != nil {
			t.Fatal(err)
		}
		defer plain.Close()
		for _, f := range []*File{f, plain} { // with the structure known, and without
			ix, err := f.Index(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			n := len(lines)
			if len(lines[n-1]) == 0 {
				n--
			}
			if ix.Lines != n || ix.Damaged != s.Unframed {
				t.Fatalf("%s: %d lines, %d without a frame; want %d, %d", path, ix.Lines, ix.Damaged, n, s.Unframed)
			}
			at := 1
			err = f.EachLine(context.Background(), ix, 1, n, func(loc Loc, line []byte) bool {
				if int(loc.Line) != at || !bytes.Equal(line, lines[at-1]) || int(loc.Len) != len(line) {
					t.Fatalf("%s: line %d is told as %+v", path, at, loc)
				}
				at++
				return true
			})
			if err != nil || at != n+1 {
				t.Fatalf("%s: %d of %d lines: %v", path, at-1, n, err)
			}
		}
	})
}

// A file of several chunks, with lines longer than one.
func TestLineIndex(t *testing.T) {
	var lines []string
	for i := range 4000 {
		n := 500
		if i%1500 == 700 {
			n = 2 << 20
		}
		lines = append(lines, reply(fmt.Sprintf("u%d", i), "", strings.Repeat("x", n)))
	}
	path := save(t, lines...)
	for _, slow := range []bool{false, true} {
		f, err := Open(path, Options{Slow: slow})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ix, err := f.Index(context.Background())
		if err != nil || ix.Lines != len(lines) || len(ix.marks) < 3 {
			t.Fatalf("%d lines at %d marks: %v", ix.Lines, len(ix.marks), err)
		}
		for _, lo := range []int{1, 2, 700, 701, 702, 1999, 2201, 4000} {
			got := 0
			err := f.EachLine(context.Background(), ix, lo, lo+1, func(loc Loc, line []byte) bool {
				if int(loc.Line) != lo+got || string(line) != lines[lo+got-1] {
					t.Errorf("line %d is told as %d, %.60s", lo+got, loc.Line, line)
				}
				got++
				return true
			})
			if want := min(2, len(lines)-lo+1); err != nil || got != want {
				t.Errorf("from line %d: %d lines, want %d: %v", lo, got, want, err)
			}
		}
		calls := 0
		if err := f.EachLine(context.Background(), ix, 3, 9, func(Loc, []byte) bool { calls++; return false }); err != nil || calls != 1 {
			t.Errorf("told to stop, it goes on: %d, %v", calls, err)
		}
		if err := f.EachLine(context.Background(), ix, 4001, 4005, func(Loc, []byte) bool { t.Error("a line behind the end"); return true }); err != nil {
			t.Error(err)
		}
	}
}

func TestShrunk(t *testing.T) {
	lines := make([]string, 50)
	for i := range lines {
		lines[i] = reply(fmt.Sprintf("u%02d", i), "", strings.Repeat("y", 1000))
	}
	for _, slow := range []bool{false, true} {
		path := save(t, lines...)
		f, err := Open(path, Options{Slow: slow})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := os.Truncate(path, 3000); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Structure(context.Background()); !errors.Is(err, jsonl.ErrShrank) {
			t.Errorf("structure: %v", err)
		}
		if _, err := f.Index(context.Background()); !errors.Is(err, jsonl.ErrShrank) {
			t.Errorf("index: %v", err)
		}
		if _, err := f.Line(Loc{Off: 20000, Len: 1000, Line: 20}, nil); !errors.Is(err, jsonl.ErrShrank) {
			t.Errorf("line: %v", err)
		}
	}
}

// A file that is written anew under an open transcript is an error, not another record.
func TestMoved(t *testing.T) {
	path := save(t, user("a1", "", "one"), user("a2", "a1", "two"), user("a3", "a2", "three"))
	f, s := open(t, path, Options{})
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	loc := s.locs[1]
	for name, b := range map[string][]byte{
		"shifted":      append([]byte("\n"), old[:len(old)-1]...),
		"joined":       bytes.Replace(old, []byte("}\n{"), []byte("} {"), 1),
		"split":        bytes.Replace(old, []byte("two"), []byte("t\no"), 1),
		"another text": bytes.Replace(old, []byte(`{"type":"user","uuid":"a2"`), []byte(`{"type":"user""uuid":"a2" `), 1),
	} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var r record.Record
		if _, err := f.Record(loc, &r, nil); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, l := range []Loc{{Off: 1 << 40, Len: 5}, {Off: loc.Off, Len: 1 << 20}} {
		if _, err := f.Line(l, nil); !errors.Is(err, ErrMoved) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.jsonl"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	path := save(t, user("a1", "", "one"))
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Structure(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("structure: %v", err)
	}
	if _, err := f.Structure(context.Background()); err != nil {
		t.Errorf("and afterwards: %v", err)
	}
}
