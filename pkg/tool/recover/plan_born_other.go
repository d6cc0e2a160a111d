//go:build !linux && !darwin && !windows

package recover

import (
	"os"
	"time"
)

// planBorn gives when a file was last changed: when it was made is not kept in a way that is read here.
func planBorn(path string) (time.Time, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}
