package recover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"csift/pkg/cli"
	"csift/pkg/jsonl"
	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/target"
)

// What states the path of a plan file, or shows a plan's text, besides attachments, which are named by their type:
// plan_mode, plan_mode_exit, plan_mode_reentry (2.1.101 to 2.1.332), plan_file_reference (after a compaction).
const (
	planModeType    = "plan_mode"
	exitPlanMode    = "ExitPlanMode" // its input has planFilePath since plans are files
	clearedWithPlan = "planContent"  // of a prompt that starts a session anew with a plan (2.1.29 to 2.1.80)
)

// planPlace is where a record stands that says something about plans.
type planPlace struct {
	Line  int
	UUID  string
	Stamp string // timestamp as written
}

// A planStatement is a record that states the path of the plan file.
type planStatement struct {
	planPlace
	Path string
	By   string // type of the attachment, or ExitPlanMode
	Slug string // the record's own, "" for none
	From string // the session that the record was copied from by a branch, "" for one of its own
}

// A slugMark is a record that carries a slug, the name that Claude Code gives to a session's plan file. Records carry it
// from when it is made up: at the first answer in builds up to 2.0.77, at plan mode or a compaction in later ones.
type slugMark struct {
	planPlace
	Slug       string
	Compaction bool   // the record is the boundary of a compaction
	From       string // as of a statement
}

// planNotes are what one transcript says about plans, in file order.
type planNotes struct {
	Said    []planStatement
	Slugs   []slugMark  // the first slug and every other one that follows it
	Text    *planPlace  // the last record that shows a plan's text
	TextBy  string      // what that is: ExitPlanMode, planContent, or the type of an attachment
	Odd     []planPlace // statements whose path is no path of a file
	Damaged []int       // lines that hold no whole record and the word planFilePath
}

// planGate finds the lines that may say something about plans: their keys and the name of the tool, however spelled.
var planGate = sync.OnceValue(func() *match.Prefilter {
	m, err := match.Compile("planFilePath|planContent|ExitPlanMode|slug", match.Options{})
	if err != nil {
		panic(err)
	}
	return m.Prefilter(nil)
})

var (
	planPathKey = []byte("planFilePath")
	planTextKey = []byte("planContent")
	planCall    = []byte(exitPlanMode)
	slugWord    = []byte("slug")
	toolUseWord = []byte(`"tool_use"`)
	escapeMark  = []byte(`\u00`)
)

// readPlanNotes reads a transcript with up to workers goroutines. Only lines that the gate lets through are parsed; under
// slow all are.
func readPlanNotes(ctx context.Context, path string, slow bool, workers int) (*planNotes, error) {
	f, err := jsonl.Options{Slow: slow}.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parts := make([]*planPart, f.NumChunks())
	lines := jsonl.NewLines(f)
	readers := make([]planReader, max(1, workers))
	err = f.Chunks(ctx, workers, func(worker int, c jsonl.Chunk) error {
		lines.Set(c.Seq, jsonl.CountLines(c.B))
		p := &planPart{}
		if r := &readers[worker]; slow {
			r.every(c, p)
		} else {
			r.gated(c, p)
		}
		parts[c.Seq] = p
		return nil
	})
	if err != nil {
		return nil, err
	}
	lines.Sum()
	return joinPlans(parts, lines), nil
}

// planPart is what a chunk says; its lines count from 0.
type planPart struct{ planNotes }

func joinPlans(parts []*planPart, lines *jsonl.Lines) *planNotes {
	all := &planNotes{}
	for seq, p := range parts {
		if p == nil {
			continue
		}
		first := lines.First(seq)
		for _, s := range p.Said {
			s.Line += first
			all.Said = append(all.Said, s)
		}
		for _, s := range p.Slugs {
			s.Line += first
			if n := len(all.Slugs); n == 0 || all.Slugs[n-1].Slug != s.Slug {
				all.Slugs = append(all.Slugs, s)
			}
		}
		for _, o := range p.Odd {
			o.Line += first
			all.Odd = append(all.Odd, o)
		}
		for _, n := range p.Damaged {
			all.Damaged = append(all.Damaged, n+first)
		}
		if p.Text != nil {
			at := *p.Text
			at.Line += first
			all.Text, all.TextBy = &at, p.TextBy
		}
	}
	return all
}

// planReader reads lines for one goroutine.
type planReader struct{ rec record.Record }

// every reads all lines of a chunk: the oracle of gated.
func (r *planReader) every(c jsonl.Chunk, p *planPart) {
	n := 0
	for b, first := c.B, c.First; len(b) > 0; n, first = n+1, false {
		line := cutLine(&b)
		r.line(jsonl.Trim(line, first), n, p)
	}
}

// gated reads the lines of a chunk that can say something new.
func (r *planReader) gated(c jsonl.Chunk, p *planPart) {
	gate := planGate()
	b, n := c.B, 0
	for len(b) > 0 {
		i := gate.Index(b)
		if i < 0 {
			return
		}
		start := bytes.LastIndexByte(b[:i], '\n') + 1
		n += bytes.Count(b[:start], newlineByte)
		first := c.First && start == 0 && len(b) == len(c.B)
		b = b[start:]
		if line := cutLine(&b); p.tells(line) {
			r.line(jsonl.Trim(line, first), n, p)
		}
		n++
	}
}

var newlineByte = []byte{'\n'}

// cutLine takes the first line off b.
func cutLine(b *[]byte) []byte {
	i := bytes.IndexByte(*b, '\n')
	if i < 0 {
		line := *b
		*b = nil
		return line
	}
	line := (*b)[:i]
	*b = (*b)[i+1:]
	return line
}

// tells reports whether a line can say more than that the slug is the one it was.
func (p *planPart) tells(line []byte) bool {
	switch {
	case bytes.Contains(line, planPathKey), bytes.Contains(line, planTextKey), bytes.Contains(line, escapeMark):
		return true
	case bytes.Contains(line, planCall) && bytes.Contains(line, toolUseWord): // lists of tools name it too
		return true
	case len(p.Slugs) == 0:
		return bytes.Contains(line, slugWord)
	}
	same := `"slug":"` + p.Slugs[len(p.Slugs)-1].Slug + `"`
	return bytes.Count(line, slugWord) > bytes.Count(line, []byte(same))
}

// line reads a trimmed line, the nth of its chunk.
func (r *planReader) line(t []byte, n int, p *planPart) {
	if len(t) == 0 {
		return
	}
	if record.Decode(t, &r.rec) {
		r.found(n, p)
		return
	}
	parts, damaged := record.Split(t)
	for _, b := range parts {
		if record.Decode(b, &r.rec) {
			r.found(n, p)
		}
	}
	if damaged && bytes.Contains(t, planPathKey) {
		p.Damaged = append(p.Damaged, n)
	}
}

// found takes what a record says.
func (r *planReader) found(n int, p *planPart) {
	rec := &r.rec
	at := func() planPlace {
		return planPlace{Line: n, UUID: rec.UUID.String(), Stamp: rec.Timestamp.String()}
	}
	slug := rec.Raw.Get("slug").Str().String()
	if !validSlug(slug) {
		slug = ""
	}
	if slug != "" && (len(p.Slugs) == 0 || p.Slugs[len(p.Slugs)-1].Slug != slug) {
		boundary := rec.Type.Is("system") && rec.Subtype.Is("compact_boundary")
		p.Slugs = append(p.Slugs, slugMark{planPlace: at(), Slug: slug, Compaction: boundary, From: branchedFrom(rec)})
	}
	from, looked := "", false // once a record, which may state thousands
	branched := func() string {
		if !looked {
			from, looked = branchedFrom(rec), true
		}
		return from
	}
	say := func(path, by string) {
		switch {
		case path == "":
		case !namesFile(path):
			p.Odd = append(p.Odd, at())
		default:
			p.Said = append(p.Said, planStatement{planPlace: at(), Path: path, By: by, Slug: slug, From: branched()})
		}
	}
	show := func(text record.Str, by string) {
		if len(bytes.TrimSpace(text)) > 0 {
			place := at()
			p.Text, p.TextBy = &place, by
		}
	}
	switch {
	case rec.Type.Is("attachment"):
		by := rec.Attachment.Get("type").Str().String()
		say(rec.Attachment.Get("planFilePath").Str().String(), by)
		show(rec.Attachment.Get("planContent").Str(), by)
	case rec.Type.Is("user"):
		show(rec.Raw.Get("planContent").Str(), clearedWithPlan)
	case rec.Type.Is("assistant"):
		for i := range rec.Blocks {
			if b := &rec.Blocks[i]; b.Type.Is("tool_use") && b.Name.Is(exitPlanMode) {
				say(b.Input.Get("planFilePath").Str().String(), exitPlanMode)
				show(b.Input.Get("plan").Str(), exitPlanMode)
			}
		}
	}
}

// branchedFrom gives the session that a record was copied from when it was branched, "" for one that is no copy.
func branchedFrom(rec *record.Record) string {
	return rec.Raw.Get("forkedFrom").Get("sessionId").Str().String()
}

// maxSlug is how long a slug may be.
const maxSlug = 120

// validSlug reports whether a text can be a slug, and so the name of a file: a small letter or digit first, then letters,
// digits and dashes.
func validSlug(s string) bool {
	if s == "" || len(s) > maxSlug {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case i > 0 && (c == '-' || c >= 'A' && c <= 'Z'):
		default:
			return false
		}
	}
	return true
}

// planned is one transcript of a scope and what it says about plans.
type planned struct {
	t     *target.Transcript
	notes *planNotes
}

// readPlans reads all transcripts of a set, or those that want picks, at once and gives them in the order of the set.
// What cannot be read is told.
func readPlans(ctx context.Context, env *cli.Env, set *target.Set, want func(path string, slow bool) (bool, error)) (all []planned) {
	notes := make([]*planNotes, len(set.Transcripts))
	errs := make([]error, len(notes))
	workers := runtime.GOMAXPROCS(0)
	if env.Slow {
		workers = 1
	}
	inFile := max(1, workers/max(1, len(notes))) // few files are read by several goroutines each
	var next, done atomic.Int64
	progress := env.Progress(func() string { return fmt.Sprintf("%d of %d transcripts read", done.Load(), len(notes)) })
	defer progress.Stop()
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(notes) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			path := set.Transcripts[i].Path
			done.Add(1)
			if want != nil && !env.Slow {
				if yes, err := want(path, env.Slow); err != nil || !yes {
					errs[i] = err
					continue
				}
			}
			notes[i], errs[i] = readPlanNotes(ctx, path, env.Slow, inFile)
		}
	}
	var wg sync.WaitGroup
	for range min(workers, len(notes)) {
		wg.Go(work)
	}
	wg.Wait()
	for i, n := range notes {
		if errs[i] == nil && n != nil {
			all = append(all, planned{t: &set.Transcripts[i], notes: n})
		}
		env.Unread(set.Transcripts[i].Path, errs[i])
	}
	return all
}

// mentions reports whether a transcript's bytes may spell a name, in any JSON spelling.
func mentions(ctx context.Context, gate *match.Prefilter) func(path string, slow bool) (bool, error) {
	if gate == nil {
		return nil
	}
	return func(path string, slow bool) (bool, error) {
		f, err := jsonl.Options{Slow: slow}.Open(path)
		if err != nil {
			return false, err
		}
		defer f.Close()
		var found atomic.Bool
		stop := errors.New("found")
		err = f.Chunks(ctx, 1, func(_ int, c jsonl.Chunk) error {
			if gate.Index(c.B) < 0 {
				return nil
			}
			found.Store(true)
			return stop
		})
		if errors.Is(err, stop) {
			err = nil
		}
		return found.Load(), err
	}
}
