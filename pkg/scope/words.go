package scope

import "strconv"

// Count spells how many there are of what a noun with a plain plural names: "1 file", "3 files".
func Count(n int, noun string) string { return Plural(n, noun, noun+"s") }

// Plural is Count for any plural.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// OrNull gives a row's value, null where there is none.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
