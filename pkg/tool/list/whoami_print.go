package list

import (
	"context"
	"fmt"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/excerpt"
	"csift/pkg/lane"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/when"
)

// plainHeader is the header of a verb without a scope.
type plainHeader struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
}

// identityRow is one lane of the ancestry, the caller first.
type identityRow struct {
	Kind            string  `json:"kind"`
	SessionID       string  `json:"session_id"`
	IsSubagent      *bool   `json:"is_subagent"`       // null where the lane is not known
	ParentSessionID *string `json:"parent_session_id"` // null where the lane is not known
	Transcript      *string `json:"transcript"`
	Path            *string `json:"path"`
	Depth           *int    `json:"depth"` // how far above the caller; null where the lane is not known
}

type selfRow struct {
	Kind       string  `json:"kind"`
	Lane       string  `json:"lane"`
	RoutingID  *string `json:"routing_id"`
	LaneKind   *string `json:"lane_kind"`
	Session    string  `json:"session"`
	IsSubagent *bool   `json:"is_subagent"`
	LaneExact  bool    `json:"lane_exact"`
	Via        string  `json:"resolved_via"`
	Depth      *int    `json:"depth"` // lanes above it
	State      *string `json:"state"`
	Version    *string `json:"version"`
	Path       *string `json:"path"`
	UTC        *string `json:"ts_utc"`
	Local      *string `json:"ts_local"`
}

type parentRow struct {
	Kind     string  `json:"kind"`
	Lane     *string `json:"lane"`
	LaneKind *string `json:"lane_kind"`
	Alive    *bool   `json:"alive"` // null where it cannot be told
	Reply    *string `json:"reply_channel"`
}

type laneRow struct {
	Kind     string  `json:"kind"`
	Lane     string  `json:"lane"`
	LaneKind string  `json:"lane_kind"`
	State    string  `json:"state"`
	UTC      *string `json:"last_activity_utc"`
	Local    *string `json:"last_activity_local"`
}

type whoamiSummary struct {
	Kind       string  `json:"kind"`
	Identities int     `json:"identities"`
	OtherLive  int     `json:"other_live_lanes"`
	Reason     *string `json:"reason"` // why there is none
}

// The reasons why nobody is known to call.
const (
	outside   = "not-in-claude-code"
	untold    = "session-not-told"
	byResult  = "tool-result" // how an answer reaches the lane above: as the result of the call
	byMessage = "SendMessage"
)

func (w *identity) printNobody(inside bool) error {
	reason := outside
	if inside {
		reason = untold
	}
	if w.env.Format == stdio.JSON {
		rows := row.NewWriter(w.env.Out)
		if err := rows.Write(plainHeader{row.HeaderKind, "whoami"}); err != nil {
			return err
		}
		if err := rows.Write(whoamiSummary{Kind: row.SummaryKind, Reason: &reason}); err != nil {
			return err
		}
	} else {
		text := "  " + row.NoCaller + "\n"
		if inside {
			text = "  " + row.UntoldCaller + "\n" +
				"  find it  " + w.env.Command("whoami", "@trap:<marker>") + ", the marker three capitalised words and four digits of your own\n"
		}
		if _, err := w.env.Out.Write([]byte(text)); err != nil {
			return err
		}
	}
	if inside {
		w.env.Note("CLAUDE_CODE_SESSION_ID is not set: builds up to 2.0.77 do not set it; @trap:<marker> finds the calling lane")
	} else {
		w.env.Note("CLAUDE_CODE_SESSION_ID is not set; elsewhere name a session by @<uuid>")
	}
	return nil
}

func (w *identity) print(ctx context.Context) error {
	if l := &w.chain[0]; l.node != nil {
		l.ends = l.node.Ends
	} else if l.path != "" {
		l.ends, _ = lane.ReadEnds(ctx, l.path, false, w.env.Slow) // what cannot be read stays unknown
	}
	if w.env.Format == stdio.JSON {
		return w.json()
	}
	_, err := w.env.Out.Write(w.text())
	return err
}

func (w *identity) json() error {
	rows := row.NewWriter(w.env.Out)
	all := []any{plainHeader{row.HeaderKind, "whoami"}}
	for i := range w.chain {
		l := &w.chain[i]
		r := identityRow{Kind: "identity", SessionID: l.id, Transcript: scope.OrNull(l.path), Path: scope.OrNull(l.path)}
		if w.exact {
			depth := i
			r.IsSubagent, r.ParentSessionID, r.Depth = &l.sub, scope.OrNull(w.session), &depth
		}
		all = append(all, r)
	}
	all = append(all, w.selfRow(), w.parentRow())
	for _, i := range w.below {
		n := &w.tree.Nodes[i]
		r := laneRow{Kind: "lane", Lane: n.ID, LaneKind: n.Shape, State: stateOf(n)}
		r.UTC, r.Local = span(stampOf(n.Ends.Last))
		all = append(all, r)
	}
	all = append(all, whoamiSummary{Kind: row.SummaryKind, Identities: len(w.chain), OtherLive: w.others})
	for _, r := range all {
		if err := rows.Write(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *identity) selfRow() selfRow {
	l := &w.chain[0]
	r := selfRow{Kind: "self", Lane: l.id, Session: w.session, LaneExact: w.exact, Via: w.via, Path: scope.OrNull(l.path)}
	if w.exact {
		depth, kind := len(w.chain)-1, l.kind()
		r.IsSubagent, r.LaneKind, r.Depth = &l.sub, &kind, &depth
	}
	if l.node != nil {
		state := stateOf(l.node)
		r.RoutingID, r.State = scope.OrNull(l.node.Meta.Routing()), &state
	}
	if l.ends != nil {
		r.Version = scope.OrNull(l.ends.Version)
		r.UTC, r.Local = span(l.last())
	}
	return r
}

func (w *identity) parentRow() parentRow {
	r := parentRow{Kind: "parent"}
	if len(w.chain) < 2 {
		return r
	}
	l := &w.chain[1]
	kind, reply := l.kind(), byResult
	if n := w.chain[0].node; n != nil && n.Meta.Teammate() {
		reply = byMessage
	}
	r.Lane, r.LaneKind, r.Reply = &l.id, &kind, &reply
	if l.node != nil {
		live := alive(l.node)
		r.Alive = &live
	}
	return r
}

// text prints a block a lane, the caller's with what is around it.
func (w *identity) text() []byte {
	var b []byte
	line := func(name, format string, v ...any) {
		b = fmt.Appendf(b, "  %-9s%s\n", name, excerpt.SafeLine(fmt.Sprintf(format, v...)))
	}
	for i := range w.chain {
		l := &w.chain[i]
		word := "SESSION "
		if l.sub {
			word = "SUBAGENT"
		}
		depth := "?"
		if w.exact {
			depth = fmt.Sprint(i)
		}
		b = fmt.Appendf(b, "%s %s %s  depth %s\n", excerpt.SafeLine(addr.For(l.id, l.path)), word, excerpt.SafeLine(l.id), depth)
		if l.path == "" {
			line("path", "<not found below %s>", w.env.Home)
		} else {
			line("path", "%s", l.path)
		}
		if i > 0 {
			continue
		}
		if !w.exact {
			line("lane", "unknown from the environment alone: a subagent is told the same session; @trap:<marker> finds the lane")
		}
		self := w.selfRow()
		id := l.id
		if self.RoutingID != nil {
			id += " · " + *self.RoutingID
		}
		line("self", "%s · %s · state %s · %s", id, word0(self.LaneKind, "lane unknown"), word0(self.State, "not known"), when.Text(l.last(), false))
		switch p := w.parentRow(); {
		case p.Lane != nil:
			live := "alive or not is not known"
			if p.Alive != nil && *p.Alive {
				live = "alive"
			} else if p.Alive != nil {
				live = "settled"
			}
			line("parent", "%s · %s · %s · a reply goes by %s", *p.Lane, *p.LaneKind, live, *p.Reply)
		case w.exact:
			line("parent", "none")
		default:
			line("parent", "not known")
		}
		var live []string
		for _, k := range w.below {
			n := &w.tree.Nodes[k]
			live = append(live, n.ID+" "+n.Shape+" "+stateOf(n))
		}
		if live == nil {
			live = []string{"no live subagent below"}
		}
		line("topology", "%s · %s", strings.Join(live, ", "), scope.Count(w.others, "other live lane"))
	}
	return b
}

func word0(s *string, none string) string {
	if s == nil {
		return none
	}
	return *s
}
