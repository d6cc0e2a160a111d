package list

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"csift/pkg/home"
	"csift/pkg/scope"
	"csift/pkg/settings"
	"csift/pkg/target"
)

// retention is what Claude Code's sweep of old transcripts will take next. At a start,
// and while it runs, it deletes transcripts whose file was last written longer ago than
// cleanupPeriodDays; what the records say does not count (2.1.12 to 2.1.211).
type retention struct {
	days    int    // 0 when the setting is no period
	from    string // the file that sets it, "" for the default
	expired int    // sessions in scope that are older
}

// sweep is where and how old transcripts are that will be taken.
type sweep struct {
	retention
	dir   string // with a separator at its end
	cwd   string // which relative paths start from
	limit time.Time
}

func (a *answer) sweeping() *sweep {
	w := &sweep{}
	w.days, w.from, _ = settings.Load(a.env.Home, "").CleanupPeriodDays()
	w.cwd = a.env.Cwd
	w.dir = w.absolute(home.Projects(a.env.Home)) + string(filepath.Separator)
	w.limit = a.env.Now.Add(-time.Duration(w.days) * 24 * time.Hour)
	return w
}

// takes reports whether a transcript is a session's that lies where the sweep goes and is
// old enough for it. s is what was read of it, nil when it could not be.
func (w *sweep) takes(t *target.Transcript, s *session) bool {
	if w.days == 0 || t.IsSubagent {
		return false
	}
	var written time.Time
	if s != nil {
		written = s.written
	} else if info, err := os.Stat(t.Path); err == nil {
		written = info.ModTime()
	} else {
		return false
	}
	return written.Before(w.limit) && strings.HasPrefix(w.absolute(t.Path), w.dir)
}

func (w *sweep) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(w.cwd, path)
}

// words says what the sweep will take, "" when there is nothing to say.
func (r retention) words() string {
	if r.days == 0 {
		return fmt.Sprintf("which sessions Claude Code will delete next is not known: %s sets cleanupPeriodDays to no number of days, which it refuses (from 2.1.89)", r.from)
	}
	if r.expired == 0 {
		return ""
	}
	verb, them := "was", "it"
	if r.expired > 1 {
		verb, them = "were", "them"
	}
	why := "its default: no settings say cleanupPeriodDays"
	if r.from != "" {
		why = "cleanupPeriodDays in " + r.from
	}
	return fmt.Sprintf("%s %s last written more than %s ago: the next start of Claude Code deletes %s (%s)",
		scope.Count(r.expired, "session"), verb, scope.Count(r.days, "day"), them, why)
}
