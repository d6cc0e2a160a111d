package scan

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"csift/pkg/addr"
	"csift/pkg/label"
	"csift/pkg/record"
	"csift/pkg/transcript"
	"csift/pkg/when"
)

// Dialog is a dialog that waits for its answer: a record of a session's elicitation sidecar, on no line of its transcript.
type Dialog struct {
	*transcript.Pending
	Turn int // the turn that it belongs to
}

// sidecar reads the sidecar of a session. It is called before the transcript is opened.
func (r *runner) sidecar(ctx context.Context, i int) {
	if !r.files[i].Sidecar {
		return
	}
	res := &r.res[i]
	res.side = transcript.ReadSidecar(ctx, r.files[i].Transcript)
	res.Skipped += res.side.Skipped
	res.SidecarErr = res.side.Err
}

// pending gives the dialogs of a session that match, as far as that can be told without its structure.
func (r *runner) pending(w *worker, res *FileResult) []*transcript.Pending {
	if res.side == nil {
		return nil
	}
	var out []*transcript.Pending
	for k := range res.side.Pending {
		if p := &res.side.Pending[k]; w.matchesPending(p) {
			out = append(out, p)
		}
	}
	return out
}

func (w *worker) matchesPending(p *transcript.Pending) bool {
	if !record.Decode(p.Line, &w.rec) || !w.q.timely(instant(&w.rec)) {
		return false
	}
	secs := w.sec.Pending(&w.rec, p)
	for i := range secs {
		if w.q.keeps(&secs[i], true, false) && w.match(&secs[i]) {
			return true
		}
	}
	return false
}

// chosen gives the matching dialogs that belong to what was asked for, and counts them.
func (st *settling) chosen() []Dialog {
	var out []Dialog
	for _, p := range st.pending {
		d := Dialog{p, st.s.TurnOf(p)}
		if !st.wants(&d) {
			continue
		}
		if st.q.LinesOnly {
			st.res.LeftOut++
			continue
		}
		out = append(out, d)
	}
	st.res.Merged = len(out)
	return out
}

// wants reports whether a dialog is in the turns and the parts that were asked for.
func (st *settling) wants(d *Dialog) bool {
	if !st.turns.has(d.Turn) || st.file.Related != nil { // it is on no line, and corresponds to none
		return false
	}
	if st.only == nil {
		return true
	}
	return addr.Within(st.only.turns, d.Turn) || st.only.ids[d.UUID] || st.only.ids[d.Key]
}

// pends reports whether a part names a dialog of the sidecar.
func (st *settling) pends(p Part) bool { return st.res.side.Find(p.UUID) != nil }

// dialogs gives all dialogs of the session by their turns, for the surroundings of the hits.
func (st *settling) dialogs() (out []Dialog) {
	if st.res.side != nil && !st.q.LinesOnly {
		for k := range st.res.side.Pending {
			p := &st.res.side.Pending[k]
			out = append(out, Dialog{p, st.s.TurnOf(p)})
		}
	}
	slices.SortStableFunc(out, func(a, b Dialog) int { return cmp.Compare(a.Turn, b.Turn) })
	return out
}

// DialogsOf gives the dialogs that belong to a turn.
func (f *FileResult) DialogsOf(turn int) []Dialog {
	lo, _ := slices.BinarySearchFunc(f.Dialogs, turn, func(d Dialog, turn int) int { return cmp.Compare(d.Turn, turn) })
	hi := lo
	for hi < len(f.Dialogs) && f.Dialogs[hi].Turn == turn {
		hi++
	}
	return f.Dialogs[lo:hi]
}

// addPending adds the hits of dialogs, behind those of the transcript, and their instants.
func (st *settling) addPending(chosen []Dialog, turns map[int32]int64) {
	for _, d := range chosen {
		turn, at := int32(d.Turn), int64(NoTime)
		if t, ok := when.Stamp(d.Stamp); ok {
			at = when.Nanos(t)
		}
		old, seen := turns[turn]
		if !seen || at != NoTime && (old == NoTime || at < old) {
			turns[turn] = at
		}
		if st.q.Exchanges {
			st.res.hits = append(st.res.hits, Hit{Unit: turn, Pending: d.Pending})
		}
	}
}

// countPending adds the keys of dialogs on the axis.
func (st *settling) countPending(chosen []Dialog, w *worker, turns map[int]bool) {
	for _, d := range chosen {
		turns[d.Turn] = true
		keys := st.pendingKeys(d, w)
		if len(keys) == 0 {
			st.res.excluded++
		}
		for _, key := range keys {
			st.res.counts[key]++
		}
	}
}

// pendingKeys gives the keys of a dialog on the axis: it is a call without a result.
func (st *settling) pendingKeys(d Dialog, w *worker) []string {
	record.Decode(d.Line, &w.rec)
	switch st.q.Count {
	case ByTurn:
		return word(strconv.Itoa(d.Turn))
	case BySession:
		return word(st.file.SessionID)
	case ByPairing:
		return word(PairingWord(false, false))
	case ByModel:
		return word(w.rec.Model.String())
	case ByVersion:
		return word(w.rec.Version.String())
	case ByLabel:
		return word(label.AgentToolUse.String())
	case ByTool:
		for i := range w.rec.Blocks {
			if k := &w.rec.Blocks[i]; k.Type.Is("tool_use") {
				return word(k.Name.String())
			}
		}
		return word(d.Kind)
	}
	return nil
}
