package replay

import "slices"

// counts adds up what a replay met.
type counts struct {
	readFull, readWindowed, edit, unanchorable, write, bash, external, history, rebase int
	hint, stale, bashRead, bashWrite, blanked                                          int
	notes                                                                              map[string]int
}

func (c *counts) note(key string) {
	if c.notes == nil {
		c.notes = map[string]int{}
	}
	c.notes[key]++
}

// Counts lists what the replay met: the fixed keys in their order, zero or not, then the notes by name, those that occur.
func (r *Result) Counts() []Count {
	c := &r.counts
	all := []Count{
		{"read_full", c.readFull}, {"read_windowed", c.readWindowed}, {"edit", c.edit}, {"edit_unanchorable", c.unanchorable},
		{"write", c.write}, {"bash", c.bash}, {"external_edit", c.external}, {"history_snapshot", c.history},
		{"snapshot_rebase", c.rebase}, {"stale_hint", c.hint}, {"stale_recovered", c.stale},
		{"bash_read_anchor", c.bashRead}, {"bash_write_anchor", c.bashWrite}, {"blanked_read", c.blanked},
	}
	var keys []string
	for k := range c.notes {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		all = append(all, Count{k, c.notes[k]})
	}
	return all
}

// Count gives one counter, 0 when nothing was counted under key.
func (r *Result) Count(key string) int {
	for _, c := range r.Counts() {
		if c.Key == key {
			return c.N
		}
	}
	return 0
}

// Hard gives how many boundaries took away what was known.
func (r *Result) Hard() int {
	n := 0
	for _, b := range r.Boundaries {
		if b.Hard {
			n++
		}
	}
	return n
}

// Soft gives how many boundaries did not.
func (r *Result) Soft() int { return len(r.Boundaries) - r.Hard() }

// Fragments is the number of pieces that the hard boundaries cut the file's history into.
func (r *Result) Fragments() int { return r.Hard() + 1 }
