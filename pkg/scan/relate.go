package scan

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"csift/pkg/jsonl"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// Place is where a record stands: its line, and which of the records on it.
type Place struct{ Line, Part int32 }

// Related are the records that correspond to one.
type Related map[Place]bool

// Seed names the record that others are asked to correspond to: by its line in one of the files, or by its uuid in
// whichever file has it.
type Seed struct {
	File int // index of the file; with a UUID it is not used
	Line int // 1-based
	UUID string
}

// ErrNoRecord says that a Seed names nothing.
var ErrNoRecord = errors.New("no such record")

// Relate narrows files to the records that correspond to the seed: those with an edge (see section.Edges) that leads to
// it, and those with one that leads to such a record, and so on. The edge to a record's parent counts within a turn only:
// every record hangs below the first one of its file. The record itself is left out, and no relation leaves a file.
func Relate(ctx context.Context, files []File, seed Seed, q *Query) error {
	found := false
	for i := range files {
		files[i].Related = Related{}
		if seed.UUID == "" && i != seed.File {
			continue
		}
		rel, ok, err := relate(ctx, &files[i], seed, q)
		if err != nil && seed.UUID != "" {
			continue // the search tells what it cannot read
		}
		if err != nil {
			return err
		}
		if ok {
			files[i].Related, found = rel, true
		}
	}
	if !found {
		return ErrNoRecord
	}
	return ctx.Err()
}

// relates reports whether a record may be found in the file, as far as relations decide.
func (f *File) relates(l transcript.Loc) bool {
	return f.Related == nil || f.Related[Place{l.Line, l.Part}]
}

func relate(ctx context.Context, file *File, seed Seed, q *Query) (Related, bool, error) {
	f, err := transcript.Open(file.Transcript, transcript.Options{InLane: file.IsSubagent, Slow: q.Slow, Workers: q.Workers})
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if seed.UUID != "" {
		if ok, err := holds(ctx, f, seed.UUID); !ok || err != nil {
			return nil, false, err
		}
	}
	s, err := f.Structure(ctx)
	if err != nil {
		return nil, false, err
	}
	s.Cross(q.Crossings)
	seeds, err := placesOf(ctx, f, s, seed)
	if err != nil || len(seeds) == 0 {
		return nil, false, err
	}
	links, err := linksOf(ctx, f, s)
	if err != nil {
		return nil, false, err
	}
	return reach(seeds, links), true, nil
}

var errHeld = errors.New("it does")

// holds reports whether a text stands in a file.
func holds(ctx context.Context, f *transcript.File, text string) (bool, error) {
	err := f.Chunks(ctx, 1, func(_ int, c jsonl.Chunk) error {
		if bytes.Contains(c.B, []byte(text)) {
			return errHeld
		}
		return nil
	})
	if errors.Is(err, errHeld) {
		return true, nil
	}
	return false, err
}

// placesOf gives the records that a seed names; none when there is none. What corresponds to a record corresponds to its
// replay copies.
func placesOf(ctx context.Context, f *transcript.File, s *transcript.Structure, seed Seed) (out []Place, err error) {
	if seed.UUID != "" {
		if loc, ok := s.Find(seed.UUID); ok {
			out = append(out, Place{loc.Line, loc.Part})
		}
		return out, nil
	}
	if seed.Line < 1 || seed.Line > s.Lines {
		return nil, nil
	}
	ix, err := f.Index(ctx)
	if err != nil {
		return nil, err
	}
	err = f.EachLine(ctx, ix, seed.Line, seed.Line, func(loc transcript.Loc, line []byte) bool {
		var r record.Record
		seed := func(loc transcript.Loc, b []byte) {
			if !record.Decode(b, &r) {
				return
			}
			out = append(out, Place{loc.Line, loc.Part})
			if copied, ok := s.CopyOf(loc.Line, loc.Part); ok {
				if of, ok := s.FindAt(r.UUID.String(), copied); ok {
					out = append(out, Place{of.Line, of.Part})
				}
			}
		}
		t := jsonl.Trim(line, loc.Off == 0)
		if record.Decode(t, &r) {
			seed(loc, t)
			return false
		}
		parts, _ := record.Split(t)
		for i, b := range parts {
			seed(loc.In(line, i, b), b)
		}
		return false
	})
	return out, err
}

// link is a relation between two records of a file.
type link struct{ to, from Place }

func (a Place) compare(b Place) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Part, b.Part))
}

// linksOf gives the relations of all records of a file, by what they lead to.
func linksOf(ctx context.Context, f *transcript.File, s *transcript.Structure) ([]link, error) {
	type state struct {
		sec   section.Builder
		space section.Space
		links []link
	}
	workers := make([]state, f.Workers())
	err := f.EachRecord(ctx, func(n int, r *record.Record, loc transcript.Loc) {
		w := &workers[n]
		c := ContextFor(s, loc)
		w.space.Reset()
		secs := w.sec.Sections(r, &c)
		if len(secs) == 0 {
			secs = []section.Section{{Block: -1}}
		}
		unit := s.Unit(loc.Line, loc.Part)
		for i := range secs {
			for _, e := range w.space.Edges(r, &secs[i], s, loc) {
				if e.Line == nil || e.Kind == section.EdgeParent && s.Unit(e.At.Line, e.At.Part) != unit {
					continue
				}
				w.links = append(w.links, link{Place{e.At.Line, e.At.Part}, Place{loc.Line, loc.Part}})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var all []link
	for i := range workers {
		all = append(all, workers[i].links...)
	}
	slices.SortFunc(all, func(a, b link) int { return cmp.Or(a.to.compare(b.to), a.from.compare(b.from)) })
	return all, nil
}

// reach gives what leads to the seeds, over any number of links.
func reach(seeds []Place, links []link) Related {
	out := Related{}
	for _, p := range seeds {
		out[p] = true
	}
	for next := slices.Clone(seeds); len(next) > 0; {
		p := next[len(next)-1]
		next = next[:len(next)-1]
		i, _ := slices.BinarySearchFunc(links, p, func(l link, p Place) int { return l.to.compare(p) })
		for ; i < len(links) && links[i].to == p; i++ {
			if from := links[i].from; !out[from] {
				out[from] = true
				next = append(next, from)
			}
		}
	}
	for _, p := range seeds {
		delete(out, p)
	}
	return out
}

// relationKeys gives the words of a section's relations.
func (st *settling) relationKeys(w *worker, r *record.Record, s *section.Section, l transcript.Loc) (out []string) {
	for _, e := range w.space.Edges(r, s, st.s, l) {
		out = append(out, string(e.Kind))
	}
	return out
}
