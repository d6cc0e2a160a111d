package list

import (
	"csift/pkg/lane"
	"csift/pkg/shell"
)

// What is said of a call at the end of a lane.
const (
	awaiting  = "awaiting-execution"
	escalated = "escalation-blocked" // the person is asked, whatever mode and rules allow

	lookAlike = "a tool that still runs, one that waits to be allowed and a client that is gone look alike on disk"
)

// forecast says what a call at the end of a lane stands at. Only of Bash is anything
// known: what Claude Code stops because of what it removes. checker is "" when no check
// of that is concerned.
func forecast(p *lane.Pending) (class, reason, checker string) {
	if p.Tool != "Bash" {
		return awaiting, lookAlike, ""
	}
	f := shell.Predict(p.Command, p.CWD, p.Version)
	switch {
	case f.Verdict == shell.Ask:
		return escalated, f.Reason, f.Checker
	case f.Verdict == shell.Undecided:
		return awaiting, f.Reason, f.Checker
	case f.Reason != "":
		return awaiting, f.Reason + "; " + lookAlike, f.Checker
	}
	return awaiting, lookAlike, ""
}
