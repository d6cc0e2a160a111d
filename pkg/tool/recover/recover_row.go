package recover

import (
	"csift/pkg/replay"
	"csift/pkg/row"
	"csift/pkg/scope"
	"csift/pkg/when"
)

// subject is row.Ref for a row that may be about no transcript: all of it is null then.
type subject struct {
	SessionID  *string `json:"session_id"`
	IsSubagent bool    `json:"is_subagent"`
	Parent     *string `json:"parent_session_id"`
	Transcript *string `json:"transcript"`
	Path       *string `json:"path"` // the file, or where it was written
}

// unknowns are the counts of commands that may have changed the file, and the command line that shows them.
type unknowns struct {
	Opaque     int     `json:"opaque_commands"`
	PowerShell int     `json:"powershell_commands"`
	Suggested  *string `json:"suggested_search"`
}

// stamp is a record's timestamp.
type stamp struct {
	UTC   *string `json:"ts_utc"`
	Local *string `json:"ts_local"`
}

// source says where the record of a line of the replayed history stands.
type source struct {
	Session *string `json:"source_session_id"`
	Line    *int    `json:"source_line"`
}

// boundaryObject is a boundary as other rows carry it.
type boundaryObject struct {
	Line     int    `json:"line"`
	source          // null is never said here
	Turn     *int   `json:"turn_index"`
	Survival string `json:"survival"`
	Root     *int   `json:"abandoned_root_line"`
	stamp
	Cause      string `json:"cause"`
	Confidence string `json:"confidence"`
	Detail     string `json:"detail"`
}

// restoreRow is the file, or why it cannot be given back. Reason and the ranges are there when it cannot, the content or
// the place where it was written when it can.
type restoreRow struct {
	Kind string `json:"kind"`
	subject
	File       string           `json:"file"`
	Complete   bool             `json:"complete"`
	Reason     string           `json:"reason,omitempty"`
	Lines      int              `json:"lines"` // of the file; known ones where it is not whole
	Boundaries []boundaryObject `json:"boundaries"`
	Bash       int              `json:"bash_events"`
	unknowns
	*shortfall
	Content *string `json:"content,omitempty"`
	Wrote   *int    `json:"wrote,omitempty"` // bytes, to path
}

// shortfall says what of a file is known and what is missing.
type shortfall struct {
	Covered [][2]int `json:"covered_ranges"`
	Gaps    [][2]int `json:"gaps"`
	Seen    *int     `json:"seen_total_lines"`
	Richer  *int     `json:"richer_line"` // --at @line:N shows a state that was known better; null when there is none
}

// snapshotRow is the known lines of a file at some time.
type snapshotRow struct {
	Kind string `json:"kind"`
	row.Ref
	File  string     `json:"file"`
	Lines []fileLine `json:"lines"`
	Gaps  [][2]int   `json:"gaps"`
	Line  *int       `json:"line"` // of the last event that is in it
	source
	Seen       *int             `json:"seen_total_lines"`
	Boundaries []boundaryObject `json:"boundaries"`
	Abandoned  int              `json:"abandoned_events"`
	unknowns
	Wrote *wrote `json:"wrote,omitempty"`
}

type fileLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// wrote says what --out wrote.
type wrote struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
	Whole bool   `json:"whole"` // the file itself, and not a list of its known lines
}

// segmentRow is a stretch of the history that nothing from outside cuts.
type segmentRow struct {
	Kind string `json:"kind"`
	row.Ref
	Index int `json:"segment_index"`
	Line  int `json:"line"`
	source
	First     int  `json:"line_start"`
	Last      int  `json:"line_end"`
	TurnFirst *int `json:"turn_start"`
	TurnLast  *int `json:"turn_end"`
	stamp
	PreKnown bool    `json:"pre_state_known"`
	Anchor   *string `json:"anchor_source"`
	Diff     string  `json:"unified_diff"`
}

// breakRow is a boundary between segments.
type breakRow struct {
	Kind string `json:"kind"`
	row.Ref
	boundaryObject
}

// coverageRow says how much of a file is known.
type coverageRow struct {
	Kind string `json:"kind"`
	row.Ref
	File        string           `json:"file"`
	Fragments   int              `json:"fragments"`
	Hard        int              `json:"hard_boundaries"`
	Soft        int              `json:"soft_boundaries"`
	Events      map[string]int   `json:"events"`
	Boundaries  []boundaryObject `json:"boundaries"`
	Covered     [][2]int         `json:"covered_ranges"`
	Recoverable int              `json:"recoverable_lines"`
	Seen        *int             `json:"seen_total_lines"`
	Abandoned   int              `json:"abandoned_events"`
	unknowns
}

// restoredRow is one file of a list.
type restoredRow struct {
	Kind string `json:"kind"`
	subject
	File       string  `json:"file"`
	Status     string  `json:"status"`
	Known      int     `json:"known_lines"`
	Seen       *int    `json:"seen_total_lines"`
	Boundaries int     `json:"boundaries"`
	Bash       int     `json:"bash_events"`
	Opaque     int     `json:"opaque_commands"`
	PowerShell int     `json:"powershell_commands"`
	Why        *string `json:"why"` // of what could not be written
}

// recoverSummary is the last row.
type recoverSummary struct {
	Kind     string `json:"kind"`
	File     string `json:"file"`
	Mode     string `json:"mode"`
	Sessions int    `json:"sessions"`
	Skipped  int    `json:"skipped_lines"`
	Unread   int    `json:"unreadable_files"`
	*scope.Crossing
}

// batchSummary is the last row over a list of files.
type batchSummary struct {
	Kind     string         `json:"kind"`
	Mode     string         `json:"mode"`
	Files    int            `json:"files"`
	ByStatus map[string]int `json:"by_status"`
	Report   string         `json:"report"`
	Skipped  int            `json:"skipped_lines"`
	Unread   int            `json:"unreadable_files"`
	*scope.Crossing
}

// ref gives the transcript and the file of a row.
func (s *story) ref(p *part) row.Ref {
	r := p.Ref()
	r.Path = s.file
	return r
}

func subjectOf(r row.Ref) subject {
	return subject{SessionID: &r.SessionID, IsSubagent: r.IsSubagent, Parent: &r.ParentSessionID, Transcript: &r.Transcript, Path: &r.Path}
}

func stampOf(stamp string) (i stamp) {
	i.UTC, i.Local = when.Pair(stamp)
	return i
}

func sourceOf(p *replay.Place) source { return source{Session: &p.Session, Line: &p.SourceLine} }

func objectOf(b *replay.Boundary) boundaryObject {
	at := &b.At
	return boundaryObject{Line: at.Line, source: sourceOf(at), Turn: at.Turn, Survival: at.Survival, Root: at.AbandonedRoot,
		stamp: stampOf(at.Stamp), Cause: b.Cause, Confidence: b.Confidence(), Detail: b.Detail}
}

func objectsOf(all []replay.Boundary) []boundaryObject {
	out := make([]boundaryObject, len(all))
	for i := range all {
		out[i] = objectOf(&all[i])
	}
	return out
}

func (j *recoverJob) unknownsOf(s *story) unknowns {
	return unknowns{Opaque: s.opaque, PowerShell: s.power, Suggested: j.suggested(s)}
}
