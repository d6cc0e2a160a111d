package recover

import (
	"time"

	"golang.org/x/sys/unix"
)

// planBorn gives when a file was made, where the file system keeps that, else when it was last changed if that is known.
func planBorn(path string) (time.Time, bool) {
	var st unix.Statx_t
	if unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_BTIME|unix.STATX_MTIME, &st) != nil {
		return time.Time{}, false
	}
	changed := time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec))
	if st.Mask&unix.STATX_BTIME == 0 {
		return changed, true
	}
	return earlier(time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)), changed), true
}
