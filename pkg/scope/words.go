package scope

import (
	"strconv"

	"csift/pkg/cli"
)

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

// Unread says how many files and directories a run could not read, "" when it read all.
func Unread(env *cli.Env) string {
	n := env.UnreadFiles()
	if n == 0 {
		return ""
	}
	return Count(n, "file") + " could not be read"
}

// ButUnread is Unread behind words that say what was not found.
func ButUnread(env *cli.Env) string {
	if words := Unread(env); words != "" {
		return "; " + words
	}
	return ""
}
