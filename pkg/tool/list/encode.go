package list

import (
	"strconv"

	"csift/pkg/row"
)

// appendRow appends what row.Append would, without reflection: a list of everything has
// thousands of rows with some forty keys each. The slow path takes row.Append.
func (r *sessionRow) appendRow(b []byte) []byte {
	b = append(row.AppendString(append(b, `{"kind":`...), r.Kind), ',')
	b = r.Ref.Members(b)
	b = row.Truth(b, `,"parent_missing":`, &r.ParentMissing)
	b = row.Text(b, `,"cwd":`, r.CWD)
	b = row.Text(b, `,"version":`, r.Version)
	b = row.Text(b, `,"git_branch":`, r.GitBranch)
	b = row.Text(b, `,"version_first":`, r.VersionFirst)
	b = row.Text(b, `,"version_last":`, r.VersionLast)
	b = row.Text(b, `,"git_branch_first":`, r.GitBranchFirst)
	b = row.Text(b, `,"git_branch_last":`, r.GitBranchLast)
	b = row.Text(b, `,"title":`, r.Title)
	b = row.Text(b, `,"title_source":`, r.TitleSource)
	b = row.Text(b, `,"title_scope":`, &r.TitleScope)
	b = row.Text(b, `,"entrypoint":`, r.Entrypoint)
	b = r.FirstUser.appendTo(append(b, `,"first_user":`...))
	b = r.LastUser.appendTo(append(b, `,"last_user":`...))
	b = r.LastAgent.appendTo(append(b, `,"last_agent":`...))
	b = row.Number(b, `,"skipped_lines":`, &r.SkippedLines)
	b = some(b, `,"pending_elicitations":`, r.PendingElicitations)
	b = row.Truth(b, `,"sidecar_present":`, &r.SidecarPresent)
	b = row.Truth(b, `,"with_elicitation_sidecar":`, &r.WithSidecar)
	b = row.Truth(b, `,"is_clone":`, &r.IsClone)
	b = row.Text(b, `,"clone_of":`, r.CloneOf)
	b = row.Text(b, `,"clone_boundary_uuid":`, r.CloneBoundaryUUID)
	b = row.Text(b, `,"minted_by":`, r.MintedBy)
	b = row.Text(b, `,"cleared_from":`, r.ClearedFrom)
	b = append(b, `,"cleared_from_distance_ms":`...)
	if r.ClearedDistance == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *r.ClearedDistance, 10)
	}
	b = row.Texts(b, `,"cleared_from_candidates":`, r.ClearedCandidates)
	b = append(b, `,"forked_from":`...)
	if r.ForkedFrom == nil {
		b = append(b, "null"...)
	} else {
		b = row.Append(b, r.ForkedFrom)
	}
	b = row.Text(b, `,"continued_in":`, r.ContinuedIn)
	b = row.Texts(b, `,"session_kind":`, r.SessionKind)
	b = some(b, `,"session_kind_span":`, r.SessionKindSpan)
	b = some(b, `,"minted_elsewhere":`, r.MintedElsewhere)
	b = row.Texts(b, `,"also_at":`, r.AlsoAt)
	return append(row.Text(b, `,"duplicate_relation":`, r.Relation), '}')
}

// some appends an array that seldom has elements.
func some[T any](b []byte, name string, v []T) []byte {
	if b = append(b, name...); v != nil && len(v) == 0 {
		return append(b, "[]"...)
	}
	return row.Append(b, v)
}

func (m *said) appendTo(b []byte) []byte {
	if m == nil {
		return append(b, "null"...)
	}
	b = row.Text(b, `{"excerpt":`, &m.Excerpt)
	b = row.Text(b, `,"ts_utc":`, m.UTC)
	return append(row.Text(b, `,"ts_local":`, m.Local), '}')
}
