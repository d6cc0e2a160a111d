package replay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// large is a file of n lines, read whole, and edits all over it. step says what an edit carries.
func large(n, edits int, step func(e *Event, old, new string)) []Event {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tline %d of it", i+1)
	}
	events := []Event{{Kind: Read, At: Place{Line: 1}, HasText: true, Text: strings.Join(lines, "\n"), Start: 1, Count: n, Total: n}}
	at := 0
	for i := range edits {
		at = (at + n/3 + 7*i) % (n - 10)
		k := at + 3
		old := strings.TrimPrefix(lines[k], "\t")
		e := Event{Kind: Edit, At: Place{Line: i + 2}}
		step(&e, old, fmt.Sprintf("edited %d of it\n\tadded %d of it", i, i))
		h := Hunk{OldStart: at + 1, OldLines: 7, NewStart: at + 1, NewLines: 8}
		for j := at; j < at+7; j++ {
			if j != k {
				h.Lines = append(h.Lines, " "+untab(lines[j]))
				continue
			}
			h.Lines = append(h.Lines, "-"+untab(lines[k]), fmt.Sprintf("+  edited %d of it", i), fmt.Sprintf("+  added %d of it", i))
		}
		if e.Hunks != nil {
			e.Hunks = []Hunk{h}
		}
		lines[k] = fmt.Sprintf("\tedited %d of it", i)
		lines = append(lines[:k+1], append([]string{fmt.Sprintf("\tadded %d of it", i)}, lines[k+1:]...)...)
		events = append(events, e)
	}
	return events
}

func patchedEdit(e *Event, old, new string) {
	e.Hunks, e.Edits = []Hunk{}, []Replacement{{Old: old, New: new}}
}

func plainEdit(e *Event, old, new string) { e.Edits = []Replacement{{Old: old, New: new}} }

// TestLarge keeps edits of a large file from taking time in the number of its lines times the number of edits.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for name, step := range map[string]func(*Event, string, string){"patch": patchedEdit, "strings": plainEdit} {
		edits := 1000
		if name == "strings" {
			edits = 100 // each is looked for in all of the file
		}
		events := large(200_000, edits, step)
		start := time.Now()
		r := Run(events, Options{})
		if n, _ := r.Buffer.Seen(); n != 200_000+edits || !r.Buffer.Complete() || r.Count("edit_unanchorable") > 0 {
			t.Errorf("%s: %d lines, complete %v, %v", name, n, r.Buffer.Complete(), r.Counts())
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

func BenchmarkEdits(b *testing.B) {
	events := large(200_000, 1000, patchedEdit)
	b.ResetTimer()
	for b.Loop() {
		Run(events, Options{})
	}
}
