package stdio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestChoose(t *testing.T) {
	kinds := []Kind{Closed, Terminal, File, FIFO, Socket, Null, Other}
	for _, k := range kinds {
		for _, front := range []bool{false, true} {
			for _, shared := range []bool{false, true} {
				ask := Ask{Out: k, Front: front, Shared: shared}
				want := Text
				if k == FIFO && !front && !shared {
					want = JSON
				}
				if got, why := Choose(ask); got != want || why == "" {
					t.Errorf("%+v: %v (%s)", ask, got, why)
				}
				for _, word := range []string{"text", "json", "jsonl"} {
					told, _ := ParseFormat(word)
					payload := ask
					payload.Payload = true
					if got, _ := Choose(payload); got != Text {
						t.Errorf("a payload into %v: %v", k, got)
					}
					payload.Env = word
					if got, _ := Choose(payload); got != Text {
						t.Errorf("a payload under CSIFT_FORMAT=%s: %v", word, got)
					}
					payload.Flag = word
					if got, _ := Choose(payload); got != told {
						t.Errorf("a payload with --format %s: %v", word, got)
					}
					byEnv := ask
					byEnv.Env = word
					if got, _ := Choose(byEnv); got != told {
						t.Errorf("CSIFT_FORMAT=%s into %v: %v", word, k, got)
					}
					byEnv.Flag = "text"
					if got, _ := Choose(byEnv); got != Text {
						t.Errorf("--format text under CSIFT_FORMAT=%s: %v", word, got)
					}
				}
			}
		}
	}
	if _, ok := ParseFormat("yaml"); ok {
		t.Error("yaml is no format")
	}
}

func TestKindOfFiles(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	gone, err := os.Create(filepath.Join(t.TempDir(), "gone"))
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for _, tt := range []struct {
		f    *os.File
		want Kind
	}{{file, File}, {dir, Other}, {null, Null}, {r, FIFO}, {w, FIFO}, {gone, Closed}, {nil, Closed}} {
		if got := KindOf(tt.f); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
	if !SameStream(w, w) || SameStream(file, file) || SameStream(nil, w) || SameStream(null, null) {
		t.Error("only a pipe is one stream with itself")
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r2.Close()
	defer w2.Close()
	if SameStream(w, w2) {
		t.Error("two pipes are not one stream")
	}
}

func TestUnread(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := Unread(f); n != 0 {
		t.Errorf("an empty file: %d", n)
	}
	io.WriteString(f, "12345")
	if n := Unread(f); n != 0 {
		t.Errorf("at the end: %d", n)
	}
	f.Seek(0, io.SeekStart)
	if n := Unread(f); n != 5 {
		t.Errorf("at the start: %d", n)
	}
	if at, _ := f.Seek(0, io.SeekCurrent); at != 0 {
		t.Errorf("it moved to %d", at)
	}
	if Unread(nil) != 0 {
		t.Error("a closed one")
	}
}

// slowWriter takes at most n bytes a write and fails with err after good bytes.
type slowWriter struct {
	bytes.Buffer
	writes int
	good   int
	err    error
}

func (w *slowWriter) Write(b []byte) (int, error) {
	w.writes++
	if w.err == nil {
		return w.Buffer.Write(b)
	}
	n := min(len(b), w.good-w.Len())
	w.Buffer.Write(b[:n])
	if n < len(b) {
		return n, w.err
	}
	return n, nil
}

func TestOut(t *testing.T) {
	var w slowWriter
	o := NewOut(&w)
	if o.Started() {
		t.Error("started before the first byte")
	}
	var want strings.Builder
	for i := range 3000 {
		s := strings.Repeat("x", i%120)
		want.WriteString(s + "y")
		o.WriteString(s)
		o.WriteByte('y')
	}
	big := bytes.Repeat([]byte("z"), 3*outSize)
	o.Write(big)
	want.Write(big)
	o.WriteString(string(big))
	want.Write(big)
	if err := o.Flush(); err != nil || w.String() != want.String() || !o.Started() {
		t.Errorf("%v, %d of %d bytes", err, w.Len(), want.Len())
	}
	if w.writes > 8 {
		t.Errorf("%d writes for %d bytes", w.writes, want.Len())
	}
	if w.writes = 0; o.Flush() != nil || w.writes != 0 {
		t.Error("an empty flush wrote")
	}
}

func TestOutKeepsTheFirstError(t *testing.T) {
	first := errors.New("first")
	w := slowWriter{good: 10, err: first}
	o := NewOut(&w)
	o.WriteString("0123456789abc")
	if err := o.Flush(); err != first || o.Err() != first || o.Broken() {
		t.Errorf("%v %v %v", err, o.Err(), o.Broken())
	}
	w.err = errors.New("second")
	n, err := o.Write([]byte("x"))
	if n != 0 || err != first || o.Flush() != first || w.String() != "0123456789" {
		t.Errorf("%d %v %q", n, err, w.String())
	}
	if _, err := o.WriteString("x"); err != first {
		t.Error(err)
	}
	if err := o.WriteByte('x'); err != first {
		t.Error(err)
	}
	nowhere := NewOut(nil)
	nowhere.WriteString("x")
	if nowhere.Flush() != nil {
		t.Error("a closed stream fails")
	}
}

func TestOutBroken(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	o := NewOut(w)
	o.WriteString("x")
	if o.Flush() == nil || !o.Broken() {
		t.Errorf("%v, broken %v", o.Err(), o.Broken())
	}
}

func TestOutBefore(t *testing.T) {
	var w slowWriter
	o := NewOut(&w)
	calls := 0
	o.Before = func() {
		calls++
		w.WriteString("<")
	}
	o.WriteString("a")
	o.WriteString("b")
	o.Flush()
	o.Flush()
	if calls != 1 || w.String() != "<ab" {
		t.Errorf("%d calls, %q", calls, w.String())
	}
}

// screen is a terminal that tests may read while it is written.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) { s.mu.Lock(); defer s.mu.Unlock(); return s.b.Write(b) }
func (s *screen) text() string                { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

func TestProgress(t *testing.T) {
	var s screen
	p := startProgress(&s, func() string { return strings.Repeat("ö", 200) }, time.Millisecond, time.Millisecond)
	for s.text() == "" {
		time.Sleep(time.Millisecond)
	}
	p.Stop()
	p.Stop()
	p.Clear()
	got := s.text()
	if !strings.HasPrefix(got, "\r"+strings.Repeat("ö", progressWidth)+eraseRight) || !strings.HasSuffix(got, eraseRight+"\r"+eraseRight) {
		t.Errorf("%q", got)
	}
	time.Sleep(5 * time.Millisecond)
	if s.text() != got {
		t.Error("it goes on after Stop")
	}

	var quick screen
	p = startProgress(&quick, func() string { return "x" }, time.Hour, time.Hour)
	p.Clear()
	p.Stop()
	if quick.text() != "" {
		t.Errorf("work that is soon done showed %q", quick.text())
	}
	var none *Progress
	none.Clear()
	none.Stop()
}
