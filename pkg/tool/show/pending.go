package show

import (
	"csift/pkg/addr"
	"csift/pkg/cli"
	"csift/pkg/excerpt"
	"csift/pkg/home"
	"csift/pkg/record"
	"csift/pkg/section"
	"csift/pkg/transcript"
)

// addUUID adds the record with a uuid: one of the transcript, else a dialog of its session's sidecar, which goes by its
// key as well. piped says that a pipe named it, and not the command line.
func (j *job) addUUID(x *fetched, uuid string, line int, piped bool) (missing []miss) {
	if all := x.s.FindAll(uuid, line); len(all) > 0 {
		for _, loc := range all {
			x.want = append(x.want, want{rec: loc, one: true})
		}
		return nil
	}
	d := j.dialog(x, uuid)
	switch {
	case d == nil:
		return []miss{{uuid: uuid}}
	case j.opt.Raw && piped:
		j.leftOut++
	case j.opt.Raw:
		return []miss{{uuid: uuid, why: " (it waits in the elicitation sidecar, and --raw prints lines of transcripts)"}}
	default:
		x.want = append(x.want, want{pending: d})
	}
	return nil
}

// dialog finds a dialog that waits for its answer by its uuid or key, nil when there is none. The sidecar is read when
// first asked for.
func (j *job) dialog(x *fetched, id string) *transcript.Pending {
	if x.t.IsSubagent || x.t.Alone {
		return nil
	}
	if x.side == nil {
		x.side = transcript.ReadSidecar(j.ctx, x.t.Path)
		if err := x.side.Err; err != nil {
			j.env.Fail(cli.CannotRead(home.Elicitations(x.t.Path), err))
		}
		if err := x.side.DropNative(j.ctx, x.f.File); err != nil {
			j.env.Fail(cannotRead(x, err))
		}
		x.damaged += x.side.Skipped
	}
	return x.side.Find(id)
}

// dialog gives the units of a dialog, once.
func (t *teller) dialog(d *transcript.Pending) error {
	if t.told[d] || !record.Decode(d.Line, &t.rec) {
		return nil
	}
	t.told[d] = true
	j := t.job
	secs := t.sec.Pending(&t.rec, d)
	for i := range secs {
		if j.left == 0 {
			j.dropped++
			t.x.dropDialog(ident(d))
			continue
		}
		j.left--
		j.shown++
		j.merged++
		turn := t.x.s.TurnOf(d)
		u := &unit{Kind: "record", Ref: t.x.t.Ref(), TurnIndex: &turn}
		section.DescribePending(&u.Unit, &t.rec, &secs[i], d, t.x.s, turn)
		body := excerpt.Valid(string(secs[i].Append(nil)))
		u.whole(body, t.job.env.Format)
		if err := t.give(u); err != nil {
			return err
		}
	}
	return nil
}

// ident is the word by which --uuid finds a dialog.
func ident(d *transcript.Pending) string {
	if d.UUID != "" {
		return d.UUID
	}
	return d.Key
}

// appendPlace appends the address of a unit. One on no line and without a uuid has none: it is indented, so that nobody
// takes it for its whole transcript.
func (j *job) appendPlace(dst []byte, x *fetched, u *unit) []byte {
	switch {
	case u.Line != nil && u.among && u.UUID != nil:
		return append(dst, addr.Among(j.short(x), *u.Line, *u.UUID)...)
	case u.Line != nil:
		return append(dst, addr.Line(j.short(x), *u.Line)...)
	}
	if u.UUID != nil {
		if a, ok := addr.Record(j.short(x), *u.UUID); ok {
			return append(dst, a...)
		}
	}
	return append(dst, "  "...)
}
