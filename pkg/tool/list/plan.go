package list

import (
	"slices"

	"csift/pkg/record"
)

// refusal is the last words of the person when they refused a tool call. The call's
// own record, further back in the file, may name the plan that was refused, which is
// part of the rendered words.
type refusal struct {
	use  string // the call's id, "" when nothing is sought
	line []byte // the record of the refusal
	left int    // how many more lines are looked at
	file string // the plan, once it is known
}

// planReach is how many lines before a refused tool call its own record is sought.
const planReach = 64

// planFile gives the plan of a call while its refusal is rendered.
func (w *windows) planFile(use string) string {
	if use == w.plan.use {
		return w.plan.file
	}
	return ""
}

// refused starts the search when the last words of the person refuse a tool call.
func (w *windows) refused(rec *record.Record) {
	for i := range rec.Blocks {
		if b := &rec.Blocks[i]; b.IsError && len(b.ToolUseID) > 0 {
			if rec.Opens(w.s.IsSubagent) != record.Rejection {
				return
			}
			w.plan = refusal{use: b.ToolUseID.String(), line: slices.Clone(rec.Raw), left: planReach}
			return
		}
	}
}

// seekPlan looks whether a record is the call that was refused, and if it names a plan
// renders the refusal again.
func (w *windows) seekPlan(rec *record.Record) {
	if w.plan.use == "" {
		return
	}
	for i := range rec.Blocks {
		b := &rec.Blocks[i]
		if !b.Type.Is("tool_use") || !b.ID.Is(w.plan.use) {
			continue
		}
		if b.Name.Is("ExitPlanMode") {
			w.plan.file = b.Input.Get("planFilePath").Str().String()
		}
		var no record.Record
		if w.plan.file != "" && record.Decode(w.plan.line, &no) {
			if m, is := w.person(&no, false); is == userPart {
				w.s.last = m
			}
		}
		w.plan = refusal{}
		return
	}
}
