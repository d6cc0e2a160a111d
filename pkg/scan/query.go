// Package scan answers "which records match": it reads many transcripts in parallel, finds the records whose rendered
// text matches, applies the filters, groups the hits by turn and puts the turns in order. It is the only place whose
// goroutines read transcripts for a search.
//
// It prints nothing and resolves no target.
//
// The invariant: the answer does not depend on the number of goroutines, the prefilter, or the way files are read.
// Query.Slow takes the one simple path (one goroutine, plain reads, every line parsed, the standard regexp engine), and
// both give the same bytes in the end.
package scan

import (
	"csift/pkg/addr"
	"csift/pkg/label"
	"csift/pkg/match"
	"csift/pkg/row"
	"csift/pkg/section"
	"csift/pkg/transcript"
	"math"
)

// File is one transcript to search.
type File struct {
	row.Ref
	Parts   []Part // the parts that were asked for; none: all of it
	Sidecar bool   // an elicitation sidecar may lie beside it

	Related Related // when not nil, only these records are wanted; see Relate
}

// Part is a part of a transcript: lines or turns, or one record.
type Part struct {
	Range addr.Range
	Line  int
	UUID  string
}

// Query is what to find.
type Query struct {
	Match        *match.Matcher
	Filter       label.Filter
	Attachments  bool       // read every attachment, also where no -t reaches its leaf
	Crossings    int        // how many compactions the walk up a conversation may cross, see transcript.Structure.Cross
	Since, Until int64      // Unix nanoseconds, inclusive; NoTime: unbounded
	Turn         *addr.Spec // nil: every turn
	Count        Axis       // with an axis, hits are counted instead of kept
	Exchanges    bool       // keep what is needed to print the exchanges
	NoTurns      bool       // only whether a file has hits is wanted, not in how many turns
	Chain        bool       // FileResult.Chain is wanted, which otherwise comes with exchanges and counts
	Persisted    bool       // read the outputs that results point at, see transcript.Persisted
	LinesOnly    bool       // records that stand on no line are not wanted, but counted in LeftOut
	Slow         bool
	Workers      int

	unread bool // find what the query leaves unread, see Unread
}

// NoTime marks an absent instant.
const NoTime = math.MinInt64

// Hit is one matched record.
type Hit struct {
	Loc     transcript.Loc
	Unit    int32               // see Exchange
	Pending *transcript.Pending // when not nil the record is this dialog, and stands on no line
}

// Exchange is one turn with at least one hit, or one unit that the conversation went on without.
type Exchange struct {
	File    int   // index into the searched files
	Unit    int   // a turn, 0-based; from Structure.Turns() on an abandoned unit
	Instant int64 // Unix nanoseconds of the opener, else of the earliest hit; NoTime when none has one
	Opener  transcript.Loc
	Opened  bool // the unit has an opening record
	Hits    []Hit
}

// Result is what was found.
type Result struct {
	Exchanges []Exchange // oldest first, undated last; empty unless asked for
	Matched   int        // exchanges found
	Records   int        // matching records; where only turns are counted some of them, at least one a turn
	Files     []FileResult
	Counts    []Census // with an axis
	Excluded  int      // matching records outside the axis

	matched bool // FileResult.unread was not counted to the end: some line matched at first sight, or not all could be seen
}

// MostHurt is how many damaged lines of one file are told one by one.
const MostHurt = 100

// FileResult is what is known of one searched file.
type FileResult struct {
	Exchanges int
	Records   int    // see Result.Records
	Skipped   int    // lines with a part that is no whole record
	Damaged   int    // lines whose damage contains the pattern
	Hurt      []int  // the first of those, at most MostHurt
	Missing   []Part // asked-for records that are not there
	Err       error  // the file could not be read to its end

	Merged     int      // matching dialogs of the sidecar, among Records
	LeftOut    int      // matching dialogs that Query.LinesOnly left out
	Dialogs    []Dialog // all dialogs that wait for an answer, by their turns, where Structure is set
	SidecarErr error    // the sidecar could not be read to its end
	Unresolved int      // results whose output could not be read, under Query.Persisted
	Partly     int      // results of whose output only the start was read
	side       *transcript.Sidecar

	Structure *transcript.Structure // of files with hits, when Query.Exchanges
	Chain     *transcript.Chain     // of files with hits, see Query.Chain
	counts    map[string]int
	firsts    map[string]int // per key the first line, see Unread
	excluded  int
	unread    int // records that match and are not read, or that no leaf names, while nothing else matched
	hits      []Hit
	instants  map[int32]int64
}

// ContextFor gives what the sections of a record need to know of its file.
func ContextFor(s *transcript.Structure, loc transcript.Loc) section.Context {
	return section.ContextOf(s, loc)
}
