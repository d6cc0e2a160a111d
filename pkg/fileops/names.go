package fileops

import (
	"path"
	"slices"
	"strings"
)

// nameIndex finds targets by the last component of their paths, so that a list of thousands costs each record no more than
// a list of one.
type nameIndex struct {
	at    map[string][]int // per name in lower case: the targets, in order
	sizes []int            // how long the names are, in bytes
}

func indexNames(targets []Target) nameIndex {
	x := nameIndex{at: map[string][]int{}}
	for i := range targets {
		name := strings.ToLower(targets[i].Name())
		if x.at[name] = append(x.at[name], i); !slices.Contains(x.sizes, len(name)) {
			x.sizes = append(x.sizes, len(name))
		}
	}
	return x
}

// of gives the targets that have the name of a path.
func (x *nameIndex) of(p string) []int { return x.at[strings.ToLower(path.Base(slashes(p)))] }

// first gives the first target for which ok holds among those that have the name of a path, -1 for none.
func (x *nameIndex) first(p string, ok func(i int) bool) int {
	for _, i := range x.of(p) {
		if ok(i) {
			return i
		}
	}
	return -1
}

// in reports whether some target's name stands in a text, anywhere, for which ok holds.
func (x *nameIndex) in(text string, ok func(i int) bool) bool {
	low := strings.ToLower(text)
	if len(x.at) <= 8 {
		for name, list := range x.at {
			if strings.Contains(low, name) && slices.ContainsFunc(list, ok) {
				return true
			}
		}
		return false
	}
	for from := range low {
		for _, n := range x.sizes {
			if from+n <= len(low) && slices.ContainsFunc(x.at[low[from:from+n]], ok) {
				return true
			}
		}
	}
	return false
}
