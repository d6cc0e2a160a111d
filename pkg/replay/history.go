package replay

import (
	"fmt"
	"strings"
)

// marker is where the file history of one session stands.
type marker struct {
	version   int
	line      int  // of the record that showed the version first
	written   bool // the session changed the file since
	explained bool // a change was told of since
	seen      bool // and the whole file was seen after it
}

// marker plays one entry of the file history. Claude Code stores a new version when the bytes changed since the last one
// (2.0.77 to 2.1.332); it repeats an entry in later snapshots, and starts again at a lower number after a rewind.
func (p *player) marker(e *Event) {
	p.counts.history++
	m := p.history[e.At.Session]
	if m == nil {
		m = &marker{}
		p.history[e.At.Session] = m
	}
	was := *m
	if e.Version == was.version {
		return
	}
	*m = marker{version: e.Version, line: e.At.SourceLine}
	if was.version == 0 || e.Version < was.version {
		return
	}
	rise := fmt.Sprintf("v%d->v%d", was.version, e.Version)
	if e.HasText {
		p.stored(e, rise)
		return
	}
	if was.written || was.explained && was.seen {
		return
	}
	p.hard(CauseExternalWrite, fmt.Sprintf("external write (inferred, snapshot %s, no tool record since L%d)", rise, was.line))
	*m = marker{version: e.Version, line: e.At.SourceLine}
}

// stored compares the buffer with the bytes that Claude Code kept, and stands on them where they differ.
func (p *player) stored(e *Event, rise string) {
	const label = "file-history-snapshot"
	parts := strings.Split(e.Text, "\n")
	v := shown{from: 1, parts: parts, total: len(parts), whole: true}
	if !p.doubt {
		p.settleView(v)
	}
	line, differs := p.b.against(v)
	if differs {
		p.hard(CauseExternalWrite, fmt.Sprintf("external write (snapshot %s differs from what was known %s)", rise, atLine(line)))
		p.counts.rebase++
	}
	if differs || !p.b.Complete() {
		p.b.anchor = label
	}
	p.b.setParts(parts, atEnd)
	p.b.stated = true
	p.sight()
	p.seg.reveal(p.b, e, 1, len(parts))
	*p.history[e.At.Session] = marker{version: e.Version, line: e.At.SourceLine}
}
