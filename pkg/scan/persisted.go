package scan

import (
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// marks gives the literals of lines that may match by help of words that do not stand on them.
func (q *Query) marks() []string {
	marks := section.Marks(q.Match.Touches, q.readsLeaf)
	if q.Persisted {
		marks = append(marks, transcript.PersistedMark)
	}
	return marks
}

// outputs has the workers put back the outputs that were moved out of a file's results.
func (r *runner) outputs(i int, workers ...*worker) {
	for _, w := range workers {
		w.sec.Persisted = nil
		if r.q.Persisted {
			w.sec.Persisted = r.files[i].Outputs()
		}
	}
}

// Outputs gives what puts back the outputs that were moved out of the file's results.
func (f *File) Outputs() *transcript.Persisted {
	return transcript.NewPersisted(f.Transcript, f.ParentSessionID)
}

// tally counts what of the outputs of the record just looked at could not be read.
func (w *worker) tally() {
	p := w.sec.Persisted
	if p == nil {
		return
	}
	if p.Unread > 0 {
		w.cur.unresolved++
	}
	if p.Cut > 0 {
		w.cur.partly++
	}
	p.Unread, p.Cut = 0, 0
}
