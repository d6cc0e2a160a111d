package section

import (
	"csift/pkg/record"
	"csift/pkg/transcript"
)

// recordFacts is what all sections of a record say alike and takes a look at all of the record. It is read once a record:
// a record may hold thousands of blocks, each of them a section.
type recordFacts struct {
	st  *transcript.Structure
	loc transcript.Loc

	images       []string
	clientTurn   *int
	exposed      Exposed
	servedBy     *string
	fellBackFrom *string
	fellBack     bool   // a block says that another model answered
	origin       string // the kind of origin that something follows from, "" for any other
	senderTask   *string
	sourceUse    string // the call that brought the record in
	pages        *Pages
}

// factsOf gives what the sections of the record at a place have in common.
func (m *Space) factsOf(r *record.Record, st *transcript.Structure, loc transcript.Loc) *recordFacts {
	if m == nil {
		c := &recordFacts{}
		m.read(c, r, st, loc)
		return c
	}
	if c := &m.record; c.st != st || c.loc != loc {
		m.read(c, r, st, loc)
	}
	return &m.record
}

func (m *Space) read(c *recordFacts, r *record.Record, st *transcript.Structure, loc transcript.Loc) {
	*c = recordFacts{st: st, loc: loc, images: Images(r, int(loc.Line)), exposed: m.exposed(r)}
	if r.TurnPosition != nil {
		c.clientTurn = m.decimal(r.TurnPosition.Get("turnIndex"))
	}
	switch string(r.Type) {
	case "assistant":
		for i := range r.Blocks {
			if k := &r.Blocks[i]; k.Type.Is("fallback") {
				c.servedBy, c.fellBackFrom, c.fellBack = m.modelIn(k.To), m.modelIn(k.From), true
			}
		}
	case "user":
		c.sourceUse = r.Member("sourceToolUseID").Str().String()
		c.pages = m.pages(r)
		if r.Origin == nil {
			return
		}
		switch kind := r.Origin.Get("kind").Str(); {
		case kind.Is("human"):
			c.origin = "human"
		case kind.Is("coordinator"):
			c.origin = "coordinator"
		case kind.Is("peer"):
			c.origin = "peer"
			c.senderTask = m.text(r.Origin.Get("senderTaskId").Str())
		}
	}
}
