package label

import (
	"fmt"
	"slices"
	"strings"
)

// retired maps selectors of older releases to what says the same now.
var retired = map[string]string{
	"harness.meta": "harness.hook, harness.schedule, harness.resume, harness.context, harness.enforce, harness.turn.*, " +
		"harness.system.* and harness.bookkeeping.*",
	"harness.meta.hook":             "harness.hook.feedback and harness.hook.context",
	"harness.meta.loop":             "harness.schedule.wakeup and harness.schedule.tick",
	"harness.meta.attachment":       "harness.context.*, harness.hook.context and harness.hook.outcome",
	"harness.meta.turn-duration":    "harness.turn.duration",
	"harness.meta.away-summary":     "harness.turn.recap",
	"harness.meta.stop-hooks":       "harness.turn.stop-hooks",
	"harness.meta.snapshot":         "harness.bookkeeping.file-history",
	"harness.meta.system":           "harness.system.*",
	"harness.schedule.continuation": "harness.resume.prompt",
	"thinking":                      "agent.thinking",
	"tool":                          "agent.tool.use, agent.tool.result or agent.tool for both",
	"tool-response":                 "agent.tool.result",
}

// Selectors returns every valid selector: roles, categories, leaves, then the ".*"
// forms of roles and categories.
func Selectors() []string {
	groups := []string{"user", "agent", "harness"}
	for _, c := range Categories() {
		if !slices.Contains(groups, string(c)) {
			groups = append(groups, string(c))
		}
	}
	out := slices.Clone(groups)
	for _, l := range All() {
		out = append(out, l.String())
	}
	for _, g := range groups {
		out = append(out, g+".*")
	}
	return out
}

// selectorError says why a selector is none, and what could have been meant.
func selectorError(s, flag string) error {
	if now, ok := successor(s); ok {
		return fmt.Errorf("%s %s: this label no longer exists; it is now %s", flag, s, now)
	}
	hint := ""
	if near := nearest(s); near != nil {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	} else if strings.ContainsAny(s, ", ") {
		hint = "; give " + flag + " once for each label"
	}
	return fmt.Errorf("%s %q is no label%s (valid: %s; and a role or category followed by .*)", flag, s, hint, validList())
}

// successor returns what replaced a retired selector. Everything below harness.meta
// is retired, known name or not.
func successor(s string) (string, bool) {
	s = strings.TrimSuffix(s, ".*")
	now, ok := retired[s]
	if !ok && strings.HasPrefix(s, "harness.meta.") {
		now, ok = retired["harness.meta"], true
	}
	return now, ok
}

func validList() string {
	all := Selectors()
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return strings.HasSuffix(s, ".*") }), ", ")
}

// nearest returns the selectors a mistyped one may have meant: the same word in
// another case, a name whose end it is (message), else the nearest spelling.
func nearest(s string) []string {
	bare := strings.ToLower(strings.TrimSuffix(s, ".*"))
	if bare == "" {
		return nil
	}
	var ends []string
	best, bestDistance := "", 3
	for _, c := range Selectors() {
		if strings.HasSuffix(c, ".*") {
			continue
		}
		if c == bare {
			return []string{c}
		}
		if strings.HasSuffix(c, "."+bare) {
			ends = append(ends, c)
		}
		if d := distance(bare, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	if ends != nil || best == "" {
		return ends
	}
	return []string{best}
}

// distance is the number of single-character edits between a and b, counted no
// further than a difference in length of two.
func distance(a, b string) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
