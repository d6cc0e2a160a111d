package search

import (
	"csift/pkg/addr"
	"csift/pkg/record"
	"csift/pkg/scan"
	"csift/pkg/scope"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// hit appends to p.hits the sections of one hit that match.
func (p *painter) hit(x *scan.Exchange, h *scan.Hit) error {
	if h.Pending != nil {
		return p.dialog(x, h.Pending, true)
	}
	return p.record(&p.job.files[x.File], p.res.Files[x.File].Structure, h.Loc, true)
}

// dialog appends to p.hits the sections of a dialog of the sidecar that match, or, for siblings, all of them.
func (p *painter) dialog(x *scan.Exchange, d *transcript.Pending, matching bool) error {
	f := &p.job.files[x.File]
	if !record.Decode(d.Line, &p.rec) {
		return transcript.ErrMoved
	}
	secs := p.sec.Pending(&p.rec, d)
	for i := range secs {
		if _, ok := scan.Pick(p.query.Filter, &secs[i], true); matching && !ok {
			continue
		}
		text := p.sectionText(&secs[i])
		from, to := -1, -1
		if matching && !p.m.Empty() {
			if from, to = p.m.Find(text); from < 0 {
				continue
			}
		}
		h := p.next(f)
		section.DescribePending(&h.Unit, &p.rec, &secs[i], d, p.res.Files[x.File].Structure, x.Unit)
		p.fill(h, text, from, to)
		if h.RefetchUUID == nil {
			h.Refetch = p.env.Command("show", p.token, "--uuid", d.Key)
		} else {
			h.Refetch = *h.RefetchUUID
		}
	}
	return nil
}

// pendingSiblings appends to p.hits the dialogs of a turn that are no hits.
func (p *painter) pendingSiblings(x *scan.Exchange) error {
	dialogs := p.res.Files[x.File].DialogsOf(x.Unit)
	if len(dialogs) == 0 {
		return nil
	}
	hits := map[*transcript.Pending]bool{}
	for i := range x.Hits {
		hits[x.Hits[i].Pending] = true
	}
	for _, d := range dialogs {
		if hits[d.Pending] {
			continue
		}
		if err := p.dialog(x, d.Pending, false); err != nil {
			return err
		}
	}
	return nil
}

// pendingUUIDs appends the uuids of an exchange's dialogs to those of its turn.
func pendingUUIDs(uuids []string, x *scan.Exchange) []string {
	for i := range x.Hits {
		if d := x.Hits[i].Pending; d != nil && d.UUID != "" {
			uuids = append(uuids, d.UUID)
		}
	}
	return uuids
}

// appendPlace appends the address of a hit, with its uuid where the line holds other records. One that stands on no line and has no uuid has none: its line is indented, so
// that nobody takes it for its whole transcript.
func appendPlace(buf []byte, id string, h *hit) []byte {
	switch {
	case h.Line != nil && h.among && h.UUID != nil:
		return append(buf, addr.Among(id, *h.Line, *h.UUID)...)
	case h.Line != nil:
		return append(buf, addr.Line(id, *h.Line)...)
	}
	if h.UUID != nil {
		if a, ok := addr.Record(id, *h.UUID); ok {
			return append(buf, a...)
		}
	}
	return append(buf, "  "...)
}

// shows reports whether records of sidecars are in the answer: among what matched, or around what is printed.
func (j *job) shows(xs []scan.Exchange) bool {
	for i := range j.res.Files {
		if j.res.Files[i].Merged > 0 {
			return true
		}
	}
	for i := 0; i < len(xs) && j.opt.Siblings; i++ {
		if len(j.res.Files[xs[i].File].DialogsOf(xs[i].Unit)) > 0 {
			return true
		}
	}
	return false
}

// leftOut counts the matching dialogs that --raw has no line for.
func (j *job) leftOut() (n int) {
	for i := range j.res.Files {
		n += j.res.Files[i].LeftOut
	}
	return n
}

// accountPending tells what a bare payload cannot say of dialogs.
func (j *job) accountPending() {
	if n := j.leftOut(); n > 0 {
		j.env.Note("%s left out: --raw prints lines of transcripts, and they stand on none; without --raw they are shown",
			scope.Plural(n, "pending dialog of an elicitation sidecar", "pending dialogs of elicitation sidecars"))
	}
	if j.sidecar {
		j.env.Note("%s", transcript.SidecarNote)
	}
}
