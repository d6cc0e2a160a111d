package fileops

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// PathFilter keeps paths by a regular expression and by a glob; both have to hold.
type PathFilter struct {
	re   *regexp.Regexp
	glob string
}

// NewPathFilter compiles the two; "" keeps every path. The expression is used as it is: case counts and nothing is
// anchored. The glob is one for the whole path, in which * stays within a component and ** crosses them.
func NewPathFilter(expr, glob string) (*PathFilter, error) {
	f := &PathFilter{glob: slashesOnly(glob)}
	if expr != "" {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, fmt.Errorf("--regex: %w", err)
		}
		f.re = re
	}
	if glob != "" && !doublestar.ValidatePattern(f.glob) {
		return nil, fmt.Errorf("--glob: %q is no pattern", glob)
	}
	return f, nil
}

// slashesOnly spells a pattern for a Windows path with the slashes that paths are compared with; elsewhere a backslash
// takes the meaning off the character behind it.
func slashesOnly(glob string) string {
	if drive(glob) {
		return strings.ReplaceAll(glob, `\`, "/")
	}
	return glob
}

// Any reports whether there is anything to filter by.
func (f *PathFilter) Any() bool { return f.re != nil || f.glob != "" }

// Keeps reports whether a path stays. A class of commands is no path: no filter keeps it.
func (f *PathFilter) Keeps(path string, marker bool) bool {
	if !f.Any() {
		return true
	}
	if marker || f.re != nil && !f.re.MatchString(path) {
		return false
	}
	return f.glob == "" || doublestar.MatchUnvalidated(f.glob, strings.ReplaceAll(path, `\`, "/"))
}
