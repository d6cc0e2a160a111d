package record

import (
	"bytes"

	"csift/pkg/jsonl"
)

// run is a run of members that one line after the other has word for word: who wrote it, where, in which session. Up to
// Claude Code 2.0.x it starts at isSidechain, from 2.1.x on at userType. Comparing its bytes is a fraction of reading it.
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

// steady reports whether a key has the same value on most lines of a session.
func steady(k []byte) bool {
	switch string(k) {
	case "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch":
		return true
	}
	return false
}

// fewest is how many members make a run worth its comparison.
const fewest = 3

// startsRun gives which of two runs a key starts, -1 when none.
func startsRun(k []byte) int {
	switch string(k) {
	case "isSidechain":
		return 0
	case "userType":
		return 1
	}
	return -1
}

// pull reads the object that b starts with; runs is what was learned of the lines before, nil where there are none.
func (r *Record) pull(b []byte, runs *[2]run) (n int, ok, oneLine bool) {
	r.Raw = b
	if len(b) == 0 || b[0] != '{' {
		return 0, false, false
	}
	p := jsonl.NewPull(b)
	p.Object()
	k, ok := p.Key()
	for ok {
		if i := startsRun(k); i >= 0 && runs != nil {
			k, ok = r.run(&p, k, &runs[i])
			continue
		}
		r.read(&p, k)
		k, ok = p.Key()
	}
	n = p.Pos()
	r.Raw = b[:n:n]
	return n, !p.Err(), p.OneLine()
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
	u.sessionID.set(&r.SessionID, text)
	if r.Skimmed {
		return p.Key()
	}
	u.cwd.set(&r.CWD, text)
	u.version.set(&r.Version, text)
	u.gitBranch.set(&r.GitBranch, text)
	u.entrypoint.set(&r.Entrypoint, text)
	return p.Key()
}

// read reads the value of one key.
func (r *Record) read(p *jsonl.Pull, k []byte) {
	if r.Skimmed {
		r.place(p, k)
	} else {
		r.field(p, k)
	}
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
			r.read(p, k)
		}
		members, to = members+1, p.Pos()
	}
	if members >= fewest && !p.Err() && bytes.IndexByte(r.Raw[from:to], '\n') < 0 {
		u.text, u.sidechain = append(u.text, r.Raw[from:to]...), r.IsSidechain
	}
	if r.Skimmed {
		r.CWD, r.Version, r.GitBranch, r.Entrypoint = nil, nil, nil, nil
	}
	return k, ok
}
