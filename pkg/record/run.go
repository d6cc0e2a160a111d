package record

import (
	"bytes"

	"csift/pkg/jsonl"
)

// run is a run of members that Decode met word for word on the line before. See repeat, which is that for what Skim reads.
type run struct {
	text      []byte // from the value of the first member to the end of the value of the last one
	side      bool   // it starts at isSidechain
	sidechain bool   // what isSidechain says there

	cwd, sessionID, version, gitBranch, entrypoint place
}

// place is where a string stands in the text of a run.
type place struct {
	start, end int
	here       bool // the key is there
	none       bool // it has a value of another type
}

// set sets the field of a string as the run has it.
func (at *place) set(dst *Str, text []byte) {
	if at.here {
		if *dst = text[at.start:at.end:at.end]; at.none {
			*dst = nil
		}
	}
}

// run reads the members from the key k on that stand on most lines of a session as they do on the line before, or learns
// how they do. It gives the next key.
func (r *Record) run(p *jsonl.Pull, k []byte, u *run) ([]byte, bool) {
	text := p.Again(u.text)
	if len(text) == 0 {
		return r.learn(p, k, u)
	}
	if u.side {
		r.IsSidechain = u.sidechain
	}
	u.cwd.set(&r.CWD, text)
	u.sessionID.set(&r.SessionID, text)
	u.version.set(&r.Version, text)
	u.gitBranch.set(&r.GitBranch, text)
	u.entrypoint.set(&r.Entrypoint, text)
	return p.Key()
}

// learn reads such members and notes them.
func (r *Record) learn(p *jsonl.Pull, k []byte, u *run) ([]byte, bool) {
	from, to, members, ok := p.Pos(), 0, 0, true
	*u = run{text: u.text[:0], side: string(k) == "isSidechain"}
	for ; ok && (steady(k) || members == 0); k, ok = p.Key() {
		note := func(at *place, dst *Str) {
			*dst = pullStr(p)
			*at = place{p.Pos() - from - 1 - len(*dst), p.Pos() - from - 1, true, *dst == nil}
		}
		switch string(k) {
		case "cwd":
			note(&u.cwd, &r.CWD)
		case "sessionId":
			note(&u.sessionID, &r.SessionID)
		case "version":
			note(&u.version, &r.Version)
		case "gitBranch":
			note(&u.gitBranch, &r.GitBranch)
		case "entrypoint":
			note(&u.entrypoint, &r.Entrypoint)
		default:
			r.field(p, k)
		}
		members, to = members+1, p.Pos()
	}
	if members >= fewest && !p.Err() && bytes.IndexByte(r.Raw[from:to], '\n') < 0 {
		u.text, u.sidechain = append(u.text, r.Raw[from:to]...), r.IsSidechain
	}
	return k, ok
}
