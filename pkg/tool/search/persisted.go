package search

import (
	"csift/pkg/scope"
	"fmt"
)

// persistedCounts is what the summary adds under --resolve-persisted: results whose output could not be read, and those
// of whose output only the start was. They are embedded as a pointer, nil without the flag.
type persistedCounts struct {
	Unresolved int `json:"persisted_unresolved"`
	Partly     int `json:"persisted_cut"`
}

func (j *job) persisted() *persistedCounts {
	if !j.opt.Persisted {
		return nil
	}
	c := &persistedCounts{}
	for i := range j.res.Files {
		c.Unresolved += j.res.Files[i].Unresolved
		c.Partly += j.res.Files[i].Partly
	}
	return c
}

// words says what of the outputs was not searched.
func (c *persistedCounts) words() (out []string) {
	if c == nil {
		return nil
	}
	if c.Unresolved > 0 {
		out = append(out, scope.Plural(c.Unresolved, "persisted output", "persisted outputs")+" could not be read")
	}
	if c.Partly > 0 {
		out = append(out, fmt.Sprintf("of %s only the start was read", scope.Plural(c.Partly, "persisted output", "persisted outputs")))
	}
	return out
}

// notRead says the same as a reason why an absence proves nothing.
func (c *persistedCounts) notRead() (out []string) {
	if c == nil {
		return nil
	}
	if c.Unresolved > 0 {
		out = append(out, scope.Plural(c.Unresolved, "unreadable persisted output", "unreadable persisted outputs"))
	}
	if c.Partly > 0 {
		out = append(out, scope.Plural(c.Partly, "persisted output", "persisted outputs")+" read in part")
	}
	return out
}
