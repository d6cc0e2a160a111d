package list

import (
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/stdio"
	"csift/pkg/when"
)

// statsRow is one transcript.
type statsRow struct {
	Kind string `json:"kind"`
	row.Ref
	Lines            int              `json:"lines"`
	LineTypes        map[string]int64 `json:"line_types"`
	UserRecords      int              `json:"user_records"`
	AssistantRecords int              `json:"assistant_records"`
	Turns            int              `json:"turns"`
	AbandonedTurns   int              `json:"abandoned_turns"`
	AbandonedRecords int              `json:"abandoned_records"`
	RewoundTurns     int              `json:"rewound_turns"`
	ReplayCopies     int              `json:"replay_copies"`
	Compactions      int              `json:"compactions"`
	FirstUTC         *string          `json:"first_utc"`
	FirstLocal       *string          `json:"first_local"`
	LastUTC          *string          `json:"last_utc"`
	LastLocal        *string          `json:"last_local"`

	Tokens      map[string]tokens `json:"tokens"`
	AtLeast     bool              `json:"tokens_lower_bound"`
	Narration   map[string]int64  `json:"narration_blocks"`
	UnknownTags int               `json:"unknown_thinking_tags"`
	Tools       map[string]int64  `json:"tools"`

	SkippedLines  int `json:"skipped_lines"`
	BlankLines    int `json:"blank_lines"`
	JoinedRecords int `json:"joined_records"`

	*scope.Crossing
}

// statsSummary ends the answer. It is the total of the rows.
type statsSummary struct {
	Kind     string `json:"kind"`
	Sessions int    `json:"sessions"` // rows
	Turns    int    `json:"turns"`

	Tokens          map[string]tokens `json:"tokens"` // the sum of the rows
	AtLeast         bool              `json:"tokens_lower_bound"`
	TokensByMessage map[string]tokens `json:"tokens_by_message"` // each message id once over all rows
	SharedMessages  int               `json:"shared_messages"`   // ids in more than one row
	Narration       map[string]int64  `json:"narration_blocks"`
	UnknownTags     int               `json:"unknown_thinking_tags"`
	Tools           map[string]int64  `json:"tools"`

	Lines            int              `json:"lines"`
	LineTypes        map[string]int64 `json:"line_types"`
	UserRecords      int              `json:"user_records"`
	AssistantRecords int              `json:"assistant_records"`
	AbandonedTurns   int              `json:"abandoned_turns"`
	AbandonedRecords int              `json:"abandoned_records"`
	RewoundTurns     int              `json:"rewound_turns"`
	ReplayCopies     int              `json:"replay_copies"`
	Compactions      int              `json:"compactions"`

	DroppedByCap  int `json:"dropped_by_cap"`
	SkippedLines  int `json:"skipped_lines"`
	BlankLines    int `json:"blank_lines"`
	JoinedRecords int `json:"joined_records"`
	OutsideWindow int `json:"outside_window"` // transcripts without a record in it
	Unreadable    int `json:"unreadable_files"`

	*scope.Crossing
}

func (a *account) row() *statsRow {
	r := &statsRow{
		Kind: "session", Ref: a.Ref(), Lines: a.lines, LineTypes: a.types.row(),
		UserRecords: a.users, AssistantRecords: a.assistants, Turns: a.turns, Compactions: a.compactions,
		AbandonedTurns: a.lost.Drafts + a.lost.Rewound, AbandonedRecords: a.lost.Abandoned, RewoundTurns: a.lost.Rewound, ReplayCopies: a.lost.Copies, Crossing: a.lost.Crossing(),
		Tokens: a.bill.row(), AtLeast: a.atLeast, Narration: a.narration.row(), UnknownTags: a.unknownTags, Tools: a.tools.row(),
		SkippedLines: a.skipped, BlankLines: a.blank, JoinedRecords: a.joined,
	}
	r.FirstUTC, r.FirstLocal = a.first.pair()
	r.LastUTC, r.LastLocal = a.last.pair()
	return r
}

// pair gives an instant as the record has it and in local time, null when there is none.
func (s *stamp) pair() (utc, local *string) {
	if s.at.IsZero() {
		return nil, nil
	}
	u, l := string(s.raw), when.Local(s.at)
	return &u, &l
}

// total is the sum of several accounts.
type total struct {
	account
	byMessage bill
	shared    int // message ids in more than one transcript
}

// sumUp adds up accounts.
func sumUp(all []*account, names *models, crossings int) *total {
	t := &total{}
	t.lost = scope.NewChain(crossings)
	each := make([]*replies, len(all))
	for i, a := range all {
		t.lines += a.lines
		t.blank += a.blank
		t.skipped += a.skipped
		t.joined += a.joined
		t.turns += a.turns
		t.lost.Add(a.lost.Chain)
		t.types.merge(&a.types)
		t.bill.merge(&a.bill)
		t.atLeast = t.atLeast || a.atLeast
		each[i] = &a.replies
		n := a.counts
		n.replies, n.in = replies{}, nil
		t.counts.merge(&n)
	}
	t.shared = once(each, &t.byMessage, names)
	t.byMessage.merge(&t.single)
	return t
}

func (t *total) row() *statsSummary {
	return &statsSummary{
		Kind: row.SummaryKind, Turns: t.turns,
		Tokens: t.bill.row(), AtLeast: t.atLeast, TokensByMessage: t.byMessage.row(), SharedMessages: t.shared,
		Narration: t.narration.row(), UnknownTags: t.unknownTags, Tools: t.tools.row(),
		Lines: t.lines, LineTypes: t.types.row(), UserRecords: t.users, AssistantRecords: t.assistants,
		AbandonedTurns: t.lost.Drafts + t.lost.Rewound, AbandonedRecords: t.lost.Abandoned, RewoundTurns: t.lost.Rewound,
		ReplayCopies: t.lost.Copies, Compactions: t.compactions,
		SkippedLines: t.skipped, BlankLines: t.blank, JoinedRecords: t.joined,
		Crossing: t.lost.Crossing(),
	}
}

func (a *statsAnswer) print(t *total) error {
	if a.env.Format != stdio.JSON {
		return a.text(t)
	}
	rows := row.NewWriter(a.env.Out)
	if err := rows.Write(scope.HeaderOf("stats", a.set)); err != nil {
		return err
	}
	for _, acc := range a.accounts {
		if err := rows.Write(acc.row()); err != nil {
			return err
		}
	}
	s := t.row()
	s.Sessions, s.DroppedByCap, s.OutsideWindow, s.Unreadable = len(a.accounts), a.dropped, a.outside, a.env.UnreadFiles()
	return rows.Write(s)
}
