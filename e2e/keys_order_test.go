package e2e_test

import "slices"

// keyOrder learns the order of the keys of rows that leave some of them out.
type keyOrder struct {
	seen  []string            // in the order they were met
	above map[string][]string // per key: those that stood right before it
}

func (o *keyOrder) follow(before, key string) {
	if o.above == nil {
		o.above = map[string][]string{}
	}
	if _, ok := o.above[key]; !ok {
		o.seen = append(o.seen, key)
		o.above[key] = nil
	}
	if before != "" && !slices.Contains(o.above[key], before) {
		o.above[key] = append(o.above[key], before)
	}
}

// sorted gives the keys in an order that every row has; odd is a key that stood before another one and behind it.
func (o *keyOrder) sorted() (keys []string, odd string) {
	const under, done = 1, 2
	state := map[string]int{}
	var put func(key string)
	put = func(key string) {
		switch state[key] {
		case done:
			return
		case under:
			odd = key
			return
		}
		state[key] = under
		for _, b := range o.above[key] {
			put(b)
		}
		state[key] = done
		keys = append(keys, key)
	}
	for _, key := range o.seen {
		put(key)
	}
	return keys, odd
}
