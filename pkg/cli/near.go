package cli

import (
	"slices"
	"strings"
)

// Nearest returns the word that was most likely meant by a mistyped one: the closest
// by insertions, deletions, changes and swaps of neighbours, if it is close enough, or
// else the first word that starts with it.
func Nearest(typed string, words []string) (string, bool) {
	if len(typed) < 2 {
		return "", false
	}
	best, most, begins := "", max(len(typed)/3, 1), ""
	for _, w := range words {
		if d := distance(typed, w); d <= most {
			best, most = w, d-1
		}
		if begins == "" && strings.HasPrefix(w, typed) {
			begins = w
		}
	}
	if best == "" || most > 0 && begins != "" {
		best = begins
	}
	return best, best != ""
}

// distance is the number of edits from a to b, a swap of neighbours being one edit.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) > 400 {
		return len(x) + len(y)
	}
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = slices.Min([]int{last[j] + 1, row[j-1] + 1, last[j-1] + cost})
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(y)]
}
