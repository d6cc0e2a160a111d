package search

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"syscall"

	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/jsonl"
	"csift/pkg/match"
	"csift/pkg/record"
	"csift/pkg/row"
	"csift/pkg/scan"
	"csift/pkg/section"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// budget is how many characters of a text an excerpt shows.
const budget = 400

// hit is one matched section, as a row of hits[] or siblings[].
type hit struct {
	row.Ref
	section.Unit
	Excerpt     string  `json:"excerpt"`
	Body        *string `json:"body"`
	Refetch     string  `json:"refetch"`
	RefetchUUID *string `json:"refetch_uuid"`

	cut   bool
	among bool // it shares its line
}

// exchange is the row of one turn.
type exchange struct {
	Kind string `json:"kind"`
	row.Ref
	ParentMissing   bool     `json:"parent_missing,omitempty"` // the session's own transcript is gone
	TurnIndex       *int     `json:"turn_index"`               // null for what the conversation went on without
	SupersededDraft bool     `json:"superseded_draft"`
	TSUTC           *string  `json:"ts_utc"`
	TSLocal         *string  `json:"ts_local"`
	RecordUUIDs     []string `json:"record_uuids"`
	Hits            []hit    `json:"hits"`

	*family

	head head // of an abandoned unit
}

// family is what --siblings adds to an exchange.
type family struct {
	Siblings       []hit   `json:"siblings"`
	SiblingsHidden int     `json:"siblings_hidden"`
	TurnLines      *[2]int `json:"turn_lines"`
}

// painter renders exchanges; one serves one goroutine.
type painter struct {
	*job
	m     *match.Matcher
	sec   section.Builder
	rec   record.Record
	files fileCache
	line  []byte
	text  []byte
	out   []byte
	token string // names the transcript under way
	fetch fetching
	rival section.Rival
	cut   bool // an excerpt did not show all of its text

	contexts section.Contexts
	space    section.Space // of the exchange under way, as are the next two
	hits     []hit
	row      exchange
	ref      []byte // the members of the Ref of file refOf, in JSON
	refOf    *scan.File
}

func newPainter(j *job) *painter {
	p := &painter{job: j, m: j.query.Match.Clone()}
	p.sec.Filter = j.query.Filter
	return p
}

// encode appends the row of an exchange in JSON.
func (p *painter) encode(buf []byte, x *scan.Exchange, e *exchange) []byte {
	if p.query.Slow {
		return row.Append(buf, e)
	}
	if f := &p.job.files[x.File]; p.refOf != f {
		p.ref, p.refOf = f.Ref.Members(p.ref[:0]), f
	}
	return appendExchange(buf, e, p.ref)
}

// maxKept is how many hits a painter keeps room for.
const maxKept = 1 << 10

// exchange reads the records of an exchange again and makes its row, which is valid until the next one is made.
func (p *painter) exchange(x *scan.Exchange) (*exchange, error) {
	f := &p.job.files[x.File]
	p.name(p.set.Transcripts[x.File].Token(0))
	if p.opt.Persisted {
		p.sec.Persisted = f.Outputs()
	}
	s := p.res.Files[x.File].Structure
	p.space.Reset()
	if p.hits = p.hits[:0]; p.hits == nil || cap(p.hits) > maxKept {
		p.hits = make([]hit, 0, 16)
	}
	e := &p.row
	*e = exchange{Kind: "exchange", Ref: f.Ref, ParentMissing: p.set.Transcripts[x.File].ParentMissing, RecordUUIDs: s.UUIDs(x.Unit)}
	if e.RecordUUIDs == nil {
		e.RecordUUIDs = []string{}
	}
	if s.IsTurn(x.Unit) {
		e.TurnIndex = &x.Unit
	} else {
		e.head = headOf(s, x.Unit)
		e.SupersededDraft = e.head.word == row.DraftWord
	}
	e.RecordUUIDs = pendingUUIDs(e.RecordUUIDs, x)
	for i := range x.Hits {
		n := len(p.hits)
		err := p.hit(x, &x.Hits[i])
		if err == nil && len(p.hits) == n {
			err = transcript.ErrMoved
		}
		if err != nil {
			return nil, err
		}
	}
	e.Hits = p.hits
	at := s.OpenedAt(x.Unit)
	if x.Opened && at != "" {
		e.TSUTC, e.TSLocal = when.Pair(at)
	}
	for i := range e.Hits {
		if e.TSUTC == nil || (!x.Opened && e.Hits[i].TSUTC != nil && *e.Hits[i].TSUTC < *e.TSUTC) {
			e.TSUTC, e.TSLocal = e.Hits[i].TSUTC, e.Hits[i].TSLocal
		}
	}
	if p.opt.Siblings {
		var err error
		e.family, err = p.siblings(f, s, x)
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// record appends to p.hits the sections of one record that match, or, for siblings, all of them.
func (p *painter) record(f *scan.File, s *transcript.Structure, loc transcript.Loc, matching bool) error {
	if err := p.read(f, loc); err != nil {
		return err
	}
	if !matching && !p.query.ShowsBeside(&p.rec) {
		return nil
	}
	delivered, abandoned := section.Delivered(&p.rec), s.Abandoned(loc.Line, loc.Part)
	secs := p.sec.Sections(&p.rec, p.contexts.Of(s, loc))
	for i := range secs {
		leaf, ok := p.query.Filter.Pick(secs[i].Labels, delivered, abandoned)
		if matching && !ok {
			continue
		}
		if !matching && leaf == 0 && len(secs[i].Labels) > 0 {
			leaf = secs[i].Labels[0]
		}
		text := p.sectionText(&secs[i])
		from, to := -1, -1
		if matching && !p.m.Empty() {
			if from, to = p.m.Find(text); from < 0 {
				continue
			}
		}
		h := p.next(f)
		h.among = loc.Size > 0
		p.space.Describe(&h.Unit, &p.rec, &secs[i], leaf, s, loc)
		if h.SupersedingLine != nil {
			if err := p.compare(f, &h.Unit, text, s, loc); err != nil {
				return err
			}
		}
		p.fill(h, text, from, to)
	}
	return nil
}

// next makes room for one more hit in p.hits.
func (p *painter) next(f *scan.File) *hit {
	p.hits = append(p.hits, hit{Ref: f.Ref})
	return &p.hits[len(p.hits)-1]
}

// sectionText decodes a section's text into the painter's buffer where it is not decoded yet.
func (p *painter) sectionText(s *section.Section) []byte {
	if s.Raw == nil {
		return s.Text
	}
	p.text = jsonl.Unescape(p.text[:0], s.Raw)
	return p.text
}

func (p *painter) fill(h *hit, text []byte, from, to int) {
	n := budget
	if p.opt.NoTruncate {
		n = 0
		body := excerpt.Valid(string(text))
		h.Body = &body
	}
	var left int
	p.out, left = excerpt.AppendMatch(p.out[:0], text, n, from, to)
	h.Excerpt = p.space.Text(p.out)
	if left > 0 {
		h.cut, p.cut = true, true
	}
	if h.Line != nil {
		p.out = append(p.out[:0], p.fetch.line.before...)
		p.out = strconv.AppendInt(p.out, int64(*h.Line), 10)
		h.Refetch = p.space.Text(append(p.out, p.fetch.line.after...))
	}
	if h.UUID != nil && *h.UUID != "" {
		uuid := *h.UUID
		if !bare(uuid) {
			uuid = cli.Quote(uuid)
		}
		p.out = append(append(p.out[:0], p.fetch.uuid.before...), uuid...)
		h.RefetchUUID = p.space.Keep(append(p.out, p.fetch.uuid.after...))
	}
}

// unquoted are the characters of uuids as Claude Code writes them.
var unquoted = func() (t [256]bool) {
	for _, c := range "0123456789abcdef-" {
		t[c] = true
	}
	return t
}()

// bare reports whether a uuid stands in a command as it is. Hexadecimal digits are told by a table: no branch foresees
// them.
func bare(uuid string) bool {
	for i := range len(uuid) {
		if !unquoted[uuid[i]] {
			return false
		}
	}
	return true
}

// fetching is how the records of one transcript are fetched: the commands with --line and --uuid.
type fetching struct {
	of         string // what names the transcript
	line, uuid around
}

// around is a command around the value of a flag.
type around struct{ before, after string }

// name sets the transcript whose records are rendered from now on.
func (p *painter) name(token string) {
	if p.token = token; p.fetch.of == token {
		return
	}
	around := func(flag string) (c around) {
		const value = "VALUE-OF-THE-FLAG"
		c.before, c.after, _ = strings.Cut(p.env.Command("show", token, flag, value), value)
		return c
	}
	p.fetch = fetching{token, around("--line"), around("--uuid")}
}

// read decodes the record at a place.
func (p *painter) read(f *scan.File, loc transcript.Loc) (err error) {
	file, err := p.files.open(f.Transcript, transcript.Options{Slow: p.query.Slow})
	if err != nil {
		return err
	}
	p.line, err = file.Record(loc, &p.rec, p.line)
	return err
}

// fileCache keeps a few files open.
type fileCache struct {
	files []*transcript.File
}

const maxOpen = 8

func (c *fileCache) open(path string, opt transcript.Options) (*transcript.File, error) {
	for i, f := range c.files {
		if f.Path() == path {
			c.files[0], c.files[i] = f, c.files[0]
			return f, nil
		}
	}
	if len(c.files) == maxOpen {
		last := len(c.files) - 1
		c.files[last].Close()
		c.files = c.files[:last]
	}
	f, err := transcript.Open(path, opt)
	if errors.Is(err, syscall.EMFILE) && len(c.files) > 0 { // the limit is lower than expected: do without the others
		c.close()
		c.files = c.files[:0]
		f, err = transcript.Open(path, opt)
	}
	if err != nil {
		return nil, err
	}
	c.files = append([]*transcript.File{f}, c.files...)
	return f, nil
}

func (c *fileCache) close() {
	for _, f := range c.files {
		f.Close()
	}
}

// each renders the exchanges in order: make turns one into bytes, in parallel, and the bytes go out in order.
func (j *job) each(ctx context.Context, xs []scan.Exchange, paint func(p *painter, x *scan.Exchange, buf []byte) ([]byte, error)) (cut bool, err error) {
	painters := make([]*painter, j.query.Workers)
	for i := range painters {
		painters[i] = newPainter(j)
		defer painters[i].files.close()
	}
	err = scan.Ordered(ctx, len(xs), len(painters), func(w, i int, buf []byte) ([]byte, error) {
		b, err := paint(painters[w], &xs[i], buf)
		if err != nil {
			j.lost.add(xs[i].File, err)
			return buf, nil
		}
		return b, nil
	}, func(b []byte) error {
		_, err := j.env.Out.Write(b)
		return err
	})
	for _, p := range painters {
		cut = cut || p.cut
	}
	return cut, err
}
