package list

import (
	"fmt"
	"strings"

	"csift/pkg/addr"
	"csift/pkg/scope"
)

// lineageHelp is what the help says of lineages.
const lineageHelp = `Where a session comes from; what Claude Code does not state is called an inference:

  cleared  /clear ended another session and began this one. minted_by, cleared_from:
           the sibling whose checkpoint (a cost-state line) closes within two seconds
           of it; of equally near ones none, see cleared_from_candidates
  clone    it begins with the compaction of another session, as the copy that goes on
           in the background does. is_clone, clone_of, clone_boundary_uuid
  forked   forked_from, by basis. key: its records name the session (/branch).
           shared-uuids: both files have the same records (--fork-session writes
           nothing else). parent-elsewhere: its first record goes on from one of the
           other file (--continue at 1.0.128). session_id is null where it is not told
           which file is the origin
  handoff  continued_in: Claude Code says that the session goes on in that one
  kind     session_kind: bg and the like, of records that a background process wrote
  minted   minted_elsewhere, of --lineage: records that name another session
  copies   also_at: the same transcript in another project directory

Without --lineage forks are told by the beginnings of the files in scope. With it whole files are compared, those ` +
	`beside them too, forked_from.records says how many records show it, and session_kind_span where they stand.

A footer, and expired_sessions in the summary, say how many sessions Claude Code's sweep takes next: those whose file was last ` +
	`written longer ago than cleanupPeriodDays of the managed or the user's settings (retention_days, retention_setting), else 30 days.`

// origins says in a text row where a session comes from and where it goes on. What
// Claude Code does not state is said to be an inference.
func (a *answer) origins(s *session, line func(name, format string, v ...any)) {
	short := func(id string) string { return addr.Short(id, max(8, a.set.PrefixLen)) }
	if s.cloned() {
		from := "a session that is not beside it"
		if s.cloneOf != "" {
			from = short(s.cloneOf)
		}
		line("clone", "of %s (an inference: it begins with the compaction %s)", from, addr.Short(s.open.boundary, 8))
	}
	if s.minted() {
		switch {
		case s.clearedFrom != "":
			where := "after"
			if s.distance < 0 {
				where = "before"
			}
			line("cleared", "from %s (an inference: its checkpoint closes %d ms %s this file opens)", short(s.clearedFrom), abs(s.distance), where)
		case len(s.tied) > 0:
			line("cleared", "from one of %s: their checkpoints are equally near", joined(s.tied, short))
		default:
			line("cleared", "from a session that is not known: no checkpoint beside it is near")
		}
	}
	if f := s.forked; f != nil && (f.SessionID == nil || *f.SessionID != s.cloneOf) {
		line("forked", "%s", f.words(s.maybe, short))
	}
	if c := s.goesOn(); c != nil {
		line("handoff", "continued in %s", short(*c))
	}
	if len(s.kinds) > 0 || s.whole != nil && len(s.whole.spans) > 0 {
		line("kind", "%s", s.kindWords())
	}
	if s.whole != nil {
		for _, m := range s.whole.minted {
			line("minted", "%s of session %s", scope.Count(m.Records, "record"), m.SessionID)
		}
	}
}

func joined(ids []string, short func(string) string) string {
	var out []string
	for _, id := range ids {
		out = append(out, short(id))
	}
	const most = 5
	if len(out) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:most], ", "), len(out)-most)
	}
	return strings.Join(out, ", ")
}

// words says where a fork comes from; maybe are the sessions it may mean.
func (f *forked) words(maybe []string, short func(string) string) string {
	if f.SessionID == nil {
		how := "it begins with the same record; --lineage compares whole files"
		switch {
		case f.Basis == basisParent:
			how = "its first record goes on from one that they all have"
		case f.Records != nil:
			how = scope.Count(*f.Records, "record") + " with the same uuids"
		}
		if len(maybe) == 1 {
			return fmt.Sprintf("from %s, or that from this one, which is not told (%s)", short(maybe[0]), how)
		}
		return fmt.Sprintf("from one of %s, which is not told (%s)", joined(maybe, short), how)
	}
	how := "an inference: both begin with the same record"
	switch {
	case f.Basis == basisKey && f.Records == nil:
		how = "stated by its first records"
	case f.Basis == basisKey:
		how = "stated by " + scope.Count(*f.Records, "record")
	case f.Basis == basisParent:
		how = "an inference: its first record goes on from one of that session"
	case f.Records != nil:
		how = "an inference: " + scope.Count(*f.Records, "record") + " with the same uuids"
	}
	return fmt.Sprintf("from %s (%s)", short(*f.SessionID), how)
}

// kindWords gives the values of sessionKind, and where the whole file was read the lines
// on which they stand.
func (s *session) kindWords() string {
	if s.whole == nil {
		return strings.Join(s.kinds, ", ")
	}
	var out []string
	for _, k := range s.whole.spans {
		out = append(out, fmt.Sprintf("%s (%s on lines %d to %d)", k.Kind, scope.Count(k.Records, "record"), k.FirstLine, k.LastLine))
	}
	return strings.Join(out, ", ")
}
