package list

import (
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// summaryRow ends an answer.
type summaryRow struct {
	Kind         string `json:"kind"`
	Sessions     int    `json:"sessions"` // rows
	DroppedByCap int    `json:"dropped_by_cap"`
	Skipped      int    `json:"skipped_lines"`
	Unreadable   int    `json:"unreadable_files"`
	OrphanGroups int    `json:"orphan_groups"` // sessions of which only subagents are left

	Expired       *int    `json:"expired_sessions"`  // older than the retention; null when that is not known
	RetentionDays *int    `json:"retention_days"`    // of Claude Code's sweep; null when the setting is no period
	RetentionFrom *string `json:"retention_setting"` // the file that sets it; null for the default
}

// said is a message in a row.
type said struct {
	Excerpt string  `json:"excerpt"`
	UTC     *string `json:"ts_utc"`
	Local   *string `json:"ts_local"`
}

// pending is a dialog that is open.
type pending struct {
	Kind  string  `json:"kind"`
	Key   string  `json:"key"`
	UTC   *string `json:"ts_utc"`
	Local *string `json:"ts_local"`
}

// sessionRow is one transcript.
type sessionRow struct {
	Kind string `json:"kind"`
	row.Ref
	ParentMissing bool `json:"parent_missing"`

	CWD            *string `json:"cwd"`
	Version        *string `json:"version"`
	GitBranch      *string `json:"git_branch"`
	VersionFirst   *string `json:"version_first"`
	VersionLast    *string `json:"version_last"`
	GitBranchFirst *string `json:"git_branch_first"`
	GitBranchLast  *string `json:"git_branch_last"`
	Title          *string `json:"title"`
	TitleSource    *string `json:"title_source"`
	TitleScope     string  `json:"title_scope"`
	Entrypoint     *string `json:"entrypoint"`

	FirstUser *said `json:"first_user"`
	LastUser  *said `json:"last_user"`
	LastAgent *said `json:"last_agent"`

	SkippedLines        int       `json:"skipped_lines"`
	PendingElicitations []pending `json:"pending_elicitations"`
	SidecarPresent      bool      `json:"sidecar_present"`
	WithSidecar         bool      `json:"with_elicitation_sidecar"`

	IsClone           bool       `json:"is_clone"`
	CloneOf           *string    `json:"clone_of"`
	CloneBoundaryUUID *string    `json:"clone_boundary_uuid"`
	MintedBy          *string    `json:"minted_by"`
	ClearedFrom       *string    `json:"cleared_from"`
	ClearedDistance   *int64     `json:"cleared_from_distance_ms"`
	ClearedCandidates []string   `json:"cleared_from_candidates"`
	ForkedFrom        *forked    `json:"forked_from"`
	ContinuedIn       *string    `json:"continued_in"`
	SessionKind       []string   `json:"session_kind"`
	SessionKindSpan   []kindSpan `json:"session_kind_span"` // null without --lineage
	MintedElsewhere   []minted   `json:"minted_elsewhere"`  // null without --lineage
	AlsoAt            []string   `json:"also_at"`
	Relation          *string    `json:"duplicate_relation"`
}

// The values of title_source and title_scope.
const (
	customTitle = "custom-title"
	aiTitle     = "ai-title"
	summary     = "summary"
	firstPrompt = "first-prompt"

	inWindows = "windows"
	inFile    = "file"
)

// title gives what the session is called, who called it so, and how much of the file
// was asked.
func (s *session) title() (text, source, scope string) {
	t := s.lasting
	scope = inWindows
	if s.whole != nil {
		t, scope = s.whole.lasting, inFile
	}
	for _, c := range [...]struct {
		text   *string
		source string
	}{{t.custom, customTitle}, {t.ai, aiTitle}, {t.summary, summary}} {
		if c.text != nil && *c.text != "" {
			return *c.text, c.source, scope
		}
	}
	for _, m := range [...]*message{&s.first, &s.seed} {
		if m.said {
			return m.excerpt, firstPrompt, scope
		}
	}
	return "", "", scope
}

// goesOn gives the session that goes on from this one, nil for none.
func (s *session) goesOn() *string {
	if s.whole != nil {
		return s.whole.continued
	}
	return s.continued
}

// row makes the row of a session.
func (s *session) row() *sessionRow {
	title, source, read := s.title()
	r := &sessionRow{
		Kind: "session", Ref: s.Ref(), ParentMissing: s.ParentMissing,
		CWD: stated(&s.cwd), Version: stated(&s.versionEnd), GitBranch: stated(&s.branchEnd),
		VersionFirst: stated(&s.version), VersionLast: stated(&s.versionEnd),
		GitBranchFirst: stated(&s.branch), GitBranchLast: stated(&s.branchEnd),
		Title: scope.OrNull(title), TitleSource: scope.OrNull(source), TitleScope: read, Entrypoint: stated(&s.entrypoint),
		FirstUser: s.first.row(), LastUser: s.last.row(), LastAgent: s.agent.row(),
		SkippedLines: s.skipped, PendingElicitations: []pending{},
		SidecarPresent: s.side.Present, WithSidecar: len(s.side.Pending) > 0,
		ClearedCandidates: orEmpty(s.tied), ForkedFrom: s.forked, ContinuedIn: s.goesOn(),
		SessionKind: orEmpty(s.kinds), AlsoAt: orEmpty(s.AlsoAt), Relation: stated(&s.Relation),
	}
	for i := range s.side.Pending {
		e := &s.side.Pending[i]
		p := pending{Kind: e.Kind, Key: e.Key}
		p.UTC, p.Local = when.Pair(e.Stamp)
		r.PendingElicitations = append(r.PendingElicitations, p)
	}
	if s.cloned() {
		r.IsClone, r.CloneOf, r.CloneBoundaryUUID = true, stated(&s.cloneOf), &s.open.boundary
	}
	if s.minted() {
		r.MintedBy, r.ClearedFrom = scope.OrNull(byClear), stated(&s.clearedFrom)
		if s.clearedFrom != "" {
			r.ClearedDistance = &s.distance
		}
	}
	if s.whole != nil {
		r.SessionKindSpan, r.MintedElsewhere = orEmpty(s.whole.spans), orEmpty(s.whole.minted)
	}
	return r
}

// stated gives a value that a session has, null where it is empty.
func stated(s *string) *string {
	if *s == "" {
		return nil
	}
	return s
}

func (m *message) row() *said {
	if !m.said {
		return nil
	}
	r := &said{Excerpt: m.excerpt}
	if t, ok := when.Stamp(m.stamp); ok {
		local := when.Local(t)
		r.UTC, r.Local = &m.stamp, &local
	}
	return r
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
