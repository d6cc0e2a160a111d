package recover

import (
	"os"
	"syscall"
	"time"
)

// planBorn gives when a file was made.
func planBorn(path string) (time.Time, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, false
	}
	if st, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		return earlier(time.Unix(0, st.CreationTime.Nanoseconds()), info.ModTime()), true
	}
	return info.ModTime(), true
}
